# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps, here and on executors: the same numbers everywhere."""

import concurrent.futures
import importlib.util
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import taut

root = pathlib.Path(os.environ["TAUT_ROOT"])
grid: dict[str, Any] = dict(g=[1 + 19 * k / 6 for k in range(7)], until=1, measure=["max(lambda(rod 1))", "end(bob1.x)"])


@pytest.fixture(scope="module")
def model() -> taut.Model:
    return taut.load(root / "models" / "double_pendulum.toml")


@pytest.fixture(scope="module")
def here(model: taut.Model):  # type: ignore[no-untyped-def]
    return model.sweep(**grid)


def same(a, b) -> None:  # type: ignore[no-untyped-def]
    for measure in grid["measure"]:
        np.testing.assert_array_equal(a[measure].values, b[measure].values)


def test_a_sweep_has_the_numbers_of_the_program(model: taut.Model, here, tmp_path) -> None:  # type: ignore[no-untyped-def]
    subprocess.run([os.environ["TAUT_PROGRAM"], "sweep", str(root / "models/double_pendulum.toml"), "--vary",
                    "g=1:20:7", "--until", "1", "--measure", "end(bob1.x)", "--measure",
                    "max(lambda(rod 1))", "--quiet", "--out", str(tmp_path)], check=True)
    import csv

    with open(tmp_path / "sweep.csv", newline="") as lines:
        rows = list(csv.DictReader(lines))
    np.testing.assert_array_equal([float(r["end(bob1.x)"]) for r in rows], here["end(bob1.x)"].values)
    np.testing.assert_array_equal([float(r["max(lambda(rod 1))"]) for r in rows],
                                  here["max(lambda(rod 1))"].values)


def test_process_pool(model: taut.Model, here) -> None:  # type: ignore[no-untyped-def]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        same(here, model.sweep(**grid, executor=pool, chunk=2))


def test_pools(model: taut.Model, here) -> None:  # type: ignore[no-untyped-def]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        same(here, model.sweep(**grid, executor=pool, chunk=2))


def test_ray(model: taut.Model, here) -> None:  # type: ignore[no-untyped-def]
    ray = pytest.importorskip("ray.util.multiprocessing")
    with ray.Pool(2) as pool:
        same(here, model.sweep(**grid, executor=pool, chunk=2))


def test_dask(model: taut.Model, here) -> None:  # type: ignore[no-untyped-def]
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            same(here, model.sweep(**grid, executor=client.get_executor(), chunk=2))


@pytest.mark.skipif(importlib.util.find_spec("mpi4py") is None or shutil.which("mpiexec") is None,
                    reason="mpi4py or mpiexec is not there")
