# SPDX-License-Identifier: BSD-3-Clause
"""Many runs of one motion, and what they have in common at each time."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _taut
from ._result import Record, record


def run_ensemble(
    model: Any, given: dict[str, Any], runs: int, spread: float, correlation: str | Sequence[str], sampling: str,
    quantiles: Sequence[float], threads: int, progress: Any,
) -> Record:
    if sampling not in ("random", "latin", "sobol"):
        raise ValueError(f'sampling={sampling!r}: there are "random", "latin" and "sobol"')
    distribution = given.pop("distribution", ())
    # of noise, too, where there is some
    seed = given["seed"] if "temperature" in given else given.pop("seed", 1)
    design = {
        "sample": runs, "sampling": sampling, "seed": int(seed), "indices": False,
        "distribution": [distribution] if isinstance(distribution, str) else list(distribution),
        "correlation": [correlation] if isinstance(correlation, str) else list(correlation),
        "quantiles": [float(q) for q in quantiles],
    }
    found = record(_taut.ensemble(model, given, design, spread, threads, progress))

    def array(values: Any) -> Any:
        return np.array(values, dtype=float)

    for name in ("t", "count", "apart"):
        found[name] = array(found[name])
    columns = Record()
    for column in found["columns"]:
        name = column.pop("name")
        columns[name] = Record({key: array(values) for key, values in column.items()})
    found["columns"] = columns
    return found
