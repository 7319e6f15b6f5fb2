// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "taut/core/note.hpp"
#include "taut/core/status.hpp"
#include "taut/model/jet_system.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct CompletionOptions {
  /// Derivative arrays with more jets than this are not judged by ranks: the structure alone
  /// decides.
  Index most_jets = 400;
  /// Numbers below this times the largest count as zero where ranks are judged.
  double independent = 1e-9;
};

/// What equations f_i(x, y, ..., y^(q)) = 0 need before their solutions can be followed: which of
/// their derivatives, and a point where all of them hold.
///
/// Let F_r = (f, D f, ..., D^r f), with D of TotalDerivative. Unknown j, whose highest derivative
/// in the equations is q_j, has the low jets y_j^(0), ..., y_j^(l_j - 1), l_j = max(q_j, 1); the
/// others are high. With J, J_high, J_rest the Jacobians of F_r by all jets but x, the high ones,
/// and the high ones without y_j^(l_j), at a point of F_r = 0,
///
///   freedom       = low jets - (rank J - rank J_high)                                          (1)
///   distribution  = 1 + n - rank J_high + rank J_rest                                          (2)
///
/// are the dimension of what F_r leaves of the low jets at one x, and that of the directions
/// (1, y', ..., y^(l)) it leaves there. The system is complete with the smallest r for which the
/// distribution has dimension 1 and r + 1 takes nothing more from the freedom: the directions are
/// then tangent to what F_r = 0 leaves. The smallest r with dimension 1 is the differentiation
/// index: 0 for y' = f, 1 for a circuit, 3 for a pendulum with its multiplier.
///
/// Where the structure of the equations tells how often each has to be differentiated (Signature,
/// pryce2001: c_i times, for derivatives y_j^(d_j)), the completed system is explicit: state
///
///   p = (x, y_j^(i), i < d_j),   M = { f_i^(l) = 0, l < c_i },   rows f_i^(c_i) for y_j^(d_j) (3)
///
/// which for a mechanical DAE are its constraints, their first derivatives, and the equations of
/// accelerations and multipliers. It is valid where the rows f~ + A y^(d) have rank n as (f~ | A),
/// which they also have at impasse points, and A is regular near by. Rows that are not affine in
/// y^(d) are differentiated once more. Equations beyond n that read p alone belong to M where the
/// others keep them. Otherwise F_r itself stands for M; see completed_form.
///
/// Where (3) holds, dimension and a bound of the index are theorems: ranks only confirm them, and
/// move nothing. Ranks are those of matrices in units that are fitted to the equations (a time
/// scale tau, y_j^(m) in units of c_j / tau^m), by QR with column pivots, at the start and at a
/// random point near by: what is dependent at both is dependent, what is dependent at the start
/// alone makes it a singular point. Dense algebra with all jets: for tens of unknowns; beyond
/// `most_jets`, (3) alone.
///
/// Fails, with `reason` and `remedy` in words, when
///   inconsistent      no point satisfies F_r = 0: constraints_contradict, with the equations whose
///                     derivatives contradict one another
///   underdetermined   the distribution keeps more dimensions than one: singular_matrix, with the
///                     derivatives nothing determines
///   singular          so it is here, and not near by: singular_matrix
///   undecided         a point was not found, or is not finite, or the system is too large
/// References: pryce2001, tuomela2005.
struct Completion {
  enum class Verdict : unsigned char {
    completed,
    inconsistent,
    underdetermined,
    singular,
    undecided,
  };
  /// One line of the table of r.
  struct Prolongation {
    int r = 0;
    Index equations = 0;
    Index rank = 0;          ///< of J
    Index distribution = 0;  ///< (2)
    Index freedom = 0;       ///< (1)
  };
  /// A condition on the state that was not stated.
  struct Hidden {
    std::string name;     ///< such as rod' or, of a combination, `rod'', force`
    std::string formula;  ///< that is 0; empty where there is no short one
  };
  /// A number of the start.
  struct StartNumber {
    Index jet = 0;
    std::string name;
    double value = 0.0;
    double given = 0.0;  ///< NaN: not stated
  };

  Verdict verdict = Verdict::undecided;
  Status status = Status::not_supported;
  std::string reason, remedy;  ///< of a failure, in words with names
  std::vector<Note> notes;

  int order = 0;                    ///< highest derivative in the equations
  int index = -1;                   ///< differentiation index; -1: not known
  int prolongations = 0;            ///< r of F_r that is complete
  Index dimension = -1;             ///< freedom of the solutions at one x; -1: not known
  std::vector<Prolongation> table;  ///< by r, at the consistent point; empty: structure alone
  std::vector<Hidden> hidden;
  std::vector<std::string> free;  ///< derivatives that nothing determines

  bool structural = false;  ///< (3) holds, with
  std::vector<int> c, d;    ///< these offsets; c is -1 for equations that are conditions only
  bool impasse = false;     ///< dx/ds = 0 at the start: some y_j^(d_j) has no bound there

  std::vector<Index> state;  ///< jets that a point of the completed curve consists of; x first
  Vec p;                     ///< the start as such a point
  std::vector<StartNumber> start;  ///< the same by names, and y_j^(d_j) such as multipliers
  Vec jets;                        ///< all jets that were found, by number; NaN: not known

  [[nodiscard]] bool completed() const { return verdict == Verdict::completed; }
};

[[nodiscard]] std::string_view name(Completion::Verdict verdict);

/// Differentiates the equations of `system` until they are complete, from the start that it gives.
/// Stated numbers are kept as far as the equations allow: those not stated are found first, then
/// highest derivatives and unknowns without any (multipliers) move, then all, by the least change.
[[nodiscard]] Completion complete(const JetSystem& system, const CompletionOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
