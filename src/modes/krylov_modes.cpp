// SPDX-License-Identifier: BSD-3-Clause
#include "modes/krylov_modes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "core/any_direction.hpp"
#include "core/dense_decompositions.hpp"
#include "core/lu.hpp"
#include "model/accelerations.hpp"

namespace taut {
Sparse independent_part(const LinearPoint& point, const Sparse& G) {
  const Index nc = G.rows();
  if (nc == 0) return G;
  Accelerations accelerations;
  Vec a(point.system.nq()), lambda(nc);
  std::vector<bool> dropped(static_cast<std::size_t>(nc), false);
  const State& at = point.state;
  if (accelerations.start(point.system) == Status::ok &&
      accelerations(point.system, at.t, at.q, at.v, a, lambda) == Status::ok)
    for (const int row : accelerations.kkt().droppable())
      dropped[static_cast<std::size_t>(row)] = true;
  std::vector<Eigen::Triplet<double>> entries;
  int kept = 0;
  for (Index r = 0; r < nc; ++r) {
    if (dropped[static_cast<std::size_t>(r)]) continue;
    for (Sparse::InnerIterator it{G, r}; it; ++it)
      entries.emplace_back(kept, static_cast<int>(it.col()), it.value());
    ++kept;
  }
  Sparse part(kept, G.cols());
  part.setFromTriplets(entries.begin(), entries.end());
  return part;
}

namespace {

/// [S Gᵀ; G 0] factorised.
class Saddle {
 public:
  [[nodiscard]] Status factor(const Sparse& S, const Sparse& G) {
    nq_ = S.rows();
    const Index nc = G.rows();
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < nq_; ++i) {
      entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 0.0);
      for (Sparse::InnerIterator it{S, i}; it; ++it)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(it.col()), it.value());
    }
    for (Index r = 0; r < nc; ++r) {
      const auto row = static_cast<int>(nq_ + r);
      entries.emplace_back(row, row, 0.0);
      for (Sparse::InnerIterator it{G, r}; it; ++it) {
        entries.emplace_back(row, static_cast<int>(it.col()), it.value());
        entries.emplace_back(static_cast<int>(it.col()), row, it.value());
      }
    }
    Sparse J(nq_ + nc, nq_ + nc);
    J.setFromTriplets(entries.begin(), entries.end());
    lu_.analyse(J, nc);
    std::copy_n(J.valuePtr(), J.nonZeros(), lu_.values());
    b_.resize(nq_ + nc);
    return lu_.factor();
  }
  /// The part of q.
  void solve(const Vec& right, Vec& x) {
    b_.head(nq_) = right;
    b_.tail(b_.size() - nq_).setZero();
    lu_.solve(b_.data());
    x = b_.head(nq_);
  }

 private:
  Index nq_ = 0;
  Lu<double> lu_;
  Vec b_;
};

using Operator = std::function<void(const Vec& x, Vec& y)>;

/// Basis V, orthonormal in the metric, with  Op V = V H + beta v eᵀ; all of it normal to `locked`.
struct Krylov {
  Mat V, H;
  Mat locked;
  Vec next;
  int size = 0;
  bool closed = false;  // the space holds all that can be reached

  void begin(Vec start, const Operator& metric, Index room) {
    V.resize(start.size(), room);
    H = Mat::Zero(room + 1, room);
    Vec m;
    for (int pass = 0; pass < 2; ++pass) unlock(start, metric);
    metric(start, m);
    next = start / std::sqrt(start.dot(m));
  }
  void unlock(Vec& y, const Operator& metric) const {
    if (locked.cols() == 0) return;
    Vec m;
    metric(y, m);
    y -= locked * (locked.transpose() * m);
  }
  void grow(const Operator& op, const Operator& metric) {
    Vec y, m;
    V.col(size) = next;
    op(next, y);
    metric(y, m);
    const double before = std::sqrt(std::max(0.0, y.dot(m)));
    for (int pass = 0; pass < 2; ++pass) {
      unlock(y, metric);
      metric(y, m);
      const Vec h = V.leftCols(size + 1).transpose() * m;
      y -= V.leftCols(size + 1) * h;
      H.col(size).head(size + 1) += h;
      metric(y, m);
    }
    const double left = std::sqrt(std::max(0.0, y.dot(m)));
    closed = !(left > 1e-14 * before);
    H(size + 1, size) = closed ? 0.0 : left;
    if (!closed) next = y / left;
    ++size;
  }
};

