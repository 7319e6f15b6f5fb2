// SPDX-License-Identifier: BSD-3-Clause
#include "play/dragged_start.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "model/scene_places.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

/// Places of one point, at any q.
class Place {
 public:
  Place(const CompiledModel& model, int point, const State& at)
      : scene_{model.scene},
        point_{model.scene.points.at(static_cast<std::size_t>(point))},
        system_{model.system},
        at_{at},
        drawn_{!model.system.structure().observables.empty()} {
    if (drawn_) system_.prepare(scratch_);
  }

  // NaN where it has none
  [[nodiscard]] Eigen::Vector3d operator()(const Vec& q) {
    SceneValues<Vec> values{.q = q, .observable = {}};
    if (drawn_) {
      const Status status =
          system_.evaluate(need(Target::observable), {.t = at_.t, .q = q, .v = at_.v}, scratch_);
      values.observable = scratch_.observable;
      if (status != Status::ok) values.observable.setConstant(std::nan(""));
    }
    const std::array<double, 3> place = taut::place_of(scene_, point_, values);
    return {place[0], place[1], place[2]};
  }

 private:
  const Scene& scene_;
  const Scene::Point& point_;
  const System& system_;
  const State& at_;
  bool drawn_;
  Evaluation scratch_;
};

bool exists(const CompiledModel& model, int point) {
  return point >= 0 && static_cast<std::size_t>(point) < model.scene.points.size();
}

}  // namespace

std::optional<std::array<double, 3>> place_of(const CompiledModel& model, int point,
                                              const State& at) {
  if (!exists(model, point)) return {};
  const Eigen::Vector3d place = Place{model, point, at}(at.q);
  return std::array<double, 3>{place[0], place[1], place[2]};
}

std::optional<State> dragged_start(const CompiledModel& model, const System& system, State given,
                                   int point, const std::array<double, 3>& to) {
  if (!exists(model, point)) return {};
  Place place{model, point, given};
  const Eigen::Vector3d target{to[0], to[1], to[2]};
  const auto distance = [&](const State& state) { return (target - place(state.q)).norm(); };

  Start now = consistent_start(system, given);
  if (now.status != Status::ok) return {};
  const double enough = 1e-9 * (1.0 + target.norm());
  double left = distance(now.state);
  constexpr int most_iterations = 100;
  const Index nq = system.structure().places();
  for (int k = 0; k < most_iterations && left > enough; ++k) {
    const Vec& q = now.state.q;
    Eigen::Matrix<double, 3, Eigen::Dynamic> J(3, nq);
    const double h = 1e-6 * (1.0 + q.lpNorm<Eigen::Infinity>());
    for (Index j = 0; j < nq; ++j) {
      Vec to_one = q, to_other = q;
      to_one[j] += h;
      to_other[j] -= h;
      J.col(j) = (place(to_one) - place(to_other)) / (2 * h);
    }
    if (!J.allFinite() || J.norm() == 0.0) return {};
    // (1), a part of the way where all of it does not get nearer
    const Vec step = J.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV)
                         .solve(Eigen::Vector3d{target - place(q)});
    bool nearer = false;
    for (double share = 1.0; share > 0.1 && !nearer; share /= 2) {
      State tried = now.state;
      tried.q.head(nq) += share * step;
      Start next = consistent_start(system, tried);
      if (next.status != Status::ok) continue;
      const double now_left = distance(next.state);
      if (now_left < (1 - 1e-6) * left) {
        now = std::move(next);
        left = now_left;
        nearer = true;
      }
    }
    if (!nearer) break;
  }
  given.q = now.state.q;
  return given;
}

}  // namespace taut
