# SPDX-License-Identifier: BSD-3-Clause
"""Models written in Python, with the words of the model file: as TOML."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Mapping

import numpy as np

def takes(function: Any, what: str, *names: str) -> None:
    """Refuses a function of other arguments, as far as that is known."""
    import inspect

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*names)
    except TypeError:
        raise TypeError(f"{what} is a function f({', '.join(names)}), not f{signature}") from None


_bare = re.compile(r"^[A-Za-z0-9_-]+$")


def formula(value: Any) -> str | float:
    """A number, or an expression as a model file has it; SymPy's expressions are written out."""
    if isinstance(value, str):
        return value
    if hasattr(value, "free_symbols"):  # of SymPy, which need not be there
        from ._sympy import written

        return written(value)
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{value!r} is neither a number nor an expression")
    try:
        return float(value)
    except TypeError:
        raise TypeError(f"{value!r} is neither a number nor an expression") from None


def _key(name: str) -> str:
    return name if _bare.match(name) else json.dumps(name, ensure_ascii=False)


def _entry(where: str, key: Any, value: Any) -> str:
    """A line of a section; mistakes say where they stand."""
    try:
        return f"{_key(str(key))} = {_value(value)}"
    except (TypeError, ValueError) as mistake:
        raise type(mistake)(f"{where}{key}: {mistake}") from None


def _value(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_entry("", k, v) for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    written = formula(value)
    if isinstance(written, str):
        return json.dumps(written, ensure_ascii=False)
    if not math.isfinite(written):
        raise ValueError(f"{written} is no number of a model: give a finite one")
    return repr(written)


def toml(tables: Mapping[str, Any]) -> str:
    """The model file of sections given as dictionaries and lists.

    >>> import taut
    >>> print(taut.toml({"name": "free", "points": {"bob": {"mass": 1, "at": [1, 0]}},
    ...                  "gravity": [{"acceleration": [0, "-g"]}], "parameters": {"g": 9.81}}))
    name = "free"
    <BLANKLINE>
    [points]
    bob = { mass = 1, at = [1, 0] }
    <BLANKLINE>
    [[gravity]]
    acceleration = [0, "-g"]
    <BLANKLINE>
    [parameters]
    g = 9.81
    <BLANKLINE>
    """
    lines = [_entry("", k, v) for k, v in tables.items() if not _is_section(v)]
    for name, content in tables.items():
        if isinstance(content, Mapping):
            lines += ["", f"[{_key(name)}]"]
            lines += [_entry(f"{name}: ", k, v) for k, v in content.items()]
        elif _is_section(content):
            for one in content:
                lines += ["", f"[[{_key(name)}]]"]
                lines += [_entry(f"{name}: ", k, v) for k, v in one.items()]
    return "\n".join(lines) + "\n"


def _is_section(content: Any) -> bool:
    if isinstance(content, Mapping):
        return True
    return isinstance(content, (list, tuple)) and all(isinstance(c, Mapping) for c in content)