struct Ritz {
  bool found = false;
  Eigen::VectorXcd theta;
  Eigen::MatrixXcd y;
};

Ritz ritz_of(const Krylov& space, bool symmetric) {
  const Mat H = space.H.topLeftCorner(space.size, space.size);
  if (symmetric) {
    const SymmetricModes modes = symmetric_modes((H + H.transpose()) / 2);
    return {modes.found, modes.omega2.cast<std::complex<double>>(),
            modes.shapes.cast<std::complex<double>>()};
  }
  GeneralModes modes = general_modes(H, Wanted::values_and_shapes);
  return {modes.found, std::move(modes.values), std::move(modes.shapes)};
}

/// Largest |theta| first.
std::vector<Index> by_size(const Eigen::VectorXcd& theta) {
  std::vector<Index> order(static_cast<std::size_t>(theta.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(theta[a]) > std::abs(theta[b]); });
  return order;
}

/// Grows the space until the wanted largest |theta| have an error of rounding.
Status settle(Krylov& space, const Operator& op, const Operator& metric, bool symmetric, int wanted,
              int room, Ritz& ritz, std::vector<Index>& order) {
  constexpr double settled = 1e-13;
  for (int next_look = std::min(room, 2 * wanted + 10);;
       next_look = std::min(room, space.size + 10)) {
    while (space.size < next_look && !space.closed) space.grow(op, metric);
    ritz = ritz_of(space, symmetric);
    if (!ritz.found) return Status::iteration_limit;
    order = by_size(ritz.theta);
    const auto many = std::min<std::size_t>(order.size(), static_cast<std::size_t>(wanted));
    const double beta = space.H(space.size, space.size - 1);
    bool done = true;
    for (std::size_t k = 0; k < many; ++k)
      done &= beta * std::abs(ritz.y(space.size - 1, order[k])) <=
              settled * std::abs(ritz.theta[order[k]]);
    if (done || space.closed) return Status::ok;
    if (space.size >= room) return Status::iteration_limit;
  }
}

/// A Krylov space has but one vector of each eigenvalue: further ones come in by rounding alone,
/// and late. What is normal to all that is kept is searched anew, from other starts, until nothing
/// there is larger than the smallest that is kept.
void find_copies(const Operator& op, const Operator& metric, Index n, int room,
                 std::vector<std::pair<double, Vec>>& kept) {
  const std::size_t wanted = kept.size();
  for (std::size_t round = 0; round < wanted; ++round) {
    Krylov beside;
    beside.locked.resize(n, static_cast<Index>(kept.size()));
    for (std::size_t k = 0; k < kept.size(); ++k)
      beside.locked.col(static_cast<Index>(k)) = kept[k].second;
    Vec start;
    op(any_direction(n + static_cast<Index>(round) + 1).tail(n), start);
    beside.begin(start, metric, room);
    Ritz ritz;
    std::vector<Index> order;
    if (settle(beside, op, metric, true, 1, room, ritz, order) != Status::ok || order.empty())
      return;
    const double theta = ritz.theta[order[0]].real();
    if (std::abs(theta) <= std::abs(kept.back().first) * (1 + 1e-10)) return;
    kept.emplace_back(theta, beside.V.leftCols(beside.size) * Vec{ritz.y.col(order[0]).real()});
    std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
      return std::abs(a.first) > std::abs(b.first);
    });
    kept.resize(wanted);
  }
}

void add(KrylovModes& found, std::complex<double> s, const Eigen::VectorXcd& shape) {
  const Index k = found.s.size();
  found.s.conservativeResize(k + 1);
  found.shapes.conservativeResize(shape.size(), k + 1);
  found.s[k] = s;
  found.shapes.col(k) = shape;
}

}  // namespace

