// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <any>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "formula/origins.hpp"
#include "model/batch.hpp"
#include "model/end.hpp"
#include "model/kept_numbers.hpp"
#include "model/pair_builder.hpp"
#include "model/repeat.hpp"
#include "model/symbols.hpp"
#include "taut/formula/sym.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model.hpp"

namespace taut {

class CompiledSystem;

/// A polygon or a line that an element is drawn as, fixed to the ground or to a body.
struct ShownBody {
  Scene::Body look{};
  std::array<formula::Number, 3> box{};
};
struct ShownOutline {
  std::string name;
  std::optional<Symbols::BodyEntry> body;
  std::vector<std::array<formula::Number, 3>> corners;
  bool closed = true;
};

/// Turns one model into a system: names first, then elements. Mistakes are collected and the work
/// goes on, so that all of them are reported together.
class Compiler {
 public:
  /// Numbers that come from parameters are recorded on `tape`.
  Compiler(const Model& model, Problems& problems, std::shared_ptr<formula::Origins> tape)
      : model_{model}, problems_{problems}, tape_{std::move(tape)} {}

  [[nodiscard]] CompiledModel compile();
  /// A system of the model's coordinates whose only observable is this expression.
  [[nodiscard]] System compile_expression(std::string_view text);
  /// Where numbers of the result come from, once it is compiled.
  [[nodiscard]] KeptNumbers take_kept() { return std::move(kept_); }
  [[nodiscard]] formula::Number parameter(const std::string& name) const {
    return symbols_.parameters.at(name);
  }

  /// One element while its formula is recorded (trace.hpp).
  class Trace;

 private:
  friend class ElementContext;  // what elements may do to a model while it is compiled
  using Number = formula::Number;

  // tables (compile_tables.cpp)
  void compile_tables();

  // names (compile_names.cpp)
  void compile_parameters();
  void compile_names();
  void compile_inputs();
  void compile_vibration();
  void compile_definitions();
  void compile_anchors();
  void compile_points();
  void compile_coordinates();
  void compile_states();
  void compile_start_values();
  void keep_start();
  void declare(const std::string& name, const std::string& where, Position at);
  /// Of coordinates from `first` on.
  void keep_start_of(std::size_t first, std::size_t count, bool with_velocity);
  void add_point(const std::string& name, const std::vector<Number>& at,
                 const std::vector<Number>& velocity);
  std::optional<Number> number_of(const Value& value, const std::string& where,
                                  const Bindings& bindings = {});
  std::optional<std::vector<Number>> numbers_of(const std::vector<Value>& values,
                                                const std::string& where, const Bindings& bindings);
  CompiledRun compile_run();
  /// Notes where in the result a number stands that may change with parameters.
  void keep(const Number& number, std::function<double&(CompiledModel&)> place) {
    if (number.has_origin()) kept_.in_model.push_back({std::move(place), number.origin()});
  }
  void keep_in_structure(const Number& number, std::function<double&(Structure&)> place) {
    if (number.has_origin()) kept_.in_structure.push_back({std::move(place), number.origin()});
  }

  // elements, each by its descriptor (compile_elements.cpp)
  void compile_box();
  void declare_elements();
  void relate_elements();
  void compile_masses();
  void compile_rates();
  void compile_elements();
  void compile_element(const Element& element);
  std::string label_of(const Element& element, const std::string& kind, const Bindings& bindings);
  std::vector<PairField> finish_pairs();
  void check_masses(const System& system);

  // coordinates that have no inertia, but a constraint (compile_massless.cpp)
  void give_inertia_to_determined();

  // differential systems (compile_jets.cpp)
  class JetCompiler;
  CompiledModel compile_jets();

  // heat bath and statistics (compile_statistics.cpp)
  void compile_thermostat(CompiledModel& result);
  std::vector<CompiledStatistic> compile_statistics();
  void compile(const Statistic& statistic, CompiledStatistic& to);
  void compile_groups(const Statistic& statistic, CompiledStatistic& to);
  /// The observable that an expression becomes; -1 where it is the name of a number of the motion.
  int compile_sample(const Output& output);

