# SPDX-License-Identifier: BSD-3-Clause
"""What Python adds, and what the wheel is, measured (times are those of the processor):

  build/python/venv/bin/python bench/python/measured.py [--write] [build/release/bench/python/taut_bench_python]

The program (./taut bench python) does the same in C++. With --write the table goes to docs/python.md.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import time
from typing import Any, Callable

import made

import taut


def least(work: Callable[[], Any], repeat: int) -> float:
    best = float("inf")
    for _ in range(repeat):
        begun = time.thread_time()
        work()
        best = min(best, time.thread_time() - begun)
    return best


def fresh(code: str, repeat: int = 7) -> float:
    """What a new process prints, at the least."""
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
               for _ in range(repeat))


def added(python: float, cpp: float) -> str:
    """The difference; where it is lost in what measurements differ by, that."""
    noise = 0.05 * python
    return made.seconds(python - cpp) if python - cpp > noise else f"less than {made.seconds(noise)}"


def control() -> None:
    sim = held.simulation(until=1e3, method="rk4", step=1e-3)
    for k in range(1, 10_001):
        sim["tau"] = -40 * sim["phi"] - 8 * sim["v(phi)"]
        sim.advance_to(1e-3 * k)


held = taut.Model(inputs={"tau": 0}, coordinates={"phi": {"mass": 1, "at": 0.1}},
                  potential=[{"energy": "9.81*cos(phi)"}], force=[{"on": "phi", "value": "tau"}])

four_links = '''import time, taut
begun = time.thread_time()
m = taut.Model("""
points = { p1 = { mass = 1, at = [1, 0] }, p2 = { mass = 1, at = [2, 0] }, p3 = { mass = 1, at = [3, 0] }, p4 = { mass = 1, at = [4, 0] } }
rod = [{ between = ["origin", "p1"] }, { between = ["p1", "p2"] }, { between = ["p2", "p3"] }, { between = ["p3", "p4"] }]
gravity = [{ acceleration = [0, -9.81] }]
""")
r = m.run(until=1)
print(time.thread_time() - begun)
assert r.success
'''

# pydy's model of a pendulum of 4 links, from its equations to a function that can be integrated
pydy = """import time
from pydy.models import n_link_pendulum_on_cart
from pydy.codegen.ode_function_generators import generate_ode_function
begun = time.thread_time()
s = n_link_pendulum_on_cart(4, cart_force=False)
generate_ode_function(s.eom_method.forcing_full, s.coordinates, s.speeds, list(s.constants_symbols),
                      mass_matrix=s.eom_method.mass_matrix_full, generator="lambdify")
print(time.thread_time() - begun)
"""


def main() -> None:
    words = [w for w in sys.argv[1:] if w != "--write"]
    rows: list[tuple[str, str, str]] = []
    wheels = sorted((made.root / "build" / "python" / "wheel").glob("taut-*.whl"))
    if wheels:
        rows.append(("the wheel", f"{wheels[0].stat().st_size / 1e6:.1f} MB", "6 MB"))
    rows.append(("import, after NumPy's",
                 made.seconds(fresh("import time, numpy; t = time.thread_time(); import taut; print(time.thread_time() - t)")),
                 "0.1 s"))
    m = taut.load(made.root / "models" / "double_pendulum.toml")
    run, steps = least(lambda: m.run(until=10), 300), least(control, 7)
    if words:
        cpp = json.loads(subprocess.run([words[0]], capture_output=True, text=True, check=True).stdout)
        rows += [
            ("`m.run(until=10)` of the double pendulum", made.seconds(run), ""),
            ("the same in C++, compiled before", made.seconds(cpp["run"]), ""),
            ("what Python adds", added(run, cpp["run"]), "0.1 ms"),
            ("10 000 control steps, two readings and an input each", made.seconds(steps), ""),
            ("the same in C++", made.seconds(cpp["control"]), ""),
            ("what Python adds to them", added(steps, cpp["control"]), "50 ms"),
        ]
    rows.append(("the shortest run", made.seconds(least(lambda: m.run(until=1e-6), 300)), ""))
    rows.append(("a pendulum of 4 links, from its text to its motion, in a new process", made.seconds(fresh(four_links)), "0.1 s"))
    try:
        rows.append(("PyDy's equations and code for it (`lambdify`), before any motion", made.seconds(fresh(pydy, 3)), ""))
    except subprocess.CalledProcessError:
        print("pydy is not installed: left out")
    text = "| | | at most |\n|---|---|---|\n" + "\n".join(f"| {a} | {b} | {c} |" for a, b, c in rows)
    print(text)
    if "--write" in sys.argv:
        made.write("measured.py", text)


if __name__ == "__main__":
    main()
