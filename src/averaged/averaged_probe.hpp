// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/kkt.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// How a force depends on the phase, found by asking for it at a state and at points near it.
class VibrationProbe {
 public:
  /// One period of the force at a point, in the mass metric and along the constraints.
  struct Size {
    double mean = 0.0;         ///< |<f>|
    double oscillation = 0.0;  ///< largest |f - <f>|
    double largest = 0.0;      ///< largest |f|, across the constraints too
  };
  struct Coordinate {
    Index index = 0;
    double mean = 0.0, oscillation = 0.0;
  };

  /// Fails as the system does at the state; points near it where the force is not finite are left
  /// out.
  [[nodiscard]] Status start(const System& base, const State& at);

  [[nodiscard]] bool periodic() const { return period_ > 0.0; }
  [[nodiscard]] double period() const { return period_; }  ///< of the force [rad]; 0: none found
  [[nodiscard]] bool even() const { return even_; }
  [[nodiscard]] double phase() const { return phase_; }  ///< about which it is even; else 0

  /// The state and the points near it.
  [[nodiscard]] const std::vector<Vec>& points() const { return points_; }
  [[nodiscard]] double length() const { return length_; }  ///< size of the coordinates

  /// The largest over all points.
  [[nodiscard]] const Size& size() const { return size_; }
  /// The coordinate that the mean force accelerates most, at the state.
  [[nodiscard]] const Coordinate& most_accelerated() const { return coordinate_; }

  /// The fastest rate at which the mean force moves things near the state, or less [1/s].
  [[nodiscard]] double rate() const { return rate_; }

  /// |P M⁻¹ f| in the mass metric, P along the constraints at points()[i].
  [[nodiscard]] Status tangential(const System& base, std::size_t i, const Vec& f, double& size);

 private:
  [[nodiscard]] bool has_period(const System& base, double period);
  [[nodiscard]] bool is_even_about(const System& base, double phase);
  void find_phase(const System& base);
  [[nodiscard]] bool same(const System& base, double theta_a, double theta_b);
  [[nodiscard]] Status force(const System& base, const Vec& q, double theta, Vec& f);
  [[nodiscard]] Status measure(const System& base, std::size_t i);
  void choose_points(const State& at);
  void find_rate(const System& base);
  [[nodiscard]] Status mean_force(const System& base, const Vec& q, Vec& mean);

  double t_ = 0.0;
  std::vector<Vec> points_;
  double length_ = 1.0, rate_ = 0.0;
  double period_ = 0.0, phase_ = 0.0;
  bool even_ = false;
  Size size_;
  Coordinate coordinate_;
  Vec amplitude_;  // of each coordinate's force over all points and phases
  Kkt kkt_;
  Evaluation ev_;
  Vec rest_, f_a_, f_b_, a_, lambda_, no_rate_;
};

}  // namespace taut
