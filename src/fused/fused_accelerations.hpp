// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "fused/motion_programs.hpp"

namespace taut::fused {

/// Accelerations in one program, for a run that asks for them often: the same bits as Accelerations
/// where the mass and the constraints are far from singular, without a word where they are not.
/// Made once for all runs of a compilation, when they have asked often enough for it to be worth
/// the while, for small systems that are compiled or a reading of them with all rows rigid.
class FusedAccelerations {
 public:
  /// A run begins, or values that a system reads were changed.
  void start(const System& system);

  /// a at (t, q, v), and how far the constraints are from depending on each other (see Kkt). False
  /// where it is to be found in the usual way.
  [[nodiscard]] bool operator()(double t, const Vec& q, const Vec& v, Vec& a, double& independence);

 private:
  /// What runs of a compilation share.
  struct Made {
    std::shared_ptr<const MotionPrograms> programs;  // null: there are none
    std::unique_ptr<const formula::Kernel> kernel;
  };

  void take();
  [[nodiscard]] bool bind();

  // evaluations: what they save then is what the programs cost
  static constexpr int worth_making = 1000;
  static constexpr int told_at_once = 50;

  System system_;
  int asked_ = 0;
  bool tried_ = false;
  const Made* made_ = nullptr;  // kept by the compilation of the system; null: none in use
  std::vector<double> registers_, numbers_, given_;
};

}  // namespace taut::fused
