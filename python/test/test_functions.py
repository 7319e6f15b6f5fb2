# SPDX-License-Identifier: BSD-3-Clause
"""Functions of Python: forces, whole systems, SymPy's mechanics; the run in the hand."""

import gc
import os
import pathlib
import weakref
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import (KanesMethod, LagrangesMethod, Particle, PinJoint, Point, ReferenceFrame, RigidBody,
                                     System, dynamicsymbols, inertia)

import taut

root = pathlib.Path(os.environ["TAUT_ROOT"])


def oscillator() -> taut.Model:
    return taut.Model(coordinates={"x": {"mass": 1, "at": 1}, "y": {"mass": 1}})


@pytest.mark.parametrize("method", ["dop853", "radau", "rattle"])
def test_a_force_of_python_is_as_a_formula(method: str) -> None:
    formula = taut.Model(coordinates={"x": {"mass": 1, "at": 1}, "y": {"mass": 1}},
                         force=[{"on": "x", "value": "-x^3 - 0.1*v(x)"}])
    options: dict[str, Any] = {"step": 1e-3} if method == "rattle" else {"rtol": 1e-9}
    truth = formula.run(until=5, method=method, **options)
    force = taut.Force(lambda t, q, v: -q**3 - 0.1 * v, on="x")
    r = oscillator().run(until=5, method=method, forces=force, **options)
    assert r.success and abs(r["x"][-1] - truth["x"][-1]) < 1e-7
    exact = taut.Force(lambda t, q, v: -q**3 - 0.1 * v, on="x",
                       jac=lambda t, q, v: ([[-3 * q[0] ** 2]], [[-0.1]]))
    assert abs(oscillator().run(until=5, method=method, forces=exact, **options)["x"][-1]
               - truth["x"][-1]) < 1e-7
    assert abs(r(2.5)["x"] - truth(2.5)["x"]) < 1e-6


