// SPDX-License-Identifier: BSD-3-Clause
#include "run/step_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut {

using formula::EnclosedGraph;
using formula::Enclosure;
using formula::Guard;
using formula::Interval;
using formula::NodeId;
using formula::Op;
using formula::Slot;

namespace {

constexpr double widest_argument = 3.0;
constexpr double largest_ratio = 4.0;
constexpr double largest_ratio_of_powers = 20.0;
constexpr double negligible_effect = 0.05;
constexpr double unseen_effect = 1.0, unseen_effect_of_step = 50.0;
constexpr int most_halvings = 40, most_pieces = 64;

bool moderate(Interval u, double ratio) {
  return !u.contains(0.0) && u.magnitude() <= ratio * u.mignitude();
}

}  // namespace

// From the ranges of a node and its operands.
bool is_regular(const EnclosedGraph& graph, int place, const std::vector<Enclosure>& all) {
  const auto operand = [&](int number) {
    return all[static_cast<std::size_t>(graph.operand(place, number))].value;
  };
  switch (graph.op(place)) {
    case Op::exp:
    case Op::sin:
    case Op::cos:
    case Op::sinh:
    case Op::cosh:
      return operand(0).width() <= widest_argument;
    case Op::tanh: {
      // beyond 20 it is 1 to the last digit
      constexpr double flat = 20.0;
      const Interval u = operand(0);
      return u.width() <= widest_argument || u.lo > flat || u.hi < -flat;
    }
    case Op::atan:
      return operand(0).width() <= widest_argument || moderate(operand(0), largest_ratio);
    case Op::tan:
      return operand(0).width() <= 1.0 && !formula::cos(operand(0)).contains(0.0);
    case Op::sqrt:
    case Op::log:
      return operand(0).lo > 0.0 && moderate(operand(0), largest_ratio);
    case Op::pow: {
      const Interval exponent = operand(1);
      // a whole power of something that does not move far is a product
      const bool whole = exponent.lo == exponent.hi && exponent.lo == std::floor(exponent.lo);
      return moderate(operand(0), largest_ratio) ||
             (whole && exponent.lo >= 0.0 && exponent.lo < 8.0);
    }
    case Op::asin:
    case Op::acos: {
      const Interval u = operand(0);
      return u.lo > -1.0 && u.hi < 1.0 &&
             moderate({1.0 - u.magnitude(), 1.0 - u.mignitude()}, largest_ratio);
    }
    case Op::div:
      return moderate(operand(1), largest_ratio);
    case Op::atan2: {
      const Interval y = operand(0), x = operand(1);
      if (y.contains(0.0) && x.lo <= 0.0 && !graph.unwound(place)) return false;
      return moderate(formula::square(x) + formula::square(y), largest_ratio * largest_ratio);
    }
    default: {
      // a product that keeps its size, or its slope where it passes through zero
      const Enclosure& product = all[static_cast<std::size_t>(place)];
      return moderate(product.value, largest_ratio_of_powers) ||
             moderate(product.rate, largest_ratio_of_powers);
    }
  }
}

void StepWatch::start(std::shared_ptr<Switches> switches, const System& moved, double tolerance) {
  switches_ = std::move(switches);
  moved_ = moved;
  tolerance_ = tolerance;
  boxes_.clear();
  if (!any()) return;
  for (const WatchedBatch& batch : switches_->batches())
    boxes_.emplace_back(static_cast<std::size_t>(batch.batch.instances));
  moved_.prepare(ev_);
  mass_ = Vec::Ones(moved_.nq());
  if (moved_.structure().mass_constant) mass_ = moved_.structure().M.diagonal();
}

// Inputs along the step.
// ------------------------------------------------------------------------------------

void StepWatch::inputs_on(const WatchedBatch& watched, int instance, const EnclosedGraph& graph,
                          double c, double r) {
  inputs_.clear();
  for (const formula::Input& input : graph.inputs())
    inputs_.push_back(enclosed_input(switches_->compiled(), watched.batch, instance, input,
                                     switches_->modes(), tube_, c, r));
}

