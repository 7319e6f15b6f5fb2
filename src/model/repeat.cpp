// SPDX-License-Identifier: BSD-3-Clause
#include "model/repeat.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace taut {
namespace {

constexpr double largest_index = 1e9;

std::optional<std::int64_t> whole_number(const Value& value, const Bindings& bindings,
                                         const Symbols& symbols, const std::string& where,
                                         Problems& problems) {
  const auto x = number(value, symbols, where, problems, &bindings);
  if (!x) return {};
  const double plain = *x;
  if (plain != std::floor(plain) || std::abs(plain) > largest_index) {
    problems.add(value.at(), where, fmt::format("{} is not a whole number below 1e9", plain),
                 "give a whole number, or an expression that gives one");
    return {};
  }
  return static_cast<std::int64_t>(plain);
}

class Expansion {
 public:
  Expansion(const Repeat& repeat, const Symbols& symbols, const std::string& where,
            Problems& problems)
      : repeat_{repeat}, symbols_{symbols}, where_{where}, problems_{problems} {}

  /// Number of copies, or more than max_copies; nothing when a bound is no whole number.
  std::optional<std::int64_t> count(std::size_t level = 0) {
    if (level == repeat_.ranges.size()) return 1;
    const auto range = bounds(level);
    if (!range) return {};
    const auto [from, to] = *range;
    if (level + 1 == repeat_.ranges.size()) return std::max<std::int64_t>(0, to - from + 1);
    std::int64_t sum = 0;
    bindings_.emplace_back(repeat_.ranges[level].index, 0.0);
    for (std::int64_t k = from; k <= to && sum <= max_copies; ++k) {
      bindings_.back().second = static_cast<double>(k);
      const auto inner = count(level + 1);
      if (!inner) return {};
      sum += std::max<std::int64_t>(1, *inner);  // an empty inner range takes time as well
    }
    bindings_.pop_back();
    return sum;
  }

  void visit_all(const std::function<void(const Bindings&)>& visit, std::size_t level = 0) {
    if (level == repeat_.ranges.size()) {
      // what is wrong in one copy is wrong in the others too: say it once
      const std::size_t mistakes = problems_.count();
      visit(bindings_);
      if (problems_.count() > mistakes) problems_.pause(true);
      return;
    }
    const auto range = bounds(level);
    if (!range) return;
    bindings_.emplace_back(repeat_.ranges[level].index, 0.0);
    for (std::int64_t k = range->first; k <= range->second; ++k) {
      bindings_.back().second = static_cast<double>(k);
      visit_all(visit, level + 1);
    }
    bindings_.pop_back();
  }

 private:
  std::optional<std::pair<std::int64_t, std::int64_t>> bounds(std::size_t level) {
    const Repeat::Range& range = repeat_.ranges[level];
    const std::string place = fmt::format("{}: repeat {}", where_, range.index);
    const auto from = whole_number(range.from, bindings_, symbols_, place, problems_);
    const auto to = whole_number(range.to, bindings_, symbols_, place, problems_);
    if (!from || !to) return {};
    return std::pair{*from, *to};
  }

  const Repeat& repeat_;
  const Symbols& symbols_;
  const std::string& where_;
  Problems& problems_;
  Bindings bindings_;
};

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// True when the text that ends here is the beginning of a name, so that a number glued to it
/// belongs to the name.
bool ends_in_name(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_name_character(text[begin - 1])) --begin;
  return begin < text.size() &&
         (std::isalpha(static_cast<unsigned char>(text[begin])) != 0 || text[begin] == '_');
}

std::optional<std::string> replace(const std::string& text, bool only_names, Position at,
                                   const Bindings& bindings, const Symbols& symbols,
                                   const std::string& where, Problems& problems) {
  if (text.find('{') == std::string::npos) return text;
  std::string result;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] != '{') {
      result += text[i++];
      continue;
    }
    const Position brace{at.line, at.column + static_cast<int>(i)};
    const std::size_t end = text.find('}', i);
    if (end == std::string::npos) {
      problems.add(brace, where, "'{' is never closed", "write an index as {k} or {k+1}");
      return {};
    }
    const Value inner{text.substr(i + 1, end - i - 1), brace};
    if (only_names || ends_in_name(result)) {
      const auto k = whole_number(inner, bindings, symbols, where, problems);
      if (!k) return {};
      result += std::to_string(*k);
    } else {
      const auto x = number(inner, symbols, where, problems, &bindings);
      if (!x) return {};
      result += fmt::format("{{{}}}", static_cast<double>(*x));
    }
    i = end + 1;
  }
  return result;
}

}  // namespace

void for_each_copy(const Repeat& repeat, const Symbols& symbols, const std::string& where,
                   Problems& problems, const std::function<void(const Bindings&)>& visit) {
  const auto copies = Expansion{repeat, symbols, where, problems}.count();
  if (!copies) return;
  if (*copies > max_copies) {
    problems.add(repeat.ranges.front().from.at(), where + ": repeat",
                 fmt::format("gives more than {} copies", max_copies),
                 "lower the bounds or split the model");
    return;
  }
  Expansion{repeat, symbols, where, problems}.visit_all(visit);
  problems.pause(false);
}

std::optional<std::string> substitute_name(const std::string& text, Position at,
                                           const Bindings& bindings, const Symbols& symbols,
                                           const std::string& where, Problems& problems) {
  return replace(text, true, at, bindings, symbols, where, problems);
}

std::optional<Value> substitute(const Value& value, const Bindings& bindings,
                                const Symbols& symbols, const std::string& where,
                                Problems& problems) {
  if (value.is_number()) return value;
  auto text = replace(value.text(), false, value.at(), bindings, symbols, where, problems);
  if (!text) return {};
  return Value{std::move(*text), value.at()};
}

}  // namespace taut
