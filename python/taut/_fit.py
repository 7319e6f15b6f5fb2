# SPDX-License-Identifier: BSD-3-Clause
"""Parameters from data."""

from __future__ import annotations

import math
import os
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from ._result import FloatArray, Record


class Fit(Record):
    """What a fit has found: all of fit.json, and the motions before and after."""

    def __init__(self, found: Mapping[str, Any], motions: Iterable[tuple[Any, ...]]) -> None:
        super().__init__(found)
        self.__dict__["series"] = [_series(*one) for one in motions]

    #: of each series its columns, "t", "x" as measured, "x before", "x after"
    series: list[dict[str, FloatArray]]

    @property
    def success(self) -> bool:
        return bool(self["status"] == "done")

    @property
    def found(self) -> dict[str, float]:
        """Values by name, such as for m.run(**fit.found)."""
        return {name: one["value"] for name, one in self["variables"].items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return (_fit_again, (dict(self), self.series))


def _fit_again(found: dict[str, Any], series: list[dict[str, FloatArray]]) -> Fit:
    fit = Fit(found, [])
    fit.__dict__["series"] = series
    return fit


def _series(name: str, t: list[float], columns: list[str], data: list[float], before: list[float],
            after: list[float]) -> dict[str, FloatArray]:
    del name
    shape = (len(t), len(columns))
    made: dict[str, FloatArray] = {"t": np.array(t)}
    for suffix, numbers in (("", data), (" before", before), (" after", after)):
        table = np.array(numbers, dtype=float).reshape(shape)
        made.update({column + suffix: table[:, k] for k, column in enumerate(columns)})
    return made


def read_data(data: Any) -> list[dict[str, Any]]:
    """Each series with its name; one that is a file is read by the library."""
    if isinstance(data, (str, os.PathLike, Mapping)) or hasattr(data, "columns"):
        data = [data]
    try:
        all_of_them = list(data)
    except TypeError:
        raise TypeError(f"data are columns by name, a DataFrame, a file, or several, not {data!r}") from None
    if not all_of_them:
        raise ValueError("there are no data")
    return [_one(one, f"series {k + 1}") for k, one in enumerate(all_of_them)]


def _one(data: Any, name: str) -> dict[str, Any]:
    if isinstance(data, (str, os.PathLike)):
        return {"name": os.fspath(data), "t": None}
    if hasattr(data, "columns"):  # a DataFrame
        columns = {str(c): data[c].to_numpy() for c in data.columns}
        if "t" not in columns:
            columns = {"t": data.index.to_numpy(), **columns}
    elif isinstance(data, Mapping):
        columns = {str(k): v for k, v in data.items()}
    else:
        raise TypeError(f"data are columns by name, a DataFrame or a file, not {data!r}")
    if "t" not in columns:
        raise ValueError(f'{name} has no times: give "t" besides {", ".join(columns)}')
    t = np.asarray(columns.pop("t"), dtype=float)
    table = []
    for column, values in columns.items():
        row = np.asarray(values, dtype=float)
        if row.shape != t.shape or t.ndim != 1:
            raise ValueError(f"{column!r} has the shape {row.shape}, and t {t.shape}: give one number for each time")
        table.append(row)
    if not table or not t.size:
        raise ValueError(f"{name} has no columns of data besides t")
    if not np.all(np.isfinite(t)) or np.any(np.diff(t) <= 0):
        raise ValueError(f"the times of {name} must grow")
    return {"name": name, "t": t.tolist(), "columns": list(columns),
            "values": np.column_stack(table).ravel().tolist()}


def read_variables(vary: Any, vary_each: Any, prior: Mapping[str, Any]) -> list[dict[str, Any]]:
    variables = [*_bounds(vary, False, "vary"), *_bounds(vary_each, True, "vary_each")]
    if not variables:
        raise ValueError('nothing varies: name what is to be found, such as vary={"k": (1, 10)}')
    names = [one["name"] for one in variables]
    for name, known in prior.items():
        if name not in names:
            raise ValueError(f"prior= of {name!r}, which does not vary: name it in vary=, too")
        variables[names.index(name)]["prior"] = _pair(known, f"prior= of {name!r}", "(value, standard deviation)")
    return variables


def _bounds(vary: Any, each: bool, what: str) -> list[dict[str, Any]]:
    if isinstance(vary, str):
        vary = [vary]
    if not isinstance(vary, Mapping):
        if not isinstance(vary, Sequence):
            raise TypeError(f'{what}= is names, or bounds by name {{"k": (1, 10)}}, not {vary!r}')
        vary = dict.fromkeys(vary)
    made = []
    for name, bounds in vary.items():
        lower, upper = -math.inf, math.inf
        if bounds is not None:
            low, high = _ends(bounds, f"{what}= of {name!r}")
            lower = lower if low is None else low
            upper = upper if high is None else high
        made.append({"name": str(name), "lower": lower, "upper": upper, "each": each, "prior": None})
    return made


def _ends(bounds: Any, what: str) -> tuple[float | None, float | None]:
    try:
        low, high = bounds
        return (None if low is None else float(low), None if high is None else float(high))
    except (TypeError, ValueError):
        raise TypeError(f"{what} is (lower, upper), either of which may be None, not {bounds!r}") from None


def _pair(given: Any, what: str, shape: str) -> tuple[float, float]:
    try:
        a, b = given
        return float(a), float(b)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is {shape}, not {given!r}") from None
