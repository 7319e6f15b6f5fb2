// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "run/time_run.hpp"
#include "taut/simulation/instant.hpp"
#include "taut/simulation/plan.hpp"

namespace taut {

/// A run that was carried out, to be asked at any time of it. It is taken again, to the same bits,
/// up to the step that holds the time, whose dense output answers. Times that grow cost one run
/// altogether. For times before the last one it goes on from one of the places it has stored on
/// its way, at most `most_places` of them; a method that is not resumable begins anew.
class Replay {
 public:
  /// `end`: how far the run came.
  Replay(std::shared_ptr<const Plan> plan, double end) : plan_{std::move(plan)}, end_{end} {}

  /// Many threads may ask; one at a time is answered.
  [[nodiscard]] Instant at(double t);

 private:
  /// A run with what it refers to.
  struct Held {
    explicit Held(const Plan& plan);
    RunOptions options;
    Motion motion;
    TimeRun run;
  };
  struct Place {
    double t;
    std::vector<std::byte> stored;
  };
  static constexpr std::size_t most_places = 64;

  [[nodiscard]] Status go_back_to(double t);
  [[nodiscard]] Status go_on_to(double t);
  void store_place();
  [[nodiscard]] Instant failed(Status status, std::string why) const;

  std::shared_ptr<const Plan> plan_;
  double end_;
  std::mutex busy_;
  std::unique_ptr<Held> held_;
  std::shared_ptr<const FrameNames> names_;
  std::vector<Place> places_;
  std::int64_t stride_ = 16;  // steps between places
};

}  // namespace taut
