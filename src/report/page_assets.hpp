// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace taut {

/// Scripts and style sheets of the pages; web/build.mjs makes them while taut is built.
extern const std::string_view report_js, report_css;
extern const std::string_view report3d_js, report3d_css;
extern const std::string_view compare_js, compare_css;
extern const std::string_view modes_js, modes_css;
extern const std::string_view pair_js, pair_css;
extern const std::string_view periodic_js, periodic_css;
extern const std::string_view play_js, play_css;
extern const std::string_view play3d_js, play3d_css;
extern const std::string_view signals_js, signals_css;
extern const std::string_view study_js, study_css;
extern const std::string_view samples_js, samples_css;
extern const std::string_view sweep_js, sweep_css;

}  // namespace taut
