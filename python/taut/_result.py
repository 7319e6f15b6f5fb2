# SPDX-License-Identifier: BSD-3-Clause
"""What a run has found."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from . import _taut
from ._kept import Kept, Recipe, go_on_again

FloatArray = npt.NDArray[np.float64]


class Record(dict):  # type: ignore[type-arg]
    """A dictionary whose entries are attributes, too: `summary.hint`. What is called as a method of
    dictionaries is (`values`, `items`) is had by its name: `axis["values"]`.

    >>> import taut
    >>> taut.Record({"a": 1}).a
    1
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no {name!r}; there are: {', '.join(map(str, self))}") from None

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *(str(k) for k in self)]


def record(text: str) -> Record:
    """JSON as records, all the way down."""
    return json.loads(text, object_hook=Record)  # type: ignore[no-any-return]


class Instant:
    """A motion at one time, or at several: numbers by name, or arrays of them."""

    def __init__(self, parts: Sequence[Any], shape: tuple[int, ...]) -> None:
        for part in parts:
            if not part.success:
                raise ValueError(part.message)
        self._parts = parts
        self._shape = shape

    def __getitem__(self, name: str) -> Any:
        numbers = [part[name] for part in self._parts]
        return numbers[0] if self._shape == () else np.array(numbers).reshape(self._shape)

    def _vector(self, which: str) -> FloatArray:
        rows = [getattr(part, which) for part in self._parts]
        return rows[0] if self._shape == () else np.array(rows).reshape((*self._shape, -1))

    @property
    def t(self) -> Any:
        """The time, or times."""
        times = [part.t for part in self._parts]
        return times[0] if self._shape == () else np.array(times).reshape(self._shape)

    @property
    def q(self) -> FloatArray:
        """All coordinates."""
        return self._vector("q")

    @property
    def v(self) -> FloatArray:
        """All velocities."""
        return self._vector("v")

    @property
    def a(self) -> FloatArray:
        """All accelerations."""
        return self._vector("a")

    @property
    def lam(self) -> FloatArray:
        """Multipliers of all constraints."""
        return self._vector("lam")


class Sensitivity:
    """Derivatives of a motion by one number: columns by the names of those they are derivatives of."""

    def __init__(self, result: "Result", name: str) -> None:
        self._result = result
        self.name = name

    def __getitem__(self, what: str) -> FloatArray:
        load = f"d(lambda({what}))/d({self.name})"
        return self._result[load if load in self._result.names else f"d({what})/d({self.name})"]


# words of solve_ivp's result, and what is said in their place
_elsewhere = {
    "y": 'columns have names, r["bob.x"]; r.q and r.v are tables of all coordinates and velocities',
    "sol": "the motion at any time is r(t)",
    "t_events": 'r.events has what happened: [e.t for e in r.events if e.name == "floor"]',
    "y_events": "r.events has what happened, with the states q and v",
    "njev": "r.summary has all counters",
    "nlu": "r.summary has all counters",
}


