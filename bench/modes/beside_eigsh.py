# SPDX-License-Identifier: BSD-3-Clause
"""The 20 lowest modes of models of about 100000 coordinates, beside scipy.sparse.linalg.eigsh on the same
matrices, which are written down here by hand:

  PYTHON bench/modes/beside_eigsh.py build/release/cli/taut [COORDINATES]

PYTHON has SciPy. A net of points that move across its plane, stretched in a frame: M = m I, K = k (Laplace of five
points). A hanging chain of points on rods in the plane: [K G'; G 0] with K = lambda/L along the bars, by shift and
invert with SuperLU. Times are those of the wall: of taut the whole program, the model read and compiled; of SciPy
eigsh alone with its factorisation. Frequencies must agree to 1e-9 (the chain has those of zeros of Laguerre's polynomial), else this fails.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, eigsh, splu

program = sys.argv[1]
size = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
wanted = 20


def of_taut(text: str) -> tuple[np.ndarray, float]:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "model.toml")
        file.write_text(text)
        begun = time.perf_counter()
        done = subprocess.run([program, "modes", str(file), "--at", "start", "--lowest", str(wanted), "--json"],
                              capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begun
    assert done.returncode == 0, done.stderr
    return np.array([mode["omega"] for mode in json.loads(done.stdout)["modes"]]), seconds


def net() -> tuple[str, np.ndarray, float]:
    a, b = int(np.sqrt(size)), size // int(np.sqrt(size))
    text = f"""
[coordinates]
"u{{i}}_{{j}}" = {{ mass = 0.5, repeat = {{ i = "1:{a}", j = "1:{b}" }} }}
[[potential]]
energy = "4*(u{{i}}_{{j}} - u{{i+1}}_{{j}})^2"
repeat = {{ i = "1:{a - 1}", j = "1:{b}" }}
[[potential]]
energy = "4*(u{{i}}_{{j}} - u{{i}}_{{j+1}})^2"
repeat = {{ i = "1:{a}", j = "1:{b - 1}" }}
[[potential]]
energy = "4*(u1_{{j}}^2 + u{a}_{{j}}^2)"
repeat = {{ j = "1:{b}" }}
[[potential]]
energy = "4*(u{{i}}_1^2 + u{{i}}_{b}^2)"
repeat = {{ i = "1:{a}" }}
"""
    line = lambda n: sp.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])
    K = 8 * (sp.kron(line(a), sp.eye(b)) + sp.kron(sp.eye(a), line(b))).tocsc()
    M = 0.5 * sp.eye(a * b, format="csc")
    begun = time.perf_counter()
    values = eigsh(K, wanted, M, sigma=0, return_eigenvectors=False)
    return text, np.sqrt(np.sort(values)), time.perf_counter() - begun


def chain() -> tuple[str, np.ndarray, float]:
    n, length, mass, g = size // 2, 0.01, 0.02, 9.81
    text = f"""
[anchors]
p0 = [0, 0]
[points]
"p{{k}}" = {{ mass = {mass}, at = [0, "-{length}*{{k}}"], repeat = {{ k = "1:{n}" }} }}
[[rod]]
between = ["p{{k-1}}", "p{{k}}"]
length = {length}
repeat = {{ k = "1:{n}" }}
[[gravity]]
acceleration = [0, {-g}]
"""
    # tension of rod k carries what hangs below: across a rod it is a spring of tension / length
    tension = mass * g * (n - np.arange(n)) / length
    behind = np.append(tension[1:], 0.0)
    across = sp.diags([-tension[1:], tension + behind, -tension[1:]], [-1, 0, 1])
    K = sp.block_diag([across, across]).tocsc()
    along = sp.diags([np.ones(n), -np.ones(n - 1)], [0, -1])
    G = sp.hstack([sp.csc_matrix((n, n)), along]).tocsc()
    M = mass * sp.eye(2 * n, format="csc")
    begun = time.perf_counter()
    whole = splu(sp.bmat([[K, G.T], [G, None]], format="csc"))

    def solve(b: np.ndarray) -> np.ndarray:
        return whole.solve(np.concatenate([b, np.zeros(n)]))[: 2 * n]

    # of M x = mu K x on G x = 0 the largest mu = 1 / omega^2, in the metric of M
    root = np.sqrt(mass)
    inverse = LinearOperator((2 * n, 2 * n), matvec=lambda x: root * solve(root * x.ravel()))
    values = eigsh(inverse, wanted, which="LA", return_eigenvectors=False)
    return text, np.sort(1 / np.sqrt(values)), time.perf_counter() - begun


print(f"{'':<8}{'coordinates':>12}{'constraints':>12}{'taut [s]':>10}{'eigsh [s]':>10}{'difference':>12}")
worst = 0.0
for name, make, coordinates, rows in (("net", net, int(np.sqrt(size)) * (size // int(np.sqrt(size))), 0),
                                      ("chain", chain, 2 * (size // 2), size // 2)):
    text, theirs, seconds = make()
    ours, own = of_taut(text)
    difference = float(np.max(np.abs(ours / theirs - 1)))
    worst = max(worst, difference)
    print(f"{name:<8}{coordinates:>12}{rows:>12}{own:>10.2f}{seconds:>10.2f}{difference:>12.1e}")
sys.exit(0 if worst <= 1e-9 else 1)
