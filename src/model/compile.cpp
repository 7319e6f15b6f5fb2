// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/compile.hpp"

#include "core/kkt.hpp"
#include "model/compiled_system.hpp"
#include "model/compiler.hpp"

namespace taut {

CompiledModel Compiler::compile() {
  compile_parameters();
  if (model_.jets) return compile_jets();
  compile_vibration();
  batches_.emplace(symbols_.theta_rate);
  drawn_.emplace(symbols_.theta_rate);
  CompiledRun run = compile_run();
  given_.t = run.from;
  compile_definitions();
  compile_anchors();
  compile_points();
  compile_coordinates();
  compile_box();
  declare_elements();
  compile_start_values();
  if (q_.empty() && problems_.empty())
    problems_.add({}, "model", "has nothing that can move",
                  "give at least one point in [points] or one coordinate in [coordinates]");
  compile_masses();
  compile_elements();
  std::vector<PairField> pairs = finish_pairs();
  CompiledModel result;
  compile_thermostat(result);
  result.statistics = compile_statistics();
  result.scene = compile_scene();

  given_.q = Eigen::Map<const Vec>(q_.data(), static_cast<Index>(q_.size()));
  given_.v = Eigen::Map<const Vec>(v_.data(), static_cast<Index>(v_.size()));
  result.given = given_;
  result.run = std::move(run);
  if (!problems_.empty()) return result;
  // what is only shown stands apart: it changes nothing of what is computed
  std::vector<Batch> batches = batches_->finish();
  for (Batch& batch : drawn_->finish()) {
    batch.drawn = true;
    batches.push_back(std::move(batch));
  }
  result.system = System{
      std::make_shared<const CompiledSystem>(std::move(batches), std::move(structure_),
                                             std::move(pairs), symbols_.theta_rate, theta_phase_)};
  check_masses(result.system);
  return result;
}

void Compiler::check_masses(const System& system) {
  Evaluation out;
  system.prepare(out);
  const Arguments at{.t = given_.t, .q = given_.q, .v = given_.v};
  if (system.evaluate(need(Target::mass), at, out) != Status::ok) {
    problems_.add({}, system.culprit(at), "gives no finite mass at the start",
                  "start where the kinetic energy is defined");
    return;
  }
  Kkt kkt;
  kkt.analyse(out.M, system.structure().G);
  if (kkt.factor_mass(out.M) == Status::ok) return;
  const Index defect = std::max<Index>(kkt.mass_defect(), 0);
  problems_.add(position_of_coordinate_[static_cast<std::size_t>(defect)],
                system.structure().coordinates[static_cast<std::size_t>(defect)],
                "has no inertia of its own: the mass matrix is not positive definite at the start",
                "give it a mass, or a kinetic energy that contains its velocity");
}

CompiledModel compile(const Model& model, Problems& problems) {
  return Compiler{model, problems}.compile();
}

CompiledModel compile(const Model& model) {
  Problems problems{model.file};
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result;
}

}  // namespace taut
