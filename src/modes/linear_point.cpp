// SPDX-License-Identifier: BSD-3-Clause
#include "modes/linear_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/lu.hpp"
#include "core/notes.hpp"
#include "model/accelerations.hpp"
#include "modes/steady_motion.hpp"
#include "readings/readings.hpp"
#include "taut/model/start.hpp"
#include "taut/simulation/at_rest.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/statics/equilibria.hpp"

namespace taut {
namespace {

void refuse(LinearPoint& point, Status status, std::string reason) {
  point.status = status;
  point.reason = std::move(reason);
}

/// What rounding has left of  M a + Gᵀ lambda = f,  G a = -curvature  is taken off: a chain of
/// 50 000 links has its multipliers to eight digits less without.
void refine(const Accelerations& solved, const Structure& structure, Vec& a, Vec& lambda) {
  if (structure.nc == 0) return;
  const Evaluation& ev = solved.evaluation();
  const Sparse& M = structure.mass_constant ? structure.M : ev.M;
  Vec da(structure.nq), dlambda(structure.nc);
  constexpr int passes = 2;
  for (int pass = 0; pass < passes; ++pass) {
    const Vec of_forces = ev.f - M * a - ev.G.transpose() * lambda;
    const Vec of_rows = -ev.curvature - ev.G * a;
    solved.kkt().solve(of_forces, of_rows, da, dlambda);
    if (!da.allFinite() || !dlambda.allFinite()) return;
    a += da;
    lambda += dlambda;
  }
}

/// Accelerations and multipliers at the state; whether nothing moves there.
void find_forces(LinearPoint& point) {
  const System& system = point.system;
  const Structure& structure = system.structure();
  Accelerations accelerations;
  point.a.resize(structure.nq);
  point.lambda.resize(structure.nc);
  Status status = accelerations.start(system);
  const State& at = point.state;
  if (status == Status::ok) status = accelerations(system, at.t, at.q, at.v, point.a, point.lambda);
  if (status == Status::ok) refine(accelerations, structure, point.a, point.lambda);
  Evaluation scratch;
  system.prepare(scratch);
  if (status == Status::ok)
    status = system.multipliers({.t = at.t, .q = at.q, .v = at.v}, point.lambda, scratch,
                                point.all_rows);
  if (status != Status::ok) {
    std::string reason{sentence(status)};
    if (const std::string culprit = system.culprit({.t = at.t, .q = at.q, .v = at.v});
        !culprit.empty())
      reason = fmt::format("{} ({})", reason, culprit);
    refuse(point, status, std::move(reason));
    return;
  }
  // forces leave nothing but what the sum of terms of their size may
  constexpr double balanced = 1e-9;
  const Evaluation& ev = accelerations.evaluation();
  const Sparse& M = structure.mass_constant ? structure.M : ev.M;
  Vec size = ev.f.cwiseAbs();
  if (structure.nc > 0) size += ev.G.cwiseAbs().transpose() * point.lambda.cwiseAbs();
  const Vec left = M * point.a;
  const Vec scale = Vec{M.diagonal()}.cwiseMax(1e-300).cwiseSqrt();
  const bool moves = !at.v.head(structure.places()).isZero(0.0);
  point.rest =
      !moves && left.cwiseQuotient(scale).norm() <= balanced * size.cwiseQuotient(scale).norm();
}

/// Newton's method on  f = Gᵀ lambda, g = 0  with sparse matrices, for models that are large.
Status settle_sparse(const System& system, State& state) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nc = structure.nc;
  if (structure.nz > 0) return Status::not_supported;
  Evaluation ev;
  system.prepare(ev);
  Vec lambda = Vec::Zero(nc), zero = Vec::Zero(nq);
  Lu<double> lu;
  Sparse pattern;
  double last = 0.0;
  constexpr int most = 60;
  for (int k = 0; k < most; ++k) {
    const Arguments at{.t = state.t, .q = state.q, .v = zero, .a = &zero, .lambda = &lambda};
    Needs wanted = needs(Target::force, Target::stiffness);
    if (nc > 0) wanted |= needs(Target::constraint, Target::constraint_jacobian);
    if (const Status st = system.evaluate(wanted, at, ev); st != Status::ok) return st;
    // the pattern is that of the sum of all terms, zeros of the values included
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](const Sparse& from, Index row, Index column, bool transposed) {
      for (Index i = 0; i < from.outerSize(); ++i)
        for (Sparse::InnerIterator it{from, i}; it; ++it)
          entries.emplace_back(static_cast<int>(row + (transposed ? it.col() : it.row())),
                               static_cast<int>(column + (transposed ? it.row() : it.col())),
                               it.value());
    };
    add(ev.K, 0, 0, false);
    for (int i = 0; i < nq + nc; ++i) entries.emplace_back(i, i, 0.0);
    if (nc > 0) {
      add(ev.G, nq, 0, false);
      add(ev.G, 0, nq, true);
    }
    Sparse J(nq + nc, nq + nc);
    J.setFromTriplets(entries.begin(), entries.end());
    if (k == 0) lu.analyse(J, nc);
    std::copy_n(J.valuePtr(), J.nonZeros(), lu.values());
    if (const Status st = lu.factor(); st != Status::ok) return st;
    Vec b(nq + nc);
    b.head(nq) = ev.f;
    b.tail(nc) = -ev.g;
    lu.solve(b.data());
    const double length = b.head(nq).lpNorm<Eigen::Infinity>();
    state.q += b.head(nq);
    lambda = b.tail(nc);
    if (!b.allFinite()) return Status::non_finite;
    const double size = 1.0 + state.q.lpNorm<Eigen::Infinity>();
    if (length <= 1e-13 * size || (k > 3 && length <= 1e-9 * size && length > 0.5 * last))
      return Status::ok;
    last = length;
  }
  return Status::iteration_limit;
}

