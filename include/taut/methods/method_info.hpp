// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#pragma GCC visibility push(default)

namespace taut {

/// What a method claims. Tests measure every claim; `taut methods` and the docs table print them.
struct MethodInfo {
  std::string_view name;
  int order = 0;
  bool symmetric = false;  ///< a step of -h undoes a step of h
  bool symplectic = false;
  bool adaptive = false;          ///< chooses its steps from a tolerance
  bool constraints = false;       ///< treats rigid constraints (C = 0)
  bool compliance = false;        ///< treats rows with C > 0 as equations; else they become springs
  bool variable_mass = false;     ///< M may depend on q
  bool velocity_forces = false;   ///< f may depend on v with the claims above kept
  bool velocity_rows = false;     ///< treats constraints of velocities, A v + b = 0
  bool derivatives = false;       ///< implicit: reads stiffness and damping of the system
  bool resumable = true;          ///< a checkpoint resumes to the same bits
  bool exact_constraints = true;  ///< rigid constraints hold to rounding after a step, not O(h^2)
  bool thermal = false;           ///< coupled to a heat bath: energy is not kept
  std::string_view about;         ///< one line for people
  std::string_view cite;          ///< key in docs/references.bib
};

}  // namespace taut

#pragma GCC visibility pop
