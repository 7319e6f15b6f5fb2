// SPDX-License-Identifier: BSD-3-Clause
#include "curves/null_vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

void NullVector::resize(Index rows, Index columns) {
  D.setZero(rows, columns);
  sizes_.setZero(columns);
  shapes_.setZero(columns, columns);
  order_.setZero(columns);
  for (Vec* x : {&G_, &H_, &h_, &Y_}) x->setZero(columns);
  for (Vec* x : {&Du_, &Dh_}) x->setZero(rows);
}

Index NullVector::rank() const { return (sizes_.array() > independent * sizes_[0]).count(); }

Status NullVector::judge() const {
  const Index c = sizes_.size();
  if (!std::isfinite(sizes_.sum())) return Status::non_finite;
  if (c == 1) return sizes_[0] <= 0.1 ? Status::ok : Status::singular_matrix;
  if (!(sizes_[c - 2] > independent * sizes_[0])) return Status::singular_matrix;
  return sizes_[c - 1] <= 0.1 * sizes_[c - 2] ? Status::ok : Status::singular_matrix;
}

Status NullVector::by_qr(Vec& u) {
  const Index k = D.rows(), c = D.cols();
  for (Index j = 0; j < c; ++j) order_[j] = static_cast<int>(j);
  sizes_.setZero();
  for (Index i = 0; i < std::min(k, c); ++i) {
    // the longest of the columns that are left
    Index longest = i;
    double most = -1.0;
    for (Index j = i; j < c; ++j) {
      const double length = D.col(j).tail(k - i).squaredNorm();
      if (length > most) {
        most = length;
        longest = j;
      }
      if (!std::isfinite(length)) return Status::non_finite;
    }
    if (most == 0.0) break;
    if (longest != i) {
      D.col(i).swap(D.col(longest));
      std::swap(order_[i], order_[longest]);
    }
    const double length = std::sqrt(most);
    sizes_[i] = length;
    // reflection that leaves -sign(D_ii) |column| on the diagonal; its vector stands in the column
    const double diagonal = D(i, i) > 0.0 ? -length : length;
    D(i, i) -= diagonal;
    const double half = length * std::abs(D(i, i));  // |vector|²/2
    for (Index j = i + 1; j < c; ++j) {
      const double along = D.col(i).tail(k - i).dot(D.col(j).tail(k - i)) / half;
      D.col(j).tail(k - i) -= along * D.col(i).tail(k - i);
    }
    D(i, i) = diagonal;
  }
  if (const Status status = judge(); status != Status::ok) return status;
  // R w = 0 with w = 1 in the last column
  Y_[c - 1] = 1.0;
  for (Index i = c - 2; i >= 0; --i) {
    double sum = 0.0;
    for (Index j = i + 1; j < c; ++j) sum += D(i, j) * Y_[j];
    Y_[i] = -sum / D(i, i);
  }
  // without overflow; stableNorm() of Eigen asks for more alignment than its own copy has
  const double largest = Y_.cwiseAbs().maxCoeff();
  const double length = largest * (Y_ * (1.0 / largest)).norm();
  if (!std::isfinite(length)) return Status::non_finite;
  for (Index j = 0; j < c; ++j) u[order_[j]] = Y_[j] / length;
  return Status::ok;
}

