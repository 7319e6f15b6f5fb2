# SPDX-License-Identifier: BSD-3-Clause
"""Models of sympy.physics.mechanics.

    M(q, t) q'' = F(q, q', t) - G^T lambda,    g(q, t) = 0,    A(q, t) q' + b(q, t) = 0        (1)

are the equations of LagrangesMethod, and those of KanesMethod with u = Y(q, t) q' + y(q, t) put in and taken along Y^T.
A model has T = q'^T M q' / 2, and what that does to the force, T_q - (M q')_q q' - M_t q', is taken back from F.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Sequence

import sympy
from sympy.physics.mechanics import KanesMethod, dynamicsymbols

from ._sympy import written

if TYPE_CHECKING:
    from ._model import Model


class _Equations(NamedTuple):
    """(1), and how speeds and velocities follow from each other."""

    q: list[Any]
    mass: Any  # in q
    force: Any  # in q and q'
    holonomic: list[Any]
    velocities: list[Any]
    same: dict[Any, Any]  # u -> the q' that it is
    speeds: dict[Any, Any]  # or u -> what it is in q and q'
    rates: dict[Any, Any]  # and q' -> in q and u


def from_sympy(
    system: Any,
    values: Mapping[Any, Any] | None = None,
    at: Mapping[Any, Any] | None = None,
    velocity: Mapping[Any, Any] | None = None,
    *,
    constraints: Any = None,
    inputs: Any = (),
    name: str = "from sympy",
    **run: Any,
) -> "Model":
    """See `taut.from_sympy`."""
    from ._model import Model

    t = dynamicsymbols._t
    system = _method_of(system)
    found = _of_kane(system, t) if hasattr(system, "kindiffdict") else _of_lagrange(system)
    if constraints is not None:
        found = found._replace(holonomic=list(constraints))
    q, n = found.q, len(found.q)
    values = {_symbol(key): value for key, value in (values or {}).items()}
    known: dict[Any, Any] = {**found.same}
    for one in (*q, *found.speeds):
        known[str(one.func)] = one
    known.update({str(u.func): rate for u, rate in found.same.items()})
    at, velocity = ({known.get(key, key): value for key, value in (given or {}).items()}
                    for given in (at, velocity))

    # functions of time that are no coordinates: inputs, or formulas
    driven = {str(getattr(f, "func", f)): 0.0 for f in ([inputs] if isinstance(inputs, str) or
                                                       hasattr(inputs, "func") else inputs)}
    if isinstance(inputs, Mapping):
        driven = {str(getattr(f, "func", f)): start for f, start in inputs.items()}
    put = {}
    for f in _functions_of(found) - set(q):
        label = str(f.func)
        if sympy.Symbol(label) in values or f in values:
            put[f] = sympy.sympify(values.pop(f) if f in values else values.pop(sympy.Symbol(label)))
        elif label in driven:
            put[f] = sympy.Symbol(label)
    found = found._replace(force=found.force.subs(put), mass=found.mass.subs(put),
                           holonomic=[sympy.sympify(g).subs(put) for g in found.holonomic],
                           velocities=[a.subs(put) for a in found.velocities])
    every = [found.mass, found.force, sympy.Matrix([*found.holonomic, *found.velocities, *found.speeds.values(), 0])]
    symbols = set().union(*(x.free_symbols for x in every)) - {t}
    unknown = sorted(str(s) for s in symbols if s not in values and str(s) not in driven)
    if unknown:
        raise ValueError(f"no value for {', '.join(unknown)}: give values={{symbol: number}}")
    others = sorted(str(f.func) for f in _functions_of(found) - set(q))
    if others:
        raise ValueError(f"{', '.join(others)} of the time is no coordinate: name it in inputs=, or give it a formula, "
                         f"values={{{others[0]}: sympy.sin(t)}}")

    # formulas without functions of time: q_i and v_i as symbols
    place = {qi: sympy.Dummy(f"q{i}") for i, qi in enumerate(q)}
    rate = {qi.diff(t): sympy.Dummy(f"v{i}") for i, qi in enumerate(q)}

    def plain(x: Any) -> Any:
        return sympy.sympify(x).subs(rate).subs(place)

    Q, V = sympy.Matrix(list(place.values())), sympy.Matrix(list(rate.values()))
    M, F = plain(found.mass), plain(found.force)
    if M.has(*V):
        raise ValueError("the mass matrix depends on velocities")
    if M.has(sympy.Derivative) or F.has(sympy.Derivative):
        raise ValueError("the equations have derivatives that are no velocities: substitute them first")
    kinetic = sympy.expand((V.T * M * V)[0] / 2)
    inertial = sympy.Matrix([sympy.diff(kinetic, qi) for qi in Q]) - (M * V).jacobian(Q) * V - sympy.diff(M, t) * V
    applied = [_short(f) for f in F - inertial]

    names: dict[Any, str] = {t: "t"}
    for i, qi in enumerate(q):
        label = str(qi.func)
        names[Q[i]], names[V[i]] = label, f"v({label})"
    start = _start(found, at, velocity, values, t)
    tables: dict[str, Any] = {
        "name": name,
        "parameters": {str(s): written(sympy.sympify(x)) for s, x in values.items()},
        "inputs": driven,
        "coordinates": {str(qi.func): {"at": a, "velocity": v} for qi, (a, v) in zip(q, start)},
        "kinetic": [{"energy": written(kinetic, names)}],
        "force": [{"on": str(qi.func), "value": written(f, names)} for qi, f in zip(q, applied) if f != 0],
        "constraint": [{"zero": written(plain(g), names)} for g in found.holonomic],
        "rolling": [{"zero": written(plain(a), names)} for a in found.velocities],
        "outputs": {str(u.func): written(plain(of), names) for u, of in found.speeds.items()},
        "run": run,
    }
    assert len(applied) == n
    return Model(**{key: table for key, table in tables.items() if table})


def _functions_of(found: _Equations) -> set[Any]:
    every = (found.mass, found.force, sympy.Matrix([*found.holonomic, *found.velocities, 0]))
    return set().union(*(x.atoms(sympy.core.function.AppliedUndef) for x in every))


def _symbol(key: Any) -> Any:
    return sympy.Symbol(key) if isinstance(key, str) else key


def _method_of(system: Any) -> Any:
    """What has the equations: a System and a JointsMethod make a method of their own."""
    for made_by in ("eom_method", "method"):
        if hasattr(system, made_by):
            if getattr(system, made_by) is None:
                system.form_eoms()
            system = getattr(system, made_by)
    if not hasattr(type(system), "mass_matrix") or not hasattr(type(system), "q"):
        raise TypeError(f"from_sympy takes KanesMethod, LagrangesMethod, System or JointsMethod, not {system!r}")
    return system


def _of_lagrange(system: Any) -> _Equations:
    if getattr(system, "eom", None) is None:
        system.form_lagranges_equations()
    q = list(system.q)
    n = len(q)
    holonomic = list(getattr(system, "_hol_coneqs", None) or [])
    velocities = list(system.coneqs if system.coneqs is not None else [])[len(holonomic):]
    return _Equations(q, system.mass_matrix[:n, :n], sympy.Matrix(system.forcing[:n, :]), holonomic, velocities,
                      {}, {}, {})


def _of_kane(system: Any, t: Any) -> _Equations:
    q, u = list(system.q), list(system.u)
    if len(getattr(system, "_uaux", []) or []):
        raise ValueError("auxiliary speeds: make the method without them; reactions are multipliers here")
    if len(u) != len(q):
        raise ValueError(f"{len(u)} speeds for {len(q)} coordinates: there must be as many")
    rates = system.kindiffdict()  # q' = W u + w
    right = sympy.Matrix([rates[qi.diff(t)] for qi in q])
    W = right.jacobian(sympy.Matrix(u))
    w = right.subs({ui: 0 for ui in u})
    holonomic, velocities = list(getattr(system, "_f_h", [])), []
    if getattr(system, "_k_nh", sympy.Matrix()).shape[0]:
        velocities = list(system._k_nh * sympy.Matrix(u) + system._f_nh)
    if holonomic or velocities:  # with all coordinates and speeds independent
        bodies, loads = system.bodies, system.loads
        system = KanesMethod(system._inertial, q_ind=q, u_ind=u,
                             kd_eqs=[qi.diff(t) - rates[qi.diff(t)] for qi in q])
        system.kanes_equations(bodies, loads)
    mass, force = system.mass_matrix, sympy.Matrix(system.forcing)
    v = sympy.Matrix([qi.diff(t) for qi in q])
    if W == sympy.eye(len(q)) and w.is_zero_matrix:
        put = dict(zip(u, v))
        return _Equations(q, mass.subs(put), force.subs(put), holonomic,
                          _of_velocities_alone([a.subs(put) for a in velocities], holonomic, q, t), put, {}, {})
    if W.det() == 0:
        raise ValueError("the speeds do not determine the velocities: kd_eqs must have a solution for both")
    Y = _tidied(W.inv())
    y = -Y * w
    put = dict(zip(u, Y * v + y))
    # u' = Y q'' + Y' q' + y'
    along = Y.diff(t) * v + y.diff(t)
    reduced = Y.T * (force.subs(put) - mass.subs(put) * along)
    return _Equations(q, _tidied(Y.T * mass.subs(put) * Y), reduced, holonomic,
                      _of_velocities_alone([a.subs(put) for a in velocities], holonomic, q, t),
                      {}, put, {qi.diff(t): rates[qi.diff(t)] for qi in q})


def _tidied(matrix: Any) -> Any:
    return matrix.applyfunc(lambda x: sympy.trigsimp(sympy.cancel(x)) if x.count_ops() < 200 else x)


def _of_velocities_alone(rows: Sequence[Any], holonomic: Sequence[Any], q: Sequence[Any], t: Any) -> list[Any]:
    """Conditions on velocities without those that are the rates of conditions on positions."""
    v = [qi.diff(t) for qi in q]
    kept: list[Any] = []
    all_rows = [sympy.sympify(g).diff(t) for g in holonomic]
    symbols = sorted(set().union(*(sympy.sympify(x).free_symbols for x in (*all_rows, *rows, 0))), key=str)
    draw = random.Random(1)
    numbers = {x: sympy.Rational(draw.randint(3, 97), 41) for x in (*symbols, *q)}

    def rank(of: Sequence[Any]) -> int:
        matrix = sympy.Matrix([[sympy.diff(x, vi).subs(numbers) for vi in v] for x in of])
        return int(sympy.Matrix(matrix).evalf(30).rank(iszerofunc=lambda x: abs(x) < 1e-20)) if of else 0

    for row in rows:
        if rank([*all_rows, row]) > rank(all_rows):
            kept.append(row)
            all_rows.append(row)
    return kept


def _short(f: Any) -> Any:
    """The same formula, shorter where that is found soon; 0 where it is that."""
    if f == 0:
        return sympy.S.Zero
    expanded = sympy.expand(f)
    if expanded == 0 or _vanishes(f):
        return sympy.S.Zero
    few = 300
    if expanded.count_ops() < few:
        expanded = sympy.simplify(expanded)
    return min(f, expanded, key=lambda x: int(x.count_ops()))


def _vanishes(f: Any) -> bool:
    """At three places, to thirty digits: then it is 0 everywhere, as all its functions are analytic."""
    if f.has(sympy.Piecewise, sympy.Max, sympy.Min, sympy.Abs, sympy.sign, sympy.Heaviside):
        return False
    draw = random.Random(2)
    symbols = sorted(f.free_symbols, key=str)
    for _ in range(3):
        number = f.subs({s: sympy.Rational(draw.randint(11, 97), 53) for s in symbols}).evalf(40)
        if not number.is_number or abs(number) > 1e-28:
            return False
    return True


def _start(found: _Equations, at: Mapping[Any, Any], velocity: Mapping[Any, Any], values: Mapping[Any, Any],
           t: Any) -> list[tuple[Any, Any]]:
    """Places and velocities of the start; speeds that are no velocities give those by kd_eqs."""
    q = found.q
    positions = {qi: at[qi] if qi in at else 0.0 for qi in q}
    unknown = [key for key in at if key not in positions]
    rates = {qi: velocity.get(qi.diff(t), velocity.get(qi)) for qi in q}
    unknown += [key for key in velocity if key not in found.speeds and key not in q and
                key not in [qi.diff(t) for qi in q]]
    if unknown:
        raise ValueError(f"{', '.join(map(str, unknown))} of the start is no coordinate: there are "
                         f"{', '.join(map(str, (*q, *found.speeds)))}")
    speeds = {u: velocity[u] for u in found.speeds if u in velocity}
    if not speeds:
        return [(written(positions[qi]), written(rates[qi] if rates[qi] is not None else 0.0)) for qi in q]
    if any(rate is not None for rate in rates.values()):
        raise ValueError("velocity= has speeds and velocities of coordinates: give one kind")
    put = {**{u: sympy.sympify(speeds.get(u, 0)) for u in found.speeds},
           **{qi: sympy.sympify(x) for qi, x in positions.items()}, t: 0}
    return [(written(positions[qi]), written(found.rates[qi.diff(t)].subs(put))) for qi in q]