void StepWatch::point_inputs(const WatchedBatch& batch, int instance, const EnclosedGraph& graph,
                             double xi) {
  inputs_on(batch, instance, graph, xi, 0.0);
  point_.clear();
  for (const Enclosure& input : inputs_) point_.push_back(input.middle);
}

// Boxes.
// ---------------------------------------------------------------------------------------------------

bool StepWatch::in_box(const WatchedBatch& batch, int instance, const Box& box) const {
  if (!box.known) return false;
  const std::vector<formula::Input>& inputs = batch.features->inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Interval x = enclosed_input(switches_->compiled(), batch.batch, instance, inputs[i],
                                      switches_->modes(), tube_, 0.0, 1.0)
                           .value;
    if (x.lo < box.inputs[i].lo || x.hi > box.inputs[i].hi) return false;
  }
  return true;
}

// Of the inputs of the whole step. Boxes grow while they hold and shrink while they do not; where
// none holds they are tried ever more seldom.
bool StepWatch::find_box(const WatchedBatch& batch, int b, int instance, Box& box) {
  constexpr double widest = 300.0, narrowest = 1.5, again = 1.05;
  constexpr int longest_pause = 63;
  box.known = false;
  if (box.wait > 0) {
    --box.wait;
    return false;
  }
  box.inputs.clear();
  for (const Enclosure& input : inputs_) {
    const Interval x = input.value;
    const double more = x.lo == x.hi ? 0.0 : (box.wider - 1.0) / 2 * x.width();
    box.inputs.push_back({x.lo - more, x.hi + more});
  }
  batch.features->ranges(box.inputs, all_);
  box.known = clean(batch, b, instance, *batch.features, true);
  if (box.known) {
    box.pause = 0;
    box.wider = std::min(2 * box.wider, box.widest);
    box.widest = std::min(again * box.widest, widest);
  } else if (box.wider > narrowest) {
    box.wider = box.widest = std::max(box.wider / 2, narrowest);
  } else {
    box.wait = box.pause = std::min(2 * box.pause + 1, longest_pause);
  }
  return box.known;
}

bool StepWatch::keeps_side(SwitchId s, Interval g) const {
  const double mode = switches_->mode(s);
  switch (switches_->decision(s).kind) {
    case Guard::Kind::positive:
      return mode != 0.0 ? g.lo > 0.0 : g.hi < 0.0;
    case Guard::Kind::sign:
      return mode > 0.0 ? g.lo > 0.0 : mode < 0.0 ? g.hi < 0.0 : g.lo == 0.0 && g.hi == 0.0;
    case Guard::Kind::floor:
      return g.lo > mode && g.hi < mode + 1.0;
  }
  return false;
}

// Zero belongs to both sides: the guard starts or ends there.
bool StepWatch::on_side(SwitchId s, double g) const {
  const double mode = switches_->mode(s);
  switch (switches_->decision(s).kind) {
    case Guard::Kind::positive:
      return mode != 0.0 ? g >= 0.0 : g <= 0.0;
    case Guard::Kind::sign:
      return mode > 0.0 ? g >= 0.0 : mode < 0.0 ? g <= 0.0 : g == 0.0;
    case Guard::Kind::floor:
      return g >= mode && g <= mode + 1.0;
  }
  return false;
}

/// All guards and, if `steep`, all steep nodes are settled by the ranges in all_.
bool StepWatch::clean(const WatchedBatch& batch, int b, int instance, const EnclosedGraph& graph,
                      bool steep) {
  for (std::size_t k = 0; k < batch.guards.size(); ++k) {
    const SwitchId s{b, instance, static_cast<int>(k)};
    const NodeId node = batch.guards[k].node;
    if (node == formula::no_node) continue;
    if (is_sliding(s)) continue;
    if (!keeps_side(s, all_[static_cast<std::size_t>(graph.place(node))].value)) return false;
  }
  if (!steep) return true;
  return std::all_of(batch.steep.begin(), batch.steep.end(),
                     [&](NodeId node) { return is_regular(graph, graph.place(node), all_); });
}

// The look.
// ------------------------------------------------------------------------------------------------

