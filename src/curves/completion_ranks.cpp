// SPDX-License-Identifier: BSD-3-Clause
// Completion by ranks of the derivative array.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/dense_decompositions.hpp"
#include "core/notes.hpp"
#include "curves/completer.hpp"
#include "curves/scales.hpp"

namespace taut {

void Completer::judge_ranks() {
  DerivativeArray array{system_, signature_.orders};
  if (array.columns(0) > options_.most_jets) return too_large(array);
  Vec u;
  std::vector<Moves> moves;
  begin_array(array, u, moves);
  Vec known = Vec::Zero(system_.size(std::max(out_.order, 1)));
  for (Index c = 0; c < u.size(); ++c)
    if (const Index jet = array.jets()[static_cast<std::size_t>(c)]; jet < known.size())
      known[jet] = u[c];
  units_ = JetUnits{system_, known};

  const Note unclear = note<notes::rates_too_different>();
  const int patience = std::max(static_cast<int>(system_.n()), std::max(out_.order, 1)) + 1;
  const int most = static_cast<int>(array.low()) + 1 + patience;
  int unchanged = 0;
  ScaledJacobian scaled;
  for (;; array.prolong()) {
    if (array.columns(array.r()) > options_.most_jets) return too_large(array);
    extend(array, u, moves);
    const ConsistentPoint point = consistent_point(array.map(), u, moves, coarse_units(array));
    if (!point.found && certain_) return structure_alone(unclear);
    if (!point.found) return fail_in_array(point, array);
    u = point.u;
    scaled = clearest(array, u);
    if (scaled.J.size() == 0 && certain_) return structure_alone(unclear);
    if (scaled.J.size() == 0)
      return static_cast<void>(fail_without_value("a derivative of an equation"));
    const Completion::Prolongation line = line_of(array, array.r(), scaled.J);
    // the line before it at this point, where what was hidden then holds too
    const Completion::Prolongation before =
        array.r() > 0 ? line_of(array, array.r() - 1, scaled.J) : Completion::Prolongation{};
    unchanged =
        array.r() > 0 && line.distribution == before.distribution && line.freedom == before.freedom
            ? unchanged + 1
            : 0;
    if (unchanged > 0 && line.distribution == 1) break;
    // a theorem bounds the index where the structure is certain
    if (certain_ && array.r() > signature_.index()) break;
    if (unchanged >= patience || array.r() >= most) break;
  }
  fill_table(array, scaled.J);
  if (certain_) {
    if (!table_confirms()) return structure_alone(unclear);
    if (!out_.impasse) take_jets(array.jets(), u);
    return complete_structurally();
  }
  conclude(array, u, scaled, std::move(moves));
}

// the start of the array: that of the structure where there is one, which then stays
void Completer::begin_array(const DerivativeArray& array, Vec& u, std::vector<Moves>& moves) {
  start_of({array.jets().begin(), array.jets().begin() + array.columns(0)}, u, moves);
  if (p_.size() == 0) return;
  const bool settled = structural_ && !out_.impasse;
  const auto put = [&](const std::vector<Index>& jets, const Vec& numbers) {
    for (Index s = 0; s < numbers.size(); ++s)
      for (Index c = 1; c < u.size(); ++c) {
        if (array.jets()[static_cast<std::size_t>(c)] != jets[static_cast<std::size_t>(s)])
          continue;
        u[c] = numbers[s];
        if (structural_)
          moves[static_cast<std::size_t>(c)] = certain_ && settled ? Moves::never : Moves::last;
      }
  };
  put(parts_->state, structural_ && out_.impasse ? beside_impasse() : p_);
  put(parts_->tops, tops_);
}

// derivatives have no bound at an impasse point: ranks are judged a little way along the curve
Vec Completer::beside_impasse() const {
  const Index n = system_.n();
  // the kernel in the numbers of the state, its largest change 3 % of a number
  Vec step = Vec::Zero(p_.size());
  double largest = 0.0;
  for (std::size_t s = 1; s < parts_->state.size(); ++s) {
    const Index jet = parts_->state[s], unknown = (jet - 1) % n, place = static_cast<Index>(s);
    if (jet + n != parts_->tops[static_cast<std::size_t>(unknown)]) continue;
    step[place] = here_.units[1 + unknown] * here_.kernel[1 + unknown];
    largest = std::max(largest, std::abs(step[place]) / std::max(1.0, std::abs(p_[place])));
  }
  if (!(largest > 0.0)) return p_;
  std::vector<Moves> moves(parts_->state.size(), Moves::last);
  moves.front() = Moves::never;
  const ConsistentPoint beside =
      consistent_point(parts_->manifold_map(false), p_ + 0.03 / largest * step, moves);
  return beside.found ? beside.u : p_;
}

void Completer::extend(const DerivativeArray& array, Vec& u, std::vector<Moves>& moves) const {
  const Index had = u.size(), wanted = array.columns(array.r());
  u.conservativeResize(wanted);
  for (Index c = had; c < wanted; ++c) {
    const Index jet = array.jets()[static_cast<std::size_t>(c)];
    const double number = given(jet);
    u[c] = std::isfinite(number) ? number : 0.0;
    moves.push_back(std::isfinite(number) ? Moves::second : Moves::first);
    // what the structure has found stays
    if (!certain_ || out_.impasse) continue;
    const auto put = [&](const std::vector<Index>& jets, const Vec& numbers) {
      const auto place = std::find(jets.begin(), jets.end(), jet);
      if (place == jets.end()) return;
      u[c] = numbers[place - jets.begin()];
      moves.back() = Moves::never;
    };
    put(parts_->state, p_);
    put(parts_->tops, tops_);
  }
}

Vec Completer::coarse_units(const DerivativeArray& array) const {
  Vec units(array.columns(array.r()));
  for (Index c = 0; c < units.size(); ++c)
    units[c] = units_.coarse(array.jets()[static_cast<std::size_t>(c)]);
  return units;
}

std::vector<NamedRow> Completer::rows_of(const DerivativeArray& array) const {
  std::vector<NamedRow> rows;
  for (Index r = 0; r < array.rows(array.r()); ++r)
    rows.push_back({array.row_name(r), row_text(system_, array.graph(), array.node(r))});
  return rows;
}

ScaledJacobian Completer::clearest(DerivativeArray& array, const Vec& u) const {
  ScaledJacobian best;
  double widest = -1.0;
  for (const int shift : {0, 3, -3, 6, -6, 10, -10}) {
    ScaledJacobian scaled = array.scaled_jacobian(u, units_, shift);
    if (scaled.J.size() == 0) continue;
    const ArrayRanks ranks = ranks_of(array, array.r(), scaled.J, options_.independent);
    // rows of a square system with a regular structure are independent
    const bool false_rank =
        certain_ && !signature_.has_extra() && ranks.line.rank != ranks.line.equations;
    const double gap = false_rank ? 0.0 : ranks.gap;
    if (gap > widest) {
      widest = gap;
      best = std::move(scaled);
    }
    if (!false_rank && !ranks.doubtful) break;
  }
  return best;
}

Completion::Prolongation Completer::line_of(const DerivativeArray& array, int r, const Mat& J) {
  const ArrayRanks ranks = ranks_of(array, r, J, options_.independent);
  doubtful_ = doubtful_ || ranks.doubtful;
  return ranks.line;
}

// all lines at the last point, where hidden conditions hold for each r
void Completer::fill_table(const DerivativeArray& array, const Mat& J) {
  doubtful_ = false;
  for (int r = 0; r <= array.r(); ++r) out_.table.push_back(line_of(array, r, J));
  if (doubtful_ && !certain_) out_.notes.push_back(note<notes::rank_uncertain>());
  const auto& table = out_.table;
  const auto one = std::find_if(table.begin(), table.end(),
                                [](const auto& line) { return line.distribution == 1; });
  if (one != table.end()) out_.index = one->r;
  out_.dimension = table.back().freedom;
  // the first r from which nothing changes
  std::size_t first = table.size() - 1;
  while (first > 0 && table[first - 1].distribution == 1 &&
         table[first - 1].freedom == table.back().freedom)
    --first;
  out_.prolongations = static_cast<int>(first);
}

// what the structure proves: dimension, a bound of the index, rows of a square system independent
bool Completer::table_confirms() const {
  const bool square = !signature_.has_extra();
  return !doubtful_ && out_.table.back().distribution == 1 &&
         out_.dimension == structural_dimension() && out_.index <= signature_.index() &&
         std::all_of(out_.table.begin(), out_.table.end(),
                     [&](const auto& line) { return !square || line.rank == line.equations; });
}

void Completer::fail_in_array(const ConsistentPoint& point, DerivativeArray& array) {
  // a contradiction of many derivatives says less than the equation that is not kept
  const bool many =
      (point.residual.array().abs() > 0.02 * point.residual.cwiseAbs().maxCoeff()).count() > 2;
  if (point.finite && point.stationary && many && !broken_.empty()) return not_kept();
  // a contradiction at this x alone?
  std::vector<Moves> moves(static_cast<std::size_t>(point.u.size()), Moves::last);
  moves.front() = Moves::never;
  const Vec units = coarse_units(array), scales = scales_of(array.map(), point.u, units);
  for (unsigned seed = 21; seed < 24 && point.finite && point.stationary; ++seed) {
    Vec u = neighbour(point.u, seed, scales);
    const double beside = u[0];
    if (!consistent_point(array.map(), u, moves, units, scales).found) continue;
    u[0] = point.u[0];
    if (consistent_point(array.map(), u, moves, units, scales).found) break;
    return static_cast<void>(fail(
        Verdict::singular, Status::singular_matrix,
        fmt::format("{}; at {} = {:.6g} all of them can: the start is a singular point",
                    contradiction(rows_of(array), point.residual), system_.independent, beside),
        fmt::format("start beside it, or with other values, for which all of them hold at "
                    "{} = {:.6g}",
                    system_.independent, u[0])));
  }
  fail_at_point(point, rows_of(array));
}

void Completer::not_kept() {
  fail(
      Verdict::inconsistent, Status::constraints_contradict,
      fmt::format("{} {} not kept by the other equations, and has to be, at all {}",
                  names_in_words(broken_), broken_.size() == 1 ? "is" : "are", system_.independent),
      "remove what is no invariant of the others, or correct it or one of them");
}

void Completer::conclude(DerivativeArray& array, const Vec& u, const ScaledJacobian& J,
                         std::vector<Moves> moves) {
  const Completion::Prolongation here = out_.table.back();
  for (Moves& each : moves)
    if (each != Moves::never) each = Moves::last;
  const Vec units = coarse_units(array), scales = scales_of(array.map(), u, units);
  ConsistentPoint near;
  bool stationary = true;
  for (unsigned seed = 21; seed < 26 && !near.found; ++seed) {
    near = consistent_point(array.map(), neighbour(u, seed, scales), moves, units, scales);
    stationary = stationary && near.finite && near.stationary;
  }
  // equations that hold at this x, and not beside it
  if (!near.found && stationary && !broken_.empty()) return not_kept();
  if (!near.found)
    out_.notes.push_back(
        note<notes::no_point_near_by>(array.r(), system_.independent, double{u[0]}));
  ScaledJacobian J_near = near.found ? clearest(array, near.u) : ScaledJacobian{};
  if (J_near.J.size() == 0) J_near = J;
  const Completion::Prolongation there = line_of(array, array.r(), J_near.J);

  if (structural_ && out_.dimension == structural_dimension() && here.distribution == 1) {
    if (!out_.impasse) take_jets(array.jets(), u);
    return complete_structurally();
  }
  take_jets(array.jets(), u);
  if (there.rank != here.rank || there.distribution != here.distribution) {
    take_low(array, u);
    return static_cast<void>(
        fail(Verdict::singular, Status::singular_matrix,
             fmt::format("the equations and {} derivatives of them have rank {} here, and {} "
                         "near by; the distribution has dimension {} here, and {} near by: the "
                         "start is a singular point, where solutions may meet, branch or end",
                         array.r(), here.rank, there.rank, here.distribution, there.distribution),
             "start beside it"));
  }
  if (here.distribution > 1) return underdetermined(array, J.J, here);
  out_.verdict = Verdict::completed;
  out_.status = Status::ok;
  take_low(array, u);
  out_.hidden =
      hidden_conditions(system_, array, out_.prolongations, J, J_near, options_.independent);
}

void Completer::underdetermined(const DerivativeArray& array, const Mat& J,
                                const Completion::Prolongation& line) {
  const Index low = array.low(), n = system_.n();
  const Mat kernel = least_squares(J.rightCols(J.cols() - low).transpose(),
                                   Vec::Zero(J.cols() - low), options_.independent)
                         .complement;
  for (Index j = 0; j < n; ++j)
    if (kernel.row(j).norm() > 1e-6)
      out_.free.push_back(system_.name_of(array.jets()[static_cast<std::size_t>(1 + low + j)]));
  const Index missing = line.distribution - 1;
  fail(Verdict::underdetermined, Status::singular_matrix,
       fmt::format("distribution of dimension {}: nothing determines {}{}; {} derivatives of the "
                   "equations change nothing about it",
                   line.distribution, names_in_words(out_.free),
                   out_.free.size() > static_cast<std::size_t>(missing)
                       ? fmt::format(" apart from one another ({} condition{} missing)", missing,
                                     missing == 1 ? " is" : "s are")
                       : "",
                   array.r()),
       fmt::format("state {} more equation{}, or do not make {} unknown", missing,
                   missing == 1 ? "" : "s", out_.free.size() == 1 ? "it" : "all of them"));
}

void Completer::too_large(const DerivativeArray& array) {
  if (certain_) return structure_alone(note<notes::too_many_jets>(array.columns(array.r())));
  fail(Verdict::undecided, Status::not_supported,
       fmt::format("the structure of the equations does not tell, and {} derivatives of them have "
                   "{} jets: ranks are judged for {} at most",
                   array.r(), array.columns(array.r()), options_.most_jets),
       "complete a smaller system of the same kind");
}

}  // namespace taut
