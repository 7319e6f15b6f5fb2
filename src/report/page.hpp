// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace taut {

/// Pages whose scripts and styles the program carries (web/).
enum class Page : unsigned char {
  report,    ///< of a run, in the plane or without a picture
  report3d,  ///< of a run in space
  compare,
  modes,  ///< of modes, and of responses
  pair,   ///< of two runs
  periodic,
  play,      ///< a model in the hand: it computes
  play3d,    ///< of one in space
  served,    ///< the same, which asks the program that serves it
  served3d,  ///< of one in space
  signals,
  study,    ///< of fits and designs
  samples,  ///< of drawn runs
  sweep,
};

/// A page as one file that needs nothing else: no network, no other file. `data` is a JSON text
/// (web/README.md has its fields for each page); whatever stands in it or in the title is shown as
/// text.
[[nodiscard]] std::string page_html(Page page, std::string_view title, std::string_view data);

}  // namespace taut
