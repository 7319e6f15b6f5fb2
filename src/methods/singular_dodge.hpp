// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>
#include <optional>

namespace taut {

/// How an explicit step gets across a position in which rigid constraints depend on each other.
///
/// Where the gradient of a constraint makes an angle σ with those of others, accelerations are
/// known to
///
///   ε |a| / σ²                                                                               (1)
///
/// whatever the step is, and, since positions meet the constraints to rounding only, velocities to
///
///   ε |v| / σ²                                                                               (2)
///
/// A stage that lies so close to the position spoils the estimate of the error by h times (1), a
/// step that begins there by (2), and shorter steps, whose stages lie closer still, end in nothing.
/// But the motion is smooth there, and a step whose stages happen to lie elsewhere is as exact as
/// any other. So a step that such a stage has spoiled is tried again with 0.8, 0.8², ... of its
/// length, and none ends there if it can be helped. Only where all of them fail the tolerance is
/// loosened for the best of them, up to 1e-4, and the run says so. From where (2) itself is above
/// the tolerance no length helps, and shorter steps would end closer still: there it is loosened
/// soon, for a step that is long enough to leave the position.
class SingularDodge {
 public:
  explicit SingularDodge(double tol) : tol_{tol} {}

  /// The step begins in a position that spoils it.
  void begins_spoiled() { most_ = few; }
  [[nodiscard]] bool has_begun_spoiled() const { return most_ == few; }

  /// Of this step; loosened where it had to be.
  [[nodiscard]] double tol() const { return tol_; }
  [[nodiscard]] bool loosened() const { return loosened_; }
  /// Whether any other length than the one the step control asked for was tried, and that.
  [[nodiscard]] bool any() const { return h_ != 0.0; }
  [[nodiscard]] double first() const { return h_; }

  /// Sizes of what (1) and (2) magnify.
  struct Sizes {
    double acceleration = 0.0, velocity = 0.0;
  };

  /// Whether (1) and (2) may be why a step has failed; `independence` is σ², 1 far away.
  [[nodiscard]] bool spoiled(double h, const Sizes& sizes, double independence) const {
    constexpr double share = 0.03;  // of the tolerance
    return noise(h, sizes, independence) > share * tol_ * independence;
  }
  /// Whether a step from such a position will hardly succeed.
  [[nodiscard]] bool spoils(double h, const Sizes& sizes, double independence) const {
    return noise(h, sizes, independence) > tol_ * independence;
  }

  /// The next length to try after a spoiled step of length h and of this error, in units of the
  /// tolerance, or infinity; nothing: there is none.
  [[nodiscard]] std::optional<double> next(double h, double error) {
    constexpr double loosest = 1e-4;
    if (h_ == 0.0) h_ = h;
    if (loosened_) return std::nullopt;
    if (error < best_error_) {
      best_error_ = error;
      best_h_ = h;
    }
    if (++tries_ <= most_) return h_ * std::pow(ratio, tries_);
    const double needed = tol_ * std::pow(10.0, std::ceil(std::log10(best_error_)));
    if (!(needed <= loosest)) return std::nullopt;
    loosened_ = true;
    tol_ = needed;
    return best_h_;
  }

  /// The same after a good step that ends where the next cannot begin well.
  [[nodiscard]] std::optional<double> end_elsewhere(double h) {
    if (loosened_ || ends_ == most_ends || has_begun_spoiled()) return std::nullopt;
    ++ends_;
    if (h_ == 0.0) h_ = h;
    return ratio * h;
  }

 private:
  [[nodiscard]] static double noise(double h, const Sizes& sizes, double independence) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    constexpr double met = 8.0 * epsilon;  // constraints are, about
    const double of_accelerations = std::abs(h) * epsilon * (1.0 + sizes.acceleration);
    if (independence >= 1.0) return of_accelerations;
    return of_accelerations + met * sizes.velocity / (1.0 + sizes.velocity);
  }

  static constexpr int most = 12, few = 2, most_ends = 4;
  static constexpr double ratio = 0.8;

  double tol_, h_ = 0.0;
  double best_h_ = 0.0, best_error_ = std::numeric_limits<double>::infinity();
  int tries_ = 0, most_ = most, ends_ = 0;
  bool loosened_ = false;
};

}  // namespace taut