Status StepWatch::look(const Knot& begin, const Knot& end, StepInterior& interior, Finding& found) {
  found = {};
  found.t = end.state.t;
  const double h = end.state.t - begin.state.t;
  if (!(h > 0.0)) return Status::ok;
  if (const Status status = rough_tube(begin, end, interior, middle_, tube_); status != Status::ok)
    return status;
  bool sampled = false;
  const std::vector<WatchedBatch>& batches = switches_->batches();
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const WatchedBatch& batch = batches[b];
    for (int i = 0; i < batch.batch.instances; ++i) {
      if (!sampled) {
        Box& box = boxes_[b][static_cast<std::size_t>(i)];
        if (in_box(batch, i, box)) continue;
        inputs_on(batch, i, *batch.features, 0.0, 1.0);
        if (find_box(batch, static_cast<int>(b), i, box)) continue;
        batch.features->enclose(inputs_, h / 2, all_);
        if (clean(batch, static_cast<int>(b), i, *batch.features, true)) continue;
        // from here on the motion itself is looked at, and all that follows with it
        if (const Status status = tube_.sample(begin.state, end.state, interior);
            status != Status::ok)
          return status;
        sampled = true;
        speed_ = begin.state.v.cwiseAbs();
        if (!moved_.structure().mass_constant) {
          const Arguments at{.t = begin.state.t, .q = begin.state.q, .v = begin.state.v};
          if (const Status status = moved_.evaluate(need(Target::mass), at, ev_);
              status != Status::ok)
            return status;
          mass_ = ev_.M.diagonal();
        }
      }
      examine(batch, static_cast<int>(b), i, found);
    }
  }
  return Status::ok;
}

// From left to right; what is behind something that was found before does not count.
void StepWatch::examine(const WatchedBatch& batch, int b, int instance, Finding& found) {
  const EnclosedGraph& graph = *batch.whole;
  const double h = tube_.length();
  sampled_known_ = false;
  std::array<Piece, most_halvings + 4> stack;
  std::size_t open = 0;
  stack[open++] = Piece{};
  // where steep parts are not decided, switches still are
  bool guards_alone = false;
  Finding left;
  for (int pieces = 0; open > 0;) {
    const Piece piece = stack[--open];
    if (tube_.time(piece.c - piece.r) >= found.t) return;
    const double length = piece.r * h;
    inputs_on(batch, instance, graph, piece.c, piece.r);
    graph.enclose(inputs_, length / 2, all_);
    weighed_ = false;
    bool undecided = false;
    double root = 2.0;
    SwitchId crossing;
    for (std::size_t k = 0; k < batch.guards.size() && !undecided; ++k) {
      const SwitchId s{b, instance, static_cast<int>(k)};
      if (batch.guards[k].node == formula::no_node || is_sliding(s)) continue;
      double here = 2.0;
      switch (decide(batch, s, piece, here)) {
        case Answer::yes:
          break;
        case Answer::no:
          undecided = true;
          break;
        case Answer::crossed:
          if (here < root) {
            root = here;
            crossing = s;
          }
          break;
      }
    }
    bool steep = false;
    for (const NodeId node : batch.steep) {
      if (undecided || guards_alone) break;
      if (is_regular(graph, graph.place(node), all_)) {
        steep = true;
        continue;
      }
      if (!weighed_) weigh(batch, instance, piece.c);
      undecided = !negligible(batch, node, length);
    }
    if (undecided) {
      if (piece.depth >= most_halvings || ++pieces >= most_pieces) {
        left = {.kind = Finding::Kind::unresolved,
                .t = tube_.time(piece.c - piece.r),
                .length = length};
        if (guards_alone) break;
        ++undecided_;
        guards_alone = true;
        pieces = 0;
        open = 0;
        stack[open++] = Piece{};
        continue;
      }
      const double r = piece.r / 2;
      stack[open++] = {piece.c + r, r, piece.depth + 1};
      stack[open++] = {piece.c - r, r, piece.depth + 1};
      continue;
    }
    if (steep && piece.depth > 0 && !seen(batch, instance, piece)) {
      found = {
          .kind = Finding::Kind::unresolved, .t = tube_.time(piece.c - piece.r), .length = length};
      return;
    }
    if (root <= 1.0) {
      const double t = tube_.time(root);
      if (t < found.t || found.kind == Finding::Kind::nothing)
        found = {.kind = Finding::Kind::crossing,
                 .t = std::min(t, tube_.begin() + h),
                 .which = crossing,
                 .of_time = switches_->decision(crossing).of_time};
      return;
    }
  }
  if (left.kind != Finding::Kind::nothing && !nothing_shows(batch, b, instance)) found = left;
}

