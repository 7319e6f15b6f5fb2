// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace taut::bench {
namespace {

using Json = nlohmann::ordered_json;

bool limited(Status status) { return status == Status::time_limit || status == Status::step_limit; }

/// Three digits, or all before the point.
std::string compact(double x) {
  return x >= 100.0 ? fmt::format("{:.0f}", x) : fmt::format("{:.3g}", x);
}

std::string cell(const Need& of_method, const Need& of_first) {
  if (!of_method.reached && !limited(of_method.status))
    return fmt::format("{:>25}", of_method.status == Status::ok ? "not reached" : "fails");
  const std::string sign = of_method.reached ? "" : ">";
  const std::string time = sign + compact(1e3 * of_method.seconds);
  const std::string steps =
      of_method.reached ? fmt::format("{:.0f}", of_method.steps) : std::string{"limit"};
  const std::string ratio =
      of_first.reached ? sign + compact(of_method.seconds / of_first.seconds) + "x" : "";
  return fmt::format("{:>8} {:>7} {:>8}", time, steps, ratio);
}

std::string title(const Case& c) {
  std::string text = c.problem.name;
  if (c.epsilon) text += fmt::format(", epsilon = {:g}", *c.epsilon);
  return text + fmt::format(", until {:g}", c.problem.until);
}

}  // namespace

void print(const Comparison& comparison) {
  const Case& c = comparison.c;
  fmt::print("{}\n  truth: {}; a second method differs by {:.0e}\n", title(c), c.truth, c.doubt);
  fmt::print("  {:<12}", "error of q, v");
  for (const double target : targets)
    fmt::print("  {:>25}", fmt::format("{:.0e}: ms, steps, ratio", target));
  fmt::print("\n");
  for (const Scan& s : comparison.scans) {
    fmt::print("  {:<13}", s.method);
    for (const double target : targets) {
      if (c.can_tell(target))
        fmt::print("  {}", cell(need(s, target), need(comparison.scans.front(), target)));
      else
        fmt::print("  {:>25}", "truth not so well known");
    }
    fmt::print("\n");
  }
  fmt::print("\n");
  std::fflush(stdout);
}

void print(const std::vector<LinkCost>& costs) {
  fmt::print("long chains: time for one link and one step\n");
  for (const LinkCost& cost : costs) {
    fmt::print("  {:<6} {:>6} links  ", cost.rigid ? "rigid" : "stiff", cost.links);
    if (cost.status == Status::ok)
      fmt::print("{:>7.2f} us  ({} steps)\n", 1e6 * cost.seconds_per_link_and_step, cost.steps);
    else
      fmt::print("{}\n", sentence(cost.status));
  }
}

void print_json(const std::vector<Comparison>& comparisons, const std::vector<LinkCost>& costs) {
  Json all{{"cases", Json::array()}, {"links", Json::array()}};
  for (const Comparison& comparison : comparisons) {
    const Case& c = comparison.c;
    Json entry{
        {"name", c.problem.name},   {"epsilon", c.epsilon ? Json(*c.epsilon) : Json(nullptr)},
        {"until", c.problem.until}, {"truth", c.truth},
        {"doubt", c.doubt},         {"methods", Json::array()}};
    for (const Scan& s : comparison.scans) {
      Json method{{"method", s.method}, {"needs", Json::array()}, {"runs", Json::array()}};
      for (const double target : targets) {
        if (!c.can_tell(target)) continue;
        const Need n = need(s, target);
        const Need first = need(comparison.scans.front(), target);
        Json row{{"error", target},
                 {"reached", n.reached},
                 {"seconds", n.seconds},
                 {"ratio", first.reached ? Json(n.seconds / first.seconds) : Json(nullptr)}};
        if (n.reached)
          row["steps"] = n.steps;
        else
          row["status"] = name(n.status);
        method["needs"].push_back(std::move(row));
      }
      for (const Sample& x : s.samples) {
        method["runs"].push_back(
            {{"tol", x.tol},
             {"status", name(x.status)},
             {"error", x.status == Status::ok ? nlohmann::ordered_json(x.error) : Json(nullptr)},
             {"seconds", x.seconds},
             {"steps", x.steps}});
      }
      entry["methods"].push_back(std::move(method));
    }
    all["cases"].push_back(std::move(entry));
  }
  for (const LinkCost& cost : costs)
    all["links"].push_back({{"rigid", cost.rigid},
                            {"links", cost.links},
                            {"steps", cost.steps},
                            {"status", name(cost.status)},
                            {"seconds_per_link_and_step", cost.seconds_per_link_and_step}});
  fmt::print("{}\n", all.dump(2));
}

}  // namespace taut::bench
