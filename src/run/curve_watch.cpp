// SPDX-License-Identifier: BSD-3-Clause
#include "run/curve_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/watched_batch.hpp"
#include "run/step_watch.hpp"

namespace taut {

using formula::Enclosure;
using formula::Guard;
using formula::Interval;
using formula::NodeId;

// Sides.
// -------------------------------------------------------------------------------------------------

void CurveWatch::start(const Curve& curve, double tolerance) {
  features_ = curve.features();
  watched_.clear();
  at_x_ = false;
  if (!features_) return;
  tolerance_ = tolerance;
  modes_ = features_->modes;
  others_ = features_->others;
  const JetSystem& system = features_->frozen;
  const std::vector<std::string> beside = others_ ? others_->names() : std::vector<std::string>{};
  for (std::size_t e = 0; e < system.equations.size(); ++e) {
    Watched one;
    std::vector<NodeId> roots{system.equations[e].node};
    for (std::size_t k = 0; k < features_->guards.size(); ++k)
      if (features_->guards[k].root == e) {
        one.guards.push_back(k);
        roots.push_back(features_->guards[k].node);
      }
    const formula::EnclosedGraph all{system.graph, roots};
    for (NodeId id = 0; id < system.graph.size(); ++id)
      if (all.place(id) >= 0 && is_steep(all, system.graph, id)) {
        roots.push_back(id);
        ++one.steep;
      }
    if (roots.size() == 1) continue;
    const auto made = [&](std::span<const NodeId> of) {
      return JetFormula{system, curve.structure(), beside, system.graph, of};
    };
    // what the curve does not have cannot be looked at
    const JetFormula looked_at = made(std::span{roots}.subspan(1));
    if (!looked_at.missing().empty()) continue;
    one.of_curve = looked_at.of_curve();
    for (const std::size_t k : one.guards)
      one.of_coordinates.push_back(made({&features_->guards[k].node, 1}).of_coordinates());
    one.formula = std::make_unique<JetFormula>(made(roots));
    one.features = std::make_unique<JetFormula>(looked_at);
    watched_.push_back(std::move(one));
  }
  at_x_ = reads_x();
}

bool CurveWatch::reads_x() const {
  return std::any_of(watched_.begin(), watched_.end(), [](const Watched& one) {
    const auto& inputs = one.features->graph().inputs();
    return std::any_of(inputs.begin(), inputs.end(), [](const formula::Input& input) {
      return input.slot == formula::Slot::q && input.index == 0;
    });
  });
}

void CurveWatch::set_modes(std::vector<double> modes, std::shared_ptr<CompletedUnknowns> others) {
  modes_ = std::move(modes);
  others_ = std::move(others);
  for (Watched& one : watched_) one.boxed = false;
}

double CurveWatch::mode_of(Guard::Kind kind, double g) {
  switch (kind) {
    case Guard::Kind::positive:
      return g > 0.0 ? 1.0 : 0.0;
    case Guard::Kind::sign:
      return g > 0.0 ? 1.0 : (g < 0.0 ? -1.0 : 0.0);
    case Guard::Kind::floor:
      return std::floor(g);
  }
  return 0.0;
}

double CurveWatch::depth(std::size_t guard, double g) const {
  const double mode = modes_[guard];
  switch (features_->guards[guard].kind) {
    case Guard::Kind::positive:
      return mode != 0.0 ? g : -g;
    case Guard::Kind::sign:
      return mode > 0.0 ? g : mode < 0.0 ? -g : -std::abs(g);
    case Guard::Kind::floor:
      return std::min(g - mode, mode + 1.0 - g);
  }
  return 0.0;
}

double CurveWatch::other_mode(std::size_t guard, double g) const {
  const double mode = modes_[guard];
  switch (features_->guards[guard].kind) {
    case Guard::Kind::positive:
      return mode != 0.0 ? 0.0 : 1.0;
    case Guard::Kind::sign:
      return mode != 0.0 ? -mode : (g < 0.0 ? -1.0 : 1.0);
    case Guard::Kind::floor:
      return g - mode < 0.5 ? mode - 1.0 : mode + 1.0;
  }
  return mode;
}

bool CurveWatch::keeps_side(std::size_t guard, Interval g) const {
  return std::min(depth(guard, g.lo), depth(guard, g.hi)) > 0.0;
}

const CurveWatch::Watched& CurveWatch::of_guard(std::size_t guard, std::size_t& k) const {
  for (const Watched& one : watched_) {
    const auto found = std::find(one.guards.begin(), one.guards.end(), guard);
    k = static_cast<std::size_t>(found - one.guards.begin());
    if (found != one.guards.end()) return one;
  }
  k = 0;
  return watched_.front();
}

Enclosure CurveWatch::guard(std::size_t guard, const Vec& p, const Vec& V) {
  std::size_t k = 0;
  const Watched& one = of_guard(guard, k);
  if (others_ && !one.of_curve && (*others_)(p, beside_) != Status::ok)
    beside_.setConstant(beside_.size(), std::nan(""));
  one.formula->at(p, V, modes_, beside_, inputs_);
  one.formula->graph().enclose(inputs_, 0.0, all_);
  asked_ = &one;
  asked_place_ = one.formula->place(1 + k);
  Enclosure g = all_[static_cast<std::size_t>(asked_place_)];
  if (!one.of_coordinates[k]) g.rate = formula::whole_line;
  return g;
}

// Where all_ was found.
double CurveWatch::slope(const Watched& one, int place) {
  const formula::EnclosedGraph& graph = one.formula->graph();
  weighed_ = false;
  std::vector<double>& weight = weights_.weight;
  weight.assign(graph.size(), 0.0);
  weight[static_cast<std::size_t>(place)] = 1.0;
  graph.sensitivities(all_, weights_);
  double sum = 0.0;
  for (const formula::Input& input : graph.inputs())
    if (input.slot == formula::Slot::q) sum += weight[static_cast<std::size_t>(graph.place(input))];
  return std::isfinite(sum) ? sum : 0.0;
}

// Boxes, as StepWatch has them.
// -------------------------------------------------------------------------------------------------

// All guards and steep nodes are settled by the ranges in all_.
bool CurveWatch::clean(const Watched& one) const {
  for (std::size_t k = 0; k < one.guards.size(); ++k)
    if (!keeps_side(one.guards[k], all_[static_cast<std::size_t>(one.features->place(k))].value))
      return false;
  for (std::size_t k = 0; k < one.steep; ++k)
    if (!is_regular(one.features->graph(), one.features->place(one.guards.size() + k), all_))
      return false;
  return true;
}

bool CurveWatch::in_box(const Watched& one) const {
  if (!one.boxed) return false;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].value.lo < one.box[i].lo || inputs_[i].value.hi > one.box[i].hi) return false;
  return true;
}

