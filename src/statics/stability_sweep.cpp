// SPDX-License-Identifier: BSD-3-Clause
#include "taut/statics/stability_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <mutex>
#include <utility>

#include "core/parallel.hpp"

namespace taut {
namespace {

constexpr double longest_move = 0.05;  // of the reach, between values that follow each other
constexpr double same_place = 1e-6;    // of the reach
constexpr int most_halvings = 5;
constexpr int most_bisections = 60;

/// A point with the equilibrium it has, or the last one before it.
struct Trail {
  std::vector<double> values;
  Vec q;
};

class Sweep {
 public:
  Sweep(const std::vector<SweepAxis>& axes, const MakeSweepCase& make, const SweepOptions& options)
      : make_{make}, options_{options} {
    result_.axes = axes;
    nx_ = axes[0].points;
    ny_ = axes.size() > 1 ? axes[1].points : 1;
    for (int j = 0; j < ny_; ++j)
      for (int i = 0; i < nx_; ++i) {
        SweepPoint& point = result_.points.emplace_back();
        point.values.push_back(axes[0].value(i));
        if (axes.size() > 1) point.values.push_back(axes[1].value(j));
      }
  }

  StabilitySweep run() {
    // pieces of the first axis, each with the point it is followed from
    const int length = ny_ > 1 ? nx_ : static_cast<int>(std::ceil(std::sqrt(nx_)));
    std::vector<int> heads;
    for (int k = 0; k < nx_ * ny_; k += length) heads.push_back(k);
    if (!find_first()) return std::move(result_);

    for (std::size_t p = 1; p < heads.size(); ++p) next(heads[p], trail(heads[p - 1]));
    parallel_for(heads.size(), options_.threads, [&](std::size_t p) {
      const int end = p + 1 < heads.size() ? heads[p + 1] : nx_ * ny_;
      for (int k = heads[p] + 1; k < end; ++k) next(k, trail(k - 1));
    });
    if (ny_ == 1) join(heads);
    find_borders();
    for (const SweepPoint& point : result_.points) {
      result_.without += point.exists ? 0 : 1;
      result_.jumps += point.jumped ? 1 : 0;
    }
    return std::move(result_);
  }

 private:
  /// The first point that has an equilibrium. Points before it have none, and their trail is it.
  bool find_first() {
    trails_.resize(result_.points.size());
    std::string reason;
    for (std::size_t k = 0; k < result_.points.size(); ++k) {
      SweepPoint& point = result_.points[k];
      const SweepCase made = make_(point.values);
      const Equilibria all = search(made, made.near);
      if (all.found.empty()) {
        point.reason = all.reason;
        if (reason.empty()) reason = all.reason;
        tick();
        continue;
      }
      reach_ = all.reach;
      result_.coordinates = made.system.structure().names_at_rest();
      places_ = made.system.structure().places();
      take(point, all.found.front());
      for (std::size_t before = 0; before <= k; ++before)
        trails_[before] = {point.values, point.equilibrium.q};
      begun_ = static_cast<int>(k);
      return true;
    }
    result_.status = Status::iteration_limit;
    result_.reason = fmt::format("none of {} points has an equilibrium; the first: {}",
                                 result_.points.size(), reason);
    return false;
  }

  Trail& trail(int k) { return trails_[static_cast<std::size_t>(k)]; }

  /// Pieces of one axis began at points that were reached by long steps: where the points before
  /// them lead to another equilibrium, that one is followed through the piece instead.
  void join(const std::vector<int>& heads) {
    for (std::size_t p = 1; p < heads.size(); ++p) {
      const int k = heads[p], end = p + 1 < heads.size() ? heads[p + 1] : nx_;
      if (k <= begun_) continue;
      SweepPoint& head = result_.points[static_cast<std::size_t>(k)];
      SweepPoint again;
      again.values = head.values;
      follow(trail(k - 1), again);
      const bool same =
          again.exists == head.exists &&
          (!head.exists || way(again.equilibrium.q, head.equilibrium.q) <= same_place * reach_);
      head.jumped = again.jumped;
      if (same) continue;
      for (int i = k; i < end; ++i) {
        SweepPoint& point = result_.points[static_cast<std::size_t>(i)];
        SweepPoint anew;
        anew.values = point.values;
        point = std::move(anew);
        next(i, trail(i - 1));
      }
    }
  }

  /// Follows to point k what was last known at another.
  void next(int k, const Trail& from) {
    if (k <= begun_) return;
    SweepPoint& point = result_.points[static_cast<std::size_t>(k)];
    trail(k) = from;
    follow(from, point);
    if (point.exists) trail(k) = {point.values, point.equilibrium.q};
    tick();
  }

  void follow(const Trail& from, SweepPoint& point) {
    Trail last = from;
    if (approach(last, point, 0)) return;
    // it has come to an end: what is nearest to where it was
    const SweepCase made = make_(point.values);
    State near = made.near;
    if (near.q.size() == last.q.size()) place(last.q, near);
    const Equilibria all = search(made, near);
    if (all.found.empty()) {
      point.reason = all.reason;
      return;
    }
    take(point, all.found.front());
    point.jumped = point.equilibrium.q.size() != last.q.size() ||
                   way(point.equilibrium.q, last.q) > longest_move * reach_;
  }

  /// To the values of the point in as many steps as it takes; `last` is then the last of them.
  bool approach(Trail& last, SweepPoint& point, int halvings) {
    if (at(last, point)) return true;
    if (halvings == most_halvings) return false;
    SweepPoint middle;
    for (std::size_t i = 0; i < point.values.size(); ++i)
      middle.values.push_back((last.values[i] + point.values[i]) / 2);
    if (!approach(last, middle, halvings + 1)) return false;
    last = {middle.values, middle.equilibrium.q};
    return approach(last, point, halvings + 1);
  }

