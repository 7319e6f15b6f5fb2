// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "gradients/acting_crossing.hpp"
#include "gradients/adjoint_run.hpp"
#include "gradients/adjoint_stiff.hpp"
#include "gradients/linearised_flow.hpp"
#include "gradients/smooth_recorder.hpp"
#include "methods/dormand_prince.hpp"

namespace taut {
namespace {

/// Forwards and backwards by dop853, with the equations of AdjointFlow.
class SmoothAdjoint final : public AdjointRun {
 public:
  SmoothAdjoint(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
                const WideSystem& wide, std::vector<int> column_of, const AdjointWanted& wanted,
                Gradient& result)
      : AdjointRun{motion, by, wide, std::move(column_of), wanted, result},
        tol_{0.1 * motion.tol},
        method_{{.tol = motion.tol}} {}

  Status run() override {
    // of a system that switches the sides are those of `forces_`
    System moved = plain_;
    if (!wide_.switches().empty())
      moved = System{std::make_shared<const LinearisedFlow>(forces_, plain_)};
    recorder_.emplace(forces_, wide_.modes(), moved, tol_);
    tape_.emplace(*recorder_, wanted_.memory);
    std::vector<std::vector<MeasuredDensity>> densities;
    for (const AdjointMeasure& one : measures_) {
      densities.emplace_back();
      if (has_density(one.of)) densities.back().push_back({one.number, one.of == Of::rms});
    }
    flow_ = std::make_shared<AdjointFlow>(forces_, numbers_, *tape_, wide_.modes(), densities);
    if (const Status status = record(); status != Status::ok) return status;
    if (const Status status = check_end(end_); status != Status::ok) return status;
    find_impulses(end_.t);
    Covectors at_start;
    if (const Status status = go_back(at_start); status != Status::ok) return status;
    result_.repeated = tape_->repeated();
    wide_.modes() = tape_->parts().front().modes;
    return finish(at_start);
  }

 private:
  // the motion, with what of it is asked for
  Status record() {
    State state = motion_.start.state;
    if (const Status status = forces_.forces(state.t, state.q, state.v); status != Status::ok)
      return status;
    if (numbers_.read_loads() && !forces_.kkt().dependent().empty())
      return refuse("multipliers of constraints that depend on each other have no derivatives");
    SwitchSides sides{wide_, forces_};
    std::string why;
    if (const Status status = sides.begin(state, why); status != Status::ok)
      return why.empty() ? status : refuse(why);
    sensitivity_ = Vec::Zero(m_);
    ActingCrossing crossing{motion_.model, wide_, forces_, sides};
    const std::vector<MotionBreak> breaks = breaks_of(motion_);
    if (!breaks.empty() && breaks.back().t == motion_.until)
      return refuse(
          fmt::format("the event '{}' changes the motion where it ends: there is no gradient",
                      breaks.back().event->name));
    const auto see = [&](const MotionPiece& piece, const State& end) {
      Status status = look_at(piece);
      if (status == Status::ok) status = find_sizes(end);
      if (status != Status::ok) return status;
      const auto inside = [&](double t, State& between) {
        SmoothRecorder::at(piece, t, between);
        return Status::ok;
      };
      double touched = 0.0;
      if (sides.grazes(end, inside, touched, why) ||
          (end.t < part_end_ && !sides.still_hold(end, why))) {
        result_.message = why;
        return Status::not_supported;
      }
      return status;
    };
    for (std::size_t next = 0; next <= breaks.size(); ++next) {
      if (next < breaks.size() && breaks[next].t <= state.t) {
        if (breaks[next].event == nullptr) continue;
        return refuse("an event changes the motion at once: there is no gradient");
      }
      flow_->enter(tape_->parts().size());
      part_end_ = next < breaks.size() ? breaks[next].t : motion_.until;
      sides.stand(state);
      const MotionTape::Part part{
          .from = state, .until = part_end_, .modes = wide_.modes(), .stops = {}};
      if (const Status status = tape_->record(part, state, see); status != Status::ok) {
        if (result_.message.empty())
          result_.message =
              fmt::format("the motion ends at t = {:.6g}: {}", state.t, sentence(status));
        return status;
      }
      if (next == breaks.size()) break;
      if (const Status status = crossing.cross(breaks[next], state, crossings_.emplace_back(), why);
          status != Status::ok)
        return why.empty() ? status : refuse(why);
    }
    end_ = state;
    result_.steps = tape_->steps();
    return Status::ok;
  }

  Status find_sizes(const State& end) {
    // how much the numbers change by what is integrated: scales of covectors
    const std::size_t step = looks_++;
    if ((step & (step - 1)) != 0 && step % 64 != 0) return Status::ok;
    Covectors at = nothing();
    Mat weights = Mat::Zero(numbers_.count(), m_);
    for (Index j = 0; j < m_; ++j) {
      const AdjointMeasure& one = measures_[static_cast<std::size_t>(j)];
      if (one.number >= 0) weights(one.number, j) = 1.0;
      for (const AdjointMeasure::Datum& datum : one.data) weights(datum.number, j) = 1.0;
    }
    if (const Status status = flow_->pull_back(end, weights, at); status != Status::ok)
      return status;
    for (Index j = 0; j < m_; ++j)
      sensitivity_[j] =
          std::max({sensitivity_[j], at.xi.col(j).head(wide_.nq()).norm(), at.eta.col(j).norm()});
    return Status::ok;
  }

