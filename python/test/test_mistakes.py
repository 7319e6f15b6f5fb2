# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes of types, shapes, names and units are exceptions that name the remedy."""

import datetime
import os
import pathlib
import re
from typing import Any, Callable

import numpy as np
import pytest
import sympy

import taut

root = pathlib.Path(os.environ["TAUT_ROOT"])
m = taut.load(root / "models" / "double_pendulum.toml")
names = taut.Model(parameters={"gamma": 1.0, "omega": 2.0}, coordinates={"x": {"mass": 1, "at": 1}},
                   potential=[{"energy": "gamma*omega^2*x^2/2"}], run={"until": 1})
driven = taut.Model(inputs={"tau": 0}, coordinates={"x": {"mass": 1, "at": 1}}, force=[{"on": "x", "value": "tau"}])


def point(**of: Any) -> Callable[[], Any]:
    return lambda: taut.Model(points={"a": {"mass": 1, "at": [0, 0], **of}})


def run(**options: Any) -> Callable[[], Any]:
    return lambda: m.run(**options)


def solve(**changed: Any) -> Callable[[], Any]:
    given: dict[str, Any] = dict(M=np.eye(2), f=lambda t, q, v: -q, g=None, t_span=(0, 1), q0=[1, 0], v0=[0, 0])
    return lambda: taut.solve_mechanical(**{**given, **changed})


