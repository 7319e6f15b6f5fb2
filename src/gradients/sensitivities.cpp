// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/sensitivities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "gradients/acting_crossing.hpp"
#include "gradients/linearised_flow.hpp"
#include "gradients/start_tangent.hpp"
#include "gradients/stiff_flow.hpp"
#include "gradients/switch_sides.hpp"
#include "methods/dormand_prince.hpp"
#include "readings/readings.hpp"
#include "readings/turns.hpp"

namespace taut {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// An instant that is asked for: a row, or an event.
struct Asked {
  double t = 0.0;
  std::size_t number = 0;
  bool event = false;
  bool behind = false;  ///< a row behind what has happened at its time
};

class Differentiation {
 public:
  Differentiation(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
                  const WideSystem& wide, std::vector<int> column_of)
      : motion_{motion}, by_{by}, wide_{wide} {
    turns_.want();
    plain_ = counting_turns(springs(equations(motion.system)), turns_);
    for (const Variable& variable : by) result_.names.push_back(variable.name);
    static_cast<void>(forces_.start(wide, plain_, column_of));
    forces_.know(motion.tol, motion.until - motion.start.state.t);
    // errors of derivatives follow from those of the motion
    if (motion.stiff)
      stiff_.emplace(wide, counting_turns(equations(motion.system), turns_), std::move(column_of),
                     0.1 * motion.tol);
    if (wide.quantities()) wide.quantities()->prepare(shown_);
    make_rows();
  }

  Sensitivities run() {
    result_.method = stiff_ ? Radau::info.name : DormandPrince853::info.name;
    result_.status = integrate();
    if (result_.status == Status::ok)
      result_.message = touched_;
    else if (result_.message.empty())
      result_.message =
          fmt::format("derivatives end at t = {:.6g}: {}", state_.t, sentence(result_.status));
    return std::move(result_);
  }

 private:
  void make_rows() {
    const auto m = static_cast<Index>(by_.size());
    const Index nq = wide_.nq();
    const auto rows = static_cast<Index>(wide_.system().structure().rows.size());
    const Index shown = wide_.quantities()
                            ? static_cast<Index>(wide_.quantities()->structure().observables.size())
                            : 0;
    SensitivityRow none;
    none.q = none.v = none.a = Mat::Constant(nq, m, nan);
    none.lambda = Mat::Constant(rows, m, nan);
    none.quantity = Mat::Constant(shown, m, nan);
    result_.end = none;
    result_.rows.assign(motion_.rows.size(), none);
    for (std::size_t i = 0; i < motion_.rows.size(); ++i) {
      result_.rows[i].t = motion_.rows[i];
      asked_.push_back(
          {motion_.rows[i], i, false, i > 0 && motion_.rows[i - 1] == motion_.rows[i]});
    }
    for (std::size_t i = 0; i < motion_.events.size(); ++i) {
      result_.events.push_back({.name = motion_.events[i].name,
                                .t = motion_.events[i].state.t,
                                .time = Vec::Constant(m, nan),
                                .q = none.q,
                                .v = none.v});
      asked_.push_back({motion_.events[i].state.t, i, true});
    }
    std::stable_sort(asked_.begin(), asked_.end(), [](const Asked& a, const Asked& b) {
      return a.t < b.t || (a.t == b.t && a.behind < b.behind);
    });
  }

  Status refuse(std::string why) {
    result_.message = std::move(why);
    return Status::not_supported;
  }

  Status integrate() {
    state_ = motion_.start.state;
    std::string why;
    if (const Status status = turn(); status != Status::ok) return status;
    if (const Status status = start_tangent(motion_, by_, wide_, forces_, columns_, why);
        status != Status::ok) {
      result_.message = why;
      return status;
    }
    if (stiff_) return follow_stiff();
    SwitchSides sides{wide_, forces_};
    if (const Status status = sides.begin(state_, why); status != Status::ok) {
      result_.message = why;
      return status;
    }
    const auto flow = std::make_shared<const LinearisedFlow>(forces_, plain_);
    flow_ = System{flow};
    ActingCrossing crossing{motion_.model, wide_, forces_, sides};
    for (const MotionBreak& at : breaks_of(motion_)) {
      if (at.t <= state_.t && at.event == nullptr) continue;
      if (const Status status = follow(*flow, sides, at.t); status != Status::ok) return status;
      Saltation saltation;
      if (const Status status = crossing.cross(at, state_, saltation, why); status != Status::ok)
        return why.empty() ? status : refuse(why);
      Mat x;
      forces_.widen(columns_.q, x);
      saltation.apply(x, columns_);
    }
    if (const Status status = follow(*flow, sides, motion_.until); status != Status::ok)
      return status;
    return measure(state_, columns_, result_.end);
  }

