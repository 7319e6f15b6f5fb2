// SPDX-License-Identifier: BSD-3-Clause
#include "row.hpp"

#include <cctype>
#include <cmath>
#include <utility>

namespace taut::papers {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::contradicts:
      return "contradicts";
    case Verdict::differs:
      return "differs";
    case Verdict::measured:
      return "measured";
    case Verdict::ours:
      return "ours";
    case Verdict::failed:
      break;
  }
  return "failed";
}

std::string_view words(Rule rule) {
  switch (rule) {
    case Rule::digits:
      return "digits printed";
    case Rule::count:
      return "a count: equal";
    case Rule::rounding:
      return "equal but for rounding";
    case Rule::statistics:
      return "statistical error";
    case Rule::about:
      return "printed as \"about\"";
    case Rule::magnitude:
      return "order of magnitude: within this factor";
    case Rule::near:
      return "stated as equal: within this";
    case Rule::at_least:
      return "a bound from below, less this";
    case Rule::at_most:
      return "a bound from above, plus this";
    case Rule::independent:
      return "accuracy of the independent program";
    case Rule::none:
      break;
  }
  return "nothing to compare with";
}

// rounding of the comparison itself must not decide
Tolerance unit_of(double last) { return {Rule::digits, 1.0000001 * last}; }
Tolerance counted() { return {Rule::count, 0.0}; }
Tolerance rounding(double amount) { return {Rule::rounding, amount}; }
Tolerance statistical(double amount) { return {Rule::statistics, amount}; }
Tolerance about(double amount) { return {Rule::about, amount}; }
Tolerance factor(double times) { return {Rule::magnitude, times}; }
Tolerance near(double amount) { return {Rule::near, amount}; }
Tolerance at_least(double slack) { return {Rule::at_least, slack}; }
Tolerance at_most(double slack) { return {Rule::at_most, slack}; }

Row printed(std::string name, double published, double obtained, std::string source,
            Tolerance tolerance) {
  return {.name = std::move(name),
          .published = published,
          .obtained = obtained,
          .tolerance = tolerance,
          .source = std::move(source)};
}

Row stated(std::string name, std::string statement, std::string source, double bound,
           double obtained, Tolerance tolerance) {
  Row row = printed(std::move(name), bound, obtained, std::move(source), tolerance);
  row.statement = std::move(statement);
  return row;
}

Row ours(std::string name, double obtained, std::string note) {
  return {.name = std::move(name), .published = {}, .obtained = obtained, .note = std::move(note)};
}

Row at_odds(Row row, Why why) {
  row = tried(std::move(row), why);
  row.print_at_odds = true;
  return row;
}

Row tried(Row row, Why what) {
  row.heading = what.heading;
  row.evidence = what.evidence;
  return row;
}

Row with_note(Row row, std::string note) {
  row.note = std::move(note);
  return row;
}

Row not_repeatable(Row row) {
  row.volatile_value = true;
  return row;
}

std::optional<double> print(const Row& row) {
  return row.statement.empty() ? row.published : std::nullopt;
}

std::optional<double> bound(const Row& row) {
  return row.statement.empty() ? std::nullopt : row.published;
}

std::optional<double> deviation(const Row& row) {
  const std::optional<double> number = print(row);
  if (!number || *number == 0.0 || !std::isfinite(row.obtained)) return {};
  return row.obtained / *number - 1.0;
}

namespace {

bool holds(const Row& row) {
  const double x = row.obtained, p = *row.published, t = row.tolerance.amount;
  switch (row.tolerance.rule) {
    case Rule::magnitude:
      return x / p <= t && x / p >= 1.0 / t;
    case Rule::at_least:
      return x >= p - t;
    case Rule::at_most:
      return x <= p + t;
    case Rule::none:
      return false;  // a published number has a rule
    case Rule::digits:
    case Rule::count:
    case Rule::rounding:
    case Rule::statistics:
    case Rule::about:
    case Rule::near:
    case Rule::independent:
      break;
  }
  return std::abs(x - p) <= t;
}

}  // namespace

bool meets_reference(const Row& row) {
  return !row.reference ||
         std::abs(row.obtained - *row.reference) <= row.reference_within * std::abs(*row.reference);
}

Verdict verdict(const Row& row) {
  if (!std::isfinite(row.obtained)) return Verdict::failed;
  if (!row.published) return meets_reference(row) ? Verdict::ours : Verdict::differs;
  if (holds(row)) return row.statement.empty() ? Verdict::agrees : Verdict::measured;
  return row.print_at_odds ? Verdict::contradicts : Verdict::differs;
}

bool is_explained(const Row& row) {
  const Verdict found = verdict(row);
  return found == Verdict::contradicts || found == Verdict::differs;
}

std::string remarks(const Row& row) {
  if (!is_explained(row) || row.evidence.empty()) return row.note;
  return row.note.empty() ? row.evidence : row.evidence + "; " + row.note;
}

std::string place_in_manual(std::string_view topic, const Row& row) {
  if (!is_explained(row) || row.heading.empty()) return {};
  // as renderers of Markdown make the anchor of a heading
  std::string anchor;
  for (const char c : row.heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ')
      anchor += '-';
    else if (std::isalnum(byte) || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(byte));
  }
  return "docs/manual/" + std::string{topic} + "-laboratory.md#" + anchor;
}

Counts counts(const std::vector<Row>& rows) {
  Counts result{};
  for (const Row& row : rows) ++result[static_cast<std::size_t>(verdict(row))];
  return result;
}

std::string words(const Counts& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(counts[i]) + " ";
    const std::string_view what = name(all_verdicts[i]);
    // more than one of them agree, contradict, differ
    const bool verb = i < 3 && counts[i] != 1;
    text += verb ? what.substr(0, what.size() - 1) : what;
  }
  return text.empty() ? "no rows" : text;
}

}  // namespace taut::papers
