// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut::test {

using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A small system written by hand, all matrices full: shares no code with compiled models.
/// Allocates nothing in evaluate().
class DenseSystem : public SystemImplementation {
 public:
  [[nodiscard]] const Structure& structure() const final { return structure_; }
  void prepare(Evaluation& out) const final;
  [[nodiscard]] Status evaluate(Needs needs, const Arguments& at, Evaluation& out) const final;
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const final;
  [[nodiscard]] std::string culprit(const Arguments&) const final { return {}; }

 protected:
  struct Size {
    Index nq = 0, nc = 0;
    double scale = 1.0;  ///< of every constraint
  };
  explicit DenseSystem(Size size);

  /// To be called at the end of a constructor: stores a constant mass matrix in the structure.
  void set_mass(const Mat& M);

  virtual void mass(const Vec& q, RowMat& M) const;
  virtual void force(const Arguments& at, Vec& f) const = 0;  ///< with inertial forces
  virtual void momentum_force(const Arguments& at, Vec& f) const { force(at, f); }
  [[nodiscard]] virtual double potential(const Arguments& at) const = 0;
  virtual void constraint(const Arguments&, Vec&) const {}
  virtual void jacobian(const Arguments&, RowMat&) const {}
  virtual void rate(const Arguments&, Vec& g_t) const { g_t.setZero(); }
  virtual void curvature(const Arguments&, Vec&) const {}
  /// K, where differences of the force are not good enough; false: they are taken.
  virtual bool stiffness(const Arguments&, RowMat&) const { return false; }
  virtual void third(const Arguments&, Vec& d3) const { d3.setZero(); }

  Structure structure_;

 private:
  // second derivatives by differences: enough for the matrices of Newton's method
  void differentiate(Needs needs, const Arguments& at, Evaluation& out) const;
  void differentiate_reactions(const Arguments& at, Evaluation& out) const;
};

}  // namespace taut::test
