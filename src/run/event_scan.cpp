// SPDX-License-Identifier: BSD-3-Clause
#include "run/event_scan.hpp"

#include <algorithm>
#include <cmath>

#include "readings/base_of.hpp"

namespace taut {

using formula::Enclosure;
using formula::Interval;
using formula::Slot;

namespace {

// across a pole a value that grows need not grow
bool is_monotone(const Enclosure& g) {
  return !g.rate.contains(0.0) && std::isfinite(g.value.width());
}

}  // namespace

void EventScan::start(const System& reading, const System& with_springs,
                      const std::vector<EventFunction>& functions) {
  events_.clear();
  batches_.clear();
  reads_multipliers_ = false;
  has_functions_ = !functions.empty();
  moved_ = with_springs;
  compiled_ =
      std::dynamic_pointer_cast<const CompiledSystem>(without_forces(base_of(reading)).shared());
  if (!compiled_) return;
  const std::vector<Observable>& observables = compiled_->structure().observables;
  const auto is_event = [&](int k) {
    return observables[static_cast<std::size_t>(k)].kind == Observable::Kind::event;
  };
  const auto is_function = [&](int k) {
    const std::string& name = observables[static_cast<std::size_t>(k)].name;
    return std::any_of(functions.begin(), functions.end(),
                       [&](const EventFunction& function) { return function.event == name; });
  };
  if (std::none_of(observables.begin(), observables.end(),
                   [](const Observable& o) { return o.kind == Observable::Kind::event; }))
    return;
  batches_ = compiled_->batches();
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    const Batch& batch = batches_[b];
    for (const formula::Root& root : batch.formula.roots) {
      if (root.role != formula::Role::observable) continue;
      const auto number = [&](int i) {
        return batch.observables[static_cast<std::size_t>(root.target * batch.instances + i)];
      };
      if (!is_event(number(0))) continue;
      const bool of_multipliers = batch.formula.graph.depends_on(root.node, Slot::mu);
      reads_multipliers_ = reads_multipliers_ || of_multipliers;
      const auto graph = std::make_shared<const formula::EnclosedGraph>(batch.formula.graph,
                                                                        std::span{&root.node, 1});
      for (int i = 0; i < batch.instances; ++i)
        if (!is_function(number(i)))
          events_.push_back({number(i), b, i, graph, graph->place(root.node), of_multipliers});
    }
  }
}

void EventScan::step(const Knot& begin, const Knot& end, StepInterior& interior) {
  begin_ = &begin;
  end_ = &end;
  interior_ = &interior;
  known_ = Known::nothing;
}

Status EventScan::look_roughly() {
  if (known_ != Known::nothing) return Status::ok;
  known_ = Known::roughly;
  return rough_tube(*begin_, *end_, *interior_, middle_, tube_);
}

Status EventScan::look_closely(bool multipliers) {
  if (known_ == Known::roughly)
    if (const Status status = tube_.sample(begin_->state, end_->state, *interior_);
        status != Status::ok)
      return status;
  if (known_ == Known::roughly) known_ = Known::sampled;
  if (!multipliers || known_ == Known::with_multipliers) return Status::ok;
  if (const Status status = multipliers_(moved_, tube_); status != Status::ok) return status;
  known_ = Known::with_multipliers;
  return Status::ok;
}

Status EventScan::may_cross(bool& may) {
  may = events_.empty() || reads_multipliers_ || has_functions_;
  if (may || !(end_->state.t > begin_->state.t)) return Status::ok;
  if (const Status status = look_roughly(); status != Status::ok) return status;
  may = std::any_of(events_.begin(), events_.end(), [this](const Event& event) {
    enclose(event, 0.0, 1.0);
    return all_[static_cast<std::size_t>(event.place)].value.contains(0.0);
  });
  return Status::ok;
}

Status EventScan::scan(int event, bool& scanned) {
  found_.clear();
  const auto known = std::find_if(events_.begin(), events_.end(),
                                  [event](const Event& e) { return e.observable == event; });
  scanned = known != events_.end() && end_->state.t > begin_->state.t;
  if (!scanned) return Status::ok;
  if (const Status status = look_roughly(); status != Status::ok) return status;
  if (known->of_multipliers) {
    // where there are none inside, the ends are all that is known
    scanned = look_closely(true) == Status::ok;
    if (!scanned) return Status::ok;
  }
  if (known_ == Known::roughly) {
    // most steps have nothing, or one crossing that their ends show
    enclose(*known, 0.0, 1.0);
    const Enclosure g = all_[static_cast<std::size_t>(known->place)];
    if (!g.value.contains(0.0)) return Status::ok;
    if (is_monotone(g)) {
      found_.push_back({begin_->state.t, end_->state.t});
      return Status::ok;
    }
    if (const Status status = look_closely(false); status != Status::ok) return status;
  }
  budget_ = 400;
  split(*known, 0.0, 1.0, 0);
  return Status::ok;
}

void EventScan::split(const Event& event, double c, double r, int depth) {
  constexpr int deepest = 20;
  enclose(event, c, r);
  const Enclosure g = all_[static_cast<std::size_t>(event.place)];
  if (!g.value.contains(0.0)) return;
  if (!is_monotone(g) && depth < deepest && --budget_ > 0) {
    split(event, c - r / 2, r / 2, depth + 1);
    split(event, c + r / 2, r / 2, depth + 1);
    return;
  }
  const double first = at(event, c - r), last = at(event, c + r);
  if ((first < 0.0) == (last < 0.0) && first != 0.0 && last != 0.0) return;
  // the ends of the step as they are, not as they are after rounding
  const double begin = c - r <= -1.0 ? begin_->state.t : tube_.time(c - r);
  const double end = c + r >= 1.0 ? end_->state.t : tube_.time(c + r);
  // a zero at a border belongs to both pieces
  if (!found_.empty() && found_.back().end == begin && first == 0.0)
    found_.back().end = end;
  else
    found_.push_back({begin, end});
}

double EventScan::at(const Event& event, double xi) {
  enclose(event, xi, 0.0);
  return all_[static_cast<std::size_t>(event.place)].middle;
}

void EventScan::enclose(const Event& event, double c, double r) {
  inputs_.clear();
  for (const formula::Input& input : event.graph->inputs())
    inputs_.push_back(
        enclosed_input(*compiled_, batches_[event.batch], event.instance, input, {}, tube_, c, r));
  event.graph->enclose(inputs_, r * tube_.length() / 2, all_);
}

}  // namespace taut
