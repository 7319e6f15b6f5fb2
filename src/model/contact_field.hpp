// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/pair_neighbours.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Contacts of many spheres, with each other or with a plane of the ground, by the law of
/// elements::ContactLaw and the friction of [[contact]]:
///
///   u = R_i + R_j - |d|,  d = x_i - x_j,  n = d/|d|;   with a plane  u = R_i - n . (x_i - p) (1)
///   N = max(0, k u^m (1 + c u') + b u')  where u > 0,   F = N n - μ N w / sqrt(w² + w_s²) (2)
///
/// w being the velocity of sliding in the middle of the overlap. Spheres that could touch come from
/// lists of neighbours, so that the cost grows with their number. Forces alone: there are no
/// derivatives. Each sphere sums up its own partners in the order of their numbers: the same bits
/// for every number of threads.
class ContactField {
 public:
  struct Sphere {
    int first = 0;                          ///< its x in q
    int angle = -1;                         ///< of a body in the plane: its angle in q
    std::array<int, 3> column{-1, -1, -1};  ///< of a body in space: columns of R in q
    double radius = 0.0;
    std::string name{};
  };
  struct Setup {
    int dimension = 3;
    std::vector<Sphere> spheres;
    std::vector<int> side;  ///< of each: 1 the first group, 2 the second, 3 both
    bool plane = false;
    std::array<double, 3> normal{}, at{};
    double stiffness = 0.0;  ///< 0: of Hertz, by the modulus and the radii
    double modulus = 0.0;
    double exponent = 1.0, damping = 0.0, dashpot = 0.0;
    double friction = 0.0, friction_speed = 1.0;
    std::string label;
  };
  explicit ContactField(Setup setup);

  /// Whether something is lost: forces read the velocities then.
  [[nodiscard]] bool loses() const {
    return s_.damping > 0.0 || s_.dashpot > 0.0 || s_.friction > 0.0;
  }
  [[nodiscard]] const Setup& setup() const { return s_; }
  [[nodiscard]] double largest_radius() const { return largest_radius_; }
  /// Who may touch whom, for a list of neighbours.
  [[nodiscard]] const PairKinds& kinds() const { return kinds_; }

  /// What is seen of all contacts together, beside energy and the power of what is lost.
  struct Seen {
    double contacts = 0.0;     ///< how many touch
    double force = 0.0;        ///< largest N
    double load = 0.0;         ///< sum of all N
    double penetration = 0.0;  ///< largest u
    double power = 0.0;        ///< of what they do on the spheres
    void add(const Seen& other);
  };
  static constexpr std::array<std::string_view, 5> names_of_seen{"contacts", "force", "load",
                                                                 "penetration", "power"};
  struct Scratch {
    std::array<std::vector<double>, 3> x;
    std::vector<double> energy, power;  ///< of each chunk of spheres
    std::vector<Seen> seen;             ///< likewise
    PairList list;
  };
  [[nodiscard]] Scratch scratch() const;

  /// Adds what is wanted of forces and energy.
  void add(Needs wanted, const Arguments& at, Scratch& scratch, Evaluation& out) const;
  /// The power of what is lost.
  [[nodiscard]] double lost(const Arguments& at, Scratch& scratch) const;
  /// All not a number where a sphere is nowhere.
  [[nodiscard]] Seen seen(const Arguments& at, Scratch& scratch) const;
  [[nodiscard]] std::string culprit(const Vec& q) const;

 private:
  struct Touch;
  struct Sums {
    std::array<double, 3> force{}, torque{};
    double energy = 0.0, power = 0.0;
    Seen seen;
    bool any = false;
  };
  /// Adds forces to f, where it is given, and sums up energy and power; false where a sphere is
  /// nowhere.
  [[nodiscard]] bool sum(const Arguments& at, Scratch& scratch, double* f) const;
  void add_pair(const Arguments& at, const Scratch& s, std::size_t i, std::size_t j,
                Sums& to) const;
  void add_plane(const Arguments& at, std::size_t i, Sums& to) const;
  void push(const Touch& touch, double share, Sums& to) const;
  void write(const Arguments& at, std::size_t i, const Sums& sums, double* f) const;
  [[nodiscard]] std::array<double, 3> read(const Vec& x, std::size_t i) const;
  [[nodiscard]] std::array<double, 3> omega(const Arguments& at, std::size_t i) const;

  Setup s_;
  std::vector<int> first_;  // of s_.spheres, side by side
  std::vector<double> radius_;
  PairKinds kinds_;
  double largest_radius_ = 0.0;
};

}  // namespace taut
