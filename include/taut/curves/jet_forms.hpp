// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "taut/curves/curve.hpp"
#include "taut/formula/sym.hpp"
#include "taut/model/jet_system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A JetSystem as C++: every equation is a functor that is called once with recording scalars.
class JetBuilder {
 public:
  /// x and the jets of one system, to be read by name or number.
  struct Jets {
    formula::Sym x;
    std::vector<std::vector<formula::Sym>> y;  ///< y[i][j]: derivative i of unknown j
  };

  JetBuilder(std::vector<std::string> unknowns, int order, std::string independent = "x");
  JetBuilder& equation(std::string name, const std::function<formula::Sym(const Jets&)>& zero);
  /// value - value(start) = 0; the start must give every jet that it reads.
  JetBuilder& invariant(std::string name, const std::function<formula::Sym(const Jets&)>& value);
  JetBuilder& event(std::string name, const std::function<formula::Sym(const Jets&)>& zero,
                    Observable::Direction direction = Observable::Direction::any,
                    bool stops = false);
  /// x, and y[i][j] for derivative i of unknown j, as many as are known.
  JetBuilder& start(double x, const std::vector<std::vector<double>>& y);

  [[nodiscard]] JetSystem build() const;

 private:
  formula::NodeId record(const std::function<formula::Sym(const Jets&)>& formula);

  JetSystem system_;
  std::vector<std::size_t> invariants_;  // among the equations
  Jets jets_;                            // of the graph below
  const formula::Graph* recorded_ = nullptr;
};

/// How V is found (tuomela2005, section 5).
enum class DistributionMethod : unsigned char {
  automatic,          ///< from the structure
  explicit_solution,  ///< the derivatives of order q stand alone in n equations
  square,             ///< Algorithm 5.1, (3.6): n independent equations, LU
  svd,                ///< null vector of (3.4) by singular values
  qr,                 ///< null vector by QR with column pivots
  sphere,             ///< Algorithm 5.2: conjugate gradients on the sphere
  block,              ///< Algorithm 5.3: block solve with conjugate gradients; mechanical systems
  sparse,             ///< sparse direct solution
};

/// A form of a system, or why it has none.
struct CurveForm {
  Curve curve{};                                                    ///< usable when reason is empty
  std::string reason{};                                             ///< in words, with names
  DistributionMethod distribution = DistributionMethod::automatic;  ///< the one in use
};

/// (2.4): M = { f = 0 } in J_q, distribution (3.4).
[[nodiscard]] CurveForm general_form(
    const JetSystem& system, DistributionMethod distribution = DistributionMethod::automatic);

/// (3.5): equations A y_q + f~ = 0 give the distribution ker (f~, A) on J_{q-1}, those without y_q
/// and, where A has too few rows, their derivatives, give M.
[[nodiscard]] CurveForm invariants_form(
    const JetSystem& system, DistributionMethod distribution = DistributionMethod::automatic);

}  // namespace taut

#pragma GCC visibility pop
