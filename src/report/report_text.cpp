// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace taut {

std::string counted(std::size_t count, const char* what) {
  const std::string_view word{what};
  if (count == 1) return fmt::format("1 {}", word);
  if (word.ends_with("ss")) return fmt::format("{} {}es", count, word);
  if (word.ends_with("dy")) return fmt::format("{} {}ies", count, word.substr(0, word.size() - 1));
  return fmt::format("{} {}s", count, word);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::vector<std::string> all;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) all.push_back(isolated(names[k]));
  if (names.size() > most)
    return fmt::format("{} and {} more", fmt::join(all, ", "), names.size() - most);
  if (all.size() < 2) return all.empty() ? "" : all.front();
  return fmt::format("{} and {}", fmt::join(all.begin(), all.end() - 1, ", "), all.back());
}

std::string without_turns(std::string_view text) {
  // U+202A ... U+202E and U+2066 ... U+2069, in UTF-8
  std::string kept;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::string_view three = text.substr(k, 3);
    const bool turns =
        three.size() == 3 &&
        ((three.starts_with("\xe2\x80") && three[2] >= '\xaa' && three[2] <= '\xae') ||
         (three.starts_with("\xe2\x81") && three[2] >= '\xa6' && three[2] <= '\xa9'));
    if (turns)
      k += 2;
    else
      kept += text[k];
  }
  return kept;
}

std::string isolated(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 128; });
  // first strong isolate ... pop directional isolate
  return plain ? std::string{name} : "\xe2\x81\xa8" + without_turns(name) + "\xe2\x81\xa9";
}

ReportUnits units_of(const ReportSubject& subject) {
  if (subject.own_units) return {};
  return {.length = "m", .time = "s", .force = "N", .energy = "J"};
}

std::string with_unit(std::string number, const std::string& unit) {
  return unit.empty() ? number : std::move(number) + " " + unit;
}

std::string time_text(double t, double span, int significant) {
  int digits = significant;
  if (const double size = std::abs(t); size > 0.0 && std::isfinite(size)) {
    if (span > 0.0 && size > span)
      digits += static_cast<int>(std::min(std::ceil(std::log10(size / span)), 17.0));
    // a power of ten only where there is no end of digits
    if (size < 1e9) digits = std::max(digits, static_cast<int>(std::floor(std::log10(size))) + 1);
  }
  return fmt::format("{:.{}g}", t, std::min(digits, 17));
}

std::string as_sentence(std::string text) {
  if (text.empty()) return text;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (text.back() != '.' && text.back() != '!' && text.back() != '?') text += '.';
  return text;
}

}  // namespace taut
