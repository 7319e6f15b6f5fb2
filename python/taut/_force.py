# SPDX-License-Identifier: BSD-3-Clause
"""Functions of Python as forces."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, Sequence

from ._words import takes


class Force:
    """A force that is a function of Python: `function(t, q, v)` gives one number for each
    coordinate in `on` (all of the model where it is absent), of whose q and v it is told.

    `jac(t, q, v)` gives df/dq and df/dv; absent, they are found by central differences. Say
    `uses_velocity=False` or `uses_time=False` where that is so: more methods fit.

    >>> import taut
    >>> m = taut.Model(coordinates={"x": {"mass": 1, "at": 1}})
    >>> spring = taut.Force(lambda t, q, v: -q, on=["x"], uses_velocity=False, uses_time=False)
    >>> bool(abs(m.run(until=3.141592653589793, forces=spring)["x"][-1] + 1) < 1e-7)
    True
    """

    def __init__(
        self,
        function: Callable[[float, Any, Any], Any],
        on: Sequence[str] | str = (),
        *,
        jac: Callable[[float, Any, Any], Any] | None = None,
        uses_velocity: bool = True,
        uses_time: bool = True,
    ) -> None:
        if not callable(function):
            raise TypeError(f"a force is a function f(t, q, v), not {function!r}")
        takes(function, "a force", "t", "q", "v")
        if jac is not None and not callable(jac):
            raise TypeError(f"jac is a function of (t, q, v), not {jac!r}")
        self.function = function
        self.on = [on] if isinstance(on, str) else list(on)
        self.jac = jac
        self.uses_velocity = bool(uses_velocity)
        self.uses_time = bool(uses_time)


def read_forces(forces: Any) -> list[Force]:
    if forces is None:
        return []
    if isinstance(forces, Force):
        return [forces]
    if callable(forces):
        return [Force(forces)]
    if isinstance(forces, Mapping):
        return [Force(f, on) for on, f in forces.items()]
    if isinstance(forces, Iterable):
        return [f if isinstance(f, Force) else Force(f) for f in forces]
    raise TypeError("forces= takes a function f(t, q, v), a taut.Force, or several of them")
