// SPDX-License-Identifier: BSD-3-Clause
// One force evaluation of molecules of water (TIP3P, no cut-off), by taut with one thread and with
// all of them, beside the double loop over molecules and sites that one would write by hand, at -O3
// in the same program.
//
//   taut_bench_waters [--seconds S]
//
//   --seconds  time spent on each line; the fastest repetition counts
//
// Every line: molecules, pairs, time of an evaluation, time per pair, and how many times as fast as
// the loop that is. Wall-clock time, since threads are compared: run it on a quiet machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "options.hpp"
#include "taut/core/threads.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model.hpp"

namespace taut::bench {
namespace {

/// The plain loop: molecules by three sites O, H, H.
double plain(const Vec& q, Vec& f) {
  constexpr double k = 332.0637, A = 582.0e3, C = 595.0;
  constexpr double charge[3] = {-0.834, 0.417, 0.417};
  const Index molecules = q.size() / 9;
  double energy = 0.0;
  f.setZero();
  for (Index a = 0; a < molecules; ++a)
    for (Index b = a + 1; b < molecules; ++b)
      for (Index m = 0; m < 3; ++m)
        for (Index n = 0; n < 3; ++n) {
          const Index i = 9 * a + 3 * m;
          const Index j = 9 * b + 3 * n;
          const double dx = q[i] - q[j];
          const double dy = q[i + 1] - q[j + 1];
          const double dz = q[i + 2] - q[j + 2];
          const double inverse2 = 1.0 / (dx * dx + dy * dy + dz * dz);
          double u = k * charge[m] * charge[n] * std::sqrt(inverse2);
          double s = u * inverse2;
          if (m == 0 && n == 0) {
            const double inverse6 = inverse2 * inverse2 * inverse2;
            u += (A * inverse6 - C) * inverse6;
            s += (12.0 * A * inverse6 - 6.0 * C) * inverse6 * inverse2;
          }
          energy += u;
          f[i] += s * dx;
          f[i + 1] += s * dy;
          f[i + 2] += s * dz;
          f[j] -= s * dx;
          f[j + 1] -= s * dy;
          f[j + 2] -= s * dz;
        }
  return energy;
}

/// Seconds of the fastest call.
template <class Work>
double fastest(double seconds, const Work& work) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto begin = Clock::now();
  double best = 1e300;
  int calls = 1;  // timed together, so that the clock does not count
  while (since(begin) < seconds) {
    const auto start = Clock::now();
    for (int n = 0; n < calls; ++n) work();
    const double one = since(start) / calls;
    best = std::min(best, one);
    if (one * calls < 1e-3) calls *= 2;
  }
  return best;
}

void measure_waters(int molecules, double seconds) {
  Model model;
  model.elements.push_back({.what = Water{.molecules = static_cast<double>(molecules)}});
  const CompiledModel water = compile(model);
  Evaluation out;
  water.system.prepare(out);
  const Arguments at{.t = 0.0, .q = water.given.q, .v = water.given.v};
  const auto evaluate = [&] {
    if (water.system.evaluate(need(Target::force), at, out) != Status::ok)
      throw std::runtime_error{"an evaluation failed"};
  };

  Vec f(water.given.q.size());
  double energy = 0.0;
  const double by_hand = fastest(seconds, [&] { energy += plain(water.given.q, f); });
  use_threads(1);
  const double alone = fastest(seconds, evaluate);
  if ((out.f - f).cwiseAbs().maxCoeff() > 1e-11 * f.cwiseAbs().maxCoeff())
    throw std::runtime_error{"the forces differ"};
  use_threads(0);
  const double together = fastest(seconds, evaluate);

  const double pairs = 4.5 * molecules * (molecules - 1.0);
  const auto line = [&](const std::string& who, double time) {
    fmt::print("{:9} {:9.0f}  {:<16} {:10.2f} {:8.2f} {:7.2f}\n", molecules, pairs, who, time * 1e6,
               time * 1e9 / pairs, by_hand / time);
  };
  line("loop by hand", by_hand);
  line("taut, 1 thread", alone);
  line(fmt::format("taut, {} threads", threads_used()), together);
  if (!std::isfinite(energy)) throw std::runtime_error{"the loop gives no finite energy"};
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) try {
  double seconds = 1.0;
  taut::bench::Options{}
      .number("--seconds", seconds)
      .read(count, words, "usage: taut_bench_waters [--seconds S]");
  fmt::print("molecules     pairs  who                      us  ns/pair   ratio\n");
  for (const int molecules : {7, 100, 500}) taut::bench::measure_waters(molecules, seconds);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
