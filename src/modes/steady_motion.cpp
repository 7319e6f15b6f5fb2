// SPDX-License-Identifier: BSD-3-Clause
#include "modes/steady_motion.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "core/dense_decompositions.hpp"
#include "model/accelerations.hpp"
#include "modes/linear_point.hpp"

namespace taut {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

/// q' = S q + s as entries.
struct Generator {
  Entries S;
  Vec s;
  bool turns_all = false;  // a rotation of everything
};

int coordinate(const Scene::Component& component) { return component.coordinate; }

/// Coordinates of a place, and those of the three columns of a rotation; -1: none.
struct Places {
  std::vector<std::array<int, 3>> vectors;                // positions
  std::vector<std::array<int, 3>> directions;             // columns of rotation matrices
  std::vector<std::array<std::array<int, 3>, 3>> bodies;  // [column][row]
  std::vector<bool> geometric;
};

Places places_of(const Scene& scene, Index nq) {
  Places found;
  found.geometric.assign(static_cast<std::size_t>(nq), false);
  const auto keep = [&](const std::array<int, 3>& at) {
    for (const int i : at)
      if (i >= 0) found.geometric[static_cast<std::size_t>(i)] = true;
  };
  const auto position = [&](const std::array<Scene::Component, 3>& at) {
    const std::array<int, 3> c{coordinate(at[0]), coordinate(at[1]), coordinate(at[2])};
    if (c[0] < 0 || c[1] < 0) return;
    keep(c);
    found.vectors.push_back(c);
  };
  for (const Scene::Point& point : scene.points)
    if (point.kind == Scene::Point::Kind::mass) position(point.at);
  for (const Scene::Body& body : scene.bodies) {
    position(body.position);
    std::array<std::array<int, 3>, 3> columns{};
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t r = 0; r < 3; ++r) columns[c][r] = coordinate(body.rotation[3 * r + c]);
      if (columns[c][0] < 0) continue;
      keep(columns[c]);
      found.directions.push_back(columns[c]);
    }
    found.bodies.push_back(columns);
  }
  return found;
}

std::vector<Generator> generators(const Places& places, const LinearPoint& point) {
  const Index nq = point.system.nq(), free = point.system.structure().places();
  std::vector<Generator> list;
  const auto add = [&](Generator one) { list.push_back(std::move(one)); };
  for (Index i = 0; i < free; ++i) {
    if (places.geometric[static_cast<std::size_t>(i)]) continue;
    if (point.state.v[i] == 0.0) continue;
    Generator shift{.S = {}, .s = Vec::Zero(nq)};
    shift.s[i] = 1.0;
    add(std::move(shift));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    Generator along{.S = {}, .s = Vec::Zero(nq)};
    for (const auto& at : places.vectors)
      if (at[k] >= 0) along.s[at[k]] = 1.0;
    if (!along.s.isZero(0.0)) add(std::move(along));
  }
  // e_k x r: r_j -> r_i, r_i -> -r_j with (i, j, k) in cyclic order
  for (std::size_t k = 0; k < 3; ++k) {
    Generator turn{.S = {}, .s = Vec::Zero(nq), .turns_all = true};
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    bool whole = true;
    const auto about = [&](const std::array<int, 3>& at) {
      if (at[i] < 0 || at[j] < 0) {
        whole = false;
        return;
      }
      turn.S.emplace_back(at[j], at[i], 1.0);
      turn.S.emplace_back(at[i], at[j], -1.0);
    };
    for (const auto& at : places.vectors) about(at);
    for (const auto& at : places.directions) about(at);
    if (whole && !turn.S.empty()) add(std::move(turn));
  }
  // R [e_k]x: column i -> column j, column j -> -column i
  for (const auto& body : places.bodies)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      Generator spin{.S = {}, .s = Vec::Zero(nq)};
      if (body[i][0] < 0 || body[j][0] < 0) continue;
      for (std::size_t r = 0; r < 3; ++r) {
        spin.S.emplace_back(body[i][r], body[j][r], 1.0);
        spin.S.emplace_back(body[j][r], body[i][r], -1.0);
      }
      add(std::move(spin));
    }
  return list;
}

