// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/adjoint_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gradients/start_tangent.hpp"
#include "readings/readings.hpp"

namespace taut {

AdjointRun::AdjointRun(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
                       const WideSystem& wide, std::vector<int> column_of,
                       const AdjointWanted& wanted, Gradient& result)
    : motion_{motion},
      by_{by},
      wide_{wide},
      column_of_{std::move(column_of)},
      wanted_{wanted},
      result_{result},
      plain_{springs(equations(motion.system))},
      measures_{wanted.measures},
      numbers_{wide, wanted.numbers} {
  // when the run ends is one more measure
  if (wanted.ended_by >= 0)
    measures_.push_back({.of = Of::event, .event = wanted.ended_by, .time = motion.until});
  m_ = static_cast<Index>(measures_.size());
  static_cast<void>(forces_.start(wide_, plain_, {}));
  forces_.know(motion.tol, motion.until - motion.start.state.t);
  const auto count = static_cast<std::size_t>(m_);
  extremes_.resize(count);
  largest_.assign(count, 0.0);
  residuals_.assign(count, 0.0);
  for (std::size_t j = 0; j < count; ++j)
    for (const AdjointMeasure::Datum& datum : measures_[j].data)
      data_.emplace_back(datum, static_cast<Index>(j));
  std::stable_sort(data_.begin(), data_.end(),
                   [](const auto& a, const auto& b) { return a.first.t < b.first.t; });
  result_.value.setZero(m_);
}

bool AdjointRun::cancelled() const {
  return motion_.cancel != nullptr && motion_.cancel->load(std::memory_order_relaxed);
}

AdjointRun::Covectors AdjointRun::nothing() const {
  return {.xi = Mat::Zero(wide_.nq() + wide_.ne(), m_),
          .eta = Mat::Zero(wide_.nq(), m_),
          .integral = Vec::Zero(m_)};
}

Status AdjointRun::look_at(const MotionPiece& piece) {
  if (cancelled()) return Status::cancelled;
  if (numbers_.count() == 0) return Status::ok;
  Vec x;
  if (piece.t0 == motion_.start.state.t)
    if (const Status status = numbers_in(piece, piece.t0, x_start_); status != Status::ok)
      return status;
  if (const Status status = numbers_in(piece, piece.t1, x_end_); status != Status::ok)
    return status;
  if (piece.t1 == motion_.until) {
    const double d = 1e-3 * (piece.t1 - piece.t0);
    constexpr std::array<double, 5> weights{25, -48, 36, -16, 3};
    rate_end_.setZero(numbers_.count());
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (const Status status = numbers_in(piece, piece.t1 - static_cast<double>(k) * d, x);
          status != Status::ok)
        return status;
      rate_end_ += weights[k] / (12 * d) * x;
    }
  }
  for (; next_datum_ < data_.size() && data_[next_datum_].first.t <= piece.t1; ++next_datum_) {
    const auto& [datum, measure] = data_[next_datum_];
    if (const Status status = numbers_in(piece, datum.t, x); status != Status::ok) return status;
    const double r = (x[datum.number] - datum.value) / datum.sigma;
    result_.value[measure] += r * r;
    impulses_.push_back({datum.t, measure, datum.number, -1, 2 * r / datum.sigma});
    residuals_[static_cast<std::size_t>(measure)] += std::abs(2 * r / datum.sigma);
  }
  for (std::size_t j = 0; j < measures_.size(); ++j) {
    const AdjointMeasure& one = measures_[j];
    if (one.number < 0) continue;
    largest_[j] = std::max(largest_[j], std::abs(x_end_[one.number]));
    const auto number = [&](double t, double& value) {
      const Status status = numbers_in(piece, t, x);
      if (status == Status::ok) value = x[one.number];
      return status;
    };
    if (has_extremes(one.of))
      if (const Status status = extremes_[j].look(piece.t0, piece.t1, number); status != Status::ok)
        return status;
  }
  return Status::ok;
}

void AdjointRun::find_impulses(double end) {
  for (Index j = 0; j < m_; ++j) {
    const AdjointMeasure& one = measures_[static_cast<std::size_t>(j)];
    const ExtremeSearch& found = extremes_[static_cast<std::size_t>(j)];
    double& value = result_.value[j];
    const auto take = [&](const ExtremeSearch::Extreme& extreme, double sign) {
      value += sign * extreme.value;
      impulses_.push_back({extreme.t, j, one.number, -1, sign});
    };
    if (one.of == Of::end) {
      value = x_end_[one.number];
      impulses_.push_back({end, j, one.number, -1, 1.0});
    }
    if (one.of == Of::max || one.of == Of::range) take(found.greatest, 1.0);
    if (one.of == Of::min) take(found.least, 1.0);
    if (one.of == Of::range) take(found.least, -1.0);
    if (one.of == Of::peak && found.greatest.value >= -found.least.value)
      take(found.greatest, 1.0);
    else if (one.of == Of::peak)
      take(found.least, -1.0);
    if (one.of == Of::event) {
      value = one.time;
      impulses_.push_back({one.time, j, -1, one.event, 1.0});
    }
  }
  std::stable_sort(impulses_.begin(), impulses_.end(),
                   [](const Impulse& a, const Impulse& b) { return a.t > b.t; });
}

