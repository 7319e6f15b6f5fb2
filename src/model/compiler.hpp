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

  // names (compile_names.cpp)
  void compile_parameters();
  void compile_names();
  void compile_inputs();
  void compile_vibration();
  void compile_definitions();
  void compile_anchors();
  void compile_points();
  void compile_coordinates();
  void compile_start_values();
  void keep_start();
  void declare(const std::string& name, const std::string& where, Position at);
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
  void compile_masses();
  void compile_elements();
  void compile_element(const Element& element);
  std::string label_of(const Element& element, const std::string& kind, const Bindings& bindings);
  std::vector<PairField> finish_pairs();
  void check_masses(const System& system);

  // differential systems (compile_jets.cpp)
  class JetCompiler;
  CompiledModel compile_jets();

  // heat bath and statistics (compile_statistics.cpp)
  void compile_thermostat(CompiledModel& result);
  std::vector<CompiledStatistic> compile_statistics();
  void compile(const Statistic& statistic, CompiledStatistic& to);
  void compile_groups(const Statistic& statistic, CompiledStatistic& to);
  /// The observable that an expression becomes.
  int compile_output(const Output& output);

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
  StringMap<std::string> owner_of_name_;  // for duplicates
  std::set<std::string> element_names_;   // those given by the user
  std::map<std::string, int> count_of_kind_;
  std::optional<BatchBuilder> batches_;
  std::optional<BatchBuilder> drawn_;  // places that are only shown
  std::vector<ShownLine> shown_lines_;
  std::vector<std::pair<std::string, Symbols::MarkerEntry>> shown_joints_;
  std::vector<double> box_;     // edges of the periodic box; empty: none
  std::vector<double> charge_;  // of each coordinate's point
  PairBuilder pairs_;
  std::unordered_map<std::type_index, std::any> shared_;  // by elements of one kind
};

}  // namespace taut
