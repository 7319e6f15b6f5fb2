// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/problems.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace taut {

void Problems::add(Position at, std::string where, std::string what, std::string remedy) {
  if (list_.size() >= limit) {
    ++dropped_;
    return;
  }
  list_.push_back({at, std::move(where), std::move(what), std::move(remedy)});
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
  text +=
      fmt::format("{} mistake{} in the model; nothing was computed", count, count == 1 ? "" : "s");
  return text;
}

void Problems::throw_if_any() const {
  if (!empty()) throw ModelError{*this};
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  // more than a third of the letters wrong is another word, not a slip
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string best;
  std::vector<std::size_t> row;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + best_distance) continue;
    row.resize(candidate.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t change = diagonal + (name[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace taut
