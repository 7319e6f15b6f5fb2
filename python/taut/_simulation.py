# SPDX-License-Identifier: BSD-3-Clause
"""A run that is held in the hand."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from ._errors import ModelError
from ._result import FloatArray, Instant, Result


class Simulation:
    """A motion that is moved on step by step: `Model.simulation()`.

    `sim["theta"]` reads a number of the present, an input or a parameter; `sim["tau"] = u` sets an
    input, a parameter, or the state itself; `sim.value("theta^2")` is any expression. `sim.advance_to(t)` goes there, also
    beyond the end of the run, `sim.step()` takes one step of the method; both return "done", or
    "stopped_by_event". What fails raises `taut.RunError`, and the state is the last good one.
    """

    __slots__ = ("_held", "advance_to", "step", "value", "_get", "_set")

    def __init__(self, held: Any) -> None:
        self._held = held
        self.advance_to = held.advance_to
        self.step = held.step
        self.value = held.value
        self._get = held.__getitem__
        self._set = held.__setitem__

    def __getitem__(self, name: str) -> float:
        try:
            return self._get(name)  # type: ignore[no-any-return]
        except TypeError:
            raise TypeError(f'numbers have names, such as sim["t"], not {name!r}') from None

    def __setitem__(self, name: str, value: float) -> None:
        try:
            self._set(name, value)
        except TypeError:
            raise TypeError(f"sim[{name!r}] is set to a number, not {value!r}") from None

    def __contains__(self, name: object) -> bool:
        try:
            self._get(name)
        except (TypeError, ModelError):
            return False
        return True

    __iter__ = None  # numbers by name, and no row of them

    def __repr__(self) -> str:
        return f"<taut.Simulation at t = {self.t:.9g}>"

    def __reduce__(self) -> Any:
        raise TypeError("a simulation is held by its process: send the model, and what sim.save() gives")

    @property
    def t(self) -> float:
        """The present."""
        return self._held.t  # type: ignore[no-any-return]

    @property
    def q(self) -> FloatArray:
        """All coordinates."""
        return self._held.q  # type: ignore[no-any-return]

    @property
    def v(self) -> FloatArray:
        """All velocities."""
        return self._held.v  # type: ignore[no-any-return]

    @property
    def lam(self) -> FloatArray:
        """Multipliers of all constraints."""
        return self._held.lam  # type: ignore[no-any-return]

    @property
    def events(self) -> list[tuple[str, float]]:
        """Names and times of what has happened."""
        return list(self._held.events())

    def at(self, t: float) -> Instant:
        """The motion at a time inside the last step."""
        return Instant([self._held.at(t)], ())

    def set_state(self, q: npt.ArrayLike, v: npt.ArrayLike) -> None:
        """Another state at the same time; it must fulfil the constraints."""
        import numpy as np

        self._held.set_state(np.asarray(q, dtype=float).ravel(), np.asarray(v, dtype=float).ravel())

    def save(self) -> bytes:
        """What it takes to come back here, to the same bits."""
        return self._held.save()  # type: ignore[no-any-return]

    def restore(self, saved: bytes) -> None:
        """Back to where `save()` was called, to the same bits."""
        self._held.restore(saved)

    def finish(self) -> Result:
        """The run ends here."""
        return Result(self._held.finish())
