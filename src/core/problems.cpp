// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/problems.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

#include "taut/core/wording.hpp"

namespace taut {

void Problems::add(Position at, std::string_view where, std::string_view what,
                   std::string_view remedy) {
  if (paused_) return;
  if (list_.size() >= limit) {
    ++dropped_;
    return;
  }
  list_.push_back({at, worded(where), worded(what), worded(remedy)});
}

std::vector<Problem> Problems::sorted() const {
  auto list = list_;
  std::stable_sort(list.begin(), list.end(), [](const Problem& a, const Problem& b) {
    return std::pair{a.at.line, a.at.column} < std::pair{b.at.line, b.at.column};
  });
  return list;
}

std::string Problems::message() const {
  std::string text;
  for (const Problem& p : sorted()) {
    const std::string file = file_.empty() ? "model" : file_;
    const std::string place =
        p.at.line > 0 ? fmt::format("{}:{}:{}", file, p.at.line, p.at.column) : file;
    text += fmt::format("{}: {}: {}\n    {}\n", place, p.where, p.what, p.remedy);
  }
  if (dropped_ > 0) text += fmt::format("... and {} more\n", dropped_);
  const std::size_t count = list_.size() + dropped_;
  const bool of_model =
      file_.empty() ||
      std::any_of(list_.begin(), list_.end(), [](const Problem& p) { return p.at.line > 0; });
  text += fmt::format("{} mistake{}{}; nothing was computed", count, count == 1 ? "" : "s",
                      of_model ? " in the model" : "");
  return text;
}

void Problems::throw_if_any() const {
  if (!empty()) throw ModelError{*this};
}

namespace {

/// Letters to change, insert, drop or swap with their neighbour to make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  // three rows of the table of distances between beginnings
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const auto lower = [](std::string_view text) {
    std::string result{text};
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
  };
  for (const std::string& candidate : candidates)
    if (candidate != name && candidate.size() == name.size() && lower(candidate) == lower(name))
      return candidate;
  if (name.size() == 1) return {};  // any other letter is as near as the next
  // more than a third of the letters wrong is another word, not a slip
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    // what was written is no suggestion, though it may be a name elsewhere
    if (candidate == name || candidate.size() > name.size() + best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace taut
