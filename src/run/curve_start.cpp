// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/curve_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/dense_decompositions.hpp"
#include "curves/curve_projection.hpp"
#include "curves/jet_units.hpp"

namespace taut {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr Index most_dense = 400;  // coordinates: ranks are judged with dense algebra

// |f_r| in units of the terms row r is made of
double relative(const CurveStructure& structure, const Vec& f, Index r) {
  return std::abs(f[r]) / std::max(1.0, structure.scale[r]);
}

double largest(const CurveStructure& structure, const Vec& f) {
  double most = 0.0;
  for (Index r = 0; r < f.size(); ++r) most = std::max(most, relative(structure, f, r));
  return most;
}

// the rows that hold least, worst first
std::string worst_rows(const CurveStructure& structure, const Vec& f) {
  std::vector<Index> order(static_cast<std::size_t>(f.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return relative(structure, f, a) > relative(structure, f, b);
  });
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(order.size(), most) && f[order[k]] != 0.0; ++k)
    text += fmt::format("{}{} is {:.3g} instead of 0", k == 0 ? "" : ", ",
                        structure.rows[static_cast<std::size_t>(order[k])], f[order[k]]);
  return text;
}

// Gauss-Newton for the numbers that were not stated; ends where it does not help any more
Status find_unstated(const Curve& curve, const std::vector<Index>& unstated, CurveEvaluation& ev,
                     CurveStart& start) {
  const CurveStructure& structure = curve.structure();
  constexpr int most_iterations = 50;
  double before = std::numeric_limits<double>::infinity();
  Vec p = start.p;
  for (int k = 0; k < most_iterations; ++k) {
    if (const Status status = curve.jacobian(p, ev); status != Status::ok)
      return k == 0 ? status : Status::ok;
    const double now = largest(structure, ev.f);
    if (!(now < before)) return Status::ok;  // rounding, or nothing more to be had this way
    start.p = p;
    start.iterations = k;
    if (now <= 16 * rounding) return Status::ok;
    before = now;
    Mat A(structure.k, static_cast<Index>(unstated.size()));
    for (std::size_t c = 0; c < unstated.size(); ++c)
      for (Index r = 0; r < structure.k; ++r)
        A(r, static_cast<Index>(c)) = ev.df.coeff(r, unstated[c]);
    const Vec change = MinimumNorm{A, 1e-12}.solve(ev.f);
    for (std::size_t c = 0; c < unstated.size(); ++c)
      p[unstated[c]] -= change[static_cast<Index>(c)];
  }
  return Status::ok;
}

// whether the equations determine numbers that were not stated, from those that were
std::vector<bool> determined(const CurveEvaluation& ev, const std::vector<Index>& unstated) {
  std::vector<bool> result(unstated.size(), true);
  const auto count = static_cast<Index>(unstated.size());
  if (ev.df.cols() > most_dense || count == 0) return result;
  Mat A(ev.df.rows(), count);
  const Mat df{ev.df};
  for (Index c = 0; c < count; ++c) A.col(c) = df.col(unstated[static_cast<std::size_t>(c)]);
  const Mat balanced = balance_of(A.cwiseAbs()).of(A);
  const Mat kernel = A.rows() == 0
                         ? Mat::Identity(count, count)
                         : least_squares(balanced.transpose(), Vec::Zero(count), 1e-10).complement;
  for (Index c = 0; c < count; ++c)
    result[static_cast<std::size_t>(c)] = !(kernel.row(c).norm() > 1e-8);
  return result;
}

void say_what_moved(const CurveStructure& structure, const Vec& given, const CurveEvaluation& ev,
                    CurveStart& start) {
  double size = 0.0, sum = 0.0;
  std::vector<Index> unstated;
  for (Index i = 0; i < given.size(); ++i) {
    if (std::isfinite(given[i]))
      size = std::max(size, std::abs(given[i]));
    else
      unstated.push_back(i);
  }
  const std::vector<bool> follows = determined(ev, unstated);
  for (std::size_t u = 0; u < unstated.size(); ++u) {
    const std::string& name = structure.coordinates[static_cast<std::size_t>(unstated[u])];
    if (follows[u])
      start.found.push_back(name);
    else
      start.taken.emplace_back(name, start.p[unstated[u]]);
  }
  for (Index i = 0; i < given.size(); ++i) {
    if (!std::isfinite(given[i])) continue;
    const double change = start.p[i] - given[i];
    sum += change * change;
    if (std::abs(change) > 64 * rounding * size)
      start.moved.emplace_back(structure.coordinates[static_cast<std::size_t>(i)], change);
  }
  start.distance = std::sqrt(sum);
}

