# SPDX-License-Identifier: BSD-3-Clause
"""Mechanical systems given as functions of NumPy arrays."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from . import _taut
from ._events import Events
from ._kept import Recipe, solve_again
from ._model import _Bar, row_times, spoken
from ._result import FloatArray, Result
from ._words import takes, toml

_eps = float(np.finfo(float).eps)


def _takes_time(function: Callable[..., Any], of_state: int) -> bool:
    """Whether a function of so many arguments takes the time before them."""
    import inspect

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return False
    needed = [p for p in signature.parameters.values()
              if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    return len(needed) > of_state


def _real(numbers: Any, what: str) -> FloatArray:
    array = np.asarray(numbers)
    if array.dtype.kind == "c":
        raise TypeError(f"{what} gives complex numbers: give real ones")
    return array.astype(float, copy=False)


class _Functions:
    """M, f, g and their derivatives, for the library. A derivative that was not given is found by
    the complex step where the function bears it, else by differences of order 4."""

    def __init__(self, M: Any, f: Any, g: Any, G: Any, t0: float, q0: FloatArray, v0: FloatArray) -> None:
        self._M, self._f, self._g, self._G = M, f, g, G
        self._g_time = g is not None and _takes_time(g, 1)
        self._G_time = G is not None and _takes_time(G, 1)
        self._complex = g is not None and G is None and self._bears_complex(t0, q0)
        n = q0.size
        if G is not None:
            given = self.jacobian(t0, q0)
            shape = (self.constraint(t0, q0).size, n)
            if given.shape != shape:
                raise ValueError(f"G must have the shape {shape}, not {given.shape}")
            found = self._by_differences(lambda q: self.constraint(t0, q), q0)
            if not np.allclose(given, found, rtol=1e-5, atol=1e-5 * (1 + np.abs(found).max())):
                raise ValueError("G is not the derivative of g at the start: check its entries, or "
                                 "leave it out")

    # as given
    def mass(self, q: FloatArray) -> FloatArray:
        M = _real(self._M(q) if callable(self._M) else self._M, "M")
        return np.diag(M) if M.ndim == 1 else M

    def force(self, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        return _real(self._f(t, q, v), "f")

    def constraint(self, t: float, q: FloatArray) -> FloatArray:
        return np.atleast_1d(_real(self._raw(t, q), "g"))

    def _raw(self, t: Any, q: Any) -> Any:
        return self._g(t, q) if self._g_time else self._g(q)

    # derivatives of g
    def jacobian(self, t: float, q: FloatArray) -> FloatArray:
        if self._G is not None:
            return np.atleast_2d(np.asarray(self._G(t, q) if self._G_time else self._G(q), dtype=float))
        if self._complex:
            return self._by_complex_step(t, q)
        return self._by_differences(lambda x: self.constraint(t, x), q)

    def rate(self, t: float, q: FloatArray) -> FloatArray:
        if not self._g_time:
            return np.zeros_like(self.constraint(t, q))
        if self._complex:
            return np.atleast_1d(np.imag(np.asarray(self._raw(t + 1e-30j, q.astype(complex))))) / 1e-30
        return self._slope(lambda s: self.constraint(t + s, q), 1e-3 * (1 + abs(t)))

    def curvature(self, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        """d/ds of G v + g_t along q + s v, t + s."""
        size = float(np.max(np.abs(v), initial=0.0)) + 1e-300
        h = 2e-3 * (1 + float(np.max(np.abs(q), initial=0.0))) / max(size, 1.0)
        if self._complex:  # (G v + g_t) at once, by one complex step along the motion
            def along(s: float) -> FloatArray:
                time = t + s + 1e-30j if self._g_time else t + s
                return np.atleast_1d(np.imag(np.asarray(self._raw(time, q + s * v + 1e-30j * v)))) / 1e-30
        else:
            def along(s: float) -> FloatArray:
                return self.jacobian(t + s, q + s * v) @ v + self.rate(t + s, q + s * v)
        return self._slope(along, h)

    def velocity_jacobian(self, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        return self._by_differences(lambda x: self.jacobian(t, x) @ v + self.rate(t, x), q)

    # derivatives of the residual r = M a - f + G^T lambda
    def stiffness(self, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray) -> FloatArray:
        def residual(x: FloatArray) -> FloatArray:
            r = -self.force(t, x, v)
            if callable(self._M):
                r = r + self.mass(x) @ a
            return r + self.jacobian(t, x).T @ lam if lam.size else r
        return self._by_differences(residual, q)

    def damping(self, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        return self._by_differences(lambda x: -self.force(t, q, x), v)

    def constraint_stiffness(self, t: float, q: FloatArray, lam: FloatArray) -> FloatArray:
        if not lam.size:
            return np.zeros((q.size, q.size))
        return self._by_differences(lambda x: self.jacobian(t, x).T @ lam, q)

    # how
    def _bears_complex(self, t: float, q: FloatArray) -> bool:
        import warnings

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # float(q[0]) drops what is asked for
                exact = self._by_complex_step(t, q)
            found = self._by_differences(lambda x: self.constraint(t, x), q)
        except Exception:  # whatever a function says to a complex number
            return False
        return bool(np.allclose(exact, found, rtol=1e-6, atol=1e-6 * (1 + np.abs(found).max(initial=0.0))))

    def _by_complex_step(self, t: float, q: FloatArray) -> FloatArray:
        columns = []
        for j in range(q.size):
            x = q.astype(complex)
            x[j] += 1e-30j
            columns.append(np.atleast_1d(np.imag(np.asarray(self._raw(t, x)))) / 1e-30)
        return np.column_stack(columns)

    @staticmethod
    def _slope(function: Callable[[float], FloatArray], h: float) -> FloatArray:
        return (8 * (function(h) - function(-h)) - (function(2 * h) - function(-2 * h))) / (12 * h)

    def _by_differences(self, function: Callable[[FloatArray], FloatArray], x: FloatArray) -> FloatArray:
        columns = []
        for j in range(x.size):
            h = _eps ** 0.2 * (1 + abs(float(x[j])))
            def along(s: float, j: int = j) -> FloatArray:
                y = x.copy()
                y[j] += s
                return function(y)
            columns.append(self._slope(along, h))
        return np.column_stack(columns)


def _floats(value: Any, what: str) -> FloatArray:
    try:
        return np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is numbers in rows of the same length, not {value!r}") from None


def solve_mechanical(
    M: Any,
    f: Callable[[float, FloatArray, FloatArray], npt.ArrayLike],
    g: Callable[..., npt.ArrayLike] | None,
    t_span: tuple[float, float],
    q0: npt.ArrayLike,
    v0: npt.ArrayLike,
    *,
    G: Callable[..., npt.ArrayLike] | None = None,
    method: str | None = None,
    rtol: float | None = None,
    step: float | None = None,
    t_eval: npt.ArrayLike | None = None,
    max_step: float | None = None,
    events: Any = None,
    progress: bool | Callable[[float], Any] = False,
    **options: Any,
) -> Result:
    """The motion of M(q) q'' = f(t, q, q') - G^T lambda, g(q) = 0, from functions of arrays.

    `M` is a matrix, a row of masses, or a function of q; f has inertial forces in it where M depends on q.
    `g(q)`, or `g(t, q)`, has one entry for each constraint, or is None; its Jacobian `G` may be given.
    The start is moved onto the constraints. Columns of the result are q0, q1, ..., v(q0), ..., and
    lambda(g0), ... with the sign of the equation. `events` are functions f(t, q, v), as in `Model.run`.

    A pendulum in x and y; its rod pulls with 3 m g cos of the angle from below:

    >>> import numpy as np, taut
    >>> r = taut.solve_mechanical([1, 1], lambda t, q, v: [0, -9.81], lambda q: (q @ q - 1)/2,
    ...                           (0, 2), [1, 0], [0, 0])
    >>> r.success
    True
    >>> float(np.max(np.abs(r["lambda(g0)"] + 3*9.81*r["q1"]))) < 1e-5
    True
    """
    q, v = (np.atleast_1d(_floats(x, what)) for x, what in ((q0, "q0"), (v0, "v0")))
    if q.ndim != 1 or q.shape != v.shape:
        raise ValueError(f"q0 and v0 are rows of the same length, not {q.shape} and {v.shape}")
    if not (np.all(np.isfinite(q)) and np.all(np.isfinite(v))):
        raise ValueError("q0 and v0 must have finite numbers")
    span = _floats(t_span, "t_span")
    if span.shape != (2,) or not span[0] < span[1]:
        raise ValueError(f"t_span is (start, end) with start < end, not {t_span!r}")
    t0, t1 = float(span[0]), float(span[1])
    if not callable(f):
        raise TypeError(f"f is a function f(t, q, v), not {f!r}")
    takes(f, "f", "t", "q", "v")
    if g is not None and not callable(g):
        raise TypeError(f"g is a function g(q) or g(t, q), or None, not {g!r}")
    if not callable(M):
        M = _floats(M, "M")
    q.flags.writeable = v.flags.writeable = False  # for functions, as in the run
    functions = _Functions(M, f, g, G, t0, q, v)
    mass = functions.mass(q)
    if mass.shape != (q.size, q.size):
        raise ValueError(f"M has the shape {mass.shape}, and there are {q.size} coordinates")
    if not np.allclose(mass, mass.T):
        raise ValueError("M is not symmetric")
    if not np.all(np.linalg.eigvalsh(mass) > 0):
        raise ValueError("M is not positive definite at the start: every motion has a mass")
    given_force = functions.force(t0, q, v)
    if given_force.shape != q.shape:
        raise ValueError(f"f gives {given_force.shape}, and there are {q.size} coordinates")
    rows = functions.constraint(t0, q).size if g is not None else 0
    coordinates = [f"q{i}" for i in range(q.size)]
    read = Events(events, lambda: coordinates)
    if len(read.functions) < len(read.tables):
        raise TypeError("events of functions are functions f(t, q, v), no formulas")
    model = _taut.Model(toml({
        "name": "functions",
        "coordinates": {f"q{i}": {"mass": 1, "at": float(x), "velocity": float(u)}
                        for i, (x, u) in enumerate(zip(q, v))},
        "event": read.tables,
    }), "", "")
    asked, times = row_times(t_eval, t0, t1)
    given = spoken({"from_": t0, "until": t1, "method": method, "rtol": rtol, "step": step,
                    "t_eval": asked, "max_step": max_step, **options})
    with _Bar(progress, "functions") as bar:
        return Result(model.solve(given, functions, not callable(M), rows, read.functions, bar.callback()),
                      times, Recipe(solve_again, model.text, given, functions, not callable(M), rows, read.functions))
