// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/adjoint_stiff.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "gradients/adjoint_run.hpp"
#include "gradients/stiff_flow.hpp"
#include "gradients/stiff_recorder.hpp"
#include "gradients/switch_sides.hpp"
#include "methods/radau_coefficients.hpp"
#include "readings/readings.hpp"
#include "tableaux/implicit_tableaux.hpp"

namespace taut {
namespace {

class StiffAdjoint final : public AdjointRun {
 public:
  StiffAdjoint(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
               const WideSystem& wide, std::vector<int> column_of, const AdjointWanted& wanted,
               Gradient& result)
      : AdjointRun{motion, by, wide, std::move(column_of), wanted, result},
        system_{equations(motion.system)},
        tol_{0.1 * motion.tol},
        recorder_{system_, tol_},
        flow_{wide, system_, columns_of_all(wide), tol_} {}

  Status run() override {
    if (std::string why = flow_.refusal(); !why.empty()) return refuse(std::move(why));
    std::vector<double> stops;
    bool extremes = false;
    for (const AdjointMeasure& one : measures_) {
      for (const AdjointMeasure::Datum& datum : one.data) stops.push_back(datum.t);
      if (one.of == Of::event) stops.push_back(one.time);
      extremes |= has_extremes(one.of);
    }
    if (const Status status = record(stops, true); status != Status::ok) return status;
    if (const Status status = check_end(end_); status != Status::ok) return status;
    find_impulses(end_.t);
    if (extremes) {
      for (const Impulse& impulse : impulses_) stops.push_back(impulse.t);
      if (const Status status = record(stops, false); status != Status::ok) return status;
    }
    Covectors at_start;
    if (const Status status = go_back(at_start); status != Status::ok) {
      if (result_.message.empty()) result_.message = sentence(status);
      return status;
    }
    result_.steps = tape_->steps();
    result_.repeated = tape_->repeated();
    return finish(at_start);
  }

