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

#pragma GCC visibility push(default)

namespace taut {

// What a user writes, in C++ or in a model file. Formulas, keys with their meanings, messages and
// what is drawn stand in src/model/elements/, one file for each element.

/// Rigid or compliant distance between two points. Row name: `rod N`.
struct Rod {
  std::array<Name, 2> between;
  std::optional<Value> length;  ///< [m]; absent: the distance at the start
  Value compliance = 0.0;       ///< [m/N]; 0: rigid
  Value damping = 0.0;          ///< of a compliant rod [N s/m]
  std::optional<Value> mass;    ///< of the uniform bar [kg]; absent: massless
};

/// Linear spring: U = k/2 (|d| - length)^2.
struct Spring {
  std::array<Name, 2> between;
  Value stiffness;              ///< [N/m]
  std::optional<Value> length;  ///< at rest [m]; absent: the distance at the start
};

/// Linear damper along the line between two points.
struct Damper {
  std::array<Name, 2> between;
  Value damping;  ///< [N s/m]
};

/// Uniform gravity on every point mass and uniform bar.
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

/// Bond between two points: harmonic, or Morse's where `depth` is given.
struct Bond {
  std::array<Name, 2> between;
  Value stiffness;              ///< k of k/2 (r - length)^2, and of Morse's law at its minimum
  std::optional<Value> length;  ///< absent: the distance at the start
  std::optional<Value> depth;   ///< of Morse's well
};

/// Angle at the middle one of three points: k/2 (angle - at rest)^2.
struct Angle {
  std::vector<Name> between;  ///< three
  Value stiffness;
  std::optional<Value> angle;  ///< at rest [rad]; absent: that of the start
};

/// Torsion of four points about the middle two:
/// barrier/2 (1 + cos(multiplicity phi - phase)), phi = pi where they are spread out (trans).
struct Dihedral {
  std::vector<Name> between;  ///< four
  Value barrier;
  Value multiplicity = 1.0;
  Value phase = 0.0;
};

/// A rigid body as position and rotation matrix: owns the coordinates
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

/// Joint between two bodies, or a body and the ground.
struct Joint {
  enum class Kind : unsigned char { ball, hinge, fixed };
  Kind kind = Kind::ball;
  std::array<Name, 2> between;  ///< bodies; `ground` for the ground
  std::vector<Value> at;        ///< where it sits at the start, in space
  std::vector<Value> axis;      ///< of a hinge, at the start, in space
  Value compliance = 0.0;
};

/// Potential energy, as an expression.
struct Potential {
  Value energy;  ///< U(q, t) [J]
};

/// Force on a coordinate, or on a point.
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

/// Kinetic energy, as an expression.
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

/// Every element there is, in the order of the manual.
using AnyElement =
    std::variant<Rod, Spring, Damper, Gravity, Chain, Pair, Water, Bond, Angle, Dihedral, Body,
                 Joint, Potential, Force, Constraint, Kinetic, Invariant, Event, Equation, Functor>;

}  // namespace taut

#pragma GCC visibility pop
