// SPDX-License-Identifier: BSD-3-Clause
#include "linear_arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "command.hpp"
#include "taut/run/columns.hpp"

namespace taut::cli {

void LinearArguments::add_to(CLI::App& app) {
  model.add_to(app);
  averaging.add_to(app);
  app.add_option("--at", at,
                 "where: start, equilibrium, or a time [s] of a run; when absent the start where "
                 "that is a rest or a steady motion, else the equilibrium near it");
  app.add_option("--input", inputs,
                 "inputs or parameters of the model, or coordinates on which a force acts; several "
                 "with commas (default: all inputs)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--output", outputs,
                 "numbers of the motion: coordinates, velocities, outputs, spring 1.force, "
                 "lambda(rod 1), ...; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_out_to(app);
}

LinearizeOptions LinearArguments::linear(Problems& problems) const {
  LinearizeOptions options{.inputs = inputs, .outputs = outputs};
  if (at.empty()) return options;
  if (at == "start") {
    options.at = LinearizeAt::start;
  } else if (at == "equilibrium") {
    options.at = LinearizeAt::equilibrium;
  } else {
    const char* const end = at.data() + at.size();
    const auto [rest, error] = std::from_chars(at.data(), end, options.time);
    if (error != std::errc{} || rest != end || !std::isfinite(options.time))
      problems.add({}, "--at " + at, "is neither 'start' nor 'equilibrium' nor a time",
                   "write --at equilibrium, or --at 2.5");
    options.at = LinearizeAt::time;
  }
  return options;
}

LinearQuestion LinearArguments::question(Problems& problems) const {
  LinearQuestion asked;
  asked.model = read_model(model, problems);
  if (asked.model.text.empty() && !problems.empty()) return asked;
  asked.linear = linear(problems);
  asked.options = model.options(problems);
  asked.options.averaging = averaging.options();
  return asked;
}

std::string point_text(const LinearModel& linear) {
  constexpr std::size_t most = 6;
  std::vector<std::pair<std::string, double>> places;
  for (std::size_t i = 0; i < linear.coordinates.size(); ++i)
    if (!is_rotation_entry(linear.coordinates[i]))
      places.emplace_back(linear.coordinates[i], linear.state.q[static_cast<Index>(i)]);
  for (const BodyTurn& body : body_turns(linear.coordinates, linear.state.q, {}))
    for (const auto& [name, angle] :
         {std::pair{"yaw", body.yaw()}, {"pitch", body.pitch()}, {"roll", body.roll()}})
      places.emplace_back(fmt::format("{}.{}", body.body, name), angle);
  std::string where;
  for (std::size_t i = 0; i < std::min(places.size(), most); ++i)
    where +=
        fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", places[i].first, places[i].second + 0.0);
  if (places.size() > most) where += ", ...";
  switch (linear.kind) {
    case PointKind::rest:
      return "about the rest at " + where;
    case PointKind::steady:
      return "about the steady motion at " + where;
    case PointKind::moving:
      break;
  }
  return fmt::format("at t = {:.6g}, where it moves: the coefficients are those of this instant",
                     linear.state.t);
}

int report_no_linear(const LinearModel& linear) {
  fmt::print(stderr, "taut: {}\n", linear.reason);
  if (const std::string_view hint = linear.hint(); !hint.empty())
    fmt::print(stderr, "    {}\n", hint);
  return failed;
}

}  // namespace taut::cli
