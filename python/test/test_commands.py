# SPDX-License-Identifier: BSD-3-Clause
"""What the program can do, Python can do: its commands, their options, and what they say as JSON."""

import csv
import inspect
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
from typing import Any, Callable

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import taut
from taut import _taut

root = pathlib.Path(os.environ["TAUT_ROOT"])
program = os.environ["TAUT_PROGRAM"]

# a program of its own, and no part of the package: the papers' tables
# and a page that computes by itself
no_method = {"paper", "play"}
# of a terminal: results of Python are objects, and their files are those of save()
of_a_terminal = {"watch", "help", "json", "quiet", "csv", "mat", "html", "digits",
                 "shard", "merge"}  # of job scripts: Python has executors
called = {"from": "from_", "input": "inputs", "output": "outputs", "no_report": "report", "format": "formats",
          "out": "folder"}


def printed(*words: str) -> str:
    return subprocess.run([program, *words], capture_output=True, text=True).stdout


def commands() -> list[str]:
    listed = printed("--help").split("Subcommands:")[1].split("\n\n")[0]
    found = re.findall(r"^  ([a-z]+) ", listed, re.M)
    assert {"run", "check", "sweep"} <= set(found)
    return found


def options(command: str) -> list[str]:
    """Of a command, without those that say no of another."""
    found = re.findall(r"^  (?:-\w,)?--([a-z][a-z-]*)", printed(command, "--help"), re.M)
    assert "help" in found
    return [name.replace("-", "_") for name in found]


def method(command: str) -> Callable[..., Any]:
    return getattr(taut.Model, command, None) or getattr(taut, command)  # type: ignore[no-any-return]


@pytest.mark.parametrize("command", commands())
def test_every_command_and_option_of_the_program_is_there(command: str) -> None:
    if command in no_method:
        return
    does = method(command)
    assert does.__doc__, command
    known = set(inspect.signature(does).parameters)
    if any(p.kind is p.VAR_KEYWORD for p in inspect.signature(does).parameters.values()):
        known |= {*_taut.options(), "set"}
    if command == "run":
        known |= set(inspect.signature(taut.Result.save).parameters)
    if command in ("sweep", "compare", "modes", "response", "linearize", "periodic", "fit", "spectrum", "gradient", "optimize"):
        known |= {"folder", "formats"}  # arrays, to be written as one likes
    if command == "report":
        known |= {"folder"}
    missing = [name for name in options(command)
               if name not in of_a_terminal and called.get(name, name) not in known]
    assert not missing


def theirs(*words: str) -> Any:
    text = printed(*words, "--json")
    return json.loads(text)


def in_program(name: str) -> str:
    return str(root / "models" / f"{name}.toml")


def lean(found: dict[str, Any], ours: dict[str, Any]) -> None:
    """The wheel is built without the methods of SUNDIALS; sentences call options as they are called here."""
    there = {m.name for m in taut.methods()}
    if "methods" in found:
        found["methods"] = [m for m in found["methods"] if m["name"] in there]
        for m in (*found["methods"], *ours["methods"]):
            m["why_not"] = m["why_not"].replace("reading=", "--reading ")


def listed(value: Any) -> Any:
    """What JSON has in the place of numbers of its own: [Re, Im], and entries of sparse matrices."""
    if isinstance(value, complex):
        return None if np.isnan(value) else [value.real, value.imag]
    if scipy.sparse.issparse(value):
        found = scipy.sparse.coo_array(value)
        return {"rows": value.shape[0], "columns": value.shape[1],
                "entries": [list(one) for one in zip(found.row.tolist(), found.col.tolist(), found.data.tolist())]}
    return value.tolist()


def plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(json.dumps(value, default=listed))


@pytest.mark.parametrize("name", ["double_pendulum", "redundant", "pendulum_dae", "slider_crank"])
@pytest.mark.parametrize("command", ["check", "start", "complete"])
def test_diagnoses(name: str, command: str) -> None:
    found, ours = theirs(command, in_program(name)), getattr(taut.load(in_program(name)), command)()
    if command == "check":
        lean(found, ours)
    assert ours == found and list(ours) == list(found)