mistakes: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # models
    (lambda: taut.load("nothing.toml"), taut.ModelError, "does not exist"),
    (lambda: taut.load(None), TypeError, "path of a model file"),  # type: ignore[arg-type]
    (lambda: taut.Model(3), TypeError, "sections by name"),  # type: ignore[arg-type]
    (lambda: taut.Model("pendulum.toml"), ValueError, "taut.load() reads it"),
    (lambda: m.sweep(vary={"start(bob3.x)": [1]}, until=1, measure="t"), taut.ModelError, "did you mean 'bob1.x'"),
    (lambda: taut.Model("[points\n"), taut.ModelError, "a section is written [points]"),
    (lambda: taut.Model(), taut.ModelError, "give at least one point"),
    (lambda: taut.Model(pointz={"a": {}}), taut.ModelError, "did you mean [points]?"),
    (lambda: taut.Model(points={"a": {"mas": 1, "at": [0, 0]}}), taut.ModelError, "did you mean mass?"),
    (point(at=[0, 0, 0, 0]), taut.ModelError, "two or three numbers"),
    (point(mass=None), TypeError, "points: a: mass: None is neither"),
    (point(mass=1j), TypeError, "mass: 1j is neither"),
    (point(mass=float("nan")), ValueError, "give a finite one"),
    (point(mass="1 second"), taut.ModelError, "mass"),
    (lambda: taut.Model(points={"a": {"mass": 1, "at": [0, 1]}}, rod={"between": ["origin", "a"]}), taut.ModelError, "[[rod]]"),
    (lambda: taut.Model(potential=[{"energy": sympy.besselj(0, sympy.Symbol("x"))}]), ValueError, "besselj"),
    # numbers of a call
    (run(until="10 s"), taut.ModelError, "write numbers without units"),
    (run(until=-1), taut.ModelError, "give an end time after the start"),
    (run(until=float("nan")), taut.ModelError, "give a finite number"),
    (run(until=datetime.timedelta(seconds=3)), taut.ModelError, "give a number"),
    (run(until=True), taut.ModelError, "give a number"),
    (run(g="strong"), taut.ModelError, "unknown name 'strong'"),
    (run(g=None), taut.ModelError, "give a number"),
    (run(g=[1, 2]), taut.ModelError, "give a number"),
    (run(g=float("inf")), taut.ModelError, "give a finite number"),
    (run(g=sympy.I), ValueError, "imaginary"),
    (run(max_steps=1.5), taut.ModelError, "whole number"),
    (run(rtol=-1e-8), taut.ModelError, "give a number > 0"),
    (run(band=5, slow_start=True), taut.ModelError, "(LOW, HIGH)"),
    # names of a call
    (run(G=3), taut.ModelError, "did you mean 'g'?"),
    (run(untill=3), taut.ModelError, "did you mean 'until='?"),
    (run(atol=1e-8), taut.ModelError, "did you mean 'rtol='?"),
    (run(method="radua"), taut.ModelError, "did you mean 'radau'?"),
    (run(method="verlet"), taut.ModelError, "take rattle"),
    (run(set=["g"]), TypeError, '{"g": 9.81}'),
    (run(options={"unitl": 3}), taut.ModelError, "did you mean 'until'?"),
    (lambda: names.run(gamma=2), taut.ModelError, "set={'gamma': ...}"),
    (lambda: names.run(omega=2), taut.ModelError, "options={'omega': ...}"),
    # what does not go together
    (run(rtol=1e-8, tol=1e-6), taut.ModelError, "give one of them"),
    (run(method="radau", step=0.1), taut.ModelError, "give tol= instead"),
    (run(method="rattle", rtol=1e-8), taut.ModelError, "give step= instead"),
    (run(friction=0.5), taut.ModelError, "give temperature= as well"),
    (run(resume=True), ValueError, "give checkpoint=FILE"),
    (run(checkpoint="x", forces=lambda t, q, v: q), ValueError, "models of formulas"),
    (run(t_eval=[2, 1]), ValueError, "times that grow"),
    (run(t_eval=[0, 2], until=1), ValueError, "from 0 to 1: give times between them"),
    (run(t_eval=[[1, 2]]), ValueError, "give a row"),
    (run(t_eval="abc"), TypeError, "row of times"),
    (run(t_eval=[1.0], every=0.1), ValueError, "give one of them"),
    # events, forces, progress
    (run(events=3), TypeError, '{"lowest": "bob.x"}'),
    (run(events=[3]), TypeError, "a function f(t, q, v)"),
    (run(events={"e": {"zero": "bob1.x", "on": "bob1.x"}}), TypeError, "events that are functions"),
    (run(events={"e": {"zero": lambda t, q, v: q[0], "on": "bob.x"}}), ValueError, "coordinates are bob1.x"),
    (run(events=lambda t, q, v: None), TypeError, "return one number"),
    (run(events=lambda t, q, v: q), TypeError, "return one number"),
    (run(events=lambda t, q, v: q[0] < 0), TypeError, "a number that crosses zero"),
    (run(events=lambda t, y: y[0]), TypeError, "a function f(t, q, v)"),
    (run(forces=lambda t, y: y), TypeError, "a function f(t, q, v)"),
    (run(forces=lambda t, q, v: 1j * q), TypeError, "complex"),
    (run(events=lambda t, q, v: q[0], sensitivity="g"), ValueError, "models of formulas"),
    # words of solve_ivp
    (run(t_span=(0, 1)), TypeError, "from_= and until="),
    (run(y0=[1, 0]), TypeError, "start(bob.x)"),
    (run(args=(1,)), TypeError, "by their names"),
    (run(colour="red"), taut.ModelError, "there is no parameter 'colour'"),
    (run(colours=["red"]), taut.ModelError, "neither an option nor a parameter"),
    (run(**{"bob1.x": 1}), taut.ModelError, "start(NAME)"),
    (lambda: setattr(m, "g", 3), AttributeError, "m.run(g=3)"),
    (lambda: m.parameters.__setitem__("g", 3), TypeError, "m.run(g=3)"),
    (lambda: m.run(until=1).y, AttributeError, "r.q and r.v"),
    (lambda: m.run(until=1).sol, AttributeError, "r(t)"),
    (run(until=1, events={"e": "bob1.xx"}), taut.ModelError, "did you mean 'bob1."),
    (run(forces=3), TypeError, "f(t, q, v)"),
    (run(forces=lambda t, q, v: None), ValueError, "return it"),
    (run(forces=lambda t, q, v: [1.0]), ValueError, "must have the shape (4,)"),
    (run(method="radau", forces=taut.Force(lambda t, q, v: -q, jac=lambda t, q, v: -np.eye(4))), ValueError, "df/dq and df/dv"),
    (run(progress=5), TypeError, "function of the fraction"),
    # results
    (lambda: m.run(until=1)["bob3.x"], taut.ModelError, "did you mean 'bob1.x'?"),
    (lambda: m.run(until=1)[0], TypeError, "r.names"),  # type: ignore[index]
    (lambda: m.run(until=1)(2.0), ValueError, "from 0 to 1"),
    (lambda: m.run(until=1)("now"), TypeError, "array of times"),
    (lambda: m.run(until=1).save("/tmp/taut", formats=["h5"]), ValueError, "to_xarray()"),
    (lambda: m.run(until=1).summary.nonsense, AttributeError, "there are"),
    # in the hand
    (lambda: driven.simulation().__setitem__("tua", 1), taut.ModelError, "did you mean 'tau'?"),
    (lambda: driven.simulation().__setitem__("tau", "1 N"), TypeError, "set to a number"),  # type: ignore[assignment]
    (lambda: driven.simulation()["xx"], taut.ModelError, "did you mean 'x'?"),
    (lambda: driven.simulation().advance_to(-1), taut.ModelError, "before the present"),
    (lambda: driven.simulation().advance_to("1 s"), TypeError, "takes a time"),
    (lambda: driven.simulation().__reduce__(), TypeError, "sim.save()"),
    (lambda: driven.simulation().set_state([1, 2], [0]), taut.ModelError, "system of 1 coordinates"),
    # studies
    (lambda: m.compare(methods="verlet", until=1), taut.ModelError, "take rattle"),
    (lambda: m.compare(tols=[-1.0], until=1), taut.ModelError, "numbers above 0"),
    (lambda: m.linearize(at="nowhere"), taut.ModelError, '"equilibrium"'),
    (lambda: m.linearize(inputs="f"), taut.ModelError, "name an input"),
    (lambda: m.response(), taut.ModelError, 'inputs="x"'),
    (lambda: m.response(inputs="bob1.x", range=(10, 1)), taut.ModelError, "(0.1, 100)"),
    (lambda: m.periodic(from_={"bob1": 1}), taut.ModelError, "bob1.x"),
    (lambda: m.periodic(vary={"g": (1, 2, 3, 4)}), taut.ModelError, "(A, B, N)"),
    (lambda: m.periodic(settle=-1), taut.ModelError, "not below 0"),
    (lambda: m.equilibria(at={"bob": 1}), taut.ModelError, "coordinates are: bob1.x"),
    (lambda: m.equilibria(at={"bob1.x": "left"}), taut.ModelError, "give a number"),  # type: ignore[dict-item]
    (lambda: m.sweep(g=["a"], measure="t"), TypeError, "row of numbers"),
    (lambda: m.sweep(g=[1, 2], measure=lambda r: r.t[-1]), TypeError, "a measure is a text"),  # type: ignore[arg-type]
    (lambda: m.sweep(g=[1, 2], measure="t", forces=lambda t, q, v: q), TypeError, "no functions of Python"),
    (lambda: m.sweep(g=[1, 2], measure="t", events=lambda t, q, v: q[0]), TypeError, "events as formulas"),
    (lambda: m.sweep(rtol=[1e-6, 1e-8], measure="t"), ValueError, "vary={'rtol'"),
    (lambda: m.sweep(g=[1, 2], measure="t", chunk=0), ValueError, "at least one run"),
    (lambda: m.sweep(g=[1, 2], measure="t", threads=-1), ValueError, "one on each core"),
    # functions
    (solve(M=np.eye(3)), ValueError, "2 coordinates"),
    (solve(M=[[1, 0], [1]]), TypeError, "rows of the same length"),
    (solve(M=[-1, 1]), ValueError, "positive definite"),
    (solve(f=3), TypeError, "f(t, q, v)"),
    (solve(g=3), TypeError, "g(q)"),
    (solve(t_span=(1, 0)), ValueError, "start < end"),
    (solve(q0=[np.nan, 0]), ValueError, "finite"),
    (solve(metod="radau"), taut.ModelError, "did you mean 'method='?"),
]


@pytest.mark.parametrize("mistake, error, remedy", mistakes, ids=[f"{i}-{r}" for i, (_, _, r) in enumerate(mistakes)])
def test_a_mistake_names_its_remedy(mistake: Callable[[], Any], error: type[Exception], remedy: str) -> None:
    with pytest.raises(error, match=re.escape(remedy)):
        mistake()


def test_a_keyword_that_means_two_things_is_said_by_set_and_options() -> None:
    assert abs(names.run(set={"omega": 3.0}, rtol=1e-10)["x"][-1] - np.cos(3.0)) < 1e-7
    assert abs(names.run(options={"rtol": 1e-10})["x"][-1] - np.cos(2.0)) < 1e-7
    r = names.run(options={"gamma": 0.6}, method="newmark", step=1e-2)
    assert r.success and r["x"][-1] != names.run(method="newmark", step=1e-2)["x"][-1]
