# SPDX-License-Identifier: BSD-3-Clause
"""A box of rigid water (TIP3P), one thread, steps of 1 fs: taut beside OpenMM's CPU platform.

  PYTHON bench/water/beside_openmm.py build/release/bench/water/taut_bench_water [ROUNDS]

PYTHON has the package openmm. Both programs run in turns, ROUNDS times (3); the least CPU time of a step counts. OpenMM
computes pairs in single precision, taut all in double. Reaction field: a conductor beyond the cut-off in both. OpenMM
ends Lennard-Jones there, taut switches it off from 0.9 of it, so that energies at the start differ a little.
"""

from __future__ import annotations

import subprocess
import sys
import time

import openmm
from openmm import unit

program = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
cutoff = 0.9  # nm
bond, angle_hh = 0.09572, 0.15139006545247014
charges = [-0.834, 0.417, 0.417]
masses = [15.9994, 1.008, 1.008]
sigma = (582.0e3 / 595.0) ** (1 / 6) * 0.1
epsilon = 595.0**2 / (4 * 582.0e3) * 4.184
steps = 20


def simulation(points: list[float], edge: float, method: int, tolerance: float) -> openmm.Context:
    system = openmm.System()
    force = openmm.NonbondedForce()
    force.setNonbondedMethod(method)
    force.setCutoffDistance(cutoff)
    force.setReactionFieldDielectric(1e20)
    force.setEwaldErrorTolerance(tolerance)
    force.setUseDispersionCorrection(False)
    system.setDefaultPeriodicBoxVectors([edge, 0, 0], [0, edge, 0], [0, 0, edge])
    for first in range(0, len(points) // 3, 3):
        for k in range(3):
            system.addParticle(masses[k])
            force.addParticle(charges[k], sigma if k == 0 else 1, epsilon if k == 0 else 0)
        for a, b, length in ((0, 1, bond), (0, 2, bond), (1, 2, angle_hh)):
            system.addConstraint(first + a, first + b, length)
            force.addException(first + a, first + b, 0, 1, 0)
    system.addForce(force)
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("CPU"),
                             {"Threads": "1"})
    context.setPositions([openmm.Vec3(*points[i:i + 3]) for i in range(0, len(points), 3)])
    return context


def energy(context: openmm.Context) -> float:
    found = context.getState(getEnergy=True).getPotentialEnergy()
    return found.value_in_unit(unit.kilocalories_per_mole)


def best(context: openmm.Context, seconds: float) -> float:
    least, begun = float("inf"), time.process_time()
    while time.process_time() - begun < seconds:
        start = time.process_time()
        context.getIntegrator().step(steps)
        context.getState(getEnergy=True)  # waits for the steps
        least = min(least, (time.process_time() - start) / steps)
    return least * 1e3


numbers = [float(line) for line in subprocess.run([program, "--points", "1"], check=True, capture_output=True,
                                                  text=True).stdout.split()]
edge, points = 0.1 * numbers[0], [0.1 * x for x in numbers[1:]]
kinds = {"OpenMM, reaction field": (openmm.NonbondedForce.CutoffPeriodic, 5e-4),
         "OpenMM, PME, tolerance 5e-4": (openmm.NonbondedForce.PME, 5e-4),
         "OpenMM, PME, tolerance 1e-6": (openmm.NonbondedForce.PME, 1e-6)}
contexts = {name: simulation(points, edge, *kind) for name, kind in kinds.items()}
energies = {name: energy(context) for name, context in contexts.items()}
times: dict[str, float] = {}
for _ in range(rounds):
    for name, context in contexts.items():
        times[name] = min(times.get(name, float("inf")), best(context, 1.0))
    lines = subprocess.run([program, "--seconds", "1"], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines()[1:]:
        name, found = "taut, " + line[7:39].strip(), line[39:].split()
        times[name] = min(times.get(name, float("inf")), float(found[0]))
        energies[name] = float(found[1])
print("                                   ms/step   energy at the start [kcal/mol]")
for name, found in times.items():
    print(f"{name:34} {found:8.3f} {energies[name]:14.4f}")