Status AdjointRun::check_end(const State& end) {
  if (motion_.end.q.size() == 0) return Status::ok;
  // what looks between steps, as a run does, may see what these steps pass over
  const double allowed = std::sqrt(motion_.tol);
  const auto differs = [&](const Vec& a, const Vec& b) {
    return a.size() > 0 &&
           !((a - b).lpNorm<Eigen::Infinity>() <= allowed * (1.0 + b.lpNorm<Eigen::Infinity>()));
  };
  const Index places = plain_.structure().places();
  if (differs(end.q.head(places), motion_.end.q.head(places)) || differs(end.v, motion_.end.v))
    return refuse(
        "there is no gradient: another run of the motion ends elsewhere, so that it is chaotic, "
        "or short pushes are passed over (take a smaller tolerance)");
  return Status::ok;
}

Status AdjointRun::add_event(const Impulse& impulse, Covectors& to) {
  if (const Status status = forces_.observe(); status != Status::ok) return status;
  const double rate = forces_.observable_rate(impulse.event);
  Vec by = Vec::Zero(m_);
  by[impulse.measure] = -impulse.weight / rate;
  Covectors slope = nothing();
  forces_.pull_back_observable(impulse.event, by, slope.xi, slope.eta);
  bool touched = false;
  if (const Status status = forces_.touches(impulse.event, touched); status != Status::ok)
    return status;
  if (touched || !slope.xi.allFinite() || !slope.eta.allFinite())
    return refuse(fmt::format(
        "the event at t = {:.6g} is touched, not crossed: its time has no derivative", impulse.t));
  to.xi += slope.xi;
  to.eta += slope.eta;
  return Status::ok;
}

// Of a measure whose column is that of an integral R over the length L: J = F(R, L).
Status AdjointRun::finish(const Covectors& at_start) {
  Tangent start;
  LinearisedForces with_columns;
  std::string why;
  static_cast<void>(with_columns.start(wide_, plain_, column_of_));
  if (const Status status = start_tangent(motion_, by_, wide_, with_columns, start, why);
      status != Status::ok)
    return refuse(why);
  const Index nq = wide_.nq(), names = start.q.cols();
  Mat by = at_start.xi.topRows(nq).transpose() * start.q + at_start.eta.transpose() * start.v;
  Vec later = Vec::Zero(names);
  for (Index j = 0; j < names; ++j) {
    const int e = column_of_[static_cast<std::size_t>(j)];
    if (e < 0) continue;
    by.col(j) += at_start.xi.row(nq + e).transpose();
    if (by_[static_cast<std::size_t>(j)].kind == Variable::Kind::parameter)
      later[j] = wide_.directions().start[static_cast<std::size_t>(e)].t;
  }
  const double length = motion_.until - motion_.start.state.t;
  result_.by_until.setZero(m_);
  Vec by_start = Vec::Zero(m_);
  Vec factor = Vec::Ones(m_);
  for (Index j = 0; j < m_; ++j) {
    const AdjointMeasure& one = measures_[static_cast<std::size_t>(j)];
    double& value = result_.value[j];
    if (!has_density(one.of)) {
      if (one.of == Of::end) result_.by_until[j] = rate_end_[one.number];
      if (!has_extremes(one.of)) continue;
      for (const Impulse& impulse : impulses_)
        if (impulse.measure == j && impulse.t == motion_.until)
          result_.by_until[j] += impulse.weight * rate_end_[one.number];
      continue;
    }
    const double R = at_start.integral[j], X = x_end_[one.number], X0 = x_start_[one.number];
    if (one.of == Of::integral) {
      value = R;
      result_.by_until[j] = X;
      by_start[j] = -X0;
    } else if (one.of == Of::mean) {
      value = R / length;
      factor[j] = 1 / length;
      result_.by_until[j] = (X - value) / length;
      by_start[j] = (value - X0) / length;
    } else {
      value = std::sqrt(R / length);
      factor[j] = 1 / (2 * length * value);
      result_.by_until[j] = (X * X - value * value) / (2 * length * value);
      by_start[j] = (value * value - X0 * X0) / (2 * length * value);
    }
  }
  by = factor.asDiagonal() * by;
  by += by_start * later.transpose();
  const Index asked = static_cast<Index>(wanted_.measures.size());
  // the end moves
  if (asked < m_) by.topRows(asked) += result_.by_until.head(asked) * by.row(asked);
  result_.by = by.topRows(asked);
  result_.by_until.conservativeResize(asked);
  result_.value.conservativeResize(asked);
  put_curves(names, asked, factor);
  return result_.by.allFinite() ? Status::ok : Status::non_finite;
}

void AdjointRun::put_curves(Index names, Index asked, const Vec& factor) {
  if (!wanted_.curves) return;
  std::reverse(drawn_.begin(), drawn_.end());
  result_.curve.assign(static_cast<std::size_t>(asked),
                       Mat::Zero(static_cast<Index>(drawn_.size()), names));
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    result_.t.push_back(drawn_[i].first);
    for (Index k = 0; k < asked; ++k)
      for (Index j = 0; j < names; ++j)
        if (const int e = column_of_[static_cast<std::size_t>(j)]; e >= 0)
          result_.curve[static_cast<std::size_t>(k)](static_cast<Index>(i), j) =
              factor[k] * drawn_[i].second(e, k);
  }
}

}  // namespace taut
