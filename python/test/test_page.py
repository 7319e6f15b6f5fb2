# SPDX-License-Identifier: BSD-3-Clause
"""What docs/python.md shows is run, one block after the other."""

import os
import pathlib
import re
import shutil
from typing import Any

import pytest

root = pathlib.Path(os.environ["TAUT_ROOT"])


def test_the_page_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (root / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(blocks) >= 7
    shutil.copy(root / "models" / "double_pendulum.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert names["s"]["max(lambda(rod 1))"].shape == (100, 2)
    assert abs(names["sim"]["theta"]) < 1e-2


def test_tables_are_there() -> None:
    """They are made by scripts of bench/python, and not empty."""
    page = (root / "docs" / "python.md").read_text()
    for script in re.findall(r"<!-- made by (\S+) -->", page):
        assert (root / script).exists(), script
        block = page.split(f"<!-- made by {script} -->")[1].split("<!-- end -->")[0]
        assert block.count("|") > 20, f"run {script} --write"
