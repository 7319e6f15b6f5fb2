// SPDX-License-Identifier: BSD-3-Clause
#include "links.hpp"

#include "measure.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"

namespace taut::bench {

std::vector<LinkCost> link_costs(const std::string& models, const std::string& method) {
  constexpr int steps = 20;
  std::vector<LinkCost> costs;
  for (const bool is_rigid : {false, true}) {
    for (const int links : {1000, 10000}) {
      Problem problem = load(models, "stiff_chain.toml", {{"links", links}, {"omega", 1e6}});
      if (is_rigid) problem.system = rigid(problem.system);
      const Measured run =
          measure(as_wanted(problem.system, method_info(method)), problem.start, problem.until,
                  {.method = method, .tol = 1e-6, .max_steps = steps});
      LinkCost cost{.rigid = is_rigid, .links = links, .steps = static_cast<int>(run.cost.steps)};
      cost.status = run.status == Status::step_limit ? Status::ok : run.status;
      cost.seconds_per_link_and_step = run.seconds / links / cost.steps;
      costs.push_back(cost);
    }
  }
  return costs;
}

}  // namespace taut::bench
