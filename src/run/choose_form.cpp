// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/choose_form.hpp"

#include <fmt/format.h>

#include <limits>

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

FormChoice refused(FormChoice choice) {
  const Completion& completion = *choice.completion;
  choice.status = completion.status;
  choice.message = completion.reason;
  choice.remedy = completion.remedy;
  return choice;
}

// of those that are not completed: the one with fewest coordinates
void choose_stated(const JetSystem& system, DistributionMethod distribution, FormChoice& choice) {
  const bool judged = choice.completion->completed();
  choice.kind = FormKind::invariants;
  choice.form = invariants_form(system, distribution);
  choice.reason = "the highest derivatives stand linearly: they are no coordinates";
  if (!choice.form.reason.empty()) {
    choice.reason = "not the form with invariants: " + choice.form.reason;
    choice.kind = FormKind::general;
    choice.form = general_form(system, distribution);
  }
  if (!judged)
    choice.reason += fmt::format("; whether the equations are complete is not known: {}",
                                 choice.completion->reason);
}

// all jets that a completion has found, as a point of a curve
Vec completed_point(const JetSystem& system, const Completion& completion, const Curve& curve) {
  JetSystem found;
  found.independent = system.independent;
  found.unknowns = system.unknowns;
  found.given = completion.jets;
  return given_point(found, curve.structure());
}

void find_start(const JetSystem& system, FormChoice& choice) {
  const Curve& curve = choice.form.curve;
  const Vec given = given_point(system, curve.structure());
  const bool found = choice.completion && choice.completion->completed();
  choice.start = found
                     ? curve_start(curve, given, completed_point(system, *choice.completion, curve))
                     : curve_start(curve, given);
}

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

FormChoice choose_form(const JetSystem& system, FormKind kind, DistributionMethod distribution) {
  FormChoice choice;
  choice.kind = kind;
  if (kind == FormKind::automatic || kind == FormKind::completed) {
    choice.completion = complete(system);
    const Completion& completion = *choice.completion;
    if (hopeless(completion) || (kind == FormKind::completed && !completion.completed()))
      return refused(std::move(choice));
    if (kind == FormKind::automatic && completion.completed() && !completion.hidden.empty()) {
      choice.kind = FormKind::completed;
      choice.reason = fmt::format(
          "the equations have index {} and imply conditions that they do "
          "not state: {}{}",
          completion.index, completion.hidden.front().name,
          completion.hidden.size() > 1 ? fmt::format(" and {} more", completion.hidden.size() - 1)
                                       : "");
    }
  }
  if (choice.kind == FormKind::automatic)
    choose_stated(system, distribution, choice);
  else
    choice.form = make_form(system, choice, choice.kind, distribution);
  if (!choice.form.reason.empty()) {
    choice.status = Status::not_supported;
    choice.message = choice.form.reason;
    choice.remedy = "choose another --form or --distribution, or leave both out";
    return choice;
  }

  find_start(system, choice);
  // equations that are complete and yet have no direction as they are stated
  if (choice.start.status != Status::ok && kind == FormKind::automatic &&
      choice.kind != FormKind::completed && choice.completion->completed()) {
    CurveForm completed = completed_form(system, *choice.completion, distribution);
    if (completed.reason.empty()) {
      choice.reason = fmt::format("not as the equations are stated: {}", choice.start.reason);
      choice.kind = FormKind::completed;
      choice.form = std::move(completed);
      find_start(system, choice);
    }
  }
  choice.status = choice.start.status;
  choice.message = choice.start.reason;
  if (choice.status != Status::ok)
    choice.remedy = "run 'taut complete' on the model: it finds what a start has to satisfy";
  return choice;
}

}  // namespace taut