@pytest.mark.parametrize("command, name, words, given", [
    ("start", "stiff_double_pendulum", ["--slow", "--via", "newton"], {"slow": True, "via": "newton"}),
    ("equilibria", "inverted_pendulum", ["--set", "omega=1e6", "--at", "q=0.1", "--starts", "6"],
     {"set": {"omega": 1e6}, "at": {"q": 0.1}, "starts": 6}),
    ("equilibria", "inverted_pendulum", ["--set", "omega=1e6", "--micro-steps", "40", "--averaging", "plain", "--starts", "2"],
     {"set": {"omega": 1e6}, "micro_steps": 40, "averaging": "plain", "starts": 2}),
    ("linearize", "quarter_car", ["--at", "start", "--transfer"], {"at": "start", "transfer": True}),
    ("linearize", "double_pendulum", ["--at", "0.5", "--input", "bob1.x", "--output", "bob2.y,rod 1"],
     {"at": 0.5, "inputs": "bob1.x", "outputs": ["bob2.y", "rod 1"]}),
    ("modes", "four_bar", ["--lowest", "2"], {"lowest": 2}),
    ("modes", "quarter_car", ["--at", "start"], {"at": "start"}),
    ("spectrum", "duffing", ["--of", "x,x^2", "--after", "20", "--window", "blackman-harris", "--peaks", "5"],
     {"of": ["x", "x^2"], "after": 20, "window": "blackman-harris", "peaks": 5}),
    ("spectrum", "duffing", ["--averages", "3", "--spectrogram", "--angle", "w*t", "--orders", "1,3"],
     {"averages": 3, "spectrogram": True, "angle": "w*t", "orders": [1, 3]}),
    ("response", "duffing", ["--input", "x", "--amplitude", "c/3", "--range", "0.9:1.1", "--set", "F=0"],
     {"inputs": "x", "amplitude": "c/3", "range": (0.9, 1.1), "set": {"F": 0}}),
    ("periodic", "duffing", ["--from", "x=1.2,v(x)=1.3*w", "--settle", "0"],
     {"from_": {"x": 1.2, "v(x)": "1.3*w"}, "settle": 0}),
    ("periodic", "duffing", ["--period", "4*pi/w", "--set", "w=1"], {"period": "4*pi/w", "w": 1}),
    ("periodic", "duffing", ["--vary", "w=0.9:2:30"], {"vary": {"w": (0.9, 2, 30)}}),
    ("periodic", "pendulum", ["--vary", "energy=-0.9:0"], {"vary": {"energy": (-0.9, 0)}}),
    ("response", "quarter_car", ["--at", "start", "--input", "w", "--range", "0.5:8", "--hertz", "--points", "30"],
     {"at": "start", "inputs": "w", "range": (0.5, 8), "hertz": True, "points": 30}),
])
def test_studies(command: str, name: str, words: list[str], given: dict[str, Any]) -> None:
    found, ours = theirs(command, in_program(name), *words), getattr(taut.load(in_program(name)), command)(**given)
    assert plain(ours) == found and list(ours) == list(found)


def test_linear_equations_and_multipliers_are_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    m = taut.load(in_program("quarter_car"))
    linear = m.linearize(at="start", inputs="x", outputs="x")
    M, D, K = (linear.equations[name] for name in "MDK")
    assert all(scipy.sparse.issparse(one) for one in (M, D, K))
    one = m.response(at="start", inputs="x", outputs="x", range=(5, 80), points=7).responses[0]
    assert one.omega.dtype == float and one.H.dtype == complex
    for omega, H in zip(one.omega, one.H):
        truth = np.linalg.inv((K + 1j * omega * D - omega**2 * M).toarray())[0, 0]
        assert abs(H - truth) <= 1e-12 * abs(truth)
    for mode in m.modes(at="start").modes:
        x = np.array(list(mode.shape.values()))
        assert np.abs((mode.s**2 * M + mode.s * D + K) @ x).max() <= 1e-9 * np.abs(K @ x).max()
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    assert np.array_equal(m.linearize(at="start").equations.K, K.toarray())


