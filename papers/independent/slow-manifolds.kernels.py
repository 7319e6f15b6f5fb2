# SPDX-License-Identifier: BSD-3-Clause
# The piecewise cubic kernel of ariel2012 (section 5.2) in rational numbers and with 30 digits: its moments, the
# plain trapezoidal weights, what Verlet's method with h = (2 pi/omega)/6 and L = 6 pi makes of a frequency, the
# error of filtering; and the limits of problem (5) with an exact micro-flow, (16).
#
#   python3 papers/independent/slow-manifolds.kernels.py > papers/independent/slow-manifolds.kernels.txt
from fractions import Fraction as Q

from mpmath import acos, cos, mp, mpf, pi, quad, sin

mp.dps = 30
PIECES = (((2, -2, -8, 8), Q(0), Q(1, 2)), ((2, Q(-22, 3), 8, Q(-8, 3)), Q(1, 2), Q(1)))


def moment(k):
    """Of the even kernel, by its polynomials."""
    if k % 2:
        return Q(0)
    return 2 * sum(Q(c) * (b ** (i + k + 1) - a ** (i + k + 1)) / (i + k + 1)
                   for coefficients, a, b in PIECES for i, c in enumerate(coefficients))


def K(t):
    t = abs(t)
    for coefficients, a, b in PIECES:
        if a <= t <= b:
            return sum(c * t**i for i, c in enumerate(coefficients))
    return 0


def plain(N, k):
    return sum(K(Q(j, N)) / N * Q(j, N) ** k for j in range(-N, N + 1))


def response(lam, N=18):
    """Of the trapezoidal weights on Verlet's points: cos theta = 1 - (lam omega h)^2 / 2."""
    z = lam * 2 * pi / 6
    theta = acos(1 - z * z / 2)
    return sum(mpf(K(Q(j, N)).numerator) / K(Q(j, N)).denominator / N * cos(j * theta) for j in range(-N, N + 1))


def continuous(L):
    parts = [quad(lambda t: sum(mpf(Q(c).numerator) / Q(c).denominator * t**i for i, c in enumerate(coefficients)) * cos(L * t),
                  [mpf(a.numerator) / a.denominator, mpf(b.numerator) / b.denominator]) for coefficients, a, b in PIECES]
    return 2 * sum(parts)


def say(item, row, value, within=1e-9):
    number = mpf(value.numerator) / value.denominator if isinstance(value, Q) else value
    print(item, row, mp.nstr(number, 15), within, sep="\t")


print("# item, row, value, relative accuracy; made by slow-manifolds.kernels.py")
say("kernels", "cubic: moment 0", moment(0))
say("kernels", "cubic: moment 4", moment(4))
say("kernels", "cubic, 18 plain weights: sum", plain(18, 0))
say("kernels", "cubic, 17 plain weights: sum - 1", plain(17, 0) - 1)
say("kernels", "cubic, 17 plain weights: second moment", plain(17, 2))
say("kernels", "cubic, L = 6 pi: R at omega", response(mpf(1)))
say("kernels", "cubic, L = 6 pi: R at 0.618 omega", response((mpf(5).sqrt() - 1) / 2), 1e-7)
# c4 = sum w j^4 (omega h)^4 / 24
h = 2 * pi / 6
c4 = plain(18, 4) * 18**4
say("kernels", "cubic, L = 6 pi: error constant c4", mpf(c4.numerator) / c4.denominator * h**4 / 24, 1e-6)
R = continuous(6 * pi)
for omega in (20, 50, 100, 1000):
    A, lost = mpf(omega) ** 2 / (mpf(omega) ** 2 - 1), continuous(6 * pi / omega) - 1
    for name, f in (("q", cos), ("p", sin)):
        say("linear", f"cubic, mu = 3, exact micro-flow, omega = {omega}: error of {name}",
            abs(A * lost * f(mpf("0.7")) / (1 - R)), 1e-4 if omega == 1000 else 1e-7)
