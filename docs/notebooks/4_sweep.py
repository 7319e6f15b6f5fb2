# %% [markdown]
# # A sweep drawn as a map
# How far up does a double pendulum swing, over two parameters?
# %%
import numpy as np
import taut

m = taut.Model("""
name = "double pendulum"
[parameters]
l = 1
m = 1
[points]
bob1 = { mass = 1, at = [1, 0] }
bob2 = { mass = "m", at = ["1 + l", 0] }
[[rod]]
between = ["origin", "bob1"]
[[rod]]
between = ["bob1", "bob2"]
[[gravity]]
acceleration = [0, -9.81]
""")
s = m.sweep(l=np.linspace(0.5, 1.5, 12), m=np.geomspace(0.2, 5, 10), until=3, every=0.01,
            measure=["max(bob2.y)", "max(lambda(rod 1))"])
print(s["max(bob2.y)"].shape, bool((s["status"] == "done").all()))
# %%
import matplotlib.pyplot as plt

fig, ax = plt.subplots()
image = ax.pcolormesh(s["l"], s["m"], s["max(lambda(rod 1))"].T, shading="nearest")
ax.set_yscale("log")
ax.set_xlabel("length of the second rod [m]")
ax.set_ylabel("mass of its bob [kg]")
_ = fig.colorbar(image, label="largest tension of the first rod [N]")
# %% [markdown]
# With `executor=` the same runs go to processes, to MPI, to dask or to ray; with `resume=` an interrupted sweep goes on.
