# SPDX-License-Identifier: BSD-3-Clause
"""The notebooks of docs/notebooks run, and what they show is what is kept in them."""

import os
import pathlib
from typing import Any, Iterator

import nbclient
import nbformat
import pytest

root = pathlib.Path(os.environ["TAUT_ROOT"])
notebooks = sorted((root / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def kernel() -> Iterator[Any]:
    """One for all of them, emptied before each: what takes time is to start it."""
    client = nbclient.NotebookClient(nbformat.v4.new_notebook(), timeout=120, kernel_name="python3",
                                     resources={"metadata": {"path": str(root)}})
    with client.setup_kernel():
        yield client


def test_there_are_four() -> None:
    assert len(notebooks) == 4


@pytest.mark.parametrize("file", notebooks, ids=lambda f: f.stem)
def test_a_notebook_runs(file: pathlib.Path, kernel: Any) -> None:
    kept = nbformat.read(file, as_version=4)
    source = file.with_suffix(".py").read_text()
    again = nbformat.from_dict(kept)
    for book in (nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%reset -f")]), again):
        kernel.nb = book
        kernel.reset_execution_trackers()
        for index, cell in enumerate(book.cells):
            kernel.execute_cell(cell, index)
    for before, after in zip(kept.cells, again.cells):
        if before.cell_type != "code":
            continue
        assert before.source in source, "run tools/make_notebooks"
        # a kernel may send one text in several pieces
        texts = ["".join(o.text for o in c.outputs if o.output_type == "stream") for c in (before, after)]
        assert texts[0] == texts[1], before.source
