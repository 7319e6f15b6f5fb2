// SPDX-License-Identifier: BSD-3-Clause
#include "methods/radau_control.hpp"

#include <algorithm>
#include <cmath>

#include "methods/radau_newton.hpp"

namespace taut {
namespace {

// as in the Fortran codes for the same methods
constexpr double safety = 0.9;
constexpr double most_shrink = 0.125, most_growth = 5.0;
constexpr double quick = 1e-3;                     // contraction, see converges_quickly()
constexpr double keep_low = 1.0, keep_high = 1.2;  // step ratios for which the factors are kept

constexpr int first_patience = 30;  // steps before more stages are tried

int stages_for_tolerance(double tol) {
  if (tol > 1e-3) return 3;
  return tol > 3e-7 ? 5 : 7;
}

}  // namespace

void RadauControl::start() {
  use_stages(options_.stages > 0 ? options_.stages : stages_for_tolerance(options_.tol));
  patience_ = first_patience;
  tried_from_ = 0.0;
}

void RadauControl::restart() {
  first_ = true;
  after_rejection_ = false;
  since_change_ = 0;
  failures_ = 0;
}

void RadauControl::go_on() {
  after_rejection_ = true;
  failures_ = 0;
}

bool RadauControl::converges_quickly() const { return theta_ <= quick; }

void RadauControl::accept(double h, double error, bool rejected, int iterations) {
  const double exponent = 1.0 / (method_->s + 1);
  const int most = RadauNewton::most_iterations(method_->s);
  const double caution = safety * (1.0 + 2.0 * most) / (iterations + 2.0 * most);
  double factor = caution * std::pow(error, -exponent);
  // predictive: the error grows as it grew in the step before
  if (!first_ && accepted_h_ != 0.0) {
    const double predicted =
        safety * (h / accepted_h_) * std::pow(error * error / accepted_error_, -exponent);
    factor = std::min(factor, predicted);
  }
  factor = std::clamp(factor, most_shrink, most_growth);
  if (rejected) factor = std::min(factor, 1.0);
  if (theta_ > 0.0) factor = std::min(factor, std::max(0.5, 0.3 / theta_));
  accepted_h_ = h;
  accepted_error_ = std::max(error, 1e-2);
  first_ = false;
  after_rejection_ = false;
  failures_ = 0;
  ++since_change_;

  const bool cut = !rejected && std::abs(h) < std::abs(h_);
  double next = h * factor;
  if (converges_quickly() && factor >= keep_low && factor <= keep_high && !cut) next = h;
  if (cut) next = std::copysign(std::max(std::abs(next), std::abs(h_)), h);
  h_ = next;
  if (options_.stages == 0) choose_stages(factor);
}

void RadauControl::reject(double h, double error) {
  const double exponent = 1.0 / (method_->s + 1);
  const double factor = first_ ? 0.1 : safety * std::pow(error, -exponent);
  h_ = h * std::clamp(factor, 0.1, 0.9);
}

void RadauControl::shrink_after_failure(double h, const double* remaining) {
  double factor = 0.5;
  if (remaining != nullptr && *remaining < 20.0)
    factor = 0.8 * std::pow(std::clamp(*remaining, 1e-4, 20.0),
                            -1.0 / RadauNewton::most_iterations(method_->s));
  h_ = h * std::clamp(factor, 0.1, 0.9);
  if (failures_ >= 2 && options_.stages == 0 && method_->s > 3) {
    use_stages(method_->s - 2);
    since_change_ = 0;
    if (tried_from_ > 0.0) be_patient();
  }
}

void RadauControl::passed(double h) {
  first_ = true;
  failures_ = 0;
  h_ = h;
}

void RadauControl::be_patient() {
  constexpr int longest = 1 << 20;
  patience_ = 4 * std::min(patience_, longest);
  tried_from_ = 0.0;
}

// More stages where Newton's method converges at once, fewer where it struggles; where steps are
// steady, more are tried now and then, and kept where they pay.
void RadauControl::choose_stages(double ratio) {
  constexpr double easy = 2e-3, hard = 0.8;
  constexpr double pays = 1.2;  // beyond what more stages cost
  const int s = method_->s;
  const bool steady = ratio > 0.8 && ratio < 1.2;
  mean_h_ += (std::abs(accepted_h_) - mean_h_) / std::min(since_change_, 10);
  int wanted = s;
  if (theta_ >= hard && s > 3) wanted = s - 2;
  if (theta_ <= easy && s < 7 && since_change_ >= 10 && steady) wanted = s + 2;
  if (wanted == s && tried_from_ > 0 && since_change_ >= 10) {
    // (4)
    if (mean_h_ < pays * s / (s - 2) * tried_from_) {
      wanted = s - 2;
      be_patient();
    }
    tried_from_ = 0.0;
  } else if (wanted == s && s < 7 && steady && theta_ < hard / 2 && since_change_ >= patience_) {
    wanted = s + 2;
    tried_from_ = mean_h_;
  } else if (wanted < s && tried_from_ > 0.0) {
    be_patient();
  }
  if (wanted == s) return;
  use_stages(wanted);
  since_change_ = 0;
}

double RadauControl::clipped(double t, double t_stop) const {
  const double rest = t_stop - t;
  const double h = std::copysign(std::min(std::abs(h_), most_), h_);
  // a little more than the method asks for; not more than it is allowed, but for rounding
  const double stretch = std::abs(h_) < most_ ? 1.01 : 1.0 + 1e-9;
  if (stretch * std::abs(h) >= std::abs(rest)) return rest;
  return 2.0 * std::abs(h) > std::abs(rest) ? rest / 2 : h;
}

double RadauControl::first_step(double t_stop, const State& state, const Vec& a,
                                const RadauWeights& weights) const {
  const double span = std::abs(t_stop - state.t);
  const double bound = std::min(most_, span);
  if (options_.first_step > 0.0)
    return std::copysign(std::min(options_.first_step, bound), t_stop - state.t);
  const auto norm = [&](const Vec& x, const Vec& y) {
    return std::sqrt(
        (x.cwiseProduct(weights.q).squaredNorm() + y.cwiseProduct(weights.v).squaredNorm()) /
        static_cast<double>(2 * x.size()));
  };
  const double slope = norm(state.v, a), size = norm(state.q, state.v);
  double h = slope <= 1e-10 || size <= 1e-10 ? 1e-6 * span : 0.01 * size / slope;
  const double typical = std::max(slope, 1e-15);
  h = std::min({100.0 * h, std::pow(0.01 / typical, 1.0 / (method_->s + 1)), bound});
  return std::copysign(h, t_stop - state.t);
}

void RadauControl::archive(Archive& archive) {
  archive(first_, after_rejection_, accepted_h_, accepted_error_, theta_, since_change_, failures_,
          mean_h_, tried_from_, patience_);
}

}  // namespace taut
