// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/response.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "modes/linear_model.hpp"
#include "modes/roots.hpp"
#include "modes/sparse_transfer.hpp"

namespace taut {
namespace {

using Complex = std::complex<double>;
using Row = Eigen::RowVectorXcd;

/// H(i omega) of all pairs.
class Transfer {
 public:
  explicit Transfer(const LinearModel& linear) : direct_{linear.Dt} {
    const Index n = linear.A.rows();
    if (n == 0) {
      C_ = linear.C;
      b_ = linear.B;
      return;
    }
    const Vec d = balance(linear.A);
    const Eigen::HessenbergDecomposition<Mat> form{
        Mat{d.cwiseInverse().asDiagonal() * linear.A * d.asDiagonal()}};
    const Mat Q = form.matrixQ();
    H_ = form.matrixH();
    b_ = Q.transpose() * (d.cwiseInverse().asDiagonal() * linear.B);
    C_ = linear.C * d.asDiagonal() * Q;
  }

  /// Rows: outputs; columns: inputs.
  [[nodiscard]] Eigen::MatrixXcd operator()(double omega) const {
    const Index n = H_.rows();
    Eigen::MatrixXcd values = direct_.cast<Complex>();
    if (n == 0) return values;
    Eigen::MatrixXcd U = -H_.cast<Complex>(), x = b_.cast<Complex>();
    U.diagonal().array() += Complex{0.0, omega};
    // elimination below the diagonal with exchanges of neighbours
    for (Index k = 0; k + 1 < n; ++k) {
      if (std::abs(U(k + 1, k)) > std::abs(U(k, k))) {
        U.row(k).tail(n - k).swap(U.row(k + 1).tail(n - k));
        x.row(k).swap(x.row(k + 1));
      }
      if (U(k + 1, k) == 0.0) continue;
      const Complex factor = U(k + 1, k) / U(k, k);
      U.row(k + 1).tail(n - k - 1) -= factor * U.row(k).tail(n - k - 1);
      x.row(k + 1) -= factor * x.row(k);
    }
    for (Index k = n - 1; k >= 0; --k) {
      if (k + 1 < n) x.row(k) -= U.row(k).tail(n - k - 1) * x.bottomRows(n - k - 1);
      x.row(k) /= U(k, k);
    }
    values += C_.cast<Complex>() * x;
    return values;
  }

 private:
  Mat H_, b_, C_, direct_;
};

/// Whether a root is on the imaginary axis, to what rounding of A leaves of it.
class Undamped {
 public:
  explicit Undamped(const Mat& A) {
    if (A.size() == 0) return;
    const Vec d = balance(A);
    border_ = 20 * std::numeric_limits<double>::epsilon() * static_cast<double>(A.rows()) *
              Mat{d.cwiseInverse().asDiagonal() * A * d.asDiagonal()}.norm();
  }
  [[nodiscard]] bool operator()(const Complex& s) const {
    return s.imag() > 0.0 && std::abs(s.real()) <= std::min(border_, 1e-9 * s.imag());
  }