def test_equations_of_a_matlab_file_are_read_by_scipy(tmp_path: pathlib.Path) -> None:
    printed("linearize", in_program("quarter_car"), "--at", "start", "--input", "x", "--mat", "--out", str(tmp_path))
    stored = scipy.io.loadmat(next(tmp_path.rglob("*.mat")))
    linear = taut.load(in_program("quarter_car")).linearize(at="start", inputs="x")
    for name in "ABCD":
        assert np.array_equal(stored[name], linear[name])


def test_a_periodic_motion_has_its_orbit_as_arrays_and_its_limits() -> None:
    m = taut.load(in_program("duffing"))
    found = m.periodic(w=1.2)
    assert found.multipliers.dtype == complex and np.allclose(np.abs(found.multipliers), np.exp(-0.05 * found.period))
    assert found.orbit.q["x"].shape == found.orbit.t.shape and found.orbit.t[-1] == found.period
    assert np.ptp(found.orbit.q["x"]) == pytest.approx(found.highest["x"] - found.lowest["x"], rel=1e-3)
    ended = taut.load(in_program("chain")).periodic(max_seconds=0.2)
    assert ended.status == "time_limit" and "max_seconds=" in ended.hint


def test_modes_over_a_parameter() -> None:
    m = taut.load(in_program("quarter_car"))
    name = next(iter(m.parameters))
    value = m.parameters[name]
    found = theirs("modes", in_program("quarter_car"), "--at", "start", "--vary", f"{name}={value}:{2 * value}:3")
    assert plain(m.modes(at="start", vary={name: [value, 1.5 * value, 2 * value]})) == found


def test_methods() -> None:
    found = theirs("methods")
    there = {m.name for m in taut.methods()}
    assert plain(taut.methods()) == [m for m in found if m["name"] in there]


def test_compare() -> None:
    words = ["--methods", "dop853,radau", "--tols", "1e-4:1e-6:2", "--until", "1"]
    found = theirs("compare", in_program("double_pendulum"), *words, "--quiet")
    ours = taut.load(in_program("double_pendulum")).compare(methods=["dop853", "radau"], tols=[1e-4, 1e-6], until=1)
    assert list(ours) == list(found)
    assert ours.reference == found["reference"]
    for a, b in zip(ours.methods, found["methods"], strict=True):
        assert a.name == b["name"] and list(a) == list(b)
        for p, q in zip(a.points, b["points"], strict=True):
            assert {k: v for k, v in p.items() if "seconds" not in k} == {k: v for k, v in q.items() if "seconds" not in k}
    with pytest.raises(taut.ModelError, match="did you mean"):
        taut.load(in_program("double_pendulum")).compare(methods="radua")


def test_stability_over_a_parameter(tmp_path: pathlib.Path) -> None:
    model = tmp_path / "hinge.toml"
    model.write_text('[parameters]\nk = 1\nm = 1\n[coordinates]\nphi = { mass = 1, at = 0.1 }\n'
                     '[[potential]]\nenergy = "k*phi^2/2 + m*9.81*cos(phi)"\n')
    m = taut.load(model)
    values = [5 + (13 - 5) * k / 4 for k in range(5)]
    found = theirs("sweep", str(model), "--set", "m=1", "--vary", "k=5:13:5", "--at", "phi=0", "--out", str(tmp_path))
    s = m.sweep(k=values, m=1, measure="stable", at={"phi": 0})
    assert s["status"].values.tolist() == found["statuses"]
    for one in found["measures"]:
        assert s[one["name"]].values.tolist() == one["values"]
    assert s["phi"].values.tolist() == [p["q"]["phi"] for p in found["points"]]
    assert s["softest"].values.tolist() == [p["softest"] for p in found["points"]]
    assert len(found["border"]) == 1 and s["border k"].values.tolist() == [found["border"][0]["k"]]
    assert s["border stable"].values.tolist() == ["above"]
    assert abs(float(s["border k"][0]) - 9.81) < 1e-2
    for wrong in (dict(measure=["stable", "t"]), dict(measure="stable", resume="x"), dict(measure="t", at={"phi": 0})):
        with pytest.raises(ValueError):
            m.sweep(k=values, **wrong)