  Status follow_stiff() {
    if (std::string why = stiff_->refusal(); !why.empty()) return refuse(std::move(why));
    if (const Status status = stiff_->begin(state_, columns_); status != Status::ok) return status;
    SwitchSides sides{wide_, forces_};
    std::string why;
    if (const Status status = sides.begin(state_, why); status != Status::ok)
      return why.empty() ? status : refuse(std::move(why));
    const auto inside = [&](double t, State& at, Tangent& by) { return stiff_->at(t, at, by); };
    std::size_t change = 0;
    for (;;) {
      while (change < motion_.changes.size() && motion_.changes[change].t <= state_.t) ++change;
      const bool last =
          change == motion_.changes.size() || motion_.changes[change].t >= motion_.until;
      const double to = last ? motion_.until : motion_.changes[change].t;
      if (const Status status = answer(state_.t, inside, true); status != Status::ok) return status;
      sides.stand(state_);
      while (state_.t < to) {
        if (const Status status = stiff_->advance(to, state_, columns_); status != Status::ok)
          return status;
        const auto between = [&](double t, State& at) {
          Tangent ignored;
          return stiff_->at(t, at, ignored);
        };
        double known = state_.t;
        const bool ends = sides.grazes(state_, between, known, why);
        if (const Status status = answer(known, inside); status != Status::ok) return status;
        if (ends) return refuse(std::move(why));
        if (const Status status = turn(); status != Status::ok) return status;
      }
      if (last) break;
      if (const Status status = cross_stiff(motion_.changes[change], sides); status != Status::ok)
        return status;
    }
    return measure(state_, columns_, result_.end);
  }

  Status cross_stiff(const SideChange& at, SwitchSides& sides) {
    std::string why;
    if (at.slides || at.impact)
      why = at.impact ? "where constraints are switched" : "where a switch begins to slide";
    Saltation crossing;
    if (why.empty())
      if (std::string more; sides.cross(state_, crossing, more) != Status::ok) return refuse(more);
    if (why.empty() && crossing.any()) why = stiff_->refusal_of_jumps();
    if (!why.empty()) return refuse(fmt::format("derivatives end at t = {:.6g}, {}", at.t, why));
    Mat x;
    forces_.widen(columns_.q, x);
    crossing.apply(x, columns_);
    return stiff_->go_on(state_, columns_);
  }

  Status follow(const LinearisedFlow& flow, SwitchSides& sides, double to) {
    DormandPrince853 method{{.tol = motion_.tol}};
    State joined = flow.joined(state_, columns_);
    if (const Status status = method.start(flow_, joined); status != Status::ok) return status;
    // asked for where the segment begins
    const auto here = [&](double /*t*/, State& state, Tangent& columns) {
      flow.split(joined, state, columns);
      return Status::ok;
    };
    if (const Status status = answer(state_.t, here, true); status != Status::ok) return status;
    sides.stand(state_);
    const auto inside = [&](double t, State& state, Tangent& columns) {
      State at;
      const Status status = method.interpolate(flow_, t, at);
      if (status == Status::ok) flow.split(at, state, columns);
      return status;
    };
    while (joined.t < to) {
      if (const Status status = method.advance(flow_, to, joined); status != Status::ok)
        return status;
      flow.split(joined, state_, columns_);
      std::string why;
      const auto between = [&](double t, State& at) {
        Tangent ignored;
        return inside(t, at, ignored);
      };
      double known = state_.t;
      const bool ends = sides.grazes(state_, between, known, why);
      if (!ends && joined.t < to && !sides.still_hold(state_, why)) return refuse(std::move(why));
      if (const Status status = answer(known, inside); status != Status::ok) return status;
      if (ends) return refuse(std::move(why));
      if (const Status status = turn(); status != Status::ok) return status;
    }
    return Status::ok;
  }

  /// Joints remember how far they have turned by the end of a step.
  Status turn() {
    if (!turns_.any()) return Status::ok;
    double excess = 0.0;
    if (turned_)
      if (const Status status = turns_.excess(state_, excess); status != Status::ok) return status;
    if (excess > 1.0)
      return refuse(fmt::format(
          "derivatives end at t = {:.6g}: '{}' turns so fast that its turns are lost between two "
          "steps (take a smaller tolerance)",
          state_.t, turns_.fastest()));
    turned_ = true;
    const Status status = turns_.follow(state_);
    wide_.turns() = *turns_.remembered();
    return status;
  }