 private:
  double border_ = 0.0;
};

/// Equal ratios from one end to the other, and points around each resonance.
std::vector<double> frequencies_of(double from, double to, int points, const Roots& roots,
                                   const Undamped& undamped) {
  std::vector<double> list;
  for (int k = 0; k < points; ++k)
    list.push_back(from * std::pow(to / from, static_cast<double>(k) / std::max(1, points - 1)));
  list.back() = to;
  for (const Complex& s : roots.s) {
    if (!(s.imag() > 0.0)) continue;
    // beside a pole, not on it
    const bool pole = undamped(s);
    const double half = pole ? 1e-4 * s.imag() : std::max(std::abs(s.real()), 1e-9 * s.imag());
    for (const double part :
         {pole ? 0.05 : 0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0})
      for (const double sign : {-1.0, 1.0}) {
        const double omega = s.imag() + sign * part * half;
        if (omega > from && omega < to) list.push_back(omega);
      }
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

template <class Size>
double top_between(double a, double b, const Size& size) {
  // golden section
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double x = b - ratio * (b - a), y = a + ratio * (b - a);
  double at_x = size(x), at_y = size(y);
  for (int k = 0; k < 80 && b - a > 1e-12 * b; ++k) {
    if (at_x > at_y) {
      b = y;
      y = x;
      at_y = at_x;
      at_x = size(x = b - ratio * (b - a));
    } else {
      a = x;
      x = y;
      at_x = at_y;
      at_y = size(y = a + ratio * (b - a));
    }
  }
  return (a + b) / 2;
}

/// Where the size falls to `level` on the way from a peak, over the points on that side.
template <class Size>
double fall(const std::vector<double>& omega, const std::vector<double>& sizes, std::size_t peak,
            int step, double from, double level, const Size& size) {
  double inside = from;
  for (auto k = static_cast<std::ptrdiff_t>(peak);
       k >= 0 && k < static_cast<std::ptrdiff_t>(omega.size()); k += step) {
    const auto i = static_cast<std::size_t>(k);
    if ((omega[i] - from) * step <= 0.0) continue;
    if (sizes[i] > level) {
      inside = omega[i];
      continue;
    }
    double outside = omega[i];
    for (int n = 0; n < 60; ++n) {
      const double middle = (inside + outside) / 2;
      (size(middle) > level ? inside : outside) = middle;
    }
    return (inside + outside) / 2;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// Frequencies between `from` and `to` at which a pair has a pole, ascending.
std::vector<double> poles_of(const LinearModel& linear, const Roots& roots,
                             const Undamped& undamped, Index input, Index output) {
  std::vector<double> found;
  const double of_rows = linear.C.row(output).norm(), of_columns = linear.B.col(input).norm();
  for (Index k = 0; k < roots.s.size(); ++k) {
    if (!undamped(roots.s[k])) continue;
    const Complex seen = linear.C.row(output).cast<Complex>() * roots.right.col(k);
    const Complex moved = roots.left.row(k) * linear.B.col(input).cast<Complex>();
    constexpr double nothing = 1e-10;
    if (std::abs(seen) <= nothing * of_rows * roots.right.col(k).norm() ||
        std::abs(moved) <= nothing * of_columns * roots.left.row(k).norm())
      continue;
    found.push_back(roots.s[k].imag());
  }
  std::sort(found.begin(), found.end());
  const auto same = [](double a, double b) { return b - a <= 1e-9 * b; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

/// Poles of a pair on the imaginary axis, ascending.
using Poles = std::function<std::vector<double>(Index input, Index output)>;

/// All pairs over the frequencies, with their peaks.
template <class Transfer>
std::vector<FrequencyResponse> read_off(const LinearModel& linear, const Transfer& transfer,
                                        const std::vector<double>& omega,
                                        const Eigen::MatrixXcd& at_zero,
                                        const Poles& poles_of_pair) {
  const double from = omega.front(), to = omega.back();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<FrequencyResponse> all;
  std::vector<Eigen::MatrixXcd> values;
  for (const double at : omega) values.push_back(transfer(at));
  for (Index i = 0; i < static_cast<Index>(linear.input_names.size()); ++i)
    for (Index o = 0; o < static_cast<Index>(linear.output_names.size()); ++o) {
      FrequencyResponse one{.input = linear.input_names[static_cast<std::size_t>(i)],
                            .output = linear.output_names[static_cast<std::size_t>(o)],
                            .static_gain = at_zero.size() > 0 ? at_zero(o, i).real() : nan,
                            .omega = omega,
                            .values = {},
                            .peaks = {}};
      std::vector<double> sizes;
      for (const Eigen::MatrixXcd& value : values) {
        one.values.push_back(value(o, i));
        sizes.push_back(std::abs(value(o, i)));
      }
      const auto size = [&](double at) { return std::abs(transfer(at)(o, i)); };
      const std::vector<double> poles = poles_of_pair(i, o);
      for (const double pole : poles)
        if (pole >= from && pole <= to) {
          one.peaks.push_back({.omega = pole,
                               .amplitude = std::numeric_limits<double>::infinity(),
                               .phase = nan,
                               .undamped = true,
                               .half_below = nan,
                               .half_above = nan});
        }
      for (std::size_t k = 1; k + 1 < sizes.size(); ++k) {
        if (!(sizes[k] > sizes[k - 1] && sizes[k] >= sizes[k + 1])) continue;
        const auto in_between = [&](double pole) {
          return pole >= omega[k - 1] && pole <= omega[k + 1];
        };
        if (std::any_of(poles.begin(), poles.end(), in_between)) continue;
        ResonancePeak peak{.omega = top_between(omega[k - 1], omega[k + 1], size)};
        // where roots are not known: a pole grows as the way to it shrinks
        if (linear.A.size() == 0 &&
            size(peak.omega * (1 + 1e-8)) > 5 * size(peak.omega * (1 + 1e-7))) {
          one.peaks.push_back({.omega = peak.omega,
                               .amplitude = std::numeric_limits<double>::infinity(),
                               .phase = nan,
                               .undamped = true,
                               .half_below = nan,
                               .half_above = nan});
          continue;
        }
        const Complex value = transfer(peak.omega)(o, i);
        peak.amplitude = std::abs(value);
        peak.phase = std::arg(value);
        const double level = peak.amplitude / std::sqrt(2.0);
        peak.half_below = fall(omega, sizes, k, -1, peak.omega, level, size);
        peak.half_above = fall(omega, sizes, k, 1, peak.omega, level, size);
        one.peaks.push_back(peak);
      }
      std::sort(one.peaks.begin(), one.peaks.end(),
                [](const auto& a, const auto& b) { return a.omega < b.omega; });
      all.push_back(std::move(one));
    }
  return all;
}

}  // namespace

std::vector<FrequencyResponse> frequency_responses(const LinearModel& linear,
                                                   const ResponseOptions& options) {
  const Roots roots = roots_of(linear.A);
  double from = options.from, to = options.to;
  if (!(from > 0.0) || !(to > from)) {
    from = std::numeric_limits<double>::infinity();
    to = 0.0;
    for (const Complex& s : roots.s) {
      from = std::min(from, std::abs(s));
      to = std::max(to, std::abs(s));
    }
    if (!(to > 0.0)) from = to = 1.0;
    from /= 10;
    to *= 10;
  }
  const Transfer transfer{linear};
  const Undamped undamped{linear.A};
  const std::vector<double> omega = frequencies_of(from, to, options.points, roots, undamped);
  const Eigen::MatrixXcd at_zero = roots.zeros == 0 ? transfer(0.0) : Eigen::MatrixXcd{};
  return read_off(linear, transfer, omega, at_zero, [&](Index input, Index output) {
    return poles_of(linear, roots, undamped, input, output);
  });
}

namespace {

/// Equal ratios, and more points where the phase of a pair turns.
std::vector<double> frequencies_of(const SparseTransfer& transfer, const ResponseOptions& which) {
  std::vector<double> omega;
  std::vector<Eigen::MatrixXcd> values;
  for (int k = 0; k < which.points; ++k) {
    omega.push_back(k + 1 == which.points
                        ? which.to
                        : which.from * std::pow(which.to / which.from,
                                                static_cast<double>(k) / (which.points - 1)));
    values.push_back(transfer(omega.back()));
  }
  constexpr double most_turned = 0.3, closest = 1e-6;
  const auto most = static_cast<std::size_t>(20 * which.points);
  for (std::size_t k = 0; k + 1 < omega.size() && omega.size() < most;) {
    const Eigen::ArrayXXcd turned = values[k + 1].array() * values[k].array().conjugate();
    double turn = 0.0;
    for (const Complex& one : turned.reshaped()) turn = std::max(turn, std::abs(std::arg(one)));
    if (!(turn > most_turned) || omega[k + 1] - omega[k] <= closest * omega[k]) {
      ++k;
      continue;
    }
    const double middle = (omega[k] + omega[k + 1]) / 2;
    const auto at = static_cast<std::ptrdiff_t>(k + 1);
    omega.insert(omega.begin() + at, middle);
    values.insert(values.begin() + at, transfer(middle));
  }
  return omega;
}

}  // namespace

Responses frequency_responses(const Model& model, const SimulationOptions& options,
                              const LinearizeOptions& linear, const ResponseOptions& which,
                              Problems& problems) {
  Responses found;
  const PreparedModel prepared = prepare_linear(model, options, linear.inputs, problems);
  if (!problems.empty()) return found;
  const LinearPoint point = linear_point(prepared, options, linear, problems);
  if (!problems.empty()) return found;
  found.linear = linearize_at(point, prepared, linear, problems);
  if (!problems.empty() || found.linear.status != Status::ok) return found;
  if (static_cast<Index>(found.linear.coordinates.size()) <= LinearModel::most_coordinates) {
    found.all = frequency_responses(found.linear, which);
    return found;
  }
  if (!(which.from > 0.0) || !(which.to > which.from)) {
    problems.add({}, "<<range>>",
                 "is missing: of more than 1000 coordinates not all roots are known",
                 "give the first and the last frequency");
    return found;
  }
  const SparseTransfer transfer{point, found.linear};
  if (transfer.status() != Status::ok) {
    found.linear.status = transfer.status();
    found.linear.reason = transfer.reason();
    return found;
  }
  const std::vector<double> omega = frequencies_of(transfer, which);
  const Eigen::MatrixXcd at_zero = transfer(0.0);
  found.all =
      read_off(found.linear, transfer, omega, at_zero.allFinite() ? at_zero : Eigen::MatrixXcd{},
               [](Index, Index) { return std::vector<double>{}; });
  return found;
}

}  // namespace taut
