// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/archive.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// First guess of a step's multipliers: those of the last step, or the line through the last two
/// when both had this step length,
///
///   λ_pred = 2 λ_{n-1} - λ_{n-2}.                                                            (1)
///
/// It saves iterations and changes the result by rounding only; a checkpoint must hold it all the
/// same, for the bits.
class MultiplierPrediction {
 public:
  void start(Index nc) {
    last_ = before_ = Vec::Zero(nc);
    known_ = 0;
  }

  void predict(double h, Vec& lambda) const {
    if (known_ == 2 && h == h_)
      lambda = 2.0 * last_ - before_;
    else
      lambda = last_;
  }

  /// Keeps the multipliers a step of length h found; takes their storage.
  void keep(double h, Vec& lambda) {
    known_ = known_ > 0 && h == h_ ? 2 : 1;
    h_ = h;
    before_.swap(last_);
    last_.swap(lambda);
  }

  void archive(Archive& archive) { archive(last_, before_, h_, known_); }

 private:
  Vec last_, before_;
  double h_ = 0.0;
  int known_ = 0;  // how many of them belong to steps of length h_
};

}  // namespace taut
