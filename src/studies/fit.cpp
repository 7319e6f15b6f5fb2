// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/dense_decompositions.hpp"
#include "studies/fit_problem.hpp"

namespace taut {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double huber_from = 1.345, cauchy_at = 2.3849;

/// ρ(s) and ρ'(s) of s = r², and the slope of the pull ψ = ρ' r by r, ρ' + 2 s ρ''.
struct Loss {
  double value = 0.0, slope = 1.0, pull_slope = 1.0;
};
Loss loss_of(FitLoss loss, double s) {
  const double c = huber_from * huber_from, k = cauchy_at * cauchy_at;
  if (loss == FitLoss::huber && s > c)
    return {2 * huber_from * std::sqrt(s) - c, huber_from / std::sqrt(s), 0.0};
  if (loss == FitLoss::cauchy) {
    const double slope = 1 / (1 + s / k);
    return {k * std::log1p(s / k), slope, slope * (1 - 2 * slope * s / k)};
  }
  return {s, 1.0, 1.0};
}

/// Quantile of Student's distribution for 95 % between both: expansion in 1/n (abramowitz 26.7.5).
double student(double n) {
  const double z = 1.959963984540054, z2 = z * z;
  return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
              (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

class Fitting {
 public:
  Fitting(FitProblem& problem, const std::vector<FitSeries>& series, const FitOptions& wanted)
      : problem_{problem}, series_{series}, wanted_{wanted} {}

  Fit run() {
    p_ = problem_.start();
    std::string why;
    if (!problem_.at(p_, point_, why)) {
      fit_.status = Status::invalid_argument;
      fit_.message = fmt::format("there is no motion to begin with: {}", why);
      return std::move(fit_);
    }
    fit_.before = point_.values;
    const FitProblem::Point first = point_;
    begin_sigma();
    static_cast<void>(linearise(point_));
    find_all(why);
    fit_.cost = linearise(point_);
    // in the units of the end
    trial_ = problem_.start();
    use_trial_ = true;
    fit_.cost_before = linearise(first);
    use_trial_ = false;
    fit_.cost = linearise(point_);
    fit_.after = point_.values;
    finish();
    return std::move(fit_);
  }

 private:
  /// Standard deviations that are found depend on the rest, and it on them, where they weigh it
  /// against anything else. Where data scatter is to be seen before they are weighed against what
  /// is known, or outliers are told from others: to begin with the data count alone.
  void find_all(std::string& why) {
    constexpr int most_rounds = 40;
    const bool weighed =
        !all_given_ && (sigma_.size() > 1 || has_priors() || wanted_.loss != FitLoss::squares);
    loss_ = weighed ? FitLoss::squares : wanted_.loss;
    for (int round = 0; round < most_rounds; ++round) {
      if (!minimise(why)) {
        fit_.status = Status::iteration_limit;
        fit_.message = why;
        return;
      }
      if (find_sigma() && loss_ == wanted_.loss) return;
      loss_ = wanted_.loss;
      if (!weighed) return;
    }
    fit_.status = Status::iteration_limit;
    fit_.message =
        fmt::format("the standard deviations of the data have not settled in {} rounds: state them",
                    most_rounds);
  }

  [[nodiscard]] bool has_priors() const {
    for (Index j = 0; j < problem_.unknowns(); ++j)
      if (problem_.variable(j).prior) return true;
    return false;
  }

  void begin_sigma() {
    for (std::size_t s = 0; s < series_.size(); ++s)
      for (std::size_t k = 0; k < series_[s].columns.size(); ++k) {
        const std::string& name = series_[s].columns[k];
        if (sigma_.contains(name)) continue;
        const auto given = std::find_if(wanted_.sigma.begin(), wanted_.sigma.end(),
                                        [&](const auto& one) { return one.first == name; });
        if (given == wanted_.sigma.end()) all_given_ = false;
        sigma_[name] = given != wanted_.sigma.end() ? given->second : 1.0;
        given_[name] = given != wanted_.sigma.end();
      }
    // parts of the sizes of the data to begin with, so that columns of different units meet as
    // equals; small ones where there is something that they must not yield to
    constexpr double small_part = 1e-3;
    const double part = has_priors() ? small_part : 1.0;
    for (auto& [name, sigma] : sigma_) {
      if (given_[name]) continue;
      double sum = 0.0;
      int count = 0;
      each_value([&, &of = name](std::size_t, std::size_t, const std::string& column, double value,
                                 Index) {
        if (column != of) return;
        sum += value * value;
        ++count;
      });
      size_[name] = sum > 0.0 ? std::sqrt(sum / count) : 1.0;
      sigma = part * size_[name];
    }
  }

  /// Sizes of residuals; where outliers are to be told by them, those of the middle one. True where
  /// they have settled, or there is no noise.
  bool find_sigma() {
    constexpr double settled = 1e-4, no_noise = 1e-6;
    constexpr double median_of_normal = 0.6744897501960817;
    bool same = true;
    for (auto& [name, sigma] : sigma_) {
      if (given_[name]) continue;
      std::vector<double> sizes;
      double sum = 0.0;
      each_value([&, &of = name](std::size_t s, std::size_t i, const std::string& column,
                                 double value, Index) {
        if (column != of) return;
        sizes.push_back(std::abs(point_.values[s][i] - value));
        sum += sizes.back() * sizes.back();
      });
      if (sizes.empty()) continue;
      double now = std::sqrt(sum / static_cast<double>(sizes.size()));
      if (wanted_.loss != FitLoss::squares) {
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        now = *middle / median_of_normal;
      }
      if (!(now > 0.0)) continue;
      same &= std::abs(now - sigma) <= settled * sigma || now <= no_noise * size_[name];
      sigma = now;
    }
    return same;
  }

  /// (series, number in it, column, value, number among all) of each that there is.
  void each_value(const auto& visit) const {
    Index number = 0;
    for (std::size_t s = 0; s < series_.size(); ++s)
      for (std::size_t i = 0; i < series_[s].values.size(); ++i)
        if (std::isfinite(series_[s].values[i]))
          visit(s, i, series_[s].columns[i % series_[s].columns.size()], series_[s].values[i],
                number++);
  }

  /// r and J of a point, weighted by ρ'; half of (1).
  double linearise(const FitProblem::Point& point) {
    Index count = 0;
    each_value([&](std::size_t, std::size_t, const std::string&, double, Index) { ++count; });
    fit_.residuals = static_cast<int>(count);
    const Index n = problem_.unknowns();
    Index priors = 0;
    for (Index j = 0; j < n; ++j) priors += problem_.variable(j).prior ? 1 : 0;
    r_.setZero(count + priors);
    J_.setZero(count + priors, n);
    double cost = 0.0;
    weights_ = pulls_ = pull_slopes_ = 0.0;
    each_value(
        [&](std::size_t s, std::size_t i, const std::string& column, double value, Index row) {
          const double sigma = sigma_.at(column), r = (point.values[s][i] - value) / sigma;
          const Loss loss = loss_of(loss_, r * r);
          cost += loss.value / 2;
          weights_ += loss.slope;
          pulls_ += loss.slope * loss.slope * r * r;
          pull_slopes_ += loss.pull_slope;
          const double weight = std::sqrt(loss.slope);
          r_[row] = weight * r;
          J_.row(row) = weight / sigma * point.slopes[s].row(static_cast<Index>(i));
        });
    Index row = count;
    for (Index j = 0; j < n; ++j) {
      const auto& prior = problem_.variable(j).prior;
      if (!prior) continue;
      r_[row] = (trial_or_here_(j) - prior->first) / prior->second;
      cost += r_[row] * r_[row] / 2;
      J_(row++, j) = 1 / prior->second;
    }
    return cost;
  }
  [[nodiscard]] double trial_or_here_(Index j) const { return use_trial_ ? trial_[j] : p_[j]; }

  bool minimise(std::string& why) {
    constexpr double small_step = 1e-10, small_gain = 1e-9;
    const Index n = problem_.unknowns();
    double damping = 1e-3, cost = linearise(point_);
    for (int k = 0; k < wanted_.max_iterations; ++k) {
      ++fit_.iterations;
      const Vec gradient = J_.transpose() * r_;
      Vec scale(n);
      std::vector<Index> free;
      for (Index j = 0; j < n; ++j) {
        const FitVariable& variable = problem_.variable(j);
        const bool out = (p_[j] <= variable.lower && gradient[j] > 0.0) ||
                         (p_[j] >= variable.upper && gradient[j] < 0.0);
        scale[j] = J_.col(j).norm();
        if (!out && scale[j] > 0.0) free.push_back(j);
      }
      if (free.empty()) return true;
      bool better = false;
      for (int tries = 0; tries < 12 && !better; ++tries, damping *= 6.0) {
        const auto m = static_cast<Index>(free.size());
        Mat A = Mat::Zero(J_.rows() + m, m);
        Vec b = Vec::Zero(J_.rows() + m);
        for (Index c = 0; c < m; ++c) {
          const Index j = free[static_cast<std::size_t>(c)];
          A.col(c).head(J_.rows()) = J_.col(j) / scale[j];
          A(J_.rows() + c, c) = std::sqrt(damping);
        }
        b.head(J_.rows()) = -r_;
        const Vec step = MinimumNorm{A}.solve(b);
        trial_ = p_;
        double moved = 0.0;
        for (Index c = 0; c < m; ++c) {
          const Index j = free[static_cast<std::size_t>(c)];
          const FitVariable& variable = problem_.variable(j);
          trial_[j] = std::clamp(p_[j] + step[c] / scale[j], variable.lower, variable.upper);
          moved = std::max(moved, std::abs(trial_[j] - p_[j]) / (std::abs(p_[j]) + 1e-12));
        }
        if (moved <= small_step) return true;
        FitProblem::Point there;
        if (!problem_.at(trial_, there, why)) continue;
        const Vec r = r_;
        const Mat J = J_;
        use_trial_ = true;
        const double next = linearise(there);
        use_trial_ = false;
        if (!(next < cost)) {
          r_ = r;
          J_ = J;
          // as good as it gets: what is left is rounding
          if (std::abs(next - cost) <= small_gain * cost) return true;
          continue;
        }
        const double gain = cost - next;
        p_ = trial_;
        point_ = std::move(there);
        cost = next;
        better = true;
        damping = std::max(damping / 60.0, 1e-14);
        if (gain <= small_gain * cost) return true;
      }
      if (!better) return true;  // no step along any direction is better
    }
    why = fmt::format("not converged in {} iterations", wanted_.max_iterations);
    return false;
  }

  void finish() {
    const Index n = problem_.unknowns();
    fit_.runs = problem_.runs();
    for (const auto& [name, sigma] : sigma_) fit_.sigma.emplace_back(name, sigma);
    std::vector<Index> free;
    for (Index j = 0; j < n; ++j) {
      const FitVariable& variable = problem_.variable(j);
      FittedVariable& found = fit_.variables.emplace_back();
      found.name = problem_.names()[static_cast<std::size_t>(j)];
      found.start = problem_.start()[j];
      found.value = p_[j];
      found.deviation = found.lower = found.upper = nan;
      found.at_bound = p_[j] <= variable.lower || p_[j] >= variable.upper;
      if (!found.at_bound) free.push_back(j);
    }
    fit_.covariance = Mat::Constant(n, n, nan);
    fit_.correlation = fit_.covariance;
    const auto m = static_cast<Index>(free.size());
    const double left = static_cast<double>(J_.rows() - m);
    if (m == 0 || left < 1) return;
    // (2): what is known before is as sure as it was stated
    if (!all_given_) J_.topRows(fit_.residuals) /= std::sqrt(scatter(left));
    Mat A(m, m);
    Vec scale(m);
    for (Index c = 0; c < m; ++c) {
      const double norm = J_.col(free[static_cast<std::size_t>(c)]).norm();
      scale[c] = norm > 0.0 ? norm : 1.0;
    }
    for (Index a = 0; a < m; ++a)
      for (Index b = 0; b < m; ++b)
        A(a, b) = J_.col(free[static_cast<std::size_t>(a)])
                      .dot(J_.col(free[static_cast<std::size_t>(b)])) /
                  (scale[a] * scale[b]);
    const SymmetricModes modes = symmetric_modes(A, Mat::Identity(m, m), Wanted::values_and_shapes);
    if (!modes.found) return;
    constexpr double undetermined = 1e-10;
    const double largest = modes.omega2.maxCoeff();
    Mat inverse = Mat::Zero(m, m);
    std::vector<bool> blurred(static_cast<std::size_t>(m), false);
    for (Index k = 0; k < m; ++k) {
      const Vec shape = modes.shapes.col(k);
      if (modes.omega2[k] > undetermined * largest) {
        inverse += shape * shape.transpose() / modes.omega2[k];
        continue;
      }
      fit_.undetermined.push_back(combination(shape, scale, free, blurred));
    }
    const double width = all_given_ ? 1.959963984540054 : student(left);
    for (Index a = 0; a < m; ++a) {
      const Index i = free[static_cast<std::size_t>(a)];
      for (Index b = 0; b < m; ++b) {
        if (blurred[static_cast<std::size_t>(a)] || blurred[static_cast<std::size_t>(b)]) continue;
        const Index j = free[static_cast<std::size_t>(b)];
        fit_.covariance(i, j) = inverse(a, b) / (scale[a] * scale[b]);
        fit_.correlation(i, j) = inverse(a, b) / std::sqrt(inverse(a, a) * inverse(b, b));
      }
      if (blurred[static_cast<std::size_t>(a)]) continue;
      FittedVariable& found = fit_.variables[static_cast<std::size_t>(i)];
      found.deviation = std::sqrt(fit_.covariance(i, i));
      found.lower = found.value - width * found.deviation;
      found.upper = found.value + width * found.deviation;
    }
  }

  /// s² of (2), with n - number of p = left. Of losses other than squares that of Huber's
  /// estimates: the sum of ψ² by the square of the mean of ψ'.
  [[nodiscard]] double scatter(double left) const {
    if (loss_ == FitLoss::squares) return r_.head(fit_.residuals).squaredNorm() / left;
    const double n = fit_.residuals;
    return weights_ / n * (pulls_ / left) / std::pow(pull_slopes_ / n, 2);
  }

  /// A direction in units of the unknowns' own values, largest part 1.
  std::string combination(const Vec& shape, const Vec& scale, const std::vector<Index>& free,
                          std::vector<bool>& blurred) const {
    Vec relative(shape.size());
    for (Index c = 0; c < shape.size(); ++c) {
      const double p = std::abs(p_[free[static_cast<std::size_t>(c)]]);
      relative[c] = shape[c] / scale[c] / (p > 0.0 ? p : 1.0);
    }
    relative /= relative.lpNorm<Eigen::Infinity>();
    std::string text;
    for (Index c = 0; c < shape.size(); ++c) {
      if (std::abs(shape[c]) > 1e-3) blurred[static_cast<std::size_t>(c)] = true;
      if (std::abs(relative[c]) < 0.01) continue;
      text += fmt::format(
          "{}{:.2g} d({})/{}",
          text.empty()      ? (relative[c] < 0 ? "-" : "")
          : relative[c] < 0 ? " - "
                            : " + ",
          std::abs(relative[c]),
          problem_.names()[static_cast<std::size_t>(free[static_cast<std::size_t>(c)])],
          problem_.names()[static_cast<std::size_t>(free[static_cast<std::size_t>(c)])]);
    }
    return text;
  }

  FitProblem& problem_;
  const std::vector<FitSeries>& series_;
  const FitOptions& wanted_;
  Fit fit_;
  FitProblem::Point point_;
  Vec p_, trial_, r_;
  Mat J_;
  bool use_trial_ = false, all_given_ = true;
  FitLoss loss_ = FitLoss::squares;                         // the one that is minimised now
  double weights_ = 0.0, pulls_ = 0.0, pull_slopes_ = 0.0;  // sums of ρ', ψ² and ψ' of all data
  std::map<std::string, double> sigma_, size_;
  std::map<std::string, bool> given_;
};

void check_sigma(const std::vector<FitSeries>& series, const FitOptions& wanted,
                 Problems& problems) {
  std::set<std::string> columns, named;
  for (const FitSeries& one : series) columns.insert(one.columns.begin(), one.columns.end());
  for (const auto& [name, sigma] : wanted.sigma) {
    const std::string what = fmt::format("sigma of {}", name);
    if (!(sigma > 0.0)) problems.add({}, what, "must be above 0", "give one above 0");
    if (!columns.contains(name))
      problems.add({}, what, "the data have no such column",
                   fmt::format("name one of {}", fmt::join(columns, ", ")));
    if (!named.insert(name).second)
      problems.add({}, what, "is given twice", "leave one of them out");
  }
}

}  // namespace

Fit fit(const Model& model, const SimulationOptions& options, const std::vector<FitSeries>& series,
        const FitOptions& wanted, Problems& problems) {
  FitProblem problem{model, options, series, wanted, problems};
  check_sigma(series, wanted, problems);
  for (const FitVariable& variable : wanted.vary)
    if (variable.prior && !(variable.prior->second > 0.0))
      problems.add({}, fmt::format("prior of {}", variable.name),
                   "its standard deviation must be above 0", "give one above 0");
  if (!problems.empty()) return {};
  return Fitting{problem, series, wanted}.run();
}

}  // namespace taut