 private:
  static std::vector<int> columns_of_all(const WideSystem& wide) {
    std::vector<int> all(static_cast<std::size_t>(wide.ne()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  Status record(std::vector<double> stops, bool look) {
    std::sort(stops.begin(), stops.end());
    tape_.emplace(recorder_, wanted_.memory);
    crossings_.clear();
    SwitchSides sides{wide_, forces_};
    std::string why;
    end_ = motion_.start.state;
    if (const Status status = sides.begin(end_, why); status != Status::ok)
      return why.empty() ? status : refuse(why);
    const auto see = [&](const MotionPiece& piece, const State&) {
      return look ? look_at(piece) : cancelled() ? Status::cancelled : Status::ok;
    };
    std::size_t change = 0;
    for (;;) {
      while (change < motion_.changes.size() && motion_.changes[change].t <= end_.t) ++change;
      const bool last =
          change == motion_.changes.size() || motion_.changes[change].t >= motion_.until;
      const MotionTape::Part part{.from = end_,
                                  .until = last ? motion_.until : motion_.changes[change].t,
                                  .modes = wide_.modes(),
                                  .stops = stops};
      if (const Status status = tape_->record(part, end_, see); status != Status::ok) {
        if (result_.message.empty())
          result_.message =
              fmt::format("the motion ends at t = {:.6g}: {}", end_.t, sentence(status));
        return status;
      }
      if (last) return Status::ok;
      const SideChange& at = motion_.changes[change];
      if (at.slides || at.impact)
        why = at.impact ? "where constraints are switched" : "where a switch begins to slide";
      else if (sides.cross(end_, crossings_.emplace_back(), why) != Status::ok)
        return refuse(why);
      else if (crossings_.back().any())
        why = flow_.refusal_of_jumps();
      if (!why.empty())
        return refuse(fmt::format("there is no gradient across t = {:.6g}, {}", at.t, why));
    }
  }

  Status numbers_in(const MotionPiece& /*piece*/, double t, Vec& x) override {
    State state;
    Vec a, lambda;
    if (const Status status = recorder_.at(t, state, a, lambda); status != Status::ok)
      return status;
    return numbers_.values(state, a, lambda, x);
  }

  struct Node {
    State state;
    Vec a, lambda;
  };
  [[nodiscard]] Node node(const MotionPiece& piece, std::size_t number) const {
    const Index nq = wide_.nq();
    const auto at = piece.inside.col(static_cast<Index>(number));
    const Vec& c = radau_coefficients(StiffRecorder::stages).c;
    const double t = number == 0
                         ? piece.t0
                         : piece.t0 + c[static_cast<Index>(number) - 1] * (piece.t1 - piece.t0);
    return {.state = {t, at.head(nq), at.segment(nq, nq)},
            .a = at.segment(2 * nq, nq),
            .lambda = at.tail(at.size() - 3 * nq)};
  }

  // weights(k, j) of all numbers at a node
  Status enter(const Node& at, std::size_t number, const Mat& weights, StiffFlow::Covectors& on) {
    Vec x;
    if (const Status status = numbers_.values(at.state, at.a, at.lambda, x); status != Status::ok)
      return status;
    const Index nq = wide_.nq();
    Covectors to = nothing();
    Mat on_a = Mat::Zero(nq, m_), on_rows = Mat::Zero(at.lambda.size(), m_);
    if (const Status status = numbers_.pull_back(weights, to.xi, to.eta, on_a, on_rows);
        status != Status::ok)
      return status;
    put(to, number, on);
    if (!numbers_.read_loads()) return Status::ok;
    return flow_.pull_back_loads(number, on_a, on_rows, on);
  }

  void put(const Covectors& from, std::size_t number, StiffFlow::Covectors& on) const {
    on.s[number] += from.xi.topRows(wide_.nq());
    on.e += from.xi.bottomRows(wide_.ne());
    on.w[number] += from.eta;
  }

  Status add(const Impulse& impulse, const Node& at, std::size_t number, StiffFlow::Covectors& on) {
    if (impulse.event < 0) {
      Mat weights = Mat::Zero(numbers_.count(), m_);
      weights(impulse.number, impulse.measure) = impulse.weight;
      return enter(at, number, weights, on);
    }
    Covectors to = nothing();
    forces_.place(at.state.t, at.state.q, at.state.v, at.a);
    if (const Status status = add_event(impulse, to); status != Status::ok) return status;
    put(to, number, on);
    return Status::ok;
  }

  Status go_back(Covectors& at_start) {
    constexpr auto last = static_cast<std::size_t>(StiffRecorder::stages);
    const Mat& A = radau_iia(StiffRecorder::stages).A;
    StiffFlow::Covectors on = flow_.covectors(m_);
    Vec integral = Vec::Zero(m_);
    const double begin = motion_.start.state.t;
    std::size_t next = 0, part = tape_->parts().size() - 1;
    const MotionPiece* piece = nullptr;
    for (double t = end_.t; t > begin; t = piece->t0) {
      if (cancelled()) return Status::cancelled;
      if (const Status status = tape_->before(t, piece); status != Status::ok) return status;
      const double h = piece->t1 - piece->t0;
      wide_.modes() = tape_->parts()[piece->part].modes;
      if (piece->part < part) {
        part = piece->part;
        cross_back(crossings_[part], on);
      }
      if (const Status status = flow_.take(piece->t0, piece->t1, piece->inside);
          status != Status::ok)
        return status;
      StiffFlow::Covectors behind = flow_.covectors(m_);
      behind.s[last] = on.s[0];
      behind.w[last] = on.w[0];
      behind.gamma[last] = on.gamma[0];
      behind.e = on.e;
      on = std::move(behind);
      const Mat of_e = on.e;
      const Node end = node(*piece, last);
      for (; next < impulses_.size() && impulses_[next].t > piece->t0; ++next)
        if (const Status status = add(impulses_[next], end, last, on); status != Status::ok)
          return status;
      for (std::size_t i = 1; i <= last; ++i)
        if (const Status status = add_densities(
                node(*piece, i), i, h * A(StiffRecorder::stages - 1, static_cast<Index>(i) - 1), on,
                integral);
            status != Status::ok)
          return status;
      if (const Status status = flow_.pull_back(on); status != Status::ok) return status;
      if (wanted_.curves) drawn_.emplace_back((piece->t0 + piece->t1) / 2, (on.e - of_e) / h);
      ++result_.steps_back;
    }
    if (piece == nullptr) return Status::ok;
    const Node first = node(*piece, 0);
    for (; next < impulses_.size(); ++next)
      if (const Status status = add(impulses_[next], first, 0, on); status != Status::ok)
        return status;
    Tangent none;
    none.q = none.v = Mat::Zero(wide_.nq(), wide_.ne());
    if (const Status status = flow_.begin(motion_.start.state, none); status != Status::ok)
      return status;
    flow_.pull_back_start(on);
    at_start = nothing();
    at_start.xi << on.s[0], on.e;
    at_start.eta = on.w[0];
    at_start.integral = integral;
    return Status::ok;
  }

  void cross_back(const Saltation& crossing, StiffFlow::Covectors& on) const {
    Covectors at = nothing();
    at.xi << on.s[0], on.e;
    at.eta = on.w[0];
    crossing.pull_back(at.xi, at.eta);
    on.s[0] = at.xi.topRows(wide_.nq());
    on.e = at.xi.bottomRows(wide_.ne());
    on.w[0] = at.eta;
  }

  Status add_densities(const Node& at, std::size_t number, double weight, StiffFlow::Covectors& on,
                       Vec& integral) {
    Mat weights = Mat::Zero(numbers_.count(), m_);
    Vec x;
    for (Index j = 0; j < m_; ++j) {
      const AdjointMeasure& one = measures_[static_cast<std::size_t>(j)];
      if (!has_density(one.of)) continue;
      if (x.size() == 0)
        if (const Status status = numbers_.values(at.state, at.a, at.lambda, x);
            status != Status::ok)
          return status;
      const double value = x[one.number];
      const bool square = one.of == Of::rms;
      weights(one.number, j) = weight * (square ? 2 * value : 1.0);
      integral[j] += weight * (square ? value * value : value);
    }
    return x.size() == 0 ? Status::ok : enter(at, number, weights, on);
  }

  System system_;
  double tol_;
  StiffRecorder recorder_;
  StiffFlow flow_;
  std::optional<MotionTape> tape_;
  std::vector<Saltation> crossings_;
  State end_;
};

}  // namespace

Status find_stiff_adjoint(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
                          const WideSystem& wide, const std::vector<int>& column_of,
                          const AdjointWanted& wanted, Gradient& result) {
  return StiffAdjoint{motion, by, wide, column_of, wanted, result}.run();
}

}  // namespace taut