def test_two_axes_of_stability_lie_as_they_are_named() -> None:
    m = taut.Model(parameters={"k": 1, "c": 0}, coordinates={"x": {"mass": 1, "at": 0}},
                   potential=[{"energy": "(k + c)*x^2/2"}])
    s = m.sweep(k=[-2, 1, 3], c=[0, -2], measure="stable")
    assert s["status"].values.tolist() == [["unstable", "unstable"], ["stable", "unstable"], ["stable", "stable"]]
    border = s["border k"].values + s["border c"].values
    assert border.size and np.max(np.abs(border)) < 1e-2


def oscillator() -> str:
    return """
name = "damped oscillator"
[parameters]
k = 9
c = 0.3
[coordinates]
x = { mass = 1, at = 1, velocity = 0.5 }
[[force]]
on = "x"
value = "-k*x - c*v(x)"
"""


def test_gradient_and_optimum() -> None:
    m = taut.load(in_program("double_pendulum"))
    words = ["--measure", "rms(bob2.x)", "--measure", "end(rod 1)", "--by", "g,start(bob1.vx)", "--until", "1"]
    found = theirs("gradient", in_program("double_pendulum"), *words)
    ours = m.gradient(["rms(bob2.x)", "end(rod 1)"], by=["g", "start(bob1.vx)"], until=1)
    assert plain(ours) == found and list(ours) == list(found)
    assert ours.jacobian.shape == (2, 2) and ours.jacobian[1, 0] == found["measures"]["end(rod 1)"]["gradient"]["g"]
    best = m.optimize(minimize="end(bob2.y)", vary={"g": (5, 15)}, subject_to="max(rod 1) < 60", until=0.5)
    assert plain(best) == theirs("optimize", in_program("double_pendulum"), "--minimize", "end(bob2.y)", "--vary",
                                 "g=5:15", "--subject-to", "max(rod 1) < 60", "--until", "0.5")
    with pytest.raises(taut.ModelError, match="did you mean 'g'"):
        m.gradient("end(bob1.x)", by="G")
    with pytest.raises(ValueError, match="minimize= or maximize="):
        m.optimize(vary="g")


def test_gradients_serve_scipy_minimize() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    m = taut.Model(parameters={"c": 0.5, "k": 4}, coordinates={"x": {"mass": 1, "at": 1}},
                   force=[{"on": "x", "value": "-k*x - c*v(x)"}])

    def cost(p: Any) -> tuple[float, Any]:
        found = m.gradient("integral(x^2)", by="c", c=float(p[0]), until=30, tol=1e-10)
        return found.value, found.gradient

    best = optimize.minimize(cost, [0.5], jac=True, bounds=[(0.1, 10)], tol=1e-10)
    assert abs(best.x[0] - 2) < 1e-4


def test_gradients_serve_jax() -> None:
    jax = pytest.importorskip("jax")
    m = taut.Model(parameters={"k": 4}, coordinates={"x": {"mass": 1, "at": 1}}, potential=[{"energy": "k*x^2/2"}])

    def both(p: Any) -> tuple[Any, Any]:
        found = m.gradient("end(x)", by="k", k=float(p[0]), until=2, tol=1e-10)
        return np.float32(found.value), found.gradient.astype(np.float32)

    shapes = (jax.ShapeDtypeStruct((), np.float32), jax.ShapeDtypeStruct((1,), np.float32))

    @jax.custom_vjp  # type: ignore[untyped-decorator, unused-ignore]
    def measure(p: Any) -> Any:
        return jax.pure_callback(both, shapes, p)[0]

    measure.defvjp(lambda p: jax.pure_callback(both, shapes, p), lambda gradient, by: (by * gradient,))
    slope = jax.jit(jax.grad(lambda p: 3 * measure(p)))(np.array([4.0], dtype=np.float32))
    assert abs(slope[0] - 3 * 0.378401) < 1e-4


