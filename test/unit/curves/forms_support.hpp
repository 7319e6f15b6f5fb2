// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "taut/curves/jet_forms.hpp"

namespace taut::test {

using formula::Sym;
using Recorded = JetBuilder::Jets;

// problems of tuomela2005 -------------------------------------------------------------------------

/// (6.3) with inertia 5/8, 5/8, 1/4 and alpha = 0.01, written out in components.
inline JetSystem forms_rigid_body() {
  JetBuilder builder{{"a", "b", "c"}, 1};
  builder.start(0.0, {{0.1204, 0.9631, 0.2408}, {0.5568, -0.0682, -0.0054}});
  // y x (1.6 a, 1.6 b, 4 c) = (2.4 b c, -2.4 a c, 0); y x that = (2.4 a c², 2.4 b c², ...)
  builder.equation("a", [](const Recorded& j) {
    const auto& y = j.y[0];
    return j.y[1][0] - 2.4 * y[1] * y[2] - 0.01 * 2.4 * y[0] * y[2] * y[2];
  });
  builder.equation("b", [](const Recorded& j) {
    const auto& y = j.y[0];
    return j.y[1][1] + 2.4 * y[0] * y[2] - 0.01 * 2.4 * y[1] * y[2] * y[2];
  });
  builder.equation("c", [](const Recorded& j) {
    const auto& y = j.y[0];
    return j.y[1][2] + 0.01 * 2.4 * y[2] * (y[0] * y[0] + y[1] * y[1]);
  });
  builder.equation("sphere", [](const Recorded& j) {
    const auto& y = j.y[0];
    return y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - 1.0;
  });
  return builder.build();
}

/// y' and y'' of the rigid body.
inline void forms_rigid_slopes(const double* y, double* y1, double* y2) {
  const auto slope = [&](double a, double b, double c) {
    return std::vector<double>{2.4 * b * c + 0.024 * a * c * c, -2.4 * a * c + 0.024 * b * c * c,
                               -0.024 * c * (a * a + b * b)};
  };
  const auto s = slope(y[0], y[1], y[2]);
  const double a = y[0], b = y[1], c = y[2];
  for (int i = 0; i < 3; ++i) y1[i] = s[static_cast<std::size_t>(i)];
  y2[0] = 2.4 * (s[1] * c + b * s[2]) + 0.024 * (s[0] * c * c + 2 * a * c * s[2]);
  y2[1] = -2.4 * (s[0] * c + a * s[2]) + 0.024 * (s[1] * c * c + 2 * b * c * s[2]);
  y2[2] = -0.024 * (s[2] * (a * a + b * b) + c * (2 * a * s[0] + 2 * b * s[1]));
}

/// (6.11) with m = 2 to tell masses from ones.
inline JetSystem forms_particle() {
  JetBuilder builder{{"u", "v", "w"}, 2};
  builder.start(0.0, {{1, 1, 1}, {0.1, 0.2, -0.1}});
  const auto r3 = [](const Recorded& j) {
    const auto& y = j.y[0];
    const Sym r2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    return r2 * sqrt(r2);
  };
  builder.equation(
      "u", [&](const Recorded& j) { return 2.0 * j.y[2][0] + j.y[0][0] / r3(j) + j.y[1][1]; });
  builder.equation(
      "v", [&](const Recorded& j) { return 2.0 * j.y[2][1] + j.y[0][1] / r3(j) - j.y[1][0]; });
  builder.equation("w", [&](const Recorded& j) { return 2.0 * j.y[2][2] + j.y[0][2] / r3(j); });
  builder.invariant("energy", [](const Recorded& j) {
    const auto &y = j.y[0], &v = j.y[1];
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] -
           1.0 / sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
  });
  return builder.build();
}

