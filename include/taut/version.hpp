// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#pragma GCC visibility push(default)

/// Of these headers. CMakeLists.txt reads them here.
#define TAUT_VERSION_MAJOR 0
#define TAUT_VERSION_MINOR 1
#define TAUT_VERSION_PATCH 0
#define TAUT_VERSION "0.1.0"

namespace taut {

/// Of the library that is linked, such as "0.1.0".
[[nodiscard]] std::string_view version();

/// What the library that is linked was built with (taut_SUNDIALS and so on, when it is configured).
/// What it lacks is refused in words.
struct Parts {
  bool sundials = true;  ///< the methods cvode-adams, cvode-bdf, arkode and ida
  bool hdf5 = true;      ///< files of that format
  bool tbb = true;       ///< runs of a sweep at the same time
  bool pages = true;     ///< scripts of reports and other pages
};
[[nodiscard]] Parts parts();

}  // namespace taut

#pragma GCC visibility pop
