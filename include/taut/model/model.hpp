// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/model/elements.hpp"
#include "taut/model/table.hpp"
#include "taut/model/value.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct Parameter {
  std::string name;
  Value value;  ///< expression of other parameters, in any order without cycles
};

/// A named sub-expression of parameters, t, coordinates and velocities.
struct Definition {
  std::string name;
  Value value;
  Repeat repeat;
};

/// A point that is fixed, or moves as a given function of t. Two or three components [m].
struct Anchor {
  std::string name;
  std::vector<Value> at;
  Position position;
  Repeat repeat;
};

/// A point mass: owns the coordinates NAME.x, NAME.y (and NAME.z when three numbers are given) and
/// the velocities NAME.vx, ...
struct PointMass {
  std::string name;
  Value mass = 0.0;             ///< [kg]; 0 when uniform bars carry all of the mass
  std::vector<Value> at;        ///< start, two or three components [m]
  std::vector<Value> velocity;  ///< start [m/s]; empty: at rest
  Value charge = 0.0;           ///< for [[pair]]s of Coulomb's law
  bool keep = false;            ///< the start is made consistent without moving it
  Position position;
  Repeat repeat;
};

/// A plain coordinate: an angle, or any generalised coordinate. Its velocity is v(NAME).
struct Coordinate {
  std::string name;
  Value mass = 0.0;  ///< [kg, kg m^2, ...]; 0 when [[kinetic]] gives its inertia
  Value at = 0.0;
  std::optional<Value> velocity;  ///< absent: at rest
  bool keep =
      false;  ///< the start is made consistent without moving it, nor `velocity` where given
  Position position;
  Repeat repeat;
};

/// A first-order state: NAME' = rate. Stands in expressions by its name.
struct FirstOrderState {
  std::string name;
  Value at = 0.0;  ///< start
  Value rate;      ///< expression of parameters, t, coordinates, velocities and states
  Position position;
  Repeat repeat;
};

/// One table of the file. Elements stand in file order; `name` is empty when the user gave none.
struct Element {
  AnyElement what;
  std::string name;
  Position position;
  Repeat repeat;
};

/// Fast external vibration: expressions may use theta = omega t + phase, and omega.
struct Vibration {
  Value omega;
  Value phase = 0.0;
  Position position;
};

/// Edges of the periodic box in which [[pair]]s see their nearest images: [box].
struct Box {
  std::vector<Value> size;  ///< as many lengths as points have coordinates
  Position position;
};

/// Heat bath of a Langevin motion: [thermostat].
struct Thermostat {
  Value temperature;              ///< k T [J]
  std::optional<Value> friction;  ///< rate [1/s], the same for all coordinates
  std::optional<Value> drag;      ///< or the coefficient [kg/s] of (27): rate drag / mass
  Value seed = 1.0;
  Value after = 0.0;  ///< its temperature is averaged from this time on [s]
  Position position;
};

/// Statistics of a run: [[histogram]], [[radial_distribution]], [[autocorrelation]].
struct Statistic {
  enum class Kind : unsigned char { histogram, radial_distribution, autocorrelation };
  Kind kind = Kind::histogram;
  std::string name;
  Value value;                    ///< histogram, autocorrelation: expression of q, v, t
  std::vector<Name> among, with;  ///< radial distribution: points, with `*` as in Pair
  std::optional<Value> from, to;  ///< range of a histogram; `to` of a radial distribution
  Value bins = 100.0;
  std::optional<Value> lag;    ///< longest one of an autocorrelation [s]
  std::optional<Value> every;  ///< distance of samples [s]; absent: every step
  Value after = 0.0;           ///< samples begin at this time [s]
  Position position;
};

