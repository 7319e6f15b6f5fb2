// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "formula/kernel.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// Expressions of jets as a map from the numbers they read to their values, with derivatives:
/// straight-line programs and the places their results go to. Immutable; scratch is the caller's.
class JetRows {
 public:
  /// Work of one caller; sized by prepare().
  struct Scratch {
    struct alignas(64) Line {
      double numbers[8];
    };
    std::vector<Line> value, jacobian, hessian;  ///< registers of each program
  };

  JetRows() = default;
  /// `jets` says which inputs of the graph are the numbers 0, 1, ... of the map; the rows read no
  /// others.
  JetRows(const formula::Graph& graph, std::span<const formula::NodeId> rows,
          std::span<const Index> jets, bool second_derivatives = false);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index columns() const { return columns_; }
  /// Pattern of the Jacobian, rows() x columns(), with zeros.
  [[nodiscard]] const Sparse& pattern() const { return pattern_; }
  /// Of d2f(., .) mu: columns() x columns(), both triangles; empty unless asked for.
  [[nodiscard]] const Sparse& second_pattern() const { return second_pattern_; }

  void prepare(Scratch& scratch) const;
  /// Fail with non_finite. `df` has pattern(), `d2f` has second_pattern().
  [[nodiscard]] Status value(const Vec& p, Scratch& scratch, Vec& f) const;
  [[nodiscard]] Status jacobian(const Vec& p, Scratch& scratch, Vec& f, Sparse& df) const;
  [[nodiscard]] Status hessian(const Vec& p, const Vec& mu, Scratch& scratch, Sparse& d2f) const;

 private:
  using Kernel = std::shared_ptr<const formula::Kernel>;
  static double* run(const Kernel& kernel, const Vec& p, const Vec* mu,
                     std::vector<Scratch::Line>& registers);

  Index rows_ = 0, columns_ = 0;
  Kernel value_, jacobian_, hessian_;
  Sparse pattern_, second_pattern_;
  std::vector<Index> slots_, second_slots_;  // of each output in the values of the matrix
};

}  // namespace taut
