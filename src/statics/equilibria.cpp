// SPDX-License-Identifier: BSD-3-Clause
#include "taut/statics/equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "core/notes.hpp"
#include "readings/readings.hpp"
#include "statics/equilibrium_search.hpp"
#include "statics/linear_stability.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

constexpr double same = 1e-5;         // of the reach: equilibria nearer to each other are one
constexpr double same_family = 1e-3;  // of their distance: what stiffness may see of it
constexpr Index most_directions = 4;
constexpr int most_neutral = 3;  // equilibria without stiffness in some direction: families

/// An equilibrium with what tells it from others.
struct Candidate {
  Equilibrium equilibrium;
  Vec way_out;    // [unit of q], largest entry 1; empty where no push grows
  Mat ways;       // softest modes, one column each, likewise
  Mat stiff;      // Lᵀx for the modes x that have stiffness, one column each
  bool has_soft;  // there are others
  bool neutral;   // and those have none at all
};

/// A search with what every search needs: the system as it is searched, and a start on its
/// constraints.
struct Prepared {
  System system;
  State start;
  Equilibria result;
};

/// Searches, and what they have found.
class Finder {
 public:
  Finder(const Prepared& prepared, const System& second_opinion, const SearchLimits& limits)
      : start_{prepared.start},
        reach_{prepared.result.reach},
        limits_{limits},
        search_{prepared.system, start_, reach_, limits},
        home_{prepared.system, start_.t},
        of_family_{prepared.system.structure().has_velocity_rows()} {
    if (second_opinion.shared()) second_.emplace(second_opinion, start_.t);
  }

  /// The mass metric of the start.
  [[nodiscard]] Status begin() { return home_.forces(start_.q); }

  /// Points along the softest modes of the start, those that promise most first.
  [[nodiscard]] Status points(int most, std::vector<Vec>& result) {
    result.assign(1, start_.q);
    if (of_family_) return Status::ok;
    if (const Status st = home_.stiffness(); st != Status::ok) return st;
    const LinearMotion linear = linear_motion(home_.K(), home_.D(), 0.0, home_.nz());
    if (linear.status != Status::ok) return linear.status;
    const Index n = std::min(linear.modes.cols(), most_directions);
    for (const double part : {0.5, 0.25, 1.0})
      for (Index i = 0; i < n; ++i)
        for (const double sign : {1.0, -1.0})
          if (static_cast<int>(result.size()) < most)
            result.push_back(start_.q + sign * part * reach_ * along(home_, linear.modes.col(i)));
    return Status::ok;
  }

  void newton(Vec q) {
    if (begin_search()) keep_if(search_.newton(q));
  }

  void settle(Vec q) {
    if (begin_search()) keep_if(search_.settle(q));
  }

  /// Where unstable equilibria lead to.
  void leave_unstable() {
    constexpr double beside = 0.02;  // of the reach
    for (std::size_t k = 0; k < found_.size(); ++k) {
      if (found_[k].way_out.size() == 0) continue;
      const Vec q = found_[k].equilibrium.q, away = beside * reach_ * found_[k].way_out;
      settle(q + away);
      settle(q - away);
    }
  }

  /// Half way between stable equilibria there is often an unstable one, and along soft modes.
  void search_around_stable() {
    constexpr std::size_t most = 4;
    std::vector<Candidate> stable;
    for (const Candidate& c : found_)
      if (c.equilibrium.stability == Stability::stable && stable.size() < most) stable.push_back(c);
    for (std::size_t i = 0; i < stable.size(); ++i) {
      const Vec& q = stable[i].equilibrium.q;
      for (std::size_t j = i + 1; j < stable.size(); ++j) newton((q + stable[j].equilibrium.q) / 2);
      for (Index m = 0; m < stable[i].ways.cols(); ++m)
        for (const double part : {0.25, -0.25, 0.5, -0.5})
          newton(q + part * reach_ * stable[i].ways.col(m));
    }
  }

