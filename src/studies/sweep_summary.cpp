// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/sweep_summary.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr std::size_t most_groups = 50;

// a text with # for each number in it
std::string without_numbers(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string key;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      key += text[i++];
      continue;
    }
    key += '#';
    while (i < text.size() &&
           (is_digit(text[i]) || text[i] == '.' ||
            ((text[i] == 'e' || text[i] == '-' || text[i] == '+') && i + 1 < text.size() &&
             (is_digit(text[i + 1]) || text[i + 1] == '-' || text[i + 1] == '+'))))
      ++i;
  }
  return key;
}

}  // namespace

void FailureGroups::add(std::size_t run, std::string_view status, std::string_view reason) {
  std::string key = std::string{status} + '\n' + without_numbers(reason);
  const auto found = std::find(keys_.begin(), keys_.end(), key);
  if (found != keys_.end()) {
    ++groups_[static_cast<std::size_t>(found - keys_.begin())].count;
    return;
  }
  if (groups_.size() > most_groups) {
    ++groups_.back().count;
    return;
  }
  const bool room = groups_.size() < most_groups;
  keys_.push_back(room ? std::move(key) : std::string{});
  groups_.push_back({.status = std::string{room ? status : ""},
                     .reason = std::string{room ? reason : "other reasons"},
                     .first = run,
                     .count = 1});
}

SweepSummary summary_of(const RunStore& store, std::size_t runs) {
  SweepSummary all;
  all.measures.resize(store.measures());
  FailureGroups failures;
  all.problem = store.for_each(0, runs, [&](const RunStore::Run& run) {
    if (!run.done()) return;
    ++all.finished;
    if (!RunStore::is_good(run.status)) {
      if (all.failed++ == 0) all.first_failure = run.reason;
      failures.add(run.number, RunStore::name_of(run.status), run.reason);
      return;
    }
    for (std::size_t m = 0; m < all.measures.size(); ++m) {
      const double x = run.measures[m];
      if (!std::isfinite(x)) continue;
      SweepSummary::Extremes& to = all.measures[m];
      if (to.count == 0 || x < to.least) to.least = x, to.least_run = run.number;
      if (to.count == 0 || x > to.greatest) to.greatest = x, to.greatest_run = run.number;
      ++to.count;
    }
  });
  all.failures = failures.groups();
  return all;
}

}  // namespace taut
