// SPDX-License-Identifier: BSD-3-Clause
#include "play/dragged_start.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "model/scene_places.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

/// One of the numbers that a place is a sum of.
struct Term {
  Index axis;
  Scene::Component component;
  double weight;
};

std::vector<Term> terms_of(const Scene& scene, const Scene::Point& point) {
  std::vector<Term> terms;
  for (std::size_t r = 0; r < 3; ++r) {
    const Index axis = static_cast<Index>(r);
    if (point.body < 0) {
      terms.push_back({axis, point.at[r], 1.0});
      continue;
    }
    const Scene::Body& body = scene.bodies[static_cast<std::size_t>(point.body)];
    terms.push_back({axis, body.position[r], 1.0});
    for (std::size_t c = 0; c < 3; ++c)
      terms.push_back({axis, body.rotation[3 * r + c], point.at[c].value});
  }
  std::erase_if(terms,
                [](const Term& term) { return term.component.fixed() || term.weight == 0.0; });
  return terms;
}

/// Places of one point, at any q.
class Place {
 public:
  /// What moves it: dp/dq_j.
  struct Column {
    Index j;
    Eigen::Vector3d dp;
  };

  Place(const CompiledModel& model, int point, const State& at)
      : scene_{model.scene},
        point_{model.scene.points.at(static_cast<std::size_t>(point))},
        system_{model.system},
        at_{at},
        terms_{terms_of(scene_, point_)},
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

  /// J without its columns that are zero. What is drawn by formulas has no derivatives: differences
  /// stand for them.
  [[nodiscard]] std::vector<Column> derivative(const Vec& q) {
    std::vector<Column> J;
    const Index places = system_.structure().places();
    const bool drawn = std::any_of(terms_.begin(), terms_.end(),
                                   [](const Term& term) { return term.component.coordinate < 0; });
    if (drawn) {
      constexpr double apart = 1e-6;
      Vec moved = q;
      for (Index j = 0; j < places; ++j) {
        const double h = apart * (1.0 + std::abs(q[j]));
        moved[j] = q[j] + h;
        const Eigen::Vector3d ahead = (*this)(moved);
        moved[j] = q[j] - h;
        const Eigen::Vector3d change = (ahead - (*this)(moved)) / (2 * h);
        moved[j] = q[j];
        if (change != Eigen::Vector3d::Zero()) J.push_back({j, change});
      }
      return J;
    }
    for (const Term& term : terms_) {
      const Index j = term.component.coordinate;
      if (j >= places) continue;
      auto column = std::find_if(J.begin(), J.end(), [j](const Column& one) { return one.j == j; });
      if (column == J.end()) column = J.insert(J.end(), {j, Eigen::Vector3d::Zero()});
      column->dp[term.axis] += term.weight;
    }
    return J;
  }

  [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }

 private:
  const Scene& scene_;
  const Scene::Point& point_;
  const System& system_;
  const State& at_;
  std::vector<Term> terms_;
  bool drawn_;
  Evaluation scratch_;
};

bool exists(const CompiledModel& model, int point) {
  return point >= 0 && static_cast<std::size_t>(point) < model.scene.points.size();
}

/// (2), with a part of the way where all of it cannot be gone; nothing where the point is no
/// coordinates.
std::optional<State> carried(const System& system, const State& given, const Place& place,
                             const Eigen::Vector3d& target) {
  const Structure& structure = system.structure();
  Kept kept{.places = structure.kept_places, .velocities = structure.kept_velocities};
  if (place.terms().empty()) return {};
  for (const Term& term : place.terms()) {
    const int j = term.component.coordinate;
    if (j < 0 || term.weight != 1.0) return {};
    if (std::find(kept.places.begin(), kept.places.end(), j) == kept.places.end())
      kept.places.push_back(j);
  }
  for (double share = 1.0; share > 0.05; share /= 2) {
    State tried = given;
    for (const Term& term : place.terms()) {
      double& x = tried.q[term.component.coordinate];
      x += share * (target[term.axis] - x);
    }
    Start start = consistent_start(system, tried, kept);
    if (start.status == Status::ok) return std::move(start.state);
  }
  return {};
}

// a chain of more coordinates takes too many steps (1), each of which moves its neighbours alone
constexpr Index large = 300;

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
  if (system.structure().places() > large)
    if (const std::optional<State> there = carried(system, given, place, target)) {
      given.q = there->q;
      return given;
    }
  const auto distance = [&](const State& state) { return (target - place(state.q)).norm(); };

  Start now = consistent_start(system, given);
  if (now.status != Status::ok) return {};
  const double enough = 1e-9 * (1.0 + target.norm());
  double left = distance(now.state);
  constexpr int most_iterations = 100;
  for (int k = 0; k < most_iterations && left > enough; ++k) {
    const Vec& q = now.state.q;
    const std::vector<Place::Column> columns = place.derivative(q);
    Eigen::Matrix<double, 3, Eigen::Dynamic> J(3, static_cast<Index>(columns.size()));
    for (Index c = 0; c < J.cols(); ++c) J.col(c) = columns[static_cast<std::size_t>(c)].dp;
    if (J.cols() == 0 || !J.allFinite() || J.norm() == 0.0) return {};
    // (1), a part of the way where all of it does not get nearer
    const Vec step = J.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV)
                         .solve(Eigen::Vector3d{target - place(q)});
    bool nearer = false;
    for (double share = 1.0; share > 0.1 && !nearer; share /= 2) {
      State tried = now.state;
      for (Index c = 0; c < J.cols(); ++c)
        tried.q[columns[static_cast<std::size_t>(c)].j] += share * step[c];
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