  /// Nearest first. Of those without stiffness in some direction only a few: they are families,
  /// and searches arrive anywhere in them.
  [[nodiscard]] std::vector<Equilibrium> result(std::vector<Note>& told) {
    std::sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
      return a.equilibrium.distance < b.equilibrium.distance;
    });
    std::vector<Equilibrium> list;
    int neutral = 0;
    for (Candidate& c : found_)
      if (!c.neutral || ++neutral <= most_neutral) list.push_back(std::move(c.equilibrium));
    if (neutral > most_neutral)
      told.push_back(note<notes::families_of_rest>(neutral - most_neutral));
    return list;
  }

  /// What rolls rests in a family of places, each found from a start of its own.
  [[nodiscard]] bool of_family() const { return of_family_; }
  [[nodiscard]] int searches() const { return searches_; }
  [[nodiscard]] bool full() const { return known_ >= Equilibria::most_found; }
  [[nodiscard]] Status last() const { return last_; }

 private:
  bool begin_search() {
    if (limits_.reached() != Status::ok) return false;
    ++searches_;
    return true;
  }

  void keep_if(Status arrived) {
    last_ = arrived;
    if (arrived == Status::ok) keep();
  }

  // a direction of statics.Z() in coordinates, its largest entry 1
  static Vec along(const Statics& statics, const Vec& z) {
    const Vec x = statics.Z() * z;
    return x / x.lpNorm<Eigen::Infinity>();
  }

  /// The equilibrium at which a search has arrived, unless it is known or too far.
  void keep() {
    Statics& statics = search_.statics();
    const Vec dq = statics.q() - start_.q;
    const Index places = dq.size() - statics.nz();
    if (places > 0 && !(dq.head(places).lpNorm<Eigen::Infinity>() <= (1 + same) * reach_)) return;
    if (known(statics.q())) return;
    const LinearMotion linear =
        linear_motion(statics.K(), statics.D(), search_.first_stiffness(), statics.nz());
    if (linear.status != Status::ok) return;

    Candidate c{};
    Equilibrium& e = c.equilibrium;
    if (statics.multipliers(e.lambda) != Status::ok) return;
    e.q = statics.q();
    e.stability = linear.stability;
    e.omega = linear.omega;
    e.growth = linear.growth;
    e.softest = linear.softest;
    e.softest_error = linear.softest_error;
    e.distance = home_.in_mass_metric(dq).norm();
    c.neutral =
        linear.squares.size() > 0 && linear.squares.cwiseAbs().minCoeff() <= linear.softest_error;
    ask_again(e);
    if (e.softest < -e.softest_error) c.way_out = along(statics, linear.modes.col(0));
    c.ways.resize(e.q.size(), std::min<Index>(2, linear.modes.cols()));
    for (Index i = 0; i < c.ways.cols(); ++i) c.ways.col(i) = along(statics, linear.modes.col(i));
    c.stiff.resize(e.q.size(), 0);
    for (Index i = 0; i < linear.squares.size(); ++i) {
      if (std::abs(linear.squares[i]) <= e.softest_error) {
        c.has_soft = true;
        continue;
      }
      c.stiff.conservativeResize(e.q.size(), c.stiff.cols() + 1);
      c.stiff.rightCols(1) = statics.in_mass_metric(statics.Z() * linear.modes.col(i));
    }
    // members of families are not what others must make room for
    std::size_t& members = c.neutral ? neutral_ : known_;
    if (members == Equilibria::most_found) return;
    ++members;
    found_.push_back(std::move(c));
  }

  /// How much of the stiffness is sure.
  void ask_again(Equilibrium& e) {
    if (!second_) return;
    Status status = second_->forces(e.q);
    if (status == Status::ok) status = second_->stiffness();
    LinearMotion other;
    if (status == Status::ok) {
      other = linear_motion(second_->K(), second_->D(), 0.0, second_->nz());
      status = other.status;
    }
    if (status == Status::ok) e.softest_error += std::abs(e.softest - other.softest);
    if (status != Status::ok || other.stability != e.stability ||
        std::abs(e.softest) <= e.softest_error)
      e.stability = Stability::undecided;
  }

  [[nodiscard]] bool known(const Vec& q) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Candidate& c) {
      Vec dq = q - c.equilibrium.q;
      // of a state, as a part of its size
      for (Index i = dq.size() - home_.nz(); i < dq.size(); ++i)
        dq[i] *= reach_ / (1.0 + std::abs(q[i]));
      if (dq.size() == 0 || dq.lpNorm<Eigen::Infinity>() <= same * reach_) return true;
      const Vec x = home_.in_mass_metric(dq);
      return c.has_soft && (c.stiff.transpose() * x).norm() <= same_family * x.norm();
    });
  }

  const State& start_;
  double reach_;
  const SearchLimits& limits_;
  EquilibriumSearch search_;
  Statics home_;
  bool of_family_;
  std::optional<Statics> second_;
  std::vector<Candidate> found_;
  std::size_t known_ = 0, neutral_ = 0;
  int searches_ = 0;
  Status last_ = Status::ok;
};

bool has(const Structure& structure, const auto& property) {
  return std::any_of(structure.rows.begin(), structure.rows.end(), property);
}

bool is_compliant_equation(const Row& row) { return row.equation >= 0 && row.compliance > 0.0; }

double default_reach(const Structure& structure, const Vec& q) {
  double reach =
      structure.places() > 0 ? q.head(structure.places()).lpNorm<Eigen::Infinity>() : 0.0;
  if (structure.rows.empty()) return std::max(reach, std::numbers::pi);
  for (const Row& row : structure.rows) reach += row.scale;
  return reach > 0.0 ? reach : 1.0;
}

std::string why_not(const Structure& structure) {
  if (structure.vibration.in_force || structure.vibration.in_constraint)
    return "the model vibrates with the phase theta and never rests: its averaged reading does";
  if (!structure.differentiable)
    return "this reading has no stiffness: its equilibria are those of the model as written";
  if (structure.nq > Equilibria::most_coordinates)
    return fmt::format(
        "{} coordinates are more than the {} that equilibria are found for: state a smaller model, "
        "or let a run with dampers come to rest",
        structure.nq, Equilibria::most_coordinates);
  return {};
}

