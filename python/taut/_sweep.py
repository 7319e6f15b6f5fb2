# SPDX-License-Identifier: BSD-3-Clause
"""Many runs of one model: over a grid, on threads of this process or on anybody's executor."""

from __future__ import annotations

import json
import logging
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _taut

if TYPE_CHECKING:
    from ._model import Model

log = logging.getLogger("taut")

Chunk = tuple[Any, list[str], list[str], list[str]]
"""Measures of runs, and of each its status, the reason why it failed, and its method."""


class Sweep:
    """Measures over a grid of parameters, where xarray is not installed: `values[measure]` is an
    array with one dimension for each of `axes`; `status`, `reason` and `method` are of each run.
    `border` has, of the measure "stable", the points between stable and unstable."""

    def __init__(
        self,
        axes: Mapping[str, npt.NDArray[np.float64]],
        values: Mapping[str, npt.NDArray[Any]],
        texts: Mapping[str, npt.NDArray[Any]],
        model: str,
        border: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        self.axes = dict(axes)
        self.values = dict(values)
        self.texts = dict(texts)
        self.model = model
        self.border = dict(border or {})

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        for all_of_them in (self.values, self.texts, self.axes, self.border):
            if name in all_of_them:
                return all_of_them[name]
        known = [*self.values, *self.texts, *self.axes, *self.border]
        raise KeyError(f"there is no {name!r}; there are: {', '.join(known)}")

    def to_xarray(self) -> Any:
        import xarray

        dims = list(self.axes)
        data: dict[str, Any] = {n: (dims, v) for n, v in {**self.values, **self.texts}.items()}
        data.update({n: ("border", v) for n, v in self.border.items()})
        return xarray.Dataset(data, coords=self.axes, attrs={"model": self.model})

    def best(self) -> Any:
        """As an xarray Dataset, where xarray is installed."""
        try:
            return self.to_xarray()
        except ImportError:
            return self


# one model after the other on a worker: what it has compiled serves all of its chunks
_kept: dict[str, Any] = {}


def _run_chunk(
    text: str, file: str, events: str, options: dict[str, Any], parameters: list[str], measures: list[str],
    one_by_one: bool, device: str, values: npt.NDArray[np.float64], threads: int = 1,
) -> Chunk:
    """The runs at rows of `values`, on a worker."""
    key = repr((text, file, events, options, parameters, measures))
    if key not in _kept:
        _kept.clear()
        _taut.use_threads(1)
        _kept[key] = _taut.Sweep.make(_taut.Model(text, file, events), options, parameters, measures)
    return _compute(_kept[key], values, threads, one_by_one, device, None)


def _compute(
    made: Any, values: npt.NDArray[np.float64], threads: int, one_by_one: bool, device: str, progress: Any
) -> Chunk:
    numbers, *texts = made.compute(np.ascontiguousarray(values), threads, one_by_one, device, progress)
    status, reason, method = (list(one) for one in texts)
    return numbers, status, reason, method


class _Journal:
    """Chunks that are done, one line each; a line that was not written to its end does not count."""

    def __init__(self, file: str | os.PathLike[str] | None, identity: str, size: int) -> None:
        self._file = os.fspath(file) if file is not None else None
        self._identity = identity
        self.size = size  # of a chunk: of a journal that is there that which it was begun with
        self.done: dict[int, Chunk] = {}
        if self._file is None:
            return
        if os.path.exists(self._file):
            self._read()
        if not self.done:
            with open(self._file, "w", encoding="utf-8") as out:
                out.write(json.dumps({"taut sweep": identity, "chunk": self.size}) + "\n")

    def _read(self) -> None:
        assert self._file is not None
        with open(self._file, encoding="utf-8") as lines:
            first = lines.readline()
            try:
                header = json.loads(first)
                whose, size = header["taut sweep"], header.get("chunk")
            except (ValueError, KeyError, TypeError):
                raise ValueError(f"{self._file} is no journal of a sweep: give another resume=") from None
            if whose != self._identity or not isinstance(size, int):
                raise ValueError(
                    f"{self._file} is the journal of another sweep (model, options, values, measures "
                    "or version of taut differ): give another resume=, or remove it where its runs are "
                    "not needed"
                )
            self.size = size
            whole = len(first.encode())
            for line in lines:
                try:
                    k, numbers, *texts = json.loads(line)
                except ValueError:
                    break
                if not line.endswith("\n"):
                    break
                whole += len(line.encode())
                self.done[k] = (np.array(numbers, dtype=float), *texts)
        os.truncate(self._file, whole)

    def add(self, k: int, found: Chunk) -> None:
        self.done[k] = found
        if self._file is None:
            return
        with open(self._file, "a", encoding="utf-8") as out:
            out.write(json.dumps([k, found[0].tolist(), *found[1:]]) + "\n")


def sweep(
    model: "Model",
    *,
    measure: str | Sequence[str] = (),
    executor: Any = None,
    threads: int = 0,
    one_by_one: bool = False,
    device: str = "",
    chunk: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    at: Mapping[str, float] | None = None,
    reach: float = 0.0,
    sample: int = 0,
    distribution: str | Sequence[str] = (),
    correlation: str | Sequence[str] = (),
    sampling: str = "random",
    seed: int | None = None,
    indices: bool = False,
    probability: str | Sequence[str] = (),
    quantiles: Sequence[float] = (0.05, 0.5, 0.95),
    until_error: float = 0.0,
    progress: bool | Callable[[float], Any] = False,
    vary: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Any:
    """Measures of runs over a grid of parameters: an xarray Dataset, or a `Sweep` without xarray.

    A keyword that is a list or an array is an axis (so is everything in `vary`, start values too:
    `vary={"start(bob.vx)": [0, 1]}`), others are options of runs or single values of parameters. `measure` is what `taut sweep --measure` takes:
    "max(lambda(rod 1))", "end(bob.x)", "event(NAME)", "energy_error", ...; or several of them.

    Without `executor` runs share the cores of this process, and go through one program side by side
    where that is possible, to the same bits (`one_by_one=True`: never); `device="cuda"` does them on an NVIDIA GPU. Any executor with `submit` does: concurrent.futures' ProcessPoolExecutor,
    mpi4py.futures.MPIPoolExecutor, dask's `client.get_executor()`; so does any pool with `apply_async`:
    multiprocessing's, ray.util.multiprocessing's. Work is sent in chunks, and only measures come back. With `resume=FILE` chunks that are done are kept there, and an
    interrupted sweep goes on.

    >>> import taut
    >>> m = taut.Model(parameters={"k": 1}, coordinates={"x": {"mass": 1, "at": 1}},
    ...                potential=[{"energy": "k*x^2/2"}])
    >>> s = m.sweep(k=[1, 4], until=1, measure="end(x)")
    >>> [round(float(x), 6) for x in s["end(x)"]]
    [0.540302, -0.416147]

    `measure="stable"` judges equilibria instead, over one parameter or two: the one nearest to `at`,
    or to the start, is followed, and where it turns unstable is the border.

    >>> s = m.sweep(k=[-2, -1, 1, 2], measure="stable", at={"x": 0})
    >>> s["status"].values.tolist(), bool(abs(s["border k"][0]) < 1e-3)
    (['unstable', 'unstable', 'stable', 'stable'], True)

    `sample=N` draws the numbers of N runs: `distribution` says how parameters, inputs and start(NAME) are,
    `sampling` is "random", "latin" or "sobol". Means, quantiles, probabilities and Sobol indices (`indices=True`),
    each with its interval of 95 %, are in the attribute `statistics`, as `taut sweep --json` prints them.

    >>> s = m.sweep(sample=256, distribution="k=uniform(0.9, 1.1)", sampling="sobol", until=1, measure="end(x)")
    >>> round(s.attrs["statistics"]["measures"][0]["mean"]["value"], 3)
    0.54
    """
    import hashlib

    from ._model import _Bar, number, spoken, values_of
    from ._words import toml
    from ._version import __version__

    if int(threads) < 0:
        raise ValueError(f"threads={threads}: give how many, or leave it out for one on each core")
    if callable(measure) or any(callable(m) for m in measure):
        raise TypeError('a measure is a text, such as "end(bob.x)": of what a function makes of results, call m.run() '
                        "for each value, in processes by executor.submit(m.run, ...)")
    if "forces" in rest:
        raise TypeError("a sweep takes no functions of Python: call m.run(forces=...) for each value")
    bound, stated, functions = model._with_events(rest.pop("events", None))
    if functions:
        raise TypeError("a sweep takes no functions of Python: write events as formulas")
    if device not in ("", "cuda", "cuda-fast"):
        raise ValueError(f'device={device!r}: "cuda" or "cuda-fast" is an NVIDIA GPU; leave it out for the processor')
    if seed is not None and (not sample or "temperature" in rest):
        rest["seed"] = int(seed)  # of noise, too
    measures = [measure] if isinstance(measure, str) else [str(m) for m in measure]
    probabilities = [probability] if isinstance(probability, str) else [str(p) for p in probability]
    if sample:
        if executor is not None or resume is not None or vary or at is not None or reach or chunk is not None:
            raise ValueError("executor=, resume=, chunk=, vary=, at= and reach= are not for drawn runs (sample=)")
        if sampling not in ("random", "latin", "sobol"):
            raise ValueError(f'sampling={sampling!r}: there are "random", "latin" and "sobol"')
        if not measures and not probabilities:
            raise ValueError("nothing is asked of the runs: give measure= or probability=")
        design = {
            "sample": int(sample), "sampling": sampling, "seed": 1 if seed is None else int(seed), "indices": bool(indices),
            "distribution": [distribution] if isinstance(distribution, str) else list(distribution),
            "correlation": [correlation] if isinstance(correlation, str) else list(correlation),
            "probability": probabilities, "quantiles": [float(q) for q in quantiles],
            "until_error": float(until_error),
        }
        with _Bar(progress, f"samples of {model.name}") as bar:
            return _samples(model, spoken(dict(rest)), design, measures, int(threads), bool(one_by_one), device,
                            bar.callback()).best()
    if distribution or correlation or probabilities or indices or until_error:
        raise ValueError("distribution=, correlation=, probability=, indices= and until_error= are of drawn runs: "
                         "give sample=")
    if not measures:
        raise ValueError('measure= is empty: give one, such as "max(lambda(rod 1))"')
    known = {*_taut.options(), "set", "options"}
    axes: dict[str, npt.NDArray[np.float64]] = {}
    options: dict[str, Any] = {}
    for name, value in {**rest, **(vary or {})}.items():
        varies = vary is not None and name in vary
        is_row = (not isinstance(value, (str, bytes, Mapping)) and np.ndim(value) >= 1
                  and not hasattr(value, "free_symbols"))
        if is_row and not varies and name in known and name not in ("t_eval", "band"):
            raise ValueError(f"{name}= is an option of runs, which does not vary: of a parameter of that "
                             f"name give vary={{{name!r}: [...]}}")
        if varies or (is_row and name not in known):
            axes[name] = np.array(values_of(name, value), dtype=float)
            if not axes[name].size:
                raise ValueError(f"{name}= has no values: give at least one")
        else:
            options[name] = value
    if not axes:
        raise ValueError("nothing varies: give a list or an array of values for a parameter")
    options = spoken(options)
    if "stable" in measures:
        if len(measures) > 1:
            raise ValueError("the measure 'stable' cannot stand beside others: sweep twice")
        if executor is not None or resume is not None:
            raise ValueError("executor= and resume= are for measures of runs: 'stable' has the cores "
                             "of this process")
        with _Bar(progress, f"sweep of {model.name}") as bar:
            return _stability(model, options, axes, dict(at or {}), number("reach", reach), threads,
                              bar.callback()).best()
    if at is not None or reach:
        raise ValueError("at= and reach= are for the measure 'stable'")
    # a start value varies as a parameter that it is set to
    set_to = {name: f"start_value_{k + 1}" for k, name in enumerate(axes) if name.startswith("start(")}
    if set_to:
        stated = toml({"parameters": {parameter: axes[name][0] for name, parameter in set_to.items()}}) + stated
        bound = _taut.Model(model.text, model.file, stated)
        options["set"] = {**options.get("set", {}), **set_to}
    names = [set_to.get(name, name) for name in axes]
    shape = tuple(v.size for v in axes.values())
    total = int(np.prod(shape))
    work = (model.text, model.file, stated, options, names, measures, bool(one_by_one), device)
    # made here first: its mistakes are raised before anything is sent
    made = _taut.Sweep.make(bound, options, names, measures)

    def rows(first: int, last: int) -> npt.NDArray[np.float64]:
        places = np.unravel_index(np.arange(first, last), shape)
        return np.column_stack([axis[p] for axis, p in zip(axes.values(), places)])

    # chunks: some for each worker, so that none waits long for the last one; here one, but where
    # they are kept
    workers = _workers(executor) if executor is not None else 1
    least, most = 32, 1000
    if chunk is not None:
        size = int(chunk)
        if size < 1:
            raise ValueError(f"chunk={chunk}: a task has at least one run")
    elif executor is not None:
        size = max(1, min(most, -(-total // (8 * workers))))
    else:
        size = total if resume is None else max(least, min(most, -(-total // 20)))
    digest = hashlib.sha256(repr((__version__, work)).encode())
    for values in axes.values():
        digest.update(values.tobytes())
    journal = _Journal(resume, digest.hexdigest(), size)
    size = journal.size
    starts = range(0, total, size)
    todo = [k for k in range(len(starts)) if k not in journal.done]
    if len(todo) < len(starts):
        log.info("sweep: %d of %d chunks were there already", len(starts) - len(todo), len(starts))

    with _Bar(progress, f"sweep of {model.name}") as bar:
        if executor is None:
            tell = bar.callback()
            for k in todo:
                before = len(journal.done)
                within = (lambda part: tell((before + part) / len(starts))) if tell else None
                part = rows(starts[k], min(starts[k] + size, total))
                journal.add(k, _compute(made, part, int(threads), bool(one_by_one), device, within))
                bar(len(journal.done) / len(starts))
        else:
            _distribute(executor, work, rows, starts, size, total, todo, journal, bar, workers)

    parts = [journal.done[k] for k in range(len(starts))]
    numbers = np.concatenate([p[0] for p in parts])
    # a reason is long and rare: an array of fixed width would hold that many letters for each run
    status, reason, method = (np.array([text for p in parts for text in p[i]], dtype=kind)
                              for i, kind in ((1, str), (2, object), (3, str)))
    failed = int(np.count_nonzero(reason != ""))
    if failed:
        first = next(r for r in reason if r)
        log.warning("sweep of %s: %d of %d runs failed; the first: %s", model.name, failed, total, first)
    return Sweep(
        axes,
        {m: numbers[:, i].reshape(shape) for i, m in enumerate(measures)},
        {"status": status.reshape(shape), "reason": reason.reshape(shape), "method": method.reshape(shape)},
        model.name,
    ).best()


class _Samples(Sweep):
    """Drawn runs where xarray is not installed; `attrs["statistics"]` says what is found of them."""

    def __init__(self, *given: Any, statistics: dict[str, Any]) -> None:
        super().__init__(*given)
        self.attrs = {"model": self.model, "statistics": statistics}

    def to_xarray(self) -> Any:
        import xarray

        return xarray.Dataset({n: ("run", v) for n, v in {**self.values, **self.texts}.items()},
                              coords={n: ("run", v) for n, v in self.axes.items()}, attrs=self.attrs)


def _samples(
    model: "Model", options: dict[str, Any], design: dict[str, Any], measures: list[str], threads: int,
    one_by_one: bool, device: str, progress: Any,
) -> _Samples:
    text, numbers, statuses, measures = _taut.sample(
        model._model, options, design, measures, threads, one_by_one, device, progress)
    found = json.loads(text)
    names = [one["name"] for one in found["design"]["distributions"]]
    d = len(names)
    if found["failed"]:
        log.warning("samples of %s: %d of %d runs failed; the first: %s", model.name, found["failed"],
                    found["runs"], found["failures"][0]["reason"])
    return _Samples({n: numbers[:, j] for j, n in enumerate(names)},
                    {m: numbers[:, d + i] for i, m in enumerate(measures)},
                    {"status": np.array(statuses)}, model.name, statistics=found)


def _stability(
    model: "Model", options: dict[str, Any], axes: Mapping[str, npt.NDArray[np.float64]],
    at: dict[str, float], reach: float, threads: int, progress: Any,
) -> Sweep:
    """Where an equilibrium is stable: what `taut sweep --measure stable --json` prints, as arrays."""
    found = json.loads(model._model.stability(
        options, [(name, values.tolist()) for name, values in axes.items()], at, reach, int(threads), progress))
    if found["status"] != "done":
        log.warning("sweep of %s: %s", model.name, found.get("reason", found["status"]))
    shape = tuple(v.size for v in axes.values())
    points = found["points"]

    def over_axes(list_of_points: list[Any], kind: Any = float) -> npt.NDArray[Any]:
        flat = [np.nan if x is None else x for x in list_of_points] if kind is float else list_of_points
        return np.array(flat, dtype=kind).reshape(shape[::-1]).T  # the first axis runs fastest there

    values = {one["name"]: over_axes(one["values"]) for one in found["measures"]}
    for key in ("softest", "softest_error"):
        values[key] = over_axes([p.get(key) for p in points])
    values["jumped"] = over_axes([bool(p.get("jumped")) for p in points], bool)
    coordinates = next((list(p["q"]) for p in points if p.get("q")), [])
    for name in coordinates:
        values[name] = over_axes([(p.get("q") or {}).get(name) for p in points])
    texts = {"status": over_axes([p["stability"] for p in points], str),
             "reason": over_axes([p.get("reason", "") for p in points], object)}
    border = {f"border {key}": np.array([b[key] for b in found["border"]], dtype=float)
              for key in (*axes, "uncertainty")}
    border.update({f"border {key}": np.array([b[key] for b in found["border"]], dtype=str)
                   for key in ("along", "stable")})
    return Sweep(axes, values, texts, model.name, border)


def _workers(executor: Any) -> int:
    for name in ("_max_workers", "num_workers", "_processes"):
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    client = getattr(executor, "_client", None)  # dask's
    if client is not None:
        return max(1, int(sum(client.nthreads().values())))
    return os.cpu_count() or 1


class _Pending:
    """What a pool's apply_async() gives, as a future."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def done(self) -> bool:
        return bool(self._result.ready())

    def result(self) -> Any:
        return self._result.get()

    def cancel(self) -> None:
        """A pool does what it has begun."""


def _submit_to(executor: Any) -> Callable[..., Any]:
    if hasattr(executor, "submit"):
        return executor.submit  # type: ignore[no-any-return]
    if hasattr(executor, "apply_async"):
        return lambda function, *arguments: _Pending(executor.apply_async(function, arguments))
    raise TypeError(
        f"{executor!r} is no executor: it needs submit(), as those of concurrent.futures, mpi4py.futures and "
        "dask's client.get_executor() have, or apply_async(), as the pools of multiprocessing and "
        "ray.util.multiprocessing have")


def _distribute(
    executor: Any, work: tuple[Any, ...], rows: Any, starts: range, size: int, total: int,
    todo: list[int], journal: _Journal, bar: Any, workers: int,
) -> None:
    """Chunks to an executor, a few for each worker at a time; what is done is kept at once."""
    import time
    from concurrent.futures import FIRST_COMPLETED, Future, wait

    submit = _submit_to(executor)
    waiting = iter(todo)
    under_way: dict[Any, int] = {}

    def send() -> bool:
        k = next(waiting, None)
        if k is None:
            return False
        future = submit(_run_chunk, *work, rows(starts[k], min(starts[k] + size, total)))
        under_way[future] = k
        return True

    try:
        for _ in range(4 * workers):
            if not send():
                break
        while under_way:
            if all(isinstance(f, Future) for f in under_way):
                ready = wait(under_way, return_when=FIRST_COMPLETED).done
            else:  # futures of their own, such as dask's
                ready = {f for f in under_way if f.done()}
                if not ready:
                    time.sleep(0.005)
            for future in ready:
                journal.add(under_way.pop(future), future.result())
                bar(len(journal.done) / len(starts))
                send()
    finally:
        for future in under_way:
            future.cancel()