  /// At the values of the point, near to what was known last.
  bool at(const Trail& last, SweepPoint& point) {
    const SweepCase made = make_(point.values);
    if (made.status != Status::ok || made.system.nq() != last.q.size()) return false;
    State near = made.near;
    place(last.q, near);
    const Equilibria one = equilibrium_from(
        made.system, near, {.reach = reach_, .second_opinion = made.second_opinion});
    if (one.found.empty()) return false;
    if (way(one.found.front().q, last.q) > longest_move * reach_) return false;
    take(point, one.found.front());
    return true;
  }

  [[nodiscard]] Equilibria search(const SweepCase& made, const State& near) const {
    if (made.status != Status::ok) return {.status = made.status, .reason = made.reason};
    const double reach = reach_ > 0.0 ? reach_ : options_.reach;
    return equilibria(made.system, near, {.reach = reach, .second_opinion = made.second_opinion});
  }

  /// Largest change of a place: states have sizes of their own.
  [[nodiscard]] double way(const Vec& from, const Vec& to) const {
    return places_ > 0 ? (to - from).head(places_).lpNorm<Eigen::Infinity>() : 0.0;
  }

  /// A state at rest there; see Equilibrium::q.
  void place(const Vec& q, State& state) const {
    state.q = q;
    state.v.tail(q.size() - places_) = q.tail(q.size() - places_);
  }

  static void take(SweepPoint& point, const Equilibrium& equilibrium) {
    point.exists = true;
    point.equilibrium = equilibrium;
  }

  void find_borders() {
    struct Edge {
      std::size_t a, b;
      int axis;
    };
    std::vector<Edge> edges;
    const auto add = [&](int a, int b, int axis) {
      const Edge edge{static_cast<std::size_t>(a), static_cast<std::size_t>(b), axis};
      const SweepPoint &p = result_.points[edge.a], &q = result_.points[edge.b];
      if (p.exists && q.exists && !q.jumped &&
          p.equilibrium.leans_stable() != q.equilibrium.leans_stable())
        edges.push_back(edge);
    };
    for (int j = 0; j < ny_; ++j)
      for (int i = 0; i < nx_; ++i) {
        if (i + 1 < nx_) add(i + nx_ * j, i + 1 + nx_ * j, 0);
        if (j + 1 < ny_) add(i + nx_ * j, i + nx_ * (j + 1), 1);
      }
    result_.borders.resize(edges.size());
    total_ = done_ + edges.size();
    parallel_for(edges.size(), options_.threads, [&](std::size_t e) {
      const Edge& edge = edges[e];
      result_.borders[e] = bisect(result_.points[edge.a], result_.points[edge.b], edge.axis);
      tick();
    });
  }

  [[nodiscard]] SweepBorder bisect(SweepPoint a, SweepPoint b, int axis) {
    const auto x = static_cast<std::size_t>(axis);
    const SweepAxis& range = result_.axes[x];
    std::vector<double> unsure;
    const auto note = [&](const SweepPoint& point) {
      if (point.equilibrium.stability == Stability::undecided) unsure.push_back(point.values[x]);
    };
    note(a);
    note(b);
    for (int k = 0; k < most_bisections; ++k) {
      // of the value, or of the range where the border is at zero
      const double size = std::max({std::abs(a.values[x]), std::abs(b.values[x]),
                                    1e-3 * std::abs(range.last - range.first)});
      if (std::abs(b.values[x] - a.values[x]) <= options_.tolerance * size) break;
      SweepPoint middle;
      middle.values = a.values;
      middle.values[x] = (a.values[x] + b.values[x]) / 2;
      follow({a.values, a.equilibrium.q}, middle);
      if (!middle.exists) break;
      note(middle);
      (middle.equilibrium.leans_stable() == a.equilibrium.leans_stable() ? a : b) = middle;
    }
    SweepBorder border;
    border.axis = axis;
    border.values = a.values;
    border.stable_above = (b.values[x] > a.values[x] ? b : a).equilibrium.leans_stable();
    // between a and b the square of the softest frequency is nearly a straight line
    const double s = a.equilibrium.softest, t = b.equilibrium.softest;
    const double part = (s < 0.0) != (t < 0.0) && std::isfinite(s - t) ? s / (s - t) : 0.5;
    border.values[x] += part * (b.values[x] - a.values[x]);
    border.uncertainty = std::abs(b.values[x] - a.values[x]) / 2;
    for (const double value : unsure)
      border.uncertainty = std::max(border.uncertainty, std::abs(value - border.values[x]));
    return border;
  }

  void tick() {
    const std::lock_guard lock{guard_};
    ++done_;
    if (!options_.progress) return;
    const double all = static_cast<double>(std::max(total_, result_.points.size()));
    options_.progress(std::min(1.0, static_cast<double>(done_) / all));
  }

  const MakeSweepCase& make_;
  const SweepOptions& options_;
  StabilitySweep result_;
  std::vector<Trail> trails_;
  int nx_ = 0, ny_ = 1, begun_ = 0;
  double reach_ = 0.0;
  Index places_ = 0;
  std::mutex guard_;
  std::size_t done_ = 0, total_ = 0;
};

}  // namespace

StabilitySweep sweep_stability(const std::vector<SweepAxis>& axes, const MakeSweepCase& make,
                               const SweepOptions& options) {
  assert(axes.size() == 1 || axes.size() == 2);
  assert(std::all_of(axes.begin(), axes.end(), [](const SweepAxis& a) { return a.points >= 2; }));
  return Sweep{axes, make, options}.run();
}

}  // namespace taut
