// SPDX-License-Identifier: BSD-3-Clause
#include "slow_arguments.hpp"

#include <charconv>
#include <cmath>
#include <optional>

namespace taut::cli {
namespace {

// LOW:HIGH; nothing where it is not that
std::optional<Band> parse_band(const std::string& text) {
  Band band;
  const char* const end = text.data() + text.size();
  const auto low = std::from_chars(text.data(), end, band.lowest);
  if (low.ec != std::errc{} || low.ptr == end || *low.ptr != ':') return std::nullopt;
  const auto high = std::from_chars(low.ptr + 1, end, band.highest);
  if (high.ec != std::errc{} || high.ptr != end) return std::nullopt;
  if (!(band.lowest > 0.0) || !(band.highest >= band.lowest) || !std::isfinite(band.highest))
    return std::nullopt;
  return band;
}

}  // namespace

void SlowArguments::add_to(CLI::App& app) {
  app.add_option("--via", via,
                 "how slow motion is found: expansion, in powers of the compliance; newton, on a "
                 "few steps of the stiff motion; filter, from averages of it, by forces alone")
      ->check(CLI::IsMember({"filter", "newton", "expansion"}));
  app.add_option("--band", band,
                 "frequencies of the fast vibrations [rad/s], LOW:HIGH; found from the model when "
                 "absent");
}

SlowOptions SlowArguments::options(Problems& problems) const {
  SlowOptions options;
  for (const SlowVia known : {SlowVia::filter, SlowVia::newton, SlowVia::expansion})
    if (via == name(known)) options.via = known;
  if (band.empty()) return options;
  options.band = parse_band(band);
  if (!options.band)
    problems.add({}, "--band " + band, "is not a band of frequencies",
                 "write two of them as LOW:HIGH, with 0 < LOW <= HIGH");
  return options;
}

}  // namespace taut::cli
