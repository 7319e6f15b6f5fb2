// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "taut/formula/formula.hpp"
#include "taut/formula/sym.hpp"
#include "taut/model/scene.hpp"
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
  /// Coulomb's with a cut-off: "reaction-field", or "ewald": all images in the [box] count
  std::string electrostatics = "reaction-field";
  std::optional<Value> accuracy;  ///< of Ewald's sum; 1e-6 when absent
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
  std::string electrostatics = "reaction-field";  ///< "ewald": all images count; "none": no charges
  std::optional<Value> accuracy;                  ///< of Ewald's sum; 1e-6 when absent
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

/// A rigid body. In space position and rotation matrix: owns the coordinates
/// NAME.x, NAME.y, NAME.z, NAME.r11, ..., NAME.r33. In the plane, where `inertia` is one number:
/// NAME.x, NAME.y, NAME.angle.
struct Body {
  std::string prefix;  ///< NAME
  Value mass = 1.0;
  std::vector<Value> inertia;  ///< about the centre of mass, in the body's axes: three principal
                               ///< moments, or six numbers xx yy zz xy xz yz; one in the plane
  std::vector<Value> at;       ///< centre of mass at the start
  std::vector<Value> velocity;
  std::vector<Value> rotation;  ///< rotation vector (axis times angle) at the start; empty: none;
                                ///< an angle in the plane
  struct Marker {
    std::string name;
    std::vector<Value> at;  ///< in the body's axes, from the centre of mass
  };
  std::vector<Marker> axes;       ///< or two of its axes x, y, z in space
  std::vector<Value> euler;       ///< or yaw, pitch, roll: about z, then its own y, then its own x
  std::vector<Value> quaternion;  ///< or a unit quaternion w, x, y, z
  std::vector<Value> spin;        ///< angular velocity at the start, in the body's axes
  bool keep = false;  ///< the start is made consistent without moving it, nor velocity and spin
                      ///< where given
  Value compliance = 0.0;       ///< of its rigidity
  std::vector<Marker> markers;  ///< points NAME.MARKER, for rods, springs, dampers and forces
  std::vector<Marker> shape;    ///< how it is drawn: box, cylinder or sphere with its measures;
                                ///< empty: the uniform box of its mass and inertia
  std::string color;            ///< how it is drawn: a name or #rrggbb; empty: that of all
  std::string mesh;             ///< how it is drawn: a file beside the model; empty: none
  Value mesh_scale = 1.0;       ///< length of the unit of that file [m]
  std::shared_ptr<const Mesh> surface;  ///< what that file holds
};

/// Joint between two bodies, a body and a point, or one of them and the ground.
struct Joint {
  enum class Kind : unsigned char {
    ball,
    hinge,
    fixed,
    slider,
    cylindrical,
    universal,
    planar,
    screw,
    point_on_line,
    point_on_plane,
    point_on_curve,
    spherical,  ///< another word for ball,
    revolute,   ///< hinge,
    pin,        ///< hinge,
    prismatic,  ///< slider
  };
  Kind kind = Kind::ball;
  std::array<Name, 2> between;     ///< bodies, points; `ground` for the ground
  std::vector<Value> at;           ///< where it sits at the start; empty: at the centre of a point
  std::vector<Value> axis;         ///< at the start: of turning, of sliding, across a plane
  std::vector<Value> second_axis;  ///< of a universal joint: fixed to its second side
  std::optional<Value> pitch;      ///< of a screw: travel of one turn [m]
  /// Of a point on a curve: its components along the axes of the first side, expressions of s [m].
  std::vector<Value> curve;
  Value compliance = 0.0;                      ///< of its rows [m/N, 1/(N m)]
  std::optional<Value> rotational_compliance;  ///< of those that hold angles; absent: the same
  Value compliance_damping = 0.0;              ///< of rows with a compliance [N s/m, N m s]
  std::optional<Value> rotational_damping;     ///< of those that hold angles; absent: the same
  // on its coordinate: the angle of a hinge, the travel of a slider; of a joint with several one
  // number for each
  Value start = 0.0;                   ///< its value at the start [rad, m]
  std::vector<Value> stiffness;        ///< of a spring [N m, N/m]
  std::vector<Value> rest;             ///< where that is at rest; absent: at the start
  std::vector<Value> damping;          ///< [N m s, N s/m]
  std::optional<Value> torque, force;  ///< of a motor, on the second side, expressions
  std::optional<Value> angle, travel;  ///< prescribed motion, expressions of t
  std::vector<Value> friction;         ///< largest torque or force of dry friction
  std::vector<Value> friction_speed;   ///< at which tanh(1) of it acts [rad/s, m/s]
  std::vector<Value> limits;           ///< lowest and highest value, of each coordinate
  std::vector<Value> limit_stiffness;  ///< of the stops there
  std::vector<Value> limit_damping;    ///< c of the force c u u' at depth u
};