bool CurveWatch::find_box(Watched& one) {
  constexpr double widest = 300.0, narrowest = 1.5;
  constexpr int longest_pause = 63;
  one.boxed = false;
  if (one.wait > 0) {
    --one.wait;
    return false;
  }
  one.box.clear();
  for (const Enclosure& input : inputs_) {
    const Interval x = input.value;
    const double more = x.lo == x.hi ? 0.0 : (one.wider - 1.0) / 2 * x.width();
    one.box.push_back({x.lo - more, x.hi + more});
  }
  one.features->graph().ranges(one.box, all_);
  one.boxed = clean(one);
  if (one.boxed) {
    one.pause = 0;
    one.wider = std::min(2 * one.wider, widest);
  } else if (one.wider > narrowest) {
    one.wider = std::max(one.wider / 2, narrowest);
  } else {
    one.wait = one.pause = std::min(2 * one.pause + 1, longest_pause);
  }
  return one.boxed;
}

// The look.
// -------------------------------------------------------------------------------------------------

Status CurveWatch::look(CurveTube& step, CurveFinding& found) {
  found = {};
  sampled_known_ = false;
  if (!(step.length() > 0.0)) return Status::ok;
  for (Watched& one : watched_) {
    if (!one.of_curve) {
      if (const Status status = scan(one, step, found); status != Status::ok) return status;
      continue;
    }
    if (!step.is_sampled()) {
      one.features->on(step.rough(), modes_, 0.0, 1.0, inputs_);
      if (in_box(one) || find_box(one)) continue;
      one.features->graph().enclose(inputs_, step.length() / 2, all_);
      if (clean(one)) continue;
      // a step whose inside is not to be had is too long
      if (step.sample() != Status::ok) {
        found = {.kind = CurveFinding::Kind::unresolved, .theta = 0.0, .length = 0.5};
        return Status::ok;
      }
    }
    if (const Status status = examine(one, step, found); status != Status::ok) return status;
  }
  return Status::ok;
}

