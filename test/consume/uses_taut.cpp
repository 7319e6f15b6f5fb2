// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else: a free fall, by every solver and into every format that taut links.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <taut/taut.hpp>

int main() {
  taut::Model model;
  model.name = "free fall";
  model.coordinates = {{.name = "height", .mass = 1.0, .at = 5.0}};
  model.elements = {{.what = taut::Potential{"2 * height"}}};
  const taut::CompiledModel compiled = taut::compile(model);
  const taut::Start start = taut::consistent_start(compiled.system, compiled.given);

  taut::Motion motion;
  for (const taut::MethodInfo& info : taut::all_methods()) {
    const taut::Summary summary =
        taut::integrate(compiled.system, start, taut::make_method(info.name).value(),
                        {.until = 2.0, .step = 0.01}, motion);
    std::printf("%-20.*s %.6f\n", static_cast<int>(info.name.size()), info.name.data(),
                summary.state.q[0]);
    // 5 - t^2
    if (!summary.good() || std::abs(summary.state.q[0] - 1.0) > 1e-5) return 1;
  }
  return taut::write_motion_hdf5(motion, "free_fall.h5").empty() &&
                 std::filesystem::exists("free_fall.h5")
             ? 0
             : 1;
}
