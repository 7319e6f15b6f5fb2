// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/choose_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "core/notes.hpp"
#include "curves/curve_features.hpp"
#include "run/curve_watch.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

CurveForm make_form(const JetSystem& system, const FormChoice& choice, FormKind kind,
                    DistributionMethod distribution) {
  if (kind == FormKind::general) return general_form(system, distribution);
  if (kind == FormKind::invariants) return invariants_form(system, distribution);
  return completed_form(system, *choice.completion, distribution);
}

// whether there can be no curve, whatever its form
bool hopeless(const Completion& completion) {
  return completion.verdict == Completion::Verdict::inconsistent ||
         completion.verdict == Completion::Verdict::underdetermined;
}

void refuse(const Completion& completion, FormChoice& choice) {
  choice.status = completion.status;
  choice.message = completion.reason;
  choice.remedy = completion.remedy;
}

// of those that are not completed: the one with fewest coordinates
void choose_stated(const JetSystem& system, DistributionMethod distribution, FormChoice& choice) {
  const bool judged = choice.completion->completed();
  choice.kind = FormKind::invariants;
  choice.form = invariants_form(system, distribution);
  const std::string unjudged = judged ? std::string{} : choice.completion->reason;
  choice.reason = note<notes::form_linear>(unjudged);
  if (!choice.form.reason.empty()) {
    choice.reason = note<notes::form_not_invariants>(choice.form.reason, unjudged);
    choice.kind = FormKind::general;
    choice.form = general_form(system, distribution);
  }
  // unknowns whose highest derivatives no equation has, as multipliers of index 1
  if (!choice.form.reason.empty() && judged) {
    CurveForm completed = completed_form(system, *choice.completion, distribution);
    if (completed.reason.empty()) {
      choice.reason = note<notes::form_not_stated>(choice.form.reason);
      choice.kind = FormKind::completed;
      choice.form = std::move(completed);
    }
  }
}

// index 2 and more: the equations and their first derivatives do not determine a direction
bool only_completed(const Completion& completion) {
  return completion.completed() && completion.index >= 2;
}

// all jets that a completion has found, as a point of a curve
Vec completed_point(const JetSystem& system, const Completion& completion, const Curve& curve) {
  JetSystem found;
  found.independent = system.independent;
  found.unknowns = system.unknowns;
  found.given = completion.jets;
  return given_point(found, curve.structure());
}

// stated numbers that are no coordinates: the curve has others
void say_what_differs(const JetSystem& system, const CurveStructure& structure, CurveStart& start) {
  const auto place = [&](Index jet) {
    const auto& names = structure.coordinates;
    const auto found = std::find(names.begin(), names.end(), system.name_of(jet));
    return found == names.end() ? Index{-1} : static_cast<Index>(found - names.begin());
  };
  for (Index jet = 1; jet < system.given.size(); ++jet) {
    const double given = system.given[jet];
    if (!std::isfinite(given) || place(jet) >= 0) continue;
    double value = given;
    for (const auto& [name, number] : start.unknowns)
      if (name == system.name_of(jet)) value = number;
    if (jet > system.n())
      if (const Index below = place(jet - system.n()); below >= 0 && start.V[0] != 0.0)
        value = start.V[below] / start.V[0];
    constexpr double rounding = 1e-10;
    if (std::abs(value - given) > rounding * std::max({1.0, std::abs(given), std::abs(value)}))
      start.moved.emplace_back(system.name_of(jet), value - given);
  }
}

void find_start(const JetSystem& system, FormChoice& choice) {
  const Curve& curve = choice.form.curve;
  const Vec given = given_point(system, curve.structure());
  const bool found = choice.completion && choice.completion->completed();
  choice.start = found
                     ? curve_start(curve, given, completed_point(system, *choice.completion, curve))
                     : curve_start(curve, given);
  if (choice.start.status != Status::ok) return;
  if (found && choice.kind == FormKind::completed) {
    CompletedUnknowns others{system, *choice.completion};
    Vec values;
    if (others(choice.start.p, values) == Status::ok)
      for (std::size_t i = 0; i < others.names().size(); ++i)
        choice.start.unknowns.emplace_back(others.names()[i], values[static_cast<Index>(i)]);
  }
  say_what_differs(system, curve.structure(), choice.start);
}

FormChoice choose_smooth(const JetSystem& system, FormKind kind, DistributionMethod distribution);

}  // namespace

std::string_view name(FormKind kind) {
  switch (kind) {
    case FormKind::general:
      return "general";
    case FormKind::invariants:
      return "invariants";
    case FormKind::completed:
      return "completed";
    case FormKind::automatic:
      break;
  }
  return "automatic";
}

