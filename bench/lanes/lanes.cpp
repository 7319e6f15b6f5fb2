// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of models over a parameter, one run after another and in lanes: measures of the end and of
// courses, with steps that are watched and steps that need no watch. The first beside a loop that
// is written by hand for this one model, at the same tolerance of dop853. Microseconds of CPU time
// for a run, the least of several turns:
//   ./taut bench lanes [--runs N] [--tol X] [--turns N]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "by_hand.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/studies/motion_sweep.hpp"

namespace {

using namespace taut;

constexpr double first = 5.0, last = 15.0, until = 10.0;

const char* const spring = R"toml(
[[spring]]
between = ["origin", "bob2"]
stiffness = 20
length = 1
)toml";

struct Case {
  const char *name, *file, *more, *parameter, *measure;
};
constexpr Case cases[] = {
    {"double pendulum, end", "double_pendulum", "", "g", "end(bob2.y)"},
    {"double pendulum, load", "double_pendulum", "", "g", "max(abs(lambda(rod 1)))"},
    {"and a spring, end", "double_pendulum", spring, "g", "end(bob2.y)"},
    {"and a spring, course", "double_pendulum", spring, "g", "rms(bob2.vx)"},
    {"duffing, end", "duffing", "", "F", "end(x)"},
    {"top, end", "top", "", "w3", "end(top.x)"},
};

std::string text_of(const Case& one) {
  std::ifstream file{std::string{"models/"} + one.file + ".toml"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

MotionSweep sweep_of(const Case& one, const SimulationOptions& options) {
  Problems problems;
  Model model = read_model(text_of(one) + one.more, problems);
  const MotionSweep sweep{std::move(model), options, read_measures({one.measure}, problems),
                          problems};
  problems.throw_if_any();
  return sweep;
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  try {
    double runs = 512, tol = 1e-8, turns = 5;
    bench::Options{}
        .number("--runs", runs)
        .number("--tol", tol)
        .number("--turns", turns)
        .read(count, words, "taut bench lanes [--runs N] [--tol X] [--turns N]");
    enum Way { one_by_one, in_lanes, by_hand, ways };
    std::printf("%g runs of %g s, tol %g, on one thread: us a run\n\n", runs, until, tol);
    std::printf("%-24s %12s %10s %8s %10s\n", "", "one by one", "in lanes", "times", "by hand");
    bool same = true;
    for (const Case& one : cases) {
      const SimulationOptions options{.until = until, .method = "dop853", .tol = tol};
      const MotionSweep sweep = sweep_of(one, options);
      const bool about_spin = one.parameter == std::string{"w3"};
      const std::vector<SweepAxis> axes{{.parameter = one.parameter,
                                         .first = about_spin ? 50.0 : first,
                                         .last = about_spin ? 70.0 : last,
                                         .points = static_cast<int>(runs)}};
      const bool has_peer = &one == cases;
      std::vector<double> seconds(ways, 1e300);
      std::vector<std::vector<double>> found(ways);
      for (int turn = 0; turn < static_cast<int>(turns); ++turn)
        for (int way = 0; way < (has_peer ? ways : by_hand); ++way) {
          std::vector<double> ends;
          const double begin = bench::cpu_seconds();
          if (way == by_hand)
            for (int k = 0; k < axes[0].points; ++k)
              ends.push_back(bench::double_pendulum(axes[0].value(k), until, tol).y);
          else
            for (const SweptRun& run : sweep(axes, {.threads = 1, .lanes = way == in_lanes}).runs)
              ends.push_back(run.measures[0]);
          const auto w = static_cast<std::size_t>(way);
          seconds[w] = std::min(seconds[w], bench::cpu_seconds() - begin);
          found[w] = std::move(ends);
        }
      same = same && found[one_by_one] == found[in_lanes];
      std::printf("%-24s %12.1f %10.1f %8.1f", one.name, 1e6 * seconds[one_by_one] / runs,
                  1e6 * seconds[in_lanes] / runs, seconds[one_by_one] / seconds[in_lanes]);
      std::printf(has_peer ? " %10.1f\n" : "\n", 1e6 * seconds[by_hand] / runs);
      if (!has_peer) continue;
      SimulationOptions tight = options;
      tight.tol = 1e-13;
      const RunSweep truth = sweep_of(one, tight)(axes, {.threads = 1});
      for (const Way way : {in_lanes, by_hand}) {
        std::vector<double> errors;
        for (std::size_t k = 0; k < found[way].size(); ++k)
          errors.push_back(std::abs(found[way][k] - truth.runs[k].measures[0]));
        std::printf("  median error %s %.2g\n", way == by_hand ? "by hand " : "in lanes",
                    median(errors));
      }
    }
    std::printf("\nlanes and one by one: %s\n", same ? "the same bits" : "NOT the same bits");
    return same ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
