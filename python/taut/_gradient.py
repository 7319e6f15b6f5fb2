# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of measures, and designs found with them."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._result import FloatArray, Record


def list_of(given: str | Sequence[str], what: str) -> list[str]:
    """One text, or several."""
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Sequence) or not all(isinstance(one, str) for one in given):
        raise TypeError(f"{what}= is a text or a list of texts, not {given!r}")
    return list(given)


class Gradient(Record):
    """All of gradient.json; of one measure its value and gradient as they are."""

    @property
    def success(self) -> bool:
        return bool(self["status"] == "done")

    @property
    def vector(self) -> FloatArray:
        """Values of all measures, in their order."""
        return np.array([one["value"] for one in self["measures"].values()], dtype=float)

    @property
    def jacobian(self) -> FloatArray:
        """measures x names"""
        return np.array([[one["gradient"][name] for name in self["by"]]
                         for one in self["measures"].values()], dtype=float)

    @property
    def value(self) -> float:
        """That of the first measure."""
        return float(self.vector[0])

    @property
    def gradient(self) -> FloatArray:
        """Of the first measure, in the order of the names."""
        row: FloatArray = self.jacobian[0]
        return row


class Optimum(Record):
    """All of optimize.json."""

    @property
    def success(self) -> bool:
        return bool(self["status"] == "done")

    @property
    def found(self) -> dict[str, float]:
        """Values by name, such as for m.run(**best.found)."""
        return {name: one["value"] for name, one in self["variables"].items()}