// Where enclosures do not decide: guards on their sides and effects as seen, at many points.
bool StepWatch::nothing_shows(const WatchedBatch& batch, int b, int instance) {
  constexpr int points = 64;
  for (int j = 0; j <= points; ++j) {
    const double xi = j < points ? (2.0 * j + 1.0) / points - 1.0 : 1.0;
    for (std::size_t k = 0; k < batch.guards.size(); ++k) {
      const SwitchId s{b, instance, static_cast<int>(k)};
      if (batch.guards[k].node == formula::no_node || is_sliding(s)) continue;
      if (!on_side(s, guard_at(batch, s, xi))) return false;
    }
    if (!seen(batch, instance, {.c = xi, .r = 1.0 / points, .depth = 1})) return false;
  }
  return true;
}

bool StepWatch::is_sliding(SwitchId s) const {
  const std::vector<Sliding>& sliding = switches_->sliding();
  return std::any_of(sliding.begin(), sliding.end(),
                     [&](const Sliding& one) { return one.which == s; });
}

// (1)
StepWatch::Answer StepWatch::decide(const WatchedBatch& batch, SwitchId s, const Piece& piece,
                                    double& root) {
  const Enclosure g =
      all_[static_cast<std::size_t>(batch.whole->place(switches_->decision(s).node))];
  if (keeps_side(s, g.value)) return Answer::yes;
  // across a pole a growing guard need not grow
  const bool monotone = !g.rate.contains(0.0) && std::isfinite(g.value.width());
  if (!monotone) {
    // a guard that stays where it is: resting on its zero
    if (g.value.lo == 0.0 && g.value.hi == 0.0) return Answer::yes;
    if (!weighed_) weigh(batch, s.instance, piece.c);
    const double length = piece.r * tube_.length();
    return change(batch, s) * length <= negligible_effect ? Answer::yes : Answer::no;
  }
  const double from = piece.c - piece.r, to = piece.c + piece.r;
  const bool grows = g.rate.lo > 0.0;
  const double first = guard_at(batch, s, from), last = guard_at(batch, s, to);
  // behind a crossing the guard starts at zero, but for rounding, and moves into its side
  if (on_side(s, last) && (on_side(s, first) || (from == -1.0 && enters(s, first, grows))))
    return Answer::yes;
  if (!on_side(s, first)) {
    root = from;
    return Answer::crossed;
  }
  root = locate(batch, s, from, to);
  return Answer::crossed;
}

// Whether a guard that grows, or falls, from about zero gets into its side.
bool StepWatch::enters(SwitchId s, double g, bool grows) const {
  const double mode = switches_->mode(s);
  if (switches_->decision(s).kind == Guard::Kind::floor)
    return grows ? std::abs(g - mode) < 0.5 : std::abs(g - mode - 1.0) < 0.5;
  return (mode > 0.0) == grows;
}

double StepWatch::guard_at(const WatchedBatch& batch, SwitchId s, double xi) {
  point_inputs(batch, s.instance, *batch.features, xi);
  batch.features->values(point_, values_);
  return values_[static_cast<std::size_t>(batch.features->place(switches_->decision(s).node))];
}

// The first place behind the crossing, to the resolution of t; the guard is monotone.
double StepWatch::locate(const WatchedBatch& batch, SwitchId s, double from, double to) {
  const double resolution = 2 * std::numeric_limits<double>::epsilon() *
                            (std::abs(tube_.begin()) + tube_.length()) / (tube_.length() / 2);
  while (to - from > resolution) {
    const double middle = from + (to - from) / 2;
    if (middle <= from || middle >= to) break;
    (on_side(s, guard_at(batch, s, middle)) ? from : to) = middle;
  }
  return to;
}

// Weights.
// ---------------------------------------------------------------------------------------------