def test_gradients_serve_pytorch() -> None:
    torch = pytest.importorskip("torch")
    m = taut.Model(parameters={"k": 4}, coordinates={"x": {"mass": 1, "at": 1}}, potential=[{"energy": "k*x^2/2"}])

    class Measure(torch.autograd.Function):  # type: ignore[misc, name-defined, unused-ignore]
        @staticmethod
        def forward(ctx: Any, p: Any) -> Any:
            found = m.gradient("end(x)", by="k", k=float(p[0]), until=2, tol=1e-10)
            ctx.save_for_backward(torch.as_tensor(found.gradient, dtype=p.dtype))
            return p.new_tensor(found.value)

        @staticmethod
        def backward(ctx: Any, by: Any) -> Any:
            return by * ctx.saved_tensors[0]

    p = torch.tensor([4.0], dtype=torch.float64, requires_grad=True)
    (3 * Measure.apply(p)).backward()
    assert abs(p.grad[0] - 3 * 0.378401) < 1e-5


def test_fit(tmp_path: pathlib.Path) -> None:
    model = tmp_path / "oscillator.toml"
    model.write_text(oscillator())
    t = np.linspace(0.1, 4, 40)
    w = np.sqrt(4 - 0.1**2)
    x = np.exp(-0.1 * t) * (np.cos(w * t) + (0.5 + 0.1) / w * np.sin(w * t)) + 1e-3 * np.sin(37 * t)
    x[3] = np.nan
    data = tmp_path / "data.csv"
    with open(data, "w", newline="") as lines:
        csv.writer(lines).writerows([["t", "x"], *([a, "" if np.isnan(b) else b] for a, b in zip(t.tolist(), x.tolist()))])
    found = theirs("fit", str(model), str(data), "--vary", "k=1:10,c", "--vary-each", "start(v(x))", "--sigma", "x=0.001",
                   "--prior", "c=0.25+-0.1", "--loss", "huber", "--out", str(tmp_path / "out"))
    m = taut.load(model)
    given: dict[str, Any] = dict(vary={"k": (1, 10), "c": None}, vary_each="start(v(x))", sigma={"x": 0.001},
                                 prior={"c": (0.25, 0.1)}, loss="huber")
    fit = m.fit(data, **given)
    assert fit.success and plain(fit) == found
    again = m.fit({"t": t, "x": x}, **given)
    assert again.found["k"] == fit.found["k"] and abs(fit.found["k"] - 4) < 0.01 and abs(fit.found["c"] - 0.2) < 0.01
    (one,) = fit.series
    with open(tmp_path / "out" / "fit1.csv", newline="") as lines:
        rows = list(csv.DictReader(lines))
    np.testing.assert_array_equal(one["x after"], [float(r["x after"]) for r in rows])
    np.testing.assert_array_equal(one["x before"], [float(r["x before"]) for r in rows])
    copy = pickle.loads(pickle.dumps(fit))
    assert copy == fit and np.array_equal(copy.series[0]["x after"], one["x after"])
    import pandas

    assert m.fit(pandas.DataFrame({"x": x}, index=pandas.Index(t, name="t")), **given).found == again.found


