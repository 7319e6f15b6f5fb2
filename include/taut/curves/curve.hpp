// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What stays the same along a curve.
struct CurveStructure {
  Index m = 0;                           ///< numbers of a point p; p[0] is x
  Index k = 0;                           ///< equations f
  std::vector<std::string> coordinates;  ///< names of p:  x, y, z, y', z'
  std::vector<std::string> rows;         ///< names of f
  Vec scale;   ///< of each row: size of the terms it is made of, so its rounding level
  Sparse df;   ///< pattern, k x m
  Sparse d2f;  ///< pattern of d2f(., .) mu: m x m, both triangles; empty unless they are known
  bool second_derivatives = false;  ///< d2f can be asked for
  bool uses_x = true;               ///< some row of f reads x
  bool x_grows = false;             ///< V_x has no zero, and so keeps its sign
  /// V_x has no zero: its sign alone orients V, however sharply the curve turns, and direction()
  /// reads nothing but that.
  bool x_orients = false;
  /// So many numbers of p from this one on are in no norm: integrals of first-order states.
  Index first_uncounted = 0, uncounted = 0;
};

/// Results of an evaluation and the scratch it needs, owned by whoever evaluates. Sized by
/// prepare(); nothing is allocated afterwards, but by implicit completed forms
/// (completed_form.hpp), which solve equations in every evaluation.
struct CurveEvaluation {
  Vec f;
  Sparse df;
  Sparse d2f;
  /// Of forms that solve equations in every evaluation: where their iterations begin. Results
  /// depend on p and on this alone; prepare() and settle() set it. Empty for all others.
  Vec anchor;
  ScratchOwner own;  ///< of the implementation
};

/// What every form of a system gives to those that follow its solutions.
class CurveImplementation {
 public:
  virtual ~CurveImplementation() = default;
  CurveImplementation() = default;
  CurveImplementation(const CurveImplementation&) = delete;
  CurveImplementation& operator=(const CurveImplementation&) = delete;

  [[nodiscard]] virtual const CurveStructure& structure() const = 0;
  virtual void prepare(CurveEvaluation& out) const = 0;
  /// f alone.
  [[nodiscard]] virtual Status value(const Vec& p, CurveEvaluation& out) const = 0;
  /// f and df.
  [[nodiscard]] virtual Status jacobian(const Vec& p, CurveEvaluation& out) const = 0;
  /// d2f(., .) mu; Status::not_supported unless CurveStructure::second_derivatives.
  [[nodiscard]] virtual Status hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const = 0;
  /// A unit vector V that spans the distribution at p. `V` holds that of a point near by, or zeros:
  /// the sign is the one that goes on in its direction; from zeros, that of growing x.
  /// Fails with singular_matrix where the distribution is not one-dimensional.
  [[nodiscard]] virtual Status direction(const Vec& p, CurveEvaluation& out, Vec& V) const = 0;
  /// Sign of the determinant of the equations by what V is made of besides x, in an order that
  /// depends on names alone; 0 where it is not known. Along a curve V_x changes its sign with it.
  [[nodiscard]] virtual double orientation(const Vec& /*p*/, CurveEvaluation& /*out*/) const {
    return 0.0;
  }
  /// Points asked for from now on are near p: CurveEvaluation::anchor is taken there.
  [[nodiscard]] virtual Status settle(const Vec& /*p*/, CurveEvaluation& /*out*/) const {
    return Status::ok;
  }
  /// What is wrong at p, in words with names: which formula is not finite, which equations are
  /// dependent, how many directions there are; empty when nothing is.
  [[nodiscard]] virtual std::string explain(const Vec& p) const = 0;
};

struct CurveFeatures;

/// A curve on a manifold (tuomela2005, section 3):
///
///   M = { p in R^m : f(p) = 0 },     p'(s) = V(p),  |V| = 1,  V in D_p                         (1)
///
/// with a distribution D that has one dimension at each p of M. x = p[0] is a coordinate as any
/// other: where dx/ds = 0 the solution has an impasse point as a function of x, and none as a
/// curve. Immutable and cheap to copy; may be shared by threads, each with its own evaluation.
class Curve {
 public:
  Curve() = default;
  explicit Curve(std::shared_ptr<const CurveImplementation> implementation)
      : implementation_{std::move(implementation)} {}
  /// The same curve, of a system of which something may happen between the points where a step
  /// looks: whoever follows it looks closer.
  Curve(const Curve& curve, std::shared_ptr<const CurveFeatures> features)
      : implementation_{curve.implementation_}, features_{std::move(features)} {}

  [[nodiscard]] Index size() const { return structure().m; }
  [[nodiscard]] Index equations() const { return structure().k; }
  [[nodiscard]] const CurveStructure& structure() const { return implementation_->structure(); }
  [[nodiscard]] const CurveImplementation& implementation() const { return *implementation_; }
  /// Switches and short features of the system; nullptr where there are none, or nothing is known.
  [[nodiscard]] const std::shared_ptr<const CurveFeatures>& features() const { return features_; }

  void prepare(CurveEvaluation& out) const { implementation_->prepare(out); }
  [[nodiscard]] Status value(const Vec& p, CurveEvaluation& out) const {
    return implementation_->value(p, out);
  }
  [[nodiscard]] Status jacobian(const Vec& p, CurveEvaluation& out) const {
    return implementation_->jacobian(p, out);
  }
  [[nodiscard]] Status hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const {
    return implementation_->hessian(p, mu, out);
  }
  [[nodiscard]] Status direction(const Vec& p, CurveEvaluation& out, Vec& V) const {
    return implementation_->direction(p, out, V);
  }
  [[nodiscard]] double orientation(const Vec& p, CurveEvaluation& out) const {
    return implementation_->orientation(p, out);
  }
  [[nodiscard]] Status settle(const Vec& p, CurveEvaluation& out) const {
    return implementation_->settle(p, out);
  }
  [[nodiscard]] std::string explain(const Vec& p) const { return implementation_->explain(p); }

 private:
  std::shared_ptr<const CurveImplementation> implementation_;
  std::shared_ptr<const CurveFeatures> features_;
};

}  // namespace taut

#pragma GCC visibility pop