// From left to right; what is behind something that was found before does not count.
Status CurveWatch::examine(const Watched& one, CurveTube& step, CurveFinding& found) {
  constexpr int most_halvings = 40, most_pieces = 64;
  const formula::EnclosedGraph& graph = one.formula->graph();
  const double h = step.length();
  std::array<Piece, most_halvings + 4> stack;
  std::size_t open = 0;
  stack[open++] = Piece{};
  for (int pieces = 0; open > 0;) {
    const Piece piece = stack[--open];
    const double from = CurveTube::theta(piece.c - piece.r);
    if (from >= found.theta) return Status::ok;
    one.formula->on(step.tube(), modes_, piece.c, piece.r, inputs_);
    graph.enclose(inputs_, piece.r * h / 2, all_);
    weighed_ = false;
    bool undecided = false, steep = false;
    for (std::size_t k = 0; k < one.steep && !undecided; ++k) {
      const int place = one.formula->place(1 + one.guards.size() + k);
      if (is_regular(graph, place, all_))
        steep = true;
      else
        undecided = !negligible(one, place);
    }
    double root = 2.0;
    std::size_t crossing = 0;
    for (std::size_t k = 0; k < one.guards.size() && !undecided; ++k) {
      double here = 2.0;
      const Answer answer = decide(one, k, piece, step, here);
      undecided = answer == Answer::no;
      if (answer == Answer::crossed && here < root) {
        root = here;
        crossing = one.guards[k];
      }
    }
    if (undecided && piece.depth < most_halvings && ++pieces < most_pieces) {
      const double r = piece.r / 2;
      stack[open++] = {piece.c + r, r, piece.depth + 1};
      stack[open++] = {piece.c - r, r, piece.depth + 1};
      continue;
    }
    bool all_seen = true;
    if (undecided) {
      if (const Status status = nothing_shows(one, step, all_seen); status != Status::ok)
        return status;
      if (all_seen) return Status::ok;
    } else if (steep && piece.depth > 0) {
      if (const Status status = seen(piece, step, all_seen); status != Status::ok) return status;
    }
    if (!all_seen) {
      found = {.kind = CurveFinding::Kind::unresolved, .theta = from, .length = piece.r};
      return Status::ok;
    }
    if (root <= 1.0) {
      const double theta = CurveTube::theta(root);
      if (theta < found.theta)
        found = {.kind = CurveFinding::Kind::crossing, .theta = theta, .guard = crossing};
      return Status::ok;
    }
  }
  return Status::ok;
}

