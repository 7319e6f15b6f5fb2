// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "model/contact_field.hpp"
#include "run/tube.hpp"

namespace taut {

/// Looks at a step for contacts of ContactFields that it has passed without stopping at them:
///
///   a pair, or a sphere and a plane, apart at both ends of the step with u > 0 between them    (1)
///
/// Who touches at one end has been seen by the method there. Which pairs are looked at follows from
/// how far spheres get within the step, by lists of neighbours: the cost grows with their number.
/// Few that get far are compared with all others; where many do, the step is looked at in pieces.
class ContactWatch {
 public:
  struct Passed {
    bool any = false;
    double t = 0.0, length = 0.0;  ///< where the first of them begins, and how long it lasts
  };

  void start(const CompiledSystem& compiled);
  [[nodiscard]] bool any() const { return !fields_.empty(); }
  [[nodiscard]] Passed look(const Tube& tube);

 private:
  struct Field {
    const ContactField* contacts = nullptr;
    std::array<std::vector<double>, 3> middle;
    std::array<std::vector<double>, 3> half;  // how far from there it gets along each axis
    std::vector<double> reach;                // and in all
    std::vector<int> far;                     // those that are looked at one by one
    PairList list;
    double cutoff = 0.0;
  };
  /// Two spheres, or one and the plane where j is negative.
  struct Two {
    const ContactField* contacts;
    int i, j;
  };
  /// A piece of the step; from the first to the last ξ.
  struct Piece {
    double from = -1.0, to = 1.0;
  };
  void look(Field& field, const Tube& tube, Passed& passed);
  [[nodiscard]] double spread(Field& field, const Tube& tube, Piece piece) const;
  void look_at_pairs(Field& field, const Tube& tube, Piece piece, Passed& passed);
  void look_at_far(Field& field, const Tube& tube, Passed& passed);
  void examine(const Two& two, const Tube& tube, Piece piece, Passed& passed);
  /// Negative where they touch: |d|² - (R_i + R_j)², or the distance from a plane, on |ξ - c| <= r.
  [[nodiscard]] static formula::Interval gap(const Two& two, const Tube& tube, double c, double r);

  std::vector<Field> fields_;
  std::vector<Piece> open_;
};

}  // namespace taut
