# SPDX-License-Identifier: BSD-3-Clause
# |R(i w)| of Radau IIA with three stages from its Pade approximation, R = (1 + 2z/5 + z^2/20) / (1 - 3z/5 + 3z^2/20
# - z^3/60), and the length of the stiff pendulum of lubich1993 on its smooth motion by the closed form of the first
# two terms of (2.6).
#
#   python3 papers/independent/stiff-rk.stability.py > papers/independent/stiff-rk.stability.txt
from mpmath import cos, mp, mpc, mpf, sin

mp.dps = 30


def say(item, row, value, within=1e-12):
    print(item, row, mp.nstr(value, 16), within, sep="\t")


print("# item, row, value, relative accuracy; made by stiff-rk.stability.py")
for w in (1, 2, 3, 5, 10, 30, 100):
    z = mpc(0, w)
    say("damping", f"radau-iia-3: |R(i {w})|", abs((1 + 2 * z / 5 + z**2 / 20) / (1 - 3 * z / 5 + 3 * z**2 / 20 - z**3 / 60)))
th, w2, e2 = mpf("1.2"), mpf("0.49"), mpf("1e-4")
lam = w2 + cos(th)
say("start", "pendulum, eps = 1e-2: |y| - 1 by two terms of the closed form",
    e2 * lam - e2**2 * (w2 * lam + 3 * sin(th) ** 2 - 3 * w2 * cos(th)))
# the next term is of size 10 eps^6
say("start", "pendulum, eps = 1e-2: |y| - 1 on the manifold of smooth motion",
    e2 * lam - e2**2 * (w2 * lam + 3 * sin(th) ** 2 - 3 * w2 * cos(th)), 5e-7)
