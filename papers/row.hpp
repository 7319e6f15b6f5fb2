// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut::papers {

/// How the obtained value of a row must lie to what it is compared with.
enum class Rule {
  equal,     ///< within `allowed`
  at_least,  ///< a published bound from below: an order
  at_most,   ///< a published bound from above
  factor,    ///< of the same size: no more than `allowed` times larger or smaller
  none,      ///< stands beside it for the reader, without a verdict: a time on this machine
};

/// One line of a table: what the paper states, what is known from an earlier independent
/// computation, and what was computed just now.
struct Row {
  std::string name;
  std::optional<double> published;  ///< stated in the paper, or following from its theorem
  std::optional<double> reference;  ///< of an earlier computation with other code
  double obtained = 0.0;            ///< not finite: the computation failed
  Rule rule = Rule::equal;          ///< between obtained and published
  double allowed = 0.0;             ///< deviation within which values count as equal
  bool misprint = false;            ///< the published value is taken for a slip of the print
  std::string note{};               ///< what the reader should know; why it is one
  bool open = false;  ///< the paper says too little to tell why a value differs: not a failure here
};

/// A measured exponent. `published` is a lower bound: theorems bound errors from above.
[[nodiscard]] Row order_row(std::string name, std::optional<double> published,
                            std::optional<double> reference, double obtained,
                            double allowed = 0.15);

/// A measured value, with the relative deviation that is allowed.
[[nodiscard]] Row value_row(std::string name, std::optional<double> published,
                            std::optional<double> reference, double obtained, double relative);

/// A size, such as an error level that the paper reads off a figure.
[[nodiscard]] Row size_row(std::string name, std::optional<double> published,
                           std::optional<double> reference, double obtained, double factor);

/// Relative deviation from the reference, or from the published value where there is none.
[[nodiscard]] std::optional<double> deviation(const Row& row);

/// "agrees", "exceeds" (a bound, by more than is allowed), "differs", "open" (differs where the
/// paper leaves open what it did), "failed", or "" when there is nothing to compare with.
/// "misprint": marked as one, at odds with the published value and in agreement with the reference.
[[nodiscard]] std::string_view verdict(const Row& row);

}  // namespace taut::papers
