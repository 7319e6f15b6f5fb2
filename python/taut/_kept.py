# SPDX-License-Identifier: BSD-3-Clause
"""Results that were sent to another process, or stored: their numbers, and how to have the run again."""

from __future__ import annotations

import pickle
from typing import Any, Callable

import numpy as np

from . import _taut


class Recipe:
    """How a run was made, by a function of a module: it has the same bits when it is made again."""

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        self._make = make
        self._arguments = arguments

    def again(self) -> Any:
        return self._make(*self._arguments)

    def can_be_sent(self) -> bool:
        """Functions of Python may be such as cannot be."""
        try:
            pickle.dumps(self)
        except Exception:  # whatever an object says to it
            return False
        return True


def run_again(text: str, file: str, stated: str, options: dict[str, Any], forces: list[Any], events: list[Any],
              sensitivity: list[str], lyapunov: int | None, section: str) -> Any:
    return _taut.Model(text, file, stated).run(
        options, forces, events, None, sensitivity, "", 5.0, False, lyapunov, section)


def solve_again(text: str, options: dict[str, Any], functions: Any, mass_constant: bool, constraints: int,
                events: list[Any]) -> Any:
    return _taut.Model(text, "", "").solve(options, functions, mass_constant, constraints, events, None)


def go_on_again(first: Recipe, until: float) -> Any:
    return first.again().go_on(until)


class Kept:
    """What a `_taut.Result` is, from its numbers; what they do not say is had by computing the run again."""

    def __init__(self, numbers: dict[str, Any], recipe: Recipe | None) -> None:
        self._numbers = numbers
        self._recipe = recipe
        self._run: Any = None

    @classmethod
    def of(cls, result: Any, recipe: Recipe | None) -> "Kept":
        if isinstance(result, Kept):
            return result
        names = list(result.names())
        plain = {one: getattr(result, one) for one in ("is_curve", "success", "status", "message", "nfev")}
        texts = {one: getattr(result, one)() for one in ("summary_json", "sensitivity_json")}
        columns = {name: np.array(result.column(name)) for name in names}
        return cls({**plain, **texts, "columns": columns}, recipe if recipe and recipe.can_be_sent() else None)

    def _again(self) -> Any:
        if self._run is None:
            if self._recipe is None:
                raise ValueError("this result was stored without its run, which has functions that cannot be, or "
                                 "was held in the hand: only its columns and its summary are there")
            self._run = self._recipe.again()
        return self._run

    def column(self, name: str) -> Any:
        columns = self._numbers["columns"]
        if name not in columns:
            return self._again().column(name)  # or says what there is
        columns[name].flags.writeable = False
        return columns[name]

    def names(self) -> list[str]:
        return list(self._numbers["columns"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in ("summary_json", "sensitivity_json"):
            return lambda: self._numbers[name]
        if name in self._numbers:
            return self._numbers[name]
        return getattr(self._again(), name)

    def __getstate__(self) -> dict[str, Any]:
        return {"_numbers": self._numbers, "_recipe": self._recipe, "_run": None}