void go_to_rest(LinearPoint& point) {
  const Structure& structure = point.system.structure();
  State at = point.state;
  at.v.head(structure.places()).setZero();
  if (structure.has_velocity_rows()) {
    // what rolls rests in families of places: the start, where it does, or where that leads to
    const Start start = consistent_start(point.system, at);
    point.state = start.status == Status::ok ? start.state : at;
    find_forces(point);
    if (point.status != Status::ok || point.rest) return;
  }
  if (structure.nq > Equilibria::most_coordinates) {
    const Status status = settle_sparse(point.system, at);
    if (status != Status::ok)
      refuse(
          point, status,
          fmt::format("Newton's method did not arrive at an equilibrium ({})", sentence(status)));
    point.state = std::move(at);
    point.state.v.setZero();
  } else {
    // of a small model all are looked for, and the nearest stable one is meant before others
    constexpr Index small = 60;
    Equilibria found =
        structure.nq > small ? equilibrium_from(point.system, at) : equilibria(point.system, at);
    if (found.status != Status::ok && structure.nq > small) found = equilibria(point.system, at);
    if (found.status != Status::ok) {
      refuse(point, found.status, found.reason);
      return;
    }
    auto chosen = std::find_if(found.found.begin(), found.found.end(), [](const Equilibrium& e) {
      return e.stability == Stability::stable;
    });
    if (chosen == found.found.end()) chosen = found.found.begin();
    const Vec& q = chosen->q;
    const Index nz = structure.nz;
    point.state.q.head(structure.places()) = q.head(structure.places());
    point.state.v.setZero();
    point.state.v.tail(nz) = q.tail(nz);
    point.notes.insert(point.notes.end(), found.notes.begin(), found.notes.end());
  }
  if (point.status == Status::ok) find_forces(point);
  if (point.status == Status::ok) point.rest = true;
}

