# SPDX-License-Identifier: BSD-3-Clause
# Radau IIA with three stages on the stiff pendulum (1.1) of lubich1993, from the equations of the paper and
# nothing else, with 34 digits. The stage equations are those of the second-order equation in the form (8.4).
# The smooth motion is found by collocation: polynomials of degree 30 on [0, 1] that satisfy (8.4) at
# Chebyshev points, with the tangential data at the start; no polynomial of that degree can vibrate.
#
#   python3 papers/independent/stiff-rk.pendulum.py > papers/independent/stiff-rk.pendulum.txt
from mpmath import cos, lu_solve, matrix, mp, mpf, norm, pi, sin, sqrt

mp.dps = 34
TH, W = mpf("1.2"), mpf("0.7")
Y0, V0 = [sin(TH), -cos(TH)], [W * cos(TH), W * sin(TH)]


def force(y, lam):
    """Acceleration of (8.4) with G = y/|y|, g = |y| - 1."""
    r = sqrt(y[0] ** 2 + y[1] ** 2)
    return [-y[0] / r * lam, -y[1] / r * lam - 1]


def chebyshev(n, t):
    """T_k(2t - 1), first and second derivatives, k = 0 .. n."""
    x = 2 * t - 1
    T, D, E = [mpf(1), x], [mpf(0), mpf(1)], [mpf(0), mpf(0)]
    for k in range(1, n):
        T.append(2 * x * T[k] - T[k - 1])
        D.append(2 * T[k] + 2 * x * D[k] - D[k - 1])
        E.append(4 * D[k] + 2 * x * E[k] - E[k - 1])
    return T, [2 * d for d in D], [4 * e for e in E]


def smooth(eps, n=30):
    """y and v of the smooth motion at 0 and 1: y of degree n, lambda of degree n - 2."""
    m = n - 2
    nodes = [(1 - cos(pi * (2 * j + 1) / (2 * (n - 1)))) / 2 for j in range(n - 1)]
    more = [(1 - cos(pi * (2 * j + 1) / (2 * (n + 1)))) / 2 for j in range(n + 1)]
    table = {t: chebyshev(n, t) for t in nodes + more + [mpf(0), mpf(1)]}
    size = 2 * (n + 1) + m + 1
    # equations: 2 (n-1) of motion, n+1 of the spring, 2 of the start = 3n + 1 = size
    z = matrix(size, 1)
    z[0], z[1] = Y0[0], V0[0] / 2  # a straight line to begin with
    z[0] += V0[0] / 2
    z[n + 1], z[n + 2] = Y0[1] + V0[1] / 2, V0[1] / 2
    tangent = [cos(TH), sin(TH)]

    def at(t, d):
        row = table[t][d]
        return [sum(row[k] * z[i * (n + 1) + k] for k in range(n + 1)) for i in range(2)]

    for sweep in range(60):
        A, b, line = matrix(size, size), matrix(size, 1), 0
        for t in nodes:
            y, a = at(t, 0), at(t, 2)
            T, _, E = table[t]
            lam = sum(T[k] * z[2 * (n + 1) + k] for k in range(m + 1))
            r = sqrt(y[0] ** 2 + y[1] ** 2)
            f = force(y, lam)
            for i in range(2):
                b[line] = f[i] - a[i]
                for k in range(n + 1):
                    A[line, i * (n + 1) + k] += E[k]
                    for j in range(2):
                        A[line, j * (n + 1) + k] += lam * ((i == j) / r - y[i] * y[j] / r**3) * T[k]
                for k in range(m + 1):
                    A[line, 2 * (n + 1) + k] = y[i] / r * T[k]
                line += 1
        for t in more:
            y, T = at(t, 0), table[t][0]
            lam = sum(T[k] * z[2 * (n + 1) + k] for k in range(m + 1))
            r = sqrt(y[0] ** 2 + y[1] ** 2)
            b[line] = eps**2 * lam - (r - 1)
            for j in range(2):
                for k in range(n + 1):
                    A[line, j * (n + 1) + k] = y[j] / r * T[k]
            for k in range(m + 1):
                A[line, 2 * (n + 1) + k] = -(eps**2) * T[k]
            line += 1
        for d, data in ((0, Y0), (1, V0)):
            x = at(mpf(0), d)
            b[line] = sum(tangent[j] * (data[j] - x[j]) for j in range(2))
            for j in range(2):
                for k in range(n + 1):
                    A[line, j * (n + 1) + k] = tangent[j] * table[mpf(0)][d][k]
            line += 1
        step = lu_solve(A, b)
        z += step
        if norm(step) < mpf("1e-24"):
            break
    return at(mpf(0), 0), at(mpf(0), 1), at(mpf(1), 0), at(mpf(1), 1)


s6 = sqrt(mpf(6))
RADAU = matrix([[(88 - 7 * s6) / 360, (296 - 169 * s6) / 1800, (-2 + 3 * s6) / 225],
                [(296 + 169 * s6) / 1800, (88 + 7 * s6) / 360, (-2 - 3 * s6) / 225],
                [(16 - s6) / 36, (16 + s6) / 36, mpf(1) / 9]])


def radau(eps, y, v, steps):
    h, s = mpf(1) / steps, 3
    A2 = RADAU * RADAU
    c = [sum(RADAU[i, j] for j in range(s)) for i in range(s)]
    size = 3 * s  # accelerations, two each, and Lambda
    x = matrix(size, 1)
    for _ in range(steps):
        for _ in range(30):
            J, F = matrix(size, size), matrix(size, 1)
            for i in range(s):
                Y = [y[k] + c[i] * h * v[k] + h * h * sum(A2[i, j] * x[3 * j + k] for j in range(s)) for k in range(2)]
                r, lam = sqrt(Y[0] ** 2 + Y[1] ** 2), x[3 * i + 2]
                f = force(Y, lam)
                for k in range(2):
                    F[3 * i + k] = x[3 * i + k] - f[k]
                    J[3 * i + k, 3 * i + k] += 1
                    J[3 * i + k, 3 * i + 2] += Y[k] / r
                    for j in range(s):
                        for l in range(2):
                            J[3 * i + k, 3 * j + l] += lam * ((k == l) / r - Y[k] * Y[l] / r**3) * h * h * A2[i, j]
                F[3 * i + 2] = (r - 1 - eps**2 * lam) / h**2
                J[3 * i + 2, 3 * i + 2] -= eps**2 / h**2
                for j in range(s):
                    for l in range(2):
                        J[3 * i + 2, 3 * j + l] += Y[l] / r * A2[i, j]
            d = lu_solve(J, -F)
            x += d
            if norm(d) < mpf("1e-26"):
                break
        y, v = ([y[k] + h * v[k] + h * h * sum(A2[2, j] * x[3 * j + k] for j in range(s)) for k in range(2)],
                [v[k] + h * sum(RADAU[2, j] * x[3 * j + k] for j in range(s)) for k in range(2)])
    return y, v


print("# item, row, value, relative accuracy; made by stiff-rk.pendulum.py")
for eps, name in ((mpf(0), "0"), (mpf("1e-4"), "0.0001"), (mpf("1e-3"), "0.001")):
    y0, v0, y1, v1 = smooth(eps)
    for steps in (8, 16, 32, 64, 128):
        y, v = radau(eps, y0, v0, steps)
        for what, a, b in (("y", y, y1), ("v", v, v1)):
            error = sqrt(sum((p - q) ** 2 for p, q in zip(a, b)))
            print("plateau", f"error of {what}, eps = {name}, h = 1/{steps}", mp.nstr(error, 8), 1e-3, sep="\t")
