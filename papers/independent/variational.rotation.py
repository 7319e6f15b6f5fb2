# SPDX-License-Identifier: BSD-3-Clause
# Section 4.5 of tao2016 from its equations and nothing else, in double: the linearized integrator on 3 x 3
# matrices with f_k as printed and as it follows from the action, and the Lie group method (34). B mu = 1,
# omega = 10, h = 0.1, beta = 0.4. The truth is the rigid motion by Runge-Kutta on (R, Omega).
#
#   python3 papers/independent/variational.rotation.py > papers/independent/variational.rotation.txt
from math import sqrt

H, BETA, T, OMEGA = 0.1, 0.4, 50.0, 10.0
I3 = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]


def mul(*factors):
    out = factors[0]
    for B in factors[1:]:
        out = [[sum(out[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return out


def tr(A):
    return [list(r) for r in zip(*A)]


def comb(*terms):
    return [[sum(c * A[i][j] for c, A in terms) for j in range(3)] for i in range(3)]


def norm(A):
    return sqrt(sum(x * x for r in A for x in r))


def hat(w):
    return [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]


def solve(A, b):
    n = len(b)
    A = [r[:] + [x] for r, x in zip(A, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(A[k][i]))
        A[i], A[p] = A[p], A[i]
        for k in range(i + 1, n):
            t = A[k][i] / A[i][i]
            for j in range(i, n + 1):
                A[k][j] -= t * A[i][j]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (A[i][n] - sum(A[i][j] * x[j] for j in range(i + 1, n))) / A[i][i]
    return x


def force(R, strength, printed):
    b, w2 = BETA * H * H, OMEGA**2
    RR = mul(R, tr(R))
    right = comb((-2 * w2, mul(RR, R)), (2 * w2, R))
    right[2][2] -= strength

    def operator(a):  # (37): a + 2 w^2 b (a R^T R + R a^T R + R R^T a - a)
        return comb((1, a), (2 * w2 * b, mul(a, tr(R), R)), (2 * w2 * b, mul(R, tr(a), R)),
                    (2 * w2 * b, mul(RR, a)), (-2 * w2 * b, a))
    columns = []
    for k in range(9):
        e = [[1.0 if 3 * i + j == k else 0.0 for j in range(3)] for i in range(3)]
        columns.append([x for r in operator(e) for x in r])
    x = solve(tr(columns), [y for r in right for y in r])
    a = [x[0:3], x[3:6], x[6:9]]
    c = 2 * w2 * b * b
    if printed:
        return comb((1, a), (c, mul(tr(a), a, tr(R))), (c, mul(tr(a), R, tr(a))), (c, mul(tr(R), a, tr(a))))
    return comb((1, a), (-c, mul(R, tr(a), a)), (-c, mul(a, tr(R), a)), (-c, mul(a, tr(a), R)))


def energy(R, p, strength):
    S = comb((1, mul(tr(R), R)), (-1, I3))
    return norm(p) ** 2 + strength * R[2][2] + OMEGA**2 / 2 * norm(S) ** 2


def linearized(strength, printed):
    R, p, path = I3, comb((0.5, hat((1, 0.2, 0.1)))), [I3]
    E = [energy(R, p, strength)]
    for _ in range(round(T / H)):
        p = comb((1, p), (H, force(R, strength, printed)))
        R = comb((1, R), (2 * H, p))
        path.append(R)
        E.append(energy(R, p, strength))
        if not E[-1] < 1e6:
            break
    return path, E


def group():
    """(34), (35) for B mu = 1: Omega1 along r, of the length s with s + h^2 s^3/4 = |r|."""
    R, W, path = I3, [1.0, 0.2, 0.1], [I3]
    for _ in range(round(T / H)):
        n2 = sum(x * x for x in W)
        kick = [R[2][1], -R[2][0], 0.0]  # (R^T e3) x e3
        r = [W[i] * (1 + H * H / 4 * n2) + H * kick[i] for i in range(3)]
        size = sqrt(sum(x * x for x in r))
        s = size
        for _ in range(60):
            s -= (s + H * H * s**3 / 4 - size) / (1 + 3 * H * H * s * s / 4)
        W = [x * s / size for x in r]
        B = hat(W)
        minus, plus = comb((1, I3), (-H / 2, B)), comb((1, I3), (H / 2, B))
        inverse = tr([solve(minus, e) for e in I3])
        R = mul(R, inverse, plus)
        path.append(R)
    return path


def truth(inner=50):
    R, W, path, d = I3, [1.0, 0.2, 0.1], [I3], H / inner

    def slope(R, W):
        return mul(R, hat(W)), [R[2][1], -R[2][0], 0.0]
    for _ in range(round(T / H)):
        for _ in range(inner):
            a1, b1 = slope(R, W)
            a2, b2 = slope(comb((1, R), (d / 2, a1)), [x + d / 2 * y for x, y in zip(W, b1)])
            a3, b3 = slope(comb((1, R), (d / 2, a2)), [x + d / 2 * y for x, y in zip(W, b2)])
            a4, b4 = slope(comb((1, R), (d, a3)), [x + d * y for x, y in zip(W, b3)])
            R = comb((1, R), (d / 6, a1), (d / 3, a2), (d / 3, a3), (d / 6, a4))
            W = [x + d / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(W, b1, b2, b3, b4)]
        path.append(R)
    return path


def say(row, value, within=1e-4):
    print("so3", row, f"{value:.8g}", within, sep="\t")


exact = truth()
print("# item, row, value, relative accuracy; made by variational.rotation.py")
path, E = linearized(1.0, False)
say("linearized, Euler: energy error", max(abs(e - E[0]) for e in E))
say("linearized, Euler: |R^T R - 1|", max(norm(comb((1, mul(tr(R), R)), (-1, I3))) for R in path))
say("linearized, Euler: error up to t = 10", max(norm(comb((1, a), (-1, b))) for a, b in zip(path[:101], exact)))
say("linearized, Euler: error up to t = 50", max(norm(comb((1, a), (-1, b))) for a, b in zip(path, exact)))
say("f_k as printed, Euler: time up to which it stays bounded", H * (len(linearized(1.0, True)[0]) - 1), 5e-3)
say("the same with B mu = 2", H * (len(linearized(2.0, True)[0]) - 1), 5e-3)
path = group()
say("Hamilton-Pontryagin-Cayley (34): error up to t = 10", max(norm(comb((1, a), (-1, b))) for a, b in zip(path[:101], exact)))
say("Hamilton-Pontryagin-Cayley (34): error up to t = 50", max(norm(comb((1, a), (-1, b))) for a, b in zip(path, exact)))