// Of an effect: what a unit of it changes the velocities by, per second, in units of the tolerance.
double StepWatch::scale(const WatchedBatch& watched, const WatchedBatch::Effect& effect,
                        int instance) const {
  const Batch& batch = watched.batch;
  const std::size_t at =
      static_cast<std::size_t>(effect.row) * static_cast<std::size_t>(batch.instances) +
      static_cast<std::size_t>(instance);
  if (effect.target == Target::force) {
    const int i = batch.coordinates[at];
    return 1.0 / (mass_[i] * tolerance_ * (1.0 + speed_[i]));
  }
  double gradient = 0.0;
  for (const WatchedBatch::Effect& g : watched.gradients)
    if (g.row == effect.row)
      gradient = std::max(
          gradient, all_[static_cast<std::size_t>(watched.whole->place(g.node))].value.magnitude());
  if (!(gradient > 0.0)) return 0.0;
  if (effect.target == Target::constraint_curvature)
    return 1.0 / (gradient * tolerance_ * (1.0 + speed_.maxCoeff()));
  const double compliance =
      moved_.structure().rows[static_cast<std::size_t>(batch.rows[at])].compliance;
  return compliance > 0.0
             ? gradient / (compliance * mass_.minCoeff() * tolerance_ * (1.0 + speed_.maxCoeff()))
             : 0.0;
}

// On the piece where all_ was found.
void StepWatch::weigh(const WatchedBatch& batch, int instance, double /*c*/) {
  weighed_ = true;
  const EnclosedGraph& graph = *batch.whole;
  weight_.assign(graph.size(), 0.0);
  for (const WatchedBatch::Effect& effect : batch.effects)
    weight_[static_cast<std::size_t>(graph.place(effect.node))] += scale(batch, effect, instance);
  // a switch that another switch looks at is never small
  for (const WatchedBatch::Decision& guard : batch.guards)
    if (guard.reads_modes)
      weight_[static_cast<std::size_t>(graph.place(guard.node))] += 1.0 / tolerance_;
  graph.sensitivities(all_, weight_);
}

bool StepWatch::negligible(const WatchedBatch& batch, NodeId node, double length) const {
  const auto place = static_cast<std::size_t>(batch.whole->place(node));
  const double range = all_[place].value.width();
  const double weight = weight_[place];
  return weight == 0.0 || (std::isfinite(range) && weight * range * length <= negligible_effect);
}

// What a change of the mode would do, per second.
double StepWatch::change(const WatchedBatch& batch, SwitchId s) const {
  const int place = batch.whole->place(formula::Input{Slot::mode, s.guard});
  if (place < 0) return 0.0;
  const double jump = switches_->decision(s).kind == Guard::Kind::sign ? 2.0 : 1.0;
  return jump * weight_[static_cast<std::size_t>(place)];
}

// (4)
bool StepWatch::seen(const WatchedBatch& batch, int instance, const Piece& piece) {
  const EnclosedGraph& graph = *batch.whole;
  const auto count = static_cast<Index>(batch.effects.size());
  const auto effects_at = [&](double xi, auto&& keep) {
    point_inputs(batch, instance, graph, xi);
    graph.values(point_, values_);
    for (Index k = 0; k < count; ++k)
      keep(k, values_[static_cast<std::size_t>(
                  graph.place(batch.effects[static_cast<std::size_t>(k)].node))]);
  };
  if (!sampled_known_) {
    sampled_.resize(Tube::samples, count);
    for (int j = 0; j < Tube::samples; ++j)
      effects_at(Tube::sample_place(j), [&](Index k, double x) { sampled_(j, k) = x; });
    sampled_known_ = true;
  }
  const double length = piece.r * tube_.length();
  const double allowed = unseen_effect + unseen_effect_of_step * piece.r;
  bool all_seen = true;
  effects_at(piece.c, [&](Index k, double x) {
    const double missed = std::abs(x - Tube::interpolated(sampled_, k, piece.c));
    const double weight = scale(batch, batch.effects[static_cast<std::size_t>(k)], instance);
    all_seen &= weight == 0.0 || length * missed * weight <= allowed;
  });
  return all_seen;
}

}  // namespace taut