CurveStart failed(const Curve& curve, CurveStart start, Status status, const std::string& what) {
  start.status = status;
  start.reason = what;
  if (const std::string why = curve.explain(start.p); !why.empty()) start.reason += ": " + why;
  return start;
}

// Whether equations that hold at the start hold along the curve, too.
Status check_tangent(const Curve& curve, CurveEvaluation& ev, CurveStart& start) {
  if (const Status status = curve.jacobian(start.p, ev); status != Status::ok) return status;
  const CurveStructure& structure = curve.structure();
  if (structure.m <= most_dense)
    start.rank = structure.k == 0 ? 0 : MinimumNorm{Mat(ev.df), 1e-10}.rank();
  constexpr double allowed = 1e-6;  // far above rounding, far below what matters
  for (Index r = 0; r < structure.k; ++r) {
    const double change = ev.df.row(r).dot(start.V), size = ev.df.row(r).norm();
    if (std::abs(change) <= allowed * size) continue;
    start.reason = fmt::format(
        "{} holds at the start and changes along the direction that the equations give there, by "
        "{:.3g} per unit of arc: they are not complete, or contradict one another",
        structure.rows[static_cast<std::size_t>(r)], change);
    return Status::constraints_contradict;
  }
  return Status::ok;
}

}  // namespace

Vec given_point(const JetSystem& system, const CurveStructure& structure) {
  Vec p = Vec::Constant(structure.m, std::numeric_limits<double>::quiet_NaN());
  for (Index jet = 0; jet < system.given.size(); ++jet) {
    const std::string name = system.name_of(jet);
    const auto place = std::find(structure.coordinates.begin(), structure.coordinates.end(), name);
    if (place != structure.coordinates.end())
      p[place - structure.coordinates.begin()] = system.given[jet];
  }
  return p;
}

CurveStart curve_start(const Curve& curve, const Vec& given, const Vec& near) {
  const CurveStructure& structure = curve.structure();
  CurveStart start;
  start.p = given;
  start.V = Vec::Zero(structure.m);
  std::vector<Index> unstated;
  for (Index i = 0; i < given.size(); ++i) {
    if (i > 0 && i < near.size() && std::isfinite(near[i])) start.p[i] = near[i];
    if (std::isfinite(start.p[i])) continue;
    unstated.push_back(i);
    start.p[i] = 0.0;
  }

  CurveEvaluation ev;
  curve.prepare(ev);
  if (!unstated.empty())
    if (const Status status = find_unstated(curve, unstated, ev, start); status != Status::ok)
      return failed(curve, start, status, "the equations cannot be evaluated at the start");
  if (const Status status = curve.value(start.p, ev); status != Status::ok)
    return failed(curve, start, status, "the equations cannot be evaluated at the start");

  // what is left is shared out among all numbers but x
  const std::string rows = worst_rows(structure, ev.f);
  if (largest(structure, ev.f) > 16 * rounding) {
    CurveProjection projection{{.tol = 1e-12, .keep_x = true, .max_iterations = 100}};
    projection.start(curve);
    if (const Status status = projection(curve, start.p, ev); status != Status::ok)
      return failed(
          curve, start, status,
          fmt::format(
              "no point that satisfies all equations was found near the start with {} = {}, "
              "where {} ({} after {} iterations)",
              structure.coordinates.front(), given[0], rows,
              status == Status::singular_matrix ? "equations became dependent" : "no convergence",
              projection.iterations()));
    start.iterations += projection.iterations();
  }
  if (const Status status = curve.direction(start.p, ev, start.V); status != Status::ok) {
    start.V.setZero();
    return failed(curve, start, status, "the curve has no direction at the start");
  }
  if (const Status status = check_tangent(curve, ev, start); status != Status::ok) {
    start.status = status;
    return start;
  }
  say_what_moved(structure, given, ev, start);
  return start;
}

}  // namespace taut
