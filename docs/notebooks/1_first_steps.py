# %% [markdown]
# # First steps
# A model is a few lines of text; everything in it has a name.
# %%
import taut

m = taut.Model("""
name = "double pendulum"
[parameters]
g = 9.81
[points]
bob1 = { mass = 1, at = [1, 0] }
bob2 = { mass = 1, at = [1, 1] }
[[rod]]
between = ["origin", "bob1"]
[[rod]]
between = ["bob1", "bob2"]
[[gravity]]
acceleration = [0, "-g"]
""")
r = m.run(until=5, rtol=1e-8)
print(r)
# %% [markdown]
# Columns are arrays by name; the motion at any time comes from the method's own dense output. `lambda` is the tension of a rod [N].
# %%
print(r.t.shape, r["bob2.y"][-1].round(6), round(r(3.7)["rod 1"], 5))
# %%
ax = r.plot("bob2.y", x="bob2.x")
ax.set_aspect("equal")
# %% [markdown]
# Other parameters do not compile anything again. In a notebook, `r` alone shows the animated report.
# %%
for g in (1.62, 3.7, 9.81):
    print(g, m.run(until=2, g=g)["rod 1"].max().round(4))
# %% [markdown]
# What the model is, and what a run of it does:
# %%
c = m.check(until=5)
print(c.degrees_of_freedom, "degrees of freedom;", c.plan["method"])