def test_mpi(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "mpi.py"
    script.write_text(
        "import taut, numpy as np\nfrom mpi4py.futures import MPIPoolExecutor\n"
        "if __name__ == '__main__':\n"
        f"    m = taut.load({str(root / 'models/double_pendulum.toml')!r})\n"
        "    o = dict(g=[1, 2, 3, 4], until=1, measure='end(bob1.x)')\n"
        "    with MPIPoolExecutor() as e:\n"
        "        assert (m.sweep(**o, executor=e)['end(bob1.x)'].values == m.sweep(**o)['end(bob1.x)'].values).all()\n")
    subprocess.run(["mpiexec", "--oversubscribe", "--allow-run-as-root", "-n", "2", sys.executable, "-m",
                    "mpi4py.futures", str(script)], check=True, timeout=120)


def test_a_sweep_goes_on(model: taut.Model, here, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    journal = tmp_path / "journal"

    class Stop(Exception):
        pass

    def after_two(fraction: float) -> None:
        if fraction > 0.5:
            raise Stop

    with pytest.raises(Stop):
        model.sweep(**grid, resume=journal, chunk=2, threads=1, progress=after_two)
    kept = journal.read_text().splitlines()
    assert 1 < len(kept) < 5
    journal.write_text(journal.read_text() + '[3, [[0')  # cut off while it was written
    same(here, model.sweep(**grid, resume=journal, chunk=2))
    assert journal.read_text().splitlines()[: len(kept)] == kept
    # what is done has the chunks it was done in, whoever goes on with it
    model.sweep(**grid, resume=journal, chunk=5, executor=concurrent.futures.ThreadPoolExecutor(3))
    assert journal.read_text().splitlines()[: len(kept)] == kept
    with pytest.raises(ValueError, match="another sweep"):
        model.sweep(g=[1, 2], until=1, measure="end(bob1.x)", resume=journal)


def test_runs_side_by_side_have_the_bits_of_runs_one_by_one(model: taut.Model) -> None:
    ends: dict[str, Any] = dict(g=np.linspace(1, 20, 40), until=1, measure=["end(bob1.x)", "steps"])
    together, alone = model.sweep(**ends), model.sweep(**ends, one_by_one=True)
    in_chunks = model.sweep(**ends, executor=concurrent.futures.ThreadPoolExecutor(2), chunk=11)
    for measure in ends["measure"]:
        np.testing.assert_array_equal(together[measure], alone[measure])
        np.testing.assert_array_equal(together[measure], in_chunks[measure])
    assert set(together["method"].values) == {"dop853"}


def test_grids_of_two_and_runs_that_fail() -> None:
    m = taut.Model(parameters={"k": 1, "l": 1}, coordinates={"x": {"mass": 1, "at": "l"}},
                   potential=[{"energy": "k*x^2/2"}])
    s = m.sweep(k=[1, 4, 9], l=[1, 2], until=1, measure="end(x)")
    assert s["end(x)"].shape == (3, 2)
    for i, k in enumerate((1, 2, 3)):
        assert abs(float(s["end(x)"][i, 1]) - 2 * np.cos(k)) < 1e-6
    bad = taut.Model(parameters={"c": 2}, coordinates={"x": {"mass": "c"}}).sweep(
        c=[-1, 1], until=1, measure="end(x)")
    assert bad["status"].values.tolist() == ["bad_input", "done"] and bad["reason"].values[0]
    assert bad["reason"].dtype == object  # of a fixed width it would take that width for every run


def test_events_of_a_call_are_measured(model: taut.Model) -> None:
    s = model.sweep(g=[5.0, 9.81], until=2, measure="event(low)", events={"low": "bob1.x"})
    for g, t in zip((5.0, 9.81), s["event(low)"].values):
        assert model.run(until=2, g=g, events={"low": "bob1.x"}).events[0].t == t
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        there = model.sweep(g=[5.0, 9.81], until=2, measure="event(low)", events={"low": "bob1.x"}, executor=pool)
    np.testing.assert_array_equal(s["event(low)"], there["event(low)"])


def test_start_values_vary() -> None:
    m = taut.Model(parameters={"k": 1}, coordinates={"x": {"mass": 1, "at": 1}}, potential=[{"energy": "k*x^2/2"}])
    s = m.sweep(vary={"start(v(x))": [0, 1, 2]}, k=[1, 4], until=0.5, rtol=1e-10, measure="end(x)", set={"start(x)": 3})
    assert s["end(x)"].dims == ("k", "start(v(x))") and s["start(v(x))"].values.tolist() == [0, 1, 2]
    for k in (1, 4):
        w = np.sqrt(k)
        np.testing.assert_allclose(s["end(x)"].sel(k=k), 3 * np.cos(w / 2) + np.array([0, 1, 2]) * np.sin(w / 2) / w, atol=1e-8)


@pytest.mark.parametrize("wrong, message", [
    (dict(gg=[1, 2]), "did you mean 'g'"), (dict(measure="largest(x)"), "measure"),
    (dict(g=[]), "at least one"), (dict(g=3), "nothing varies"), (dict(g=[[1], [2]]), "dimensions"),
    (dict(executor=3), "no executor"),
])
def test_mistakes(model: taut.Model, wrong: dict[str, Any], message: str) -> None:
    given = {**grid, **wrong} if "gg" not in wrong else {**wrong, "until": 1, "measure": "end(bob1.x)"}
    with pytest.raises((taut.ModelError, ValueError, TypeError), match=message):
        model.sweep(**given)


def test_without_xarray(model: taut.Model, here, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setitem(sys.modules, "xarray", None)
    s = model.sweep(**grid)
    assert isinstance(s, taut.Sweep) and list(s.axes) == ["g"]
    np.testing.assert_array_equal(s["end(bob1.x)"], here["end(bob1.x)"].values)


def test_drawn_runs_are_those_of_the_program(model: taut.Model, tmp_path: pathlib.Path) -> None:
    import csv
    import json

    words = ["--sample", "300", "--distribution", "g=normal(9.81,0.1)", "--sampling", "sobol", "--until", "1",
             "--measure", "end(bob1.x)", "--probability", "end(bob1.x) > 0"]
    printed = subprocess.run([os.environ["TAUT_PROGRAM"], "sweep", str(root / "models/double_pendulum.toml"), *words,
                              "--json", "--out", str(tmp_path)], check=True, capture_output=True, text=True).stdout
    s = model.sweep(sample=300, distribution="g=normal(9.81,0.1)", sampling="sobol", until=1,
                    measure="end(bob1.x)", probability="end(bob1.x) > 0")
    theirs, ours = json.loads(printed), s.attrs["statistics"]
    for key in ("measures", "probabilities", "design", "pictured", "runs", "failed"):
        assert ours[key] == theirs[key], key
    with open(tmp_path / "sweep.csv", newline="") as lines:
        rows = list(csv.DictReader(lines))
    np.testing.assert_array_equal([float(r["g"]) for r in rows], s["g"].values)
    np.testing.assert_array_equal([float(r["end(bob1.x)"]) for r in rows], s["end(bob1.x)"].values)
    with pytest.raises(taut.ModelError, match="no distribution"):
        model.sweep(sample=10, distribution="g=9", measure="t")
    with pytest.raises(ValueError, match="sample="):
        model.sweep(g=[1, 2], measure="t", distribution="g=normal(1,1)")


def test_an_ensemble_is_that_of_the_program() -> None:
    m = taut.load(str(root / "models" / "double_pendulum.toml"))
    found = m.run(ensemble=20, until=0.5, distribution="g=uniform(5,10)", seed=3, quantiles=[0.5])
    runs = [m.run(until=0.5, g=g, t_eval=found.t)["bob2.y"] for g in np.linspace(5, 10, 3)]
    column = found.columns["bob2.y"]
    assert column.mean.shape == found.t.shape and found.count[-1] == 20
    # a heavier field makes it lower: every run lies between those of the ends
    assert np.all(column.least[1:] >= runs[2][1:] - 1e-6) and np.all(column.greatest[1:] <= runs[0][1:] + 1e-6)
    assert not found.lyapunov.exponential and "too few" in found.lyapunov.reason
    again = m.run(ensemble=20, until=0.5, distribution="g=uniform(5,10)", seed=3, quantiles=[0.5], threads=1)
    assert np.array_equal(again.columns["bob2.y"].mean, column.mean)
    with pytest.raises(ValueError, match="give ensemble="):
        m.run(spread=1e-3)
