// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "gradients/wide_system.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Numbers of a motion that are asked for by name, X = X(t, q, v, a, λ, e), and their derivatives:
/// coordinates, velocities, accelerations, multipliers of all rows, outputs and quantities.
class ReadNumbers {
 public:
  struct Place {
    enum class Kind : unsigned char { q, v, a, lambda, quantity };
    Kind kind = Kind::q;
    Index index = 0;
    bool absolute = false;  ///< |X|
  };
  /// Where a number stands; false where there is none of this name.
  [[nodiscard]] static bool find(const System& model, const std::string& name, Place& place);

  ReadNumbers(const WideSystem& wide, std::vector<Place> places);

  [[nodiscard]] Index count() const { return static_cast<Index>(places_.size()); }
  /// Whether any reads a or λ.
  [[nodiscard]] bool read_loads() const { return read_loads_; }
  /// X of all of them; a and λ (of all rows) may be empty where they are not read.
  [[nodiscard]] Status values(const State& state, const Vec& a, const Vec& lambda, Vec& x);
  /// Adds Σ_k weight(k, j) dX_k to covectors, one column each, of q and e, of v, of a and of λ of
  /// all rows; after values().
  [[nodiscard]] Status pull_back(const Mat& weight, Mat& on_x, Mat& on_w, Mat& on_a, Mat& on_rows);

 private:
  const WideSystem& wide_;
  std::vector<Place> places_;
  bool read_loads_ = false, read_quantities_ = false;
  Evaluation shown_;
  Vec at_, rate_, sign_;
  double t_ = 0.0;
};

}  // namespace taut