@pytest.mark.parametrize("wrong, error, message", [
    (dict(data={"x": [1]}), ValueError, "no times"), (dict(data={"t": [0, 1], "x": [1]}), ValueError, "one number for each time"),
    (dict(data={"t": [1, 0], "x": [1, 2]}), ValueError, "must grow"), (dict(data=3), TypeError, "DataFrame"),
    (dict(vary=()), ValueError, "nothing varies"), (dict(vary={"k": 3}), TypeError, "lower, upper"),
    (dict(vary="kk"), taut.ModelError, "did you mean 'k'"), (dict(prior={"c": (0, 1)}), ValueError, "name it in vary="),
    (dict(loss="cubes"), taut.ModelError, "squares, huber, cauchy"), (dict(data=[]), ValueError, "no data"),
    (dict(data={"t": [0.5, 1], "y": [1, 2]}), taut.ModelError, "y"), (dict(data="none.csv"), taut.ModelError, "none.csv"),
])
def test_mistakes_of_a_fit(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    given: dict[str, Any] = {"data": {"t": [0.5, 1.0, 1.5], "x": [0.8, 0.2, -0.3]}, "vary": "k", **wrong}
    with pytest.raises(error, match=re.escape(message)):
        taut.Model(oscillator()).fit(given.pop("data"), **given)


def test_a_run_with_derivatives_is_saved_as_the_program_saves_it(tmp_path: pathlib.Path) -> None:
    file = in_program("double_pendulum")
    words = ["--until", "1", "--sensitivity", "g,start(bob1.vx)", "--no-error-estimate", "--digits", "12"]
    subprocess.run([program, "run", file, *words, "--quiet", "--out", str(tmp_path / "theirs")], check=True)
    r = taut.load(file).run(until=1, sensitivity=["g", "start(bob1.vx)"])
    saved = r.save(tmp_path / "ours", digits=12)
    assert sorted(pathlib.Path(f).name for f in saved) == sorted(p.name for p in (tmp_path / "theirs").iterdir())
    for name in ("motion.csv", "sensitivity.json"):
        assert (tmp_path / "ours" / name).read_text() == (tmp_path / "theirs" / name).read_text()


def test_the_report_of_a_folder_is_that_of_its_run(tmp_path: pathlib.Path) -> None:
    r = taut.load(in_program("double_pendulum")).run(until=1)
    r.save(tmp_path, report=False)
    assert not (tmp_path / "report.html").exists()
    assert pathlib.Path(taut.report(tmp_path)).read_text() == r.report()
    done = subprocess.run([program, "report", str(tmp_path), "--out", str(tmp_path / "theirs.html")])
    assert done.returncode == 0 and (tmp_path / "theirs.html").stat().st_size > 1e5
    with pytest.raises(FileNotFoundError, match="record.bin"):
        taut.report(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="replace"):
        taut.report(tmp_path, out=tmp_path / "record.bin")
    taut.load(in_program("double_pendulum")).run(until=1, g=1.62).save(tmp_path / "moon", report=False)
    two = pathlib.Path(taut.report(tmp_path, tmp_path / "moon", tmp_path / "two.html")).read_text()
    done = subprocess.run([program, "report", str(tmp_path), str(tmp_path / "moon"), "--out", str(tmp_path / "them.html")])
    assert done.returncode == 0
    # sentences name options as they are called here
    assert (tmp_path / "them.html").read_text().replace("--tol 1", "tol=1") == two
    (tmp_path / "record.bin").write_bytes(b"x")
    with pytest.raises(ValueError, match="record.bin"):
        taut.report(tmp_path)


def test_a_place_of_a_state_is_heeded(tmp_path: pathlib.Path) -> None:
    """z' = z - z^3 + x rests at z = -1, 0 and 1 where x = 0: the search begins where it is told to."""
    model = tmp_path / "latch.toml"
    model.write_text('[coordinates]\nx = { mass = 1, at = 0 }\n[[potential]]\nenergy = "x^2"\n'
                     '[states]\nz = { at = 0.9, rate = "z - z^3" }\n')
    for near in (-0.9, 0.9):
        found = theirs("equilibria", str(model), "--at", f"z={near}", "--starts", "1")
        ours = taut.load(model).equilibria(at={"z": near}, starts=1)
        assert plain(ours) == found
        nearest = ours.equilibria[0]
        assert abs(nearest.q["z"] - np.sign(near)) < 1e-9, nearest
