# SPDX-License-Identifier: BSD-3-Clause
# Two checks of tuomela2005 from its equations and nothing else, with 30 digits: where the plug flow (6.5)
# has its impasse point, by quadrature along the curve of its two constraints; and the last row of (6.12),
# which is constant along solutions and not zero at the printed start.
#
#   python3 papers/independent/involutive.curves.py > papers/independent/involutive.curves.txt
from mpmath import diff, findroot, log, mp, mpf, quad, sqrt

mp.dps = 30
R, C1, C2, C3, C4 = (mpf(x) for x in ("45.72", "44.017", "35545", "929940", "9090.9"))


def y2(y3):
    """From the second row of (6.5)."""
    return findroot(lambda y: y * (mpf("2.5") * R - mpf("1.25") * y3) * log(C1 * y - 5)
                    + y * (3 * R - mpf("2.125") * y3) - (mpf("13.6") * R + C1 * C4) / C1, 11)


def y1(y3):
    """From the first, which is linear in y1."""
    y = y2(y3)
    return C3 * y3 / (y * (R - y3) ** 2 * (mpf("2.5") * log(C1 * y - 5) + mpf("10.5")) - C2 * y3)


def slope(y3):
    """dx/dy3 = -(y3/y2)^2 dy1/dy3."""
    return -((y3 / y2(y3)) ** 2) * diff(y1, y3)


def length(y3):
    return sqrt(slope(y3) ** 2 + diff(y1, y3) ** 2 + diff(y2, y3) ** 2 + 1)


def say(item, row, value, within):
    print(item, row, mp.nstr(value, 12), within, sep="\t")


print("# item, row, value, relative accuracy; made by involutive.curves.py")
begin = findroot(lambda y: y1(y) - mpf("13.78"), mpf("4.8147"))
x = quad(slope, [begin, begin / 2, 0])
# the printed start has five digits, and taut projects it
say("impasse", "figure 3: x of the impasse point", x, 2e-5)
say("impasse", "figure 3: y2 there", y2(mpf(0)), 1e-6)
# beyond it y1 and y3 are negative, until x = 3.2188
mp.dps = 18
end = findroot(lambda y: x + quad(slope, [0, y]) - mpf("3.2188"), mpf("-3"), tol=1e-12)
say("impasse", "figure 3: pressure there", y1(end), 2e-5)
say("impasse", "figure 3: length of the curve", quad(length, [end, 0]) + quad(length, [0, begin]), 2e-5)

# (6.12) with beta = gamma = 1 at the printed start
y, v = (mpf(1), mpf(1), mpf(1)), (mpf("0.4"), mpf("0.5"), mpf("0.6"))
invariant = (4 * y[1] ** 2 + 3 * y[2] * v[1] + y[2] ** 3 / 12 - y[1] * v[2] - v[2] ** 2 / 8 - 3 * v[1]
             - y[2] / 4 + 3 * v[0])
say("curves", "(6.12), last row at the printed start", invariant, 1e-12)


def along(y, v):
    """Its derivative along solutions, y_1^2 read as the first derivative of y^2."""
    a = (y[0] * y[2] / 3 - y[0] / 3, y[1] * y[2] / 3 + y[1] / 3 - y[0] / 3, y[2] ** 2 + 8 * v[1] - 1)
    return (8 * y[1] * v[1] + 3 * v[2] * v[1] + 3 * y[2] * a[1] + y[2] ** 2 * v[2] / 4 - v[1] * v[2]
            - y[1] * a[2] - v[2] * a[2] / 4 - 3 * a[1] - v[2] / 4 + 3 * a[0])


worst = max(abs(along((mpf(a), mpf(b), mpf(c)), (mpf(d), mpf(e), mpf(f))))
            for a, b, c, d, e, f in ((1, 1, 1, 0.4, 0.5, 0.6), (0.3, -2, 1.7, 0.9, -1.1, 2.2)))
assert worst < 1e-12, worst
