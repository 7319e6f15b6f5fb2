// SPDX-License-Identifier: BSD-3-Clause
#include "taut/slow/slow_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "model/accelerations.hpp"
#include "readings/readings.hpp"
#include "slow/fast_band.hpp"
#include "slow/iterated_projection.hpp"
#include "slow/micro_newton.hpp"
#include "slow/series_start.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

bool compliant(const Structure& structure) {
  return structure.nc > 0 && structure.C.maxCoeff() > 0.0;
}

/// Finds the slow point by the way asked for. One use.
class SlowPoint {
 public:
  SlowPoint(const System& equations, const State& given, const SlowStartOptions& options)
      : equations_{equations}, given_{given}, options_{options} {}

  SlowStart run() {
    const Structure& structure = equations_.structure();
    const bool automatic = options_.via == SlowVia::automatic;
    const bool filters = structure.nc == 0 || options_.band;
    out_.via = !automatic ? options_.via : filters ? SlowVia::filter : SlowVia::expansion;
    switch (out_.via) {
      case SlowVia::newton:
        newton();
        break;
      case SlowVia::filter:
        filter();
        break;
      default:
        expansion();
    }
    return std::move(out_);
  }

 private:
  void expansion() {
    if (!begin()) return;
    if (!compliant(equations_.structure())) return without_compliance();
    SeriesPoint point = series_start(equations_, foot_);
    if (!point.available) {
      // its polynomials need no power series, and know how dependent rows share a load
      static_cast<SmoothStart&>(out_) = smooth_start(equations_, given_);
      return;
    }
    out_.iterations = point.passes;
    out_.force_evaluations += point.evaluations;
    if (point.status != Status::ok) return fail(point.status, point.reason);
    out_.order = point.order;
    out_.uncertainty = point.uncertainty;
    out_.velocity_uncertainty = point.velocity_uncertainty;
    out_.a = std::move(point.a);
    move_to(std::move(point.state), point.lambda);
  }

  /// Nothing to expand in: a start of rigid constraints is slow, unless a potential is stiff.
  void without_compliance() {
    if (equations_.nc() == 0)
      return refuse("expansion",
                    "there are no constraints with a compliance: take <<via: filter>>");
    const FastBand stiff = fast_band(equations_, foot_.state);
    if (stiff.status != Status::ok) {
      out_.reason = "no constraint is compliant: every consistent start is slow";
      return;
    }
    fail(Status::not_supported,
         fmt::format("a potential beside rigid constraints vibrates with {:.4g} to {:.4g} rad/s, "
                     "and no way removes that: make it a constraint with a compliance",
                     stiff.band.lowest, stiff.band.highest));
  }

  void newton() {
    if (const std::string why = no_micro_newton(equations_.structure()); !why.empty())
      return refuse("newton", why);
    if (!begin() || !find_band()) return;
    NewtonPoint point = micro_newton(equations_, foot_, out_.band);
    out_.iterations = point.sweeps;
    out_.force_evaluations += point.force_evaluations;
    if (point.status != Status::ok) return fail(point.status, point.reason);
    out_.order = 6;
    out_.uncertainty = point.uncertainty;
    out_.velocity_uncertainty = point.velocity_uncertainty;
    finish(std::move(point.state));
  }

  void filter() {
    if (const std::string why = no_micro_solution(springs(equations_).structure()); !why.empty())
      return refuse("filter", why);
    if (!begin() || !find_band()) return;
    const System stiff = springs(equations_);
    IteratedProjection projection;
    const FilterChoice choice = choose_filter(out_.band);
    Status status = choice.status;
    std::string reason = choice.reason;
    // a state near the manifold is left where it is but for its vibration
    State state = out_.near ? given_ : foot_.state;
    if (status == Status::ok) {
      status = equations_.nc() > 0 ? projection.start(stiff, equations_, choice)
                                   : projection.start(stiff, choice);
      if (status == Status::ok) status = projection(state);
      reason = projection.reason();
      out_.iterations = projection.iterations();
      out_.force_evaluations += projection.force_evaluations();
    }
    if (status != Status::ok) return fail(status, reason);
    out_.order = choice.filter.mu() + 1;
    out_.uncertainty = projection.left();
    out_.velocity_uncertainty = projection.velocity_left();
    finish(std::move(state));
  }

