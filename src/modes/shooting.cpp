// SPDX-License-Identifier: BSD-3-Clause
#include "modes/shooting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_decompositions.hpp"
#include "modes/linear_point.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

/// Of the cubic on [0, 1] with these values and slopes, where its slope, which has two signs,
/// vanishes.
double turning_value(double q0, double v0, double q1, double v1) {
  const double rise = q1 - q0;
  const double a = 3 * (v0 + v1 - 2 * rise), b = 2 * (3 * rise - 2 * v0 - v1);
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 60; ++k) {
    const double x = (low + high) / 2;
    const double slope = v0 + x * (b + x * a);
    (slope * v0 > 0.0 ? low : high) = x;
  }
  const double x = (low + high) / 2;
  return q0 + x * (v0 + x * (b / 2 + x * a / 3));
}

/// Least and largest values of places and states along a motion.
class Turns {
 public:
  explicit Turns(LinearFlow& flow) : flow_{flow} {}

  [[nodiscard]] Status begin(const State& state) {
    t_ = state.t;
    const Status status = look(state, values_, slopes_);
    lowest = highest = values_;
    return status;
  }

  void go_on(const State& now) {
    Vec values, slopes;
    if (look(now, values, slopes) != Status::ok) return;
    lowest = lowest.cwiseMin(values);
    highest = highest.cwiseMax(values);
    const double h = now.t - t_;
    for (Index i = 0; i < values.size(); ++i) {
      if (!(slopes_[i] * slopes[i] < 0.0)) continue;
      const double turn = turning_value(values_[i], slopes_[i] * h, values[i], slopes[i] * h);
      lowest[i] = std::min(lowest[i], turn);
      highest[i] = std::max(highest[i], turn);
    }
    t_ = now.t;
    values_ = values;
    slopes_ = slopes;
  }

  Vec lowest, highest;

 private:
  /// Places, whose rates are velocities, and states, whose rates are accelerations.
  [[nodiscard]] Status look(const State& state, Vec& values, Vec& slopes) {
    const Structure& structure = flow_.system().structure();
    const Index places = structure.places(), nz = structure.nz;
    Vec a(structure.nq);
    Status status = Status::ok;
    if (nz > 0) status = flow_.rates(state, a);
    values.resize(places + nz);
    slopes.resize(places + nz);
    values << state.q.head(places), state.v.tail(nz);
    slopes << state.v.head(places), a.tail(nz);
    return status;
  }

  LinearFlow& flow_;
  double t_ = 0.0;
  Vec values_, slopes_;
};

}  // namespace

Vec Shot::coordinates(const Vec& dq, const Vec& dv) const {
  Vec y(dimension());
  y.head(Z.cols()) = Z.transpose() * (M * dq);
  y.tail(Zv.cols()) = Zv.transpose() * (M * dv);
  return y;
}

Shot shoot(LinearFlow& flow, const State& state, double period) {
  Shot shot;
  const System& system = flow.system();
  const Index nq = system.nq();
  Accelerations accelerations;
  Vec a(nq), lambda(system.nc());
  shot.status = accelerations.start(system);
  if (shot.status == Status::ok)
    shot.status = accelerations(system, state.t, state.q, state.v, a, lambda);
  if (shot.status != Status::ok) return shot;
  const LinearTerms terms = linear_terms(system, state, a, lambda);
  shot.status = terms.status;
  if (shot.status != Status::ok) return shot;
  const ManifoldBasis basis{system, terms};
  shot.status = basis.status();
  if (shot.status != Status::ok) return shot;
  shot.Z = basis.Z();
  shot.Zv = basis.Zv();
  shot.PZ = basis.velocities_of_places();
  shot.M = terms.M;
  const Index n1 = shot.Z.cols(), n = shot.dimension();
  LinearFlow::Columns columns{.dq = Mat::Zero(nq, n), .dv = Mat::Zero(nq, n)};
  columns.dq.leftCols(n1) = shot.Z;
  columns.dv.leftCols(n1) = shot.PZ;
  columns.dv.rightCols(n - n1) = shot.Zv;
  State end = state;
  // between steps a coordinate turns where its cubic through values and rates at both ends does
  constexpr double looks = 64.0;
  flow.bound_steps(period / looks);
  Turns turns{flow};
  shot.status = turns.begin(state);
  if (shot.status != Status::ok) return shot;
  shot.status = flow(end, state.t + period, columns, [&](const State& now) {
    turns.go_on(now);
    shot.travel = std::max(shot.travel, shot.coordinates(now.q - state.q, now.v - state.v).norm());
    const Index places = system.structure().places();
    for (const Vec& change : {Vec{(now.q - state.q).head(places)}, Vec{now.v - state.v}})
      if (change.size() > 0) shot.extent = std::max(shot.extent, change.cwiseAbs().maxCoeff());
    return true;
  });
  shot.lowest = turns.lowest;
  shot.highest = turns.highest;
  const double small = 1e-3 * std::sqrt(std::max(0.0, state.q.dot(shot.M * state.q)) +
                                        std::max(0.0, state.v.dot(shot.M * state.v)));
  shot.size = std::max({shot.travel, small, 1e-8});
  if (shot.status != Status::ok) return shot;
  shot.r = shot.coordinates(end.q - state.q, end.v - state.v);
  shot.monodromy.resize(n, n);
  for (Index k = 0; k < n; ++k)
    shot.monodromy.col(k) = shot.coordinates(columns.dq.col(k), columns.dv.col(k));
  shot.rate = shot.coordinates(state.v, a);
  Vec a_end;
  shot.status = flow.rates(end, a_end);
  shot.end_rate = shot.coordinates(end.v, a_end);
  return shot;
}

