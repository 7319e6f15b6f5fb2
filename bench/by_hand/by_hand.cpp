// SPDX-License-Identifier: BSD-3-Clause
// dop853 on the chain of the gallery beside the same written by hand for this one model, at the
// same tolerance: microseconds of CPU time for a run of 1 s, the least of several turns, one after
// the other, and the largest error of a coordinate.
//   ./taut bench by_hand [--tol X] [--turns N] [--links N]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "chain.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "problems.hpp"

namespace {

using namespace taut;

double distance(const double* x, const std::vector<double>& y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

void compare(int links, double tol, int turns) {
  constexpr double until = 1.0;
  const bench::Problem problem =
      bench::load("models", "chain.toml", {{"links", static_cast<double>(links)}});
  const std::vector<double> truth = bench::chain_by_hand(links, until, 1e-13).q;
  double seconds[2] = {1e300, 1e300}, error[2] = {0.0, 0.0};
  for (int turn = 0; turn < turns; ++turn) {
    const bench::Measured run =
        bench::measure(problem.system, problem.start, until, {.method = "dop853", .tol = tol});
    seconds[0] = std::min(seconds[0], run.seconds);
    error[0] = distance(run.end.q.data(), truth);
    const double begin = bench::cpu_seconds();
    const bench::ChainByHand hand = bench::chain_by_hand(links, until, tol);
    seconds[1] = std::min(seconds[1], bench::cpu_seconds() - begin);
    error[1] = distance(hand.q.data(), truth);
  }
  std::printf("%7d %11.1f %11.1f %7.2f    %.1e %.1e\n", links, 1e6 * seconds[0], 1e6 * seconds[1],
              seconds[0] / seconds[1], error[0], error[1]);
}

}  // namespace

int main(int count, char** words) {
  try {
    double tol = 1e-8, turns = 15, links = 0;
    bench::Options{}
        .number("--tol", tol)
        .number("--turns", turns)
        .number("--links", links)
        .read(count, words, "taut bench by_hand [--tol X] [--turns N] [--links N]");
    std::printf("  links     taut us  by hand us   ratio    errors\n");
    for (const int n : {2, 5, 10, 30, 100, 300, 1000, 10000})
      if (links == 0 || n == static_cast<int>(links)) compare(n, tol, static_cast<int>(turns));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
