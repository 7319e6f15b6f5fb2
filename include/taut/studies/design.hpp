// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/model/model.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// How a number is distributed.
///
///   uniform(a, b)        between a and b
///   normal(m, s)         mean m, standard deviation s
///   lognormal(m, s)      its logarithm is normal(m, s)
///   triangular(a, c, b)  between a and b, most often near c
struct Distribution {
  enum class Kind : unsigned char { uniform, normal, lognormal, triangular };
  std::string name;  ///< of a parameter or an input, or start(NAME) of a coordinate or a velocity
  Kind kind = Kind::uniform;
  std::vector<double> numbers;

  /// The x below which it lies with probability u, 0 < u < 1.
  [[nodiscard]] double quantile(double u) const;
};

/// Which runs are done: numbers that are drawn.
struct SampleDesign {
  enum class Kind : unsigned char {
    random,  ///< independent of each other: Monte Carlo
    latin,   ///< Latin hypercubes: each number once in every part of its range
    sobol,   ///< Sobol's sequence, shifted by chance
  };
  struct Correlation {
    std::string first, second;
    double value = 0.0;  ///< of the normal numbers behind them
  };
  std::vector<Distribution> distributions;
  std::vector<Correlation> correlations = {};
  std::size_t runs = 1000;
  Kind kind = Kind::random;
  std::uint64_t seed = 1;
  bool indices = false;  ///< runs in groups, from which Sobol indices are estimated
};

/// NAME=KIND(...), and NAME,NAME=RHO. Mistakes go to `problems`.
[[nodiscard]] std::vector<Distribution> read_distributions(const std::vector<std::string>& texts,
                                                           Problems& problems);
[[nodiscard]] std::vector<SampleDesign::Correlation> read_correlations(
    const std::vector<std::string>& texts, Problems& problems);

/// The points of a design. Point k is a function of the design and k alone: of counters through
/// Philox, not of what was drawn before.
///
/// Runs belong to 16 replicates in turn, each a design of its own kind that is independent of the
/// others: how far they are from each other is how far all together are from the truth. With
/// indices over d numbers, d + 2 runs make a group: A, B, and A with one number of B each; a
/// replicate has whole groups. References: mckay1979, sobol1967, joe2008, saltelli2010.
class SamplePoints {
 public:
  static constexpr std::size_t replicates = 16;

  /// Mistakes of the design go to `problems`.
  SamplePoints(SampleDesign design, Problems& problems);

  [[nodiscard]] const SampleDesign& design() const { return design_; }
  [[nodiscard]] std::size_t size() const { return design_.runs; }
  /// Runs of a group: 1 without indices.
  [[nodiscard]] std::size_t group() const { return group_; }
  /// One value for each distribution.
  [[nodiscard]] std::vector<double> operator()(std::size_t k) const;

 private:
  [[nodiscard]] double uniform(std::size_t group, std::size_t dimension) const;

  SampleDesign design_;
  std::size_t group_ = 1, dimensions_ = 0;
  std::vector<double> factor_;  // Cholesky's, row by row; empty: nothing is correlated
};

/// Makes parameters of start values: for each start(NAME) among `names` the model gets a parameter
/// that it begins with. The names of parameters and inputs to change, in this order; mistakes go to
/// `problems`, of names that were given as `where`.
[[nodiscard]] std::vector<std::string> name_start_values(
    const std::vector<std::string>& names, Model& model, Problems& problems,
    const std::string& where = "<<distribution>>");

}  // namespace taut

#pragma GCC visibility pop