/// Relation between the coordinates of two joints, gears, racks and belts:
/// change of the first = ratio * change of the second.
struct Gear {
  std::array<Name, 2> between;  ///< joints
  Value ratio = 1.0;
  Value compliance = 0.0;
  Value damping = 0.0;  ///< of its row, where that has a compliance [N m s, N s/m]
};

/// Torque on a body, and the opposite one on another.
struct Torque {
  Name on;                      ///< body
  std::vector<Value> value;     ///< one component in the plane, three in space [N m]
  Name frame{"world", {}};      ///< whose axes: world, body (its own), or the name of a body
  std::optional<Name> against;  ///< the body that has the opposite torque; absent: the ground
};

/// A stop that gives way, on a coordinate or any function s of the coordinates: where it is deeper
/// than a bound by u > 0, the force stiffness u^exponent (1 + damping u') + dashpot u', and never
/// one that pulls.
struct Stop {
  Value on;                           ///< expression of q and t, or the name of a joint
  std::optional<Value> lower, upper;  ///< expressions of t
  Value stiffness;
  Value exponent = 1.0;
  Value damping = 0.0;  ///< of Hunt and Crossley: a part of the force per u'
  Value dashpot = 0.0;  ///< linear in u' [N s/m]
};

/// Contact of spheres with each other or with a plane, by stiffness: the law of Stop for how far
/// they overlap, and friction where they touch. Names of groups may have a `*`.
struct Contact {
  std::vector<Name> among;              ///< points, bodies, anchors
  std::vector<Name> with;               ///< the other group; empty: within `among`
  std::vector<Value> radius;            ///< one, or of both groups [m]
  std::vector<Value> plane;             ///< its normal, on the side where spheres are; or
  std::vector<Value> at;                ///< a point of the plane [m]; empty: the origin
  std::optional<Name> on;               ///< the body that the plane is fixed to
  std::optional<Value> stiffness;       ///< or, of Hertz,
  std::vector<Value> young, poisson;    ///< one, or of both sides [Pa], [1]
  std::optional<Value> exponent;        ///< absent: 1; of Hertz 3/2
  Value damping = 0.0;                  ///< of Hunt and Crossley [s/m]
  Value dashpot = 0.0;                  ///< [N s/m]
  std::optional<Value> friction;        ///< coefficient of Coulomb
  std::optional<Value> friction_speed;  ///< of sliding, at which 1/sqrt(2) of it acts [m/s]
  std::optional<Value> size;            ///< edge of the square a plane is drawn as [m]
};

/// Potential energy, as an expression.
struct Potential {
  Value energy;  ///< U(q, t) [J]
};

/// Force on a coordinate, or on a point.
struct Force {
  Name on;                   ///< coordinate, or point
  std::vector<Value> value;  ///< one component for a coordinate, two or three for a point [N]
  Name frame{"world", {}};   ///< whose axes: world, body (its own), or the name of a body
};

/// Row name: the element's own name or `constraint N`.
struct Constraint {
  Value zero;  ///< g(q, t)
  Value compliance = 0.0;
  Value damping = 0.0;  ///< c of lambda = g / compliance + c g', with compliance > 0
};

/// A condition on velocities that is no derivative of one on positions: no slip, a skate.
/// Row name: the element's own name or `rolling N`.
struct Rolling {
  Value zero;  ///< A(q, t) v + b(q, t)
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
  /// A new value of a coordinate, a velocity, a first-order state, a parameter or an input.
  struct Assignment {
    Name target;  ///< such as bob.vx, v(phi), k
    Value value;  ///< an expression of everything there is just before the event
  };
  Value zero;
  Direction direction = Direction::any;
  Action action = Action::record;
  std::vector<Assignment> then;     ///< what it does, all at once
  std::optional<Value> stop_after;  ///< the run stops when it has happened so often
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
                 Joint, Gear, Stop, Contact, Potential, Force, Torque, Constraint, Rolling, Kinetic,
                 Invariant, Event, Equation, Functor>;

}  // namespace taut

#pragma GCC visibility pop