// (1) of StepWatch. A piece that enclosures do not decide is halved down to what the resolution of
// the step allows, and then counts by its ends.
CurveWatch::Answer CurveWatch::decide(const Watched& one, std::size_t k, const Piece& piece,
                                      CurveTube& step, double& root) {
  constexpr double narrow = 0x1p-30;
  const std::size_t guard = one.guards[k];
  const Enclosure g = all_[static_cast<std::size_t>(one.formula->place(1 + k))];
  if (keeps_side(guard, g.value)) return Answer::yes;
  if (g.value.lo == 0.0 && g.value.hi == 0.0) return Answer::yes;  // it rests on its border
  const bool monotone = !g.rate.contains(0.0) && std::isfinite(g.value.width());
  if (!monotone && piece.r > narrow) return Answer::no;
  double from = piece.c - piece.r, to = piece.c + piece.r;
  const double last = depth(guard, guard_at(one, k, to, step.tube()));
  if (last >= 0.0) return Answer::yes;
  // points of dense output are beside the curve by what the tolerance allows, and coordinates have
  // the rounding of the largest of them
  const double rounding = 64 * std::numeric_limits<double>::epsilon() *
                          slope(one, one.formula->place(1 + k)) * step.size();
  double on_curve = 0.0;
  if (guard_on_curve(guard, CurveTube::theta(to), step, on_curve) == Status::ok &&
      depth(guard, on_curve) >= -rounding)
    return Answer::yes;
  // behind a crossing the guard starts at its border, but for rounding, and moves into its side
  const double first = guard_at(one, k, from, step.tube());
  const double toward = g.rate.lo > 0.0 ? 0.25 : g.rate.hi < 0.0 ? -0.25 : 0.0;
  const bool enters = from == -1.0 && depth(guard, std::round(first) + toward) > 0.0;
  root = from;
  if (depth(guard, first) < 0.0 && !enters) return Answer::crossed;
  for (int i = 0; i < 60 && to > from; ++i) {
    const double middle = from + (to - from) / 2;
    (depth(guard, guard_at(one, k, middle, step.tube())) >= 0.0 ? from : to) = middle;
  }
  root = to;
  return Answer::crossed;
}

double CurveWatch::guard_at(const Watched& one, std::size_t k, double xi, const Tube& tube) {
  std::vector<Enclosure>& inputs = inputs_;
  one.formula->on(tube, modes_, xi, 0.0, inputs);
  point_.clear();
  for (const Enclosure& input : inputs) point_.push_back(input.middle);
  one.formula->graph().values(point_, values_);
  return values_[static_cast<std::size_t>(one.formula->place(1 + k))];
}

Status CurveWatch::guard_on_curve(std::size_t guard, double theta, CurveTube& step, double& g) {
  if (const Status status = step.on_curve(theta, p_, v_); status != Status::ok) return status;
  std::size_t k = 0;
  const Watched& one = of_guard(guard, k);
  if (others_ && !one.of_curve)
    if (const Status status = (*others_)(p_, beside_); status != Status::ok) return status;
  one.formula->at(p_, v_, modes_, beside_, inputs_);
  point_.clear();
  for (const Enclosure& input : inputs_) point_.push_back(input.middle);
  one.formula->graph().values(point_, values_);
  g = values_[static_cast<std::size_t>(one.formula->place(1 + k))];
  return Status::ok;
}

// (1)
bool CurveWatch::negligible(const Watched& one, int place) {
  constexpr double far_below = 1e-3, counts = 1e-8;
  const formula::EnclosedGraph& graph = one.formula->graph();
  std::vector<double>& weight = weights_.weight;
  if (!weighed_) {
    weight.assign(graph.size(), 0.0);
    weight[static_cast<std::size_t>(one.formula->place(0))] = 1.0;
    graph.sensitivities(all_, weights_);
    weighed_ = true;
  }
  const double effect = weights_.effect[static_cast<std::size_t>(place)];
  if (effect == 0.0) return true;
  double most = 0.0, least = formula::unbounded;
  for (const int jet : one.formula->jets())
    most = std::max(most, weight[static_cast<std::size_t>(jet)]);
  for (const int jet : one.formula->jets())
    if (const double by = weight[static_cast<std::size_t>(jet)]; by > counts * most)
      least = std::min(least, by);
  return std::isfinite(least) && effect <= far_below * tolerance_ * least;
}

