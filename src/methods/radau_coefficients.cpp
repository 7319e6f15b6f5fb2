// SPDX-License-Identifier: BSD-3-Clause
#include "methods/radau_coefficients.hpp"

#include <array>
#include <cassert>
#include <cmath>

#include "core/dense_decompositions.hpp"
#include "tableaux/implicit_tableaux.hpp"

namespace taut {
namespace {

RadauCoefficients make(int s) {
  const ImplicitTableau& tableau = radau_iia(s);
  RadauCoefficients r;
  r.s = s;
  r.c = tableau.c;
  r.A_inverse = inverse_of(tableau.A);

  // (1)
  const GeneralModes eigen = general_modes(r.A_inverse, Wanted::values_and_shapes);
  assert(eigen.found);
  r.T.resize(s, s);
  Index column = 1;
  for (Index k = 0; k < s; ++k) {
    const std::complex<double> value = eigen.values[k];
    const Eigen::VectorXcd u = eigen.shapes.col(k);
    if (std::abs(value.imag()) < 1e-8 * std::abs(value)) {
      r.gamma = value.real();
      r.T.col(0) = u.real();
    } else if (value.imag() > 0.0) {
      r.pairs.push_back(value);
      r.T.col(column++) = u.real();
      r.T.col(column++) = u.imag();
    }
  }
  assert(column == s && r.gamma > 0.0);
  r.T_inverse = inverse_of(r.T);

  // (2): Σ b̂_j c_j^(k-1) = 1/k - γ0 [k = 1] for k = 1 ... s
  Mat powers(s, s);
  Vec moments(s);
  for (Index k = 0; k < s; ++k) {
    powers.row(k) = r.c.transpose().array().pow(static_cast<double>(k));
    moments[k] = 1.0 / static_cast<double>(k + 1);
  }
  moments[0] -= 1.0 / r.gamma;
  const Vec b_hat = solve_with_full_pivots(powers, moments);
  r.e = r.A_inverse.transpose() * (b_hat - tableau.b);
  return r;
}

}  // namespace

const RadauCoefficients& radau_coefficients(int s) {
  static const std::array<RadauCoefficients, 4> all{make(1), make(3), make(5), make(7)};
  assert(s == 1 || s == 3 || s == 5 || s == 7);
  return all[static_cast<std::size_t>((s - 1) / 2)];
}

}  // namespace taut