class Result:
    """A run: columns by name, the motion at any time, and how it went.

    `r["bob.x"]`, `r["rod 1"]` are arrays, one number for each row of `r.t`; `r(3.7)["bob.x"]` is
    the motion at any time, by the method's own dense output. In a notebook a result shows itself as
    its animated report.
    """

    def __init__(self, result: Any, times: FloatArray | None = None, recipe: Recipe | None = None) -> None:
        self._result = result
        self._times = times
        self._recipe = recipe
        self._summary: Record | None = None
        #: of the rows, where times were asked for: a run has its start and its end, too
        self._rows: slice | npt.NDArray[np.intp] | None = None
        if times is not None:
            asked = np.flatnonzero(np.isin(result.column("t"), times))
            self._rows = asked
            if asked.size and asked[-1] - asked[0] + 1 == asked.size:
                self._rows = slice(int(asked[0]), int(asked[-1]) + 1)

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process, or into a file, go its numbers, and how it was made."""
        return (Result, (Kept.of(self._result, self._recipe), self._times))

    def __getitem__(self, name: str) -> FloatArray:
        """A column: "t", a coordinate, a velocity, the multiplier of a constraint, "energy", ..."""
        if not isinstance(name, str):
            raise TypeError(f'columns have names, such as r["t"], not {name!r}: r.names has them')
        column: FloatArray = self._result.column(name)
        if self._rows is None:
            return column
        column = column[self._rows]
        column.flags.writeable = False
        return column

    @property
    def t(self) -> FloatArray:
        """Times of the rows; of a curve the arc length."""
        return self["s" if self._result.is_curve else "t"]

    @property
    def names(self) -> list[str]:
        """Of all columns, as they stand in motion.csv."""
        return list(self._result.names())

    def keys(self) -> list[str]:
        """`names`, as of a dictionary."""
        return self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.t)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __call__(self, t: Any) -> Instant:
        """The motion at a time of the run, or at an array of them."""
        try:
            times = np.asarray(t, dtype=float)
        except (TypeError, ValueError):
            raise TypeError(f"r(t) takes a time or an array of times, not {t!r}") from None
        return Instant([self._result.at(float(x)) for x in times.ravel()], times.shape)

    def _table(self, names: Sequence[str]) -> FloatArray:
        return np.column_stack([self[name] for name in names]) if names else np.empty((len(self), 0))

    @property
    def q(self) -> FloatArray:
        """All coordinates, one row for each of `t`; `r["bob.x"]` is one of them by its name."""
        return self._table(self._coordinates())

    @property
    def v(self) -> FloatArray:
        """All velocities, likewise."""
        return self._table(list(self.summary.get("v", {})))

    @property
    def lam(self) -> FloatArray:
        """Multipliers of all constraints, likewise."""
        return self._table([f"lambda({name})" for name in self.summary.get("lambda", {})])

    def __getattr__(self, name: str) -> Any:
        meant = _elsewhere.get(name, 'columns have names, such as r["bob.x"]: r.names has them')
        raise AttributeError(f"a result has no {name!r}: {meant}")

    @property
    def success(self) -> bool:
        """Whether the run ended as it should: at its end, or at an event that stops."""
        return bool(self._result.success)

    @property
    def status(self) -> str:
        """done, stopped_by_event, step_limit, ...: the status of summary.json."""
        return str(self._result.status)

    @property
    def message(self) -> str:
        """How the run ended, in words."""
        return str(self._result.message)

    @property
    def nfev(self) -> int:
        """Evaluations of the force."""
        return int(self._result.nfev)

    @property
    def summary(self) -> Record:
        """Everything that summary.json has."""
        if self._summary is None:
            self._summary = record(self._result.summary_json())
        return self._summary

    @property
    def events(self) -> list[Record]:
        """What has happened: of each event `name`, `t`, and the state `q`, `v` there."""
        return list(self.summary.get("events", []))

    def sensitivity(self, name: str) -> "Sensitivity":
        """Derivatives of all columns by a parameter, an input or a start value that the run was
        differentiated by, `m.run(sensitivity=["g"])`: `r.sensitivity("g")["rod 1"]`."""
        known = self.derivatives.get("by", [])
        if name not in known:
            raise KeyError(f"the run was not differentiated by {name!r}, but by {known}")
        return Sensitivity(self, name)

    @property
    def derivatives(self) -> Record:
        """What sensitivity.json has: derivatives at the end and of events, by name."""
        text = self._result.sensitivity_json()
        return record(text or "{}")

    @property
    def lyapunov(self) -> Record:
        """What lyapunov.json has, of a run with `lyapunov=`: `exponents`, `errors`, `sum`, ..."""
        return record(self._result.lyapunov_json() or "{}")

    @property
    def section(self) -> Record:
        """Of a run with `section=`: `t`, and `columns` by name, as arrays."""
        found: Record = record(self._result.section_json() or "{}").get("section", Record())
        if "t" in found:
            found["t"] = np.array(found["t"], dtype=float)
            found["columns"].update(
                {name: np.array(x, dtype=float) for name, x in found["columns"].items()})
        return found

    def go_on(self, until: float) -> "Result":
        """The motion from where this one ended, with the same method."""
        recipe = Recipe(go_on_again, self._recipe, float(until)) if self._recipe is not None else None
        return Result(self._result.go_on(float(until)), None, recipe)

    def save(
        self,
        folder: str | os.PathLike[str],
        formats: str | Sequence[str] = ("csv",),
        report: bool = True,
        digits: int = 0,
    ) -> list[str]:
        """Writes what `taut run` writes: motion, summary, record and report. The files. `digits` of
        numbers in the CSV; 0: all."""
        formats = [formats] if isinstance(formats, str) else list(formats)
        for one in formats:
            if one not in ("csv", "json"):
                raise ValueError(f"formats are csv and json, not {one!r}; for HDF5: to_xarray()")
        os.makedirs(folder, exist_ok=True)
        return list(self._result.save(os.fspath(folder), formats, bool(report), int(digits)))

    def to_dataframe(self) -> Any:
        """All columns as a pandas DataFrame over time."""
        import pandas

        names = self.names
        return pandas.DataFrame({n: self[n] for n in names[1:]}, index=pandas.Index(self.t, name=names[0]))

    def to_xarray(self) -> Any:
        """All columns as an xarray Dataset over time."""
        import xarray

        names = self.names
        first = names[0]
        data = {n: (first, np.array(self[n])) for n in names[1:]}
        attributes = {"model": self.summary.model, "message": self.message}
        return xarray.Dataset(data, coords={first: np.array(self.t)}, attrs=attributes)

    def plot(self, *names: str, ax: Any = None, x: str | None = None, **style: Any) -> Any:
        """Draws columns over time (or over another column `x`) with matplotlib; the axes."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.figure().add_subplot()
        if not names:
            names = tuple(n for n in self.names[1:] if n in self._coordinates())
        along = self.t if x is None else self[x]
        for name in names:
            ax.plot(along, self[name], label=name, **style)
        ax.set_xlabel(x if x is not None else ("s" if self._result.is_curve else "t [s]"))
        ax.legend()
        return ax

    def _coordinates(self) -> list[str]:
        return list(self.summary.get("q", self.summary.get("p", {})))

    def report(self) -> str:
        """The animated report: one HTML page that needs nothing else."""
        return str(self._result.report())

    def _repr_html_(self) -> str:
        import html

        page = self.report()
        if not page:
            return f"<pre>{html.escape(repr(self))}</pre>"
        return (
            '<iframe style="width:100%;height:640px;border:0" sandbox="allow-scripts" '
            f'srcdoc="{html.escape(page, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<taut.Result {self.summary.model!r}: {self.message}; {len(self)} rows, {self.nfev} force evaluations>"


__all__ = ["Instant", "Record", "Result", "_taut", "record"]
