// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "taut/core/status.hpp"

namespace taut::papers::stiff_rk {

/// What standard software does to stiff mechanical systems (Section 8: it "does not work
/// satisfactorily"), measured on the pendulum (1.1) from its smooth start, with the exact Jacobian.
/// Nothing vibrates at the start, so that steps of the rigid pendulum would do for every ε.
struct SoftwareOptions {
  std::vector<std::string> methods{"cvode-bdf", "arkode", "ida", "radau"};
  std::vector<double> eps{1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
  std::vector<double> tol{1e-3, 1e-6, 1e-9};
  double until = 5.0;
  std::int64_t most_steps = 300000;  ///< accepted ones, after which a run is given up
};

struct SoftwareRun {
  std::string method;
  double eps = 0.0, tol = 0.0;
  Status status = Status::ok;
  std::int64_t steps = 0;     ///< accepted
  std::int64_t rejected = 0;  ///< by error control or Newton's method
  double error = 0.0;         ///< of y and v at the end, the largest; meaningless after a failure
};

/// Every method at every ε and tolerance. The truth is smooth_reference().
[[nodiscard]] std::vector<SoftwareRun> run_software(const SoftwareOptions& options = {});

}  // namespace taut::papers::stiff_rk
