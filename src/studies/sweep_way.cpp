// SPDX-License-Identifier: BSD-3-Clause
#include "studies/sweep_way.hpp"

#include <algorithm>
#include <utility>

#include "device/cuda_device.hpp"

namespace taut {

SweepWay::SweepWay(const MotionSweep& sweep, std::vector<SweepAxis> axes, std::size_t count,
                   const std::function<std::vector<double>(std::size_t)>& values, const Wish& wish)
    : sweep_{sweep}, cancel_{wish.cancel} {
  for (const SweepAxis& axis : axes) parameters_.push_back(axis.parameter);
  constexpr std::size_t few = 8;  // where making the programs would not pay
  const bool on_device = !wish.device.empty();
  if (!on_device && (!wish.lanes || count < few)) return;
  std::string why;
  lanes_ = LaneSweep::make(sweep.prepared(), sweep.options(), sweep.measures(), axes, why,
                           on_device ? LaneSweep::Watch::left_out : LaneSweep::Watch::kept);
  if (!on_device) return;
  if (!lanes_) {
    problem_ = why;
    return;
  }
  device_ = device::cuda_device(wish.device == "cuda-fast", problem_);
  if (!device_) return;
  unwatched_ = lanes_->unwatched();
  // points that are spread over all of them
  constexpr std::size_t examples = 17;
  std::vector<std::vector<double>> points;
  for (std::size_t k = 0; k < std::min(examples, count); ++k)
    points.push_back(values(count <= examples ? k : k * (count - 1) / (examples - 1)));
  there_ = DeviceSweep::make(*device_, std::move(lanes_), points, problem_);
}

void SweepWay::operator()(std::size_t share, const NextRun& next, const RunDone& done) {
  const auto alone = [&](const std::vector<double>& values) {
    return sweep_.run(parameters_, values, cancel_);
  };
  if (there_)
    (*there_)(share, next, done, alone, cancel_);
  else if (lanes_)
    (*lanes_)(share, next, done, alone, cancel_);
  else
    while (const std::optional<SweepRun> one = next()) done(one->number, alone(one->values));
}

}  // namespace taut
