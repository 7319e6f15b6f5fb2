// SPDX-License-Identifier: BSD-3-Clause
#include "taut/version.hpp"

namespace taut {

std::string_view version() { return TAUT_VERSION; }

Parts parts() {
  return {.sundials = TAUT_SUNDIALS, .hdf5 = TAUT_HDF5, .tbb = TAUT_TBB, .pages = TAUT_PAGES};
}

}  // namespace taut
