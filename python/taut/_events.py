# SPDX-License-Identifier: BSD-3-Clause
"""Events of a call: formulas, and functions of Python."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping

import numpy as np

from ._result import FloatArray
from ._words import takes

Function = Callable[[float, FloatArray, FloatArray], Any]


class Events:
    """What `events=` says: tables as in [[event]], and the functions that stand in for some of their formulas."""

    def __init__(self, events: Any, coordinates: Callable[[], list[str]]) -> None:
        self.tables: list[dict[str, Any]] = []
        self.functions: list[tuple[str, Function]] = []
        self._coordinates = coordinates
        for name, given in _listed(events):
            table = dict(given) if isinstance(given, Mapping) else {"zero": given}
            if name is not None:
                table = {"name": name, **table}
            zero = table.get("zero")
            if callable(zero) and not hasattr(zero, "free_symbols"):
                table = self._of_function(zero, table)
            elif "on" in table:
                raise TypeError(f"on= is for events that are functions, and {zero!r} is a formula")
            self.tables.append(table)

    def _of_function(self, function: Any, table: dict[str, Any]) -> dict[str, Any]:
        takes(function, "an event", "t", "q", "v")
        name = table.get("name") or self._name_of(function)
        # as SciPy has it
        direction, terminal = getattr(function, "direction", 0), getattr(function, "terminal", False)
        made: dict[str, Any] = {"name": str(name), "zero": "t"}  # what is looked at is the function
        if direction:
            made["direction"] = "rising" if direction > 0 else "falling"
        if terminal and "action" not in table and "stop_after" not in table:
            made["stop_after"] = int(terminal)
        made.update({key: value for key, value in table.items() if key not in ("name", "zero", "on")})
        on = table.get("on")
        self.functions.append((str(name), function if on is None else self._on(function, on)))
        return made

    def _on(self, function: Any, on: Any) -> Function:
        names, known = [on] if isinstance(on, str) else list(on), self._coordinates()
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(f"on= names {', '.join(map(repr, unknown))}: coordinates are {', '.join(known)}")
        places = np.array([known.index(name) for name in names], dtype=int)
        return lambda t, q, v: function(t, q[places], v[places])

    def _name_of(self, function: Any) -> str:
        name = getattr(function, "__name__", type(function).__name__)
        taken = {table.get("name") for table in self.tables}
        if name == "<lambda>":
            name = f"event {len(self.tables) + 1}"
        return name if name not in taken else f"{name} {len(self.tables) + 1}"


def _listed(events: Any) -> list[tuple[str | None, Any]]:
    """Each with its name, where it has one."""
    if events is None:
        return []
    if isinstance(events, Mapping):
        return [(str(name), one) for name, one in events.items()]
    if isinstance(events, str) or callable(events) or hasattr(events, "free_symbols"):
        events = [events]
    if not isinstance(events, Iterable):
        raise TypeError('events= takes {name: formula}, such as {"lowest": "bob.x"}, or functions f(t, q, v), '
                        f"not {events!r}")
    listed: list[tuple[str | None, Any]] = []
    for one in events:
        is_formula = isinstance(one, str) or hasattr(one, "free_symbols")
        if not (is_formula or callable(one) or isinstance(one, Mapping)):
            raise TypeError(f"an event is a formula, a function f(t, q, v) or a table as in [[event]], not {one!r}")
        listed.append((str(one) if is_formula else None, one))
    return listed
