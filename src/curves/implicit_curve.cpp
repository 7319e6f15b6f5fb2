// SPDX-License-Identifier: BSD-3-Clause
#include "curves/implicit_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/dense_decompositions.hpp"
#include "curves/derivative_array.hpp"
#include "curves/jet_units.hpp"
#include "curves/signature.hpp"

namespace taut {
namespace {

constexpr int most_iterations = 40;
constexpr double dependent = 1e-9;  // pivots below this times the largest count as zero

class ImplicitCurve final : public CurveImplementation {
 public:
  ImplicitCurve(const JetSystem& system, const Completion& completion) {
    DerivativeArray array{system, Signature::of(system).orders};
    while (array.r() < completion.prolongations) array.prolong();
    map_ = array.map();
    structure_.m = 1 + array.low();
    structure_.k = array.low() - completion.dimension;
    u_.resize(map_.columns());
    for (Index c = 0; c < u_.size(); ++c) {
      const Index jet = array.jets()[static_cast<std::size_t>(c)];
      u_[c] = jet < completion.jets.size() && std::isfinite(completion.jets[jet])
                  ? completion.jets[jet]
                  : 0.0;
    }
    for (Index c = 0; c < structure_.m; ++c)
      structure_.coordinates.push_back(system.name_of(array.jets()[static_cast<std::size_t>(c)]));
    for (Index r = 0; r < structure_.k; ++r)
      structure_.rows.push_back(fmt::format("condition {}", r + 1));
    structure_.scale = Vec::Ones(structure_.k);
    structure_.df = Mat::Ones(structure_.k, structure_.m).sparseView();
    // y_j^(i+1) of each number y_j^(i) of p
    const Index n = system.n();
    for (Index c = 1; c < structure_.m; ++c)
      for (Index next = 1; next < u_.size(); ++next)
        if (array.jets()[static_cast<std::size_t>(next)] ==
            array.jets()[static_cast<std::size_t>(c)] + n)
          next_.push_back(next);

    // units of rows and of high jets are those of the start, so that f is smooth
    Vec known = Vec::Zero(system.size(std::max(completion.order, 1)));
    for (Index jet = 0; jet < std::min(known.size(), completion.jets.size()); ++jet)
      if (std::isfinite(completion.jets[jet])) known[jet] = completion.jets[jet];
    const JetUnits units{system, known};
    size_.resize(u_.size());
    for (Index c = 0; c < u_.size(); ++c)
      size_[c] = units.jet(array.jets()[static_cast<std::size_t>(c)]);
    anchor_ = u_.tail(u_.size() - structure_.m);
    Scratch s;
    start(s);
    Vec F(map_.rows());
    Sparse dF = map_.pattern();
    scale_ = Vec::Ones(map_.rows());
    if (map_.jacobian(u_, s.rows, F, dF) != Status::ok) return;
    for (Index r = 0; r < dF.outerSize(); ++r) {
      double most = 0.0;
      for (Sparse::InnerIterator e{dF, r}; e; ++e)
        most = std::max(most, std::abs(e.value()) * size_[e.col()]);
      if (most > 0.0) scale_[r] = most;
    }
    if (solve(u_.head(structure_.m), anchor_, s) != Status::ok) return;
    rank_ = s.rank;
    anchor_ = anchor_of(s);
  }

  [[nodiscard]] const CurveStructure& structure() const override { return structure_; }

  void prepare(CurveEvaluation& out) const override {
    out.f.setZero(structure_.k);
    out.df = structure_.df;
    out.d2f.resize(0, 0);
    auto scratch = std::make_unique<Scratch>();
    start(*scratch);
    out.anchor = anchor_;
    out.own.reset(std::move(scratch));
  }

  [[nodiscard]] Status value(const Vec& p, CurveEvaluation& out) const override {
    return jacobian(p, out);
  }

  [[nodiscard]] Status jacobian(const Vec& p, CurveEvaluation& out) const override {
    auto& s = out.own.as<Scratch>();
    if (const Status status = solve(p, out.anchor, s); status != Status::ok) return status;
    out.f.noalias() = s.B.transpose() * s.F;
    const Mat df = s.B.transpose() * s.J_low;
    for (Index r = 0; r < structure_.k; ++r)
      for (Index c = 0; c < structure_.m; ++c) out.df.valuePtr()[r * structure_.m + c] = df(r, c);
    return Status::ok;
  }

  [[nodiscard]] Status hessian(const Vec& /*p*/, const Vec& /*mu*/,
                               CurveEvaluation& /*out*/) const override {
    return Status::not_supported;
  }

  [[nodiscard]] Status direction(const Vec& p, CurveEvaluation& out, Vec& V) const override {
    auto& s = out.own.as<Scratch>();
    if (const Status status = solve(p, out.anchor, s); status != Status::ok) return status;
    Vec& v = s.direction;
    v[0] = 1.0;
    for (Index c = 1; c < structure_.m; ++c) v[c] = s.u[next_[static_cast<std::size_t>(c - 1)]];
    v.normalize();
    V = v.dot(V) < 0.0 ? Vec{-v} : v;
    return Status::ok;
  }

