// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/model/system.hpp"

namespace taut {

/// The compiled model behind a reading, made anew with all roots T, U, f, g replaced by their
/// derivatives with respect to input number `input`: as M, f and g are linear in these, so are what
/// it evaluates to the derivatives of M, f and g. Nothing where there is no compiled model.
[[nodiscard]] std::optional<System> derived_by_input(const System& system, int input);

/// Derivatives of a quantity of System::quantities().
struct QuantityDerivative {
  enum class By : unsigned char { q, v, a, lambda, input };
  int quantity = 0;
  By by = By::q;
  int index = 0;
  double value = 0.0;
};

/// Those of the quantities for which `wanted` is true; they read the arguments as the quantities
/// themselves do.
[[nodiscard]] Status quantity_derivatives(const System& quantities, const std::vector<bool>& wanted,
                                          const Arguments& at,
                                          std::vector<QuantityDerivative>& found);

/// What elements do in a small change x of q, as quadratic forms that are evaluated with x in the
/// place of accelerations:
///
///   U_qq(x, x)/2,    lambda_r g_r,qq(x, x)/2,    -x_i (f_i,q x)/2      elastic              (1)
///   -x_i (f_i,v x)                                                     dissipated          (2)
///   g_r,q x                                                            stretch of a row    (3)
class ElementForms {
 public:
  /// Of the compiled model behind a reading; empty where there is none.
  explicit ElementForms(const System& system);

  enum class Kind : unsigned char { elastic, dissipated, stretch };
  struct Form {
    std::string element;
    Kind kind = Kind::elastic;
    int row = -1;  ///< of a stretch and of elastic (lambda) terms: in Structure::rows
  };
  [[nodiscard]] const std::vector<Form>& forms() const { return forms_; }
  [[nodiscard]] bool any() const { return !forms_.empty(); }
  /// Values of the forms for x, with the multipliers of all rows.
  [[nodiscard]] Status operator()(const State& at, const Vec& x, const Vec& all_rows, Vec& values);

 private:
  std::vector<Form> forms_;
  std::vector<int> read_multipliers_;  // rows whose multipliers formulas read
  System system_;
  Evaluation ev_;
};

}  // namespace taut
