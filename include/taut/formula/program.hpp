// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "taut/formula/formula.hpp"

#pragma GCC visibility push(default)

namespace taut::formula {

/// What can be asked of a formula. Sums run over the roots of the role that contributes.
///
///   inertial force    b = T_q - (T_v)_q v - (T_v)_t                                   (1)
///   force             f = b - U_q + applied forces                                    (2)
///   residual          r = M a - f + Gᵀλ                                               (3)
enum class Target : std::uint8_t {
  mass,                   ///< (i, j)  M_ij = d2T/dv_i dv_j, both triangles
  force,                  ///< (i)     f_i of (2)
  momentum_force,         ///< (i)     T_q - U_q + applied: the force at fixed momentum
  momentum,               ///< (i)     T_v
  kinetic_energy,         ///< ()      v . T_v - T  (= T when T is homogeneous)
  potential_energy,       ///< ()      U
  constraint,             ///< (r)     g_r
  constraint_jacobian,    ///< (r, j)  G_rj
  constraint_rate,        ///< (r)     dg_r/dt at fixed q
  constraint_curvature,   ///< (r)     g_qq(v, v) + 2 g_qt v + g_tt, so that g'' = G a + this
  velocity_jacobian,      ///< (r, j)  d/dq_j of (G v + g_t)_r
  stiffness,              ///< (i, j)  dr_i/dq_j of (3)
  damping,                ///< (i, j)  dr_i/dv_j of (3)
  constraint_stiffness,   ///< (i, j)  d/dq_j of (Gᵀλ)_i: the part of stiffness that λ brings
  third,                  ///< (i)     d/dq_i of aᵀ (U + λ.g)_qq a
  observable,             ///< (k)     value
  observable_q,           ///< (k, j)  d value / dq_j
  observable_v,           ///< (k, j)  d value / dv_j
  observable_t,           ///< (k)     d value / dt at fixed q, v
  force_multiplier,       ///< (i, k)  df_i/dmu_k, of the multipliers that formulas read
  observable_multiplier,  ///< (k, l)  d value / dmu_l
  acceleration_q,         ///< (i)     d/dq_i of λ.g'', the acceleration G a + curvature of g
  acceleration_v,         ///< (i)     d/dv_i of the same
};

/// Set of targets: bit `1u << target`.
using Needs = std::uint32_t;
[[nodiscard]] constexpr Needs need(Target target) {
  return Needs{1} << static_cast<unsigned>(target);
}
template <class... T>
[[nodiscard]] constexpr Needs needs(T... target) {
  return (need(target) | ... | Needs{0});
}

/// Targets that read a or λ: derivatives of forces.
inline constexpr Needs force_derivatives =
    needs(Target::stiffness, Target::damping, Target::constraint_stiffness, Target::third,
          Target::acceleration_q, Target::acceleration_v);

/// Operations of a program: those of the graph, and three that save dispatch without changing bits.
enum class Code : std::uint8_t {
  add,
  sub,
  mul,
  div,
  neg,
  pow,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  sign,
  min,
  max,
  floor,
  less,
  select,
  cell,
  knot,     ///< looks up in a table
  piece,    ///< likewise
  mul_add,  ///< (a * b) + c, rounded twice
  mul_sub,  ///< (a * b) - c, rounded twice
  sub_mul,  ///< c - (a * b), rounded twice
  sincos,   ///< register `to` = sin a, register `b` = cos a
};

struct Instruction {
  Code code = Code::add;
  std::int32_t to = 0, a = 0, b = 0, c = 0;  ///< registers
  std::int32_t lookup = -1;                  ///< of knot and piece: number in Program::lookups
};

/// What one instruction looks up.
struct TableLookup {
  std::shared_ptr<const Table> table;
  Lookup what;
};

/// One result: element (row, column) of `target` is register `reg`, with its sign turned if
/// `negate`.
struct Output {
  Target target = Target::force;
  std::int32_t row = 0, column = 0;
  std::int32_t reg = 0;
  bool negate = false;
};

/// A straight-line program: plain data, but for the tables it looks up in. Registers are laid out
/// as [inputs | constants | work]; inputs and constants are never overwritten.
struct Program {
  std::vector<Input> inputs;      ///< registers 0 .. inputs.size()-1: only what is read
  std::vector<double> constants;  ///< the registers after the inputs
  std::vector<int> origins;       ///< of the constants: see Number; empty where none has one
  std::vector<Instruction> code;
  std::vector<TableLookup> lookups;
  std::vector<Output> outputs;  ///< sorted by target, row, column; structural zeros left out
  std::int32_t registers = 0;
};

/// Differentiates `formula` and lowers all of `needs` into one program with shared subexpressions.
[[nodiscard]] Program derive(const Formula& formula, Needs needs);

/// A formula with what depends on parameters alone taken out.
struct Hoisted {
  Formula formula;  ///< reads `parameters` more parameters than the one given, after the old ones
  Program prelude;  ///< reads the old parameters; its output row k, of Target::observable, is the
                    ///< new parameter number (old count) + k
};

/// Moves every part of `formula` that reads parameters alone, such as the 1/L and L^2 of a rod,
/// into a prelude: run it once per instance when the instances are known, and give the results as
/// further parameters. Derivatives of the result are those of `formula`.
[[nodiscard]] Hoisted hoist(const Formula& formula);

}  // namespace taut::formula

#pragma GCC visibility pop
