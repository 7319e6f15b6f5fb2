// SPDX-License-Identifier: BSD-3-Clause
#include "taut/jets/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "../core/dense_decompositions.hpp"
#include "completion_words.hpp"
#include "consistent_point.hpp"
#include "signature.hpp"
#include "structural_rows.hpp"

namespace taut {
namespace {

using Verdict = Completion::Verdict;
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

class Completer {
 public:
  Completer(const JetSystem& system, const CompletionOptions& options)
      : system_{system}, options_{options} {}

  Completion run() {
    if (!may_begin()) return std::move(out_);
    signature_ = Signature::of(system_);
    out_.order = *std::max_element(signature_.orders.begin(), signature_.orders.end());
    if (signature_.regular && !judge_structure()) return std::move(out_);
    judge_ranks();
    return std::move(out_);
  }

 private:
  /// A point of a derivative array, and its scaled Jacobian there.
  struct ArrayPoint {
    Vec u;
    Mat J;
  };

  // a point beside u, at another x too: coefficients may vanish at this one
  static Vec neighbour(const Vec& u, unsigned seed) {
    Vec near = by_chance(u, 0.03, seed);
    near[0] += 0.01 * std::max(1.0, std::abs(u[0]));
    return near;
  }

  bool may_begin() {
    if (system_.unknowns.empty() || system_.equations.empty())
      return fail(Verdict::undecided, Status::not_supported,
                  fmt::format("{} unknowns and {} equations: there is nothing to complete",
                              system_.unknowns.size(), system_.equations.size()),
                  "state unknowns and an equation for each of them");
    return true;
  }

  bool fail(Verdict verdict, Status status, std::string reason, std::string remedy) {
    out_.verdict = verdict;
    out_.status = status;
    out_.reason = std::move(reason);
    out_.remedy = std::move(remedy);
    return false;
  }

  [[nodiscard]] double given(Index jet) const {
    if (jet < system_.given.size() && std::isfinite(system_.given[jet])) return system_.given[jet];
    return not_known;
  }