Status NullVector::decompose() {
  constexpr int most_sweeps = 60;
  const Index c = D.cols();
  shapes_.setIdentity();
  const double all = D.norm();
  if (!std::isfinite(all)) return Status::non_finite;
  // columns this small are zero, and have no direction to be orthogonal to
  const double nothing = epsilon * all;
  bool rotated = true;
  for (int sweep = 0; rotated; ++sweep) {
    if (sweep == most_sweeps) return Status::iteration_limit;
    rotated = false;
    for (Index i = 0; i + 1 < c; ++i) {
      for (Index j = i + 1; j < c; ++j) {
        const double a = D.col(i).squaredNorm(), b = D.col(j).squaredNorm();
        const double product = D.col(i).dot(D.col(j));
        if (std::abs(product) <= 4.0 * epsilon * std::sqrt(a * b) ||
            std::min(a, b) <= nothing * nothing)
          continue;
        rotated = true;
        // tan of the angle that makes them orthogonal, the smaller one
        const double zeta = (b - a) / (2.0 * product);
        const double t = (zeta >= 0.0 ? 1.0 : -1.0) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double cosine = 1.0 / std::hypot(1.0, t), sine = cosine * t;
        for (Mat* X : {&D, &shapes_}) {
          for (Index r = 0; r < X->rows(); ++r) {
            const double x = (*X)(r, i), y = (*X)(r, j);
            (*X)(r, i) = cosine * x - sine * y;
            (*X)(r, j) = sine * x + cosine * y;
          }
        }
      }
    }
  }
  for (Index j = 0; j < c; ++j) sizes_[j] = D.col(j).norm();
  // descending, by insertion: there are few
  for (Index i = 1; i < c; ++i) {
    for (Index j = i; j > 0 && sizes_[j] > sizes_[j - 1]; --j) {
      std::swap(sizes_[j], sizes_[j - 1]);
      shapes_.col(j).swap(shapes_.col(j - 1));
    }
  }
  return Status::ok;
}

Status NullVector::by_svd(Vec& u) {
  if (const Status status = decompose(); status != Status::ok) return status;
  if (const Status status = judge(); status != Status::ok) return status;
  u = shapes_.col(D.cols() - 1);
  return Status::ok;
}

Status NullVector::by_sphere(Vec& u) {
  const Index c = D.cols();
  const double all = D.norm();
  if (!std::isfinite(all)) return Status::non_finite;
  const int limit = 200 + 50 * static_cast<int>(c);
  const auto gradient = [&](Vec& to) {  // Y of (5.1), downhill
    Du_.noalias() = D * u;
    to.noalias() = D.transpose() * Du_;
    to = Du_.squaredNorm() * u - to;
  };
  u /= u.norm();
  gradient(G_);
  H_ = G_;
  double cycle_began = std::numeric_limits<double>::infinity();
  for (iterations_ = 0; iterations_ <= limit; ++iterations_) {
    // D u = 0 to rounding; or, where the rows contradict one another, a minimum of |D u|: G is 0 to
    // rounding, and a whole cycle has gained nothing
    const double value = Du_.norm();
    if (value <= 8.0 * epsilon * all) return Status::ok;
    if (iterations_ % c == 0) {
      if (G_.norm() <= 16.0 * epsilon * all * all && value >= 0.5 * cycle_began) return Status::ok;
      cycle_began = value;
    }
    const double length = H_.norm();
    if (!std::isfinite(length)) return Status::non_finite;
    if (length == 0.0) return Status::iteration_limit;
    h_ = H_ / length;

    // the lowest point on the great circle through u along h
    Dh_.noalias() = D * h_;
    const double a = 2.0 * Du_.dot(Dh_), b = Du_.squaredNorm() - Dh_.squaredNorm();
    const double r = std::hypot(a, b);
    if (r == 0.0) return Status::singular_matrix;
    double cosine = 0.0, sine = 0.0;
    if (b >= 0.0) {
      sine = std::sqrt((1.0 + b / r) / 2.0);
      cosine = -a / (2.0 * r * sine);
    } else {
      cosine = std::sqrt((1.0 - b / r) / 2.0);
      sine = -a / (2.0 * r * cosine);
    }
    // H and G are carried along the circle
    const double slope = H_.dot(G_), along = h_.dot(G_);
    H_ = length * (cosine * h_ - sine * u);
    Y_ = G_ - along * (sine * u + (1.0 - cosine) * h_);
    u = cosine * u + sine * h_;
    u /= u.norm();
    gradient(G_);
    const double gamma = G_.dot(G_ - Y_) / slope;
    if (iterations_ % c == c - 1 || !std::isfinite(gamma))
      H_ = G_;
    else
      H_ = G_ + gamma * H_;
  }
  return Status::iteration_limit;
}

}  // namespace taut
