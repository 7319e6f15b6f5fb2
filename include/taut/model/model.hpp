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
  Value charge = 0.0;           ///< for [[pair]]s of Coulomb's law
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

/// A law between all pairs of points of two groups. Names of groups may have a `*`, which stands
/// for any characters.
struct Pair {
  enum class Law : unsigned char { lennard_jones, coulomb, power };
  Law law = Law::lennard_jones;
  std::vector<Name> among;              ///< points; empty: all
  std::vector<Name> with;               ///< the other group; empty: pairs within `among`
  std::optional<Value> epsilon, sigma;  ///< Lennard-Jones: 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
  std::optional<Value> repulsion, attraction;  ///< the same as repulsion/r^12 - attraction/r^6
  std::optional<Value> strength;  ///< Coulomb: k of k Q Q' / r, 1 when absent; power: of r^exponent
  std::optional<Value> exponent;  ///< of the power law
  std::optional<Value> cutoff;    ///< beyond it there is no force; absent: everywhere
  std::optional<Value> from;      ///< where the smooth way to 0 at the cut-off begins; 0.9 cutoff
  Value apart = 3.0;  ///< pairs joined by fewer rods, springs or bonds than this have no such force
};

/// Molecules of water on a lattice: points NAME1O, NAME1Ha, NAME1Hb, ..., three rods each, and the
/// pairs between molecules (TIP3P, jorgensen1983).
struct Water {
  std::string prefix = "water";
  Value molecules = 1.0;
  std::string units = "kcal/mol";  ///< or "eV": of energy; lengths in Angstrom, masses in u
  std::optional<Value> spacing;    ///< of the lattice [Angstrom]; absent: 3.1, or it fills the box
  std::vector<Value> at;           ///< its centre; empty: the origin
  Value compliance = 0.0;          ///< of each rod
  std::optional<Value> cutoff;     ///< of the pairs
};

/// Bond between two points: harmonic, or Morse's where `depth` is given (see elements/bond.hpp).
struct Bond {
  std::array<Name, 2> between;
  Value stiffness;              ///< k of k/2 (r - length)^2, and of Morse's law at its minimum
  std::optional<Value> length;  ///< absent: the distance at the start
  std::optional<Value> depth;   ///< of Morse's well
};

/// Angle at the middle one of three points (see elements/angle.hpp): k/2 (angle - at rest)^2.
struct Angle {
  std::vector<Name> between;  ///< three
  Value stiffness;
  std::optional<Value> angle;  ///< at rest [rad]; absent: that of the start
};

/// Torsion of four points about the middle two (see elements/dihedral.hpp):
/// barrier/2 (1 + cos(multiplicity phi - phase)), phi = pi where they are spread out (trans).
struct Dihedral {
  std::vector<Name> between;  ///< four
  Value barrier;
  Value multiplicity = 1.0;
  Value phase = 0.0;
};

/// A rigid body as position and rotation matrix (see elements/body.hpp): owns the coordinates
/// NAME.x, NAME.y, NAME.z, NAME.r11, ..., NAME.r33.
struct Body {
  std::string prefix;  ///< NAME
  Value mass = 1.0;
  std::vector<Value> inertia;  ///< about the centre of mass, in the body's axes: three principal
                               ///< moments, or six numbers xx yy zz xy xz yz
  std::vector<Value> at;       ///< centre of mass at the start
  std::vector<Value> velocity;
  std::vector<Value> rotation;  ///< rotation vector (axis times angle) at the start; empty: none
  std::vector<Value> spin;      ///< angular velocity at the start, in the body's axes
  Value compliance = 0.0;       ///< of its rigidity
  struct Marker {
    std::string name;
    std::vector<Value> at;  ///< in the body's axes, from the centre of mass
  };
  std::vector<Marker> markers;  ///< points NAME.MARKER, for rods, springs, dampers and forces
};

/// Joint between two bodies, or a body and the ground (see elements/joint.hpp).
struct Joint {
  enum class Kind : unsigned char { ball, hinge, fixed };
  Kind kind = Kind::ball;
  std::array<Name, 2> between;  ///< bodies; `ground` for the ground
  std::vector<Value> at;        ///< where it sits at the start, in space
  std::vector<Value> axis;      ///< of a hinge, at the start, in space
  Value compliance = 0.0;
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

/// An equation of a differential system: [[equation]], only with [jets].
struct Equation {
  Value zero;  ///< f(x, y, y', ...)
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
  std::variant<Rod, Spring, Damper, Gravity, Chain, Pair, Water, Bond, Angle, Dihedral, Body, Joint,
               Potential, Force, Constraint, Kinetic, Invariant, Equation, Event, Functor>
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
  Position position;
  Repeat repeat;  ///< of unknowns of [jets]
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
  std::optional<Name> at_impasse;  ///< of [jets]: continue or stop
};

/// A model as its author states it: names, parameters, elements. Editable, does no arithmetic;
/// `compile` turns it into a System.
struct Model {
  std::string name;
  std::string file;  ///< for messages; empty when built in code
  std::string text;  ///< of that file
  std::vector<Parameter> parameters;
  std::vector<Definition> definitions;
  std::vector<Anchor> anchors;
  std::vector<PointMass> points;        ///< their coordinates come first in q,
  std::vector<Coordinate> coordinates;  ///< then these, then those of chains
  std::vector<Element> elements;
  std::optional<Jets> jets;
  std::optional<Vibration> vibration;
  std::optional<Box> box;
  std::optional<Thermostat> thermostat;
  std::vector<Statistic> statistics;
  Drawing drawing;
  std::vector<StartValue> start;
  RunSettings run;
  /// Parts of the file could not be read and are not here: more than what problems already say
  /// would be reported if it was compiled (names that are stated, but not known).
  bool incomplete = false;

  /// Replaces a parameter's value (`--set name=value`); false when there is no such parameter.
  bool set(std::string_view parameter, Value value);
};

}  // namespace taut
