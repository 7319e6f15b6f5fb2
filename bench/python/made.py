# SPDX-License-Identifier: BSD-3-Clause
"""Tables of documentation that are made, not typed: between `<!-- made by NAME -->` and `<!-- end -->`."""

from __future__ import annotations

import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "docs" / "python.md"


def write(name: str, text: str) -> None:
    """Puts the text into the block of that name of docs/python.md."""
    begin = f"<!-- made by bench/python/{name} -->\n"
    old = page.read_text()
    block = re.compile(re.escape(begin) + ".*?<!-- end -->", re.S)
    if not block.search(old):
        raise SystemExit(f"{page} has no block {begin.strip()}")
    page.write_text(block.sub(lambda _: f"{begin}{text.strip()}\n<!-- end -->", old))


def short(x: float) -> str:
    """Two digits, without zeros that say nothing: 3e-9, 0.045, 12."""
    text = f"{float(f'{x:.2g}'):g}"
    return re.sub(r"e([+-])0*(\d)", lambda m: f"e{'-' if m[1] == '-' else ''}{m[2]}", text)


def seconds(x: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if x >= size:
            return f"{short(x / size)} {unit}"
    return f"{short(x / 1e-9)} ns"
