// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "taut/core/note.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/run/curve_start.hpp"

#pragma GCC visibility push(default)

namespace taut {

enum class FormKind : unsigned char { automatic, general, invariants, completed };

/// "general", "invariants", "completed"; "automatic".
[[nodiscard]] std::string_view name(FormKind kind);

/// A form of a system with a point of it to start from.
struct FormChoice {
  Status status = Status::ok;
  std::string message;  ///< why there is none, in words with names
  std::string remedy;   ///< what to try
  FormKind kind = FormKind::automatic;
  Note reason;  ///< why this form; empty when it was asked for
  CurveForm form;
  CurveStart start;
  std::optional<Completion> completion;  ///< where it was made
};

/// The form asked for, or the first of these that there is:
/// - completed, where the equations imply conditions on the state that they do not state;
/// - invariants, with the fewest coordinates;
/// - general.
/// Equations that contradict one another, leave something undetermined or have no value at the
/// start have none; those that could not be judged (too many, or at a singular point) are taken as
/// they are stated. Switches of equations are on the sides that the start asks for; follow() goes
/// over to those of others. Equations of index 2 and more have no form but the completed one. The
/// start is that of the completion, whatever the form.
[[nodiscard]] FormChoice choose_form(
    const JetSystem& system, FormKind kind = FormKind::automatic,
    DistributionMethod distribution = DistributionMethod::automatic);

}  // namespace taut

#pragma GCC visibility pop
