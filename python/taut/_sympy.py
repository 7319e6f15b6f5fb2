# SPDX-License-Identifier: BSD-3-Clause
"""SymPy's expressions as formulas of a model."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.printing.str import StrPrinter

_functions = {
    "sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "sign", "floor", "atan2",
}


class _Printer(StrPrinter):  # type: ignore[misc]
    """As a model file writes it; what it has no word for is refused."""

    def __init__(self, names: dict[Any, str]) -> None:
        super().__init__({"full_prec": False})
        self._names = names

    def _print(self, expr: Any, **kwargs: Any) -> Any:
        known = self._names.get(expr)
        return known if known is not None else super()._print(expr, **kwargs)

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Rational(self, expr: Any) -> str:
        return f"({expr.p}/{expr.q})"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return f"(({self._print(expr.base)})^({self._print(expr.exp)}))"

    def _print_ImaginaryUnit(self, expr: Any) -> str:
        raise ValueError("a model has real numbers, and there is an imaginary unit")

    def _print_Exp1(self, expr: Any) -> str:
        return "e"

    def _print_Abs(self, expr: Any) -> str:
        return f"abs({self._print(expr.args[0])})"

    def _print_Min(self, expr: Any) -> str:
        return self._nested("min", expr.args)

    def _print_Max(self, expr: Any) -> str:
        return self._nested("max", expr.args)

    def _nested(self, name: str, arguments: Any) -> str:
        text = self._print(arguments[0])
        for one in arguments[1:]:
            text = f"{name}({text}, {self._print(one)})"
        return str(text)

    def _print_Piecewise(self, expr: Any) -> str:
        pieces = list(expr.args)
        last, condition = pieces[-1].args
        if condition is not sympy.true:
            raise ValueError(f"{expr} has no value everywhere: add a last piece (value, True)")
        text = self._print(last)
        for piece in reversed(pieces[:-1]):
            value, condition = piece.args
            text = f"select({self._condition(condition)}, {self._print(value)}, {text})"
        return str(text)

    def _condition(self, c: Any) -> str:
        a, b = (self._print(x) for x in c.args) if len(c.args) == 2 else ("", "")
        if isinstance(c, (sympy.StrictLessThan,)):
            return f"less({a}, {b})"
        if isinstance(c, (sympy.StrictGreaterThan,)):
            return f"less({b}, {a})"
        if isinstance(c, sympy.LessThan):
            return f"(1 - less({b}, {a}))"
        if isinstance(c, sympy.GreaterThan):
            return f"(1 - less({a}, {b}))"
        raise ValueError(f"the condition {c} has no formula: use <, <=, > or >=")

    def _print_Function(self, expr: Any) -> str:
        name = expr.func.__name__
        if name == "Heaviside":
            return f"(1 - less({self._print(expr.args[0])}, 0))"
        if name not in _functions:
            raise ValueError(
                f"a model has no function {name}: rewrite {expr} in those that it has "
                f"({', '.join(sorted(_functions))}, abs, min, max)"
            )
        return f"{name}({', '.join(self._print(a) for a in expr.args)})"

    def _print_Symbol(self, expr: Any) -> str:
        return str(expr.name)

    def _print_Derivative(self, expr: Any) -> str:
        raise ValueError(f"{expr} is no coordinate's velocity: it has no formula")

    def emptyPrinter(self, expr: Any) -> str:
        raise ValueError(f"{expr} ({type(expr).__name__}) has no formula in a model")


def written(expression: Any, names: dict[Any, str] | None = None) -> str | float:
    """A SymPy expression as a model file writes it.

    >>> import sympy
    >>> k, x = sympy.symbols("k x")
    >>> written(k*x**2/2 + sympy.Abs(x))
    'k*((x)^(2))/2 + abs(x)'
    """
    expression = sympy.sympify(expression)
    if expression.is_number and expression.is_real:
        return float(expression)
    return str(_Printer(names or {}).doprint(expression))
