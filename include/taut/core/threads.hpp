// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#pragma GCC visibility push(default)

namespace taut {

/// Lets one evaluation of a system with many pairs of points, or very many constraints, use so many
/// threads; 0, as at the start: one for each core. Results are the same bits for every number.
void use_threads(unsigned count);

/// How many that are now.
[[nodiscard]] unsigned threads_used();

}  // namespace taut

#pragma GCC visibility pop