/// (6.12); y_1^2 is the first derivative of y^2.
inline JetSystem forms_fluid() {
  JetBuilder builder{{"p", "q", "r"}, 2};
  builder.start(0.0, {{1, 1, 1}, {0.4, 0.5, 0.6}});
  builder.equation("p", [](const Recorded& j) {
    return j.y[2][0] - j.y[0][0] * j.y[0][2] / 3.0 + j.y[0][0] / 3.0;
  });
  builder.equation("q", [](const Recorded& j) {
    return j.y[2][1] - j.y[0][1] * j.y[0][2] / 3.0 - j.y[0][1] / 3.0 + j.y[0][0] / 3.0;
  });
  builder.equation("r", [](const Recorded& j) {
    return j.y[2][2] - j.y[0][2] * j.y[0][2] - 8.0 * j.y[1][1] + 1.0;
  });
  return builder.build();
}

struct FormsPlugFlow {
  static constexpr double R = 45.72, c1 = 44.017, c2 = 35545, c3 = 929940, c4 = 9090.9;
};

/// (6.5) and (6.6).
inline JetSystem forms_plug_flow() {
  using C = FormsPlugFlow;
  JetBuilder builder{{"y1", "y2", "y3"}, 1};
  builder.start(0.0, {{13.78, 11.394, 4.8147}});
  builder.equation("pressure", [](const Recorded& j) {
    return j.y[0][2] * j.y[0][2] * j.y[1][0] + j.y[0][1] * j.y[0][1];
  });
  builder.equation("core", [](const Recorded& j) {
    const Sym &y1 = j.y[0][0], &y2 = j.y[0][1], &y3 = j.y[0][2];
    return y1 * y2 * (C::R - y3) * (C::R - y3) * (2.5 * log(C::c1 * y2 - 5.0) + 10.5) -
           C::c2 * y1 * y3 - C::c3 * y3;
  });
  builder.equation("annulus", [](const Recorded& j) {
    const Sym &y2 = j.y[0][1], &y3 = j.y[0][2];
    return y2 * (2.5 * C::R - 1.25 * y3) * log(C::c1 * y2 - 5.0) + y2 * (3.0 * C::R - 2.125 * y3) -
           (13.6 * C::R + C::c1 * C::c4) / C::c1;
  });
  return builder.build();
}

/// Kernel of (6.6) as the wedge of its rows, by 3 x 3 minors.
inline Vec forms_plug_kernel(double y1, double y2, double y3) {
  using C = FormsPlugFlow;
  const double L = std::log(C::c1 * y2 - 5.0), w = C::R - y3;
  const double f11 = y2 * w * w * (2.5 * L + 10.5) - C::c2 * y3;
  const double f12 =
      y1 * w * w * (2.5 * L + 10.5) + 2.5 * C::c1 * y1 * y2 * w * w / (C::c1 * y2 - 5.0);
  const double f13 = -2 * y1 * y2 * w * (2.5 * L + 10.5) - C::c2 * y1 - C::c3;
  const double f22 = (2.5 * C::R - 1.25 * y3) * L +
                     C::c1 * y2 * (2.5 * C::R - 1.25 * y3) / (C::c1 * y2 - 5.0) + 3 * C::R -
                     2.125 * y3;
  const double f23 = -1.25 * y2 * L - 2.125 * y2;
  const double a = y2 * y2, b = y3 * y3;
  // rows (a, b, 0, 0), (0, f11, f12, f13), (0, 0, f22, f23)
  const double minor = f12 * f23 - f13 * f22;
  Vec v(4);
  v << b * minor, -a * minor, a * f11 * f23, -a * f11 * f22;
  return v / v.norm();
}

// helpers -----------------------------------------------------------------------------------------

inline Vec forms_direction(const CurveForm& form, const Vec& p) {
  EXPECT_EQ(form.reason, "");
  CurveEvaluation ev;
  form.curve.prepare(ev);
  Vec V = Vec::Zero(form.curve.size());
  EXPECT_EQ(form.curve.direction(p, ev, V), Status::ok) << form.curve.explain(p);
  return V;
}

inline void forms_expect_parallel(const Vec& V, const Vec& truth, double tolerance) {
  ASSERT_EQ(V.size(), truth.size());
  EXPECT_NEAR(V.norm(), 1.0, 1e-14);
  const double sign = V.dot(truth) < 0 ? -1.0 : 1.0;
  EXPECT_LE((V - sign * truth / truth.norm()).norm(), tolerance);
}

}  // namespace taut::test
