# SPDX-License-Identifier: BSD-3-Clause
"""Columns, instants, options, mistakes, files."""

import concurrent.futures
import copy
import doctest
import importlib
import json
import logging
import os
import pathlib
import pickle
import pkgutil

import numpy as np
import pytest
import sympy

import taut

root = pathlib.Path(os.environ["TAUT_ROOT"])


@pytest.fixture(scope="module")
def model() -> taut.Model:
    return taut.load(root / "models" / "double_pendulum.toml")


@pytest.fixture(scope="module")
def run(model: taut.Model) -> taut.Result:
    return model.run(until=2, rtol=1e-9)


def test_columns_are_views_and_outlive_their_result(model: taut.Model) -> None:
    r = model.run(until=1)
    y = r["bob2.y"]
    copy = np.array(y)
    assert y.shape == r.t.shape and not y.flags.writeable and not y.flags.owndata
    del r
    np.testing.assert_array_equal(y, copy)
    with pytest.raises(ValueError):
        y[0] = 1


def test_rods_keep_their_length_and_angles_agree(run: taut.Result) -> None:
    """Against the double pendulum in its two angles, by SciPy."""
    from scipy.integrate import solve_ivp

    def angles(t: float, s: np.ndarray) -> list[float]:  # l = m = 1, from below
        a, b, u, w = s
        g, d = 9.81, a - b
        den = 2 - np.cos(d) ** 2
        du = (-2 * g * np.sin(a) + g * np.sin(b) * np.cos(d) - np.sin(d) * (w * w + u * u * np.cos(d))) / den
        dw = (2 * np.sin(d) * u * u + w * w * np.sin(d) * np.cos(d) + 2 * g * np.sin(a) * np.cos(d)
              - 2 * g * np.sin(b)) / den
        return [u, w, du, dw]

    truth = solve_ivp(angles, (0, 2), [np.pi / 2, np.pi, 0, 0], method="DOP853", rtol=1e-12, atol=1e-12)
    a, b = truth.y[0, -1], truth.y[1, -1]
    assert run.t[-1] == 2
    assert abs(run["bob1.x"][-1] - np.sin(a)) < 1e-6
    assert abs(run["bob2.y"][-1] + np.cos(a) + np.cos(b)) < 1e-6
    assert np.max(np.abs(run["bob1.x"] ** 2 + run["bob1.y"] ** 2 - 1)) < 1e-14


def test_dense_output_has_the_bits_of_rows_that_were_asked_for(model: taut.Model) -> None:
    times = np.array([0.3, 0.7, 1.1])
    asked = model.run(until=2, rtol=1e-9, t_eval=times)
    r = model.run(until=2, rtol=1e-9)
    np.testing.assert_array_equal(asked.t, times)
    for name in ("bob1.x", "rod 2", "energy"):
        np.testing.assert_array_equal(r(times)[name], asked[name])
    assert isinstance(r(0.3)["rod 1"], float)
    assert r(times).q.shape == (3, 4) and r(0.3).lam.shape == (2,)
    with pytest.raises(ValueError, match="3"):
        r(3.0)


def test_summary_and_how_it_went(run: taut.Result) -> None:
    assert run.success and run.status == "done" and "reached" in run.message
    assert run.nfev == run.summary.force_evaluations > 0
    assert run.summary.start.moved == {"q": {}, "v": {}} or "moved" in run.summary.start
    with pytest.raises(AttributeError, match="there are"):
        run.summary.nonsense
    failed = taut.Model(coordinates={"x": {"mass": 1, "at": 1}},
                        force=[{"on": "x", "value": "1/(x - 1)"}]).run(until=1)
    assert not failed.success and failed.summary.hint and len(failed) <= 1


def test_events(model: taut.Model) -> None:
    r = model.run(until=2, events={"level": {"zero": "bob1.y + 0.5", "action": "stop"}})
    assert r.status == "stopped_by_event" and r.success
    assert r.events[0].name == "level" and abs(r["bob1.y"][-1] + 0.5) < 1e-9
    many = model.run(until=2, events={"left": "bob1.x"})
    assert many.t[-1] == 2 and len(many.events) >= 1
    both = model.run(until=2, events=["bob1.x", "bob2.x"])
    assert {e.name for e in both.events} == {"bob1.x", "bob2.x"}


