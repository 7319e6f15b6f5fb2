// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "taut/formula/formula.hpp"
#include "taut/formula/sym.hpp"
#include "taut/model/value.hpp"

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
  Position position;
  Repeat repeat;
};

/// A plain coordinate: an angle, or any generalised coordinate. Its velocity is v(NAME).
struct Coordinate {
  std::string name;
  Value mass = 0.0;  ///< [kg, kg m^2, ...]; 0 when [[kinetic]] gives its inertia
  Value at = 0.0;
  Value velocity = 0.0;
  Position position;
  Repeat repeat;
};

// Elements
// ----------------------------------------------------------------------------------------- What a
// user writes. The formulas stand in elements/, one file each.

/// Rigid or compliant distance between two points (see elements/rod.hpp). Row name: `rod N`.
struct Rod {
  std::array<Name, 2> between;
  std::optional<Value> length;  ///< [m]; absent: the distance at the start
  Value compliance = 0.0;       ///< [m/N]; 0: rigid
  Value damping = 0.0;          ///< of a compliant rod [N s/m]
  std::optional<Value> mass;    ///< of the uniform bar [kg]; absent: massless
};

/// Linear spring (see elements/spring.hpp): U = k/2 (|d| - length)^2.
struct Spring {
  std::array<Name, 2> between;
  Value stiffness;              ///< [N/m]
  std::optional<Value> length;  ///< at rest [m]; absent: the distance at the start
};

/// Linear damper along the line between two points (see elements/damper.hpp).
struct Damper {
  std::array<Name, 2> between;
  Value damping;  ///< [N s/m]
};

/// Uniform gravity on every point mass and uniform bar (see elements/gravity.hpp).
struct Gravity {
  std::vector<Value> acceleration;  ///< [m/s^2], two or three components
  std::vector<Name> on;             ///< these points only; empty: all
};

/// n equal links in one line: points NAME1 .. NAMEn and rods `NAME link k`.
struct Chain {
  std::string prefix = "link";  ///< NAME
  Value links = 1.0;
  Name from{"origin", {}};       ///< point or anchor the first link hangs on
  Value length = 1.0;            ///< of each link [m]
  Value mass = 1.0;              ///< of each point [kg]
  std::vector<Value> direction;  ///< in which it lies at the start; default (1, 0)
  Value compliance = 0.0;        ///< of each link [m/N]
  Value damping = 0.0;           ///< of each compliant link [N s/m]
};

struct Potential {
  Value energy;  ///< U(q, t) [J]
};

struct Force {
  Name on;                   ///< coordinate, or point
  std::vector<Value> value;  ///< one component for a coordinate, two or three for a point [N]
};

/// Row name: the element's own name or `constraint N`.
struct Constraint {
  Value zero;  ///< g(q, t)
  Value compliance = 0.0;
  Value damping = 0.0;  ///< c of lambda = g / compliance + c g', with compliance > 0
};

struct Kinetic {
  Value energy;  ///< T(q, v, t), quadratic in the velocities [J]
};

/// A quantity of (q, v, t) that the motion keeps. Name: the element's own or `invariant N`.
struct Invariant {
  Value value;
};

/// Something that happens when an expression crosses zero.
struct Event {
  enum class Direction : unsigned char { any, rising, falling };
  enum class Action : unsigned char { record, stop };
  Value zero;
  Direction direction = Direction::any;
  Action action = Action::record;
};

/// An element given as C++: `trace` is called once with recording scalars and gives the formula.
/// Coordinates are given by name; x.q[i], x.v[i] are those of coordinates[i].
struct Functor {
  struct Local {
    std::vector<formula::Sym> q, v;
    formula::Sym t, theta;
    std::vector<formula::Sym> parameters;
  };
  formula::Role role = formula::Role::potential;
  std::vector<std::string> coordinates;
  std::vector<double> parameters;  ///< numbers that may differ between elements of one formula
  int target = 0;                  ///< of a force: which of `coordinates` it acts on
  Value compliance = 0.0;          ///< of a constraint
  Value damping = 0.0;             ///< of a compliant constraint
  std::function<formula::Sym(const Local&)> trace;
};

/// One table of the file. Elements stand in file order; `name` is empty when the user gave none.
struct Element {
  std::variant<Rod, Spring, Damper, Gravity, Chain, Potential, Force, Constraint, Kinetic,
               Invariant, Event, Functor>
      what;
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

/// A start value that replaces the one given with the coordinate: [start].
struct StartValue {
  std::string coordinate;  ///< such as bob1.x or q
  std::optional<Value> at, velocity;
  Position position;
};

/// What `taut run` does when the command line does not say otherwise: [run].
struct RunSettings {
  std::optional<Value> from;   ///< start time [s]; default 0
  std::optional<Value> until;  ///< end time [s]
  std::optional<Value> step;   ///< fixed step [s]
  std::optional<Value> tol;    ///< tolerance of adaptive methods
  std::optional<Value> every;  ///< distance of output times [s]; absent: the steps themselves
  std::optional<Value> omega;  ///< of the penalized reading
  std::optional<Name> reading;
  std::optional<Name> method;
};

/// A model as its author states it: names, parameters, elements. Editable, does no arithmetic;
/// `compile` turns it into a System.
struct Model {
  std::string name;
  std::string file;  ///< for messages; empty when built in code
  std::vector<Parameter> parameters;
  std::vector<Definition> definitions;
  std::vector<Anchor> anchors;
  std::vector<PointMass> points;        ///< their coordinates come first in q,
  std::vector<Coordinate> coordinates;  ///< then these, then those of chains
  std::vector<Element> elements;
  std::optional<Vibration> vibration;
  std::vector<StartValue> start;
  RunSettings run;
  /// Parts of the file could not be read and are not here: more than what problems already say
  /// would be reported if it was compiled (names that are stated, but not known).
  bool incomplete = false;

  /// Replaces a parameter's value (`--set name=value`); false when there is no such parameter.
  bool set(std::string_view parameter, Value value);
};

}  // namespace taut
