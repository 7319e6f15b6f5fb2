// SPDX-License-Identifier: BSD-3-Clause
#include "methods/stiff_directions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/dense_decompositions.hpp"

namespace taut {
namespace {

constexpr double gap = 10.0;       // of squares of rates
constexpr std::size_t most = 256;  // coordinates of a group

// What the directions are found from.
struct Local {
  Evaluation at_rest, moving;
  const Sparse* M = nullptr;

  Status evaluate(const System& system, const State& at) {
    const Structure& structure = system.structure();
    const Vec none = Vec::Zero(structure.nq), no_lambda = Vec::Zero(structure.nc);
    for (Evaluation* ev : {&at_rest, &moving}) system.prepare(*ev);
    Needs wanted = need(Target::stiffness);
    if (!structure.mass_constant) wanted |= need(Target::mass);
    if (structure.nc > 0) wanted |= need(Target::constraint_jacobian);
    if (const Status status = system.evaluate(
            wanted, {.t = at.t, .q = at.q, .v = none, .a = &none, .lambda = &no_lambda}, at_rest);
        status != Status::ok)
      return status;
    M = structure.mass_constant ? &structure.M : &at_rest.M;
    return system.evaluate(need(Target::damping),
                           {.t = at.t, .q = at.q, .v = at.v, .a = &none, .lambda = &no_lambda},
                           moving);
  }
};

Mat block(const Sparse& A, const std::vector<int>& coordinates) {
  const auto n = static_cast<Index>(coordinates.size());
  Mat result = Mat::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Sparse::InnerIterator entry(A, coordinates[static_cast<std::size_t>(i)]); entry; ++entry) {
      const auto found = std::lower_bound(coordinates.begin(), coordinates.end(), entry.col());
      if (found != coordinates.end() && *found == entry.col())
        result(i, found - coordinates.begin()) = entry.value();
    }
  return result;
}

// (1)
std::vector<std::vector<int>> group(const Sparse& H, const Sparse& M, double least) {
  const auto n = static_cast<std::size_t>(H.rows());
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  Vec mass(H.rows());
  for (Index i = 0; i < H.rows(); ++i) mass[i] = M.coeff(i, i);
  std::vector<bool> stiff(n, false);
  for (int i = 0; i < H.rows(); ++i)
    for (Sparse::InnerIterator entry(H, i); entry; ++entry) {
      const int j = static_cast<int>(entry.col());
      if (std::abs(entry.value()) < least * std::sqrt(mass[i] * mass[j])) continue;
      stiff[i] = stiff[j] = true;
      parent[std::max(root(i), root(j))] = std::min(root(i), root(j));
    }
  std::vector<std::vector<int>> members(n), groups;
  for (int i = 0; i < H.rows(); ++i)
    if (stiff[i]) members[static_cast<std::size_t>(root(i))].push_back(i);
  for (auto& group : members)
    if (!group.empty()) groups.push_back(std::move(group));
  return groups;
}

// Rows that hold coordinates of the group alone, and hold them fast.
Mat fast_rows(const Structure& structure, const Sparse& G, const Sparse& M,
              const std::vector<int>& coordinates, double least) {
  Mat rows = Mat::Zero(structure.nc, static_cast<Index>(coordinates.size()));
  Index count = 0;
  for (int r = 0; r < structure.nc; ++r) {
    double S = 0.0;
    bool inside = true;
    rows.row(count).setZero();
    for (Sparse::InnerIterator entry(G, r); entry && inside; ++entry) {
      if (entry.value() == 0.0) continue;
      const auto found = std::lower_bound(coordinates.begin(), coordinates.end(), entry.col());
      inside = found != coordinates.end() && *found == entry.col();
      if (!inside) break;
      rows(count, found - coordinates.begin()) = entry.value();
      S += entry.value() * entry.value() / M.coeff(entry.col(), entry.col());
    }
    if (inside && S > 0.0 && structure.C[r] * least <= S) ++count;
  }
  return rows.topRows(count);
}

// Vibrations of a group.
SymmetricModes vibrations(const Structure& structure, const Local& local,
                          const std::vector<int>& coordinates, double least) {
  const Mat H = block(local.at_rest.K, coordinates), M = block(*local.M, coordinates);
  Mat tangents = Mat::Identity(H.rows(), H.rows());
  if (structure.nc > 0) {
    const Mat rows = fast_rows(structure, local.at_rest.G, *local.M, coordinates, least);
    if (rows.rows() > 0) tangents = orthogonal_complement(rows.transpose());
  }
  if (tangents.cols() == 0) return {};
  const Mat symmetric = (H + H.transpose()) / 2;
  SymmetricModes modes = symmetric_modes(
      product(product(tangents.transpose(), symmetric), tangents),
      product(product(tangents.transpose(), M), tangents), Wanted::values_and_shapes);
  if (modes.found) modes.shapes = product(tangents, modes.shapes);
  return modes;
}

bool gap_below(const Vec& omega2, Index k, double least) {
  const double below = k > 0 ? omega2[k - 1] : 0.0;
  return omega2[k] >= least && omega2[k] >= gap * std::max(below, 0.1 * least);
}

// X and C from the vibrations k, k + 1, ...; false if one of them creeps
bool set_directions(const SymmetricModes& found, Index k, const Sparse& D, StiffGroup& group) {
  const Index count = found.omega2.size() - k;
  const Mat shapes = found.shapes.rightCols(count), damping = block(D, group.coordinates);
  for (Index j = 0; j < count; ++j)
    if (shapes.col(j).dot(damping * shapes.col(j)) >= std::sqrt(found.omega2[k + j])) return false;
  group.C = found.omega2.tail(count).reverse().cwiseInverse();
  group.X = shapes.rowwise().reverse() * group.C.asDiagonal();
  return true;
}

}  // namespace

std::vector<StiffGroup> find_stiff_directions(const System& system, const State& at,
                                              double least_rate) {
  const double least = least_rate * least_rate;
  Local local;
  std::vector<StiffGroup> groups;
  if (local.evaluate(system, at) != Status::ok) return groups;
  for (std::vector<int>& coordinates : group(local.at_rest.K, *local.M, 0.1 * least)) {
    if (coordinates.size() > most) continue;
    const SymmetricModes found = vibrations(system.structure(), local, coordinates, least);
    Index k = 0;
    while (k < found.omega2.size() && !gap_below(found.omega2, k, least)) ++k;
    if (k == found.omega2.size()) continue;
    StiffGroup next{.coordinates = std::move(coordinates), .X = {}, .C = {}};
    if (set_directions(found, k, local.moving.D, next)) groups.push_back(std::move(next));
  }
  return groups;
}

}  // namespace taut