def test_all_mistakes_of_a_model_come_at_once() -> None:
    with pytest.raises(taut.ModelError) as caught:
        taut.Model('[points]\nbob = { mass = -1, at = [1, 0] }\n[[rod]]\nbetween = ["origin", "bub"]\n'
                   '[[gravity]]\nacceleration = [0, "-gg"]\n')
    assert len(caught.value.problems) == 3
    assert {p.line for p in caught.value.problems} == {2, 4, 6}
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_models_of_python_and_sympy_are_those_of_a_file() -> None:
    g, x = sympy.symbols("g x")
    m = taut.Model(name="slope", parameters={"g": 9.81}, coordinates={"x": {"mass": 2.0, "at": 1}},
                   potential=[{"energy": g * x**2 / 2 + sympy.Piecewise((0, x < 0), (x**3, True))}])
    same = taut.Model('name = "slope"\n[parameters]\ng = 9.81\n[coordinates]\nx = { mass = 2, at = 1 }\n'
                      '[[potential]]\nenergy = "g*x^2/2 + select(less(x, 0), 0, x^3)"\n')
    a, b = m.run(until=3), same.run(until=3)
    assert abs(a["x"][-1] - b["x"][-1]) < 1e-7
    with pytest.raises(ValueError, match="besselj"):
        taut.Model(potential=[{"energy": sympy.besselj(0, x)}])
    again = pickle.loads(pickle.dumps(m))
    np.testing.assert_array_equal(again.run(until=1)["x"], m.run(until=1)["x"])


def test_tables_files_pictures(run: taut.Result, tmp_path: pathlib.Path) -> None:
    frame = run.to_dataframe()
    assert list(frame.columns) == run.names[1:] and frame.index.name == "t"
    data = run.to_xarray()
    np.testing.assert_array_equal(data["bob1.x"].values, run["bob1.x"])
    files = [pathlib.Path(f).name for f in run.save(tmp_path / "out", formats=["csv", "json"])]
    assert files == ["motion.csv", "motion.json", "record.bin", "report.html", "summary.json"]
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["status"] == "done"
    page = run._repr_html_()
    assert page.startswith("<iframe") and "double pendulum" in page
    import matplotlib

    matplotlib.use("Agg")
    axes = run.plot("bob1.x", "rod 1")
    assert len(axes.lines) == 2


def test_a_curve_is_a_result_too() -> None:
    r = taut.load(root / "models" / "plug_flow.toml").run()
    assert r.success and len(r.t) > 10 and r.summary.impasse_points
    assert r.names[0] == "s"


def test_progress_and_logging(model: taut.Model, caplog: pytest.LogCaptureFixture,
                              capfd: pytest.CaptureFixture[str]) -> None:
    seen: list[float] = []
    model.run(until=2000, progress=seen.append)
    assert seen and all(0 <= x <= 1 for x in seen) and seen == sorted(seen)
    with caplog.at_level(logging.WARNING, "taut"):
        model.run(until=10, max_steps=5)
    assert "step_limit" in caplog.text
    assert capfd.readouterr().out == ""


def test_tables_of_all_coordinates(run: taut.Result, model: taut.Model) -> None:
    assert run.q.shape == (len(run), 4) and run.v.shape == (len(run), 4) and run.lam.shape == (len(run), 2)
    np.testing.assert_array_equal(run.q[:, model.coordinates.index("bob2.x")], run["bob2.x"])
    np.testing.assert_array_equal(run.v[:, 3], run["bob2.vy"])
    np.testing.assert_array_equal(run.lam[:, 1], run["rod 2"])