/// (2): what the equations are changed by, one column for each generator, each entry in units of
/// the terms it is made of.
Mat defects(const LinearTerms& terms, const LinearPoint& point, const Mat& y_q, const Mat& y_v,
            const Mat& y_a) {
  const Structure& structure = point.system.structure();
  const Index nq = structure.nq, nc = structure.nc, n = y_q.cols();
  const Vec mass = Vec{terms.M.diagonal()}.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Mat r = mass.asDiagonal() * (terms.M * y_a + terms.K * y_q + terms.D * y_v);
  const Mat r_size = mass.asDiagonal() *
                     (terms.M.cwiseAbs() * y_a.cwiseAbs() + terms.K.cwiseAbs() * y_q.cwiseAbs() +
                      terms.D.cwiseAbs() * y_v.cwiseAbs());
  Mat all(nq + 2 * nc, n);
  Mat left = r;
  if (nc > 0) {
    const MinimumNorm along{mass.asDiagonal() * Mat{terms.G}.transpose(), 1e-8};
    const Mat Gt = mass.asDiagonal() * Mat{terms.G}.transpose();
    for (Index k = 0; k < n; ++k) left.col(k) = r.col(k) - Gt * along.solve(r.col(k));
  }
  const Mat g = terms.G * y_q, rate = terms.G * y_v + terms.N * y_q;
  const double force = std::max(r_size.size() > 0 ? r_size.maxCoeff() : 0.0, 1e-300);
  const Mat g_size = terms.G.cwiseAbs() * y_q.cwiseAbs();
  const Mat rate_size = terms.G.cwiseAbs() * y_v.cwiseAbs() + terms.N.cwiseAbs() * y_q.cwiseAbs();
  all.topRows(nq) = left / force;
  for (Index c = 0; c < nc; ++c) {
    const bool of_velocities = structure.rows.empty() ? false : structure.d[c] != 0.0;
    const double of_g = nc > 0 ? std::max(g_size.row(c).maxCoeff(), 1e-300) : 1.0;
    const double of_rate = nc > 0 ? std::max(rate_size.row(c).maxCoeff(), 1e-300) : 1.0;
    all.row(nq + c) = of_velocities ? Mat::Zero(1, n).eval() : Mat{g.row(c) / of_g};
    all.row(nq + nc + c) = rate.row(c) / of_rate;
  }
  return all;
}

/// Columns that span what `defect` takes to zero.
Mat kernel(const Mat& defect) {
  const Mat square = product(defect.transpose(), defect);
  const SymmetricModes modes = symmetric_modes(square);
  constexpr double nothing = 1e-9;
  // squares are known to rounding of their sum alone: what is small is looked at itself
  Mat found(defect.cols(), 0);
  for (Index k = 0; k < modes.omega2.size(); ++k) {
    if (modes.omega2[k] > 1e-10) break;
    const Vec direction = modes.shapes.col(k);
    if ((defect * direction).norm() > nothing) continue;
    found.conservativeResize(defect.cols(), found.cols() + 1);
    found.rightCols(1) = direction;
  }
  return found;
}

Sparse matrix_of(const std::vector<Generator>& list, const Vec& weights, Index nq) {
  Entries entries;
  for (std::size_t k = 0; k < list.size(); ++k)
    for (const auto& entry : list[k].S)
      entries.emplace_back(entry.row(), entry.col(),
                           weights[static_cast<Index>(k)] * entry.value());
  Sparse S(nq, nq);
  S.setFromTriplets(entries.begin(), entries.end());
  return S;
}

/// exp(tau S) applied to all columns, for tau |S| below 1.
Mat flow(const Sparse& S, double tau, const Mat& x) {
  Mat sum = x, term = x;
  for (int k = 1; k < 25; ++k) {
    term = (tau / k) * (S * term);
    sum += term;
  }
  return sum;
}

