// SPDX-License-Identifier: BSD-3-Clause
// Sweeps on a GPU beside the same on all cores: runs in a second, and how far the results are from
// each other.
//   ./taut bench gpu [--models DIR] [--only NAME] [--runs N] [--cpu-seconds S] [--source FILE]
//
//   prepare   what the processor does before: starts and numbers of the runs, on all cores
//   device    transfer there, runs, transfer back, by the clock of the processor
//   sweep     the whole of it, as `taut sweep --device cuda` has it, into results of a sweep
//   cores     the same runs in lanes, or one by one where there are none, on all cores
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <thread>
#include <vector>

#include "core/parallel.hpp"
#include "device/cuda_device.hpp"
#include "options.hpp"
#include "studies/device_sweep.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/studies/motion_sweep.hpp"

namespace {

using namespace taut;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Case {
  std::string name, file, parameter;
  double first, last, until, runs;
  std::string method, measure;
  std::vector<std::pair<std::string, double>> set;
};

// all in radians, metres and seconds; the stiff double pendulum is the rigid one that it is close
// to
const std::vector<Case> cases{
    {"double pendulum", "double_pendulum", "g", 5, 15, 10, 1e6, "dop853", "end(bob2.y)", {}},
    {"  dopri5", "double_pendulum", "g", 5, 15, 10, 1e6, "dopri5", "end(bob2.y)", {}},
    {"car axis", "car_axis", "M", 8, 12, 3, 1e6, "dop853", "end(r.y)", {}},
    {"Andrews", "andrews", "mom", 0.033, 0.0331, 0.03, 3e4, "dop853", "end(gamma)", {}},
    {"chain of 10", "chain", "g", 9.5, 10, 2, 1e5, "dop853", "end(t)", {{"links", 10}}},
};

struct Options {
  std::string models = "models", only, source;
  double runs = 1.0, cpu_seconds = 3.0, tol = 1e-8;
};

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x.empty() ? 0.0 : x[x.size() / 2];
}

std::vector<std::vector<double>> examples(const SweepAxis& axis) {
  std::vector<std::vector<double>> all;
  for (int k = 0; k < 17; ++k)
    all.push_back({axis.value(static_cast<int>(k * (axis.points - 1L) / 16))});
  return all;
}

// transfer and runs alone
double device_seconds(device::Device& device, const LaneSweep& lanes, const SweepAxis& axis,
                      double& preparing, std::string& why) {
  std::vector<double> scratch;
  std::vector<std::optional<double>> fixed;
  bool moves = false;
  for (const bool look : {true, false})
    for (const std::vector<double>& values : examples(axis)) {
      const auto given = lanes.start(values, false, scratch);
      const auto start = lanes.start(values, moves || look, scratch);
      if (!start) continue;
      if (look) {
        moves = moves || start->state.q != given->state.q || start->state.v != given->state.v;
        continue;
      }
      std::vector<double> numbers;
      device::flatten(*start, numbers);
      if (fixed.empty()) fixed.assign(numbers.begin(), numbers.end());
      for (std::size_t k = 0; k < numbers.size(); ++k)
        if (fixed[k] && *fixed[k] != numbers[k]) fixed[k].reset();
    }
  const std::vector<device::EndMeasure> measures{{.of = device::EndMeasure::Of::steps}};
  const auto source = device::motion_source(lanes.programs(), lanes.method(), measures, fixed, why);
  if (!source) return 0.0;
  const auto program = device.compile(*source, 1, why);
  if (!program) return 0.0;

  const auto runs = static_cast<std::size_t>(axis.points), size = device.batch();
  std::vector<device::Batch> batches((runs + size - 1) / size);
  const double begin = now();
  constexpr std::size_t piece = 4096;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    device::Batch& batch = batches[b];
    batch.runs = std::min(size, runs - b * size);
    batch.in.resize(batch.runs * source->columns);
    parallel_for((batch.runs + piece - 1) / piece, 0, [&](std::size_t p) {
      std::vector<double> numbers, own;
      for (std::size_t r = p * piece; r < std::min(batch.runs, (p + 1) * piece); ++r) {
        const auto start = lanes.start({axis.value(static_cast<int>(b * size + r))}, moves, own);
        if (!start) continue;
        device::flatten(*start, numbers);
        std::size_t column = 0;
        for (std::size_t k = 0; k < numbers.size(); ++k)
          if (!fixed[k]) batch.in[column++ * batch.runs + r] = numbers[k];
      }
    });
  }
  preparing = now() - begin;
  double best = 1e300;
  for (int turn = 0; turn < 3 && why.empty(); ++turn) {
    const double start = now();
    for (std::size_t b = 0; b < batches.size() + 1 && why.empty(); ++b) {
      if (b < batches.size()) why = program->begin(batches[b]);
      if (b > 0 && why.empty()) why = program->finish(batches[b - 1]);
    }
    best = std::min(best, now() - start);
  }
  return best;
}