Prepared prepare(const System& system, const State& near, double reach) {
  Prepared p;
  const Structure& given = system.structure();
  const bool unread = given.takes_multipliers || has(given, is_compliant_equation);
  p.system = unread ? springs(system) : system;
  const Structure& structure = p.system.structure();
  p.result.reason = why_not(structure);
  if (!p.result.reason.empty()) {
    p.result.status = Status::not_supported;
    return p;
  }
  State rest = near;
  rest.v.head(structure.places()).setZero();
  Start start = consistent_start(p.system, rest);
  p.result.status = start.status;
  if (start.status != Status::ok) {
    p.result.reason = start.reason.empty() ? std::string{sentence(start.status)} : start.reason;
    return p;
  }
  if (structure.has_velocity_rows() && !start.state.v.head(structure.places()).isZero(0.0)) {
    p.result.status = Status::not_supported;
    p.result.reason =
        "a condition on velocities ([[rolling]]) asks for a motion: nothing can rest here";
    return p;
  }
  p.start = std::move(start.state);
  p.start.q.tail(structure.nz) = p.start.v.tail(structure.nz);  // as Statics has them
  p.result.reach = reach > 0.0 ? reach : default_reach(structure, p.start.q);
  if (structure.force_uses_time || structure.constraint_uses_time)
    p.result.notes.push_back(note<notes::rest_at_time>(near.t));
  return p;
}

void refuse(Equilibria& result, Status status, const std::string& what) {
  result.status = status;
  result.reason = fmt::format("{} ({})", what, sentence(status));
}

/// equilibria() within limits that may have begun before.
Equilibria find_all(const System& system, const State& near, const EquilibriaOptions& options,
                    const SearchLimits& limits) {
  Prepared p = prepare(system, near, options.reach);
  Equilibria& result = p.result;
  if (result.status != Status::ok) return result;
  Finder finder{p, options.second_opinion, limits};
  std::vector<Vec> points;
  Status status = finder.begin();
  if (status == Status::ok) status = finder.points(options.starts, points);
  if (status != Status::ok) {
    refuse(result, status, "forces and stiffness cannot be found at the start");
    return result;
  }

  // stiff springs make narrow valleys; rigid constraints in their place lead along them
  const System without = rigid(system);
  if (without.nc() > p.system.nc()) {
    const Equilibria rigid_ones =
        find_all(without, p.start, {.reach = result.reach, .starts = options.starts}, limits);
    for (const Equilibrium& e : rigid_ones.found) finder.newton(e.q);
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (options.progress)
      options.progress(static_cast<double>(k) / static_cast<double>(points.size() + 1));
    finder.newton(points[k]);
    finder.settle(points[k]);
  }
  if (!finder.of_family()) {
    finder.leave_unstable();
    finder.search_around_stable();
  }

  result.found = finder.result(result.notes);
  if (finder.of_family() && !result.found.empty()) {
    result.found.resize(1);
    result.notes.push_back(note<notes::rest_of_rolling>());
  }
  result.searches = finder.searches();
  const Status limit = limits.reached();
  if (result.found.empty()) {
    result.status = limit != Status::ok ? limit : Status::iteration_limit;
    const std::string last{finder.last() == Status::ok ? "too far away" : sentence(finder.last())};
    result.reason = fmt::format(
        "no equilibrium where every coordinate is within {:.4g} of the start: {} searches from {} "
        "points arrived at none (the last one: {})",
        result.reach, result.searches, points.size(),
        limit == Status::ok ? last : fmt::format("ended after {:.3g} s", limits.seconds()));
  } else if (limit != Status::ok) {
    result.notes.push_back(note<notes::searches_cut_short>(limits.seconds(), result.searches));
  } else if (finder.full()) {
    result.notes.push_back(note<notes::many_equilibria>(Equilibria::most_found));
  }
  return result;
}

}  // namespace

std::string_view name(Stability stability) {
  switch (stability) {
    case Stability::stable:
      return "stable";
    case Stability::unstable:
      return "unstable";
    case Stability::undecided:
      break;
  }
  return "undecided";
}

Equilibria equilibria(const System& system, const State& near, const EquilibriaOptions& options) {
  return find_all(system, near, options, SearchLimits{options});
}

Equilibria equilibrium_from(const System& system, const State& near,
                            const EquilibriaOptions& options) {
  Prepared p = prepare(system, near, options.reach);
  Equilibria& result = p.result;
  if (result.status != Status::ok) return result;
  const SearchLimits limits{options};
  Finder finder{p, options.second_opinion, limits};
  if (const Status status = finder.begin(); status != Status::ok) {
    refuse(result, status, "forces cannot be found at the start");
    return result;
  }
  finder.newton(p.start.q);
  result.found = finder.result(result.notes);
  result.searches = finder.searches();
  if (result.found.empty()) {
    const Status last = finder.last() == Status::ok ? Status::projection_diverged : finder.last();
    refuse(result, last, "Newton's method did not arrive at an equilibrium");
  }
  return result;
}

}  // namespace taut
