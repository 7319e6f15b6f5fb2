# SPDX-License-Identifier: BSD-3-Clause
import os

import matplotlib

matplotlib.use("Agg")
for needed in ("TAUT_ROOT", "TAUT_PROGRAM", "TAUT_WHEEL"):
    if needed not in os.environ:
        raise RuntimeError(f"{needed} is not set: './taut test -R python' sets it")
