// SPDX-License-Identifier: BSD-3-Clause
#include "modes/moved_scene.hpp"

#include <cmath>

#include "model/scene_places.hpp"

namespace taut {
namespace {

using Values = SceneValues<Eigen::VectorXcd>;
using Place = std::array<std::complex<double>, 3>;

// points, then corners of bodies
std::vector<Place> places_of(const Scene& scene, const Values& values) {
  std::vector<Place> all;
  for (const Scene::Point& point : scene.points) all.push_back(place_of(scene, point, values));
  for (const Scene::Body& body : scene.bodies)
    for (int corner = 0; corner < 8; ++corner) {
      std::array<double, 3> X{};
      for (std::size_t k = 0; k < 3; ++k) {
        const double half = ((corner >> k) & 1 ? 0.5 : -0.5) * body.box[k];
        for (std::size_t r = 0; r < 3; ++r) X[r] += body.axes[3 * r + k] * half;
      }
      all.push_back(place_of_body(body, X, values));
    }
  return all;
}

Vec observables(const System& system, const State& at, const Vec& q, Evaluation& ev) {
  if (system.evaluate(need(Target::observable), {.t = at.t, .q = q, .v = at.v}, ev) != Status::ok)
    return Vec::Zero(ev.observable.size());
  return ev.observable;
}

}  // namespace

void move_scene(const LinearPoint& point, const CompiledModel& compiled, Modes& modes) {
  constexpr std::size_t most = 4'000'000;  // numbers in a page
  modes.scene = compiled.scene;
  const Scene& scene = modes.scene;
  if (scene.empty() || scene.points.size() * (modes.modes.size() + 1) > most / 6) return;
  const System& model = compiled.system;
  if (model.nq() != point.system.nq()) return;
  Evaluation ev;
  model.prepare(ev);
  const State& at = point.state;
  const bool drawn = !model.structure().observables.empty();
  Values here{.q = at.q.cast<std::complex<double>>(), .observable = {}};
  if (drawn) here.observable = observables(model, at, at.q, ev).cast<std::complex<double>>();
  for (const Place& place : places_of(scene, here))
    modes.places.push_back({place[0].real(), place[1].real(), place[2].real()});
  const double size = 1.0 + at.q.lpNorm<Eigen::Infinity>();
  for (const Mode& mode : modes.modes) {
    Values moved{.q = mode.shape,
                 .observable = Eigen::VectorXcd::Zero(here.observable.size()),
                 .change = true};
    moved.q.tail(point.system.structure().nz).setZero();
    const auto along = [&](const Vec& x) -> Vec {
      const double h = 1e-6 * size;
      return (observables(model, at, at.q + h * x, ev) - observables(model, at, at.q - h * x, ev)) /
             (2 * h);
    };
    if (drawn) {
      moved.observable.real() = along(moved.q.real());
      moved.observable.imag() = along(moved.q.imag());
    }
    modes.moves.push_back(places_of(scene, moved));
  }
}

}  // namespace taut
