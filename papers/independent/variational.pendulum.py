# SPDX-License-Identifier: BSD-3-Clause
# Figure 1 of tao2016 (section 4.1) from the equations of the paper and nothing else, in double: SHAKE,
# Verlet, Newmark in full and with one iteration, Integrators 1, 3 and 4 on the double pendulum with
# omega = 20, beta = 0.4, gravity downwards. The truth is the pendulum in its two angles.
#
#   python3 papers/independent/variational.pendulum.py > papers/independent/variational.pendulum.txt
from math import cos, hypot, pi, sin, sqrt

OMEGA, BETA = 20.0, 0.4
START = [0.0, -1.0, 1.0, -2.0]
# second derivatives of g1, g2
H = ([[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
     [[2, 0, -2, 0], [0, 2, 0, -2], [-2, 0, 2, 0], [0, -2, 0, 2]])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def constraint(q):
    dx, dy = q[2] - q[0], q[3] - q[1]
    return (q[0] ** 2 + q[1] ** 2 - 1, dx**2 + dy**2 - 2), ([2 * q[0], 2 * q[1], 0, 0], [-2 * dx, -2 * dy, 2 * dx, 2 * dy])


def gradient(q):
    g, G = constraint(q)
    w = OMEGA**2
    return [w * (g[0] * G[0][i] + g[1] * G[1][i]) + (0, 1, 0, 1)[i] for i in range(4)]


def hessian(q):
    g, G = constraint(q)
    return [[OMEGA**2 * sum(G[c][i] * G[c][j] + g[c] * H[c][i][j] for c in range(2)) for j in range(4)] for i in range(4)]


def third(q, a):
    g, G = constraint(q)
    out = [0.0] * 4
    for c in range(2):
        Ha = [dot(row, a) for row in H[c]]
        Ga, aHa = dot(G[c], a), dot(a, Ha)
        out = [out[i] + OMEGA**2 * (2 * Ga * Ha[i] + aHa * G[c][i]) for i in range(4)]
    return out


def solve(A, b):
    n = len(b)
    A = [row[:] + [x] for row, x in zip(A, b)]
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


def shifted(q, b):
    """1 + b Hess V."""
    h = hessian(q)
    return [[(i == j) + b * h[i][j] for j in range(4)] for i in range(4)]


def verlet_of(force, h):
    def start(q):
        return force(q)

    def step(q, v, a):
        q = [q[i] + h * v[i] + h * h / 2 * a[i] for i in range(4)]
        new = force(q)
        return q, [v[i] + h / 2 * (a[i] + new[i]) for i in range(4)], new
    return start, step


def zhang_skeel(h, simplified):
    b = BETA * h * h

    def force(q):
        a = solve(shifted(q, b), [-x for x in gradient(q)])
        if simplified:
            return a
        t = third(q, a)
        return [a[i] - b * b / 2 * t[i] for i in range(4)]
    return verlet_of(force, h)


def push_forward(h):
    b = BETA * h * h

    def force(q):
        a = [0.0] * 4
        for _ in range(60):
            y = [q[i] + b * a[i] for i in range(4)]
            g = gradient(y)
            d = solve(shifted(y, b), [-a[i] - g[i] for i in range(4)])
            a = [a[i] + d[i] for i in range(4)]
            if max(map(abs, d)) < 1e-13:
                break
        return a
    return verlet_of(force, h)


def newmark(h, iterations):
    b = BETA * h * h

    def start(q):
        return [-x for x in gradient(q)]

    def step(q, v, a):
        ahead = [q[i] + h * v[i] + h * h / 2 * (1 - 2 * BETA) * a[i] for i in range(4)]
        y = q[:]  # the guess
        for _ in range(iterations):
            g = gradient(y)
            d = solve(shifted(y, b), [ahead[i] - y[i] - b * g[i] for i in range(4)])
            y = [y[i] + d[i] for i in range(4)]
            if max(map(abs, d)) < 1e-14:
                break
        new = [(y[i] - ahead[i]) / b for i in range(4)]
        return y, [v[i] + h / 2 * (a[i] + new[i]) for i in range(4)], new
    return start, step


def shake(h):
    """Position form with velocities v_n = (q_{n+1} - q_{n-1}) / 2h left out."""
    def start(q):
        return None

    def step(q, v, last):
        # v is the velocity half a step before; the first step has half a kick
        g, G = constraint(q)
        kick = h / 2 if last is None else h
        free = [q[i] + h * (v[i] - kick * (0, 1, 0, 1)[i]) for i in range(4)]
        lam = [0.0, 0.0]
        for _ in range(50):
            new = [free[i] - h * kick * (G[0][i] * lam[0] + G[1][i] * lam[1]) for i in range(4)]
            r, K = constraint(new)
            d = solve([[h * kick * dot(K[i], G[j]) for j in range(2)] for i in range(2)], list(r))
            lam = [lam[0] + d[0], lam[1] + d[1]]
            if max(map(abs, d)) < 1e-13:
                break
        new = [free[i] - h * kick * (G[0][i] * lam[0] + G[1][i] * lam[1]) for i in range(4)]
        return new, [(new[i] - q[i]) / h for i in range(4)], True
    return start, step


def truth(T=100.0, h=0.1, inner=40):
    """(x2, y2) at multiples of h from the angles, Runge-Kutta of order 4 with steps h/inner, extrapolated."""
    s = sqrt(2.0)

    def slope(z):
        a, c, u, w = z
        C, S = s * cos(a - c), s * sin(a - c)
        r1, r2 = -S * w * w - 2 * sin(a), S * u * u - s * sin(c)
        det = 2 * 2 - C * C
        return [u, w, (2 * r1 - C * r2) / det, (2 * r2 - C * r1) / det]

    def run(k):
        z, d, found = [0.0, pi / 4, 0.0, 0.0], h / k, [(1.0, -2.0)]
        for _ in range(round(T / h)):
            for _ in range(k):
                k1 = slope(z)
                k2 = slope([p + d / 2 * q for p, q in zip(z, k1)])
                k3 = slope([p + d / 2 * q for p, q in zip(z, k2)])
                k4 = slope([p + d * q for p, q in zip(z, k3)])
                z = [p + d / 6 * (q + 2 * r + 2 * t + w) for p, q, r, t, w in zip(z, k1, k2, k3, k4)]
            found.append((sin(z[0]) + s * sin(z[1]), -cos(z[0]) - s * cos(z[1])))
        return found
    coarse, fine = run(inner), run(2 * inner)
    return [tuple((16 * b - a) / 15 for a, b in zip(p, q)) for p, q in zip(coarse, fine)]


def errors(method, h, exact):
    start, step = method
    q, v = START[:], [0.0] * 4
    a, worst, found = start(q), 0.0, []
    every = round(0.1 / h)
    for n in range(1, round(100 / h) + 1):
        q, v, a = step(q, v, a)
        if n % every == 0:
            x, y = exact[n // every]
            worst = max(worst, hypot(q[2] - x, q[3] - y))
            if n // every in (200, 500, 1000):
                found.append(worst)
    return found


exact = truth()
print("# item, row, value, relative accuracy; made by variational.pendulum.py")
for name, method, h in (("SHAKE", shake(0.1), 0.1),
                        ("Verlet, omega = 20, h = 0.005", verlet_of(lambda q: [-x for x in gradient(q)], 0.005), 0.005),
                        ("Newmark", newmark(0.1, 60), 0.1),
                        ("Newmark, one iteration", newmark(0.1, 1), 0.1),
                        ("Zhang-Skeel", zhang_skeel(0.1, False), 0.1),
                        ("Zhang-Skeel simplified", zhang_skeel(0.1, True), 0.1),
                        ("push-forward Newmark", push_forward(0.1), 0.1)):
    for T, e in zip((20, 50, 100), errors(method, h, exact)):
        print("figure1", f"{name}: error up to T = {T}", f"{e:.8g}", 1e-5, sep="\t")
