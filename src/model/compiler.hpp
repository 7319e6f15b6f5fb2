// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/batch.hpp"
#include "model/pair_builder.hpp"
#include "model/repeat.hpp"
#include "model/symbols.hpp"
#include "taut/formula/sym.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model.hpp"

namespace taut {

/// What a user calls the kind of an element: rod, event.
[[nodiscard]] std::string kind_of(const Element& element);

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
  void compile_bodies();
  void compile_chains();
  void compile_box();
  void compile_waters();
  void compile_start_values();
  void declare(const std::string& name, const std::string& where, Position at);
  void add_point(const std::string& name, const std::vector<double>& at,
                 const std::vector<double>& velocity);
  std::optional<double> number_of(const Value& value, const std::string& where,
                                  const Bindings& bindings = {});
  std::optional<std::vector<double>> numbers_of(const std::vector<Value>& values,
                                                const std::string& where, const Bindings& bindings);
  CompiledRun compile_run();
  // differential systems (compile_jets.cpp)
  class JetCompiler;
  CompiledModel compile_jets();
  // heat bath and statistics (compile_statistics.cpp)
  void compile_thermostat(CompiledModel& result);
  std::vector<CompiledStatistic> compile_statistics();
  void compile(const Statistic& statistic, CompiledStatistic& to);
  void compile_groups(const Statistic& statistic, CompiledStatistic& to);

  // what is shown (compile_scene.cpp)
  class SceneCompiler;
  Scene compile_scene();

  // elements (compile_elements.cpp, compile_formulas.cpp)
  /// A point as an element sees it: a mass with coordinates, an anchor, or a point of a body.
  struct End {
    const Symbols::PointEntry* point = nullptr;
    const Symbols::AnchorEntry* anchor = nullptr;
    const Symbols::MarkerEntry* marker = nullptr;
    [[nodiscard]] bool moves() const { return anchor == nullptr; }
    [[nodiscard]] std::size_t dimension() const {
      if (marker != nullptr) return 3;
      return point != nullptr ? static_cast<std::size_t>(point->dimension) : anchor->at.size();
    }
    [[nodiscard]] bool fits(std::size_t dimension) const {
      return this->dimension() == dimension || (anchor != nullptr && anchor->any_dimension);
    }
  };
  /// A rod, spring, bond or damper as it is shown; its ends are put in when all points are known.
  struct ShownLine {
    Scene::Line line;
    std::array<End, 2> between;
  };
  void show(Scene::Line line, const std::array<End, 2>& between) {
    shown_lines_.push_back({std::move(line), between});
  }
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
  void compile(const Pair& pair, const Copy& copy);
  void compile(const Water& water, const Copy& copy);
  void compile(const Bond& bond, const Copy& copy);
  void compile(const Angle& angle, const Copy& copy);
  void compile(const Dihedral& dihedral, const Copy& copy);
  void compile(const Body& body, const Copy& copy);
  void compile(const Joint& joint, const Copy& copy);
  void compile(const Potential& potential, const Copy& copy);
  void compile(const Force& force, const Copy& copy);
  void compile(const Constraint& constraint, const Copy& copy);
  void compile(const Kinetic& kinetic, const Copy& copy);
  void compile(const Invariant& invariant, const Copy& copy);
  void compile(const Equation& equation, const Copy& copy);
  void compile(const Event& event, const Copy& copy);
  void compile(const Functor& functor, const Copy& copy);

  [[nodiscard]] std::optional<End> find_end(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names_of_ends() const;
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
  /// `scale`: at least so large are the terms of g somewhere, however small at the start.
  void add_row(Trace& trace, formula::Sym g, Softness softness, const std::string& name,
               double scale = 0.0);
  void add_observable(const Value& value, Observable observable, const Copy& copy,
                      const std::string& field);
  void add_gravity(const Symbols::PointEntry& point, const std::vector<double>& acceleration,
                   const std::string& label);
  void check_masses(const System& system);

  // molecules (compile_molecules.cpp, compile_water.cpp)
  /// Sites of all [[water]], whose molecules act on one another.
  struct WaterSites {
    std::string units;
    std::optional<PairSwitch> range;
    std::vector<int> oxygens, all;
    std::string label;
    Position at;
  };
  /// Points whose names fit, by the number of their x in q; all points when no name is given.
  std::optional<std::vector<int>> points_like(const std::vector<Name>& patterns, const Copy& copy,
                                              const std::string& field);
  std::optional<PairSwitch> range_of(const std::optional<Value>& cutoff,
                                     const std::optional<Value>& from, const Copy& copy);
  /// Three or four different points or anchors that fit together.
  std::optional<std::vector<End>> ends_of(const std::vector<Name>& names, std::size_t count,
                                          const Copy& copy);
  /// Notes that something joins two points: [[pair]]s may spare them.
  void join(const std::array<End, 2>& between) {
    if (between[0].point != nullptr && between[1].point != nullptr)
      pairs_.join(between[0].point->first, between[1].point->first);
  }
  /// False where a mistake has been reported.
  bool add_pairs(PairBuilder::Use use, const Copy& copy);
  void add_water_pairs();
  std::vector<PairField> finish_pairs();

  // bodies (compile_bodies.cpp)
  using Vec3 = std::array<double, 3>;
  /// One of the two sides of a joint; defined where it is used.
  struct JointSide;
  void add_body(const Body& body, const std::string& name, const Bindings& bindings, Position at);
  void add_markers(const Body& body, const std::string& name, const Bindings& bindings,
                   Position at);
  /// J = tr(I)/2 - I as 11 22 33 12 13 23; exactly 0 for the axis across a flat body.
  std::optional<std::array<double, 6>> second_moments(const Body& body, const std::string& where,
                                                      const Bindings& bindings, Position at);
  /// Three numbers, zero when none are given.
  std::optional<Vec3> vector_of(const std::vector<Value>& values, const std::string& where,
                                const Bindings& bindings, Position at);
  [[nodiscard]] Vec3 column_at_start(const Symbols::BodyEntry& body, std::size_t c) const;
  std::optional<JointSide> joint_side(const Name& name, const Vec3& at,
                                      const std::array<Vec3, 3>& directions, const Copy& copy);

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
  std::optional<BatchBuilder> drawn_;  // places that are only shown
  std::vector<ShownLine> shown_lines_;
  std::vector<std::pair<std::string, Symbols::MarkerEntry>> shown_joints_;
  std::vector<double> box_;     // edges of the periodic box; empty: none
  std::vector<double> charge_;  // of each coordinate's point
  std::optional<WaterSites> waters_;
  PairBuilder pairs_;
};

}  // namespace taut