// (2)
Status CurveWatch::seen(const Piece& piece, CurveTube& step, bool& is_seen) {
  constexpr double unseen = 1.0, unseen_of_step = 50.0;
  if (!sampled_known_) {
    for (int j = 0; j < Tube::samples; ++j) {
      const Status status = step.velocity(CurveTube::theta(Tube::sample_place(j)), p_, v_);
      if (j == 0) sampled_.resize(Tube::samples, p_.size());
      if (status != Status::ok) {
        is_seen = false;
        return Status::ok;
      }
      sampled_.row(j) = v_.transpose();
    }
    sampled_known_ = true;
  }
  is_seen = step.velocity(CurveTube::theta(piece.c), p_, v_) == Status::ok;
  const double length = piece.r * step.length();
  const double allowed = unseen + unseen_of_step * piece.r;
  // the way in the unknowns while x goes as far as the step has it
  constexpr double level = 1e-4;
  const double x_seen = Tube::interpolated(sampled_, 0, piece.c);
  const double stretch = at_x_ && std::abs(x_seen) > level ? x_seen / v_[0] : 1.0;
  for (Index i = 0; i < p_.size() && is_seen; ++i) {
    const double v_seen = Tube::interpolated(sampled_, i, piece.c);
    const double missed = std::max(std::abs(v_[i] - v_seen), std::abs(stretch * v_[i] - v_seen));
    is_seen = length * missed <= allowed * tolerance_ * (1.0 + std::abs(p_[i]));
  }
  return Status::ok;
}

// Where enclosures do not decide: guards on their sides and directions as seen, at many points.
Status CurveWatch::nothing_shows(const Watched& one, CurveTube& step, bool& nothing) {
  constexpr int points = 64;
  nothing = true;
  for (int j = 0; j < points && nothing; ++j) {
    const double xi = (2.0 * j + 1.0) / points - 1.0;
    for (std::size_t k = 0; k < one.guards.size() && nothing; ++k)
      nothing = depth(one.guards[k], guard_at(one, k, xi, step.tube())) >= 0.0;
    if (!nothing) break;
    if (const Status status = seen({.c = xi, .r = 1.0 / points, .depth = 1}, step, nothing);
        status != Status::ok)
      return status;
  }
  return Status::ok;
}

// Guards that read unknowns beside the curve, which have no enclosures: by their values at many
// points.
Status CurveWatch::scan(const Watched& one, CurveTube& step, CurveFinding& found) {
  constexpr int points = 16;
  for (const std::size_t guard : one.guards) {
    double from = 0.0, to = 2.0;
    // where it begins it may be beyond its border by rounding
    for (int j = 1; j <= points && to > 1.0; ++j) {
      const double theta = static_cast<double>(j) / points;
      double g = 0.0;
      if (const Status status = guard_on_curve(guard, theta, step, g); status != Status::ok)
        return status;
      (depth(guard, g) >= 0.0 ? from : to) = theta;
    }
    if (to > 1.0) continue;
    double first = 0.0;
    if (const Status status = guard_on_curve(guard, 0.0, step, first); status != Status::ok)
      return status;
    if (from == 0.0 && depth(guard, first) < 0.0) to = 0.0;
    for (int i = 0; i < 50 && to > from; ++i) {
      const double middle = from + (to - from) / 2;
      double g = 0.0;
      if (const Status status = guard_on_curve(guard, middle, step, g); status != Status::ok)
        return status;
      (depth(guard, g) >= 0.0 ? from : to) = middle;
    }
    if (to < found.theta)
      found = {.kind = CurveFinding::Kind::crossing, .theta = to, .guard = guard};
  }
  return Status::ok;
}

}  // namespace taut
