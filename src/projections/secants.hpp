// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "taut/core/types.hpp"

namespace taut {

/// Broyden's update of a simplified Newton iteration, (2) of Projection: from its corrections z_k
/// the steps x_k to take, and the same combinations ξ_k of the multipliers ζ_k that go with them.
class Secants {
 public:
  void start(Index nq, Index nc) {
    total_ = Vec::Zero(nq);
    lambda_ = Vec::Zero(nc);
    x_.assign(memory, total_);
    xi_.assign(memory, lambda_);
    kept_ = 0;
  }
  /// No step was needed.
  void clear() {
    total_.setZero();
    lambda_.setZero();
  }

  /// Where z_k and ζ_k are to be put.
  struct Place {
    Vec *z, *zeta;
  };
  [[nodiscard]] Place next(int k) {
    // mostly there is no second: the sum is x_0 until then
    if (k == 0) return {&total_, &lambda_};
    if (k == 1) {
      x_[0] = total_;
      xi_[0] = lambda_;
      kept_ = 1;
    }
    if (kept_ == memory) kept_ = 0;
    return {&x_[kept_], &xi_[kept_]};
  }

  /// x_k, once they are there.
  [[nodiscard]] const Vec& step(int k) {
    if (k == 0) return total_;
    if (!update(kept_)) {
      x_[kept_].swap(x_[0]);
      xi_[kept_].swap(xi_[0]);
      kept_ = 0;
    }
    total_ += x_[kept_];
    lambda_ += xi_[kept_];
    return x_[kept_++];
  }

  /// Sums over all k.
  [[nodiscard]] const Vec& total() const { return total_; }
  [[nodiscard]] const Vec& lambda() const { return lambda_; }

 private:
  static constexpr std::size_t memory = 6;  // steps that are kept; then it starts anew

  // Turns z, which stands in x_[k], into x_k. False where the last secant says nothing of use,
  // 1 - c being near 0 or below: the iteration then starts anew with what stands there.
  [[nodiscard]] bool update(std::size_t k) {
    Vec& z = x_[k];
    Vec& zeta = xi_[k];
    if (k > 0) squares_[k - 1] = x_[k - 1].squaredNorm();
    for (std::size_t j = 0; j + 1 < k; ++j) {
      const double c = x_[j].dot(z) / squares_[j];
      z += c * x_[j + 1];
      zeta += c * xi_[j + 1];
    }
    if (k == 0) return true;
    const double c = x_[k - 1].dot(z) / squares_[k - 1];
    if (!(c <= 0.8)) return false;
    z /= 1.0 - c;
    zeta /= 1.0 - c;
    return true;
  }

  std::vector<Vec> x_, xi_;               // x_j and their multipliers
  std::array<double, memory> squares_{};  // |x_j|²
  std::size_t kept_ = 0;                  // how many of them are of use
  Vec total_, lambda_;
};

}  // namespace taut
