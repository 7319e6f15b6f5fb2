# SPDX-License-Identifier: BSD-3-Clause
# The iterated projection of ariel2012 (sections 3.2, 5.2) on its test problem, from the equations of the
# paper and nothing else, with 40 digits: Table 1, (33)-(36), the multipliers of section 5.4.
#
#   python3 papers/independent/slow-manifolds.projection.py > papers/independent/slow-manifolds.projection.txt
from mpmath import mp, mpf, pi, sqrt

mp.dps = 40


def K(t):
    t = abs(t)
    if t <= mpf(1) / 2:
        return 2 - 2 * t - 8 * t**2 + 8 * t**3
    return 2 - mpf(22) / 3 * t + 8 * t**2 - mpf(8) / 3 * t**3 if t <= 1 else mpf(0)


def acceleration(omega, q):
    x1, y1, x2, y2 = q
    r1, r12 = sqrt(x1**2 + y1**2), sqrt((x1 - x2) ** 2 + (y1 - y2) ** 2)
    a, b = omega**2 * (r1 - 1) / r1, omega**2 * (r12 - 1) / r12
    return [-a * x1 - b * (x1 - x2), -a * y1 - b * (y1 - y2), b * (x1 - x2), b * (y1 - y2)]


def constraints(q, p):
    x1, y1, x2, y2 = q
    r1, r12 = sqrt(x1**2 + y1**2), sqrt((x1 - x2) ** 2 + (y1 - y2) ** 2)
    return [r1 - 1, r12 - 1, (x1 * p[0] + y1 * p[1]) / r1,
            ((x1 - x2) * (p[0] - p[2]) + (y1 - y2) * (p[1] - p[3])) / r12]


def filtered(omega, q, p, steps):
    """One micro-integration by Verlet, h = (2 pi/omega)/6, `steps` to each side, and the filter."""
    weight = [K(mpf(j) / steps) / steps for j in range(steps + 1)]
    sq, sp = [weight[0] * x for x in q], [weight[0] * x for x in p]
    for side in (1, -1):
        h, x, v = side * 2 * pi / omega / 6, q[:], p[:]
        a = acceleration(omega, x)
        for j in range(1, steps + 1):
            v = [s + h / 2 * t for s, t in zip(v, a)]
            x = [s + h * t for s, t in zip(x, v)]
            a = acceleration(omega, x)
            v = [s + h / 2 * t for s, t in zip(v, a)]
            sq = [s + weight[j] * t for s, t in zip(sq, x)]
            sp = [s + weight[j] * t for s, t in zip(sp, v)]
    return sq, sp


def project(omega, q, p, steps=18):
    path = [constraints(q, p)]
    while True:
        q, p = filtered(omega, q, p, steps)
        path.append(constraints(q, p))
        if max(abs(s - t) for s, t in zip(path[-1], path[-2])) < mpf("1e-9"):
            return q, p, path


def say(item, row, value, within=1e-6):
    print(item, row, mp.nstr(value, 16), within, sep="\t")


far = [mpf(1), mpf(1) / 4, mpf(2), mpf(0)]
near = [mpf(1), mpf(0), mpf(2), mpf(0)]
rates = [mpf(0), -mpf(1) / 2, mpf(0), mpf(1) / 2]
print("# item, row, value, relative accuracy; made by slow-manifolds.projection.py")
for omega in (1000, 10000):
    q, p, path = project(omega, far, rates)
    for i, line in enumerate(path):
        for name, value in zip(("g1", "g2", "g1'", "g2'"), line):
            # differences of numbers of size 1, in double
            within = max(1e-6, 1e-15 * 100 / abs(float(value)))
            say("table1", f"omega = {omega}, iteration {i}: {name}", value, f"{within:.1e}")
    say("table1", f"omega = {omega}: iterations", mpf(len(path) - 1))
    q, p, path = project(omega, near, rates)
    first, second = ("(33)", "(34)") if omega == 1000 else ("(35)", "(36)")
    for name, value in zip(("x1", "x2"), (q[0], q[2])):
        say("points", f"{first} omega = {omega}: {name}", value, 1e-12)
    for name, value in zip(("y1'", "y2'"), (p[1], p[3])):
        say("points", f"{second} omega = {omega}: {name}", value, 1e-10)
    say("points", f"omega = {omega}: iterations", mpf(len(path) - 1))
    where = f"omega^2 g at {first}, omega = {omega}"
    for i in range(2):
        say("multipliers", f"{where}: lambda{i + 1}", omega**2 * path[-1][i], 1e-6)
q, p, path = project(1000, near, rates, 36)
for i in range(2):
    say("multipliers", f"omega^2 g with L = 12 pi, omega = 1000: lambda{i + 1}", 10**6 * path[-1][i], 1e-6)
# section 4.3.3: how far p moves along the constraints from a start that is pushed off them by kappa
c, s = mp.cos(mpf("0.3")), mp.sin(mpf("0.3"))
normal, first, second = [c - 1, s, 1, 0], [-s, c, -s, c], [0, 0, 0, 1]
rates = [mpf("0.5") * a - mpf("0.3") * b for a, b in zip(first, second)]
kappa = mpf("0.02")
q, p, path = project(10000, [a + kappa * b for a, b in zip([c, s, c + 1, s], normal)], rates)
drift = [sum(d * (x - y) for d, x, y in zip(direction, p, rates)) for direction in (first, second)]
say("analysis", "start that moves, kappa = 0.02: tangential drift of p", sqrt(drift[0] ** 2 + drift[1] ** 2), 1e-6)
