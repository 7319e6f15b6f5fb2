# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of linear equations and periodic motions as arrays: complex ones where JSON has [Re, Im]."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._result import Record

ComplexArray = npt.NDArray[np.complex128]


def complex_array(pairs: Any) -> ComplexArray:
    """Of a list of [Re, Im]; what is no number there (None) is NaN."""
    nan = (np.nan, np.nan)
    parts = np.array([nan if pair is None else [np.nan if x is None else x for x in pair] for pair in pairs],
                     dtype=float).reshape(-1, 2)
    made: ComplexArray = parts[:, 0] + 1j * parts[:, 1]
    return made


def matrix(stored: Any) -> Any:
    """Of {rows, columns, entries}: a sparse array of SciPy, or a dense one where SciPy is not installed."""
    shape = stored["rows"], stored["columns"]
    entries = np.array(stored["entries"], dtype=float).reshape(-1, 3)
    i, j = entries[:, 0].astype(int), entries[:, 1].astype(int)
    try:
        from scipy.sparse import csr_array
    except ImportError:
        dense = np.zeros(shape)
        dense[i, j] = entries[:, 2]
        return dense
    return csr_array((entries[:, 2], (i, j)), shape=shape)


def equations(linear: Record) -> None:
    """M, D, K, G, N of small changes, and F."""
    if "equations" not in linear:
        return
    found = linear["equations"]
    for name in ("M", "D", "K", "G", "N"):
        found[name] = matrix(found[name])
    found["F"] = np.array(found["F"], dtype=float).reshape(len(found["coordinates"]), -1)


def modes(found: Record) -> None:
    """Roots and shapes; with `vary` tracks."""
    for mode in found.get("modes", ()):
        mode["s"] = complex(*mode["s"])
        mode["shape"] = Record(zip(mode["shape"], complex_array(mode["shape"].values()).tolist()))
    if "tracks" in found:
        found["tracks"] = [complex_array(track) for track in found["tracks"]]


class Response(Record):
    """One input and one output: `omega`, `real`, `imag` are arrays, `H` is the complex one of both."""

    @property
    def H(self) -> ComplexArray:
        made: ComplexArray = self["real"] + 1j * self["imag"]
        return made


def responses(found: Record) -> None:
    """Of small vibrations."""
    pairs = [Response(one) for one in found.get("responses", ())]
    for one in pairs:
        for name in ("omega", "real", "imag"):
            one[name] = np.array([np.nan if x is None else x for x in one[name]], dtype=float)
    if "responses" in found:
        found["responses"] = pairs


def floquet(found: Record) -> None:
    """Multipliers and exponents of a motion, or of the points of a branch."""
    for one in (found, *found.get("points", ())):
        for name in ("multipliers", "exponents"):
            if name in one:
                one[name] = complex_array(one[name])
        if "first" in one:
            one["first"] = Record(zip(one["first"], complex_array(one["first"].values()).tolist()))