  /// All that is asked for up to t.
  Status answer(double t, const auto& inside, bool here = false) {
    if (motion_.cancel != nullptr && motion_.cancel->load(std::memory_order_relaxed))
      return Status::cancelled;
    State state;
    Tangent columns;
    for (; next_ < asked_.size() && asked_[next_].t <= t; ++next_) {
      const Asked& asked = asked_[next_];
      if (asked.behind && asked.t == t && !here) break;
      if (const Status status = inside(asked.t, state, columns); status != Status::ok)
        return status;
      const Status status = asked.event
                                ? measure_event(state, columns, result_.events[asked.number])
                                : measure(state, columns, result_.rows[asked.number]);
      if (status != Status::ok) return status;
    }
    return Status::ok;
  }

  Status measure(const State& state, const Tangent& columns, SensitivityRow& row) {
    Vec lambda, a;
    if (stiff_) {
      // all rows are equations, in their order
      if (const Status status = stiff_->loads(state, columns, a, lambda, row.a, row.lambda);
          status != Status::ok)
        return status;
    } else {
      if (const Status status = forces_.forces(state.t, state.q, state.v); status != Status::ok)
        return status;
      if (const Status status = forces_.linearise(); status != Status::ok) return status;
      Mat lambda_rate;
      forces_.rates(columns, row.a, lambda_rate);
      if (const Status status = forces_.all_multipliers(columns, lambda_rate, lambda, row.lambda);
          status != Status::ok)
        return status;
      if (!forces_.kkt().dependent().empty()) row.lambda.setConstant(nan);  // not one, but many
      a = forces_.a();
    }
    row.t = state.t;
    row.q = columns.q;
    row.v = columns.v;
    return wide_.quantities() ? measure_quantities(state, a, columns, lambda, row) : Status::ok;
  }

  Status measure_quantities(const State& state, const Vec& a, const Tangent& columns,
                            const Vec& lambda, SensitivityRow& row) {
    const System& quantities = *wide_.quantities();
    const Index nq = wide_.nq(), all = quantities.nq(), ne = wide_.ne(), m = columns.q.cols();
    Vec at = Vec::Zero(all), rate = Vec::Zero(all);
    at.head(nq) = state.q;
    at.segment(nq + ne, nq) = a;
    at.tail(lambda.size()) = lambda;
    rate.head(nq) = state.v;
    if (const Status status = quantities.evaluate(needs(Target::observable_q, Target::observable_v),
                                                  {.t = state.t, .q = at, .v = rate}, shown_);
        status != Status::ok)
      return status;
    Mat x(all, m), x_rate = Mat::Zero(all, m), x_wide;
    forces_.widen(columns.q, x_wide);
    x << x_wide, row.a, row.lambda;
    x_rate.topRows(nq) = columns.v;
    // what does not read multipliers has derivatives where they have none
    if (row.lambda.hasNaN()) {
      row.quantity.resize(shown_.observable_q.rows(), m);
      for (Index k = 0; k < row.quantity.rows(); ++k) {
        row.quantity.row(k).setZero();
        for (Sparse::InnerIterator it{shown_.observable_q, k}; it; ++it)
          if (it.value() != 0.0) row.quantity.row(k) += it.value() * x.row(it.col());
        for (Sparse::InnerIterator it{shown_.observable_v, k}; it; ++it)
          row.quantity.row(k) += it.value() * x_rate.row(it.col());
      }
      return Status::ok;
    }
    row.quantity = shown_.observable_q * x + shown_.observable_v * x_rate;
    return Status::ok;
  }

  Status measure_event(const State& state, const Tangent& columns, EventSensitivity& event) {
    Vec a = Vec::Zero(wide_.nq()), lambda;
    Mat a_by, lambda_by;
    const Status known = stiff_ ? stiff_->loads(state, columns, a, lambda, a_by, lambda_by)
                                : forces_.forces(state.t, state.q, state.v);
    if (known != Status::ok) return known;
    if (stiff_) forces_.place(state.t, state.q, state.v, a);
    if (const Status status = forces_.observe(); status != Status::ok) return status;
    const auto& observables = wide_.system().structure().observables;
    const auto model_has = wide_.first_of_rows();
    for (Index k = 0; k < model_has; ++k) {
      const Observable& one = observables[static_cast<std::size_t>(k)];
      if (one.kind != Observable::Kind::event || one.name != event.name) continue;
      const double rate = forces_.observable_rate(k);
      const Vec slopes = forces_.observable_slopes(k, columns);
      event.time = -slopes / rate;
      bool touched = false;
      if (const Status status = forces_.touches(k, touched); status != Status::ok) return status;
      if (touched || !event.time.allFinite()) {
        event.time.setConstant(nan);
        if (!touched_.empty()) touched_ += "; ";
        touched_ += fmt::format(
            "the event '{}' at t = {:.6g} is touched, not crossed: its time has no derivative",
            event.name, event.t);
      }
      event.q = columns.q + state.v * event.time.transpose();
      event.v = columns.v + forces_.a() * event.time.transpose();
      break;
    }
    return Status::ok;
  }

