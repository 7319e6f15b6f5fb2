// SPDX-License-Identifier: BSD-3-Clause
#include "run/tube.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/dense_decompositions.hpp"

namespace taut {
namespace {

using formula::Interval;

constexpr int most = Tube::samples;

/// Coefficients about c, times r^k.
template <class Column>
int about(const Column& p, double c, double r, std::array<double, most>& b) {
  const auto n = static_cast<int>(p.size());
  for (int k = 0; k < n; ++k) b[static_cast<std::size_t>(k)] = p[k];
  if (c != 0.0)
    for (int k = 0; k < n; ++k)
      for (int j = n - 2; j >= k; --j)
        b[static_cast<std::size_t>(j)] += c * b[static_cast<std::size_t>(j) + 1];
  double power = 1.0;
  for (int k = 0; k < n; ++k, power *= r) b[static_cast<std::size_t>(k)] *= power;
  return n;
}

/// Rows j: values of 1, ξ, ..., ξ^7 at sample j; the inverse gives coefficients from samples.
const Mat& coefficients_from_samples() {
  static const Mat inverse = [] {
    Mat powers(most, most);
    for (int j = 0; j < most; ++j)
      for (int k = 0; k < most; ++k) powers(j, k) = std::pow(Tube::sample_place(j), k);
    Mat result(most, most);
    for (int j = 0; j < most; ++j)
      result.col(j) = solve_with_full_pivots(powers, Vec::Unit(most, j));
    return result;
  }();
  return inverse;
}

}  // namespace

double Tube::sample_place(int j) {
  return j == 0 ? -1.0 : j == samples - 1 ? 1.0 : -std::cos(std::numbers::pi * j / (samples - 1));
}

double Tube::interpolated(const Mat& values, Index i, double xi) {
  const Mat& inverse = coefficients_from_samples();
  double sum = 0.0;
  for (int k = samples - 1; k >= 0; --k) sum = sum * xi + inverse.row(k).dot(values.col(i));
  return sum;
}

void Tube::span(double t_begin, double t_end, Index n) {
  mu_.resize(0, 0);
  ++number_;
  for (Whole* whole : {&whole_q_, &whole_v_}) {
    whole->range.resize(static_cast<std::size_t>(n));
    whole->of.resize(static_cast<std::size_t>(n), 0);
  }
  middle_ = t_begin + (t_end - t_begin) / 2;
  half_ = (t_end - t_begin) / 2;
}

void Tube::through(const Knot& begin, const Knot& end) {
  const Index n = begin.state.q.size();
  span(begin.state.t, end.state.t, n);
  const double h = half_;
  q_.resize(6, n);
  v_.resize(5, n);
  slack_q_.setZero(n);
  slack_v_.setZero(n);
  for (Index i = 0; i < n; ++i) {
    // even and odd parts of what both ends say
    const double q0 = begin.state.q[i], q1 = end.state.q[i];
    const double v0 = h * begin.state.v[i], v1 = h * end.state.v[i];
    const double a0 = h * h * begin.a[i], a1 = h * h * end.a[i];
    const double qe = (q1 + q0) / 2, qo = (q1 - q0) / 2;
    const double ve = (v1 - v0) / 2, vo = (v1 + v0) / 2;  // of the derivative of the even, odd part
    const double ae = (a1 + a0) / 2, ao = (a1 - a0) / 2;
    const double c4 = (ae - ve) / 8, c2 = ve / 2 - 2 * c4, c0 = qe - c2 - c4;
    const double c5 = (ao - 3 * vo + 3 * qo) / 8, c3 = (vo - qo) / 2 - 2 * c5, c1 = qo - c3 - c5;
    q_.col(i) << c0, c1, c2, c3, c4, c5;
    v_.col(i) << c1 / h, 2 * c2 / h, 3 * c3 / h, 4 * c4 / h, 5 * c5 / h;
  }
}

void Tube::through(const State& begin, const State& end, const State* middle) {
  const Index n = begin.q.size();
  span(begin.t, end.t, n);
  const double h = half_;
  q_.resize(4, n);
  v_.resize(3, n);
  slack_q_.resize(n);
  slack_v_.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double qe = (end.q[i] + begin.q[i]) / 2, qo = (end.q[i] - begin.q[i]) / 2;
    const double ve = h * (end.v[i] - begin.v[i]) / 2, vo = h * (end.v[i] + begin.v[i]) / 2;
    const double c2 = ve / 2, c3 = (vo - qo) / 2;
    q_.col(i) << qe - c2, qo - c3, c2, c3;
    v_.col(i) << (qo - c3) / h, 2 * c2 / h, 3 * c3 / h;
    if (middle == nullptr) {
      slack_q_[i] = std::abs(c2) + std::abs(c3);
      slack_v_[i] = (2 * std::abs(c2) + 3 * std::abs(c3)) / h;
      continue;
    }
    // of q it misses e (1 - ξ²)², so of v up to 8/(3 sqrt 3) e / h, and nothing in the middle
    constexpr double steepest = 1.5396;
    const double missed = std::abs(q_(0, i) - middle->q[i]);
    slack_q_[i] = 2 * missed;
    slack_v_[i] = 2 * std::max(std::abs(v_(0, i) - middle->v[i]), steepest * missed / h);
  }
}

