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

Shot shoot(LinearFlow& flow, const State& state, double time, double longest) {
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
  shot.rate = shot.coordinates(state.v, a);
  const Index n1 = shot.Z.cols(), n = shot.dimension();
  shot.columns = {.dq = Mat::Zero(nq, n), .dv = Mat::Zero(nq, n)};
  shot.columns.dq.leftCols(n1) = shot.Z;
  shot.columns.dv.leftCols(n1) = shot.PZ;
  shot.columns.dv.rightCols(n - n1) = shot.Zv;
  shot.end = state;
  flow.bound_steps(longest);
  Turns turns{flow};
  shot.status = turns.begin(state);
  if (shot.status != Status::ok) return shot;
  shot.status = flow(shot.end, state.t + time, shot.columns, [&](const State& now) {
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
  if (shot.status == Status::ok && !(shot.end.q.allFinite() && shot.end.v.allFinite()))
    shot.status = Status::non_finite;
  if (shot.status == Status::ok) shot.status = flow.rates(shot.end, shot.a_end);
  return shot;
}

Index ShotChain::begin(Index node) const {
  Index at = 0;
  for (Index k = 0; k < node; ++k) at += shots[static_cast<std::size_t>(k)].dimension();
  return at;
}

Vec ShotChain::residual() const {
  Vec all(dimension());
  for (Index k = 0; k < parts(); ++k) part(all, next(k)) = r[static_cast<std::size_t>(k)];
  return all;
}

Mat ShotChain::jacobian() const {
  const Index n = dimension();
  Mat J = Mat::Zero(n, n);
  for (Index k = 0; k < parts(); ++k) {
    const Mat& one = X[static_cast<std::size_t>(k)];
    J.block(begin(next(k)), begin(k), one.rows(), one.cols()) += one;
  }
  J.diagonal().array() -= 1.0;
  return J;
}

Vec ShotChain::rates() const {
  Vec all(dimension());
  for (Index k = 0; k < parts(); ++k) part(all, k) = shots[static_cast<std::size_t>(k)].rate;
  return all;
}

Vec ShotChain::end_rates() const {
  Vec all(dimension());
  for (Index k = 0; k < parts(); ++k)
    part(all, next(k)) = end_rate[static_cast<std::size_t>(k)] / static_cast<double>(parts());
  return all;
}

Vec ShotChain::coordinates(const Vec& dq, const Vec& dv) const {
  const Index nq = nodes.front().q.size();
  Vec all(dimension());
  for (Index k = 0; k < parts(); ++k)
    part(all, k) = shots[static_cast<std::size_t>(k)].coordinates(dq.segment(k * nq, nq),
                                                                  dv.segment(k * nq, nq));
  return all;
}

Vec ShotChain::dq(const Vec& y) const {
  const Index nq = nodes.front().q.size();
  Vec all(parts() * nq);
  for (Index k = 0; k < parts(); ++k)
    all.segment(k * nq, nq) = shots[static_cast<std::size_t>(k)].dq(part(y, k));
  return all;
}

Vec ShotChain::dv(const Vec& y) const {
  const Index nq = nodes.front().q.size();
  Vec all(parts() * nq);
  for (Index k = 0; k < parts(); ++k)
    all.segment(k * nq, nq) = shots[static_cast<std::size_t>(k)].dv(part(y, k));
  return all;
}

double ShotChain::gap() const {
  double sum = 0.0;
  for (const Vec& one : r) sum += one.squaredNorm();
  return std::sqrt(sum);
}

double ShotChain::growth() const {
  double most = 0.0;
  for (const Mat& one : X) most = std::max(most, one.norm());
  return most;
}

ShotChain shoot(LinearFlow& flow, std::vector<State> nodes, double period, const Vec& turns) {
  // between steps a coordinate turns where its cubic through values and rates at both ends does
  constexpr double looks = 64.0;
  ShotChain chain;
  const std::size_t parts = nodes.size();
  const double begin = nodes.front().t;
  chain.nodes = std::move(nodes);
  for (std::size_t k = 0; k < parts; ++k) {
    State& node = chain.nodes[k];
    node.t = begin + period * static_cast<double>(k) / static_cast<double>(parts);
    chain.shots.push_back(shoot(flow, node, period / static_cast<double>(parts), period / looks));
    const Shot& shot = chain.shots.back();
    chain.status = shot.status;
    chain.travel = std::max(chain.travel, shot.travel);
    chain.size = std::max(chain.size, shot.size);
    chain.extent = std::max(chain.extent, shot.extent);
    if (chain.status != Status::ok) return chain;
    chain.lowest = k == 0 ? shot.lowest : Vec{chain.lowest.cwiseMin(shot.lowest)};
    chain.highest = k == 0 ? shot.highest : Vec{chain.highest.cwiseMax(shot.highest)};
  }
  for (std::size_t k = 0; k < parts; ++k) {
    const bool last = k + 1 == parts;
    const std::size_t to = last ? 0 : k + 1;
    const Shot &from = chain.shots[k], &into = chain.shots[to];
    if (from.dimension() != into.dimension()) {
      chain.status = Status::singular_matrix;
      return chain;
    }
    Vec dq = from.end.q - chain.nodes[to].q;
    if (last) dq -= turns;
    chain.r.push_back(into.coordinates(dq, from.end.v - chain.nodes[to].v));
    Mat X(into.dimension(), from.dimension());
    for (Index column = 0; column < X.cols(); ++column)
      X.col(column) = into.coordinates(from.columns.dq.col(column), from.columns.dv.col(column));
    if (!X.allFinite() || !chain.r.back().allFinite()) {
      chain.status = Status::non_finite;
      return chain;
    }
    chain.X.push_back(std::move(X));
    chain.end_rate.push_back(into.coordinates(from.end.v, from.a_end));
  }
  return chain;
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

Status move(const LinearFlow& flow, const ShotChain& chain, const Vec& y,
            std::vector<State>& nodes) {
  std::vector<State> moved = nodes;
  for (Index k = 0; k < chain.parts(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (const Status st = move(flow, chain.shots[at], chain.part(y, k), moved[at]);
        st != Status::ok)
      return st;
  }
  nodes = std::move(moved);
  return Status::ok;
}

Status split(LinearFlow& flow, double period, std::vector<State>& nodes) {
  std::vector<State> twice;
  for (const State& node : nodes) {
    State middle = node;
    LinearFlow::Columns none{Mat(node.q.size(), 0), Mat(node.q.size(), 0)};
    const double time = period / (2.0 * static_cast<double>(nodes.size()));
    if (const Status st = flow(middle, node.t + time, none); st != Status::ok) return st;
    twice.push_back(node);
    twice.push_back(std::move(middle));
  }
  nodes = std::move(twice);
  return Status::ok;
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

namespace {

/// Columns of Y made orthonormal one after the other, Y = Q R.
void orthonormalise(const Mat& Y, Mat& Q, Mat& R) {
  const Index n = Y.cols();
  Q = Mat::Zero(n, n);
  R = Mat::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    Vec y = Y.col(k);
    const double before = y.norm();
    for (int pass = 0; pass < 2; ++pass) {
      const Vec h = Q.leftCols(k).transpose() * y;
      y -= Q.leftCols(k) * h;
      R.col(k).head(k) += h;
    }
    const double left = y.norm();
    if (left > 1e-14 * before) {
      R(k, k) = left;
      Q.col(k) = y / left;
      continue;
    }
    // nothing but rounding of the others: whatever is normal to them
    const Mat rest = k > 0 ? orthogonal_complement(Q.leftCols(k)) : Mat{Mat::Identity(n, n)};
    Q.col(k) = rest.col(0);
  }
}

/// Of X_N-1 ... X_0.
Eigen::VectorXcd values_of_product(const std::vector<Mat>& X) {
  if (X.size() == 1) return general_modes(X.front(), Wanted::values).values;
  const Index n = X.front().cols();
  Mat Q = Mat::Identity(n, n), next, coupled;
  std::vector<Mat> R(X.size());
  constexpr int rounds = 60;
  for (int round = 0; round < rounds; ++round) {
    const Mat before = Q;
    for (std::size_t k = 0; k < X.size(); ++k) {
      orthonormalise(product(X[k], Q), next, R[k]);
      Q.swap(next);
    }
    coupled = product(before.transpose(), Q);
  }
  Eigen::VectorXcd values(n);
  for (Index first = 0, last = 1; first < n; first = last++) {
    // a block ends where the columns up to there have come back to their space
    constexpr double settled = 1e-13;
    while (last < n && coupled.bottomLeftCorner(n - last, last).cwiseAbs().maxCoeff() > settled)
      ++last;
    const Index size = last - first;
    Mat block = Mat::Identity(size, size);
    for (const Mat& one : R) block = product(one.block(first, first, size, size), block);
    block = product(coupled.block(first, first, size, size), block);
    values.segment(first, size) = general_modes(block, Wanted::values).values;
  }
  return values;
}

/// An orthonormal basis of the columns.
Mat basis_of(const Mat& columns) {
  Mat U(columns.rows(), 0);
  for (Index k = 0; k < columns.cols(); ++k) {
    Vec u = columns.col(k);
    const double length = u.norm();
    for (int twice = 0; twice < 2; ++twice) u -= U * (U.transpose() * u);
    if (!(u.norm() > 1e-8 * length)) continue;
    U.conservativeResize(Eigen::NoChange, U.cols() + 1);
    U.col(U.cols() - 1) = u.normalized();
  }
  return U;
}

}  // namespace

Eigen::VectorXcd multipliers_of(const std::vector<Mat>& X, const std::vector<Mat>& trivial) {
  const auto by_size = [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); };
  const Index n = X.front().cols();
  const std::size_t parts = X.size();
  // an orthonormal basis of the trivial directions of each node, and of what is normal to them
  std::vector<Mat> U(parts), W(parts), rest;
  Index split = n;
  for (std::size_t k = 0; k < parts; ++k) {
    U[k] = basis_of(trivial[k]);
    split = std::min(split, U[k].cols());
  }
  for (std::size_t k = 0; k < parts; ++k) {
    U[k].conservativeResize(Eigen::NoChange, split);
    W[k] = split > 0 ? orthogonal_complement(U[k]) : Mat{Mat::Identity(n, n)};
  }
  Eigen::VectorXcd values(n);
  values.head(split).setOnes();
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t to = k + 1 == parts ? 0 : k + 1;
    for (Index i = 0; i < split; ++i) values[i] *= U[to].col(i).dot(X[k] * U[k].col(i));
    if (split < n) rest.push_back(product(W[to].transpose(), product(X[k], W[k])));
  }
  if (split < n) values.tail(n - split) = values_of_product(rest);
  std::stable_sort(values.begin() + split, values.end(), by_size);
  return values;
}

namespace {

/// Of one part, in the direction in which its end moves by what y says.
double doubt_of(LinearFlow& flow, const Shot& shot, const State& state, double time) {
  const Index n = shot.dimension();
  Vec y(n);
  for (Index k = 0; k < n; ++k) y[k] = std::cos(1.0 + 2.4 * static_cast<double>(k));
  y.normalize();
  const auto seen = [&](const Vec& dq, const Vec& dv) { return shot.coordinates(dq, dv); };
  const Vec said = seen(shot.columns.dq * y, shot.columns.dv * y);
  double growth = 0.0;
  for (Index k = 0; k < n; ++k)
    growth += seen(shot.columns.dq.col(k), shot.columns.dv.col(k)).squaredNorm();
  // far beyond the errors of the flow, at its end not farther than that
  const double longest =
      std::max(shot.dq(y).cwiseAbs().maxCoeff(), shot.dv(y).cwiseAbs().maxCoeff());
  const double middle = std::max(1e-5 * shot.extent, 1e-6 * flow.resolved()) / longest /
                        std::max(1.0, std::sqrt(growth));
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
      arrived = arrived && flow(moved, state.t + time, none) == Status::ok;
      if (arrived) ends[side] = seen(moved.q - state.q, moved.v - state.v);
    }
    if (!arrived) continue;
    const Vec found = (ends[1] - ends[0]) / (2 * h);
    least = std::min(least, (found - said).norm() / std::max({found.norm(), said.norm(), 1e-3}));
    constexpr double little = 1e-4;
    if (least < little) break;
  }
  return least;
}

}  // namespace

double doubt(LinearFlow& flow, const ShotChain& chain, double period) {
  double most = 0.0;
  for (std::size_t k = 0; k < chain.shots.size(); ++k)
    if (chain.shots[k].dimension() > 0)
      most = std::max(most, doubt_of(flow, chain.shots[k], chain.nodes[k],
                                     period / static_cast<double>(chain.shots.size())));
  return most;
}

}  // namespace taut
