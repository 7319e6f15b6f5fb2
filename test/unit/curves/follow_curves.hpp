// SPDX-License-Identifier: BSD-3-Clause
// Curves whose points are known otherwise, and the plug flow of tuomela2005 in both its forms.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "taut/curves/jet_forms.hpp"

namespace taut {

using FollowJets = JetBuilder::Jets;

/// p' = V(p) in the plane, given by hand, with or without an equation that it keeps.
class FollowPlane final : public CurveImplementation {
 public:
  using Field = std::function<Vec(const Vec&)>;
  explicit FollowPlane(Field field, std::vector<std::string> names = {"x", "y"})
      : field_{std::move(field)} {
    structure_.m = static_cast<Index>(names.size());
    structure_.coordinates = std::move(names);
    structure_.scale.resize(0);
    structure_.df.resize(0, structure_.m);
  }
  [[nodiscard]] const CurveStructure& structure() const override { return structure_; }
  void prepare(CurveEvaluation& out) const override {
    out.f.resize(0);
    out.df = structure_.df;
  }
  [[nodiscard]] Status value(const Vec&, CurveEvaluation&) const override { return Status::ok; }
  [[nodiscard]] Status jacobian(const Vec&, CurveEvaluation&) const override { return Status::ok; }
  [[nodiscard]] Status hessian(const Vec&, const Vec&, CurveEvaluation&) const override {
    return Status::not_supported;
  }
  [[nodiscard]] Status direction(const Vec& p, CurveEvaluation&, Vec& V) const override {
    Vec now = field_(p);
    if (!now.allFinite()) return Status::non_finite;
    now /= now.norm();
    const double same = V.squaredNorm() > 0.0 ? V.dot(now) : now[0];
    V = same < 0.0 ? Vec(-now) : now;
    return Status::ok;
  }
  [[nodiscard]] std::string explain(const Vec& p) const override {
    return field_(p).allFinite() ? "" : "the field is not finite";
  }

 private:
  Field field_;
  CurveStructure structure_;
};

inline Curve follow_curve(FollowPlane::Field field, std::vector<std::string> names = {"x", "y"}) {
  return Curve{std::make_shared<FollowPlane>(std::move(field), std::move(names))};
}

inline Vec follow_point(double x, double y) {
  Vec p(2);
  p << x, y;
  return p;
}

/// x^2 + y^2 = 1, clockwise from (0, 1) as x grows.
inline Curve follow_circle() {
  return follow_curve([](const Vec& p) { return follow_point(p[1], -p[0]); });
}

/// y' = slope(x, y)
template <class Slope>
Curve follow_ode(Slope slope) {
  return follow_curve([slope](const Vec& p) { return follow_point(1.0, slope(p[0], p[1])); });
}

/// (6.5) and its differential equation.
inline JetSystem follow_plug_flow() {
  const double R = 45.72, c1 = 44.017, c2 = 35545, c3 = 929940, c4 = 9090.9;
  JetBuilder builder{{"y1", "y2", "y3"}, 1};
  builder.start(0.0, {{13.78, 11.394, 4.8147}});
  builder.equation("pressure", [](const FollowJets& j) {
    const auto& y = j.y[0];
    return y[2] * y[2] * j.y[1][0] + y[1] * y[1];
  });
  builder.equation("core", [=](const FollowJets& j) {
    const auto& y = j.y[0];
    return y[0] * y[1] * (R - y[2]) * (R - y[2]) * (2.5 * log(c1 * y[1] - 5.0) + 10.5) -
           c2 * y[0] * y[2] - c3 * y[2];
  });
  builder.equation("annulus", [=](const FollowJets& j) {
    const auto& y = j.y[0];
    return y[1] * (2.5 * R - 1.25 * y[2]) * log(c1 * y[1] - 5.0) + y[1] * (3.0 * R - 2.125 * y[2]) -
           (13.6 * R + c1 * c4) / c1;
  });
  builder.event(
      "empty", [](const FollowJets& j) { return j.y[0][0]; }, Observable::Direction::falling, true);
  return builder.build();
}

/// (6.4), whose u2 has no bound.
inline JetSystem follow_original_plug_flow() {
  const double R = 45.72, c1 = 44.017, c2 = 35545, c3 = 929940, c4 = 9090.9;
  JetBuilder builder{{"u1", "u2", "u3"}, 1};
  builder.start(0.0, {{13.78, 11.394 / 4.8147, 4.8147}});
  builder.equation("pressure",
                   [](const FollowJets& j) { return j.y[1][0] + j.y[0][1] * j.y[0][1]; });
  builder.equation("core", [=](const FollowJets& j) {
    const auto& u = j.y[0];
    return u[1] * (R - u[2]) * (R - u[2]) * (2.5 * log(c1 * u[1] * u[2] - 5.0) + 10.5) - c2 -
           c3 / u[0];
  });
  builder.equation("annulus", [=](const FollowJets& j) {
    const auto& u = j.y[0];
    return (2.5 * R * u[2] - 1.25 * u[2] * u[2]) * log(c1 * u[1] * u[2] - 5.0) + 3.0 * R * u[2] -
           2.125 * u[2] * u[2] - (13.6 * R + c1 * c4) / (c1 * u[1]);
  });
  return builder.build();
}

}  // namespace taut
