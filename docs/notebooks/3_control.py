# %% [markdown]
# # Control in the loop
# An input is a name that formulas use and a program sets. A cart keeps a pendulum upright.
# %%
import numpy as np
import taut

m = taut.Model(
    name="cart",
    inputs={"force": 0},
    parameters={"m": 0.2, "M": 1, "l": 0.5, "g": 9.81},
    coordinates={"x": {"at": 0}, "phi": {"at": 0.2}},
    kinetic=[{"energy": "M*v(x)^2/2 + m/2*((v(x) + l*cos(phi)*v(phi))^2 + (l*sin(phi)*v(phi))^2)"}],
    potential=[{"energy": "m*g*l*cos(phi)"}],
    force=[{"on": "x", "value": "force"}],
)
sim = m.simulation(until=4)
t, phi, u = [], [], []
while sim.t < 4:
    f = 40*sim["phi"] + 8*sim["v(phi)"] + 2*sim["x"] + 4*sim["v(x)"]
    sim["force"] = f
    sim.advance_to(sim.t + 0.01)
    t.append(sim.t), phi.append(sim["phi"]), u.append(f)
print("upright:", abs(phi[-1]) < 0.05, " largest force:", round(max(np.abs(u)), 2))
# %%
import matplotlib.pyplot as plt

fig, ax = plt.subplots()
_ = ax.plot(t, phi)
ax.set_xlabel("t [s]")
_ = ax.set_ylabel("angle from upright")
# %% [markdown]
# A function of Python may be a force, too; it is called by the method itself, as often as it needs it:
# %%
plain = taut.Model(coordinates={"x": {"mass": 1, "at": 1}})
r = plain.run(until=2*np.pi, forces=taut.Force(lambda t, q, v: -q, on="x", uses_time=False))
print(round(float(r["x"][-1]), 6))
