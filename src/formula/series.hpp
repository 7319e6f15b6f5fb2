// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/formula/program.hpp"

namespace taut::formula {

/// A program run on truncated power series. Every value z of the program is a series
///
///   z(s) = z_0 + z_1 s + z_2 s² + ...                                                        (1)
///
/// and run() computes coefficient k of all of them from those below it and from coefficient k of
/// the inputs. With z' = Σ j z_j s^(j-1) the rules are
///
///   z = a b         z_k = Σ_{j=0..k} a_j b_{k-j}                                             (2)
///   z = a / b       b_0 z_k = a_k - Σ_{j=1..k} b_j z_{k-j}                                   (3)
///   z = sqrt a      2 z_0 z_k = a_k - Σ_{j=1..k-1} z_j z_{k-j}                               (4)
///   z = a^b         k a_0 z_k = Σ_{j=1..k} (b j - (k - j)) a_j z_{k-j}     b constant        (5)
///   z' = w a'       k z_k = Σ_{j=1..k} j a_j w_{k-j}       exp: w = z;  tanh: w = 1 - z²; ...(6)
///   w z' = a'       k w_0 z_k = k a_k - Σ_{j=1..k-1} j z_j w_{k-j}   log: w = a; atan: 1 + a²(7)
///
/// with the companions w as further series. Powers with a whole exponent >= 0 may have a_0 = 0;
/// an exponent that varies means exp(b log a). abs, sign, min, max, floor, less and select decide
/// by z_0, so that a series belongs to the branch taken at s = 0. Coefficient 0 has the bits of a
/// Kernel. Where a function is not smooth (sqrt at 0) or not defined, coefficients are not finite.
///
/// Instances run side by side in lanes, all through the same code. Immutable and shared by threads.
/// Cost of coefficient k: a sum of k + 1 terms for each product. Values that depend on parameters
/// alone cost nothing for k > 0.
class SeriesProgram {
 public:
  /// One lane for fewer than four instances, eight otherwise.
  SeriesProgram(const Program& program, int instances);

  /// Series that run() works on, the inputs of the program first. Coefficient k of number i in lane
  /// l stands at `series[(i * stride + k) * width() + l]`.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t width() const { return width_; }

  /// The series that holds register `reg` of the program when it has run.
  [[nodiscard]] std::size_t result(std::int32_t reg) const {
    return static_cast<std::size_t>(result_[static_cast<std::size_t>(reg)]);
  }

  /// Zeros everywhere, these constants of the program at their place.
  void clear(double* series, std::size_t stride, std::span<const double> constants) const;

  /// Coefficient k < stride of everything. Coefficient k of the inputs is given by the caller, in
  /// all lanes (a tail is padded by repeating a valid lane); that of a parameter is 0 for k > 0.
  void run(double* series, std::size_t stride, std::size_t k) const;

 private:
  struct Step {
    Code code = Code::add;
    bool a_varies = false, b_varies = false;   // with s
    std::int32_t to = 0, a = 0, b = 0, c = 0;  // numbers of series; companions follow `to`
    std::int32_t lookup = -1;
  };
  template <std::size_t count>
  class Lanes;  // what runs steps, for one number of lanes

  std::size_t width_ = 1;
  std::size_t first_constant_ = 0, size_ = 0;
  std::vector<std::int32_t> result_;  // by register
  std::vector<TableLookup> lookups_;
  std::vector<Step> steps_;    // all, in order
  std::vector<Step> varying_;  // those with a coefficient beside that of s^0
};

}  // namespace taut::formula
