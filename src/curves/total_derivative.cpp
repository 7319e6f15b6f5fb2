// SPDX-License-Identifier: BSD-3-Clause
#include "curves/total_derivative.hpp"

namespace taut {

formula::NodeId TotalDerivative::operator()(formula::NodeId root) {
  using formula::Slot;
  const std::vector<int> reads = derivatives_.support(root, Slot::q);
  if (!reads.empty() && reads.back() > seeded_) {
    // one order more than is read: derivatives of derivatives then share their work
    seeded_ = reads.back() + 2 * n_;
    const auto jet = [&](Index number) {
      return graph_.input({.slot = Slot::q, .index = static_cast<int>(number)});
    };
    std::vector<formula::Seed> seeds{{.node = jet(0), .derivative = graph_.constant(1.0)}};
    for (Index number = 1; number <= seeded_; ++number)
      seeds.push_back({.node = jet(number), .derivative = jet(number + n_)});
    derivatives_.direction(seeds);
  }
  return reads.empty() ? graph_.constant(0.0) : derivatives_.along(root);
}

}  // namespace taut
