# SPDX-License-Identifier: BSD-3-Clause
"""Threads, Ctrl-C, forks, leaks, and what the wheel needs."""

import contextlib
import gc
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Iterable, Iterator

import numpy as np
import pytest

import taut

root = pathlib.Path(os.environ["TAUT_ROOT"])
file = str(root / "models" / "double_pendulum.toml")


@contextlib.contextmanager
def interrupted_soon(seconds: float = 0.3) -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # of a shell's background it is ignored
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("what", ["run", "simulation", "sweep", "stable", "compare", "functions", "force", "event", "sensitivity", "fit"])
def test_ctrl_c_interrupts(what: str) -> None:
    m, vibrated, t = taut.load(file), taut.load(root / "models" / "inverted_pendulum.toml"), np.linspace(0, 4000, 200)
    calls: dict[str, Callable[[], Any]] = {
        "run": lambda: m.run(until=1e7),
        "simulation": lambda: m.simulation(until=1e7).advance_to(1e7),
        "sweep": lambda: m.sweep(g=np.linspace(1, 20, 4), until=1e6, measure="end(bob1.x)"),
        "stable": lambda: vibrated.sweep(vmax=np.linspace(1, 3, 20000), set={"omega": 1e6}, measure="stable", at={"q": 0}),
        "force": lambda: m.run(until=1e7, forces=lambda t, q, v: 0 * q),
        "event": lambda: m.run(until=1e7, events=lambda t, q, v: q[0]),
        "sensitivity": lambda: m.run(until=1e6, sensitivity="g"),
        "fit": lambda: m.fit({"t": t, "bob1.x": np.sin(t)}, vary="g"),
        "compare": lambda: m.compare(until=5, budget=60, max_seconds=30),
        "functions": lambda: taut.solve_mechanical([1], lambda t, q, v: -q, None, (0, 1e6), [1], [0]),
    }
    begun = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), interrupted_soon():
        calls[what]()
    assert time.perf_counter() - begun < 5
    assert m.run(until=0.1).success  # nothing is left behind


def test_a_simulation_goes_on_after_ctrl_c() -> None:
    sim = taut.load(file).simulation(until=1e7)
    with pytest.raises(KeyboardInterrupt), interrupted_soon():
        sim.advance_to(1e7)
    t = sim.t
    assert 0 < t < 1e7 and sim.advance_to(t + 1) == "done" and sim.t == t + 1


def test_other_threads_go_on_while_one_computes() -> None:
    m = taut.load(file)
    counted, over = 0, threading.Event()

    def compute() -> None:
        m.run(until=1500)
        over.set()

    worker = threading.Thread(target=compute)
    worker.start()
    while not over.is_set():
        counted += 1
        time.sleep(1e-3)
    worker.join()
    assert counted > 20