  const MotionToDifferentiate& motion_;
  const std::vector<Variable>& by_;
  const WideSystem& wide_;
  Turns turns_;
  bool turned_ = false;  // somewhere that turns are counted from
  System plain_, flow_;
  LinearisedForces forces_;
  std::optional<StiffFlow> stiff_;
  Evaluation shown_;
  Sensitivities result_;
  std::vector<Asked> asked_;
  std::size_t next_ = 0;
  State state_;
  Tangent columns_;
  std::string touched_;  // events whose times have no derivatives, in words
};

}  // namespace

std::vector<Variable> variables(const std::vector<std::string>& names, const CompiledModel& model,
                                Problems& problems) {
  using enum Variable::Kind;
  std::vector<Variable> result;
  const Structure& structure = model.system.structure();
  const auto index_in = [](const auto& list, const auto& is) {
    const auto found = std::find_if(list.begin(), list.end(), is);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  };
  const std::vector<std::string> places = structure.place_names();
  std::vector<std::string> known{model.parameter_names().begin(), model.parameter_names().end()};
  for (const SystemInput& input : structure.inputs) known.push_back(input.name);
  for (const auto* list : {&places, &structure.velocities})
    for (const std::string& name : *list) known.push_back(fmt::format("start({})", name));
  for (const std::string& name : names) {
    if (name == "start") {
      for (std::size_t i = 0; i < places.size(); ++i)
        result.push_back({fmt::format("start({})", places[i]), start_q, static_cast<int>(i)});
      for (std::size_t i = 0; i < structure.velocities.size(); ++i)
        result.push_back(
            {fmt::format("start({})", structure.velocities[i]), start_v, static_cast<int>(i)});
      continue;
    }
    int at = model.parameter_index(name);
    if (at >= 0) {
      result.push_back({name, parameter, at});
      continue;
    }
    at = index_in(structure.inputs, [&](const SystemInput& input) { return input.name == name; });
    if (at >= 0) {
      result.push_back({name, input, at});
      continue;
    }
    const auto is = [&](const std::string& one) { return fmt::format("start({})", one) == name; };
    at = index_in(places, is);
    if (at >= 0) {
      result.push_back({name, start_q, at});
      continue;
    }
    at = index_in(structure.velocities, is);
    if (at >= 0) {
      result.push_back({name, start_v, at});
      continue;
    }
    const std::string near = nearest_name(name, known);
    problems.add({}, fmt::format("sensitivity to {}", name),
                 "there is no parameter, input or start value of this name",
                 near.empty() ? "start values are called start(NAME)"
                              : fmt::format("did you mean '{}'?", near));
  }
  for (std::size_t i = 0; i < result.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (result[i].name == result[k].name) {
        problems.add({}, fmt::format("sensitivity to {}", result[i].name), "is asked for twice",
                     "name it once");
        return result;
      }
  return result;
}

WideColumns wide_columns(const std::vector<Variable>& by) {
  WideColumns result;
  for (const Variable& variable : by)
    if (variable.kind == Variable::Kind::parameter) result.parameters.push_back(variable.index);
  for (const Variable& variable : by)
    if (variable.kind == Variable::Kind::input) result.inputs.push_back(variable.index);
  int next_parameter = 0, next_input = static_cast<int>(result.parameters.size());
  for (const Variable& variable : by)
    result.column_of.push_back(variable.kind == Variable::Kind::parameter ? next_parameter++
                               : variable.kind == Variable::Kind::input   ? next_input++
                                                                          : -1);
  return result;
}

void check_rigid(const WideSystem& wide, Problems& problems) {
  const Structure& structure = wide.system().structure();
  for (std::size_t r = 0; r < structure.rows.size(); ++r) {
    if (structure.rows[r].compliance > 0.0) continue;
    for (const Vec& slope : wide.directions().compliance)
      if (slope[static_cast<Index>(r)] != 0.0) {
        problems.add({}, structure.rows[r].name,
                     "is rigid: the motion of a rigid constraint has no derivative by its "
                     "compliance that is found here",
                     "give it a compliance above 0");
        return;
      }
  }
}

Sensitivities differentiate(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
                            Problems& problems) {
  WideColumns columns = wide_columns(by);
  const WideSystem wide{motion.model, columns.parameters, columns.inputs, problems};
  if (problems.empty()) check_rigid(wide, problems);
  if (!problems.empty()) return {};
  return Differentiation{motion, by, wide, std::move(columns.column_of)}.run();
}

}  // namespace taut
