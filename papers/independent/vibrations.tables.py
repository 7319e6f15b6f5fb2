# SPDX-License-Identifier: BSD-3-Clause
# Tables 2.1 to 2.3 of calvo2010 from the equations of the paper and nothing else, in double; the phase at
# omega = 1e8 (Table 2.1) is reduced modulo one period by whole numbers. Q(t) of (2.5) by a Taylor-like
# Runge-Kutta method of order 4 with steps so small that its error is below 1e-12.
#
#   python3 papers/independent/vibrations.tables.py > papers/independent/vibrations.tables.txt
from fractions import Fraction
from math import cos, exp, pi, sin

L, G, VMAX = 0.2, 9.8, 4.0


def averaged(Q):
    return (G / L - VMAX**2 / (2 * L**2) * cos(Q)) * sin(Q)


def exact(steps):
    """Q(n/steps) by the classical Runge-Kutta method with 20000 steps."""
    n = 20000 // steps * steps
    h, Q, P, found = 1.0 / n, 0.5, 0.0, [0.5]
    for k in range(1, n + 1):
        k1q, k1p = P, averaged(Q)
        k2q, k2p = P + h / 2 * k1p, averaged(Q + h / 2 * k1q)
        k3q, k3p = P + h / 2 * k2p, averaged(Q + h / 2 * k2q)
        k4q, k4p = P + h * k3p, averaged(Q + h * k3q)
        Q += h / 6 * (k1q + 2 * k2q + 2 * k3q + k4q)
        P += h / 6 * (k1p + 2 * k2p + 2 * k3p + k4p)
        if k % (n // steps) == 0:
            found.append(Q)
    return found


def kernel(N):
    w = [exp(5 / ((j / N) ** 2 - 1)) if j < N else 0.0 for j in range(N + 1)]
    whole = w[0] + 2 * sum(w[1:])
    return [x / whole for x in w]


def leapfrog(force, steps):
    H, Q, P, half = 1.0 / steps, 0.5, 0.0, None
    path = [Q]
    for n in range(steps):
        F = force(n, Q, P)
        half = P + H / 2 * F if n == 0 else half + H * F
        Q += H * half
        P = half + H / 2 * F  # the first-order value of Algorithm 1
        path.append(Q)
    return path


def micro(Q, p, phase, omega, per_period, count, side):
    """Forces at 0, h, ..., count h by Verlet; phase: of the start, as a part of a period."""
    h = side * 2 * pi / omega / per_period
    turn = [cos(2 * pi * (phase + side * j / per_period)) for j in range(per_period)]
    f = (G + VMAX * omega * turn[0]) * sin(Q) / L
    forces = [f]
    half = p + h / 2 * f
    for j in range(1, count + 1):
        Q += h * half
        f = (G + VMAX * omega * turn[j % per_period]) * sin(Q) / L
        half += h * f
        forces.append(f)
    return forces


def algorithm1(omega, steps):
    N = 20 * steps
    w = kernel(N)
    # omega t_n / 2 pi is not rational: the phase of step n from pi with 50 digits
    digits = Fraction(314159265358979323846264338327950288419716939937511, 10**50)

    def force(n, Q, P):
        turns = Fraction(int(omega) * n, steps) / (2 * digits)
        phase = float(turns - (turns.numerator // turns.denominator))
        p = P + VMAX * sin(2 * pi * phase) * sin(Q) / L
        ahead, back = (micro(Q, p, phase, omega, steps, N, side) for side in (1, -1))
        return w[0] * ahead[0] + sum(w[j] * (ahead[j] + back[j]) for j in range(1, N + 1))

    return leapfrog(force, steps)


def algorithm2(omega, steps, simple):
    def force(n, Q, P):
        if simple:
            f = micro(Q, 0.0, 0.0, omega, steps, steps // 2, 1)
            return (f[0] / 2 + sum(f[1:-1]) + f[-1] / 2) / (steps // 2)
        f = micro(Q, 0.0, 0.0, omega, steps, 20 * steps, 1)
        return w[0] * f[0] + 2 * sum(w[j] * f[j] for j in range(1, len(f)))

    w = None if simple else kernel(20 * steps)
    return leapfrog(force, steps)


def say(item, row, path, truth, within):
    print(item, row, f"{max(abs(a - b) for a, b in zip(path[1:], truth[1:])):.8g}", within, sep="\t")


print("# item, row, value, relative accuracy; made by vibrations.tables.py")
for steps in (10, 20, 40, 80):
    truth = exact(steps)
    say("averaged", f"Verlet on (2.5), H = 1/{steps}: error", leapfrog(lambda n, Q, P: averaged(Q), steps),
        truth, 1e-7)
    for omega in ("1e+04", "1e+06", "1e+08"):
        how = ", exact phase" if omega == "1e+08" else ""
        # at 1e8 forces of 1e9 are rounded to 1e-7
        within = 1e-3 if omega == "1e+08" else 1e-5
        say("table2.1", f"omega = {omega}, H = 1/{steps}{how}: error", algorithm1(float(omega), steps), truth, within)
        say("table2.2", f"omega = {omega}, H = 1/{steps}: error", algorithm2(float(omega), steps, False), truth, within)
    for omega in ("1e+03", "1e+04", "1e+06", "1e+08"):
        say("table2.3", f"omega = {omega}, H = 1/{steps}: error", algorithm2(float(omega), steps, True), truth,
            1e-3 if omega == "1e+08" else 1e-5)
