// SPDX-License-Identifier: BSD-3-Clause
// A sweep of the double pendulum of the gallery over g: one run after another, in lanes, and a loop
// that is written by hand for this one model, at the same tolerance of dop853. Microseconds of CPU
// time for a run, the least of several turns:
//   ./taut bench lanes [--runs N] [--tol X] [--turns N]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
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
    Problems problems;
    SimulationOptions options{.until = until, .method = "dop853", .tol = tol};
    const MotionSweep sweep{load("models/double_pendulum.toml"), options,
                            read_measures({"end(bob2.y)"}, problems), problems};
    problems.throw_if_any();
    const std::vector<SweepAxis> axes{
        {.parameter = "g", .first = first, .last = last, .points = static_cast<int>(runs)}};
    SimulationOptions tight = options;
    tight.tol = 1e-13;
    const MotionSweep reference{load("models/double_pendulum.toml"), tight,
                                read_measures({"end(bob2.y)"}, problems), problems};
    const RunSweep truth = reference(axes, {.threads = 1});

    enum Way { one_by_one, in_lanes, by_hand, ways };
    std::vector<double> seconds(ways, 1e300);
    std::vector<std::vector<double>> found(ways);
    for (int turn = 0; turn < static_cast<int>(turns); ++turn)
      for (int way = 0; way < ways; ++way) {
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
    const bool same = found[one_by_one] == found[in_lanes];
    std::printf("double pendulum, %g s, tol %g, %g runs on one thread\n\n", until, tol, runs);
    std::printf("%-12s %12s %10s %14s\n", "", "us a run", "by hand =1", "median error");
    const char* const names[] = {"one by one", "in lanes", "by hand"};
    for (std::size_t way = 0; way < ways; ++way) {
      std::vector<double> errors;
      for (std::size_t k = 0; k < found[way].size(); ++k)
        errors.push_back(std::abs(found[way][k] - truth.runs[k].measures[0]));
      std::printf("%-12s %12.1f %10.2f %14.2g\n", names[way], 1e6 * seconds[way] / runs,
                  seconds[by_hand] / seconds[way], median(errors));
    }
    std::printf("\nlanes and one by one: %s\n", same ? "the same bits" : "NOT the same bits");
    return same ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
