// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace taut {

/// A surface of triangles, to be drawn: corners, and three of them for each triangle,
/// counter-clockwise as seen from outside.
struct Mesh {
  std::vector<std::array<double, 3>> corners;
  std::vector<std::array<int, 3>> triangles;
};

/// What a model looks like: points, lines between them and bodies, whose places follow from q. A
/// plain value without any drawing; the report animates it. Kinds that a model does not have are
/// empty; a scene without points and bodies is that of a model that says nothing of its shape.
struct Scene {
  /// One component of a place: a coordinate, a drawn formula, or a number.
  struct Component {
    int coordinate = -1;  ///< in Structure::coordinates; -1: none
    int observable = -1;  ///< in Structure::observables, of kind drawn; -1: none
    double value = 0.0;   ///< where it is neither

    [[nodiscard]] bool fixed() const { return coordinate < 0 && observable < 0; }
  };

  struct Point {
    enum class Kind : unsigned char {
      mass,    ///< a point mass
      anchor,  ///< fixed, or moving as a function of t
      marker,  ///< of a body: `at` is in the axes of that body
      drawn,   ///< of [drawing]
    };
    std::string name{};
    Kind kind = Kind::mass;
    std::array<Component, 3> at{};  ///< the third is 0 in the plane
    double mass = 0.0;              ///< [kg]
    int body = -1;                  ///< of a marker: in Scene::bodies
    double radius = 0.0;            ///< of a sphere [m]; 0: a point; < 0: not shown, a corner
  };

  struct Line {
    enum class Kind : unsigned char {
      rod,     ///< its load is lambda of `row`, pulled when positive
      spring,  ///< its load is stiffness (|d| - length); bonds, too
      damper,  ///< a load that depends on velocity; not shown
      drawn,   ///< of [drawing]
    };
    std::string name{};
    Kind kind = Kind::rod;
    std::array<int, 2> ends{-1, -1};  ///< in Scene::points
    int row = -1;                     ///< of a rod: in Structure::rows
    double stiffness = 0.0;           ///< of a spring [N/m]
    double length = 0.0;              ///< of a spring, at rest [m]
    double mass = 0.0;                ///< of a rod that is a uniform bar [kg]
    double depth = 0.0;               ///< of a Morse bond: its load is not that of a spring
  };

  /// A rigid body: position of its centre of mass and rotation matrix R, row after row; a point X
  /// of the body is at position + R X.
  struct Body {
    /// What fills `box`: all of it, the cylinder along its third edge, the ellipsoid; or a mesh in
    /// units of its edges.
    enum class Shape : unsigned char { box, cylinder, sphere, mesh };
    std::string name{};
    std::array<Component, 3> position{};
    std::array<Component, 9> rotation{};
    std::array<double, 3> box{};  ///< edges of the box it is drawn in [m], along `axes`: of the
                                  ///< uniform one with its mass and inertia where none is given
    std::array<double, 9> axes{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< principal axes in the body's axes,
                                                            ///< as columns of a matrix
    double mass = 0.0;
    Shape shape = Shape::box;
    std::string color{};                 ///< a name or #rrggbb; empty: that of all bodies
    std::shared_ptr<const Mesh> mesh{};  ///< null where the shape is none
  };

  int dimension = 2;  ///< 3 where any place has a third component
  std::vector<Point> points;
  std::vector<Line> lines;
  std::vector<Body> bodies;
  std::vector<double> box;  ///< edges of the periodic box; empty: there is none

  [[nodiscard]] bool empty() const { return points.empty() && bodies.empty(); }
};

}  // namespace taut

#pragma GCC visibility pop