void measure(const Case& one, const Options& options) {
  Problems problems;
  SimulationOptions how{.until = one.until, .method = one.method, .tol = options.tol};
  Model model = load(options.models + "/" + one.file + ".toml");
  for (const auto& [name, value] : one.set) model.set(name, value);
  std::string asked = one.measure;
  if (asked == "end(t)") asked = "end(" + std::string{"t"} + ")";
  const std::vector<RunMeasure> measures = read_measures({asked, "steps"}, problems);
  const MotionSweep sweep{std::move(model), how, measures, problems};
  problems.throw_if_any();
  const auto runs = static_cast<int>(std::max(64.0, one.runs * options.runs));
  const SweepAxis axis{
      .parameter = one.parameter, .first = one.first, .last = one.last, .points = runs};
  std::string why;
  const auto lanes =
      LaneSweep::make(sweep.prepared(), how, measures, {axis}, why, LaneSweep::Watch::left_out);
  if (!lanes) {
    std::printf("%-16s %s\n", one.name.c_str(), why.c_str());
    return;
  }

  // the processor: as many of these runs as fit into the time
  const auto some = [&](int count) {
    std::vector<std::vector<double>> points;
    for (int k = 0; k < count; ++k)
      points.push_back(
          {axis.value(static_cast<int>(k * (axis.points - 1L) / std::max(1, count - 1)))});
    return points;
  };
  int count = 64;
  RunSweep there;
  double cpu = 0.0;
  for (;;) {
    const double begin = now();
    there = sweep({axis}, {.points = some(count)});
    cpu = now() - begin;
    if (cpu > options.cpu_seconds / 2 || count >= runs) break;
    count = static_cast<int>(std::min<double>(
        runs, count * std::clamp(options.cpu_seconds / std::max(cpu, 1e-3), 1.5, 16.0)));
  }
  const double steps = there.runs[there.runs.size() / 2].measures[1];
  std::printf("%-16s %9d %8.0f %10.0f", one.name.c_str(), runs, steps, count / cpu);
  std::fflush(stdout);
  if (!options.source.empty()) {
    std::vector<double> numbers, scratch;
    std::vector<std::optional<double>> fixed;
    device::flatten(*lanes->start({axis.value(0)}, false, scratch), numbers);
    fixed.assign(numbers.size(), std::nullopt);
    std::ofstream{options.source}
        << device::motion_source(lanes->programs(), lanes->method(), {}, fixed, why)->text;
  }
  for (const bool fast : {false, true}) {
    const double compiling = now();
    const auto device = device::cuda_device(fast, why);
    double preparing = 0.0, seconds = 0.0;
    if (device) seconds = device_seconds(*device, *lanes, axis, preparing, why);
    if (!device || !why.empty()) {
      std::printf("  %s\n", why.c_str());
      return;
    }
    const double build = now() - compiling - preparing - 3 * seconds;
    const double begin = now();
    const RunSweep done = sweep({axis}, {.device = fast ? "cuda-fast" : "cuda"});
    const double whole = now() - begin;
    std::vector<double> apart;
    const auto far = [&](const RunSweep& x, std::size_t k, const RunSweep& y, std::size_t l) {
      if (x.runs[k].measures.size() < 2 || y.runs[l].measures.size() < 2) return;
      apart.push_back(std::abs(x.runs[k].measures[0] - y.runs[l].measures[0]));
    };
    for (std::size_t k = 0; k < there.runs.size() && !done.runs.empty(); ++k)
      far(done, static_cast<std::size_t>(k * (runs - 1L) / std::max(1, count - 1)), there, k);
    if (!done.problem.empty()) std::printf("  %s", done.problem.c_str());
    if (fast) std::printf("%-16s %9s %8s %10s", "  contracted", "", "", "");
    std::printf(" %10.0f %10.0f %10.0f %7.0f %6zu %6.1f %9.1e %9.1e\n", runs / preparing,
                runs / seconds, runs / whole, runs / seconds / (count / cpu), done.left_by_device,
                build, median(apart),
                apart.empty() ? 0.0 : *std::max_element(apart.begin(), apart.end()));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    Options options;
    bench::Options{}
        .text("--models", options.models)
        .text("--only", options.only)
        .text("--source", options.source)
        .number("--runs", options.runs)
        .number("--tol", options.tol)
        .number("--cpu-seconds", options.cpu_seconds)
        .read(count, words,
              "taut bench gpu [--models DIR] [--only NAME] [--runs SHARE] [--tol X] [--cpu-seconds "
              "S] [--source FILE]");
    std::string why;
    const auto device = device::cuda_device(false, why);
    std::printf("%s, %u cores, tol %g\n\n", device ? device->name().c_str() : why.c_str(),
                most_threads(), options.tol);
    std::printf("%-16s %9s %8s %10s %10s %10s %10s %7s %6s %6s %9s %9s\n", "runs a second", "runs",
                "steps", "cores", "prepare", "device", "sweep", "times", "left", "build s",
                "median", "largest");
    for (const Case& one : cases)
      if (options.only.empty() || one.name.find(options.only) != std::string::npos)
        measure(one, options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
