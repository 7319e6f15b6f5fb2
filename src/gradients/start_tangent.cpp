// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/start_tangent.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace taut {
namespace {

/// Relative distance of starts in (1).
constexpr double distance = 1e-3;

class StartDerivative {
 public:
  StartDerivative(const MotionToDifferentiate& motion, const Variable& by)
      : motion_{motion}, by_{by} {}

  Status operator()(State& slope, std::string& why) {
    const double h = distance * scale();
    std::array<State, 7> at{};
    for (int k = -3; k <= 3; ++k) {
      if (k == 0) continue;
      std::optional<State> found = moved(k * h);
      if (!found) {
        why = fmt::format("there is no start with other values of {} nearby", by_.name);
        return Status::not_supported;
      }
      at[static_cast<std::size_t>(k + 3)] = std::move(*found);
    }
    double error = 0.0, size = 0.0;
    const auto differ = [&](Vec State::*part, Vec& to) {
      const auto pair = [&](int k) -> Vec {
        return at[static_cast<std::size_t>(3 + k)].*part -
               at[static_cast<std::size_t>(3 - k)].*part;
      };
      to = (45.0 * pair(1) - 9.0 * pair(2) + pair(3)) / (60.0 * h);
      const Vec coarse = (8.0 * pair(1) - pair(2)) / (12.0 * h);
      if (to.size() == 0) return;
      error = std::max(error, (to - coarse).lpNorm<Eigen::Infinity>());
      size = std::max(size, to.lpNorm<Eigen::Infinity>());
    };
    differ(&State::q, slope.q);
    differ(&State::v, slope.v);
    constexpr double agree = 1e-6, rounding = 1e-10;
    if (!(error <= agree * size + rounding / h)) {
      why = fmt::format("the start, which was moved, has no derivative by {}: it jumps nearby",
                        by_.name);
      return Status::not_supported;
    }
    return Status::ok;
  }

 private:
  [[nodiscard]] double scale() const {
    double value = 0.0;
    const auto index = static_cast<std::size_t>(by_.index);
    if (by_.kind == Variable::Kind::parameter) value = motion_.model.parameter_values()[index];
    if (by_.kind == Variable::Kind::start_q) value = motion_.model.given.q[by_.index];
    if (by_.kind == Variable::Kind::start_v) value = motion_.model.given.v[by_.index];
    return value == 0.0 ? 1.0 : std::abs(value);
  }

  [[nodiscard]] std::optional<State> moved(double way) const {
    Vec dq = Vec::Zero(motion_.model.given.q.size()), dv = dq;
    ParameterValue value;
    const bool parameter = by_.kind == Variable::Kind::parameter;
    if (by_.kind == Variable::Kind::start_q) dq[by_.index] = way;
    if (by_.kind == Variable::Kind::start_v) dv[by_.index] = way;
    if (parameter)
      value = {by_.index,
               motion_.model.parameter_values()[static_cast<std::size_t>(by_.index)] + way};
    return motion_.start_of(std::span{&value, parameter ? std::size_t{1} : 0}, dq, dv);
  }

  const MotionToDifferentiate& motion_;
  const Variable& by_;
};

bool is_moved(const Start& start) {
  constexpr double seen = 1e-11;
  const auto moved = [](const Vec& by, const Vec& x) {
    return by.size() > 0 &&
           by.lpNorm<Eigen::Infinity>() > seen * (1.0 + x.lpNorm<Eigen::Infinity>());
  };
  return moved(start.q_moved, start.state.q) || moved(start.v_moved, start.state.v);
}

}  // namespace

Status start_tangent(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
                     const WideSystem& wide, LinearisedForces& forces, Tangent& tangent,
                     std::string& why) {
  const Index nq = wide.nq(), m = static_cast<Index>(by.size());
  tangent.q.setZero(nq, m);
  tangent.v.setZero(nq, m);
  const State& start = motion.start.state;
  // what is stated may leave the smooth motion at once
  const bool moved = motion.smooth_start || is_moved(motion.start);
  Vec later = Vec::Zero(m);  // derivatives of the time of the start
  for (Index j = 0; j < m; ++j) {
    const Variable& variable = by[static_cast<std::size_t>(j)];
    const int e = forces.column_of()[static_cast<std::size_t>(j)];
    if (variable.kind == Variable::Kind::parameter) {
      const State& stated = wide.directions().start[static_cast<std::size_t>(e)];
      tangent.q.col(j) = stated.q;
      tangent.v.col(j) = stated.v;
      later[j] = stated.t;
    }
    if (variable.kind == Variable::Kind::start_q) tangent.q(variable.index, j) = 1.0;
    if (variable.kind == Variable::Kind::start_v) tangent.v(variable.index, j) = 1.0;
    if (moved) {
      State slope;
      if (const Status status = StartDerivative{motion, variable}(slope, why); status != Status::ok)
        return status;
      tangent.q.col(j) = slope.q;
      tangent.v.col(j) = slope.v;
    }
  }
  if (later.any()) {
    if (const Status status = forces.forces(start.t, start.q, start.v); status != Status::ok)
      return status;
    tangent.q -= start.v * later.transpose();
    tangent.v -= forces.a() * later.transpose();
  }
  // compliant rows are springs in `forces`: the rigid ones alone are pulled onto
  return forces.project(start.t, start.q, start.v, tangent);
}

}  // namespace taut