/// Whether the linear equations are those of here at a point further along the motion, seen from
/// the frame that goes with it.
bool goes_on(const LinearPoint& point, const LinearTerms& here, const SteadyMotion& motion) {
  const System& system = point.system;
  const Index nq = system.nq();
  const double rate = std::max({Mat{motion.S}.cwiseAbs().rowwise().sum().maxCoeff(), 1e-300});
  const double tau = motion.S.nonZeros() > 0 ? 0.7 / rate : 1.0;
  State at = point.state;
  // q' = S q + s: as one linear flow of (q, 1)
  Vec s_term = motion.s;
  at.q = flow(motion.S, tau, point.state.q);
  for (int k = 1; k < 25; ++k) {
    at.q += std::pow(tau, k) / std::tgamma(k + 1) * s_term;
    s_term = motion.S * s_term;
  }
  at.v = flow(motion.S, tau, point.state.v);
  Accelerations accelerations;
  Vec a(nq), lambda(system.nc());
  if (accelerations.start(system) != Status::ok ||
      accelerations(system, at.t, at.q, at.v, a, lambda) != Status::ok)
    return false;
  const LinearTerms there = linear_terms(system, at, a, lambda);
  if (there.status != Status::ok) return false;
  const Mat frame = flow(motion.S, tau, Mat::Identity(nq, nq));
  // in directions that constraints allow, with what multipliers there may be left out
  const Mat G{here.G};
  const Mat Z = system.nc() > 0 ? orthogonal_complement(G.transpose()) : Mat::Identity(nq, nq);
  const Mat W = frame * Z;
  const auto same = [&](const Sparse& one, const Sparse& other) {
    const Mat x = Z.transpose() * (one * Z), y = W.transpose() * (other * W);
    return (x - y).norm() <= 1e-6 * std::max(x.norm(), y.norm());
  };
  return same(here.M, there.M) && same(here.K, there.K) && same(here.D, there.D);
}

std::optional<SteadyMotion> matching(const LinearPoint& point, const LinearTerms& terms,
                                     const std::vector<Generator>& list) {
  const Index nq = point.system.nq(), free = point.system.structure().places();
  const auto n = static_cast<Index>(list.size());
  if (n == 0) return std::nullopt;
  Mat y_q(nq, n), y_v(nq, n), y_a(nq, n);
  for (Index k = 0; k < n; ++k) {
    const Sparse S = matrix_of({list[static_cast<std::size_t>(k)]}, Vec::Ones(1), nq);
    y_q.col(k) = S * point.state.q + list[static_cast<std::size_t>(k)].s;
    y_v.col(k) = S * point.state.v;
    y_a.col(k) = S * point.a;
  }
  const Mat symmetric = kernel(defects(terms, point, y_q, y_v, y_a));
  if (symmetric.cols() == 0) return std::nullopt;
  // (1), a in units of v times the fastest rate there is
  const double speed = point.state.v.head(free).norm();
  const double rate = std::max(point.a.head(free).norm() / speed, 1e-300);
  Mat both(2 * free, symmetric.cols());
  both.topRows(free) = product(y_q, symmetric).topRows(free);
  both.bottomRows(free) = product(y_v, symmetric).topRows(free) / rate;
  Vec wanted(2 * free);
  wanted.head(free) = point.state.v.head(free);
  wanted.tail(free) = point.a.head(free) / rate;
  const Vec c = MinimumNorm{both, 1e-10}.solve(wanted);
  constexpr double exact = 1e-8;
  if ((both * c - wanted).norm() > exact * wanted.norm()) return std::nullopt;
  const Vec weights = symmetric * c;
  SteadyMotion motion{.S = matrix_of(list, weights, nq), .s = Vec::Zero(nq)};
  for (Index k = 0; k < n; ++k) motion.s += weights[k] * list[static_cast<std::size_t>(k)].s;
  if (!goes_on(point, terms, motion)) return std::nullopt;
  return motion;
}

}  // namespace

std::optional<SteadyMotion> steady_motion(const LinearPoint& point, const Scene& scene) {
  const Structure& structure = point.system.structure();
  const Index free = structure.places();
  if (structure.nq > LinearModel::most_coordinates || structure.force_uses_time ||
      structure.constraint_uses_time || point.state.v.head(free).isZero(0.0))
    return std::nullopt;
  // states stand still
  if (structure.nz > 0 && point.a.tail(structure.nz).lpNorm<Eigen::Infinity>() >
                              1e-9 * (1.0 + point.state.v.tail(structure.nz).norm()))
    return std::nullopt;
  const LinearTerms terms = linear_terms(point.system, point.state, point.a, point.lambda);
  if (terms.status != Status::ok) return std::nullopt;
  const std::vector<Generator> all = generators(places_of(scene, structure.nq), point);
  std::vector<Generator> own;
  for (const Generator& one : all)
    if (!one.turns_all) own.push_back(one);
  // a frame that does not turn is the one most would take
  if (std::optional<SteadyMotion> found = matching(point, terms, own)) return found;
  return own.size() < all.size() ? matching(point, terms, all) : std::nullopt;
}

}  // namespace taut