void go_to_time(LinearPoint& point, const PreparedModel& prepared, const SimulationOptions& options,
                double time, Problems& problems) {
  SimulationOptions until = options;
  until.until = time;
  until.error_estimate = false;
  until.every.reset();
  Plan planned = plan(prepared, until, problems);
  if (!problems.empty()) return;
  const Result run = simulate(std::move(planned));
  if (!run.summary.good()) {
    refuse(point, run.summary.status, "the run did not get there: " + run.summary.message);
    return;
  }
  point.state = run.summary.state;
  // what the method leaves of g is removed
  const Start start = consistent_start(point.system, point.state);
  if (start.status == Status::ok) point.state = start.state;
  find_forces(point);
}

}  // namespace

System without_compliance(const System& system) {
  const Structure& structure = system.structure();
  const bool gives_way =
      std::any_of(structure.rows.begin(), structure.rows.end(),
                  [](const Row& row) { return row.equation >= 0 && row.compliance > 0.0; });
  return gives_way || structure.takes_multipliers ? springs(system) : system;
}

Vec read_multipliers(const System& system, const Vec& all_rows) {
  const std::vector<int>& read = system.structure().read_multipliers;
  Vec mu(static_cast<Index>(read.size()));
  for (std::size_t k = 0; k < read.size(); ++k) mu[static_cast<Index>(k)] = all_rows[read[k]];
  return mu;
}

LinearPoint linear_point(const PreparedModel& prepared, const SimulationOptions& options,
                         const LinearizeOptions& linear, Problems& problems) {
  LinearPoint point;
  const Reading reading = reading_at_rest(prepared, options.averaging, problems);
  if (!problems.empty()) return point;
  point.reading = reading.name();
  SweepCase made = read_at_rest(prepared.compiled, reading, point.notes);
  if (made.status != Status::ok) {
    refuse(point, made.status, made.reason);
    return point;
  }
  point.system = without_compliance(made.system);
  const Structure& structure = point.system.structure();
  if (!structure.differentiable) {
    refuse(point, Status::not_supported, "this reading has no stiffness");
    return point;
  }
  const Start start = consistent_start(point.system, made.near);
  if (start.status != Status::ok) {
    refuse(point, start.status,
           start.reason.empty() ? std::string{sentence(start.status)} : start.reason);
    return point;
  }
  point.state = start.state;
  switch (linear.at) {
    case LinearizeAt::time:
      go_to_time(point, prepared, options, linear.time, problems);
      break;
    case LinearizeAt::start:
      find_forces(point);
      break;
    case LinearizeAt::equilibrium:
      go_to_rest(point);
      break;
    case LinearizeAt::automatic:
      find_forces(point);
      if (point.status == Status::ok && !point.rest &&
          !steady_motion(point, prepared.compiled.scene))
        go_to_rest(point);
      break;
  }
  const bool told = std::any_of(point.notes.begin(), point.notes.end(),
                                [](const Note& one) { return one.is(notes::rest_at_time); });
  if (point.status == Status::ok && !told &&
      (structure.force_uses_time || structure.constraint_uses_time))
    point.notes.push_back(note<notes::rest_at_time>(point.state.t));
  return point;
}

LinearTerms linear_terms(const System& system, const State& state, const Vec& a,
                         const Vec& lambda) {
  const Structure& structure = system.structure();
  LinearTerms terms;
  Evaluation ev;
  system.prepare(ev);
  Needs wanted = needs(Target::mass, Target::stiffness);
  const bool damped = structure.force_uses_velocity || structure.nz > 0;
  if (damped) wanted |= need(Target::damping);
  if (structure.nc > 0) wanted |= needs(Target::constraint_jacobian, Target::velocity_jacobian);
  terms.status = system.evaluate(
      wanted, {.t = state.t, .q = state.q, .v = state.v, .a = &a, .lambda = &lambda}, ev);
  terms.M = structure.mass_constant ? structure.M : ev.M;
  terms.K = ev.K;
  terms.D = damped ? ev.D : Sparse(structure.nq, structure.nq);
  terms.G = structure.nc > 0 ? ev.G : Sparse(0, structure.nq);
  terms.N = structure.nc > 0 ? ev.N : Sparse(0, structure.nq);
  return terms;
}

}  // namespace taut
