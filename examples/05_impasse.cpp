// SPDX-License-Identifier: BSD-3-Clause
// y y' + x = 0 is a circle. As a function of x its solution ends at x = 1, where y' has no bound:
// an impasse point. As a curve it goes on, and this program follows it once round.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <taut/taut.hpp>

int main() {
  using Jets = taut::JetBuilder::Jets;
  const taut::JetSystem system =
      taut::JetBuilder{{"y"}, 1}
          .equation("circle", [](const Jets& j) { return j.y[0][0] * j.y[1][0] + j.x; })
          .event(
              "lowest", [](const Jets& j) { return j.x; }, taut::Observable::Direction::falling)
          .start(0.0, {{1.0}})
          .build();

  // index and hidden conditions are found on the way to a form of the system, and a point of it
  const taut::FormChoice choice = taut::choose_form(system);
  if (choice.status != taut::Status::ok) {
    std::fprintf(stderr, "%s\n", choice.message.c_str());
    return 1;
  }
  const taut::CurveEvents events = taut::curve_events(system, choice.form.curve);
  taut::FollowOptions options;
  options.arc = 2 * std::numbers::pi;
  taut::CurveMotion motion;
  const taut::CurveSummary summary =
      taut::follow(choice.form.curve, events.events, choice.start, options, motion);

  std::printf("%s\n", summary.message.c_str());
  for (const taut::ImpassePoint& point : summary.impasse_points)
    std::printf("x turns back at %.7f, y = %.7f\n", point.p[0], point.p[1]);
  for (const taut::CurveEventRecord& event : summary.events)
    std::printf("%s at y = %.7f\n", event.name.c_str(), event.p[1]);
  const double error = std::hypot(summary.p[0], summary.p[1] - 1.0);
  std::printf("back at the start with an error of %.1e after %d steps\n", error,
              static_cast<int>(summary.counters.steps));
  return summary.good() && summary.impasse_points.size() == 2 && error < 1e-6 ? 0 : 1;
}