/// What is shown of a model besides its points, rods, springs and bodies: [drawing]. Of use where
/// coordinates are angles.
struct Drawing {
  /// A point that is only shown, at expressions of parameters, t, coordinates and definitions.
  struct Point {
    std::string name;
    std::vector<Value> at;  ///< two or three
    Position position;
    Repeat repeat;
  };
  /// A line through points: masses, anchors, markers of bodies, or drawn ones.
  struct Line {
    std::vector<Name> through;  ///< two or more
    Position position;
    Repeat repeat;
    std::optional<Name> load;  ///< a constraint that keeps its length: it is shown as a rod
  };
  std::vector<Point> points;
  std::vector<Line> lines;
};

/// A differential system that is not stated as a mechanical one: [jets]. Its equations are
/// [[equation]]s, its invariants [[invariant]]s, its start stands in [start].
struct Jets {
  std::string independent = "x";
  std::vector<Name> unknowns;
  std::optional<Value> order;  ///< absent: that of the highest derivative that appears
  Position position;
  Repeat repeat;  ///< of unknowns
};

/// A start value that replaces the one given with the coordinate: [start].
struct StartValue {
  std::string coordinate;  ///< such as bob1.x or q
  std::optional<Value> at, velocity;
  std::vector<Value> derivatives;  ///< of an unknown of [jets]: y', y'', ...
  bool keep = false;               ///< the start is made consistent without moving it
  Position position;
  Repeat repeat;  ///< of unknowns of [jets]
};

/// What `taut run` does when the command line does not say otherwise: [run].
struct RunSettings {
  std::optional<Value> from;      ///< start time [s]; default 0
  std::optional<Value> until;     ///< end time [s]
  std::optional<Value> step;      ///< fixed step [s]
  std::optional<Value> tol;       ///< tolerance of adaptive methods
  std::optional<Value> max_step;  ///< no step of any method is longer [s]
  std::optional<Value> every;     ///< distance of output times [s]; absent: the steps themselves
  std::optional<Value> omega;     ///< of the penalized reading
  std::optional<Name> reading;
  std::optional<Name> method;
  std::optional<bool> error_estimate;  ///< of global errors, by a second run
  std::optional<Name> at_impasse;      ///< of [jets]: continue or stop
  std::optional<Name> columns;         ///< of a motion: auto, all or stated
};

/// An expression that someone wants to see the value of wherever a motion is looked at, [outputs]:
/// of parameters, inputs, t, coordinates, velocities, definitions and other outputs; with [jets],
/// of unknowns and their derivatives. Expressions may use it by its name.
struct Output {
  std::string name;
  Value value;
  Repeat repeat{};
  /// A column of every file and plot; otherwise `name` stands in messages alone, and `value` may
  /// also be the name of any number of a motion.
  bool column = true;
};

/// A model as its author states it: names, parameters, elements. Editable, does no arithmetic;
/// `compile` turns it into a System.
struct Model {
  std::string name;
  std::string file;  ///< for messages; empty when built in code
  std::string text;  ///< of that file
  std::vector<Parameter> parameters;
  std::vector<Parameter> inputs;  ///< names that are set during a run, and their values before that
  std::vector<Table> tables;
  std::vector<Definition> definitions;
  std::vector<Anchor> anchors;
  std::vector<PointMass> points;        ///< their coordinates come first in q,
  std::vector<Coordinate> coordinates;  ///< then these, then those of chains
  std::vector<FirstOrderState> states;  ///< of first order, such as integrals of controllers
  std::vector<Element> elements;
  std::optional<Jets> jets;
  std::optional<Vibration> vibration;
  std::optional<Box> box;
  std::optional<Thermostat> thermostat;
  std::vector<Statistic> statistics;
  std::vector<Output> outputs;
  Drawing drawing;
  std::vector<StartValue> start;
  bool slow_start = false;     ///< a run begins where nothing vibrates fast
  bool start_at_rest = false;  ///< a run begins at the equilibrium that is found from the start
  RunSettings run;
  /// Parts of the file could not be read and are not here: more than what problems already say
  /// would be reported if it was compiled (names that are stated, but not known).
  bool incomplete = false;

  /// Replaces the value of a parameter, or the one that an input has at first; false when there is
  /// none of this name.
  bool set(std::string_view which, Value value);
};

}  // namespace taut

#pragma GCC visibility pop
