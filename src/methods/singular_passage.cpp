// SPDX-License-Identifier: BSD-3-Clause
#include "methods/singular_passage.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace taut {
namespace {

constexpr double singular_zone = 0.01;  // independence of the constraints, see Kkt
constexpr double loosest_leap = 1e-4;   // tolerance of an explicit step there

}  // namespace

void SingularPassage::restart() {
  leapt_ = refused_ = insists_ = false;
  fewest_ = -1;
  best_independence_ = 0.0;
}

void SingularPassage::find_fewest(const System& system, const Kkt& kkt, const State& state,
                                  double usual) {
  fewest_ = static_cast<std::int64_t>(kkt.dependent().size());
  // a start beside such a position knows nothing better either
  if (fewest_ == 0 && kkt.independence() > singular_zone) return;
  const Structure& structure = system.structure();
  Kkt there;
  Evaluation ev;
  system.prepare(ev);
  there.analyse(structure.M, structure.G);
  const auto look = [&](double time) {
    const Vec q = state.q + time * state.v;
    return system.evaluate(needs(Target::mass, Target::constraint_jacobian),
                           {.t = state.t + time, .q = q, .v = state.v}, ev) == Status::ok &&
           there.factor(structure.mass_constant ? structure.M : ev.M, ev.G,
                        Vec::Zero(structure.nc)) == Status::ok;
  };
  // a little along the motion: constraints that always depend on each other do so there, too
  constexpr double little = 0.01;
  if (look(little * usual))
    fewest_ = std::min(fewest_, static_cast<std::int64_t>(there.dependent().size()));
  // farther on, about how independent they can be
  if (look(usual)) best_independence_ = std::max(best_independence_, there.independence());
}

bool SingularPassage::ahead(const System& system, const Kkt& kkt, const State& state,
                            double usual) {
  const Structure& structure = system.structure();
  if (structure.nc == 0 || structure.C.maxCoeff() > 0.0) return false;
  if (fewest_ < 0) find_fewest(system, kkt, state, usual);
  const auto dependent = static_cast<std::int64_t>(kkt.dependent().size());
  fewest_ = std::min(fewest_, dependent);
  near_ = in_it_ = dependent > fewest_;
  if (near_) return !refused_;
  // long chains have a small one that stays as it is
  const double independence = kkt.independence();
  best_independence_ = std::max(best_independence_, independence);
  near_ = independence <= singular_zone * best_independence_;
  if (near_) return !refused_;
  leapt_ = refused_ = false;
  return false;
}

bool SingularPassage::leap(const System& system, double usual, double t_stop, const State& from,
                           State& to, Counters& counters) {
  // where ours have come to nothing, they were longer when the position was met
  if (!leapt_) usual_ = insists_ ? std::max(usual, usual_) : usual;
  loosened_.reset();
  to = from;
  for (double factor = 1.0; factor * tol_ <= loosest_leap; factor *= 10.0) {
    if (!leapt_ || factor > 1.0) {
      leap_tol_ = factor * tol_;
      // out of the position itself, where accelerations are not known, by steps of any length
      explicit_.emplace(AdaptiveOptions{.tol = leap_tol_,
                                        .first_step = in_it_ ? 0.0 : usual_,
                                        .independence = best_independence_});
      if (explicit_->start(system, from) != Status::ok) break;
    }
    const Counters before = explicit_->counters;
    const Status status = explicit_->advance(system, t_stop, to);
    counters.force_evaluations += explicit_->counters.force_evaluations - before.force_evaluations;
    counters.steps += explicit_->counters.steps - before.steps;
    counters.rejected += explicit_->counters.rejected - before.rejected;
    if (status == Status::ok &&
        (insists_ || in_it_ || to.t == t_stop || std::abs(to.t - from.t) >= usual_ / 20)) {
      loosened_ = explicit_->loosened();
      if (!loosened_ && factor > 1.0) loosened_ = leap_tol_;
      leapt_ = true;
      insists_ = false;
      return true;
    }
    to = from;
  }
  leapt_ = insists_ = false;
  refused_ = true;
  return false;
}

void SingularPassage::archive(Archive& archive) {
  archive(leapt_, refused_, fewest_, usual_, best_independence_, leap_tol_);
}

void SingularPassage::archive_method(Archive& archive, const System& system, const State& at) {
  if (!leapt_) return;
  if (archive.loading()) {
    explicit_.emplace(AdaptiveOptions{.tol = leap_tol_});
    if (explicit_->start(system, at) != Status::ok)
      throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
  }
  archive(*explicit_);
}

}  // namespace taut
