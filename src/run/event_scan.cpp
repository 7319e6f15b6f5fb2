// SPDX-License-Identifier: BSD-3-Clause
#include "run/event_scan.hpp"

#include <algorithm>

#include "readings/base_of.hpp"

namespace taut {

using formula::Enclosure;
using formula::Interval;
using formula::Slot;

void EventScan::start(const System& reading) {
  events_.clear();
  batches_.clear();
  compiled_ = std::dynamic_pointer_cast<const CompiledSystem>(base_of(reading).shared());
  if (!compiled_) return;
  const std::vector<Observable>& observables = compiled_->structure().observables;
  const auto is_event = [&](int k) {
    return observables[static_cast<std::size_t>(k)].kind == Observable::Kind::event;
  };
  if (std::none_of(observables.begin(), observables.end(), [](const Observable& o) {
        return o.kind == Observable::Kind::event;
      }))
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
      const auto graph = std::make_shared<const formula::EnclosedGraph>(
          batch.formula.graph, std::span{&root.node, 1});
      for (int i = 0; i < batch.instances; ++i)
        events_.push_back({number(i), b, i, graph, graph->place(root.node)});
    }
  }
}

void EventScan::step(const Knot& begin, const Knot& end, StepInterior& interior) {
  begin_ = &begin;
  end_ = &end;
  interior_ = &interior;
  known_ = Known::nothing;
}

Status EventScan::know_roughly() {
  const State &begin = begin_->state, &end = end_->state;
  known_ = Known::roughly;
  if (begin_->a.size() > 0 && end_->a.size() > 0) {
    tube_.through(*begin_, *end_);
    return Status::ok;
  }
  if (const Status status = interior_->at(begin.t + (end.t - begin.t) / 2, middle_);
      status != Status::ok)
    return status;
  tube_.through(begin, end, middle_);
  return Status::ok;
}

Status EventScan::pieces(int event, bool& scanned, std::vector<Piece>& found) {
  found.clear();
  const auto known = std::find_if(events_.begin(), events_.end(),
                                  [event](const Event& e) { return e.observable == event; });
  scanned = known != events_.end() && end_->state.t > begin_->state.t;
  if (!scanned) return Status::ok;
  if (known_ == Known::nothing)
    if (const Status status = know_roughly(); status != Status::ok) return status;
  if (known_ == Known::roughly) {
    // most steps have nothing, or one crossing that their ends show
    enclose(*known, 0.0, 1.0);
    const Enclosure g = all_[static_cast<std::size_t>(known->place)];
    if (!g.value.contains(0.0)) return Status::ok;
    if (!g.rate.contains(0.0)) {
      found.push_back({begin_->state.t, end_->state.t});
      return Status::ok;
    }
    if (const Status status = tube_.sample(begin_->state, end_->state, *interior_);
        status != Status::ok)
      return status;
    known_ = Known::sampled;
  }
  budget_ = 400;
  split(*known, 0.0, 1.0, 0, found);
  return Status::ok;
}

void EventScan::split(const Event& event, double c, double r, int depth,
                      std::vector<Piece>& found) {
  constexpr int deepest = 20;
  enclose(event, c, r);
  const Enclosure g = all_[static_cast<std::size_t>(event.place)];
  if (!g.value.contains(0.0)) return;
  if (g.rate.contains(0.0) && depth < deepest && --budget_ > 0) {
    split(event, c - r / 2, r / 2, depth + 1, found);
    split(event, c + r / 2, r / 2, depth + 1, found);
    return;
  }
  const double first = at(event, c - r), last = at(event, c + r);
  if ((first < 0.0) == (last < 0.0) && first != 0.0 && last != 0.0) return;
  // the ends of the step as they are, not as they are after rounding
  const double begin = c - r <= -1.0 ? begin_->state.t : tube_.time(c - r);
  const double end = c + r >= 1.0 ? end_->state.t : tube_.time(c + r);
  // a zero at a border belongs to both pieces
  if (!found.empty() && found.back().end == begin && first == 0.0)
    found.back().end = end;
  else
    found.push_back({begin, end});
}

double EventScan::at(const Event& event, double xi) {
  enclose(event, xi, 0.0);
  return all_[static_cast<std::size_t>(event.place)].middle;
}

void EventScan::enclose(const Event& event, double c, double r) {
  inputs_.clear();
  for (const formula::Input& input : event.graph->inputs())
    inputs_.push_back(enclosed_input(*compiled_, batches_[event.batch], event.instance, input, {},
                                     tube_, c, r));
  event.graph->enclose(inputs_, r * tube_.length() / 2, all_);
}

}  // namespace taut
