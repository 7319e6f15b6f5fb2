// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/status.hpp"

#include <array>
#include <mutex>
#include <string>

#include "taut/core/wording.hpp"

namespace taut {
namespace {

struct Entry {
  Status status;
  std::string_view name;
  std::string_view sentence;
  std::string_view hint;
};

constexpr std::array entries{
    Entry{Status::ok, "done", "the run reached its end", ""},
    Entry{Status::non_finite, "non_finite", "a formula gave NaN or infinity",
          "look at the element named; start elsewhere, or guard its formula (sqrt, log, division)"},
    Entry{Status::mass_singular, "mass_singular", "the mass matrix is not positive definite",
          "give every coordinate a mass or a kinetic energy that contains its velocity"},
    Entry{Status::singular_matrix, "singular_matrix",
          "the linear equations of a step have no unique solution",
          "run 'taut check' on the model: it names dependent constraints and coordinates without "
          "mass"},
    Entry{Status::constraints_contradict, "constraints_contradict",
          "equations of the model cannot hold together",
          "remove or mend one of those that are named; 'taut check' lists dependent constraints"},
    Entry{Status::projection_diverged, "projection_diverged",
          "no point with g = 0 was found near the predicted one",
          "take smaller steps, or start nearer to a configuration in which the constraints hold"},
    Entry{Status::iteration_limit, "iteration_limit",
          "an iteration did not converge within its limit", "take smaller steps"},
    Entry{Status::step_too_small, "step_too_small",
          "error control asked for a step below the resolution of the time",
          "loosen <<tol>>, look for a singularity at this time, or take an implicit method if this "
          "is none and something is stiff"},
    Entry{Status::step_limit, "step_limit", "the run used all the steps it was allowed",
          "raise <<max steps>>, take larger steps or loosen <<tol>>"},
    Entry{Status::time_limit, "time_limit", "the run used all the wall time it was allowed",
          "raise <<max seconds>>, or continue with <<resume>>"},
    Entry{Status::cancelled, "cancelled", "the run was interrupted", "continue with <<resume>>"},
    Entry{Status::stopped_by_event, "stopped_by_event", "an event stopped the run", ""},
    Entry{Status::not_supported, "not_supported", "the method cannot treat this system",
          "run 'taut check' on the model: it lists the methods that fit"},
    Entry{Status::solver_failed, "solver_failed", "the external solver gave up",
          "loosen <<tol>> or choose another method"},
    Entry{Status::indefinite_matrix, "indefinite_matrix",
          "the matrix of a linearly implicit step is not positive definite",
          "take smaller steps, or gauss-newton, whose matrix always is"},
    Entry{Status::impasse, "impasse", "the solution does not go on: its derivatives have no bound",
          "state the system in variables that stay bounded there, as models/plug_flow.toml does"},
    Entry{Status::unstable, "unstable", "the motion grew beyond all bounds",
          "take smaller steps, or a method that is stable for any step"},
    Entry{Status::stalled, "stalled", "a switch goes to and fro without end",
          "write the element named so that its force changes over a small range: tanh(v/0.001) for "
          "sign(v)"},
    Entry{Status::discontinuous, "discontinuous",
          "something jumps that cannot, for its force would have no bound",
          "let it change over a short time or way: a ramp, a stiff spring"},
    Entry{Status::invalid_argument, "invalid_argument", "what was asked for cannot be done",
          "mend what the message names, and call again"},
    Entry{Status::accumulating, "accumulating", "an event happens again and again without end",
          "give it an end: with stop_after, or with a least speed below which it stops the run or "
          "switches off what pushes"},
    Entry{Status::energy_not_kept, "energy_not_kept",
          "the end was reached, but what was computed is no motion of this model",
          "take shorter steps or a smaller <<tol>>, or another method"},
    Entry{Status::multipliers_undetermined, "multipliers_undetermined",
          "forces that read multipliers leave these without a value, or with several",
          "look at lambda(...) in its formulas: friction that grows faster than the pressure it "
          "causes has no motion; a smaller coefficient, or a compliance, has one"},
    Entry{Status::multipliers_redundant, "multipliers_redundant",
          "a formula reads the multiplier of a constraint that depends on others, and the motion "
          "does not say how they share it",
          "remove one of the dependent constraints, which 'taut check' names, or give them a "
          "compliance"},
};

constexpr const Entry& entry(Status status) { return entries[static_cast<std::size_t>(status)]; }

// the list is indexed by the enumerator, so its order must be the enumeration's
static_assert([] {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (static_cast<std::size_t>(entries[i].status) != i) return false;
  return true;
}());

}  // namespace

std::string_view sentence(Status status) { return entry(status).sentence; }
std::string_view hint(Status status) {
  // options in it are called as they are called where it is shown: made once for each dialect
  static std::mutex making;
  static std::array<std::array<std::string, entries.size()>, 3> made;
  const std::lock_guard lock{making};
  std::string& text = made[static_cast<std::size_t>(spoken())][static_cast<std::size_t>(status)];
  if (text.empty()) text = worded(entry(status).hint);
  return text;
}
std::string_view name(Status status) { return entry(status).name; }

}  // namespace taut
