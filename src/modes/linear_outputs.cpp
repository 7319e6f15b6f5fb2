// SPDX-License-Identifier: BSD-3-Clause
#include "modes/linear_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "modes/derived_systems.hpp"
#include "readings/base_of.hpp"

namespace taut {

LinearOutputs::LinearOutputs(const LinearPoint& point, const PreparedModel& prepared,
                             const std::vector<std::string>& asked, Problems& problems)
    : point_{point} {
  using Of = Term::Of;
  const Structure& structure = point.system.structure();
  const std::optional<System> shown = prepared.compiled.system.quantities();
  std::map<std::string, Term> known;
  std::map<std::string, int> quantities;
  std::vector<std::string> all;
  const auto claim = [&](const std::string& name, Of of, Index index) {
    if (known.try_emplace(name, Term{.output = 0, .of = of, .index = index}).second)
      all.push_back(name);
  };
  for (Index i = 0; i < structure.nq; ++i) {
    const auto k = static_cast<std::size_t>(i);
    claim(structure.velocities[k], Of::v, i);
    if (i >= structure.places()) {
      claim(fmt::format("rate({})", structure.velocities[k]), Of::a, i);
      continue;
    }
    claim(structure.coordinates[k], Of::q, i);
    claim(fmt::format("a({})", structure.coordinates[k]), Of::a, i);
  }
  for (std::size_t r = 0; r < structure.rows.size(); ++r) {
    claim(structure.rows[r].name, Of::lambda, static_cast<Index>(r));
    claim(fmt::format("lambda({})", structure.rows[r].name), Of::lambda, static_cast<Index>(r));
  }
  std::vector<std::string> stated;
  if (shown) {
    const std::vector<Observable>& list = shown->structure().observables;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (known.contains(list[k].name)) continue;
      if (quantities.try_emplace(list[k].name, static_cast<int>(k)).second)
        all.push_back(list[k].name);
      if (list[k].kind == Observable::Kind::output) stated.push_back(list[k].name);
    }
  }
  std::vector<std::string> wanted = asked;
  if (wanted.empty()) wanted = !stated.empty() ? stated : structure.place_names();
  if (wanted.empty()) wanted = structure.state_names();

  std::map<int, Index> output_of;
  std::vector<bool> needed(shown ? shown->structure().observables.size() : 0, false);
  for (const std::string& name : wanted) {
    const auto number = static_cast<Index>(names_.size());
    if (const auto found = known.find(name); found != known.end()) {
      Term term = found->second;
      term.output = number;
      terms_.push_back(term);
    } else if (const auto quantity = quantities.find(name); quantity != quantities.end()) {
      output_of[quantity->second] = number;
      needed[static_cast<std::size_t>(quantity->second)] = true;
    } else {
      const std::string near = nearest_name(name, all);
      problems.add({}, "output " + name, "the motion has no number of this name",
                   near.empty() ? fmt::format("there are: {}", fmt::join(all, ", "))
                                : fmt::format("did you mean '{}'?", near));
      continue;
    }
    names_.push_back(name);
  }
  if (output_of.empty()) return;
  std::vector<QuantityDerivative> derivatives;
  const State& at = point.state;
  if (quantity_derivatives(
          *shown, needed,
          {.t = at.t, .q = at.q, .v = at.v, .a = &point.a, .lambda = &point.all_rows},
          derivatives) != Status::ok)
    problems.add({}, "outputs", "an output has no derivative here", "leave it out");
  for (const QuantityDerivative& d : derivatives)
    if (const auto output = output_of.find(d.quantity); output != output_of.end())
      terms_.push_back({.output = output->second,
                        .of = static_cast<Of>(d.by),
                        .index = d.index,
                        .value = d.value});
}

Status LinearOutputs::multipliers(const Mat& dq, const Mat& dv, const Mat& dlambda,
                                  Mat& all) const {
  const std::vector<Row>& rows = point_.system.structure().rows;
  all.resize(static_cast<Index>(rows.size()), dq.cols());
  Mat stretch, rate;
  std::vector<Row> below;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto i = static_cast<Index>(r);
    if (rows[r].equation >= 0) {
      all.row(i) = dlambda.row(rows[r].equation);
      continue;
    }
    // lambda = (g + d g') / C of springs in the place of rows
    if (stretch.size() == 0) {
      const System base = base_of(point_.system);
      below = base.structure().rows;
      Evaluation ev;
      base.prepare(ev);
      const State& at = point_.state;
      if (const Status st =
              base.evaluate(needs(Target::constraint_jacobian, Target::velocity_jacobian),
                            {.t = at.t, .q = at.q, .v = at.v}, ev);
          st != Status::ok)
        return st;
      stretch = ev.G * dq;
      rate = ev.G * dv + ev.N * dq;
    }
    const Index row = below[r].equation;
    all.row(i) = (stretch.row(row) + rows[r].damping * rate.row(row)) / rows[r].compliance;
  }
  return Status::ok;
}

