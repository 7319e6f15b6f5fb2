// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "model/mesh_filter.hpp"
#include "model/pair_neighbours.hpp"

namespace taut {

/// The energy of charges and all their images in a periodic box of volume V (ewald1921), without
/// what stands in the list of pairs, (4) of PairSwitch:
///
///   U = s/2 Σ_{k != 0} 4 pi/(V k²) exp(-k²/(4 alpha²)) |Σ_i Q_i exp(i k x_i)|² (1)
///     - s alpha/sqrt(pi) Σ_i Q_i²                       each charge and its own cloud (2)
///     - s pi/(2 V alpha²) (Σ_i Q_i)²                    a uniform background of the other sign (3)
///     - s Σ_{spared i, j} Q_i Q_j erf(alpha r)/r        partners in a molecule (4)
///
/// Space far away is a conductor. alpha is what lets (4) of PairSwitch end at the cut-off c:
/// exp(-alpha² c²) = accuracy/8. (1) is summed on a mesh (essmann1995): charges are spread with
/// B-splines M_p of an even order p, u = n x / edge along each axis,
///
///   Q(m) = Σ_i Q_i M_p(u1 - m1) M_p(u2 - m2) M_p(u3 - m3),   m modulo n (5) U = s/2 Σ_m Q(m)
///   phi(m),   phi = MeshFilter of Q with                                        (6) G(k) = 4 pi/(V
///   k²) exp(-k²/(4 alpha²)) |b(k1) b(k2) b(k3)|², 1/b(k) = Σ_{l = 1}^{p - 1} M_p(l) exp(2 pi i k
///   l/n)
///
/// Forces are minus the exact gradient of U with (6), so that a motion keeps its energy; they do
/// not add up to 0, but to something within the accuracy. What images of a wave of wave number k do
/// on a mesh of width d changes its force by about (k/(2 pi/d - k))^(p - 1), so that for charges
/// that are anywhere, in units of the force of two of them at their mean distance r0,
///
///   error² = 4 r0 Σ_axes ∫_0^{pi/d} E1(k²/(2 alpha²)) (k/(2 pi/d - k))^(2 p - 2) dk (7)
///
/// and as much as without the fraction from there on. This is an estimate: measured errors were up
/// to five times as large. Order and mesh are those of the least work for which it is a twelfth of
/// the accuracy. Cost p³ for each charge, and the filter.
class EwaldSum {
 public:
  struct Setup {
    std::array<double, 3> edge;
    PairSwitch range;  ///< with alpha
    double accuracy;
    double strength;
    std::vector<int> points;  ///< the charges that count
  };
  static constexpr double least_accuracy = 1e-12, greatest_accuracy = 1e-2;
  [[nodiscard]] static double alpha(double cutoff, double accuracy);

  /// `charge` of all points of a field, and partners that are spared.
  EwaldSum(const Setup& setup, const std::vector<double>& charge, const PairKinds& kinds);

  struct Scratch {
    std::vector<double> mesh;
    std::vector<double> weights;  // of each charge: splines and their derivatives along each axis
    std::vector<int> places;      // where they begin on the mesh
    std::vector<std::array<double, 4>> found;  // phi at each charge, and its derivatives
    MeshFilter::Scratch filter;
  };
  [[nodiscard]] Scratch scratch() const;

  /// Adds (2), (3), (4) and (6).
  void add(const PairColumns& at, Scratch& scratch, PairSums& to) const;

  /// Of all charges together.
  [[nodiscard]] double charge() const { return shape_->sum; }
  [[nodiscard]] bool is_neutral() const;
  [[nodiscard]] int order() const { return shape_->order; }
  [[nodiscard]] const std::array<int, 3>& places() const { return shape_->n; }

 private:
  struct Mesh {
    std::array<int, 3> n{};
    int order = 0;
  };
  /// What does not change.
  struct Shape {
    std::array<double, 3> edge{};
    double alpha = 0.0, strength = 0.0;
    std::vector<int> points;
    std::vector<double> charge;
    std::vector<std::pair<int, int>> spared;  // by their places in `points`
    double constant = 0.0;                    // (2) and (3)
    double sum = 0.0, size = 0.0;             // of charges, and of their absolute values
    std::array<int, 3> n{};
    int order = 0;
    std::vector<double> G;
  };
  [[nodiscard]] static Mesh cheapest_mesh(const Setup& setup);
  void place_all(const PairColumns& at, Scratch& scratch, int begin, int end) const;
  void add_spared(const PairColumns& at, PairSums& to) const;
  [[nodiscard]] int row() const;

  std::shared_ptr<const Shape> shape_;
  std::shared_ptr<const MeshFilter> filter_;
};

}  // namespace taut
