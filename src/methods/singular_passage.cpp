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
  leapt_ = refused_ = false;
  best_independence_ = 0.0;
}

bool SingularPassage::ahead(const System& system, const Kkt& kkt) {
  const Structure& structure = system.structure();
  if (structure.nc == 0 || structure.C.maxCoeff() > 0.0) return false;
  // long chains have a small one that stays as it is
  const double independence = kkt.independence();
  best_independence_ = std::max(best_independence_, independence);
  if (independence <= singular_zone * best_independence_) return !refused_;
  leapt_ = refused_ = false;
  return false;
}

bool SingularPassage::leap(const System& system, double usual, double t_stop, const State& from,
                           State& to, Counters& counters) {
  if (!leapt_) usual_ = usual;
  loosened_.reset();
  to = from;
  for (double factor = 1.0; factor * tol_ <= loosest_leap; factor *= 10.0) {
    if (!leapt_ || factor > 1.0) {
      leap_tol_ = factor * tol_;
      explicit_.emplace(AdaptiveOptions{.tol = leap_tol_, .first_step = usual_});
      if (explicit_->start(system, from) != Status::ok) break;
    }
    const Counters before = explicit_->counters;
    const Status status = explicit_->advance(system, t_stop, to);
    counters.force_evaluations += explicit_->counters.force_evaluations - before.force_evaluations;
    counters.steps += explicit_->counters.steps - before.steps;
    counters.rejected += explicit_->counters.rejected - before.rejected;
    if (status == Status::ok && (to.t == t_stop || std::abs(to.t - from.t) >= usual_ / 20)) {
      if (factor > 1.0) loosened_ = leap_tol_;
      leapt_ = true;
      return true;
    }
    to = from;
  }
  leapt_ = false;
  refused_ = true;
  return false;
}

void SingularPassage::archive(Archive& archive) {
  archive(leapt_, refused_, usual_, best_independence_, leap_tol_);
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