Status LinearOutputs::changes(const Mat& dq, const Mat& dv, const Mat& da, const Mat& dlambda,
                              Mat& y) const {
  y = Mat::Zero(static_cast<Index>(names_.size()), dq.cols());
  Mat all;
  for (const Term& term : terms_) {
    switch (term.of) {
      case Term::Of::q:
        y.row(term.output) += term.value * dq.row(term.index);
        break;
      case Term::Of::v:
        y.row(term.output) += term.value * dv.row(term.index);
        break;
      case Term::Of::a:
        y.row(term.output) += term.value * da.row(term.index);
        break;
      case Term::Of::lambda:
        if (all.size() == 0)
          if (const Status st = multipliers(dq, dv, dlambda, all); st != Status::ok) return st;
        y.row(term.output) += term.value * all.row(term.index);
        break;
      case Term::Of::input:
        break;
    }
  }
  return y.allFinite() ? Status::ok : Status::non_finite;
}

Status LinearOutputs::rows(Sparse& Yq, Sparse& Yv, Sparse& Ya, Sparse& Yl) const {
  const Structure& structure = point_.system.structure();
  std::vector<Eigen::Triplet<double>> q, v, a, lambda;
  Evaluation ev;
  std::vector<Row> below;
  for (const Term& term : terms_) {
    const auto output = static_cast<int>(term.output), index = static_cast<int>(term.index);
    if (term.of == Term::Of::q) q.emplace_back(output, index, term.value);
    if (term.of == Term::Of::v) v.emplace_back(output, index, term.value);
    if (term.of == Term::Of::a) a.emplace_back(output, index, term.value);
    if (term.of != Term::Of::lambda) continue;
    const Row& row = structure.rows[static_cast<std::size_t>(term.index)];
    if (row.equation >= 0) {
      lambda.emplace_back(output, row.equation, term.value);
      continue;
    }
    // lambda = (g + d g') / C of springs in the place of rows
    if (below.empty()) {
      const System base = base_of(point_.system);
      below = base.structure().rows;
      base.prepare(ev);
      const State& at = point_.state;
      if (const Status st =
              base.evaluate(needs(Target::constraint_jacobian, Target::velocity_jacobian),
                            {.t = at.t, .q = at.q, .v = at.v}, ev);
          st != Status::ok)
        return st;
    }
    const Index r = below[static_cast<std::size_t>(term.index)].equation;
    const double factor = term.value / row.compliance;
    for (Sparse::InnerIterator it{ev.G, r}; it; ++it) {
      q.emplace_back(output, static_cast<int>(it.col()), factor * it.value());
      v.emplace_back(output, static_cast<int>(it.col()), factor * row.damping * it.value());
    }
    for (Sparse::InnerIterator it{ev.N, r}; it; ++it)
      q.emplace_back(output, static_cast<int>(it.col()), factor * row.damping * it.value());
  }
  const auto fill = [&](Sparse& Y, const std::vector<Eigen::Triplet<double>>& from, Index columns) {
    Y.resize(static_cast<Index>(names_.size()), columns);
    Y.setFromTriplets(from.begin(), from.end());
  };
  fill(Yq, q, structure.nq);
  fill(Yv, v, structure.nq);
  fill(Ya, a, structure.nq);
  fill(Yl, lambda, structure.nc);
  return Status::ok;
}

Mat LinearOutputs::of_inputs(const LinearInputs& inputs) const {
  Mat direct =
      Mat::Zero(static_cast<Index>(names_.size()), static_cast<Index>(inputs.numbers().size()));
  for (const Term& term : terms_)
    for (std::size_t k = 0; term.of == Term::Of::input && k < inputs.numbers().size(); ++k)
      if (inputs.numbers()[k] == term.index)
        direct(term.output, static_cast<Index>(k)) += term.value;
  return direct;
}

}  // namespace taut