def test_threads_share_a_model() -> None:
    m = taut.load(file)
    truth = {g: m.run(until=2, g=g)["bob2.y"] for g in (1.0, 5.0, 9.81)}
    wrong: list[float] = []

    def compute(g: float) -> None:
        for _ in range(10):
            if not np.array_equal(m.run(until=2, g=g)["bob2.y"], truth[g]):
                wrong.append(g)

    threads = [threading.Thread(target=compute, args=(g,)) for g in truth for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_a_simulation_serves_one_thread_at_a_time() -> None:
    sim = taut.load(file).simulation()
    told: list[str] = []

    def move() -> None:
        for _ in range(50):
            try:
                sim.advance_to(sim.t + 1)
            except RuntimeError as error:
                told.append(str(error))
            except taut.ModelError:  # another thread was there already
                pass

    threads = [threading.Thread(target=move) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("one thread at a time" in t for t in told)
    end = sim.t
    assert sim.advance_to(end + 1) == "done" and np.isfinite(sim["energy"])


def test_a_forked_child_computes_and_exits() -> None:
    m = taut.load(file)
    m.sweep(g=[1, 2, 3], until=1, measure="end(bob1.x)")  # threads are there
    child = os.fork()
    if child == 0:
        os._exit(0 if m.run(until=1).success else 1)
    begun = time.monotonic()
    while time.monotonic() - begun < 30:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child hangs")


def test_nothing_leaks() -> None:
    m = taut.load(file)

    def round_trip() -> None:
        r = m.run(until=0.1, forces=lambda t, q, v: 0 * q, events=lambda t, q, v: q[0])
        r["bob1.x"], r(0.05)["rod 1"], r.summary
        sim = m.simulation(until=1)
        sim.advance_to(0.01)
        try:
            m.run(untill=1)
        except taut.ModelError:
            pass
        m.sweep(g=[1.0], until=0.01, measure="end(bob1.x)")

    for _ in range(20):
        round_trip()
    gc.collect()
    before, objects = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, len(gc.get_objects())
    for _ in range(100):
        round_trip()
    gc.collect()
    assert len(gc.get_objects()) - objects < 250
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3000  # kB: 30 for each round


def test_nanobind_finds_no_leak_at_exit() -> None:
    code = f"import taut; m = taut.load({file!r}); r = m.run(until=1); r(0.5); s = m.simulation()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and "leaked" not in done.stderr, done.stderr


def test_the_wheel_installed_alone_needs_nothing_of_the_system(tmp_path: pathlib.Path) -> None:
    """In an empty environment beside NumPy, without any variable: whatever is loaded besides what Python and NumPy load is
    the wheel's, or the C and C++ runtime that every manylinux system has."""
    wheel = next(pathlib.Path(os.environ["TAUT_WHEEL"]).glob("taut-*.whl"))
    assert "manylinux" in wheel.name and wheel.stat().st_size < 6e6
    place = tmp_path / "empty"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    uv = pathlib.Path(sys.executable).parent / "uv"
    subprocess.run([str(uv), "pip", "install", "--quiet", "--no-deps", "--python", str(place / "bin" / "python"), str(wheel)], check=True)
    packages = next((place / "lib").glob("python*/site-packages"))
    there = pathlib.Path(np.__file__).parent
    for folder in (there, there.with_name("numpy.libs")):
        if folder.exists():
            (packages / folder.name).symlink_to(folder)
    code = f"""
import sys, taut
assert taut.__file__.startswith({str(place)!r}), taut.__file__
m = taut.load({file!r})
r = m.run(until=1)
assert r.success and "<script" in r.report() and r.save({str(tmp_path / "out")!r})
m.sweep(g=[1, 2, 3], until=0.1, measure="end(bob1.x)"), m.check(), m.modes(at="start")
bad = {{'scipy', 'pandas', 'xarray', 'matplotlib', 'sympy', 'tqdm', 'distributed'}} & set(sys.modules)
assert not bad, bad
"""

    def loaded(script: str) -> set[str]:
        done = subprocess.run([str(place / "bin" / "python"), "-c", script + '\nprint(open("/proc/self/maps").read())'],
                              env={}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return {line.split()[-1] for line in done.stdout.splitlines() if ".so" in line}

    added = loaded(code) - loaded("import hashlib, json, numpy")
    assert any("_taut" in name for name in added)
    runtime = re.compile(r"/(libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt)\.so")
    assert not [name for name in added if not name.startswith((str(place), f"{sys.base_prefix}/lib/python3")) and not runtime.search(name)]


def test_the_module_shows_one_symbol() -> None:
    from taut import _taut

    assert _taut.__file__
    told = subprocess.run(["nm", "-D", "--defined-only", _taut.__file__], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in told.splitlines()] == ["PyInit__taut"]


def test_the_source_distribution_is_built_without_node(tmp_path: pathlib.Path) -> None:
    """It is configured where there is no node, and no command of the build is node's."""
    build = pathlib.Path(os.environ["TAUT_PROGRAM"]).parents[1]
    subprocess.run([str(root / "tools" / "make_sdist"), str(build), str(tmp_path)], check=True, capture_output=True)
    archive = next(tmp_path.glob("taut-*.tar.gz"))
    subprocess.run(["tar", "-C", str(tmp_path), "-xzf", str(archive)], check=True)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("cmake", "ninja", "c++", "cc", "ar", "ranlib", "ld", "as", "nm", "strip", "sh", "env"):
        (tools / name).symlink_to(str(shutil.which(name)))
    environment = {"PATH": str(tools), "HOME": str(tmp_path)}
    configure = ["cmake", "-G", "Ninja", "-S", str(archive)[: -len(".tar.gz")], "-B", str(tmp_path / "build"),
                 f"-DPython_EXECUTABLE={sys.executable}"]
    done = subprocess.run(configure, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    commands = subprocess.run(["ninja", "-C", str(tmp_path / "build"), "-t", "commands", "_taut"], env=environment,
                              capture_output=True, text=True, check=True).stdout
    assert "page_assets.cpp" in commands and not re.search(r"(^|[ /])(node|npm|npx) ", commands, re.M)


def test_types_are_checked(tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", str(root / "python" / "pyproject.toml"),
                           "--cache-dir", os.environ["TAUT_MYPY"], str(root / "python" / "taut"), str(root / "python" / "test")],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    there = {p.name for p in pathlib.Path(taut.__file__).parent.iterdir()}
    assert {"py.typed", "_taut.pyi"} <= there


def test_stubs_name_what_the_module_has() -> None:
    """Neither more nor less: class by class, name by name."""
    import ast

    from taut import _taut

    def public(names: Iterable[str]) -> set[str]:
        return {n for n in names if not n.startswith("_") or n in ("__getitem__", "__setitem__")}

    stub = ast.parse((root / "python" / "taut" / "_taut.pyi").read_text())
    functions = {n.name for n in stub.body if isinstance(n, ast.FunctionDef)}
    classes = {n.name: {f.name for f in n.body if isinstance(f, ast.FunctionDef)}
               for n in stub.body if isinstance(n, ast.ClassDef)}
    there = {n: getattr(_taut, n) for n in dir(_taut) if not n.startswith("_")}
    assert {n for n, x in there.items() if not isinstance(x, type)} == functions
    assert {n for n, x in there.items() if isinstance(x, type)} == set(classes)
    for name, methods in classes.items():
        assert public(vars(there[name])) == public(methods), name
