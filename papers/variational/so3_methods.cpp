// SPDX-License-Identifier: BSD-3-Clause
#include "so3_methods.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>

namespace taut::papers::variational::rotations {
namespace {

/// -∂V in the body's axes: Bμ (Rᵀe3) x e3.
Vec3 torque(const Magnet& magnet, const Mat3& R) {
  const Vec3 e3 = Vec3::UnitZ();
  return magnet.strength * Vec3{R.transpose() * e3}.cross(e3);
}

/// s >= 0 with s + h² s³/4 = r, by Newton's method from above, which is monotone.
double length_of(double r, double h) {
  const double c = h * h / 4;
  double s = r;
  for (int k = 0; k < 100; ++k) {
    const double next = s - (s + c * s * s * s - r) / (1 + 3 * c * s * s);
    if (!(next < s)) break;
    s = next;
  }
  return s;
}

/// Rotation by the angle |w| about w.
Mat3 rodrigues(const Vec3& w) {
  const auto sinc = [](double x) { return x == 0.0 ? 1.0 : std::sin(x) / x; };
  const double angle = w.norm(), half = sinc(angle / 2);
  const Mat3 W = hat(w);
  return Mat3::Identity() + sinc(angle) * W + half * half / 2 * (W * W);
}

/// (1 - W/2)⁻¹ (1 + W/2) = 1 + (W + W²/2) / (1 + |w|²/4).
Mat3 cayley(const Vec3& w) {
  const Mat3 W = hat(w);
  return Mat3::Identity() + (W + W * W / 2) / (1 + w.squaredNorm() / 4);
}

/// x with A x = b for a matrix of 9 x 9, by elimination with row exchanges.
using Vector9 = std::array<double, 9>;
Vector9 solve(std::array<Vector9, 9> A, Vector9 b) {
  for (std::size_t k = 0; k < 9; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 9; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < 9; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < 9; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = 9; k-- > 0;) {
    for (std::size_t j = k + 1; j < 9; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

}  // namespace

Mat3 hat(const Vec3& w) {
  Mat3 W;
  W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return W;
}

OnGroup start_on_group(const Magnet& magnet) { return {.Omega = magnet.spin}; }
Penalized start_penalized(const Magnet& magnet) { return {.p = hat(magnet.spin) / 2}; }

double energy(const Magnet& magnet, const OnGroup& at) {
  return at.Omega.squaredNorm() / 2 + magnet.strength * at.R(2, 2);
}

double energy(const Magnet& magnet, const Penalized& at) {
  const double strain = (at.R.transpose() * at.R - Mat3::Identity()).squaredNorm();
  return at.p.squaredNorm() + magnet.strength * at.R(2, 2) +
         magnet.omega * magnet.omega / 2 * strain;
}

void hamilton_pontryagin_cayley(const Magnet& magnet, double h, OnGroup& at) {
  const Vec3 r = (1 + h * h / 4 * at.Omega.squaredNorm()) * at.Omega + h * torque(magnet, at.R);
  const double size = r.norm();
  at.Omega = size > 0 ? Vec3{length_of(size, h) / size * r} : Vec3::Zero();
  at.R = at.R * cayley(h * at.Omega);
}

void strang_splitting(const Magnet& magnet, double h, OnGroup& at) {
  at.Omega += h / 2 * torque(magnet, at.R);
  at.R = at.R * rodrigues(h * at.Omega);
  at.Omega += h / 2 * torque(magnet, at.R);
}

Mat3 linearized_force(const Magnet& magnet, double b, Third third, const Mat3& R) {
  // (37) as (1 + b V'') a = -V', column by column of V''
  const double w2 = 2 * magnet.omega * magnet.omega;
  const Mat3 RtR = R.transpose() * R, RRt = R * R.transpose();
  std::array<Vector9, 9> A{};
  for (Eigen::Index k = 0; k < 9; ++k) {
    Mat3 e = Mat3::Zero();
    e(k) = 1;
    const Mat3 column = e + w2 * b * (e * RtR + R * e.transpose() * R + RRt * e - e);
    for (Eigen::Index i = 0; i < 9; ++i)
      A[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] = column(i);
  }
  Mat3 force = -w2 * (R * RtR - R);
  force(2, 2) -= magnet.strength;
  Vector9 minus_gradient{};
  for (std::size_t i = 0; i < 9; ++i) minus_gradient[i] = force(static_cast<Eigen::Index>(i));
  const Vector9 x = solve(A, minus_gradient);
  const Mat3 a = Eigen::Map<const Mat3>{x.data()};

  if (third == Third::dropped) return a;
  const Mat3 at = a.transpose(), Rt = R.transpose();
  if (third == Third::printed) return a + w2 * b * b * (at * a * Rt + at * R * at + Rt * a * at);
  return a - w2 * b * b * (R * at * a + a * Rt * a + a * at * R);
}

void linearized_euler(const Magnet& magnet, double h, double beta, Third third, Penalized& at) {
  at.p += h * linearized_force(magnet, beta * h * h, third, at.R);
  at.R += 2 * h * at.p;
}

void linearized_trapezoidal(const Magnet& magnet, double h, double beta, Third third,
                            Penalized& at) {
  at.p += h / 2 * linearized_force(magnet, beta * h * h, third, at.R);
  at.R += 2 * h * at.p;
  at.p += h / 2 * linearized_force(magnet, beta * h * h, third, at.R);
}

}  // namespace taut::papers::variational::rotations
