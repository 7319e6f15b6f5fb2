# %% [markdown]
# # Reaction forces of a mechanism
# A four-bar linkage of uniform bars, its crank turning all the way round: every constraint reports its force.
# %%
import numpy as np
import taut

m = taut.load("models/four_bar.toml")
print(m.coordinates)
print(m.constraints)
r = m.run()
print(r.message)
# %%
import matplotlib.pyplot as plt

fig, ax = plt.subplots()
for rod in m.constraints[:3]:
    ax.plot(r.t, r[rod], label=rod)
ax.set_xlabel("t [s]")
ax.set_ylabel("tension [N]")
_ = ax.legend()
# %% [markdown]
# The largest load on each, and when:
# %%
for rod in m.constraints:
    k = np.argmax(np.abs(r[rod]))
    print(f"{rod}: {r[rod][k]:.4g} N at t = {r.t[k]:.3f} s")
# %% [markdown]
# The constraints hold to rounding all along:
# %%
print(bool(r["max_constraint"].max() < 1e-13))