KrylovModes krylov_modes(const LinearPoint& point, const LinearTerms& terms, int count,
                         double near) {
  KrylovModes found;
  const Sparse& M = terms.M;
  const Index nq = M.rows();
  const Sparse G = independent_part(point, terms.G);
  const Sparse Kt = terms.K.transpose();
  const bool damped = terms.D.nonZeros() > 0 && terms.D.norm() > 0.0;
  const bool symmetric = !damped && (terms.K - Kt).norm() <= 1e-12 * terms.K.norm();
  if (point.system.structure().nz > 0 || (near != 0.0 && !symmetric)) {
    found.status = Status::not_supported;
    return found;
  }
  Saddle saddle;
  double shift = near * near;  // of s² = -shift
  found.status = saddle.factor(terms.K - shift * M, G);
  if (found.status == Status::singular_matrix && near == 0.0) {
    // something drifts: a shift beside which it does not count, and that rounding does not hide
    shift = -1e-8 * terms.K.norm() / M.norm();
    found.status = saddle.factor(terms.K - shift * M, G);
  }
  if (found.status != Status::ok) return found;
  const double sigma = shift < 0.0 ? std::sqrt(-shift) : 0.0;  // of (2): about the root s = sigma
  if (!symmetric && sigma > 0.0) {
    found.status = saddle.factor(terms.K + sigma * terms.D + sigma * sigma * M, G);
    if (found.status != Status::ok) return found;
  }

  Vec x;
  const auto mass = [&](const Vec& from, Vec& to) {
    to = from;
    if (symmetric) {
      to = M * from;
      return;
    }
    to.head(nq) = M * from.head(nq);
    to.tail(nq) = M * from.tail(nq);
  };
  const auto inverse = [&](const Vec& from, Vec& to) {
    if (symmetric) {
      saddle.solve(M * from, to);
      return;
    }
    const auto b1 = from.head(nq), b2 = from.tail(nq);
    saddle.solve(-(M * b2) - terms.D * b1 - sigma * (M * b1), x);
    to.resize(2 * nq);
    to.head(nq) = x;
    to.tail(nq) = b1 + sigma * x;
  };
  const Index n = symmetric ? nq : 2 * nq;
  const int wanted = symmetric ? count : 2 * count;
  const auto room = static_cast<int>(std::min<Index>(n, std::max(400, 3 * wanted)));
  Vec start;
  inverse(any_direction(n), start);
  Krylov space;
  space.begin(start, mass, room);
  Ritz ritz;
  std::vector<Index> order;
  found.status = settle(space, inverse, mass, symmetric, wanted, room, ritz, order);
  if (found.status != Status::ok) return found;
  found.vectors = space.size;
  const auto many = std::min<std::size_t>(order.size(), static_cast<std::size_t>(wanted));
  const auto basis = space.V.leftCols(space.size).topRows(nq);
  if (!symmetric) {
    // theta = 1 / (s - sigma)
    for (std::size_t k = 0; k < many; ++k) {
      const std::complex<double> s = 1.0 / ritz.theta[order[k]] + sigma;
      if (s.imag() < 0.0) continue;
      const Eigen::VectorXcd y = ritz.y.col(order[k]);
      Eigen::VectorXcd shape(nq);
      shape.real() = basis * Vec{y.real()};
      shape.imag() = basis * Vec{y.imag()};
      add(found, s, shape);
    }
    return found;
  }
  std::vector<std::pair<double, Vec>> kept;
  for (std::size_t k = 0; k < many; ++k)
    kept.emplace_back(ritz.theta[order[k]].real(), basis * Vec{ritz.y.col(order[k]).real()});
  find_copies(inverse, mass, nq, room, kept);
  for (const auto& [theta, shape] : kept) {
    // theta = 1 / (omega² - shift)
    const double square = 1.0 / theta + shift;
    add(found,
        square >= 0.0 ? std::complex<double>{0.0, std::sqrt(square)}
                      : std::complex<double>{std::sqrt(-square), 0.0},
        shape.cast<std::complex<double>>());
  }
  return found;
}

}  // namespace taut
