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

namespace {

constexpr double widest_argument = 3.0;
constexpr double largest_ratio = 4.0;
constexpr double largest_ratio_of_powers = 20.0;
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
  // what stays as it is
  if (const Interval u = all[static_cast<std::size_t>(place)].value; u.lo == u.hi) return true;
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
  if (switches_ && switches_->knows_model()) contacts_.start(switches_->compiled());
  if (!any()) return;
  for (const WatchedBatch& batch : switches_->batches())
    boxes_.emplace_back(static_cast<std::size_t>(batch.batch.instances));
  moved_.prepare(ev_);
  reads_multipliers_ = moved_.structure().multipliers_in_forces;
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
    if (rests(batch, s)) continue;
    if (!keeps_side(s, all_[static_cast<std::size_t>(graph.place(node))].value)) return false;
  }
  if (!steep) return true;
  for (std::size_t k = 0; k < batch.steep.size(); ++k)
    if (!is_idle(batch.steep_idle_without[k], b, instance) &&
        !is_regular(graph, graph.place(batch.steep[k]), all_))
      return false;
  return true;
}

// The look.
// ------------------------------------------------------------------------------------------------

Status StepWatch::look(const Knot& begin, const Knot& end, StepInterior& interior, Finding& found) {
  found = {};
  found.t = end.state.t;
  entered_at_ = unknown;
  const double h = end.state.t - begin.state.t;
  if (!(h > 0.0)) return Status::ok;
  if (const Status status = rough_tube(begin, end, interior, middle_, tube_); status != Status::ok)
    return status;
  bool sampled = false;
  const auto sample = [&] {
    // from here on the motion itself is looked at
    if (sampled) return Status::ok;
    sampled = true;
    speed_ = begin.state.v.cwiseAbs();
    if (const Status status = tube_.sample(begin.state, end.state, interior); status != Status::ok)
      return status;
    if (reads_multipliers_)
      if (const Status status = multipliers_(moved_, tube_); status != Status::ok) return status;
    if (moved_.structure().mass_constant) return Status::ok;
    const Arguments at{.t = begin.state.t, .q = begin.state.q, .v = begin.state.v};
    const Status status = moved_.evaluate(need(Target::mass), at, ev_);
    if (status == Status::ok) mass_ = ev_.M.diagonal();
    return status;
  };
  const std::vector<WatchedBatch>& batches = switches_->batches();
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const WatchedBatch& batch = batches[b];
    for (int i = 0; i < batch.batch.instances; ++i) {
      Box& box = boxes_[b][static_cast<std::size_t>(i)];
      if (in_box(batch, i, box)) continue;
      inputs_on(batch, i, *batch.features, 0.0, 1.0);
      if (find_box(batch, static_cast<int>(b), i, box)) continue;
      batch.features->enclose(inputs_, h / 2, all_);
      if (clean(batch, static_cast<int>(b), i, *batch.features, true)) continue;
      if (const Status status = sample(); status != Status::ok) return status;
      examine(batch, static_cast<int>(b), i, found);
    }
  }
  if (!contacts_.any() || !contacts_.look(tube_).any) return Status::ok;
  if (const Status status = sample(); status != Status::ok) return status;
  if (const ContactWatch::Passed passed = contacts_.look(tube_); passed.any && passed.t < found.t)
    found = {.kind = Finding::Kind::unresolved, .t = passed.t, .length = passed.length};
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
  bool guards_alone = false, spoiled = false;
  Finding left;
  for (int pieces = 0; open > 0;) {
    const Piece piece = stack[--open];
    if (tube_.time(piece.c - piece.r) >= found.t) return;
    const double length = piece.r * h;
    inputs_on(batch, instance, graph, piece.c, piece.r);
    graph.enclose(inputs_, length / 2, all_);
    weighed_ = changes_known_ = false;
    bool undecided = false;
    double root = 2.0;
    SwitchId crossing;
    for (std::size_t k = 0; k < batch.guards.size() && !undecided; ++k) {
      const SwitchId s{b, instance, static_cast<int>(k)};
      if (rests(batch, s)) continue;
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
    for (std::size_t k = 0; k < batch.steep.size(); ++k) {
      if (undecided || guards_alone) break;
      const NodeId node = batch.steep[k];
      if (is_idle(batch.steep_idle_without[k], b, instance)) continue;
      if (is_regular(graph, graph.place(node), all_)) {
        steep = true;
        continue;
      }
      if (!weighed_) weigh(batch, instance, all_, weights_);
      weighed_ = true;
      undecided = !negligible(batch, node, length);
    }
    if (undecided) {
      if (piece.depth >= most_halvings || ++pieces >= most_pieces) {
        left = {.kind = Finding::Kind::unresolved,
                .t = tube_.time(piece.c - piece.r),
                .length = length};
        if (guards_alone) break;
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
      // a first half without anything short in it is as it is, though a short force behind it has
      // spoiled what it is compared with: that is found there
      const bool first_half = piece.depth == 1 && piece.c < 0.0;
      if (!first_half && (piece.depth > 1 || !spoiled)) {
        found = {.kind = Finding::Kind::unresolved,
                 .t = tube_.time(piece.c - piece.r),
                 .length = length};
        return;
      }
      spoiled = true;
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
  if (left.kind == Finding::Kind::nothing) return;
  if (!nothing_shows(batch, b, instance)) {
    found = left;
    return;
  }
  if (undecided_++ == 0) first_undecided_ = tube_.begin();
}

// (1)
StepWatch::Answer StepWatch::decide(const WatchedBatch& batch, SwitchId s, const Piece& piece,
                                    double& root) {
  const Enclosure g =
      all_[static_cast<std::size_t>(batch.whole->place(switches_->decision(s).node))];
  if (keeps_side(s, g.value)) return Answer::yes;
  double from = piece.c - piece.r;
  const double to = piece.c + piece.r;
  if (entering_ && *entering_ == s && has_entered(batch, s)) {
    if (to <= entered_at_) return Answer::yes;
    from = std::max(from, entered_at_);
  }
  // across a pole a growing guard need not grow
  const bool monotone = !g.rate.contains(0.0) && std::isfinite(g.value.width());
  if (!monotone) {
    // a guard that stays where it is: resting on its zero
    if (g.value.lo == g.value.hi && on_side(s, g.value.lo)) return Answer::yes;
    if (!changes_known_) weigh_changes(batch, s.batch, s.instance, piece);
    return is_negligible(change(batch, s), piece.r * tube_.length()) ? Answer::yes : Answer::no;
  }
  const bool grows = g.rate.lo > 0.0;
  const double first = guard_at(batch, s, from), last = guard_at(batch, s, to);
  // behind a crossing the guard starts at zero, but for rounding, and moves into its side
  const bool starts = on_side(s, first) || (from == -1.0 && enters(s, first, grows));
  if (on_side(s, last) && starts) return Answer::yes;
  if (!starts) {
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

// At places that double their distance from the begin of the step.
bool StepWatch::has_entered(const WatchedBatch& batch, SwitchId s) {
  constexpr double nearest = 1e-12, soon = 0.02;  // of half of the step
  if (entered_at_ != unknown) return entered_at_ < 1.0;
  entered_at_ = 1.0;
  const double known = 0.01 * tolerance_ * std::abs(guard_at(batch, s, 1.0));
  if (std::abs(guard_at(batch, s, -1.0)) > known) return false;
  bool entered = true;
  for (double way = soon; way > nearest; way /= 2.0) {
    const double g = guard_at(batch, s, -1.0 + way);
    entered = entered && on_side(s, g);
    if (entered)
      entered_at_ = -1.0 + way;
    else if (!on_side(s, g) && std::abs(g) > known)
      entered_at_ = 1.0;
    if (entered_at_ == 1.0) return false;
  }
  return true;
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
    const double weight = scale(batch, batch.effects[static_cast<std::size_t>(k)], instance, all_);
    all_seen &= weight == 0.0 || length * missed * weight <= allowed;
  });
  return all_seen;
}

}  // namespace taut