  // what is shown besides coordinates: outputs, quantities of elements (compile_quantities.cpp)
  void plan_quantities();
  void compile_outputs();
  void find_multipliers();
  void compile_accelerations();
  void bound_quantities();
  std::shared_ptr<const CompiledSystem> finish_quantities();
  /// How far joints have turned from what a run remembers: see CompiledSystem::turns().
  std::shared_ptr<const CompiledSystem> compile_turns();
  [[nodiscard]] bool names_a_number(std::string_view name) const;
  /// Where the next quantity stands; too many are not kept.
  int add_quantity(std::string name);

  // what events do (compile_actions.cpp)
  void finish_actions(CompiledModel& result);

  // what is shown (compile_scene.cpp)
  class SceneCompiler;
  Scene compile_scene();
  /// A rod, spring, bond or damper as it is shown; its ends are put in when all points are known.
  struct ShownLine {
    Scene::Line line;
    Ends between;
    /// Numbers of the line that may change with parameters.
    std::vector<std::pair<double Scene::Line::*, Number>> numbers;
  };

  const Model& model_;
  Problems& problems_;
  std::shared_ptr<formula::Origins> tape_;
  KeptNumbers kept_;
  Symbols symbols_;
  Structure structure_;
  State given_;
  Number theta_phase_ = 0.0;
  Number start_time_ = 0.0;
  std::vector<Number> q_, v_;        // start values while coordinates are declared
  std::vector<Number> mass_;         // of each coordinate's own point mass
  std::vector<Number> weight_mass_;  // what gravity pulls at: points and half bars
  std::vector<Position> position_of_coordinate_;
  StringMap<std::string> owner_of_name_;   // for duplicates
  std::set<std::string> element_names_;    // those given by the user
  std::set<const Element*> not_expanded_;  // their repeats or names have mistakes
  std::map<std::string, int> count_of_kind_;
  std::optional<BatchBuilder> batches_;
  std::optional<BatchBuilder> drawn_;  // places that are only shown
  std::optional<BatchBuilder> outputs_, quantities_;
  std::optional<BatchBuilder> action_values_;
  std::vector<CompiledAction> actions_;
  std::optional<BatchBuilder> action_rows_;  // of those of velocities
  int numbers_of_action_rows_ = 0;
  std::vector<std::string> output_names_, quantity_names_;
  std::size_t most_quantities_ = 0;
  bool too_many_quantities_ = false;
  /// A row of the system as it was recorded.
  struct RecordedRow {
    formula::Formula formula;  // its last root is g
    std::vector<int> coordinates;
    std::vector<Number> parameters;
    int number = 0;
  };
  [[nodiscard]] static RecordedRow recorded(const Trace& trace, int number);
  /// g of a row in another formula.
  [[nodiscard]] static formula::Sym copied(const RecordedRow& row, Trace& to);
  /// Notes a rigid row where it reads a coordinate that has no mass of its own.
  void note_determining(const Trace& trace, int number, const Number& compliance);
  std::vector<RecordedRow> recorded_rows_;  // of the element that is compiled, if it asks for that
  std::vector<RecordedRow> determining_rows_;
  std::vector<bool> has_kinetic_energy_;  // coordinates whose velocities kinetic energies read
  bool records_rows_ = false;
  std::vector<ShownLine> shown_lines_;
  std::vector<std::pair<std::string, Symbols::MarkerEntry>> shown_joints_;
  /// How bodies are drawn that say so; without edges: as their mass and inertia say.
  StringMap<ShownBody> shown_bodies_;
  std::map<int, Number> shown_radii_;  // of points, by their x in q
  std::vector<ShownOutline> shown_outlines_;
  std::vector<double> box_;     // edges of the periodic box; empty: none
  std::vector<double> charge_;  // of each coordinate's point
  PairBuilder pairs_;
  std::vector<PairField> contact_fields_;
  std::vector<std::pair<PairField, int>> shown_contacts_;  // with the first of their quantities
  std::unordered_map<std::type_index, std::any> shared_;   // by elements of one kind
};

}  // namespace taut
