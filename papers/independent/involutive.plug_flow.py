# SPDX-License-Identifier: BSD-3-Clause
# Tables 5 and 6 of tuomela2005, column "Euler (constant)", from the equations of the paper and nothing else, in
# double: exact Newton, and inexact Newton as section 6.1 and Algorithm 4.4 print it, with conjugate gradients.
# The last lines, which are comments, show what the printed 23.8(26) looks like: every linear system left with
# exactly half of its residual.
#
#   python3 papers/independent/involutive.plug_flow.py > papers/independent/involutive.plug_flow.txt
from math import log, sqrt

R, C1, C2, C3, C4 = 45.72, 44.017, 35545.0, 929940.0, 9090.9


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return sqrt(dot(a, a))


def constraints(p):
    """f, df and d2f of (6.5) in (x, y1, y2, y3)."""
    _, y1, y2, y3 = p
    z = C1 * y2 - 5
    L, L1, L2 = log(z), C1 / z, -((C1 / z) ** 2)
    P, P1, P2 = 2.5 * L + 10.5, 2.5 * L1, 2.5 * L2
    w, m = R - y3, 2.5 * R - 1.25 * y3
    f = [y1 * y2 * w * w * P - C2 * y1 * y3 - C3 * y3,
         y2 * m * L + y2 * (3 * R - 2.125 * y3) - (13.6 * R + C1 * C4) / C1]
    df = [[0, y2 * w * w * P - C2 * y3, y1 * w * w * (P + y2 * P1), -2 * y1 * y2 * w * P - C2 * y1 - C3],
          [0, 0, m * (L + y2 * L1) + 3 * R - 2.125 * y3, -1.25 * y2 * L - 2.125 * y2]]
    a, b, c = w * w * (P + y2 * P1), -2 * y2 * w * P - C2, -2 * y1 * w * (P + y2 * P1)
    e = -1.25 * (L + y2 * L1) - 2.125
    d2f = [[[0, 0, 0, 0], [0, 0, a, b], [0, a, y1 * w * w * (2 * P1 + y2 * P2), c], [0, b, c, 2 * y1 * y2 * P]],
           [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, m * (2 * L1 + y2 * L2), e], [0, 0, e, 0]]]
    return f, df, d2f


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


def conjugate_gradients(S, b, tol):
    x, r = [0.0, 0.0], b[:]
    d, rr = r[:], dot(r, r)
    while sqrt(rr) >= tol:
        Sd = [dot(row, d) for row in S]
        alpha = rr / dot(d, Sd)
        x = [s + alpha * t for s, t in zip(x, d)]
        r = [s - alpha * t for s, t in zip(r, Sd)]
        new = dot(r, r)
        d = [s + new / rr * t for s, t in zip(r, d)]
        rr = new
    return x


def project(a, linear, eps):
    """Algorithm 4.2 from z = (a, 0) with the printed test; the number of iterations."""
    p, mu, count = a[:], [0.0, 0.0], 0
    f, df, d2f = constraints(p)
    last = norm(f)
    if last < 1e-6 + 1e-10 / last:
        return p, 0
    F1 = [0.0] * 4
    while True:
        A = [[(i == j) + sum(mu[k] * d2f[k][i][j] for k in range(2)) for j in range(4)] for i in range(4)]
        u = solve(A, [-x for x in F1])
        columns = [solve(A, df[k]) for k in range(2)]
        S = [[dot(df[i], columns[j]) for j in range(2)] for i in range(2)]
        w = linear(S, [-f[k] - dot(df[k], u) for k in range(2)], eps * norm(F1 + f))
        step = [u[i] + columns[0][i] * w[0] + columns[1][i] * w[1] for i in range(4)]
        p = [x + y for x, y in zip(p, step)]
        mu = [x - y for x, y in zip(mu, w)]
        eps, count = 0.8 * eps, count + 1
        f, df, d2f = constraints(p)
        F1 = [p[i] + sum(df[k][i] * mu[k] for k in range(2)) - a[i] for i in range(4)]
        now = norm(F1 + f)
        if norm(step + w) + now < 1e-6 + 1e-10 / last:
            return p, count
        last = now


def direction(p, before):
    """The null vector of (6.6), by minors."""
    _, df, _ = constraints(p)
    M = [[p[2] ** 2, p[3] ** 2, 0, 0], df[0], df[1]]
    v = []
    for j in range(4):
        a, b, c = ([row[k] for k in range(4) if k != j] for row in M)
        v.append((-1) ** j * (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                              + a[2] * (b[0] * c[1] - b[1] * c[0])))
    size = norm(v) if dot(v, before) > 0 else -norm(v)
    return [x / size for x in v]


def run(linear, eps):
    p, first = project([0.0, 13.78, 11.394, 4.8147], linear, eps)
    v, counts = [1.0, 0, 0, 0], [first]
    while True:
        v = direction(p, v)
        q, count = project([x + 0.1 * y for x, y in zip(p, v)], linear, eps)
        if q[0] > 3.2188:
            return len(counts) - 1, sum(counts) / len(counts), max(counts)
        p = q
        counts.append(count)


def say(item, row, value):
    print(item, row, f"{value:.8g}", 1e-3, sep="\t")


print("# item, row, value, relative accuracy; made by involutive.plug_flow.py")
steps, average, most = run(lambda S, b, tol: solve(S, b), 0.5)
say("tables5-6", "table 5, exact, Euler, constant: steps", steps)
say("tables5-6", "table 5, exact, Euler, constant: Newton average", average)
say("tables5-6", "table 5, exact, Euler, constant: Newton maximum", most)
steps, average, most = run(conjugate_gradients, 0.5)
say("tables5-6", "table 6, inexact, Euler, constant: steps", steps)
say("tables5-6", "table 6, inexact, Euler, constant: Newton average", average)
say("tables5-6", "table 6, inexact, Euler, constant: Newton maximum", most)
say("inexact", "plug flow, Euler, constant, CG, eps_0 = 0.5: Newton average", average)
steps, average, most = run(lambda S, b, tol: [0.5 * x for x in solve(S, b)], 0.5)
print(f"# half of each residual left: {steps} steps, average {average:.3f}, at most {most}; printed 289, 23.8(26)")
