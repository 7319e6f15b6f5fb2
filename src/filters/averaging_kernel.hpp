// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "taut/core/status.hpp"

namespace taut {

/// An even function K on [-1, 1] with unit mass. Scaled to a window of half width δ it averages:
///
///   v* = ∫ K(t/δ)/δ v(t0 + t) dt,   ∫ K = 1,   K(t) = K(-t),   K(t) = 0 for |t| > 1          (1)
///
/// Two whole numbers say how well. μ, odd: what varies slowly is kept,
///
///   ∫ K t^j = 0 for j = 1, ..., μ:    v* - v = c δ^(μ+1) v^(μ+1) + ...,                     (2)
///
/// c = ∫ K t^(μ+1)/(μ+1)!, and ν: what vibrates is damped,
///
///   |∫ K(t) cos(L t) dt| <= const/L^ν      with  L = ω δ                                    (3)
///
/// which holds when K has ν - 2 continuous derivatives (for ν = 1 it may jump) and jumps at most in
/// the next two: K ~ (1 - |t|)^s at its ends has ν = s + 1. Reference: ariel2012, Lemmas 3.1, 3.2.
class AveragingKernel {
 public:
  static constexpr int infinitely_smooth = std::numeric_limits<int>::max();  ///< such a nu()

  /// K, μ and ν are taken at their word: kernel_from() looks at them. `breaks` are the points in
  /// (0, 1) at which K or a derivative jumps.
  struct Shape {
    std::function<double(double)> K;  ///< asked for on [0, 1] only
    int mu = 1;
    int nu = 1;
    std::vector<double> breaks = {};
  };

  AveragingKernel();  ///< the moving average: K = 1/2, μ = 1, ν = 1
  AveragingKernel(std::string name, Shape shape);

  [[nodiscard]] double operator()(double t) const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int mu() const { return shape_.mu; }
  [[nodiscard]] int nu() const { return shape_.nu; }

  [[nodiscard]] double moment(int k) const;       ///< ∫ K t^k, by quadrature to about 1e-14
  [[nodiscard]] double response(double L) const;  ///< ∫ K(t) cos(L t) dt, the same
  [[nodiscard]] double error_constant() const;    ///< c of (2)

 private:
  std::string name_;
  Shape shape_;
};

/// A kernel, or why there is none (the kernel is then the moving average).
struct KernelChoice {
  Status status = Status::ok;
  std::string reason = {};
  AveragingKernel kernel = {};
};

/// The piecewise cubic of ariel2012, section 5.2: μ = 3, ν = 2, with a kink at |t| = 1/2.
[[nodiscard]] AveragingKernel cubic_kernel();

/// const · exp(-s/(1 - t²)) with the sharpness s > 0: μ = 1, ν =
/// AveragingKernel::infinitely_smooth.
[[nodiscard]] AveragingKernel exponential_kernel(double sharpness = 1.0);

/// (1 - t²)^(ν-1) p(t²) with the polynomial p of lowest degree that gives μ vanishing moments. With
/// π_k orthonormal for the weight (1 - t²)^(ν-1) it is
///
///   K(t) = (1 - t²)^(ν-1) Σ_{k <= (μ-1)/2} π_2k(0) π_2k(t)                                 (4)
///
/// μ odd, 1 to 31, ν 1 to 32; anything else is refused.
[[nodiscard]] KernelChoice polynomial_kernel(int mu, int nu);

/// A function of one's own, on [-1, 1] and taken as zero elsewhere. μ is measured. ν is asked for
/// because no finite number of values tells it; a ν that (3) contradicts is refused, and so are an
/// odd part, a mass other than 1 and values that are not finite, each with its size.
[[nodiscard]] KernelChoice kernel_from(std::string name, std::function<double(double)> K,
                                       int nu = 1);

}  // namespace taut