  /// The consistent point, and whether the start is near.
  bool begin() {
    foot_ = consistent_start(equations_, given_);
    static_cast<Start&>(out_) = foot_;
    out_.iterations = 0;
    if (foot_.status != Status::ok) return false;
    out_.force_evaluations = 2;  // of the consistent start and of what tells whether it is near
    out_.near = near_smooth_motion(equations_, given_);
    return true;
  }

  bool find_band() {
    if (options_.band) {
      out_.band = *options_.band;
      const std::string mistake = band_mistake(equations_, foot_.state, out_.band);
      if (!mistake.empty()) fail(Status::not_supported, mistake);
      return mistake.empty();
    }
    const FastBand found = fast_band(equations_, foot_.state);
    if (found.status == Status::ok) {
      out_.band = found.band;
      return true;
    }
    if (options_.via == SlowVia::automatic && found.status == Status::not_supported)
      out_.reason = "the start is kept: " + found.reason;
    else
      fail(found.status, found.reason);
    return false;
  }

  /// Accelerations and multipliers at a slow point that was found without them.
  void finish(State state) {
    Accelerations accelerations;
    Evaluation ev;
    Vec lambda;
    equations_.prepare(ev);
    ++out_.force_evaluations;
    Status status = accelerations.start(equations_);
    if (status == Status::ok)
      status = accelerations(equations_, state.t, state.q, state.v, out_.a, lambda);
    if (status == Status::ok)
      status = equations_.evaluate(need(Target::constraint),
                                   {.t = state.t, .q = state.q, .v = state.v}, ev);
    if (status != Status::ok) return fail(status, std::string{sentence(status)});
    spring_multipliers(ev.g, lambda);
    const Evaluation& there = accelerations.evaluation();
    const Vec force = there.f - there.G.transpose() * lambda;
    accelerations.kkt().solve_mass(force, out_.a);
    move_to(std::move(state), lambda);
  }

  void move_to(State state, const Vec& lambda) {
    Evaluation ev;
    equations_.prepare(ev);
    const Arguments at{.t = state.t, .q = state.q, .v = state.v};
    Status status = equations_.multipliers(at, lambda, ev, out_.lambda);
    if (status == Status::ok) status = equations_.evaluate(need(Target::mass), at, ev);
    if (status != Status::ok) return fail(status, std::string{sentence(status)});
    out_.q_moved = state.q - given_.q;
    out_.v_moved = state.v - given_.v;
    out_.state = std::move(state);
    const Sparse& M = equations_.structure().mass_constant ? equations_.structure().M : ev.M;
    out_.distance = std::sqrt(std::max(0.0, out_.q_moved.dot(M * out_.q_moved)));
    out_.velocity_distance = std::sqrt(std::max(0.0, out_.v_moved.dot(M * out_.v_moved)));
  }

  /// λ = g/C has the rounding of g over C. Where that explains the difference to λ of the rigid
  /// motion, which goes in, the latter is the better one.
  void spring_multipliers(const Vec& g, Vec& lambda) const {
    constexpr double roundings = 128 * std::numeric_limits<double>::epsilon();
    for (const Row& row : equations_.structure().rows) {
      if (row.equation < 0) continue;
      const double spring = g[row.equation] / row.compliance;
      if (std::abs(lambda[row.equation] - spring) > roundings * row.scale / row.compliance)
        lambda[row.equation] = spring;
    }
  }

  void refuse(const char* way, const std::string& why) {
    fail(Status::not_supported, fmt::format("<<via: {}>> is not possible: {}", way, why));
  }

  void fail(Status status, const std::string& reason) {
    out_.status = status;
    out_.reason = worded(reason);
    out_.state = given_;
    out_.a.resize(0);
    out_.lambda.resize(0);
    out_.q_moved = out_.v_moved = Vec::Zero(given_.q.size());
    out_.distance = out_.velocity_distance = 0.0;
    out_.order = 0;
  }

  const System& equations_;
  const State& given_;
  const SlowStartOptions& options_;
  SlowStart out_;
  Start foot_;
};

}  // namespace

std::string_view name(SlowVia via) {
  constexpr std::array names{"automatic", "filter", "newton", "expansion"};
  return names[static_cast<std::size_t>(via)];
}

SlowStart slow_start(const System& equations, const State& given, const SlowStartOptions& options) {
  return SlowPoint{equations, given, options}.run();
}

}  // namespace taut
