// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else: a free fall, by every solver and into every format that taut links.
#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <taut/taut.hpp>

static_assert(TAUT_VERSION_MAJOR * 100 + TAUT_VERSION_MINOR >= 1);

namespace {

int fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

// memory goes both ways, and Eigen works on that of the library as on its own
int exchange_memory(const taut::Summary& summary) {
  taut::State state = summary.state;
  for (int n = 1; n < 40; ++n) {
    const taut::Mat A = taut::Mat::Identity(n, n) * 2.0;
    const taut::Vec ones = taut::Vec::Ones(n);
    const taut::Vec twos = A * ones;
    const taut::Mat fours = A * A;
    if (twos.sum() != 2.0 * n || fours.sum() != 4.0 * n) return fail("products");
  }
  state.q = state.q + taut::Vec::Ones(state.q.size());
  state.q.conservativeResize(17);
  taut::State other = state;
  std::swap(state, other);
  return state.q.size() == 17 ? 0 : fail("states");
}

}  // namespace

int main() {
  if (taut::version() != TAUT_VERSION) return fail("headers and library are of two versions");
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
    // 5 - t^2
    if (!summary.good() || std::abs(summary.state.q[0] - 1.0) > 1e-5) return fail(info.name.data());
    if (const int failed = exchange_memory(summary); failed != 0) return failed;
  }

  // a mistake of the model reaches the program as the exception that the library has thrown
  try {
    model.elements = {{.what = taut::Potential{"2 * hight"}}};
    (void)taut::compile(model);
    return fail("a name that does not exist was taken");
  } catch (const taut::ModelError& error) {
    if (std::string_view{error.what()}.find("hight") == std::string_view::npos)
      return fail(error.what());
  }

  const std::filesystem::path file = "free_fall_" + std::to_string(::getpid()) + ".h5";
  const bool written =
      taut::write_motion_hdf5(motion, file).empty() && std::filesystem::remove(file);
  return written == taut::parts().hdf5 ? 0 : fail("HDF5");
}