  // stated numbers, 0 where none is, and what moves when
  void start_of(const std::vector<Index>& jets, Vec& u, std::vector<Moves>& moves) const {
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

  bool fail_at_point(const ConsistentPoint& point, const std::vector<NamedRow>& rows) {
    if (!point.finite) {
      std::string which = "a coefficient of a derivative";
      for (Index r = point.residual.size() - 1; r >= 0; --r)
        if (!std::isfinite(point.residual[r])) which = rows[static_cast<std::size_t>(r)].name;
      return fail(Verdict::undecided, Status::non_finite,
                  fmt::format("{} is not finite at the start", which),
                  "start where all formulas have a value, and state values for all unknowns");
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

  // --- structure ---------------------------------------------------------------------------------

  // false when the end is reached already
  bool judge_structure() {
    raised_ = signature_;
    parts_.emplace(system_, raised_.c, raised_.d);
    // derivatives are affine in the highest derivatives: this ends
    while (std::find(parts_->bent.begin(), parts_->bent.end(), true) != parts_->bent.end()) {
      raised_.raise(parts_->bent);
      parts_.emplace(system_, raised_.c, raised_.d);
    }
    if (!parts_->closed) {
      parts_.reset();
      return true;
    }
    const JetRows manifold = parts_->manifold_map(false);
    Vec u;
    std::vector<Moves> moves;
    start_of(parts_->state, u, moves);
    const ConsistentPoint point = consistent_point(manifold, u, moves);
    if (!point.found) {
      std::vector<NamedRow> rows;
      for (std::size_t r = 0; r < parts_->manifold.size(); ++r)
        rows.push_back(
            {parts_->manifold_names[r], row_text(system_, parts_->graph, parts_->manifold[r])});
      return fail_at_point(point, rows);
    }
    p_ = point.u;
    const StructuralPoint here = structural_point(*parts_, p_, options_.independent);
    const Index n = system_.n();
    const bool one_here = here.rank == n && here.rank_of_M == manifold.rows();
    if (one_here && here.rank_of_A == n) {
      structural_ = true;
      tops_ = -least_squares(here.rows.rightCols(n), here.rows.col(0), 1e-12).x;
      return true;
    }
    // an impasse point, a singular point, or does the structure not tell?
    const std::optional<StructuralPoint> near = structural_neighbour(manifold, moves);
    if (!near || near->rank_of_A < n || near->rank_of_M < manifold.rows()) return true;
    if (one_here && moves_along(here)) {
      structural_ = out_.impasse = true;
      return true;
    }
    if (here.rank < n)
      fail(Verdict::singular, Status::singular_matrix,
           fmt::format("the equations that determine {} have rank {} here, and {} near by: the "
                       "start is a singular point, where solutions may meet, branch or end",
                       tops_in_words(), here.rank, near->rank),
           "start beside it");
    else
      fail(Verdict::singular, Status::singular_matrix,
           fmt::format("{} conditions on the state have rank {} here, and {} near by: the start is "
                       "a singular point",
                       manifold.rows(), here.rank_of_M, near->rank_of_M),
           "start beside it");
    take_state(parts_->state, p_);
    return false;
  }

  // the kernel of (f~ | A) is not one of unknowns without derivatives alone
  [[nodiscard]] bool moves_along(const StructuralPoint& here) const {
    const Mat kernel = orthogonal_complement(here.rows.transpose());
    double size = std::abs(kernel(0, 0));
    for (Index j = 0; j < system_.n(); ++j)
      if (raised_.d[static_cast<std::size_t>(j)] > 0)
        size = std::max(size, std::abs(kernel(1 + j, 0)));
    return size > 1e-9;
  }

  [[nodiscard]] std::string tops_in_words() const {
    std::vector<std::string> names;
    for (const Index jet : parts_->tops) names.push_back(system_.name_of(jet));
    return names_in_words(names);
  }

  [[nodiscard]] std::optional<StructuralPoint> structural_neighbour(
      const JetRows& manifold, std::vector<Moves> moves) const {
    for (Moves& each : moves)
      if (each != Moves::never) each = Moves::last;
    for (unsigned seed = 11; seed < 16; ++seed) {
      const ConsistentPoint near = consistent_point(manifold, neighbour(p_, seed), moves);
      if (near.found) return structural_point(*parts_, near.u, options_.independent);
    }
    return std::nullopt;
  }

  // --- ranks of the derivative array -------------------------------------------------------------

  void judge_ranks() {
    DerivativeArray array{system_, signature_.orders};
    ArrayPoint at;
    std::vector<Moves> moves;
    begin_array(array, at.u, moves);
    const int patience = std::max(static_cast<int>(system_.n()), std::max(out_.order, 1)) + 1;
    const int most = static_cast<int>(array.low()) + 1 + patience;
    int unchanged = 0;
    for (;; array.prolong()) {
      if (array.columns(array.r()) > options_.most_jets) return too_large(array);
      extend(array, at.u, moves);
      const ConsistentPoint point = consistent_point(array.map(), at.u, moves);
      if (!point.found) {
        if (structural_ && !has_extra())
          return structure_alone("the derivatives of the equations were not found");
        return static_cast<void>(fail_at_point(point, rows_of(array)));
      }
      at.u = point.u;
      at.J = array.scaled_jacobian(at.u);
      if (at.J.size() == 0)
        return static_cast<void>(fail(Verdict::undecided, Status::non_finite,
                                      "a derivative of an equation is not finite at the start",
                                      "start where all derivatives have a value"));
      const Completion::Prolongation line = line_of(array, array.r(), at.J);
      // the line before it at this point, where what was hidden then holds too
      const Completion::Prolongation before =
          array.r() > 0 ? line_of(array, array.r() - 1, at.J) : Completion::Prolongation{};
      unchanged = array.r() > 0 && line.distribution == before.distribution &&
                          line.freedom == before.freedom
                      ? unchanged + 1
                      : 0;
      if (unchanged > 0 && line.distribution == 1) break;
      if (unchanged >= patience || array.r() >= most) break;
    }
    fill_table(array, at.J);
    conclude(array, at, moves);
  }

  // the start of the array: that of the structure where there is one, which then stays
  void begin_array(const DerivativeArray& array, Vec& u, std::vector<Moves>& moves) {
    known_ = Vec::Constant(system_.size(out_.order + 2), not_known);
    if (p_.size() > 0) {
      Vec p = p_;
      if (structural_ && out_.impasse) p = beside_impasse();
      for (std::size_t s = 0; s < parts_->state.size(); ++s)
        if (parts_->state[s] < known_.size()) known_[parts_->state[s]] = p[static_cast<Index>(s)];
    }
    start_of({array.jets().begin(), array.jets().begin() + array.columns(0)}, u, moves);
    for (Index c = 1; c < u.size(); ++c) {
      const Index jet = array.jets()[static_cast<std::size_t>(c)];
      if (jet >= known_.size() || !std::isfinite(known_[jet])) continue;
      u[c] = known_[jet];
      if (structural_) moves[static_cast<std::size_t>(c)] = Moves::last;
    }
  }

  // derivatives have no bound at an impasse point: ranks are judged a little way along the curve
  [[nodiscard]] Vec beside_impasse() const {
    const JetRows manifold = parts_->manifold_map(false);
    const StructuralPoint here = structural_point(*parts_, p_, options_.independent);
    const Mat kernel = orthogonal_complement(here.rows.transpose());
    Vec p = p_;
    const Index n = system_.n();
    for (std::size_t s = 1; s < parts_->state.size(); ++s) {
      const Index jet = parts_->state[s], unknown = (jet - 1) % n;
      if (jet + n == parts_->tops[static_cast<std::size_t>(unknown)])
        p[static_cast<Index>(s)] +=
            0.03 * std::max(1.0, std::abs(p[static_cast<Index>(s)])) * kernel(1 + unknown, 0);
    }
    std::vector<Moves> moves(parts_->state.size(), Moves::last);
    moves.front() = Moves::never;
    const ConsistentPoint beside = consistent_point(manifold, p, moves);
    return beside.found ? beside.u : p_;
  }

  void extend(const DerivativeArray& array, Vec& u, std::vector<Moves>& moves) const {
    const Index had = u.size(), wanted = array.columns(array.r());
    u.conservativeResize(wanted);
    for (Index c = had; c < wanted; ++c) {
      const double number = given(array.jets()[static_cast<std::size_t>(c)]);
      u[c] = std::isfinite(number) ? number : 0.0;
      moves.push_back(std::isfinite(number) ? Moves::second : Moves::first);
    }
  }

  [[nodiscard]] std::vector<NamedRow> rows_of(const DerivativeArray& array) const {
    std::vector<NamedRow> rows;
    for (Index r = 0; r < array.rows(array.r()); ++r)
      rows.push_back({array.row_name(r), row_text(system_, array.graph(), array.node(r))});
    return rows;
  }

  Completion::Prolongation line_of(const DerivativeArray& array, int r, const Mat& J) {
    const ArrayRanks ranks = ranks_of(array, r, J, options_.independent);
    doubtful_ = doubtful_ || ranks.doubtful;
    return ranks.line;
  }

  // all lines at the last point, where hidden conditions hold for each r
  void fill_table(const DerivativeArray& array, const Mat& J) {
    doubtful_ = false;
    for (int r = 0; r <= array.r(); ++r) out_.table.push_back(line_of(array, r, J));
    if (doubtful_)
      out_.notes.emplace_back(
          "a rank is uncertain: some numbers are neither clearly zero nor clearly not");
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

  void conclude(DerivativeArray& array, const ArrayPoint& at, std::vector<Moves> moves) {
    const Completion::Prolongation here = out_.table.back();
    for (Moves& each : moves)
      if (each != Moves::never) each = Moves::last;
    ConsistentPoint near;
    for (unsigned seed = 21; seed < 26 && !near.found; ++seed)
      near = consistent_point(array.map(), neighbour(at.u, seed), moves);
    const Mat J_near = near.found ? array.scaled_jacobian(near.u) : Mat{};
    const Completion::Prolongation there =
        J_near.size() > 0 ? line_of(array, array.r(), J_near) : here;

    take_jets(array, at.u);
    const bool square_count = out_.dimension == structural_dimension();
    if (structural_ && square_count && here.distribution == 1) return complete_structurally();
    if (there.rank != here.rank || there.distribution != here.distribution) {
      take_low(array, at.u);
      return static_cast<void>(
          fail(Verdict::singular, Status::singular_matrix,
               fmt::format("the equations and {} derivatives of them have rank {} here, and {} "
                           "near by; the distribution has dimension {} here, and {} near by: the "
                           "start is a singular point, where solutions may meet, branch or end",
                           array.r(), here.rank, there.rank, here.distribution, there.distribution),
               "start beside it"));
    }
    if (here.distribution > 1) return underdetermined(array, at.J, here);
    out_.verdict = Verdict::completed;
    out_.status = Status::ok;
    take_low(array, at.u);
    out_.hidden = hidden_conditions(system_, array, out_.prolongations, at.u,
                                    near.found ? near.u : at.u, options_.independent);
  }

  void underdetermined(const DerivativeArray& array, const Mat& J,
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

  // equations that are conditions only: that they are kept is not certain from the structure
  [[nodiscard]] bool has_extra() const {
    return std::find(signature_.c.begin(), signature_.c.end(), Signature::absent) !=
           signature_.c.end();
  }

  // --- results -----------------------------------------------------------------------------------

  [[nodiscard]] Index structural_dimension() const {
    if (!structural_) return -1;
    return static_cast<Index>(parts_->state.size() - 1 - parts_->manifold.size());
  }

  void complete_structurally() {
    out_.verdict = Verdict::completed;
    out_.status = Status::ok;
    out_.structural = true;
    out_.c = raised_.c;
    out_.d = raised_.d;
    out_.dimension = structural_dimension();
    take_state(parts_->state, p_);
    const std::vector<int>& c = signature_.c;
    for (std::size_t e = 0, row = 0; e < system_.equations.size(); ++e) {
      const int rows = out_.c[e] == Signature::absent ? 1 : out_.c[e];  // of this equation in M
      for (int l = 0; l < rows; ++l, ++row)
        if (l > 0 && l < c[e])
          out_.hidden.push_back({parts_->manifold_names[row],
                                 row_text(system_, parts_->graph, parts_->manifold[row])});
    }
    if (out_.impasse) {
      out_.notes.emplace_back(
          "the start is an impasse point: the curve goes on, with dx/ds = 0 there; the table is "
          "that of a point beside it");
      return;
    }
    for (Index j = 0; j < tops_.size(); ++j)
      add_number(parts_->tops[static_cast<std::size_t>(j)], tops_[j]);
  }

  void structure_alone(const std::string& why) {
    const std::vector<int>& c = signature_.c;
    out_.index = *std::max_element(c.begin(), c.end()) +
                 (std::find(signature_.d.begin(), signature_.d.end(), 0) != signature_.d.end());
    out_.prolongations = out_.index;
    out_.table.clear();
    out_.notes.push_back(why + ": index and dimension are those of the structure");
    complete_structurally();
  }

  void too_large(const DerivativeArray& array) {
    if (structural_ && !has_extra())
      return structure_alone(
          fmt::format("{} jets are more than ranks are judged for", array.columns(array.r())));
    fail(
        Verdict::undecided, Status::not_supported,
        fmt::format("the structure of the equations does not tell, and {} derivatives of them have "
                    "{} jets: ranks are judged for {} at most",
                    array.r(), array.columns(array.r()), options_.most_jets),
        "complete a smaller system of the same kind");
  }

  void add_number(Index jet, double value) {
    out_.start.push_back(
        {.jet = jet, .name = system_.name_of(jet), .value = value, .given = given(jet)});
  }

  void take_state(const std::vector<Index>& state, const Vec& p) {
    out_.state = state;
    out_.p = p;
    for (std::size_t s = 0; s < state.size(); ++s) add_number(state[s], p[static_cast<Index>(s)]);
  }

  void take_low(const DerivativeArray& array, const Vec& u) {
    take_state({array.jets().begin(), array.jets().begin() + array.low() + 1},
               u.head(array.low() + 1));
    for (Index j = 0; j < system_.n(); ++j)
      add_number(array.jets()[static_cast<std::size_t>(array.low() + 1 + j)],
                 u[array.low() + 1 + j]);
  }

  void take_jets(const DerivativeArray& array, const Vec& u) {
    const Index highest = *std::max_element(array.jets().begin(), array.jets().end());
    out_.jets = Vec::Constant(highest + 1, not_known);
    for (Index c = 0; c < u.size(); ++c)
      out_.jets[array.jets()[static_cast<std::size_t>(c)]] = u[c];
  }

  const JetSystem& system_;
  CompletionOptions options_;
  Completion out_;
  Signature signature_, raised_;
  std::optional<StructuralRows> parts_;
  bool structural_ = false, doubtful_ = false;
  Vec p_, tops_;  // the point of (3), and the highest derivatives there
  Vec known_;     // jets by number that the structure has found
};

}  // namespace

std::string_view name(Completion::Verdict verdict) {
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
