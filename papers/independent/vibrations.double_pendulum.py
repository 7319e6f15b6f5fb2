# SPDX-License-Identifier: BSD-3-Clause
# The SHAKE-SHAKE algorithm of calvo2010 (section 4.2) on its double pendulum, from the equations of the
# paper and nothing else, in double; displacements from X_n are stepped, so that nothing cancels.
# Also the limit of large omega by another way: the motion in the angles with the energy of the vibration
# as a potential.
#
#   python3 papers/independent/vibrations.double_pendulum.py > papers/independent/vibrations.double_pendulum.txt
from math import atan2, cos, pi, sin

M = (0.01, 0.01, 0.005, 0.005)
L1, L2, G, VMAX = 0.2, 0.1, 9.8, 4.0


def rods(x):
    """Rows of g' for g = squared lengths."""
    return ([2 * x[0], 2 * x[1], 0, 0],
            [-2 * (x[2] - x[0]), -2 * (x[3] - x[1]), 2 * (x[2] - x[0]), 2 * (x[3] - x[1])])


def changes(X, u):
    """g(X + u) - g(X)."""
    dx, dy, ex, ey = X[2] - X[0], X[3] - X[1], u[2] - u[0], u[3] - u[1]
    return (2 * (X[0] * u[0] + X[1] * u[1]) + u[0] ** 2 + u[1] ** 2, 2 * (dx * ex + dy * ey) + ex**2 + ey**2)


def constrained(X, u, free, h2):
    """lambda and the displacement free + h2 M^-1 g'(X + u)^T lambda on the constraints."""
    g = rods([a + b for a, b in zip(X, u)])
    lam = [0.0, 0.0]
    for _ in range(50):
        new = [free[i] + h2 / M[i] * (g[0][i] * lam[0] + g[1][i] * lam[1]) for i in range(4)]
        r = changes(X, new)
        k = rods([a + b for a, b in zip(X, new)])
        a, b, c, d = (h2 * sum(k[i][m] * g[j][m] / M[m] for m in range(4)) for i in range(2) for j in range(2))
        det = a * d - b * c
        dl = (-(d * r[0] - b * r[1]) / det, -(a * r[1] - c * r[0]) / det)
        lam = [lam[0] + dl[0], lam[1] + dl[1]]
        if abs(dl[0]) + abs(dl[1]) <= 1e-14 * (abs(lam[0]) + abs(lam[1]) + 1e-12):
            break
    new = [free[i] + h2 / M[i] * (g[0][i] * lam[0] + g[1][i] * lam[1]) for i in range(4)]
    return lam, new, g


def averaged_force(X, omega, per_period):
    h = 2 * pi / omega / per_period
    u, v, total = [0.0] * 4, [0.0] * 4, [0.0] * 4
    half = per_period // 2
    for k in range(half + 1):
        a = VMAX * omega * cos(2 * pi * k / per_period)
        f = [0, -M[1] * (a + G), 0, -M[3] * (a + G)]
        # of the first step half a kick
        kick = h / 2 if k == 0 else h
        free = [u[i] + h * (v[i] + kick * f[i] / M[i]) for i in range(4)]
        lam, new, g = constrained(X, u, free, h * kick)
        force = [f[i] + g[0][i] * lam[0] + g[1][i] * lam[1] for i in range(4)]
        weight = (0.5 if k in (0, half) else 1.0) / half
        total = [t + weight * x for t, x in zip(total, force)]
        v = [v[i] + kick * force[i] / M[i] for i in range(4)]
        u = new
    return total


def shake_shake(omega, steps, per_period):
    H = 1.0 / steps
    X = [L1 * sin(0.5), L1 * cos(0.5), L1 * sin(0.5), L1 * cos(0.5) + L2]
    V, path = [0.0] * 4, []
    for n in range(steps + 1):
        F = averaged_force(X, omega, per_period)
        kick = H / 2 if n == 0 else H
        free = [H * (V[i] + kick * F[i] / M[i]) for i in range(4)]
        lam, new, g = constrained(X, [0.0] * 4, free, H * kick)
        path.append((atan2(X[0], X[1]), atan2(X[2] - X[0], X[3] - X[1]), lam))
        V = [new[i] / H for i in range(4)]
        X = [X[i] + new[i] for i in range(4)]
    return path


def effective(steps=20000):
    """q1, q2 at t = 0.1, ..., 1 in the potential gravity + vmax^2/4 b^T A^-1 b."""
    m1, m2 = M[0], M[2]
    m = m1 + m2

    def U(q1, q2):
        c = cos(q1 - q2)
        return G * (m * L1 * cos(q1) + m2 * L2 * cos(q2)) + VMAX**2 / 4 * m * (
            m * sin(q1) ** 2 - 2 * m2 * sin(q1) * sin(q2) * c + m2 * sin(q2) ** 2) / (m - m2 * c**2)

    def acceleration(z):
        q1, q2, w1, w2 = z
        d = 1e-4  # differences of fourth order
        dU = [(8 * (U(q1 + s * d, q2 + t * d) - U(q1 - s * d, q2 - t * d))
               - (U(q1 + 2 * s * d, q2 + 2 * t * d) - U(q1 - 2 * s * d, q2 - 2 * t * d))) / (12 * d)
              for s, t in ((1, 0), (0, 1))]
        c, s = m2 * L1 * L2 * cos(q1 - q2), m2 * L1 * L2 * sin(q1 - q2)
        r1, r2 = -dU[0] - s * w2**2, -dU[1] + s * w1**2
        a, b = m * L1**2, m2 * L2**2
        det = a * b - c * c
        return [w1, w2, (b * r1 - c * r2) / det, (a * r2 - c * r1) / det]

    h, z, found = 1.0 / steps, [0.5, 0.0, 0.0, 0.0], []
    for n in range(1, steps + 1):
        k1 = acceleration(z)
        k2 = acceleration([a + h / 2 * b for a, b in zip(z, k1)])
        k3 = acceleration([a + h / 2 * b for a, b in zip(z, k2)])
        k4 = acceleration([a + h * b for a, b in zip(z, k3)])
        z = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(z, k1, k2, k3, k4)]
        if n % (steps // 10) == 0:
            found.append(z[:2])
    return found


def say(row, value, within):
    print("figure4.1", row, f"{value:.8g}", within, sep="\t")


print("# item, row, value, relative accuracy; made by vibrations.double_pendulum.py")
for steps, per_period in ((80, 32), (160, 64)):
    for omega in ("1e+04", "1e+06"):
        path = shake_shake(float(omega), steps, per_period)
        how = f"SHAKE-SHAKE, H = 1/{steps}" if omega == "1e+04" else f"SHAKE-SHAKE, omega = {omega}, H = 1/{steps}"
        for k in (range(1, 11) if omega == "1e+04" else (5, 10)):
            q1, q2, lam = path[k * steps // 10]
            say(f"{how}, t = {k / 10}: q1", q1, 1e-5)
            say(f"{how}, t = {k / 10}: q2", q2, 1e-5)
            if omega == "1e+04" and k < 10:
                say(f"{how}, t = {k / 10}: Lambda1", lam[0], 1e-4)
                say(f"{how}, t = {k / 10}: Lambda2", lam[1], 1e-4)
for k, (q1, q2) in enumerate(effective(), 1):
    say(f"effective potential, t = {k / 10}: q1", q1, 1e-5)
    say(f"effective potential, t = {k / 10}: q2", q2, 1e-5)