Status Tube::sample(const State& begin, const State& end, StepInterior& interior) {
  const Index n = begin.q.size();
  span(begin.t, end.t, n);
  Mat &q = samples_q_, &v = samples_v_;
  q.resize(samples, n);
  v.resize(samples, n);
  for (int j = 0; j < samples; ++j) {
    const bool inside = j > 0 && j < samples - 1;
    if (inside)
      if (const Status status = interior.at(time(sample_place(j)), at_); status != Status::ok)
        return status;
    const State& here = j == 0 ? begin : inside ? at_ : end;
    q.row(j) = here.q.transpose();
    v.row(j) = here.v.transpose();
  }
  q_.noalias() = coefficients_from_samples() * q;
  v_.noalias() = coefficients_from_samples() * v;
  slack_q_.setZero(n);
  slack_v_.setZero(n);
  return Status::ok;
}

void Tube::take_multipliers(const Mat& sampled) {
  mu_.noalias() = coefficients_from_samples() * sampled;
  slack_mu_.setZero(sampled.cols());
}

formula::Enclosure Tube::mu(Index k, double c, double r) const {
  if (k >= mu_.cols()) return {.value = formula::whole_line, .rate = formula::whole_line};
  return enclose(mu_, slack_mu_, k, c, r);
}

void Tube::sampled(int j, State& out) const {
  out.t = time(sample_place(j));
  out.q = samples_q_.row(j).transpose();
  out.v = samples_v_.row(j).transpose();
}

void Tube::rates(double xi, State& out) const {
  const auto slope = [&](const Mat& p, Vec& rate) {
    rate.setZero(p.cols());
    for (Index k = p.rows() - 1; k > 0; --k)
      rate = xi * rate + static_cast<double>(k) / half_ * p.row(k).transpose();
  };
  slope(q_, out.q);
  slope(v_, out.v);
}

formula::Enclosure Tube::enclose(const Mat& p, const Vec& slack, Whole& whole, Index i, double c,
                                 double r) const {
  if (c != 0.0 || r != 1.0) return enclose(p, slack, i, c, r);
  const auto at = static_cast<std::size_t>(i);
  if (whole.of[at] != number_) {
    whole.of[at] = number_;
    whole.range[at] = enclose(p, slack, i, c, r);
  }
  return whole.range[at];
}

formula::Enclosure Tube::enclose(const Mat& p, const Vec& slack, Index i, double c,
                                 double r) const {
  std::array<double, most> b{};
  formula::Enclosure result;
  if (r == 0.0) {
    about(p.col(i), c, 1.0, b);
    result = {.value = formula::point(b[0]), .rate = formula::point(b[1] / half_), .middle = b[0]};
    return result;
  }
  const int n = about(p.col(i), c, r, b);
  // (2)
  double size = 0.0;
  for (int k = 0; k < n; ++k) size += std::abs(b[static_cast<std::size_t>(k)]);
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * size;
  const double around = slack[i] + rounding;
  Interval value{b[0] - around, b[0] + around}, rate{b[1] - rounding, b[1] + rounding};
  const auto widen = [](Interval& x, double term, int power) {
    if (power % 2 != 0) {
      x.lo -= std::abs(term);
      x.hi += std::abs(term);
    } else {
      (term < 0.0 ? x.lo : x.hi) += term;
    }
  };
  for (int k = 1; k < n; ++k) widen(value, b[static_cast<std::size_t>(k)], k);
  for (int k = 2; k < n; ++k) widen(rate, k * b[static_cast<std::size_t>(k)], k - 1);
  const double scale = 1.0 / (r * half_);
  const double loose = slack[i] > 0.0 ? slack[i] * scale : 0.0;
  result.value = formula::widened(value.lo, value.hi);
  result.rate = formula::widened(rate.lo * scale - loose, rate.hi * scale + loose);
  result.middle = b[0];
  return result;
}

Status rough_tube(const Knot& begin, const Knot& end, StepInterior& interior, State& middle,
                  Tube& tube) {
  if (begin.a.size() > 0 && end.a.size() > 0) {
    tube.through(begin, end);
    return Status::ok;
  }
  const State &from = begin.state, &to = end.state;
  if (interior.is_short()) {
    tube.through(from, to, nullptr);
    return Status::ok;
  }
  if (const Status status = interior.at(from.t + (to.t - from.t) / 2, middle); status != Status::ok)
    return status;
  tube.through(from, to, &middle);
  return Status::ok;
}

formula::Enclosure enclosed_input(const CompiledSystem& compiled, const Batch& batch, int instance,
                                  formula::Input input, std::span<const double> modes,
                                  const Tube& tube, double c, double r) {
  const std::size_t at =
      static_cast<std::size_t>(input.index) * static_cast<std::size_t>(batch.instances) +
      static_cast<std::size_t>(instance);
  const auto constant = [](double x) {
    return formula::Enclosure{.value = formula::point(x), .rate = {0.0, 0.0}, .middle = x};
  };
  const auto linear = [&](double x, double rate) {
    const double way = std::abs(rate) * r * tube.length() / 2;
    return formula::Enclosure{
        .value = formula::widened(x - way, x + way), .rate = formula::point(rate), .middle = x};
  };
  switch (input.slot) {
    case formula::Slot::q:
      return tube.q(batch.coordinates[at], c, r);
    case formula::Slot::v:
      return tube.v(batch.coordinates[at], c, r);
    case formula::Slot::t:
      return linear(tube.time(c), 1.0);
    case formula::Slot::theta:
      return linear(compiled.theta(tube.time(c)), compiled.theta_rate());
    case formula::Slot::parameter:
      return constant(batch.parameters[at]);
    case formula::Slot::input:
      return constant(compiled.input(input.index));
    case formula::Slot::mode:
      return constant(modes[static_cast<std::size_t>(batch.modes[at])]);
    case formula::Slot::mu:
      return tube.mu(input.index, c, r);
    case formula::Slot::a:
    case formula::Slot::lambda:
      break;  // no force, constraint or value reads them
  }
  return {};
}

}  // namespace taut
