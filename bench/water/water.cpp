// SPDX-License-Identifier: BSD-3-Clause
// Steps of rigid water (TIP3P) in a box of its density, rattle with steps of 1 fs, one thread:
//
//   taut_bench_water [--molecules N] [--cutoff C] [--seconds S]
//   taut_bench_water --points 1 [--molecules N]
//
//   --seconds  CPU time spent on each line; the fastest repetition of ten steps counts
//   --points   writes the edge of the box and where the sites are at the start, for another program
//
// Every line: what acts between charges, CPU time of a step, potential energy at the start.
// bench/water/beside_openmm.py runs the same box in OpenMM, in turns with this program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "measure.hpp"
#include "options.hpp"
#include "taut/core/threads.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model.hpp"
#include "taut/model/model_file.hpp"

namespace taut::bench {
namespace {

constexpr double spacing = 18.63 / 6.0;       // [Angstrom]: 997 kg/m^3
constexpr double femtosecond = 1.0 / 48.888;  // in units of taut
constexpr int steps = 10;

CompiledModel box_of(int molecules, double cutoff, const std::string& fields) {
  const double edge = spacing * std::cbrt(molecules);
  Problems problems;
  const Model model = read_model(
      fmt::format("name = \"water\"\n[box]\nsize = [{0}, {0}, {0}]\n[[water]]\nmolecules = {1}\n"
                  "cutoff = {2}\n{3}",
                  edge, molecules, cutoff, fields),
      problems);
  problems.throw_if_any();
  return compile(model);
}

void measure_steps(int molecules, double cutoff, double seconds, const std::string& name,
                   const std::string& fields) {
  const CompiledModel water = box_of(molecules, cutoff, fields);
  Method method = *make_method("rattle");
  State s = water.given;
  Evaluation out;
  water.system.prepare(out);
  if (water.system.evaluate(need(Target::potential_energy), {.t = 0.0, .q = s.q, .v = s.v}, out) !=
          Status::ok ||
      method.start(water.system, s) != Status::ok)
    throw std::runtime_error{"the start failed"};
  double fastest = 1e300;
  for (const double begun = cpu_seconds(); cpu_seconds() - begun < seconds;) {
    const double start = cpu_seconds();
    for (int n = 0; n < steps; ++n)
      if (method.step(water.system, femtosecond, s) != Status::ok)
        throw std::runtime_error{"a step failed"};
    fastest = std::min(fastest, (cpu_seconds() - start) / steps);
  }
  fmt::print("{:6} {:<32} {:8.3f} {:14.4f}\n", molecules, name, fastest * 1e3,
             out.potential_energy);
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) try {
  using namespace taut::bench;
  double molecules = 216, cutoff = 9, seconds = 2, points = 0;
  Options{}
      .number("--molecules", molecules)
      .number("--cutoff", cutoff)
      .number("--seconds", seconds)
      .number("--points", points)
      .read(count, words,
            "usage: taut_bench_water [--molecules N] [--cutoff C] [--seconds S] [--points 1]");
  const int n = static_cast<int>(molecules);
  taut::use_threads(1);
  if (points != 0) {
    fmt::print("{:.17g}\n", spacing * std::cbrt(n));
    for (const double x : box_of(n, cutoff, "").given.q) fmt::print("{:.17g}\n", x);
    return 0;
  }
  fmt::print("waters charges                           ms/step   kcal/mol\n");
  measure_steps(n, cutoff, seconds, "reaction field", "");
  for (const char* accuracy : {"1e-4", "1e-6"})
    measure_steps(n, cutoff, seconds, fmt::format("Ewald, accuracy {}", accuracy),
                  fmt::format("electrostatics = \"ewald\"\naccuracy = {}\n", accuracy));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
