// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "studies/varied_model.hpp"
#include "taut/studies/fit.hpp"

namespace taut {

/// Residuals of a fit and their derivatives at given values of what is to be found.
class FitProblem {
 public:
  FitProblem(const Model& model, const SimulationOptions& options,
             const std::vector<FitSeries>& series, const FitOptions& wanted, Problems& problems);

  /// Unknowns: those for all series, then those of the first, ...
  [[nodiscard]] Index unknowns() const { return static_cast<Index>(names_.size()); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const FitVariable& variable(Index unknown) const {
    return wanted_.vary[number_[static_cast<std::size_t>(unknown)]];
  }
  [[nodiscard]] const Vec& start() const { return start_; }

  /// Values at the times of the data and their derivatives; false where a run has failed: `why`.
  struct Point {
    std::vector<std::vector<double>> values;  ///< of each series, as its data stand
    std::vector<Mat> slopes;                  ///< of each: (its values) x unknowns
  };
  [[nodiscard]] bool at(const Vec& p, Point& point, std::string& why);
  [[nodiscard]] int runs() const { return runs_; }

 private:
  void check_series(Problems& problems) const;
  [[nodiscard]] Model model_at(const Vec& p, std::size_t series) const;
  [[nodiscard]] Index unknown_of(std::size_t variable, std::size_t series) const;

  const std::vector<FitSeries>& series_;
  const FitOptions& wanted_;
  VariedModel varied_;
  std::vector<std::string> names_;
  std::vector<std::size_t> number_;  // of the variable behind an unknown
  std::vector<Index> first_;         // unknown of a variable; of the first series
  Vec start_;
  int runs_ = 0;
};

}  // namespace taut
