// SPDX-License-Identifier: BSD-3-Clause
// What derivatives cost, in runs: forwards by the number of parameters, backwards for 1000 of them
// (stiffnesses of the springs of a net) beside the adjoint of IDAS; fits of a mechanism from noise:
//   ./taut bench gradients [--fits N]
#include "gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "measure.hpp"
#include "taut/gradients/gradient.hpp"
#include "taut/gradients/sensitivities.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::bench {

Net Net::made(int side) {
  Net net;
  net.side = side;
  for (int k = 0; k < 2 * side * (side - 1); ++k)
    net.stiffness.push_back(50.0 * (1.0 + 0.2 * std::sin(1.7 * k)));
  return net;
}

std::vector<Net::Spring> Net::springs() const {
  std::vector<Spring> all;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x + 1 < side; ++x) all.push_back({y * side + x, y * side + x + 1});
  for (int y = 0; y + 1 < side; ++y)
    for (int x = 0; x < side; ++x) all.push_back({y * side + x, (y + 1) * side + x});
  return all;
}

bool Net::held(int number) const {
  const int x = number % side, y = number / side;
  return (x == 0 || x == side - 1) && (y == 0 || y == side - 1);
}

namespace {

Model model_of(const Net& net) {
  std::string text = "[parameters]\n";
  for (std::size_t k = 0; k < net.stiffness.size(); ++k)
    text += fmt::format("k{} = {}\n", k + 1, net.stiffness[k]);
  std::string anchors = "[anchors]\n", height;
  text += "[points]\n";
  const auto name = [](int i) { return fmt::format("p{}", i); };
  for (int i = 0; i < net.side * net.side; ++i) {
    const double x = net.stretched * net.length * (i % net.side),
                 y = net.stretched * net.length * (i / net.side);
    if (net.held(i)) {
      anchors += fmt::format("{} = [{}, {}, 0]\n", name(i), x, y);
    } else {
      text += fmt::format("{} = {{ mass = {}, at = [{}, {}, 0] }}\n", name(i), net.mass, x, y);
      height += fmt::format("{}{}.z", height.empty() ? "" : " + ", name(i));
    }
  }
  text += anchors;
  const std::vector<Net::Spring> springs = net.springs();
  for (std::size_t k = 0; k < springs.size(); ++k)
    text +=
        fmt::format("[[spring]]\nbetween = [\"{}\", \"{}\"]\nstiffness = \"k{}\"\nlength = {}\n",
                    name(springs[k].a), name(springs[k].b), k + 1, net.length);
  text += fmt::format("[[gravity]]\nacceleration = [0, 0, {}]\n", -net.gravity);
  text += fmt::format("[outputs]\nheight = \"{}\"\n", height);
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

double seconds_of(const auto& work) {
  double best = 1e300;
  for (int k = 0; k < 3; ++k) {
    const double begun = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - begun);
  }
  return best;
}

void forwards(const char* file, const std::vector<std::string>& names, SimulationOptions options) {
  const Model model = load(std::string{TAUT_MODELS} + "/" + file);
  options.extremes = false;
  const auto plan_of = [&] {
    Problems problems;
    return plan(model, options, problems);
  };
  const double run = seconds_of([&] { static_cast<void>(simulate(plan_of())); });
  std::printf("%s: a run %.4f s; with np derivatives, in runs:", file, run);
  for (std::size_t np = 1; np <= names.size(); np *= 2) {
    const std::vector<std::string> some{names.begin(),
                                        names.begin() + static_cast<std::ptrdiff_t>(np)};
    const double all = seconds_of([&] {
      Problems problems;
      static_cast<void>(differentiate(plan_of(), some, problems));
    });
    std::printf("  %zu: %.2f", np, all / run);
  }
  const double back = seconds_of([&] {
    static_cast<void>(gradient(
        model, options, {fmt::format("end({})", file[0] == 'a' ? "beta" : "bob1.x")}, names));
  });
  std::printf("; adjoint of %zu: %.2f\n", names.size(), back / run);
}

void net_gradient(int side) {
  const Net net = Net::made(side);
  const Model model = model_of(net);
  const SimulationOptions options{
      .until = net.until, .method = "dop853", .tol = 1e-7, .columns = "stated", .extremes = false};
  std::vector<std::string> names;
  const std::size_t np = std::min<std::size_t>(1000, net.stiffness.size());
  for (std::size_t k = 0; k < np; ++k) names.push_back(fmt::format("k{}", k + 1));
  double run = 1e300, all = 1e300, compiled = 1e300, begin = 1e300;
  Gradient found;
  for (int k = 0; k < 2; ++k) {
    Problems problems;
    double begun = cpu_seconds();
    Plan made = plan(model, options, problems);
    compiled = std::min(compiled, cpu_seconds() - begun);
    made.run.rows = Rows::none;
    begun = cpu_seconds();
    static_cast<void>(simulate(std::move(made)));
    run = std::min(run, cpu_seconds() - begun);
    begun = cpu_seconds();
    found = gradient(model, options, {"integral(height)"}, names);
    all = std::min(all, cpu_seconds() - begun);
    SimulationOptions at_once = options;
    at_once.until = 1e-6;
    begun = cpu_seconds();
    static_cast<void>(gradient(model, at_once, {"integral(height)"}, names));
    begin = std::min(begin, cpu_seconds() - begun);
  }
  if (!found.good()) std::printf("net: %s\n", found.message.c_str());
  std::printf(
      "net, %zu stiffnesses, %zu steps: compiling %.3f s, a run %.3f s, run and gradient %.3f s "
      "(%zu steps "
      "back; %.3f s of it before the first step): %.2f runs, %.2f without that\n",
      np, found.steps, compiled, run, all, found.steps_back, begin, all / (run + compiled),
      (all - begin) / run);
  const PeerGradient peer = idas_gradient(net, 1e-7);
  if (!peer.there || !found.good()) {
    std::printf("  no IDAS to compare with\n");
    return;
  }
  double error = 0.0, size = 0.0;
  for (std::size_t k = 0; k < np; ++k) {
    error = std::max(error, std::abs(peer.by[k] - found.by(0, static_cast<Index>(k))));
    size = std::max(size, std::abs(found.by(0, static_cast<Index>(k))));
  }
  std::printf(
      "  IDAS, adjoint: run %.3f s, run and gradient %.3f s: %.2f of its runs, %.1f times taut's; "
      "gradients differ by %.1e of the largest, values by %.1e\n",
      peer.run_seconds, peer.all_seconds, peer.all_seconds / peer.run_seconds,
      peer.all_seconds / all, error / size, std::abs(peer.value - found.value[0]));
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  int fits = 20, side = 23;
  for (int k = 1; k + 1 < count; ++k) {
    if (std::strcmp(words[k], "--fits") == 0) fits = std::atoi(words[k + 1]);
    if (std::strcmp(words[k], "--side") == 0) side = std::atoi(words[k + 1]);
  }
  using namespace taut::bench;
  forwards("andrews.toml",
           {"c0", "l0", "mom", "d", "e4", "zf", "sc", "sd", "xc", "ta", "u", "I1", "I2", "I3", "I4",
            "I5"},
           {.until = 0.03, .method = "dop853", .tol = 1e-9});
  forwards("stiff_double_pendulum.toml",
           {"omega", "start(bob1.vx)", "start(bob1.vy)", "start(bob2.vx)"},
           {.until = 5.0, .method = "radau", .tol = 1e-9});
  net_gradient(side);
  if (fits > 0) fit_andrews(fits);
  return 0;
}
