// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "batch.hpp"
#include "repeat.hpp"
#include "symbols.hpp"
#include "taut/formula/sym.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model.hpp"

namespace taut {

/// Turns one model into a system: names first, then elements. Mistakes are collected and the work
/// goes on, so that all of them are reported together.
class Compiler {
 public:
  Compiler(const Model& model, Problems& problems) : model_{model}, problems_{problems} {}

  [[nodiscard]] CompiledModel compile();

 private:
  // names (compile_names.cpp)
  void compile_parameters();
  void compile_vibration();
  void compile_definitions();
  void compile_anchors();
  void compile_points();
  void compile_coordinates();
  void compile_chains();
  void compile_start_values();
  void declare(const std::string& name, const std::string& where, Position at);
  void add_point(const std::string& name, const std::vector<double>& at,
                 const std::vector<double>& velocity);
  std::optional<double> number_of(const Value& value, const std::string& where,
                                  const Bindings& bindings = {});
  std::optional<std::vector<double>> numbers_of(const std::vector<Value>& values,
                                                const std::string& where, const Bindings& bindings);
  CompiledRun compile_run();

  // elements (compile_elements.cpp, compile_formulas.cpp)
  /// A point as an element sees it: a mass with coordinates, or an anchor.
  struct End {
    const Symbols::PointEntry* point = nullptr;
    const Symbols::AnchorEntry* anchor = nullptr;
    [[nodiscard]] std::size_t dimension() const {
      return point != nullptr ? static_cast<std::size_t>(point->dimension) : anchor->at.size();
    }
    [[nodiscard]] bool fits(std::size_t dimension) const {
      return this->dimension() == dimension || (anchor != nullptr && anchor->any_dimension);
    }
  };
  /// One element while its formula is recorded.
  class Trace;
  /// An element after its repeat is expanded: where it stands in messages, and its indices.
  struct Copy {
    std::string label;  ///< `rod 3`, or the user's name
    Position at;
    const Bindings& bindings;
  };

  void compile_masses();
  void compile_elements();
  void compile(const Rod& rod, const Copy& copy);
  void compile(const Spring& spring, const Copy& copy);
  void compile(const Damper& damper, const Copy& copy);
  void compile(const Gravity& gravity, const Copy& copy);
  void compile(const Chain& chain, const Copy& copy);
  void compile(const Potential& potential, const Copy& copy);
  void compile(const Force& force, const Copy& copy);
  void compile(const Constraint& constraint, const Copy& copy);
  void compile(const Kinetic& kinetic, const Copy& copy);
  void compile(const Invariant& invariant, const Copy& copy);
  void compile(const Event& event, const Copy& copy);
  void compile(const Functor& functor, const Copy& copy);

  std::optional<End> end(const Name& name, const Copy& copy, const std::string& field);
  std::optional<std::array<End, 2>> ends(const std::array<Name, 2>& names, const Copy& copy);
  /// The length given, or the distance at the start.
  std::optional<double> length_of(const std::optional<Value>& given,
                                  const std::optional<std::array<End, 2>>& between,
                                  const Copy& copy);
  std::optional<double> distance_at_start(const std::array<End, 2>& between, const Copy& copy);
  std::vector<double> position_at_start(const End& end, const Copy& copy);
  /// How a row gives way:  g + damping compliance g' = compliance lambda.
  struct Softness {
    double compliance, damping;
  };
  std::optional<Softness> softness_of(const Value& compliance, const Value& damping,
                                      const Copy& copy);
  void add_rod(const std::array<End, 2>& between, double length, Softness softness,
               const std::string& label);
  void add_expression(formula::Role role, const Value& value, unsigned allow, const Copy& copy,
                      const std::string& field);
  void add_row(Trace& trace, formula::Sym g, Softness softness, const std::string& name);
  void add_observable(const Value& value, Observable observable, const Copy& copy,
                      const std::string& field);
  void add_gravity(const Symbols::PointEntry& point, const std::vector<double>& acceleration,
                   const std::string& label);
  void check_masses(const System& system);

  const Model& model_;
  Problems& problems_;
  Symbols symbols_;
  Structure structure_;
  State given_;
  double theta_phase_ = 0.0;
  std::vector<double> q_, v_;        // start values while coordinates are declared
  std::vector<double> mass_;         // of each coordinate's own point mass
  std::vector<double> weight_mass_;  // what gravity pulls at: points and half bars
  std::vector<Position> position_of_coordinate_;
  StringMap<std::string> owner_of_name_;  // for duplicates
  std::set<std::string> element_names_;   // those given by the user
  std::map<std::string, int> count_of_kind_;
  std::optional<BatchBuilder> batches_;
};

}  // namespace taut
