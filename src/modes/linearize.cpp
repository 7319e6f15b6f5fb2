// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/linearize.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/dense_decompositions.hpp"
#include "modes/linear_inputs.hpp"
#include "modes/linear_model.hpp"
#include "modes/linear_outputs.hpp"
#include "modes/linear_point.hpp"
#include "modes/manifold_basis.hpp"
#include "modes/steady_motion.hpp"

namespace taut {
namespace {

/// Rows of T, which has full column rank, that determine the others best, ascending; rows are
/// weighed by the square roots of their masses.
std::vector<Index> independent_rows(const Mat& T, const Vec& weight) {
  if (T.cols() == 0) return {};
  const Eigen::ColPivHouseholderQR<Mat> qr{(weight.asDiagonal() * T).transpose()};
  std::vector<Index> rows;
  for (Index k = 0; k < T.cols(); ++k) rows.push_back(qr.colsPermutation().indices()[k]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Mat chosen(const Mat& from, const std::vector<Index>& rows) {
  Mat part(static_cast<Index>(rows.size()), from.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) part.row(static_cast<Index>(k)) = from.row(rows[k]);
  return part;
}

/// Of each entry of the rates in the coordinates of the basis, how large the terms are that it is a
/// sum of.
Mat sizes_of_terms(const LinearTerms& terms, const std::optional<SteadyMotion>& steady,
                   const ManifoldBasis& basis, const Mat& dq, const Mat& dv) {
  const Mat q = dq.cwiseAbs(), v = dv.cwiseAbs();
  const Sparse M = terms.M.cwiseAbs();
  Mat of_q = v, of_v = terms.K.cwiseAbs() * q + terms.D.cwiseAbs() * v;
  if (steady) {
    const Sparse S = steady->S.cwiseAbs();
    of_q += S * q;
    of_v += M * (S * v);
  }
  const Index n1 = basis.Z().cols(), n2 = basis.Zv().cols();
  Mat sizes(n1 + n2, q.cols());
  sizes.topRows(n1) = basis.Z().cwiseAbs().transpose() * (M * of_q);
  sizes.bottomRows(n2) = basis.Zv().cwiseAbs().transpose() * of_v;
  return sizes;
}

/// What is left of terms that cancel is nothing: as a number it would couple what is not coupled,
/// and roots that are 0 would come out as roots of rounding.
void drop_rounding(const Mat& sizes, Mat& A) {
  constexpr double left = 1e3 * std::numeric_limits<double>::epsilon();
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (std::abs(A(i, j)) <= left * sizes(i, j)) A(i, j) = 0.0;
}

void fill_equations(const LinearPoint& point, const LinearTerms& terms, LinearModel& linear) {
  const Structure& structure = point.system.structure();
  linear.coordinates = structure.coordinates;
  linear.velocities = structure.velocities;
  linear.constraints.resize(static_cast<std::size_t>(structure.nc));
  for (const Row& row : structure.rows)
    if (row.equation >= 0) linear.constraints[static_cast<std::size_t>(row.equation)] = row.name;
  linear.M = terms.M;
  linear.D = terms.D;
  linear.K = terms.K;
  linear.G = terms.G;
  linear.N = terms.N;
}

/// df/dmu of the multipliers that forces read, at fixed places and velocities.
Mat forces_by_multipliers(const LinearPoint& point) {
  const SystemImplementation* const model = point.system.implementation().model();
  if (model == nullptr || !model->structure().multipliers_in_forces) return {};
  const Vec mu = read_multipliers(point.system, point.all_rows);
  const State& at = point.state;
  Evaluation ev;
  model->prepare(ev);
  if (model->evaluate(need(Target::force_multiplier), {.t = at.t, .q = at.q, .v = at.v, .mu = &mu},
                      ev) != Status::ok)
    return {};
  return Mat{ev.force_multiplier};
}

/// What an input makes of the multipliers of rigid rows, forces read: with r those that a force
/// f = F u moves, S those that df/dmu moves, dmu = (1 - S)⁻¹ r u.
Mat with_multipliers_moved(const LinearPoint& point, const ManifoldBasis& basis, const Mat& read,
                           const Mat& forces) {
  if (read.cols() == 0 || forces.cols() == 0) return forces;
  const Structure& structure = point.system.structure();
  const auto moved = [&](const Mat& force) {
    Mat da, dlambda;
    basis.solve(force, Mat::Zero(structure.nc, force.cols()), da, dlambda);
    Mat dmu = Mat::Zero(read.cols(), force.cols());
    for (Index k = 0; k < read.cols(); ++k) {
      const int row = structure.read_multipliers[static_cast<std::size_t>(k)];
      const int equation = structure.rows[static_cast<std::size_t>(row)].equation;
      if (equation >= 0) dmu.row(k) = dlambda.row(equation);
    }
    return dmu;
  };
  const Mat matrix = Mat::Identity(read.cols(), read.cols()) - moved(read);
  return forces + read * Eigen::PartialPivLU<Mat>{matrix}.solve(moved(forces));
}

}  // namespace

std::string_view name(PointKind kind) {
  switch (kind) {
    case PointKind::rest:
      return "rest";
    case PointKind::steady:
      return "steady";
    case PointKind::moving:
      break;
  }
  return "moving";
}

std::string_view LinearModel::hint() const {
  if (status == Status::iteration_limit) return "give a start nearer to an equilibrium";
  // elsewhere the reason says what to do
  if (status == Status::not_supported)
    return static_cast<Index>(coordinates.size()) > most_coordinates
               ? "its modes and responses need no such matrices: taut modes, taut response"
               : "";
  return taut::hint(status);
}

LinearModel linearize_at(const LinearPoint& point, const PreparedModel& prepared,
                         const LinearizeOptions& options, Problems& problems) {
  LinearModel linear;
  linear.model = prepared.model.name;
  linear.reading = point.reading;
  linear.notes = point.notes;
  if (point.status != Status::ok) {
    linear.status = point.status;
    linear.reason = point.reason;
    return linear;
  }
  const System& system = point.system;
  const Structure& structure = system.structure();
  linear.state = point.state;
  linear.lambda = point.all_rows;
  const LinearTerms terms = linear_terms(system, point.state, point.a, point.lambda);
  if (terms.status != Status::ok) {
    linear.status = terms.status;
    linear.reason = sentence(terms.status);
    return linear;
  }
  fill_equations(point, terms, linear);
  std::optional<SteadyMotion> steady;
  if (!point.rest) steady = steady_motion(point, prepared.compiled.scene);
  linear.kind = point.rest ? PointKind::rest : steady ? PointKind::steady : PointKind::moving;
  const LinearInputs inputs{point, prepared, options.inputs, problems};
  const LinearOutputs outputs{point, prepared, options.outputs, problems};
  if (!problems.empty()) return linear;
  linear.input_names = inputs.names();
  linear.output_names = outputs.names();
  linear.status = outputs.rows(linear.Yq, linear.Yv, linear.Ya, linear.Yl);
  if (linear.status != Status::ok) {
    linear.reason = sentence(linear.status);
    return linear;
  }
  const Mat read = forces_by_multipliers(point);
  if (structure.nq > LinearModel::most_coordinates) {
    linear.F = inputs.forces();
    if (read.cols() > 0 && linear.F.cols() > 0) linear.status = Status::not_supported;
    linear.Dt = outputs.of_inputs(inputs);
    return linear;
  }

  // a basis of the tangent space of all (q, v) that fulfil the constraints
  const ManifoldBasis basis{system, terms};
  if (basis.status() != Status::ok) {
    linear.status = basis.status();
    linear.reason = sentence(basis.status());
    return linear;
  }
  const Mat& Z = basis.Z();
  const Mat& Zv = basis.Zv();
  const Index n1 = Z.cols(), n2 = Zv.cols(), n = n1 + n2, nq = structure.nq;
  const Index nu = static_cast<Index>(inputs.names().size());
  Mat dq = Mat::Zero(nq, n + nu), dv = Mat::Zero(nq, n + nu);
  dq.leftCols(n1) = Z;
  dv.leftCols(n1) = basis.velocities_of_places();
  dv.middleCols(n1, n2) = Zv;

  // (1) gives accelerations and multipliers of each direction, and of each input
  const Mat F = with_multipliers_moved(point, basis, read, inputs.forces());
  Mat rhs = -(terms.K * dq + terms.D * dv);
  rhs.rightCols(nu) += F;
  Mat curvature = Mat::Zero(structure.nc, n + nu);
  const bool bends = !point.state.v.isZero(0.0) || structure.constraint_uses_time;
  if (bends && structure.nc > 0) {
    linear.status = basis.curvature_changes(point, dq, dv, n, curvature);
    if (linear.status != Status::ok) {
      linear.reason = sentence(linear.status);
      return linear;
    }
  }
  Mat da, dlambda;
  basis.solve(rhs, curvature, da, dlambda);
  linear.F = F;

  // (3), seen from the frame that goes with a steady motion
  Mat Wq = dv, Wv = da;
  if (steady) {
    Wq.leftCols(n) -= steady->S * dq.leftCols(n);
    Wv.leftCols(n) -= steady->S * dv.leftCols(n);
  }
  const Vec weight = Vec{terms.M.diagonal()}.cwiseMax(0.0).cwiseSqrt();
  const std::vector<Index> q_rows = independent_rows(Z, weight);
  std::vector<Index> v_rows = q_rows;
  if (n2 != n1) v_rows = independent_rows(Zv, weight);
  Mat R = Mat::Zero(n, n);
  R.topRows(n1) = chosen(dq.leftCols(n), q_rows);
  R.bottomRows(n2) = chosen(dv.leftCols(n), v_rows);
  Mat rates(n, n + nu), terms_of_rates;
  if (linear.kind == PointKind::moving) {
    rates.topRows(n1) = chosen(Wq, q_rows);
    rates.bottomRows(n2) = chosen(Wv, v_rows);
  } else {
    // both changes stay in the tangent space: its own coordinates are better conditioned
    Mat own(n, n + nu);
    own.topRows(n1) = Z.transpose() * (terms.M * Wq);
    own.bottomRows(n2) = Zv.transpose() * (terms.M * Wv);  // P Z x is normal to Zv
    rates = product(R, own);
    terms_of_rates = R.cwiseAbs() * sizes_of_terms(terms, steady, basis, dq, dv);
  }
  const Mat inverse = n > 0 ? inverse_of(R) : Mat(0, 0);
  linear.A = rates.leftCols(n) * inverse;
  if (terms_of_rates.size() > 0)
    drop_rounding(terms_of_rates.leftCols(n) * inverse.cwiseAbs(), linear.A);
  linear.B = rates.rightCols(nu);
  linear.Tq = dq.leftCols(n) * inverse;
  linear.Tv = dv.leftCols(n) * inverse;
  linear.places = n1;
  for (const Index i : q_rows) linear.state_names.push_back(structure.coordinates[i]);
  for (const Index i : v_rows) linear.state_names.push_back(structure.velocities[i]);

  Mat y;
  linear.status = outputs.changes(dq, dv, da, dlambda, y);
  if (linear.status != Status::ok) linear.reason = sentence(linear.status);
  linear.C = y.leftCols(n) * inverse;
  linear.Dt = y.rightCols(nu) + outputs.of_inputs(inputs);
  return linear;
}

namespace {

/// Parameters among the inputs that are asked for become inputs of the model.
Model with_inputs(Model model, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found = std::find_if(model.parameters.begin(), model.parameters.end(),
                                    [&](const Parameter& p) { return p.name == name; });
    if (found == model.parameters.end()) continue;
    model.inputs.push_back(*found);
    model.parameters.erase(found);
  }
  return model;
}

}  // namespace

PreparedModel prepare_linear(const Model& model, const SimulationOptions& options,
                             const std::vector<std::string>& inputs, Problems& problems) {
  PreparedModel prepared = prepare(with_inputs(model, inputs), options, problems);
  if (problems.empty() && prepared.compiled.jets)
    problems.add(prepared.model.jets->position, "jets", "only mechanical models are linearised",
                 "state the model as a mechanical one");
  return prepared;
}

LinearModel linearize(const Model& model, const SimulationOptions& options,
                      const LinearizeOptions& linear, Problems& problems) {
  const PreparedModel prepared = prepare_linear(model, options, linear.inputs, problems);
  if (!problems.empty()) return {};
  const LinearPoint point = linear_point(prepared, options, linear, problems);
  if (!problems.empty()) return {};
  LinearModel made = linearize_at(point, prepared, linear, problems);
  if (problems.empty() && made.status == Status::ok &&
      static_cast<Index>(made.coordinates.size()) > LinearModel::most_coordinates) {
    made.status = Status::not_supported;
    made.reason = "a state space is made of dense matrices, of at most 1000 coordinates";
  }
  return made;
}

LinearModel linearize(const Model& model, const SimulationOptions& options,
                      const LinearizeOptions& linear) {
  Problems problems{model.file};
  LinearModel made = linearize(model, options, linear, problems);
  problems.throw_if_any();
  return made;
}

}  // namespace taut