def test_results_go_to_other_processes(model: taut.Model) -> None:
    r = model.run(until=1, g=5.0, events={"left": "bob1.x"}, t_eval=[0.2, 0.5, 1.0])
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        s = pool.submit(model.run, until=1, g=5.0, events={"left": "bob1.x"}, t_eval=[0.2, 0.5, 1.0]).result()
    for other in (s, copy.deepcopy(s)):
        assert repr(other) == repr(r) and other.names == r.names and other.summary.q == r.summary.q
        for name in r.names:
            np.testing.assert_array_equal(other[name], r[name])
        # what its numbers do not say is computed again, to the same bits
        assert other(0.37)["rod 1"] == r(0.37)["rod 1"] and len(other.events) == len(r.events)
        assert other.go_on(2)["bob2.x"][-1] == r.go_on(2)["bob2.x"][-1]
    assert pickle.loads(pickle.dumps(r.go_on(2)))(1.5).q.tolist() == r.go_on(2)(1.5).q.tolist()
    # functions that cannot be sent leave the numbers
    kept = pickle.loads(pickle.dumps(model.run(until=1, forces=lambda t, q, v: -v)))
    assert kept["bob1.x"].size and not kept["bob1.x"].flags.writeable
    with pytest.raises(ValueError, match="functions"):
        kept(0.5)


def test_start_values_of_a_run(model: taut.Model) -> None:
    swung = taut.Model(parameters={"x0": 1}, coordinates={"x": {"mass": 1, "at": "x0", "velocity": 3}, "y": {"mass": 1}},
                       potential=[{"energy": "(x^2 + y^2)/2"}])
    r = swung.run(until=np.pi / 2, rtol=1e-10, set={"start(x)": 2, "start(v(y))": "x0 + 1"})
    assert abs(r["x"][-1] - 3) < 1e-8 and abs(r["v(x)"][-1] + 2) < 1e-8 and abs(r["y"][-1] - 2) < 1e-8
    moved = model.run(until=1, set={"start(bob2.vx)": 0.5, "start(bob1.x)": 0.9})
    assert moved["bob2.vx"][0] != 0 and abs(moved["bob1.x"][0] ** 2 + moved["bob1.y"][0] ** 2 - 1) < 1e-12
    s = swung.sweep(x0=[1, 4], until=np.pi / 2, rtol=1e-10, measure="end(v(x))", set={"start(x)": 2})
    np.testing.assert_allclose(s["end(v(x))"], -2, atol=1e-7)
    with pytest.raises(taut.ModelError, match="did you mean 'bob1.x'"):
        model.run(until=1, set={"start(bob3.x)": 1})
    assert taut.load(root / "models" / "plug_flow.toml").run(set={"start(y1)": 13.5})["y1"][0] == 13.5
    t = np.linspace(0, 2, 20)
    fit = swung.fit({"t": t, "x": 2 * np.cos(t) + np.sin(t)}, vary=["start(x)", "start(v(x))"])
    again = swung.run(until=2, set=fit.found)
    assert abs(again["x"][-1] - 2 * np.cos(2) - np.sin(2)) < 1e-5


def test_go_on(model: taut.Model) -> None:
    r = model.run(until=1).go_on(2)
    assert r.t[0] == 1 and r.t[-1] == 2
    held = model.simulation(until=1)
    held.advance_to(1)
    assert held.finish().go_on(2).t[-1] == 2
    with pytest.raises(taut.ModelError, match="later end"):
        r.go_on(1)


def test_version_is_one() -> None:
    from taut import _taut

    assert taut.__version__ == _taut.version()


def test_examples_of_docstrings() -> None:
    count = 0
    for info in pkgutil.iter_modules(taut.__path__):
        if info.name == "_taut":
            continue
        found = doctest.testmod(importlib.import_module(f"taut.{info.name}"))
        assert found.failed == 0
        count += found.attempted
    found = doctest.testmod(taut)
    assert found.failed == 0 and count + found.attempted > 25


def test_sensitivities_are_derivatives(model: taut.Model) -> None:
    run = model.run(until=1, every=0.5, rtol=1e-11, sensitivity=["g", "start(bob1.vx)"])
    d = 1e-4
    runs = [model.run(until=1, every=0.5, rtol=1e-12, g=9.81 + k * d) for k in (1, -1)]
    assert model.run(until=0.1).derivatives == {}
    for name in ("bob1.x", "bob2.vy", "rod 1"):
        slope = (runs[0][name] - runs[1][name]) / (2 * d)
        np.testing.assert_allclose(run.sensitivity("g")[name], slope, rtol=0, atol=1e-6)
    assert run.derivatives["q"]["bob1.x"]["g"] == run.sensitivity("g")["bob1.x"][-1]
    with pytest.raises(KeyError):
        run.sensitivity("nothing")
    with pytest.raises(taut.ModelError):
        model.run(until=1, sensitivity="nothing")