def test_what_a_force_raises_is_raised() -> None:
    def broken(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        if t > 0.5:
            raise ZeroDivisionError("there")
        return -q

    with pytest.raises(ZeroDivisionError, match="there"):
        oscillator().run(until=1, forces=broken)
    with pytest.raises(ValueError, match="shape"):
        oscillator().run(until=1, forces=lambda t, q, v: [1.0, 2.0, 3.0])
    with pytest.raises(taut.ModelError, match="coordinates are: x, y"):
        oscillator().run(until=1, forces={"z": lambda t, q, v: q})
    with pytest.raises(TypeError, match="function"):
        oscillator().run(until=1, forces=3)


def test_functions_that_know_their_result_are_collected() -> None:
    class Controller:
        def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            return -q

    controller = Controller()
    controller.result = oscillator().run(until=0.1, forces=controller)  # type: ignore[attr-defined]
    gone = weakref.ref(controller)
    del controller
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("method", [None, "radau", "dop853"])
def test_solve_mechanical_is_the_pendulum(method: str | None) -> None:
    from scipy.integrate import solve_ivp

    truth = solve_ivp(lambda t, s: [s[1], -9.81 * np.sin(s[0])], (0, 3), [np.pi / 2, 0],
                      rtol=1e-12, atol=1e-12, method="DOP853")
    options: dict[str, Any] = dict(rtol=1e-9, method=method)
    for g, G in ((lambda q: q @ q - 1, None), (lambda q: [q @ q - 1], lambda q: [2 * q]),
                 (lambda t, q: np.abs(q) @ np.abs(q) - 1, None)):
        r = taut.solve_mechanical(np.eye(2), lambda t, q, v: [0, -9.81], g, (0, 3), [1, 0], [0, 0],
                                  G=G, **options)
        assert r.success
        assert abs(r["q0"][-1] - np.sin(truth.y[0, -1])) < 1e-6
        assert np.max(np.abs(r["q0"] ** 2 + r["q1"] ** 2 - 1)) < 1e-12


def test_solve_mechanical_with_a_mass_that_depends_on_q() -> None:
    """A double pendulum in angles against the same as a model."""
    def M(q: np.ndarray) -> np.ndarray:
        c = np.cos(q[0] - q[1])
        return np.array([[2, c], [c, 1]])

    def f(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        s = np.sin(q[0] - q[1])
        return np.array([-s * v[1] ** 2 - 2 * 9.81 * np.sin(q[0]), s * v[0] ** 2 - 9.81 * np.sin(q[1])])

    r = taut.solve_mechanical(M, f, None, (0, 2), [np.pi / 2, np.pi], [0, 0], rtol=1e-10)
    m = taut.Model(points={"a": {"mass": 1, "at": [1, 0]}, "b": {"mass": 1, "at": [1, 1]}},
                   rod=[{"between": ["origin", "a"]}, {"between": ["a", "b"]}],
                   gravity=[{"acceleration": [0, -9.81]}])
    truth = m.run(until=2, rtol=1e-10)
    assert abs(np.sin(r["q0"][-1]) - truth["a.x"][-1]) < 1e-6


@pytest.mark.parametrize("wrong, message", [
    (dict(M=np.eye(3)), "shape"), (dict(f=lambda t, q, v: [1.0]), "coordinates"),
    (dict(M=[[1, 2], [0, 1]]), "symmetric"), (dict(v0=[0]), "same length"),
    (dict(G=lambda q: [[1.0, 1.0]]), "derivative of g"), (dict(G=lambda q: [[1.0]]), "shape"),
])
def test_wrong_shapes_are_told(wrong: dict[str, Any], message: str) -> None:
    given = dict(M=np.eye(2), f=lambda t, q, v: [0, -9.81], g=lambda q: q @ q - 1, t_span=(0, 1),
                 q0=[1, 0], v0=[0, 0])
    with pytest.raises((ValueError, TypeError), match=message):
        taut.solve_mechanical(**{**given, **wrong})


def test_a_controller_holds_a_pendulum_upright() -> None:
    m = taut.Model(inputs={"tau": 0}, parameters={"g": 9.81},
                   coordinates={"phi": {"mass": 1, "at": 0.1}},
                   potential=[{"energy": "g*cos(phi)"}], force=[{"on": "phi", "value": "tau"}])
    sim = m.simulation(until=5)
    saved = sim.save()
    first = []
    for _ in range(2):
        while sim.t < 1:
            sim["tau"] = -40 * sim["phi"] - 8 * sim["v(phi)"]
            assert sim.advance_to(sim.t + 1e-2) == "done"
        first.append(sim["phi"])
        sim.restore(saved)
    assert abs(first[0]) < 0.02 and first[0] == first[1]
    assert sim.t == 0 and sim["tau"] == 0
    sim["g"] = 1.0
    assert sim["g"] == 1.0 and sim.value("g*2") == 2.0
    with pytest.raises(taut.ModelError, match="tau"):
        sim["tua"] = 1
    with pytest.raises(taut.ModelError, match="before the present"):
        sim.advance_to(-1)
    sim.set_state([0.2], [0.0])
    assert sim["phi"] == 0.2 and sim.q[0] == 0.2
    r = sim.finish()
    assert isinstance(r, taut.Result)
    with pytest.raises(ValueError, match="finished"):
        sim.advance_to(9)


@pytest.mark.parametrize("name", ["bouncing_ball", "breaking_rod", "centrifugal_clutch", "hoist", "rough_hoop", "rolling_coin", "slack_rope"])
def test_a_force_of_python_that_is_zero_changes_nothing(name: str) -> None:
    """Neither events that act nor switches, multipliers in formulas or rolling: the same steps."""
    m = taut.load(root / "models" / f"{name}.toml")
    plain, with_zero = m.run(), m.run(forces=lambda t, q, v: 0 * v)
    assert with_zero.status == plain.status and with_zero.summary.steps == plain.summary.steps
    np.testing.assert_array_equal(with_zero.q[-1], plain.q[-1])
    assert [e.t for e in with_zero.events] == [e.t for e in plain.events]


def test_solve_mechanical_has_events_and_leaves_what_it_is_given() -> None:
    def lowest(t: float, q: np.ndarray, v: np.ndarray) -> float:
        return float(q[0])

    def greedy(t: float, q: np.ndarray, v: np.ndarray) -> list[float]:
        q[:] = 0
        return [0.0, -9.81]

    q0 = np.array([1.0, 0.0])
    pendulum: dict[str, Any] = dict(M=np.eye(2), f=lambda t, q, v: [0.0, -9.81], g=lambda q: float(q[0]) ** 2 + float(q[1]) ** 2 - 1,
                                    t_span=(0, 3), q0=q0, v0=[0, 0], rtol=1e-7)
    r = taut.solve_mechanical(**pendulum, events={"low": {"zero": lowest, "direction": "falling", "stop_after": 2}})
    truth = taut.Model(points={"b": {"mass": 1, "at": [1, 0]}}, rod=[{"between": ["origin", "b"]}],
                       gravity=[{"acceleration": [0, -9.81]}]).run(3, rtol=1e-10, events={"low": {"zero": "b.x", "direction": "falling"}})
    assert q0[0] == 1 and r.status == "stopped_by_event" and len(r.events) == 2
    np.testing.assert_allclose([e.t for e in r.events], [e.t for e in truth.events[:2]], atol=1e-5)
    with pytest.raises(TypeError, match="no formulas"):
        taut.solve_mechanical(**pendulum, events="q0")
    with pytest.raises(ValueError, match="read-only"):
        taut.solve_mechanical(**{**pendulum, "f": greedy})
    with pytest.raises(ValueError, match="read-only"):  # later, too
        taut.solve_mechanical(**{**pendulum, "f": lambda t, q, v: greedy(t, q, v) if t > 1 else [0.0, -9.81]})
    with pytest.raises(TypeError, match="complex"):
        taut.solve_mechanical(**{**pendulum, "f": lambda t, q, v: [0, 1j]})


def test_a_force_of_python_stays_when_inputs_and_parameters_are_set() -> None:
    """The same force as a formula is the truth: x'' = (u - k x)/m - x."""
    tables: dict[str, Any] = dict(parameters={"k": 3.0}, inputs={"u": 0}, coordinates={"x": {"mass": 1, "at": 1}})
    driven = taut.Model(**tables, force=[{"on": "x", "value": "u - k*x"}])
    truth = taut.Model(**tables, force=[{"on": "x", "value": "u - k*x - x"}])
    a = driven.simulation(forces=lambda t, q, v: -q, rtol=1e-10)
    b = truth.simulation(rtol=1e-10)
    for name, value in (("u", 2.0), ("k", 0.5), ("u", -1.0)):
        for sim in (a, b):
            sim[name] = value
            assert sim.advance_to(sim.t + 1) == "done"
        assert abs(a["x"] - b["x"]) < 1e-8 and abs(a["v(x)"] - b["v(x)"]) < 1e-8
    assert abs(driven.run(until=3, k=8, rtol=1e-10, forces=lambda t, q, v: -q)["x"][-1] - np.cos(9)) < 1e-7
    floor = {"floor": {"zero": "x", "then": {"v(x)": "-v(x)", "k": "k + 1"}}}
    ends = [m.run(until=3, rtol=1e-10, events=floor, forces=f)["x"][-1]
            for m, f in ((driven, lambda t, q, v: -q), (truth, None))]
    assert abs(ends[0] - ends[1]) < 1e-7


class Counter:
    """An event with a state of its own, and the attributes that SciPy's have."""

    terminal, direction = 2, -1

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        self.calls += 1
        return float(q[0])


def test_events_are_functions_of_python() -> None:
    swing = taut.Model(coordinates={"x": {"mass": 1, "at": 1}, "y": {"mass": 1, "at": 5}}, potential=[{"energy": "x^2/2"}])
    formula = swing.run(until=10, rtol=1e-10, events={"zero": "x"})

    def falls_through(t: float, q: np.ndarray, v: np.ndarray) -> Any:
        return q[0]

    function = swing.run(until=10, rtol=1e-10, events=falls_through)
    assert [e.name for e in function.events] == ["falls_through"] * 3
    np.testing.assert_allclose([e.t for e in function.events], [e.t for e in formula.events], atol=1e-9)
    np.testing.assert_allclose([e.t for e in formula.events], np.pi * np.array([0.5, 1.5, 2.5]), atol=1e-9)
    counter = Counter()
    r = swing.run(until=20, rtol=1e-10, events=[counter, {"zero": lambda t, q, v: q[0] - 5 + v[0], "on": ["y"], "name": "never"}])
    assert r.status == "stopped_by_event" and abs(r.t[-1] - 2.5 * np.pi) < 1e-9 and counter.calls > 10
    assert abs(r(3.0)["x"] - np.cos(3)) < 1e-8
    # what it does is a formula, and counts in the hand, too; beside forces of Python and inputs
    ball = taut.Model(inputs={"wind": 0}, coordinates={"y": {"mass": 1, "at": 5}, "x": {"mass": 1}},
                      force=[{"on": "x", "value": "wind"}])
    bounce = {"floor": {"zero": lambda t, q, v: q[0], "direction": "falling", "then": {"v(y)": "-0.8*v(y)"}}}
    weight = taut.Force(lambda t, q, v: [-10.0], on="y", uses_velocity=False, uses_time=False)
    sim = ball.simulation(events=bounce, forces=weight, rtol=1e-10)
    sim["wind"] = 2.0
    assert sim.advance_to(1.5) == "done" and abs(sim["y"] - (8 * 0.5 - 5 * 0.25)) < 1e-8
    assert abs(sim["x"] - 1.5**2) < 1e-8 and len(sim.events) == 1
    sim["x"] = 7.0  # a state, beside inputs and parameters
    assert sim["x"] == 7 and sim.advance_to(1.6) == "done" and sim["x"] > 7 and "x" in sim and "z" not in sim
    inline = taut.Model('coordinates = { x = { mass = 1, at = 1 } }\npotential = [{ energy = "x^2/2" }]\nevent = [{ name = "a", zero = "x" }]')
    both = inline.run(until=2, events=[falls_through, {"name": "half", "zero": "x - 0.5"}])
    assert [e.name for e in both.events] == ["half", "a", "falls_through"] or [e.name for e in both.events] == ["half", "falls_through", "a"]
    with pytest.raises(ZeroDivisionError):
        swing.run(until=1, events=lambda t, q, v: 1 / (t - t))
    with pytest.raises(ValueError, match="jets"):
        taut.load(root / "models" / "plug_flow.toml").run(events=lambda t, q, v: 1)


def test_lagrange_with_a_constraint_from_sympy() -> None:
    x, y = dynamicsymbols("x y")
    t = dynamicsymbols._t
    m, g = sympy.symbols("m g")
    L = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y
    method = LagrangesMethod(L, [x, y], hol_coneqs=[x**2 + y**2 - 1])
    method.form_lagranges_equations()
    model = taut.from_sympy(method, {m: 2, g: 9.81}, at={x: 1})
    truth = taut.Model(points={"bob": {"mass": 2, "at": [1, 0]}}, rod=[{"between": ["origin", "bob"]}],
                       gravity=[{"acceleration": [0, -9.81]}]).run(until=3, rtol=1e-10)
    r = model.run(until=3, rtol=1e-10)
    assert r.success and abs(r["x"][-1] - truth["bob.x"][-1]) < 1e-7
    assert abs(model.run(until=3, g=1)["x"][-1] - r["x"][-1]) > 1e-3
    with pytest.raises(ValueError, match="no value for g"):
        taut.from_sympy(method, {m: 2})


def test_kane_with_a_mass_that_depends_on_q_from_sympy() -> None:
    """An elastic pendulum in polar coordinates, against the same in x and y."""
    r_, th, u1, u2 = dynamicsymbols("r th u1 u2")
    k, m, g = sympy.symbols("k m g")
    N = ReferenceFrame("N")
    O, P = Point("O"), Point("P")
    O.set_vel(N, 0)
    er = sympy.sin(th) * N.x - sympy.cos(th) * N.y
    P.set_pos(O, r_ * er)
    P.set_vel(N, (r_ * er).dt(N).subs({r_.diff(): u1, th.diff(): u2}))
    particle = Particle("p", P, m)
    kane = KanesMethod(N, q_ind=[r_, th], u_ind=[u1, u2], kd_eqs=[r_.diff() - u1, th.diff() - u2])
    kane.kanes_equations([particle], [(P, -m * g * N.y - k * (r_ - 1) * er)])
    model = taut.from_sympy(kane, {k: 50, m: 1, g: 9.81}, at={r_: 1.2, th: 1})
    a = model.run(until=2, rtol=1e-10)
    b = taut.Model(points={"p": {"mass": 1, "at": [1.2 * np.sin(1), -1.2 * np.cos(1)]}},
                   spring=[{"between": ["origin", "p"], "stiffness": 50, "length": 1}],
                   gravity=[{"acceleration": [0, -9.81]}]).run(until=2, rtol=1e-10)
    assert a.success and abs(a["r"][-1] * np.sin(a["th"][-1]) - b["p.x"][-1]) < 1e-7


def test_a_rolling_disc_of_sympy_with_speeds_of_its_own() -> None:
    """Speeds are rates about axes of the disc, not velocities of coordinates; SymPy's own equations are the truth."""
    from scipy.integrate import solve_ivp

    q = q1, q2, q3 = dynamicsymbols("q1 q2 q3")
    u = u1, u2, u3 = dynamicsymbols("u1 u2 u3")
    r, m, g = sympy.symbols("r m g")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    turning = R.ang_vel_in(N)
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    C = Point("C")
    C.set_vel(N, 0)
    centre = C.locatenew("centre", r * L.z)
    centre.v2pt_theory(C, N, R)
    disc = RigidBody("disc", centre, R, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    kane = KanesMethod(N, q_ind=list(q), u_ind=list(u), kd_eqs=[(R.ang_vel_in(N) - turning) & axis for axis in L])
    kane.kanes_equations([disc], [(centre, -m * g * Y.z)])
    values, start = {r: 1.0, m: 1.0, g: 9.81}, [0.1, 0.4, 0.2, 0.3, -3.0, 1.0]
    model = taut.from_sympy(kane, values, at=dict(zip(q, start)), velocity=dict(zip(u, start[3:])))
    motion = model.run(until=2, rtol=1e-10)
    rates = sympy.lambdify([*q, *u], [kane.kindiffdict()[qi.diff()] for qi in q])
    forward = sympy.lambdify([*q, *u], kane.mass_matrix.LUsolve(kane.forcing).subs(values))
    truth = solve_ivp(lambda t, s: [*rates(*s), *np.ravel(forward(*s))], (0, 2), start, rtol=1e-11, atol=1e-11, method="DOP853")
    np.testing.assert_allclose([motion[str(x.func)][-1] for x in (*q, *u)], truth.y[:, -1], atol=1e-7)


def test_conditions_on_velocities_from_sympy() -> None:
    """A knife edge on a plane goes down by g sin(w t)^2/(2 w^2): of Lagrange's method, and of Kane's with a dependent speed."""
    x, y, p, ux, uy, up = dynamicsymbols("x y p ux uy up")
    m, J, g = sympy.symbols("m J g")
    t = dynamicsymbols._t
    edge = x.diff(t) * sympy.sin(p) - y.diff(t) * sympy.cos(p)
    lagrange = LagrangesMethod(m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 + J * p.diff(t) ** 2 / 2 + m * g * x, [x, y, p],
                               nonhol_coneqs=[edge])
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [p, N.z])
    A.set_ang_vel(N, up * N.z)
    O = Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, ux * N.x + uy * N.y)
    kane = KanesMethod(N, q_ind=[x, y, p], u_ind=[ux, up], u_dependent=[uy],
                       kd_eqs=[x.diff(t) - ux, y.diff(t) - uy, p.diff(t) - up],
                       velocity_constraints=[ux * sympy.sin(p) - uy * sympy.cos(p)])
    kane.kanes_equations([RigidBody("body", P, A, m, (inertia(A, 0, 0, J), P))], [(P, m * g * N.x)])
    for method, spin in ((lagrange, "p"), (kane, up)):
        model = taut.from_sympy(method, {m: 1, J: 0.1, "g": 4.0}, velocity={spin: 2.0})
        motion = model.run(until=3, rtol=1e-10)
        np.testing.assert_allclose(motion["x"], 4 / 8 * np.sin(2 * motion.t) ** 2, atol=1e-7)
    assert model.constraints == ["rolling 1"] or len(model.constraints) == 1


def test_dependent_coordinates_joints_and_drives_from_sympy() -> None:
    x, y, u1, u2 = dynamicsymbols("x y u1 u2")
    m, g, l = sympy.symbols("m g l")
    drive = dynamicsymbols("drive")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    O.set_vel(N, 0)
    P.set_pos(O, x * N.x + y * N.y)
    P.set_vel(N, u1 * N.x + u2 * N.y)
    kane = KanesMethod(N, q_ind=[x], q_dependent=[y], configuration_constraints=[x**2 + y**2 - l**2], u_ind=[u1],
                       u_dependent=[u2], kd_eqs=[x.diff() - u1, y.diff() - u2], velocity_constraints=[x * u1 + y * u2])
    kane.kanes_equations([Particle("p", P, m)], [(P, -m * g * N.y + drive * N.x)])
    with pytest.raises(ValueError, match="drive of the time is no coordinate"):
        taut.from_sympy(kane, {m: 1, g: 9.81, l: 1})
    bob = taut.from_sympy(kane, {m: 1, g: 9.81, l: 1}, at={x: 1}, inputs=drive)
    assert len(bob.constraints) == 1  # the condition on velocities is the rate of that on places
    truth = taut.Model(inputs={"drive": 0}, points={"bob": {"mass": 1, "at": [1, 0]}}, rod=[{"between": ["origin", "bob"]}],
                       gravity=[{"acceleration": [0, -9.81]}], force=[{"on": "bob", "value": ["drive", 0]}])
    a, b = bob.simulation(rtol=1e-10), truth.simulation(rtol=1e-10)
    for sim in (a, b):
        sim["drive"] = 3.0
        sim.advance_to(2)
    assert abs(a["x"] - b["bob.x"]) < 1e-7
    pushed = taut.from_sympy(kane, {m: 1, g: 9.81, l: 1, drive: sympy.sin(dynamicsymbols._t)}, at={x: 1})
    assert pushed.inputs == [] and pushed.run(until=1).success

    q1, q2, w1, w2 = dynamicsymbols("q1 q2 w1 w2")
    wall, upper, lower = (RigidBody(name, mass=m) for name in ("wall", "upper", "lower"))
    joints = [PinJoint("top", wall, upper, coordinates=q1, speeds=w1, child_point=-l * upper.x, joint_axis=wall.z),
              PinJoint("middle", upper, lower, coordinates=q2, speeds=w2, child_point=-l * lower.x, joint_axis=upper.z)]
    system = System.from_newtonian(wall)
    system.add_joints(*joints)
    system.apply_uniform_gravity(-g * wall.y)
    chain = taut.from_sympy(system, {m: 1, g: 9.81, l: 1, "upper_izz": 0.1, "lower_izz": 0.1})
    # links turn about their centres at l below each hinge: the same with bodies of taut
    bars = taut.Model(body=[{"name": name, "mass": 1, "inertia": 0.1, "at": [at, 0]} for name, at in (("a", 1), ("b", 2))],
                      joint=[{"kind": "hinge", "between": ["ground", "a"], "at": [0, 0]},
                             {"kind": "hinge", "between": ["a", "b"], "at": [1, 0]}],
                      gravity=[{"acceleration": [0, -9.81]}])
    one, other = chain.run(until=2, rtol=1e-10), bars.run(until=2, rtol=1e-10)
    assert abs(np.sin(one["q1"][-1]) - other["a.y"][-1]) < 1e-6
    with pytest.raises(TypeError, match="KanesMethod"):
        taut.from_sympy(3)
