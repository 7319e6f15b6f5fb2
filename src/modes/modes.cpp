// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/dense_decompositions.hpp"
#include "modes/krylov_modes.hpp"
#include "modes/linear_model.hpp"
#include "modes/manifold_basis.hpp"
#include "modes/mode_shares.hpp"
#include "modes/moved_scene.hpp"
#include "modes/roots.hpp"
#include "modes/sharp_frequencies.hpp"

namespace taut {
namespace {

using Complex = std::complex<double>;

constexpr double epsilon_of_modes = std::numeric_limits<double>::epsilon();
constexpr int usual_of_large = 20;

/// The shape with its largest entry 1: of places where any moves, else of states.
Eigen::VectorXcd scaled(const Eigen::VectorXcd& shape) {
  Index largest = 0;
  const double size = shape.cwiseAbs().maxCoeff(&largest);
  if (!(size > 0.0)) return shape;
  // of entries that are as large but for rounding, the first
  for (Index i = 0; i < shape.size(); ++i)
    if (std::abs(shape[i]) > (1 - 1e-9) * size) {
      largest = i;
      break;
    }
  return shape / shape[largest];
}

ModeKind kind_of(Complex s, double border) {
  if (s == 0.0) return ModeKind::drift;
  if (s.imag() != 0.0) return s.real() > border ? ModeKind::flutter : ModeKind::vibration;
  return s.real() > 0.0 ? ModeKind::divergence : ModeKind::decay;
}

/// Eigenvalues of a symmetric matrix whose small ones are as accurate as the large ones where it is
/// positive definite: from A below the mean of the smallest and the largest, from A⁻¹ there.
SymmetricModes accurate_modes(const Mat& A) {
  SymmetricModes modes = symmetric_modes(A);
  if (!modes.found || modes.omega2.size() == 0) return modes;
  const double least = modes.omega2[0], most = modes.omega2[modes.omega2.size() - 1];
  const double n = static_cast<double>(A.rows());
  if (!(least > n * 1e2 * epsilon_of_modes * most)) return modes;
  const SymmetricModes inverse =
      symmetric_modes(Mat::Identity(A.rows(), A.cols()), A, Wanted::values_and_shapes);
  if (!inverse.found) return modes;
  const Index last = A.rows() - 1;
  for (Index k = 0; k <= last; ++k) {
    const double mu = inverse.omega2[last - k];  // of 1 / omega2, ascending
    if (!(modes.omega2[k] < std::sqrt(least * most)) || !(mu > 0.0)) break;
    modes.omega2[k] = 1.0 / mu;
    modes.shapes.col(k) = inverse.shapes.col(last - k) / std::sqrt(mu);
  }
  return modes;
}

bool is_symmetric(const LinearPoint& point, const LinearTerms& terms) {
  const Structure& structure = point.system.structure();
  if (!point.rest || structure.nz > 0 || structure.has_velocity_rows()) return false;
  if (terms.D.nonZeros() > 0 && terms.D.norm() > 0.0) return false;
  const Sparse Kt = terms.K.transpose();
  return (terms.K - Kt).norm() <= 1e-13 * terms.K.norm();
}

void add_symmetric(const LinearPoint& point, const LinearTerms& terms, Modes& found) {
  const ManifoldBasis basis{point.system, terms};
  const Mat& Z = basis.Z();
  const Mat K = product(Z.transpose(), terms.K * Z);
  const SymmetricModes modes = accurate_modes((K + K.transpose()) / 2);
  if (!modes.found) {
    found.linear.status = Status::iteration_limit;
    return;
  }
  const double largest = modes.omega2.size() > 0 ? modes.omega2.cwiseAbs().maxCoeff() : 0.0;
  const double nothing = static_cast<double>(K.rows()) * 1e2 * epsilon_of_modes * largest;
  for (Index k = 0; k < modes.omega2.size(); ++k) {
    const double square = modes.omega2[k];
    const Eigen::VectorXcd shape = scaled((Z * modes.shapes.col(k)).cast<Complex>());
    if (std::abs(square) <= nothing) {
      found.modes.push_back({.s = 0.0, .kind = ModeKind::drift, .multiplicity = 2, .shape = shape});
      found.of += 2;
    } else if (square > 0.0) {
      found.modes.push_back({.s = {0.0, std::sqrt(square)}, .shape = shape});
      found.of += 2;
    } else {
      for (const double sign : {1.0, -1.0})
        found.modes.push_back({.s = sign * std::sqrt(-square),
                               .kind = sign > 0.0 ? ModeKind::divergence : ModeKind::decay,
                               .shape = shape});
      found.of += 2;
    }
  }
}

void add_general(const LinearPoint& point, Modes& found) {
  const LinearModel& linear = found.linear;
  const Roots roots = roots_of(linear.A);
  if (!roots.found) {
    found.linear.status = Status::iteration_limit;
    return;
  }
  found.of = static_cast<std::size_t>(linear.A.rows());
  const Structure& structure = point.system.structure();
  const auto shape_of = [&](const Eigen::VectorXcd& x) {
    Eigen::VectorXcd shape = linear.Tq * x;
    const Eigen::VectorXcd speed = linear.Tv * x;
    shape.tail(structure.nz) = speed.tail(structure.nz);
    if (shape.cwiseAbs().maxCoeff() <= 1e-12 * speed.cwiseAbs().maxCoeff()) shape = speed;
    return scaled(shape);
  };
  for (Index k = 0; k < roots.still.cols(); ++k)
    found.modes.push_back(
        {.s = 0.0,
         .kind = ModeKind::drift,
         .multiplicity = k == 0 ? static_cast<int>(roots.zeros - roots.still.cols()) + 1 : 1,
         .shape = shape_of(roots.still.col(k).cast<Complex>())});
  const double largest = roots.s.size() > 0 ? roots.s.cwiseAbs().maxCoeff() : 0.0;
  const double border = static_cast<double>(linear.A.rows()) * 1e2 * epsilon_of_modes * largest;
  for (Index k = 0; k < roots.s.size(); ++k) {
    if (roots.s[k].imag() < 0.0) continue;
    Mode mode{.s = roots.s[k], .kind = kind_of(roots.s[k], border)};
    const Eigen::VectorXcd x = roots.right.col(k);
    mode.shape = shape_of(x);
    // the left vector goes with a right one whose largest entry of the shape is 1
    const Eigen::VectorXcd raw = linear.Tq * x;
    const double size = std::max(raw.cwiseAbs().maxCoeff(), 1e-300);
    const Eigen::VectorXcd pushed = (roots.left.row(k) * linear.B.cast<Complex>()).transpose();
    for (const Complex& p : pushed) mode.participation.push_back(std::abs(p) * size);
    found.modes.push_back(std::move(mode));
  }
}

void add_large(const LinearPoint& point, const LinearTerms& terms, int count, double near,
               Modes& found) {
  const Structure& structure = point.system.structure();
  if (!point.rest || structure.has_velocity_rows()) {
    found.linear.status = Status::not_supported;
    found.linear.reason =
        "large models are looked at where they rest, and without conditions on velocities";
    return;
  }
  const KrylovModes some = krylov_modes(point, terms, count, near);
  if (some.status != Status::ok) {
    found.linear.status = some.status;
    found.linear.reason = std::string{sentence(some.status)};
    return;
  }
  found.of = static_cast<std::size_t>(2 * (structure.nq - structure.nc));
  for (Index k = 0; k < some.s.size(); ++k)
    found.modes.push_back({.s = some.s[k],
                           .kind = kind_of(some.s[k], 1e-12 * std::abs(some.s[k])),
                           .shape = scaled(some.shapes.col(k))});
}

}  // namespace

std::string_view name(ModeKind kind) {
  switch (kind) {
    case ModeKind::vibration:
      return "vibration";
    case ModeKind::decay:
      return "decay";
    case ModeKind::drift:
      return "drift";
    case ModeKind::flutter:
      return "flutter";
    case ModeKind::divergence:
      break;
  }
  return "divergence";
}

double Mode::hertz() const { return s.imag() / (2 * std::numbers::pi); }

double Mode::damping_ratio() const { return s.real() == 0.0 ? 0.0 : -s.real() / std::abs(s); }

bool Modes::stable() const {
  return std::none_of(modes.begin(), modes.end(), [](const Mode& mode) {
    return mode.kind == ModeKind::flutter || mode.kind == ModeKind::divergence;
  });
}

Modes modes(const Model& model, const SimulationOptions& options, const LinearizeOptions& linear,
            const ModesOptions& which, Problems& problems) {
  Modes found;
  const PreparedModel prepared = prepare_linear(model, options, linear.inputs, problems);
  if (!problems.empty()) return found;
  const LinearPoint point = linear_point(prepared, options, linear, problems);
  if (!problems.empty()) return found;
  // what a shape is made of has derivatives wherever there is one
  LinearizeOptions asked = linear;
  if (asked.outputs.empty()) asked.outputs = point.system.structure().names_at_rest();
  found.linear = linearize_at(point, prepared, asked, problems);
  if (!problems.empty() || found.linear.status != Status::ok) return found;
  const Index nq = point.system.nq();
  const bool large = nq > LinearModel::most_coordinates;
  const LinearTerms terms{.M = found.linear.M,
                          .D = found.linear.D,
                          .K = found.linear.K,
                          .G = found.linear.G,
                          .N = found.linear.N};
  const bool symmetric = found.linear.B.cols() == 0 && is_symmetric(point, terms);
  if (large)
    add_large(point, terms, which.lowest > 0 ? which.lowest : usual_of_large, which.near, found);
  else if (symmetric)
    add_symmetric(point, terms, found);
  else
    add_general(point, found);
  if (found.linear.status != Status::ok) {
    if (found.linear.reason.empty()) found.linear.reason = sentence(found.linear.status);
    return found;
  }
  if (symmetric && (!large || which.shares)) sharpen_frequencies(point, terms, found);
  std::stable_sort(found.modes.begin(), found.modes.end(), [&](const Mode& a, const Mode& b) {
    const Complex at{0.0, which.near};
    return std::abs(a.s - at) < std::abs(b.s - at);
  });
  if (which.lowest > 0 && found.modes.size() > static_cast<std::size_t>(which.lowest))
    found.modes.resize(static_cast<std::size_t>(which.lowest));
  if (which.shares) {
    ModeShares shares{point, terms.M};
    for (Mode& mode : found.modes) shares(mode);
  }
  move_scene(point, prepared.compiled, found);
  return found;
}

Modes modes(const Model& model, const SimulationOptions& options, const LinearizeOptions& linear,
            const ModesOptions& which) {
  Problems problems{model.file};
  Modes found = modes(model, options, linear, which, problems);
  problems.throw_if_any();
  return found;
}

}  // namespace taut
