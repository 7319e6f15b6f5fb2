# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong: bad input, and runs that fail."""

from __future__ import annotations

from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One mistake: where it stands, what it is, and what to do about it."""

    where: str
    what: str
    remedy: str
    line: int = 0
    column: int = 0
    file: str = ""


class ModelError(ValueError):
    """Bad input. `problems` lists every mistake, the text of the error too.

    >>> import taut
    >>> try:
    ...     taut.Model('[points]\\nbob = { mass = 1, at = [1, 0] }\\n[[rod]]\\nbetween = ["origin", "bub"]')
    ... except taut.ModelError as error:
    ...     print(error.problems[0].remedy)
    did you mean 'bob'?
    """

    def __init__(self, message: str, problems: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.problems: list[Problem] = [Problem(**p) for p in problems or []]

    def __reduce__(self) -> tuple[Any, ...]:
        return (ModelError, (str(self), [p._asdict() for p in self.problems]))


class RunError(RuntimeError):
    """A simulation in the hand could not be moved on; its state is the last good one."""
