# SPDX-License-Identifier: BSD-3-Clause
"""Motion of stiff, vibrating and constrained mechanical systems.

>>> import taut
>>> m = taut.Model('''
... [points]
... bob = { mass = 1, at = [1, 0] }
... [[rod]]
... between = ["origin", "bob"]
... [[gravity]]
... acceleration = [0, -9.81]
... ''')
>>> r = m.run(until=1)
>>> r.success
True
>>> r["bob.x"].shape == r.t.shape
True
>>> float(r(0.5)["rod 1"]) > 0        # tension of the rod [N]
True
"""

from __future__ import annotations

from typing import Any

from ._errors import ModelError, Problem, RunError
from ._fit import Fit
from ._force import Force
from ._model import Model, load, methods, report
from ._result import Instant, Record, Result
from ._simulation import Simulation
from ._sweep import Sweep, sweep
from ._mechanical import solve_mechanical
from ._version import __version__
from ._words import toml
from . import _taut


def parts() -> dict[str, bool]:
    """What the library was built with: sundials, hdf5, tbb, pages."""
    return dict(_taut.parts())


def use_threads(count: int) -> None:
    """Threads that one evaluation of a very large model may use; 0: one for each core."""
    _taut.use_threads(count)


def from_sympy(
    system: Any,
    values: dict[Any, Any] | None = None,
    at: dict[Any, float] | None = None,
    velocity: dict[Any, float] | None = None,
    *,
    constraints: Any = None,
    inputs: Any = (),
    name: str = "from sympy",
    **run: Any,
) -> Model:
    """A model of `sympy.physics.mechanics`: KanesMethod, LagrangesMethod, System, JointsMethod.

    `values` gives the numbers of symbols (they become parameters, to be changed in runs), `at` and
    `velocity` the start, which is moved onto the constraints. Dependent coordinates and speeds are
    coordinates like others, their conditions, on positions and on velocities, equations with
    multipliers. Speeds of KanesMethod that are no velocities of coordinates are columns of the
    result, and may be given in `velocity`. `constraints` states conditions on positions in place
    of those of the method. Functions of the time that are no coordinates are `inputs`, to be set in a
    simulation, or have a formula in `values`. Other keywords are those of [run].

    >>> import sympy, taut
    >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    >>> q = dynamicsymbols("q"); m, g, l = sympy.symbols("m g l")
    >>> L = m*l**2*q.diff()**2/2 + m*g*l*sympy.cos(q)
    >>> method = LagrangesMethod(L, [q])
    >>> _ = method.form_lagranges_equations()
    >>> model = taut.from_sympy(method, {m: 1, g: 9.81, l: 2}, at={q: 1})
    >>> model.coordinates, model.run(until=1, g=1.62).success
    (['q'], True)
    """
    from ._mechanics import from_sympy as made  # SymPy need not be there

    return made(system, values, at, velocity, constraints=constraints, inputs=inputs, name=name, **run)


__all__ = [
    "Fit", "Force", "Instant", "Model", "ModelError", "Problem", "Record", "Result", "RunError",
    "Simulation", "Sweep", "__version__", "from_sympy", "load", "methods", "parts", "report",
    "solve_mechanical", "sweep", "toml", "use_threads",
]
