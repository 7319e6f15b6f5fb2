// SPDX-License-Identifier: BSD-3-Clause
// What evaluate() does, as a list that programs for many systems at a time are made of.
#include <algorithm>

#include "model/compiled_system.hpp"
#include "model/evaluation_fields.hpp"

namespace taut {

using formula::Slot;

std::optional<EvaluationTrace> CompiledSystem::trace(Needs wanted) const {
  const BoundPlan& bound = plan(wanted);
  if (bound.plan || has_pairs()) return {};
  EvaluationTrace trace;
  int constants = 0;
  for (const Bound& one : bound.bundles) constants += static_cast<int>(one.constants.size());
  const int parameters = constants;
  trace.mass = parameters + static_cast<int>(parameters_->size());
  trace.force = trace.mass + static_cast<int>(bases_->mass.size());
  trace.theta_rate = trace.force + static_cast<int>(bases_->force.size());
  trace.theta_phase = trace.theta_rate + 1;
  const int inputs = trace.theta_phase + 1;
  const int modes = inputs + static_cast<int>(inputs_->size());
  trace.count = modes + static_cast<int>(modes_ ? modes_->size() : 0);

  int first_constant = 0;
  for (const Bound& one : bound.bundles) {
    const Bundle& bundle = *one.bundle;
    const int width = bundle.kernel->width();
    for (int first = 0; first < bundle.instances; first += width) {
      const int count = std::min(width, bundle.instances - first);
      EvaluationTrace::Block& block = trace.blocks.emplace_back();
      block.program = &bundle.kernel->program();
      block.constants = first_constant;
      for (int l = 0; l < count; ++l) {
        std::vector<EvaluationTrace::Read>& reads = block.instances.emplace_back();
        for (const Gather& gather : bundle.gathers) {
          EvaluationTrace::Read read{.slot = gather.slot};
          switch (gather.slot) {
            case Slot::q:
            case Slot::v:
            case Slot::a:
            case Slot::lambda:
              read.place = place(gather.index, first + l);
              break;
            case Slot::parameter:
              read.place = parameters + static_cast<int>(gather.parameters) +
                           (gather.same_value ? 0 : first + l);
              break;
            case Slot::input:
              // angles that are remembered change while a system moves
              if (gather.index.first >= static_cast<int>(inputs_->size())) return {};
              read.place = inputs + gather.index.first;
              break;
            case Slot::mode:
              read.place = modes + place(gather.index, first + l);
              break;
            case Slot::mu:
              return {};
            case Slot::t:
            case Slot::theta:
              break;
          }
          reads.push_back(read);
        }
      }
      for (const ScatterGroup& group : bundle.groups)
        for (std::size_t s = group.begin; s < group.end; ++s)
          for (int l = 0; l < count; ++l)
            block.writes.push_back({.target = group.target,
                                    .place = place(bundle.scatters[s].slots, first + l),
                                    .instance = l,
                                    .reg = bundle.scatters[s].reg,
                                    .negate = group.negate,
                                    .add = !is_row_target(group.target)});
    }
    first_constant += static_cast<int>(one.constants.size());
  }
  return trace;
}

bool CompiledSystem::numbers(Needs wanted, std::vector<double>& to) const {
  const BoundPlan& bound = plan(wanted);
  if (bound.plan) return false;
  for (const Bound& one : bound.bundles)
    to.insert(to.end(), one.constants.begin(), one.constants.end());
  to.insert(to.end(), parameters_->begin(), parameters_->end());
  to.insert(to.end(), bases_->mass.begin(), bases_->mass.end());
  to.insert(to.end(), bases_->force.begin(), bases_->force.end());
  to.push_back(theta_rate_);
  to.push_back(theta_phase_);
  to.insert(to.end(), inputs_->begin(), inputs_->end());
  if (modes_) to.insert(to.end(), modes_->begin(), modes_->end());
  return true;
}

}  // namespace taut
