// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "curves/jet_rows.hpp"
#include "curves/total_derivative.hpp"
#include "taut/curves/completion.hpp"

namespace taut {

class JetUnits;

/// dF_r/du without x, rows and columns in units.
struct ScaledJacobian {
  Mat J;              ///< diag(rows) dF_r/du diag(columns); empty where it is not finite
  Vec rows, columns;  ///< factors
};

/// The name of derivative `order` of an equation, for messages: `derivative of rod`.
[[nodiscard]] std::string derivative_name(const std::string& equation, int order);

/// F_r = (f, D f, ..., D^r f) of Completion. A point u of it lists x, the low jets, the next ones
/// y_j^(l_j), and then those that D f, D² f, ... bring: what F_r reads is the front of what F_{r+1}
/// reads.
class DerivativeArray {
 public:
  DerivativeArray(const JetSystem& system, const std::vector<int>& orders);
  DerivativeArray(const DerivativeArray&) = delete;  // derivatives refer to the graph
  DerivativeArray& operator=(const DerivativeArray&) = delete;

  /// From F_r to F_{r+1}.
  void prolong();

  [[nodiscard]] int r() const { return r_; }
  [[nodiscard]] Index low() const { return low_; }
  [[nodiscard]] Index n() const { return n_; }
  [[nodiscard]] Index rows(int r) const { return equations_ * (r + 1); }
  [[nodiscard]] Index columns(int r) const { return columns_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] const std::vector<Index>& jets() const { return jets_; }
  [[nodiscard]] const formula::Graph& graph() const { return graph_; }
  [[nodiscard]] formula::NodeId node(Index row) const {
    return nodes_[static_cast<std::size_t>(row)];
  }
  /// `derivative of rod`
  [[nodiscard]] std::string row_name(Index row) const;
  /// Number of derivatives that were taken for a row.
  [[nodiscard]] int derivatives(Index row) const { return static_cast<int>(row / equations_); }

  /// F_r as a map of u; compiled when first asked for.
  [[nodiscard]] const JetRows& map();

  /// dF_r/du at u in units of the jets with a time scale longer by 2^`shift`, and rows in units of
  /// their largest entry.
  [[nodiscard]] ScaledJacobian scaled_jacobian(const Vec& u, const JetUnits& units, int shift = 0);

 private:
  std::vector<std::string> names_;  // of the equations
  formula::Graph graph_;
  TotalDerivative derivative_;
  std::vector<int> orders_;
  Index n_ = 0, equations_ = 0, low_ = 0;
  int r_ = 0;
  std::vector<formula::NodeId> nodes_;
  std::vector<Index> jets_, columns_;
  JetRows map_;
  int compiled_ = -1;
};

/// Ranks of F_r for one r.
struct ArrayRanks {
  Completion::Prolongation line;
  double gap = 0.0;  ///< smallest pivot that counts by the largest that does not; 0 counts as 1e-17
  bool doubtful = false;  ///< a pivot is neither clearly zero nor clearly not
};

/// (1), (2) of Completion for one r, from scaled_jacobian() of an array that has come to r at
/// least.
[[nodiscard]] ArrayRanks ranks_of(const DerivativeArray& array, int r, const Mat& J,
                                  double independent);

/// A sum with equal terms collected, so that what cancels is gone.
[[nodiscard]] formula::NodeId collected(formula::Graph& graph,
                                        const std::vector<std::pair<formula::NodeId, double>>& sum);

}  // namespace taut
