// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#pragma GCC visibility push(default)

namespace taut {

/// Frequencies of the vibrations that are to be damped [rad/s].
struct Band {
  double lowest = 0.0;
  double highest = 0.0;
};

}  // namespace taut

#pragma GCC visibility pop
