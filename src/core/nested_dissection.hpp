// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ordering.hpp"

namespace taut {

/// Nested dissection (George, SIAM J. Numer. Anal. 10, 1973): a small set of rows is found whose
/// removal leaves two parts of about the same size without a connection; it is eliminated after
/// both, which are ordered likewise. Parts of a few dozen rows go by minimum degree. For nets of n
/// points the factor has O(n log n) entries and takes O(n^1.5) operations, the least possible.
///
/// A separator is found on a coarse graph, in which rows that are closely connected are one, and
/// refined on the way back (Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998): row after row leaves
/// it for the side where that pulls in the least weight from the other, and the best state on the
/// way is kept (Fiduccia and Mattheyses, 1982). Rows with the same neighbours, as the coordinates
/// of one point, are one row with a weight throughout. Same graph, same order.
[[nodiscard]] Order nested_dissection_order(const Adjacency& graph);

}  // namespace taut
