// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/compile.hpp"

#include <fmt/format.h>

#include "core/kkt.hpp"
#include "model/compiled_system.hpp"
#include "model/compiler.hpp"

namespace taut {
namespace {

struct KindOf {
  std::string operator()(const Rod&) const { return "rod"; }
  std::string operator()(const Spring&) const { return "spring"; }
  std::string operator()(const Damper&) const { return "damper"; }
  std::string operator()(const Gravity&) const { return "gravity"; }
  std::string operator()(const Chain&) const { return "chain"; }
  std::string operator()(const Pair&) const { return "pair"; }
  std::string operator()(const Water&) const { return "water"; }
  std::string operator()(const Bond&) const { return "bond"; }
  std::string operator()(const Angle&) const { return "angle"; }
  std::string operator()(const Dihedral&) const { return "dihedral"; }
  std::string operator()(const Body&) const { return "body"; }
  std::string operator()(const Joint&) const { return "joint"; }
  std::string operator()(const Potential&) const { return "potential"; }
  std::string operator()(const Force&) const { return "force"; }
  std::string operator()(const Constraint&) const { return "constraint"; }
  std::string operator()(const Kinetic&) const { return "kinetic"; }
  std::string operator()(const Invariant&) const { return "invariant"; }
  std::string operator()(const Equation&) const { return "equation"; }
  std::string operator()(const Event&) const { return "event"; }
  std::string operator()(const Functor& functor) const {
    switch (functor.role) {
      case formula::Role::kinetic:
        return "kinetic";
      case formula::Role::potential:
        return "potential";
      case formula::Role::force:
        return "force";
      case formula::Role::constraint:
        return "constraint";
      case formula::Role::observable:
        return "invariant";
    }
    return "functor";
  }
};

}  // namespace

std::string kind_of(const Element& element) { return std::visit(KindOf{}, element.what); }

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
  compile_bodies();
  compile_chains();
  compile_box();
  compile_waters();
  compile_start_values();
  if (q_.empty() && problems_.empty())
    problems_.add({}, "model", "has nothing that can move",
                  "give at least one point in [points] or one coordinate in [coordinates]");
  compile_masses();
  compile_elements();
  add_water_pairs();
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

void Compiler::compile_elements() {
  const auto compile_one = [&](const Element& element) {
    const std::string kind = kind_of(element);
    const std::string table = element.name.empty() ? kind : element.name;
    for_each_copy(element.repeat, symbols_, table, problems_, [&](const Bindings& bindings) {
      const int number = ++count_of_kind_[kind];
      std::string label = fmt::format("{} {}", kind, number);
      if (!element.name.empty() && kind != "chain" && kind != "water" && kind != "body") {
        const auto name =
            substitute_name(element.name, element.position, bindings, symbols_, label, problems_);
        if (name) label = *name;
        // the reader has compared the names of tables that are not repeated
        const bool is_compared = bindings.empty() && element.position.line > 0;
        if (name && !element_names_.insert(*name).second && !is_compared)
          problems_.add(element.position, *name, "another element has this name",
                        "give every element its own name");
      }
      std::visit(
          [&](const auto& what) {
            compile(what, {label, element.position, bindings});
          },
          element.what);
    });
  };
  // bars first: gravity must know what they weigh
  const auto is_gravity = [](const Element& element) {
    return std::holds_alternative<Gravity>(element.what);
  };
  for (const Element& element : model_.elements)
    if (!is_gravity(element)) compile_one(element);
  for (const Element& element : model_.elements)
    if (is_gravity(element)) compile_one(element);
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
