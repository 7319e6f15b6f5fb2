// SPDX-License-Identifier: BSD-3-Clause
#include "taut/curves/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/notes.hpp"
#include "curves/completer.hpp"
#include "curves/scales.hpp"
#include "taut/core/wording.hpp"

namespace taut {

Completion Completer::run() {
  if (!may_begin()) return std::move(out_);
  signature_ = Signature::of(system_);
  out_.order = *std::max_element(signature_.orders.begin(), signature_.orders.end());
  if (judge_structure()) judge_ranks();
  return std::move(out_);
}

bool Completer::may_begin() {
  if (system_.unknowns.empty() || system_.equations.empty())
    return fail(Verdict::undecided, Status::not_supported,
                fmt::format("{} unknowns and {} equations: there is nothing to complete",
                            system_.unknowns.size(), system_.equations.size()),
                "state unknowns and an equation for each of them");
  return true;
}

bool Completer::fail(Verdict verdict, Status status, std::string reason,
                     const std::string& remedy) {
  out_.verdict = verdict;
  out_.status = status;
  out_.reason = std::move(reason);
  out_.remedy = worded(remedy);
  return false;
}

double Completer::given(Index jet) const {
  if (jet < system_.given.size() && std::isfinite(system_.given[jet])) return system_.given[jet];
  return not_known;
}

void Completer::start_of(const std::vector<Index>& jets, Vec& u, std::vector<Moves>& moves) const {
  u.resize(static_cast<Index>(jets.size()));
  moves.clear();
  for (std::size_t c = 0; c < jets.size(); ++c) {
    const Index jet = jets[c], n = system_.n();
    const double number = given(jet);
    u[static_cast<Index>(c)] = std::isfinite(number) ? number : 0.0;
    const Index unknown = (jet - 1) % n, derivative = (jet - 1) / n;
    moves.push_back(jet == 0                 ? Moves::never
                    : !std::isfinite(number) ? Moves::first
                    : derivative >= signature_.orders[static_cast<std::size_t>(unknown)]
                        ? Moves::second
                    : derivative > 0 ? Moves::third
                                     : Moves::last);
  }
}

bool Completer::fail_without_value(const std::string& which) {
  return fail(
      Verdict::undecided, Status::non_finite,
      fmt::format("{} has no finite value at the start, where {} = {}", which, system_.independent,
                  system_.given.size() > 0 ? system_.given[0] : 0.0),
      fmt::format("start elsewhere (from = ... below [run], or <<from>>, for another {}), and "
                  "state values for all unknowns",
                  system_.independent));
}

bool Completer::fail_at_point(const ConsistentPoint& point, const std::vector<NamedRow>& rows) {
  if (!point.finite) {
    std::string which = "a coefficient of a derivative";
    for (Index r = point.residual.size() - 1; r >= 0; --r)
      if (!std::isfinite(point.residual[r])) which = rows[static_cast<std::size_t>(r)].name;
    return fail_without_value(which);
  }
  if (point.stationary)
    return fail(Verdict::inconsistent, Status::constraints_contradict,
                contradiction(rows, point.residual),
                "one of them is wrong, or the start is far from any solution: state another one");
  Index worst = 0;
  point.residual.cwiseAbs().maxCoeff(&worst);
  return fail(Verdict::undecided, Status::iteration_limit,
              fmt::format("no point was found where all equations hold; {} is the farthest from "
                          "zero: {}",
                          rows[static_cast<std::size_t>(worst)].name,
                          rows[static_cast<std::size_t>(worst)].text),
              "state a start nearer to a solution, with all unknowns");
}

// --- structure -----------------------------------------------------------------------------------

Completer::Attempt Completer::attempt(Signature signature) const {
  Attempt a;
  a.signature = a.raised = std::move(signature);
  if (!a.signature.regular) return a;
  a.parts.emplace(system_, a.raised.c, a.raised.d);
  // derivatives are affine in the highest derivatives: this ends
  while (std::find(a.parts->bent.begin(), a.parts->bent.end(), true) != a.parts->bent.end()) {
    a.raised.raise(a.parts->bent);
    a.parts.emplace(system_, a.raised.c, a.raised.d);
  }
  if (!a.parts->closed) {
    a.parts.reset();
    return a;
  }
  Vec u;
  start_of(a.parts->state, u, a.moves);
  const JetRows manifold = a.parts->manifold_map(false);
  a.point = consistent_point(manifold, u, a.moves);
  if (!a.point.found) return a;
  const Index n = system_.n();
  a.here = structural_point(*a.parts, a.point.u, options_.independent);
  a.regular = a.here.rank_of_A == n && a.here.rank_of_M == manifold.rows();
  if (!a.regular)
    for (unsigned seed = 11; seed < 16 && !a.near; ++seed)
      if (const auto near = on_manifold(a, seed))
        a.near = structural_point(*a.parts, *near, options_.independent);
  if (a.regular && a.signature.has_extra()) judge_extra(a);
  return a;
}

std::optional<Vec> Completer::on_manifold(const Attempt& attempt, unsigned seed) const {
  std::vector<Moves> moves = attempt.moves;
  for (Moves& each : moves)
    if (each != Moves::never) each = Moves::last;
  const JetRows map = attempt.parts->manifold_map(false);
  const Vec scales = scales_of(map, attempt.point.u);
  const ConsistentPoint near =
      consistent_point(map, neighbour(attempt.point.u, seed, scales), moves, {}, scales);
  if (!near.found) return std::nullopt;
  return near.u;
}

// D g = 0 here and at two points of M near by
void Completer::judge_extra(Attempt& attempt) const {
  constexpr double rounding = 1e-7;  // of the terms: far above rounding, far below what is not kept
  const auto judge = [&](const Vec& p, const Vec& tops) {
    const ExtraRates at = extra_rates_at(*attempt.parts, p, tops);
    if (!at.finite) return false;
    for (Index g = 0; g < at.rates.size(); ++g)
      if (std::abs(at.rates[g]) > rounding * at.terms[g]) {
        attempt.extra = Extra::broken;
        const std::string& name = attempt.parts->extra_names[static_cast<std::size_t>(g)];
        attempt.broken.push_back(fmt::format("'{}' (its rate is {:.3g})", name, at.rates[g]));
      }
    return true;
  };
  int judged = judge(attempt.point.u, attempt.here.tops) ? 1 : 0;
  for (unsigned seed = 11; seed < 16 && judged < 3 && attempt.extra != Extra::broken; ++seed) {
    const auto near = on_manifold(attempt, seed);
    if (!near) continue;
    const StructuralPoint there = structural_point(*attempt.parts, *near, options_.independent);
    if (there.rank_of_A == system_.n() && judge(*near, there.tops)) ++judged;
  }
  if (judged < 3 && attempt.extra != Extra::broken) attempt.extra = Extra::unknown;
}

bool Completer::judge_structure() {
  Attempt first = attempt(signature_);
  if (!first.signature.has_extra()) return judge_attempt(first);
  // more equations than unknowns: the first choice of some that determine the others
  if (!first.regular || first.extra != Extra::kept)
    for (const std::vector<Index>& extra :
         choices_of_extra(static_cast<Index>(system_.equations.size()), system_.n())) {
      Attempt other = attempt(Signature::without(system_, extra));
      if (!other.regular || other.extra != Extra::kept) continue;
      first = std::move(other);
      break;
    }
  broken_ = first.broken;
  if (first.extra == Extra::broken) return true;
  return judge_attempt(first);
}

void Completer::take(Attempt attempt) {
  signature_ = std::move(attempt.signature);
  raised_ = std::move(attempt.raised);
  parts_ = std::move(attempt.parts);
  p_ = std::move(attempt.point.u);
  here_ = std::move(attempt.here);
}

bool Completer::judge_attempt(const Attempt& attempt) {
  if (!attempt.parts) return true;
  const StructuralRows& parts = *attempt.parts;
  if (!attempt.point.found) {
    std::vector<NamedRow> rows;
    for (std::size_t r = 0; r < parts.manifold.size(); ++r)
      rows.push_back({parts.manifold_names[r], row_text(system_, parts.graph, parts.manifold[r])});
    return fail_at_point(attempt.point, rows);
  }
  const StructuralPoint& here = attempt.here;
  if (!here.not_finite.empty()) return fail_without_value(here.not_finite);
  take(attempt);
  const Index n = system_.n(), conditions = static_cast<Index>(parts_->manifold.size());
  if (attempt.regular) {
    structural_ = true;
    certain_ = attempt.extra == Extra::kept;
    tops_ = here_.tops;
    return true;
  }
  // an impasse point, a singular point, or does the structure not tell?
  const std::optional<StructuralPoint>& near = attempt.near;
  if (!near || near->rank_of_A < n || near->rank_of_M < conditions) return true;
  if (here.rank == n && here.rank_of_M == conditions && moves_along(attempt)) {
    structural_ = out_.impasse = true;
    certain_ = !signature_.has_extra();
    return true;
  }
  if (signature_.has_extra()) return true;  // other equations may still tell: ranks decide
  std::vector<std::string> names;
  for (const Index jet : parts_->tops) names.push_back(system_.name_of(jet));
  if (here.rank < n)
    return fail(
        Verdict::singular, Status::singular_matrix,
        fmt::format("the equations that determine {} have rank {} here, and {} near by: the start "
                    "is a singular point, where solutions may meet, branch or end",
                    names_in_words(names), here.rank, near->rank),
        "start beside it");
  if (here.rank_of_M == conditions) {
    std::vector<std::string> without;
    for (Index j = 0; j < n; ++j)
      if (raised_.d[static_cast<std::size_t>(j)] == 0 && std::abs(here.kernel[1 + j]) > 1e-9)
        without.push_back(system_.unknowns[static_cast<std::size_t>(j)]);
    return fail(
        Verdict::singular, Status::singular_matrix,
        fmt::format("the equations determine no {} at the start, and do so near by: the start is a "
                    "singular point, where {} no bound",
                    names_in_words(without), without.size() == 1 ? "it has" : "they have"),
        "start beside it");
  }
  return fail(Verdict::singular, Status::singular_matrix,
              fmt::format("{} conditions on the state have rank {} here, and {} near by: the start "
                          "is a singular point",
                          conditions, here.rank_of_M, near->rank_of_M),
              "start beside it");
}

// whether the kernel of (f~ | A) moves the state, and not an unknown without derivatives alone
bool Completer::moves_along(const Attempt& attempt) const {
  double size = std::abs(attempt.here.kernel[0]);
  for (Index j = 0; j < system_.n(); ++j)
    if (attempt.raised.d[static_cast<std::size_t>(j)] > 0)
      size = std::max(size, std::abs(attempt.here.kernel[1 + j]));
  return size > 1e-9;
}

// --- results -------------------------------------------------------------------------------------

Index Completer::structural_dimension() const {
  if (!structural_) return -1;
  return static_cast<Index>(parts_->state.size() - 1 - parts_->manifold.size());
}

void Completer::complete_structurally() {
  out_.verdict = Verdict::completed;
  out_.status = Status::ok;
  out_.structural = true;
  out_.c = raised_.c;
  out_.d = raised_.d;
  out_.dimension = structural_dimension();
  take_state(parts_->state, p_);
  take_jets(parts_->state, p_);
  const std::vector<int>& c = signature_.c;
  for (std::size_t e = 0, row = 0; e < system_.equations.size(); ++e) {
    const int rows = out_.c[e] == Signature::absent ? 1 : out_.c[e];  // of this equation in M
    for (int l = 0; l < rows; ++l, ++row)
      if (l > 0 && l < c[e])
        out_.hidden.push_back(
            {parts_->manifold_names[row], row_text(system_, parts_->graph, parts_->manifold[row])});
  }
  if (out_.impasse) {
    out_.notes.push_back(note<notes::starts_at_impasse>());
    return;
  }
  take_jets(parts_->tops, tops_);
  for (Index j = 0; j < tops_.size(); ++j)
    add_number(parts_->tops[static_cast<std::size_t>(j)], tops_[j]);
}

void Completer::structure_alone(const Note& why) {
  out_.index = signature_.index();
  out_.prolongations = out_.index;
  out_.table.clear();
  out_.notes.push_back(why);
  complete_structurally();
}

void Completer::add_number(Index jet, double value) {
  out_.start.push_back(
      {.jet = jet, .name = system_.name_of(jet), .value = value, .given = given(jet)});
}

void Completer::take_state(const std::vector<Index>& state, const Vec& p) {
  out_.state = state;
  out_.p = p;
  for (std::size_t s = 0; s < state.size(); ++s) add_number(state[s], p[static_cast<Index>(s)]);
}

void Completer::take_low(const DerivativeArray& array, const Vec& u) {
  take_state({array.jets().begin(), array.jets().begin() + array.low() + 1},
             u.head(array.low() + 1));
  for (Index j = 0; j < system_.n(); ++j)
    add_number(array.jets()[static_cast<std::size_t>(array.low() + 1 + j)], u[array.low() + 1 + j]);
}

void Completer::take_jets(const std::vector<Index>& jets, const Vec& u) {
  const Index size = *std::max_element(jets.begin(), jets.end()) + 1, had = out_.jets.size();
  if (size > had) {
    out_.jets.conservativeResize(size);
    out_.jets.tail(size - had).setConstant(not_known);
  }
  for (Index c = 0; c < u.size(); ++c) out_.jets[jets[static_cast<std::size_t>(c)]] = u[c];
}

std::string_view name(Completion::Verdict verdict) {
  using Verdict = Completion::Verdict;
  switch (verdict) {
    case Verdict::completed:
      return "completed";
    case Verdict::inconsistent:
      return "inconsistent";
    case Verdict::underdetermined:
      return "underdetermined";
    case Verdict::singular:
      return "singular";
    case Verdict::undecided:
      return "undecided";
  }
  return {};
}

Completion complete(const JetSystem& system, const CompletionOptions& options) {
  return Completer{system, options}.run();
}

}  // namespace taut