namespace {

// with switches as they are written, or without any
FormChoice choose_smooth(const JetSystem& system, FormKind kind, DistributionMethod distribution) {
  FormChoice choice;
  choice.kind = kind;
  const Completion& completion = choice.completion.emplace(complete(system));
  const bool stated = kind == FormKind::general || kind == FormKind::invariants;
  if (!stated &&
      (hopeless(completion) || (kind == FormKind::completed && !completion.completed()))) {
    refuse(completion, choice);
    return choice;
  }
  if (stated && only_completed(completion)) {
    choice.status = Status::not_supported;
    choice.message = fmt::format(
        "the equations have index {}: as they are stated they determine no direction, which the "
        "form '{}' needs",
        completion.index, name(kind));
    choice.remedy = worded("leave <<form>> out, or ask for <<form: completed>>");
    return choice;
  }
  if (kind == FormKind::automatic && completion.completed() &&
      (!completion.hidden.empty() || only_completed(completion))) {
    choice.kind = FormKind::completed;
    const std::vector<Completion::Hidden>& hidden = completion.hidden;
    const std::string first = hidden.empty() ? std::string{} : hidden.front().name;
    choice.reason = hidden.size() > 1 ? note<notes::form_of_index_with_more>(
                                            completion.index, first, hidden.size() - 1)
                                      : note<notes::form_of_index>(completion.index, first);
  }
  if (choice.kind == FormKind::automatic)
    choose_stated(system, distribution, choice);
  else
    choice.form = make_form(system, choice, choice.kind, distribution);
  if (!choice.form.reason.empty()) {
    if (!stated && completion.status == Status::non_finite) {
      refuse(completion, choice);
      return choice;
    }
    choice.status = Status::not_supported;
    choice.message = choice.form.reason;
    choice.remedy = worded("choose another <<form>> or <<distribution>>, or leave both out");
    return choice;
  }

  find_start(system, choice);
  // equations that are complete and yet have no direction as they are stated
  if (choice.start.status != Status::ok && kind == FormKind::automatic &&
      choice.kind != FormKind::completed && choice.completion->completed()) {
    CurveForm completed = completed_form(system, *choice.completion, distribution);
    if (completed.reason.empty()) {
      choice.reason = note<notes::form_not_stated>(choice.start.reason);
      choice.kind = FormKind::completed;
      choice.form = std::move(completed);
      find_start(system, choice);
    }
  }
  choice.status = choice.start.status;
  choice.message = choice.start.reason;
  // derivatives of equations may have no value where the equations themselves have one
  if (choice.status != Status::ok && !stated && completion.status == Status::non_finite)
    refuse(completion, choice);
  else if (choice.status != Status::ok)
    choice.remedy = "run 'taut complete' on the model: it finds what a start has to satisfy";
  return choice;
}

std::shared_ptr<CompletedUnknowns> unknowns_beside(const JetSystem& system,
                                                   const FormChoice& choice) {
  if (choice.kind != FormKind::completed || !choice.completion) return nullptr;
  return std::make_shared<CompletedUnknowns>(system, *choice.completion);
}

// the sides that guards ask for at the start of a choice; one that is at its border stays
std::vector<double> sides_at(const CurveFeatures& features, const FormChoice& choice,
                             const std::vector<double>& before) {
  const CurveStructure& structure = choice.form.curve.structure();
  std::vector<double> modes = before;
  Vec beside;
  std::vector<std::string> names;
  if (features.others) {
    names = features.others->names();
    if ((*features.others)(choice.start.p, beside) != Status::ok) return before;
  }
  std::vector<formula::Enclosure> inputs;
  std::vector<double> values, point;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const JetFormula guard{features.frozen, structure, names, features.frozen.graph,
                           std::span{&features.guards[k].node, 1}};
    if (!guard.missing().empty()) continue;
    guard.at(choice.start.p, choice.start.V, modes, beside, inputs);
    point.clear();
    for (const formula::Enclosure& input : inputs) point.push_back(input.middle);
    guard.graph().values(point, values);
    const double g = values[static_cast<std::size_t>(guard.place(0))];
    if (std::isfinite(g)) modes[k] = CurveWatch::mode_of(features.guards[k].kind, g);
  }
  return modes;
}

// Switches on the sides that the start asks for, which may depend on them.
FormChoice choose_sides(const JetSystem& system, FormKind kind, DistributionMethod distribution,
                        CurveFeatures& features) {
  constexpr int most = 8;
  FormChoice written = choose_smooth(system, kind, distribution);
  features.modes.assign(features.guards.size(), 0.0);
  if (written.status != Status::ok) return written;
  features.others = unknowns_beside(system, written);
  std::vector<double> modes = sides_at(features, written, features.modes);
  for (int i = 0; i < most; ++i) {
    const JetSystem smooth = features.with(modes, system.given);
    FormChoice choice = choose_smooth(smooth, kind, distribution);
    if (choice.status != Status::ok) return choice;
    features.modes = modes;
    features.others = unknowns_beside(smooth, choice);
    modes = sides_at(features, choice, modes);
    if (modes == features.modes) return choice;
  }
  written.status = Status::not_supported;
  written.message = fmt::format(
      "the start does not tell on which sides switches are: {} goes to and fro between them",
      features.label(0));
  written.remedy = "give a start away from the border, and derivatives where the switch reads them";
  return written;
}

}  // namespace

FormChoice choose_form(const JetSystem& system, FormKind kind, DistributionMethod distribution) {
  CurveFeatures features = features_of(system);
  FormChoice choice = features.guards.empty() ? choose_smooth(system, kind, distribution)
                                              : choose_sides(system, kind, distribution, features);
  if (choice.status != Status::ok || !may_be_missed(features)) return choice;
  features.form = [kind, distribution](const JetSystem& smooth) {
    const FormChoice other = choose_smooth(smooth, kind, distribution);
    SideForm side{
        .curve = other.form.curve, .others = unknowns_beside(smooth, other), .reason = {}};
    // a start that was not found is looked for by the run, from the point it comes to
    if (other.status != Status::ok && other.start.p.size() == 0) side.reason = other.message;
    return side;
  };
  choice.form.curve =
      Curve{choice.form.curve, std::make_shared<CurveFeatures>(std::move(features))};
  return choice;
}

}  // namespace taut
