// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace taut::cli {

/// Opens a page, a file or an address, as the desktop opens pages (xdg-open, on a Mac open), where
/// standard error is a terminal and there is a display. Whether it was asked to.
bool open_page(const std::string& page);

}  // namespace taut::cli