  [[nodiscard]] Status settle(const Vec& p, CurveEvaluation& out) const override {
    auto& s = out.own.as<Scratch>();
    if (const Status status = solve(p, out.anchor, s); status != Status::ok) return status;
    out.anchor = anchor_of(s);
    return Status::ok;
  }

  [[nodiscard]] std::string explain(const Vec& p) const override {
    Scratch s;
    start(s);
    switch (solve(p, anchor_, s)) {
      case Status::ok:
        return {};
      case Status::singular_matrix:
        return fmt::format(
            "the differentiated equations have rank {} in their highest derivatives here, and {} "
            "at the start: a singular point, or an impasse point",
            s.rank, rank_);
      case Status::non_finite:
        return "an equation or its derivative is not finite here";
      default:
        return "the highest derivatives that the equations determine were not found here";
    }
  }

 private:
  struct Scratch final : ReadingScratch {
    JetRows::Scratch rows;
    Vec u;          // (p, high)
    Vec p, anchor;  // where and from what the rest was found; empty: nowhere
    Vec F;          // in units of the rows
    Sparse dF;      // likewise
    Mat J_low;      // with x
    Mat B;          // columns: Z Q
    Index rank = 0;
    Vec direction;

    [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
      return std::make_unique<Scratch>(*this);
    }
  };

  void start(Scratch& s) const {
    map_.prepare(s.rows);
    s.u = u_;
    s.F.setZero(map_.rows());
    s.dF = map_.pattern();
    s.direction.setZero(structure_.m);
  }

  [[nodiscard]] Status evaluate(Scratch& s) const {
    if (const Status status = map_.jacobian(s.u, s.rows, s.F, s.dF); status != Status::ok)
      return status;
    s.F.array() /= scale_.array();
    for (Index r = 0; r < s.dF.outerSize(); ++r)
      for (Sparse::InnerIterator e{s.dF, r}; e; ++e) e.valueRef() /= scale_[r];
    return Status::ok;
  }

  // high jets and B, as others near by begin with them
  [[nodiscard]] static Vec anchor_of(const Scratch& s) {
    const Index high = s.u.size() - s.p.size();
    Vec anchor(high + s.B.size());
    anchor.head(high) = s.u.tail(high);
    anchor.tail(s.B.size()) = s.B.reshaped();
    return anchor;
  }

  // high jets for the low ones p, and the combinations Z Q of rows that are free of them
  [[nodiscard]] Status solve(const Vec& p, const Vec& anchor, Scratch& s) const {
    if (s.p.size() == p.size() && s.p == p && s.anchor.size() == anchor.size() &&
        s.anchor == anchor)
      return Status::ok;
    s.p.resize(0);
    const Index m = structure_.m, high = u_.size() - m;
    s.u.head(m) = p;
    s.u.tail(high) = anchor.head(high);
    Status status = Status::iteration_limit;
    LeastSquares last;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (const Status found = evaluate(s); found != Status::ok) {
        status = found;
        break;
      }
      const Mat J{s.dF};
      s.J_low = J.leftCols(m);
      last = least_squares(J.rightCols(high) * size_.tail(high).asDiagonal(), -s.F, dependent);
      s.rank = last.rank;
      if (rank_ >= 0 && last.rank != rank_) {
        status = Status::singular_matrix;
        break;
      }
      s.u.tail(high) += last.x.cwiseProduct(size_.tail(high));
      if (last.x.norm() <= 1e-11 * (1.0 + s.u.tail(high).cwiseQuotient(size_.tail(high)).norm())) {
        status = Status::ok;
        break;
      }
    }
    if (status != Status::ok) return status;
    // of Zᵀ J_low the k largest directions: the others are combinations that vanish by themselves
    const Mat G = last.complement.transpose() * s.J_low;
    const SymmetricModes modes = symmetric_modes(G * G.transpose());
    if (!modes.found || modes.omega2.size() < structure_.k) return Status::singular_matrix;
    Mat B = last.complement * modes.shapes.rightCols(structure_.k);
    if (anchor.size() == high + B.size() && structure_.k > 0) {
      // the rotation that brings it nearest to that of the anchor: f changes as little as p
      const Mat near = anchor.tail(B.size()).reshaped(B.rows(), B.cols());
      const SingularModes turn = singular_modes(B.transpose() * near);
      B = B * (turn.U * turn.V.transpose());
    }
    s.B = std::move(B);
    s.p = p;
    s.anchor = anchor;
    return Status::ok;
  }

  CurveStructure structure_;
  JetRows map_;
  Vec u_;                    // the start
  Vec anchor_;               // there
  Vec size_, scale_;         // units of u and of rows
  std::vector<Index> next_;  // of each number of p but x: where its derivative stands in u
  Index rank_ = -1;          // of J_high, at the start
};

}  // namespace

Curve implicit_curve(const JetSystem& system, const Completion& completion) {
  return Curve{std::make_shared<const ImplicitCurve>(system, completion)};
}

}  // namespace taut
