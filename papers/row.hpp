// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut::papers {

/// What a row says about the paper.
enum class Verdict : unsigned char {
  agrees,       ///< with what is printed, within its digits or its stated uncertainty
  contradicts,  ///< print is wrong or unclear; `evidence` says why
  differs,      ///< what is printed is not reproduced; `evidence` says what was tried
  measured,     ///< the paper says it in words, a picture or a theorem, and the test holds
  ours,         ///< the paper has no counterpart
  failed,       ///< nothing was obtained
};
inline constexpr std::array all_verdicts{Verdict::agrees,   Verdict::contradicts, Verdict::differs,
                                         Verdict::measured, Verdict::ours,        Verdict::failed};
[[nodiscard]] std::string_view name(Verdict verdict);

/// Where the tolerance of a row comes from, and how it is used.
enum class Rule : unsigned char {
  digits,       ///< one unit of the last digit that is printed
  count,        ///< a whole number: equal
  rounding,     ///< equal but for the rounding of the computation
  statistics,   ///< statistical error of what was obtained
  about,        ///< printed as "about"
  magnitude,    ///< a size said or drawn: no more than this factor larger or smaller
  near,         ///< stated as equal: "the same", "almost identical", an exponent
  at_least,     ///< a bound from below, as an order of convergence is
  at_most,      ///< a bound from above
  independent,  ///< accuracy of the independent program
  none,         ///< nothing to compare with
};
[[nodiscard]] std::string_view words(Rule rule);

struct Tolerance {
  Rule rule = Rule::none;
  double amount = 0.0;
};
/// `last`: one unit of the last printed digit. Print cuts off as often as it rounds.
[[nodiscard]] Tolerance unit_of(double last);
[[nodiscard]] Tolerance counted();
[[nodiscard]] Tolerance rounding(double amount);
[[nodiscard]] Tolerance statistical(double amount);
[[nodiscard]] Tolerance about(double amount);
[[nodiscard]] Tolerance factor(double times);
[[nodiscard]] Tolerance near(double amount);
[[nodiscard]] Tolerance at_least(double slack = 0.0);
[[nodiscard]] Tolerance at_most(double slack = 0.0);

/// One line of a table.
struct Row {
  std::string name;
  /// As printed; of a statement the bound it is decided by, which print() is not.
  std::optional<double> published;
  double obtained = 0.0;  ///< not finite: the computation failed
  Tolerance tolerance{};
  std::string source{};     ///< of what is published or stated: table, equation, section
  std::string statement{};  ///< in our words; empty: a number is printed
  std::string evidence{};   ///< why print is wrong, or what was tried in vain
  std::string heading{};    ///< of the laboratory's page, under which the manual says more of it
  bool print_at_odds = false;
  std::string note{};  ///< what else should be known
  /// Of a program in papers/independent, which shares no code with what was computed here.
  std::optional<double> reference{};
  std::string independent{};      ///< its file
  double reference_within = 0.0;  ///< relative
  /// A time on this machine or a chaotic motion: not the same in every run or on every computer.
  bool volatile_value = false;
};

/// A printed number.
[[nodiscard]] Row printed(std::string name, double published, double obtained, std::string source,
                          Tolerance tolerance);
/// What the paper states without printing the number, and the number by which it is decided.
[[nodiscard]] Row stated(std::string name, std::string statement, std::string source, double bound,
                         double obtained, Tolerance tolerance);
/// Something the paper does not have.
[[nodiscard]] Row ours(std::string name, double obtained, std::string note = {});

/// Why a row is not what is printed: in a sentence, and the heading of the laboratory's page under
/// which the manual has the evidence.
struct Why {
  std::string_view heading, evidence;
};
/// The same row, where print is at odds with what is obtained, and why.
[[nodiscard]] Row at_odds(Row row, Why why);
/// The same row, which is not reproduced where it differs: what was tried.
[[nodiscard]] Row tried(Row row, Why what);
[[nodiscard]] Row with_note(Row row, std::string note);
[[nodiscard]] Row not_repeatable(Row row);

/// The number that is printed, and the one that a statement is decided by: at most one is there.
[[nodiscard]] std::optional<double> print(const Row& row);
[[nodiscard]] std::optional<double> bound(const Row& row);
/// Relative deviation from print; none where nothing is printed, or zero.
[[nodiscard]] std::optional<double> deviation(const Row& row);
[[nodiscard]] Verdict verdict(const Row& row);
/// Whether what was obtained is what the independent program has; true where there is none.
[[nodiscard]] bool meets_reference(const Row& row);
/// Whether a row is not what is printed, so that the manual has a paragraph about it.
[[nodiscard]] bool is_explained(const Row& row);
/// Note, and evidence where the verdict rests on it.
[[nodiscard]] std::string remarks(const Row& row);
/// The place in the manual of a row that is explained, as "docs/manual/X-laboratory.md#a-heading".
[[nodiscard]] std::string place_in_manual(std::string_view topic, const Row& row);

/// How often each verdict occurs, in the order of all_verdicts.
using Counts = std::array<int, all_verdicts.size()>;
[[nodiscard]] Counts counts(const std::vector<Row>& rows);
/// "12 agree, 1 contradicts, 3 ours"
[[nodiscard]] std::string words(const Counts& counts);

}  // namespace taut::papers