  Status numbers_in(const MotionPiece& piece, double t, Vec& x) override {
    State state;
    SmoothRecorder::at(piece, t, state);
    return flow_->values(state, x);
  }

  void find_scales() {
    Vec of_measures = Vec::Ones(m_);
    const double length = std::max(end_.t - motion_.start.state.t, 1e-300);
    for (Index j = 0; j < m_; ++j) {
      const AdjointMeasure& one = measures_[static_cast<std::size_t>(j)];
      double size = sensitivity_[j];
      if (has_density(one.of)) size *= length;
      if (one.of == Of::rms) size *= 2 * largest_[static_cast<std::size_t>(j)];
      if (one.of == Of::squares) size *= residuals_[static_cast<std::size_t>(j)];
      if (size > 0.0 && std::isfinite(size)) of_measures[j] = 1.0 / size;
    }
    flow_->scale(of_measures, wanted_.scale_of_e);
  }

  Status go_back(Covectors& at) {
    find_scales();
    at = nothing();
    std::size_t next = 0;
    const System backwards{flow_};
    double t = end_.t;
    for (std::size_t part = tape_->parts().size(); part-- > 0;) {
      flow_->enter(part);
      const double begin = tape_->parts()[part].from.t;
      if (part + 1 < tape_->parts().size()) crossings_[part].pull_back(at.xi, at.eta);
      for (bool done = false; !done;) {
        for (; next < impulses_.size() && impulses_[next].t >= t; ++next)
          if (const Status status = add(impulses_[next], t, at); status != Status::ok)
            return status;
        const double to = next < impulses_.size() ? std::max(begin, impulses_[next].t) : begin;
        done = to == begin;
        if (to < t)
          if (const Status status = integrate(backwards, to, t, at); status != Status::ok) {
            if (result_.message.empty())
              result_.message =
                  fmt::format("the adjoint ends at t = {:.6g}: {}", t, sentence(status));
            return status;
          }
      }
    }
    for (; next < impulses_.size(); ++next)
      if (const Status status = add(impulses_[next], t, at); status != Status::ok) return status;
    return Status::ok;
  }

  Status integrate(const System& backwards, double to, double& t, Covectors& at) {
    State joined = flow_->joined(t, at);
    // what came at once may be normal to the constraints
    Evaluation scratch;
    if (backwards.structure().has_manifold)
      if (const Status status = backwards.project(joined, scratch); status != Status::ok)
        return status;
    if (const Status status =
            goes_back_ ? method_.restart(backwards, joined) : method_.start(backwards, joined);
        status != Status::ok)
      return status;
    goes_back_ = true;
    if (const Status status = draw(joined); status != Status::ok) return status;
    while (joined.t < -to) {
      if (cancelled()) return Status::cancelled;
      if (const Status status = method_.advance(backwards, -to, joined); status != Status::ok)
        return status;
      t = -joined.t;
      ++result_.steps_back;
      tape_->release(t);
      if (const Status status = draw(joined); status != Status::ok) return status;
    }
    t = to;
    flow_->split(joined, at);
    return Status::ok;
  }

  // densities of the gradient at a step
  Status draw(const State& joined) {
    if (!wanted_.curves) return Status::ok;
    Covectors at;
    flow_->split(joined, at);
    Mat of_e;
    if (const Status status = flow_->densities(-joined.t, at, of_e); status != Status::ok)
      return status;
    drawn_.emplace_back(-joined.t, std::move(of_e));
    return Status::ok;
  }

  Status add(const Impulse& impulse, double t, Covectors& at) {
    State state = end_;
    if (t < end_.t)
      if (const Status status = flow_->place(t, state); status != Status::ok) return status;
    if (impulse.event < 0) {
      Mat weights = Mat::Zero(numbers_.count(), m_);
      weights(impulse.number, impulse.measure) = impulse.weight;
      return flow_->pull_back(state, weights, at);
    }
    if (const Status status = forces_.forces(state.t, state.q, state.v); status != Status::ok)
      return status;
    return add_event(impulse, at);
  }

  double tol_;               // errors of derivatives follow from those of the motion
  DormandPrince853 method_;  // backwards
  bool goes_back_ = false;
  std::optional<SmoothRecorder> recorder_;
  std::optional<MotionTape> tape_;
  std::shared_ptr<AdjointFlow> flow_;
  std::vector<Saltation> crossings_;
  std::size_t looks_ = 0;
  double part_end_ = 0.0;
  Vec sensitivity_;
  State end_;
};

}  // namespace

Status find_adjoint(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
                    const WideSystem& wide, const std::vector<int>& column_of,
                    const AdjointWanted& wanted, Gradient& result) {
  if (motion.stiff) return find_stiff_adjoint(motion, by, wide, column_of, wanted, result);
  return SmoothAdjoint{motion, by, wide, column_of, wanted, result}.run();
}

}  // namespace taut
