# SPDX-License-Identifier: BSD-3-Clause
"""The same bits as the program, for every model of the gallery."""

import csv
import json
import os
import pathlib
import subprocess
from typing import Any

import numpy as np
import pytest

import taut

root = pathlib.Path(os.environ["TAUT_ROOT"])
program = os.environ["TAUT_PROGRAM"]
# the end of a short run, where the model's own takes seconds; along a curve, where it has no time
short = {"argon": "0.05", "water7": "0.02", "butane": "0.2", "ring": "0.5"}


def gallery() -> list[str]:
    return sorted(p.stem for p in (root / "models").glob("*.toml"))


@pytest.mark.parametrize("name", gallery())
def test_motion_has_the_bits_of_the_program(name: str, tmp_path: pathlib.Path) -> None:
    file = str(root / "models" / f"{name}.toml")
    m = taut.load(file)
    options: list[str] = []
    given: dict[str, Any] = {}
    if name in short:
        options, given = ["--until", short[name]], {"until": float(short[name])}
    done = subprocess.run(
        [program, "run", file, "--out", str(tmp_path), "--no-report", "--no-error-estimate",
         "--quiet", *options], capture_output=True, text=True)
    r = m.run(**given)
    assert r.success == (done.returncode == 0), done.stderr
    with open(tmp_path / "motion.csv", newline="") as lines:
        rows = list(csv.reader(lines))
    assert rows[0] == r.names
    theirs = np.array(rows[1:], dtype=float)
    assert len(theirs) == len(r)
    for k, column in enumerate(rows[0]):
        np.testing.assert_array_equal(theirs[:, k], r[column], err_msg=column)
    summary = json.loads((tmp_path / "summary.json").read_text())
    for key, value in r.summary.items():
        if key not in ("wall_seconds", "hint", "notes"):  # sentences call options as they are called here
            assert summary[key] == value, key


def test_other_parameters_have_the_bits_of_a_new_compilation() -> None:
    m = taut.load(root / "models" / "double_pendulum.toml")
    for g in (9.81, 1.62, 0.0, 1.0, 3.7):
        again = taut.load(root / "models" / "double_pendulum.toml").run(until=2, g=g)
        here = m.run(until=2, g=g)
        for column in here.names:
            np.testing.assert_array_equal(here[column], again[column])
