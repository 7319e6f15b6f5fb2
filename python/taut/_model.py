# SPDX-License-Identifier: BSD-3-Clause
"""Models, and what can be asked of them."""

from __future__ import annotations

import json
import logging
import math
import os
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from . import _linear, _taut
from ._errors import ModelError, RunError
from ._events import Events
from ._fit import Fit, read_data, read_variables
from ._force import Force, read_forces
from ._gradient import Gradient, Optimum, list_of
from ._kept import Recipe, run_again
from ._result import Record, Result, record
from ._simulation import Simulation
from ._sweep import sweep
from ._words import formula, toml

log = logging.getLogger("taut")

# words of solve_ivp, and what is said in their place
_elsewhere = {
    "t_span": "give from_= and until=",
    "y0": "the start stands in the model, at and velocity; a run has others by set={'start(bob.x)': 1}",
    "args": "parameters are given by their names, such as g=9.81",
    "dense_output": "a result r has the motion at any time, r(t)",
    "vectorized": "leave it out",
    "first_step": "leave it out: the first step is found; max_step= bounds all",
    "jac": "leave it out: derivatives are those of the formulas; of a function of Python give taut.Force(f, jac=...)",
}


def spoken(options: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords as the library reads them: SymPy's expressions written out, arrays as lists."""
    read: dict[str, Any] = {}
    for name, value in options.items():
        if name in _elsewhere:
            raise TypeError(f"there is no {name}=: {_elsewhere[name]}")
        if value is not None and name in ("set", "options"):
            if not isinstance(value, Mapping):
                raise TypeError(f'{name}= is a dictionary, such as {{"g": 9.81}}, not {value!r}')
            read[name] = spoken(value)
        elif name == "max_step" and isinstance(value, (float, np.floating)) and value == math.inf:
            continue  # no bound
        elif isinstance(value, np.bool_):
            read[name] = bool(value)
        elif isinstance(value, np.ndarray) and value.ndim > 0:
            read[name] = value.ravel().tolist() if name == "t_eval" else value.tolist()
        elif hasattr(value, "free_symbols"):  # of SymPy
            read[name] = formula(value)
        else:
            read[name] = value  # the library says what is wrong with it
    return read


def row_times(t_eval: Any, start: float | None, end: float | None) -> tuple[list[float] | None, Any]:
    """What is asked of the library for rows at these times, and the times, as an array. The start
    of a run is a row by itself."""
    if t_eval is None:
        return None, None
    try:
        times = np.atleast_1d(np.asarray(t_eval, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(f"t_eval= is a row of times, not {t_eval!r}") from None
    if times.ndim != 1 or not times.size:
        raise ValueError(f"t_eval= has the shape {times.shape}: give a row of growing times")
    if not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0):
        raise ValueError("t_eval= must be finite times that grow")
    # np.arange(0, 0.4, 0.1) ends at 0.30000000000000004
    rounding = 4 * np.finfo(float).eps * max(abs(start or 0.0), abs(end or 0.0))
    for k, border in ((0, start), (-1, end)):
        if border is not None and abs(times[k] - border) <= rounding:
            times = times.copy()
            times[k] = border
    if (start is not None and times[0] < start) or (end is not None and times[-1] > end):
        raise ValueError(f"t_eval= goes from {times[0]:.9g} to {times[-1]:.9g}, the run from "
                         f"{'its start' if start is None else format(start, '.9g')} to "
                         f"{'its end' if end is None else format(end, '.9g')}: give times between them")
    return [float(t) for t in times if start is None or t > start], times


def number(name: str, value: Any) -> float:
    """A number that is given by a keyword."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}= is a number, not {value!r}") from None


def names_of(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else [str(name) for name in names]


def values_of(name: str, values: Any) -> list[float]:
    """A row of values of a parameter."""
    try:
        row = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{name}= is a row of numbers, not {values!r}") from None
    if row.ndim != 1:
        raise ValueError(f"{name}= has {row.ndim} dimensions: a row of values has one")
    if not np.all(np.isfinite(row)):
        raise ValueError(f"{name}= must have finite values")
    return [float(x) for x in row]


class _Bar:
    """A progress bar where tqdm is there; told a fraction."""

    def __init__(self, progress: bool | Callable[[float], Any], what: str) -> None:
        if not callable(progress) and not isinstance(progress, (bool, np.bool_)):
            raise TypeError(f"progress= is True, or a function of the fraction, not {progress!r}")
        self._told = progress if callable(progress) else None
        self._bar: Any = None
        if self._told is None and progress:
            try:
                from tqdm.auto import tqdm

                self._bar = tqdm(total=1.0, desc=what, bar_format="{desc}: {percentage:3.0f}%|{bar}|")
            except ImportError:
                log.info("no progress bar: tqdm is not installed")

    def __call__(self, fraction: float) -> None:
        if self._told is not None:
            self._told(fraction)
        elif self._bar is not None:
            self._bar.update(max(0.0, fraction - self._bar.n))

    def callback(self) -> Callable[[float], None] | None:
        return self if self._told is not None or self._bar is not None else None

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *failure: Any) -> None:
        if self._bar is not None:
            if failure[0] is None:
                self._bar.update(max(0.0, 1.0 - self._bar.n))
            self._bar.close()


class _Stated(dict[str, float]):
    """Parameters as a model states them, which does not change."""

    def __setitem__(self, name: str, value: float) -> None:
        raise TypeError(f"a model does not change: {name} is given to a run, m.run({name}={value!r})")

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, (dict(self),))


class Model:
    """A model: the text of a model file, or the same words as keywords.

    >>> import taut
    >>> m = taut.Model(name="pendulum", parameters={"g": 9.81},
    ...                points={"bob": {"mass": 1, "at": [1, 0]}},
    ...                rod=[{"between": ["origin", "bob"], "length": 1}],
    ...                gravity=[{"acceleration": [0, "-g"]}])
    >>> m.coordinates
    ['bob.x', 'bob.y']
    >>> r = m.run(until=1)
    >>> r.success, r.message
    (True, 'reached t = 1')

    Every mistake raises `taut.ModelError`, with all of them in `problems`.
    """

    def __init__(self, text: str | Mapping[str, Any] | None = None, /, **tables: Any) -> None:
        if text is not None and tables:
            raise TypeError("give the text of a model, or its sections, not both")
        if text is not None and not isinstance(text, (str, Mapping)):
            raise TypeError(f"a model is a text, or its sections by name, not {text!r}: taut.load() reads a file")
        if isinstance(text, str) and text.endswith(".toml") and "\n" not in text:
            raise ValueError(f"{text!r} is the name of a file: taut.load() reads it")
        if not isinstance(text, str):
            text = toml(text if text is not None else tables)
        self._model = _taut.Model(text, "", "")
        self._with: dict[str, Any] = {}  # with events of a call, by their text

    @classmethod
    def _made(cls, model: Any) -> "Model":
        self = cls.__new__(cls)
        self._model = model
        self._with = {}
        return self

    # what it is
    @property
    def name(self) -> str:
        """As the model file has it; empty where it has none."""
        return str(self._model.name)

    @property
    def file(self) -> str:
        """The file it was loaded from; empty where it was written in Python."""
        return str(self._model.file)

    @property
    def text(self) -> str:
        """The model file."""
        return str(self._model.text)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"a model does not change: {name} is given to a run, m.run({name}={value!r})")
        super().__setattr__(name, value)

    @property
    def parameters(self) -> dict[str, float]:
        """Names and values, as the model states them."""
        return _Stated(self._model.parameters())

    @property
    def inputs(self) -> list[str]:
        """Names of what a simulation in the hand may set."""
        return list(self._model.inputs)

    @property
    def coordinates(self) -> list[str]:
        """Names of q, in the order of `r(t).q`."""
        return list(self._model.structure().get("coordinates", []))

    @property
    def constraints(self) -> list[str]:
        """Names of the multipliers, in the order of `r(t).lam`."""
        return list(self._model.structure().get("constraints", []))

    def __repr__(self) -> str:
        return f"<taut.Model {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_model_again, (self.text, self.file, self.name))

    def _with_events(self, events: Any) -> tuple[Any, str, list[Any]]:
        """The model with events of a call, their text, and those of them that are functions."""
        read = Events(events, lambda: self.coordinates)
        if not read.tables:
            return self._model, "", []
        if self._model.has_jets and read.functions:
            raise ValueError("events of a model with [jets] are formulas, no functions of Python")
        text = toml({"event": read.tables})
        made = self._with.get(text)
        if made is None:
            made = _taut.Model(self.text, self.file, text)
            most = 8
            if len(self._with) >= most:
                self._with.clear()
            self._with[text] = made
        return made, text, read.functions

    # runs
    def run(
        self,
        until: Any = None,
        *,
        method: str | None = None,
        reading: str | None = None,
        rtol: Any = None,
        step: Any = None,
        every: Any = None,
        t_eval: Any = None,
        events: Any = None,
        forces: Any = None,
        sensitivity: str | Sequence[str] = (),
        lyapunov: int | None = None,
        section: Any = None,
        ensemble: int = 0,
        spread: float = 0.0,
        correlation: str | Sequence[str] = (),
        sampling: str = "random",
        quantiles: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95),
        threads: int = 0,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float = 5.0,
        resume: bool = False,
        progress: bool | Callable[[float], Any] = False,
        **options: Any,
    ) -> Result:
        """Computes the motion: what `taut run` does, to the same bits.

        Parameters of the model are set by their names. A name that is an option as well goes into
        `set={"step": 2}` for the parameter, `options={"step": 1e-3}` for the option. Whatever is left
        out is as [run] of the model says, or taut's choice. The other options are those of `taut run`:
        `from_`, `max_step`, `columns`, `rows` ("thinned", "all", "none"), `omega`, `keep_start`, `slow_start`, `via`, `band`,
        `micro_steps`, `averaging`, `project_every`, `project_above`, `error_estimate`, `extremes`,
        `max_steps`, `max_seconds`, `temperature`, `friction`, `drag`, `seed`, `multiplier_window`,
        `beta`, `gamma`; of projected-rk `keep_energy`, `parameter`, `tableau`, `project`, `newton`,
        `distribution`; of models with [jets] `form`, `at_impasse`, `arc`, `every_arc`.

        `t_eval` are times of the rows, growing; the last is the end where `until` is not given. Without
        it, and without a distance `every`, steps are rows.

        `checkpoint=FILE` keeps the state there every `checkpoint_every` seconds of wall time; the same
        call with `resume=True` goes on from it, to the same bits.

        `sensitivity=["k", "start(bob.x)"]` differentiates the motion by parameters, inputs and start
        values: see `Result.sensitivity`.

        `lyapunov=3` finds Lyapunov's exponents of the motion, 0 all of them: `Result.lyapunov`.
        `section="bob.x"` keeps the points at which this passes zero upwards: `Result.section`.

        `ensemble=1000` does so many runs of perturbed starts (`spread` is their standard deviation), or of what
        `distribution="k=normal(1, 0.1)"` draws, with `correlation`, `sampling` and `seed` as in `sweep()`: what comes back is
        no result but a `Record` with what `taut run --ensemble --json` prints, and arrays over `t`: `count`, `apart`, and of
        each of `columns[NAME]` `mean`, `deviation`, `least`, `greatest` and `quantiles`.

        A run that fails is a result, too: `success` is False, `message` and `summary.hint` say why.
        """
        model, stated, functions = self._with_events(events)
        if ensemble:
            if forces is not None or functions or sensitivity or lyapunov is not None or section is not None or checkpoint is not None:
                raise ValueError("forces=, functions as events, sensitivity=, lyapunov=, section= and checkpoint= are of one run, not of ensemble=")
            from ._ensemble import run_ensemble
            given = spoken({"until": until, "method": method, "reading": reading, "rtol": rtol, "step": step, "every": every,
                            **options})
            if t_eval is not None:
                given["t_eval"], _ = row_times(t_eval, *model.span(given))
            with _Bar(progress, f"ensemble of {self.name}") as bar:
                found: Any = run_ensemble(model, given, int(ensemble), number("spread", spread), correlation, sampling, quantiles,
                                          int(threads), bar.callback())
            return found  # type: ignore[no-any-return]
        if spread or correlation or threads:
            raise ValueError("spread=, correlation= and threads= are of many runs: give ensemble=")
        if t_eval is not None:
            if every is not None:
                raise ValueError("rows are at t_eval= or at distances every=: give one of them")
            _, times = row_times(t_eval, None, None)
            until = times[-1] if until is None else until
        given = spoken({"until": until, "method": method, "reading": reading, "rtol": rtol,
                        "step": step, "every": every, **options})
        times = None
        if t_eval is not None:
            given["t_eval"], times = row_times(t_eval, *model.span(given))
        acting = read_forces(forces)
        if (acting or functions) and (checkpoint is not None or names_of(sensitivity)):
            what = "sensitivity=" if checkpoint is None else "checkpoint="
            raise ValueError(f"{what} is for models of formulas: nothing is known of functions of Python but their values")
        if lyapunov is not None and (acting or functions or names_of(sensitivity)):
            raise ValueError("lyapunov= goes neither with functions of Python nor with sensitivity=")
        if resume and checkpoint is None:
            raise ValueError("resume=True goes on from a checkpoint: give checkpoint=FILE, too")
        with _Bar(progress, self.name) as bar:
            result = Result(model.run(
                given, acting, functions, bar.callback(), names_of(sensitivity),
                "" if checkpoint is None else os.fspath(checkpoint),
                number("checkpoint_every", checkpoint_every), bool(resume),
                None if lyapunov is None else int(lyapunov),
                "" if section is None else str(formula(section))), times,
                Recipe(run_again, self.text, self.file, stated, given, acting, functions, names_of(sensitivity),
                       None if lyapunov is None else int(lyapunov), "" if section is None else str(formula(section))))
        if result.status == "invalid_argument":
            raise ModelError(result.message)
        if not result.success:
            log.warning("%s: %s: %s", self.name or "run", result.status, result.message)
        return result

    def simulation(self, *, forces: Any = None, events: Any = None, **options: Any) -> Simulation:
        """A run to hold in the hand, for control and co-simulation. It needs no end.

        >>> import taut
        >>> m = taut.Model(inputs={"tau": 0}, coordinates={"phi": {"mass": 1, "at": 0.1}},
        ...                potential=[{"energy": "9.81*cos(phi)"}],
        ...                force=[{"on": "phi", "value": "tau"}])
        >>> sim = m.simulation()
        >>> while sim.t < 2:
        ...     sim["tau"] = -40*sim["phi"] - 8*sim["v(phi)"]
        ...     _ = sim.advance_to(sim.t + 0.01)
        >>> abs(sim["phi"]) < 1e-2
        True
        """
        model, _, functions = self._with_events(events)
        given = spoken(options)
        if not model.has_end and given.get("until", (given.get("options") or {}).get("until")) is None:
            # advance_to() goes beyond; the distance to an end is no more than a scale
            given["until"] = f"({given.get('from_', 0)}) + 1"
        return Simulation(_taut.Simulation.hold(model, given, read_forces(forces), functions))

    sweep = sweep

    # what the commands of the program say
    def check(self, **options: Any) -> Record:
        """What the model is: sizes, rank, frequencies, what a run would do, which methods fit."""
        return record(self._model.check(spoken(options)))

    def start(self, *, slow: bool = False, **options: Any) -> Record:
        """The consistent start, with accelerations and multipliers, and what was changed."""
        return record(self._model.start(spoken(options), bool(slow)))

    def complete(self, **options: Any) -> Record:
        """What the equations imply: index, hidden conditions, how many numbers are free."""
        return record(self._model.complete(spoken(options)))

    def equilibria(
        self,
        *,
        at: Mapping[str, float] | None = None,
        reach: float = 0.0,
        starts: int = 24,
        max_seconds: float = 0.0,
        progress: bool | Callable[[float], Any] = False,
        **options: Any,
    ) -> Record:
        """Where the model can rest near its start (or near `at`), and whether it stays there."""
        with _Bar(progress, self.name) as bar:
            return record(self._model.equilibria(
                spoken(options), dict(at or {}), number("reach", reach), int(starts),
                number("max_seconds", max_seconds), bar.callback()))

    def linearize(
        self,
        *,
        at: str | float | None = None,
        inputs: str | Sequence[str] = (),
        outputs: str | Sequence[str] = (),
        transfer: bool = False,
        **options: Any,
    ) -> Record:
        """The equations for small changes: `A`, `B`, `C`, `D` as arrays, with the names of their states;
        in `equations` `M`, `D`, `K`, `G`, `N`, sparse arrays of SciPy where that is installed.

        >>> import taut
        >>> m = taut.Model(coordinates={"x": {"mass": 2, "at": 0}},
        ...                potential=[{"energy": "25*x^2"}],
        ...                force=[{"on": "x", "value": "-0.3*v(x)"}])
        >>> linear = m.linearize(inputs="x")
        >>> linear.A.round(9).tolist(), linear.B.round(9).tolist()
        ([[0.0, 1.0], [-25.0, -0.15]], [[0.0], [0.5]])
        >>> linear.equations.K.shape, float(linear.equations.K[0, 0])
        ((1, 1), 50.0)
        """
        linear = record(self._model.linearize(
            spoken(options), at, names_of(inputs), names_of(outputs), bool(transfer)))
        for name, rows, columns in (("A", "states", "states"), ("B", "states", "inputs"),
                                    ("C", "outputs", "states"), ("D", "outputs", "inputs")):
            if name in linear:
                linear[name] = np.array(linear[name], dtype=float).reshape(
                    len(linear[rows]), len(linear[columns]))
        _linear.equations(linear)
        return linear

    def modes(
        self,
        *,
        at: str | float | None = None,
        inputs: str | Sequence[str] = (),
        outputs: str | Sequence[str] = (),
        lowest: int = 0,
        near: float = 0.0,
        vary: Mapping[str, Any] | None = None,
        orders: Sequence[float] = (),
        **options: Any,
    ) -> Record:
        """Frequencies, damping and shapes of small vibrations: what `taut modes --json` prints, with roots
        `s`, shapes and tracks as complex numbers.

        With `vary={"v": [1, 2, 3]}` roots over a parameter, each followed by its shape, and where
        they leave the stable half of the plane; with `orders=[1, 2]` of a speed, too, where they meet
        these multiples of it (Campbell's diagram).

        >>> import taut
        >>> m = taut.Model(parameters={"k": 50}, coordinates={"x": {"mass": 2, "at": 0}},
        ...                potential=[{"energy": "k*x^2/2"}])
        >>> round(m.modes().modes[0].omega, 9)
        5.0
        >>> m.modes(vary={"k": [2, 8]}).tracks[0].imag.round(9).tolist()
        [1.0, 2.0]
        """
        axes = [(str(name), values_of(str(name), values)) for name, values in (vary or {}).items()]
        found = record(self._model.modes(
            spoken(options), at, names_of(inputs), names_of(outputs), int(lowest), number("near", near), axes,
            values_of("orders", orders)))
        _linear.modes(found)
        return found

    def response(
        self,
        *,
        inputs: str | Sequence[str] = (),
        outputs: str | Sequence[str] = (),
        range: tuple[float, float] | None = None,
        hertz: bool = False,
        points: int = 400,
        amplitude: Any = None,
        at: str | float | None = None,
        **options: Any,
    ) -> Record:
        """Responses of outputs to inputs over the angular frequency, with their peaks: in `responses`
        `omega` and the complex `H` are arrays.

        With an `amplitude` of one input that is not small: periodic motions over the range, round
        folds, and in `points` their `first`, what has the frequency of the input, complex by outputs.

        >>> import taut
        >>> m = taut.Model(coordinates={"x": {"mass": 2}}, potential=[{"energy": "25*x^2"}])
        >>> one = m.response(inputs="x", range=(1, 2), points=2).responses[0]
        >>> one.omega.tolist(), one.H.real.round(9).tolist()
        ([1.0, 2.0], [0.020833333, 0.023809524])
        """
        between: tuple[float, float] | None = None
        if range is not None:
            ends = values_of("range", range)
            if len(ends) != 2:
                raise ValueError("range= is two frequencies, such as (0.1, 100)")
            unit = 2 * math.pi if hertz else 1.0
            between = (unit * ends[0], unit * ends[1])
        if amplitude is not None:
            shaken = names_of(inputs) or self.inputs
            if len(shaken) != 1 or between is None:
                raise ValueError("amplitude= is that of one of inputs=, over a range=")
            if at is not None:
                raise ValueError("at= does not go with amplitude=: the motion is not about one place")
            found = record(self._model.nonlinear_response(
                spoken(options), shaken[0],
                amplitude if isinstance(amplitude, (int, float)) else formula(amplitude),
                names_of(outputs), between))
            _linear.floquet(found)
            return found
        found = record(self._model.response(
            spoken(options), at, names_of(inputs), names_of(outputs), between, int(points)))
        _linear.responses(found)
        return found

    def spectrum(
        self,
        *,
        of: str | Sequence[str] = (),
        window: str = "hann",
        averages: int = 1,
        peaks: int = 12,
        after: float = 0.0,
        spectrogram: bool = False,
        angle: Any = None,
        orders: Sequence[float] = (1.0, 2.0, 3.0),
        **options: Any,
    ) -> Record:
        """Frequencies in a motion: what `taut spectrum --json` prints, with lines as arrays.

        `of` are numbers of the motion or expressions. Peaks are vibrations that are fitted to the
        signal, `averages` takes the mean of the powers of pieces instead; `spectrogram` is over time,
        `angle` an expression with whose multiples `orders` amplitudes are followed.

        >>> import taut
        >>> m = taut.Model(coordinates={"x": {"mass": 1, "at": 1}}, potential=[{"energy": "2*x^2"}])
        >>> peak = m.spectrum(until=20).signals[0].peaks[0]
        >>> peak.name, round(peak.omega, 6), round(peak.amplitude, 6)
        ('f1', 2.0, 1.0)
        """
        found = record(self._model.spectrum(
            spoken(options), names_of(of), str(window), int(averages), int(peaks),
            number("after", after), bool(spectrogram), "" if angle is None else str(formula(angle)),
            values_of("orders", orders)))
        for signal in found.signals:
            for name in ("hertz", "amplitude", "density"):
                signal[name] = np.array(signal[name], dtype=float)
        return found

    def periodic(
        self,
        *,
        period: Any = None,
        from_: Mapping[str, Any] | None = None,
        settle: float | None = None,
        vary: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Record:
        """A motion that repeats itself, with its Floquet multipliers: what `taut periodic --json` prints,
        `multipliers` and `exponents` as complex arrays.

        The period of a drive is read off the formulas; `from_={"x": 1}` is a guess beside the start. With
        `vary={"w": (0.9, 2)}` the branch over a parameter, round folds; (0.9, 2, 100) takes shorter steps.

        >>> import taut
        >>> m = taut.Model(states={"x": {"at": 1, "rate": "y"}, "y": {"rate": "(1 - x^2)*y - x"}})
        >>> cycle = m.periodic()
        >>> round(cycle.period, 9), cycle.verdict
        (6.663286859, 'stable')
        """
        axes = [(str(name), values_of(str(name), values)) for name, values in (vary or {}).items()]
        found = record(self._model.periodic(
            spoken(options), period if period is None or isinstance(period, (int, float)) else formula(period),
            {str(name): value if isinstance(value, (int, float)) else formula(value)
             for name, value in (from_ or {}).items()},
            None if settle is None else number("settle", settle), axes))
        _linear.floquet(found)
        if "orbit" in found:
            found.orbit["t"] = np.array(found.orbit.t, dtype=float)
            for columns in (found.orbit.q, found.orbit.v):
                columns.update({name: np.array(column, dtype=float) for name, column in columns.items()})
        return found

    def compare(
        self,
        *,
        methods: str | Sequence[str] = (),
        tols: Sequence[float] = (),
        steps: Sequence[float] = (),
        max_seconds: float = 1.0,
        budget: float = 60.0,
        progress: bool | Callable[[float], Any] = False,
        **options: Any,
    ) -> Record:
        """Error against cost of every method that fits the model."""
        with _Bar(progress, self.name) as bar:
            return record(self._model.compare(
                spoken(options), names_of(methods), values_of("tols", tols),
                values_of("steps", steps), number("max_seconds", max_seconds),
                number("budget", budget), bar.callback()))

    def fit(
        self,
        data: Any,
        *,
        vary: Any = (),
        vary_each: Any = (),
        sigma: Mapping[str, float] | None = None,
        prior: Mapping[str, tuple[float, float]] | None = None,
        loss: str = "squares",
        max_iterations: int = 60,
        **options: Any,
    ) -> Fit:
        """Values of parameters, inputs and starts with which the motion comes nearest to data.

        `data` is a dictionary of columns with "t" (NaN where nothing was measured), a DataFrame over
        time, a CSV file, or a list of them, one for each run. `vary` names what is to be found, or
        gives bounds, {"k": (1, 10), "c": None}; `vary_each` has a value of its own for each series.
        `sigma` are standard deviations of the noise of columns, `prior` what was known before,
        {"k": (5, 0.5)}; `loss` is squares, huber or cauchy.

        >>> import numpy as np, taut
        >>> m = taut.Model(parameters={"k": 9}, coordinates={"x": {"mass": 1, "at": 1}},
        ...                potential=[{"energy": "k*x^2/2"}])
        >>> t = np.linspace(0, 4, 30)
        >>> fit = m.fit({"t": t, "x": np.cos(2*t)}, vary={"k": (1, 20)})
        >>> fit.success, round(fit.found["k"], 6)
        (True, 4.0)
        """
        known = {str(k): v for k, v in (sigma or {}).items()}
        text, motions = self._model.fit(
            spoken(options), read_data(data), read_variables(vary, vary_each, prior or {}),
            [(name, number(f"sigma of {name}", s)) for name, s in known.items()], str(loss),
            int(max_iterations))
        found = Fit(json.loads(text, object_hook=Record), motions)
        if found["status"] == "invalid_argument":
            raise ModelError(found["message"])
        if not found.success:
            log.warning("fit of %s: %s", self.name, found["message"])
        return found

    def gradient(
        self,
        measure: str | Sequence[str],
        by: str | Sequence[str],
        *,
        curves: bool = False,
        memory: float = 256.0,
        **options: Any,
    ) -> Gradient:
        """Values of measures of the motion and their gradients, by any number of names at the cost of a few runs.

        Measures are end(X), integral(X), mean(X), rms(X), min(X), max(X), peak(X), range(X) and
        event(NAME); names are parameters, inputs, start(NAME), or start. `curves` adds derivatives
        by the course of inputs and parameters over time, `memory` is that for the motion, in MB.

        >>> import taut
        >>> m = taut.Model(parameters={"k": 4}, coordinates={"x": {"mass": 1, "at": 1}},
        ...                potential=[{"energy": "k*x^2/2"}])
        >>> g = m.gradient("end(x)", by=["k", "start(x)"], until=2, tol=1e-10)
        >>> round(g.value, 6), g.gradient.round(6).tolist()   # cos(2 sqrt(k))
        (-0.653644, [0.378401, -0.653644])
        """
        measures = list_of(measure, "measure")
        found = Gradient(json.loads(self._model.gradient(
            spoken(options), measures, list_of(by, "by"), bool(curves), number("memory", memory)),
            object_hook=Record))
        if not found.success:
            raise RunError(found["message"])
        return found

    def optimize(
        self,
        *,
        minimize: str | None = None,
        maximize: str | None = None,
        vary: Any = (),
        subject_to: str | Sequence[str] = (),
        starts: int = 1,
        threads: int = 0,
        **options: Any,
    ) -> Optimum:
        """Values between bounds with which a measure of the motion is least, or greatest.

        `vary` names what may vary, or gives bounds, {"k": (1, 10), "c": None}; `subject_to` are
        bounds of other measures, "max(x) < 0.1"; `starts` searches begin at other points between the
        bounds.

        >>> import taut
        >>> m = taut.Model(parameters={"c": 0.5}, coordinates={"x": {"mass": 1, "at": 1}},
        ...                force=[{"on": "x", "value": "-4*x - c*v(x)"}])
        >>> best = m.optimize(minimize="integral(x^2)", vary={"c": (0.1, 10)}, until=30)
        >>> best.success, round(best.found["c"], 4)
        (True, 2.0)
        """
        if (minimize is None) == (maximize is None):
            raise ValueError("one measure is to be least or greatest: give minimize= or maximize=")
        found = Optimum(json.loads(self._model.optimize(
            spoken(options), str(minimize if maximize is None else maximize), maximize is not None,
            read_variables(vary, (), {}), list_of(subject_to, "subject_to"), int(starts),
            int(threads)), object_hook=Record))
        if not found.success:
            log.warning("optimum of %s: %s", self.name, found["message"])
        return found


def _model_again(text: str, file: str, name: str) -> Model:
    del name
    return Model._made(_taut.Model(text, file, ""))


def load(file: str | os.PathLike[str]) -> Model:
    """Reads a model file. Mistakes raise `taut.ModelError`, with all of them in `problems`."""
    if not isinstance(file, (str, os.PathLike)):
        raise TypeError(f"load() takes the path of a model file, not {file!r}: taut.Model() takes a text")
    return Model._made(_taut.Model.load(os.fspath(file)))


def methods() -> list[Record]:
    """Every method with its properties, as `taut methods --json` has them.

    >>> import taut
    >>> [m.name for m in taut.methods() if m.symplectic and m.constraints][0]
    'rattle'
    """
    return list(json.loads(_taut.methods(), object_hook=Record))


def report(folder: str | os.PathLike[str], other: str | os.PathLike[str] | None = None,
           out: str | os.PathLike[str] | None = None) -> str:
    """The animated report of a run that was saved, made again, or one page of two runs: the file of the page.

    >>> import taut, tempfile
    >>> m = taut.Model(coordinates={"x": {"mass": 1, "velocity": 1}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = m.run(until=1).save(folder, report=False)
    ...     print(taut.report(folder).endswith("report.html"))
    True
    """
    records = []
    page = os.fspath(out) if out is not None else "two_runs.html" if other is not None else os.path.join(folder, "report.html")
    for one in (folder,) if other is None else (folder, other):
        there = os.fspath(one)
        record_file = os.path.join(there, "record.bin")
        if not os.path.isfile(record_file):
            raise FileNotFoundError(f"{there} has no record.bin: r.save({there!r}) makes one of a run")
        if os.path.exists(page) and os.path.samefile(page, record_file):
            raise ValueError(f"out={page}: the page would replace what it is made from")
        records.append(record_file)
    return _taut.report(records, page)


__all__ = ["Force", "Model", "load", "methods", "report"]