Status move(const LinearFlow& flow, const Shot& shot, const Vec& y, State& state) {
  State moved = state;
  moved.q += shot.dq(y);
  moved.v += shot.dv(y);
  moved.q.tail(flow.system().structure().nz).setZero();
  const Start start = consistent_start(flow.system(), moved);
  if (start.status == Status::ok) state = start.state;
  return start.status;
}

double energy_of(const System& system, const State& state) {
  Evaluation ev;
  system.prepare(ev);
  const Status status = system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                                        {.t = state.t, .q = state.q, .v = state.v}, ev);
  return status == Status::ok ? ev.kinetic_energy + ev.potential_energy
                              : std::numeric_limits<double>::quiet_NaN();
}

Vec energy_slope(const System& system, const Shot& shot, const State& state) {
  const Index n = shot.dimension();
  const double h = 1e-5 * shot.size;
  Vec slope(n);
  for (Index k = 0; k < n; ++k) {
    const Vec y = Vec::Unit(n, k);
    double sides[2];
    for (int side = 0; side < 2; ++side) {
      const double way = side == 0 ? -h : h;
      sides[side] = energy_of(
          system, {.t = state.t, .q = state.q + way * shot.dq(y), .v = state.v + way * shot.dv(y)});
    }
    slope[k] = (sides[1] - sides[0]) / (2 * h);
  }
  return slope;
}

Eigen::VectorXcd multipliers_of(const Mat& monodromy, const Mat& trivial) {
  const auto by_size = [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); };
  const Index n = monodromy.rows();
  // an orthonormal basis of the columns, and of what is normal to them
  Mat U(n, 0);
  for (Index k = 0; k < trivial.cols(); ++k) {
    Vec u = trivial.col(k);
    const double length = u.norm();
    for (int twice = 0; twice < 2; ++twice) u -= U * (U.transpose() * u);
    if (!(u.norm() > 1e-8 * length)) continue;
    U.conservativeResize(n, U.cols() + 1);
    U.col(U.cols() - 1) = u.normalized();
  }
  const Mat W = U.cols() > 0 ? orthogonal_complement(U) : Mat{Mat::Identity(n, n)};
  Eigen::VectorXcd values(n);
  for (Index k = 0; k < U.cols(); ++k) values[k] = U.col(k).dot(monodromy * U.col(k));
  if (W.cols() > 0)
    values.tail(W.cols()) =
        general_modes(product(W.transpose(), product(monodromy, W)), Wanted::values).values;
  std::stable_sort(values.begin() + U.cols(), values.end(), by_size);
  return values;
}

double doubt(LinearFlow& flow, const Shot& shot, const State& state, double period) {
  const Index n = shot.dimension();
  if (n == 0) return 0.0;
  Vec y(n);
  for (Index k = 0; k < n; ++k) y[k] = std::cos(1.0 + 2.4 * static_cast<double>(k));
  y.normalize();
  const Vec said = shot.monodromy * y;
  // far beyond the errors of the flow, at its end not farther than that
  const double longest =
      std::max(shot.dq(y).cwiseAbs().maxCoeff(), shot.dv(y).cwiseAbs().maxCoeff());
  const double middle = std::max(1e-5 * shot.extent, 1e-6 * flow.resolved()) / longest /
                        std::max(1.0, shot.monodromy.norm());
  // rounding weighs on short differences, the bend of the flow on long ones, a jump on all
  double least = 1.0;
  for (const double factor : {1.0, 30.0, 0.03}) {
    const double h = factor * middle;
    Vec ends[2];
    bool arrived = true;
    for (int side = 0; side < 2 && arrived; ++side) {
      State moved = state;
      arrived = move(flow, shot, (side == 0 ? -h : h) * y, moved) == Status::ok;
      LinearFlow::Columns none{Mat(moved.q.size(), 0), Mat(moved.q.size(), 0)};
      arrived = arrived && flow(moved, state.t + period, none) == Status::ok;
      if (arrived) ends[side] = shot.coordinates(moved.q - state.q, moved.v - state.v);
    }
    if (!arrived) continue;
    const Vec found = (ends[1] - ends[0]) / (2 * h);
    least = std::min(least, (found - said).norm() / std::max({found.norm(), said.norm(), 1e-3}));
    constexpr double little = 1e-4;
    if (least < little) break;
  }
  return least;
}

}  // namespace taut
