// SPDX-License-Identifier: BSD-3-Clause
// Section 4.5, Figures 9 and 10: a magnetized body with identity inertia.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "items.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/rattle.hpp"
#include "methods/zhang_skeel.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"
#include "so3_methods.hpp"

namespace taut::papers::variational {
namespace rotations {
namespace {

constexpr double h = 0.1, beta = 0.4, T = 50.0;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The body of the model file: I = 1 gives the mass 1/2 of (32) to each axis, and the six rows of
/// its rigidity with the springs of penalized(2 ω) are the penalty ω²/2 |RᵀR - 1|².
CompiledModel magnet_body() {
  return compiled(R"toml(
name = "magnetized body of section 4.5"
[[body]]
name    = "body"
mass    = 1
inertia = [1, 1, 1]
spin    = [1, 0.2, 0.1]
[[potential]]
energy = "body.r33"
)toml");
}

Mat3 rotation(const Vec& coordinates) { return Eigen::Map<const Mat3>{coordinates.data() + 3}; }

/// R and the energy after every step, the start included.
struct Motion {
  std::vector<Mat3> R;
  std::vector<double> E;
  /// Time at which it left all bounds; `unknown` when it did not.
  [[nodiscard]] double blown_up() const {
    const auto bad = std::find_if(E.begin(), E.end(), [](double e) { return !(e < 1e6); });
    return bad == E.end() ? unknown : h * static_cast<double>(bad - E.begin());
  }
};

template <class At>
Motion motion(const Magnet& magnet, At at, const std::function<void(At&)>& step) {
  Motion result{{at.R}, {energy(magnet, at)}};
  const auto steps = static_cast<int>(std::lround(T / h));
  for (int n = 0; n < steps && result.E.back() < 1e6; ++n) {
    step(at);
    result.R.push_back(at.R);
    result.E.push_back(energy(magnet, at));
  }
  return result;
}

Motion of_body(const System& system, const Track& track) {
  Motion result;
  for (const State& s : track.states) {
    result.R.push_back(rotation(s.q));
    result.E.push_back(variational::energy(system, s));
  }
  return result;
}

struct Summary {
  double energy = 0, strain = 0, early = 0, late = 0;
};

Summary add(std::vector<Row>& rows, const std::string& name, const Motion& found,
            const Track& truth) {
  Summary sum;
  const std::size_t n = std::min(found.R.size(), truth.states.size());
  for (std::size_t k = 0; k < n; ++k) {
    const Mat3& R = found.R[k];
    const double error = (R - rotation(truth.states[k].q)).norm();
    sum.energy = std::max(sum.energy, std::abs(found.E[k] - found.E[0]));
    sum.strain = std::max(sum.strain, (R.transpose() * R - Mat3::Identity()).norm());
    sum.late = std::max(sum.late, error);
    if (truth.states[k].t <= 10 + h / 2) sum.early = sum.late;
  }
  if (found.R.size() < truth.states.size()) sum.energy = sum.late = unknown;
  const auto row = [&](const char* what, double obtained) {
    rows.push_back(ours(fmt::format("{}: {}", name, what), obtained));
    rows.back().volatile_value = obtained < 1e-9;  // rounding
  };
  row("energy error", sum.energy);
  row("|R^T R - 1|", sum.strain);
  row("error up to t = 10", sum.early);
  row("error up to t = 50", sum.late);
  return sum;
}

/// Largest entry of JᵀΩJ - Ω for the Jacobian J of a step in (R, p), by differences of fourth
/// order, at a point of the motion.
double symplectic_defect(const Magnet& magnet, Third third) {
  using Vec18 = Eigen::Matrix<double, 18, 1>;
  Penalized z = start_penalized(magnet);
  for (int n = 0; n < 50; ++n) linearized_trapezoidal(magnet, h, beta, Third::corrected, z);
  const auto stepped = [&](Eigen::Index i, double by) {
    Penalized at = z;
    (i < 9 ? at.R(i) : at.p(i - 9)) += by;
    linearized_euler(magnet, h, beta, third, at);
    Vec18 y;
    y << at.R.reshaped(), at.p.reshaped();
    return y;
  };
  constexpr double d = 1e-4;
  Eigen::Matrix<double, 18, 18> J;
  for (Eigen::Index i = 0; i < 18; ++i)
    J.col(i) = (8 * (stepped(i, d) - stepped(i, -d)) - (stepped(i, 2 * d) - stepped(i, -2 * d))) /
               (12 * d);
  double largest = 0;
  for (Eigen::Index i = 0; i < 18; ++i)
    for (Eigen::Index j = 0; j < 18; ++j) {
      const double form =
          J.col(i).head<9>().dot(J.col(j).tail<9>()) - J.col(i).tail<9>().dot(J.col(j).head<9>());
      const double canonical = j == i + 9 ? 1.0 : i == j + 9 ? -1.0 : 0.0;
      largest = std::max(largest, std::abs(form - canonical));
    }
  return largest;
}

/// Figure 10: energy, strain and deviation over time.
Figure over_time(const std::string& title,
                 const std::vector<std::pair<std::string, Motion>>& motions, const Track& truth) {
  Figure figure{.title = title,
                .caption =
                    "B mu = 1, h = 0.1; omega = 10 and beta = 0.4 of the linearized method. "
                    "The truth is the rigid motion solved to 1e-12.",
                .panels = {{.title = "change of energy", .x_name = "t"},
                           {.title = "|R^T R - 1|", .x_name = "t"},
                           {.title = "distance from the true R", .x_name = "t"}}};
  figure.panels[1].log_y = true;
  for (const auto& [name, motion] : motions) {
    std::array<Series, 3> series;
    for (std::size_t k = 0; k < std::min(motion.R.size(), truth.states.size()); ++k) {
      const Mat3& R = motion.R[k];
      const std::array values{motion.E[k] - motion.E[0],
                              (R.transpose() * R - Mat3::Identity()).norm(),
                              (R - rotation(truth.states[k].q)).norm()};
      for (std::size_t i = 0; i < 3; ++i) {
        series[i].x.push_back(truth.states[k].t);
        series[i].y.push_back(values[i]);
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      series[i].name = name;
      figure.panels[i].series.push_back(std::move(series[i]));
    }
  }
  return figure;
}

/// Figure 9: where the dipole R e3 points, seen from the side and from above.
Figure dipole(const Motion& linearized, const Track& truth) {
  Figure figure{
      .title = "Figure 9: the dipole of the magnetized body",
      .caption = "The path of R e3 instead of snapshots, up to t = 50.",
      .panels = {
          {.title = "along x and z", .x_name = "x", .y_name = "z", .series = {}, .equal = true},
          {.title = "along x and y", .x_name = "x", .y_name = "y", .series = {}, .equal = true}}};
  const auto path = [&](const char* name, const auto& at, std::size_t n) {
    std::array<Series, 2> series;
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 d = at(k).col(2);
      series[0].x.push_back(d[0]);
      series[0].y.push_back(d[2]);
      series[1].x.push_back(d[0]);
      series[1].y.push_back(d[1]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      series[i].name = name;
      figure.panels[i].series.push_back(std::move(series[i]));
    }
  };
  path(
      "true motion", [&](std::size_t k) { return rotation(truth.states[k].q); },
      truth.states.size());
  path(
      "linearized, h = 0.1", [&](std::size_t k) { return linearized.R[k]; }, linearized.R.size());
  return figure;
}

Motion run(const Magnet& magnet, void (*step)(const Magnet&, double, double, Third, Penalized&),
           Third third) {
  return motion<Penalized>(magnet, start_penalized(magnet),
                           [&, step, third](Penalized& at) { step(magnet, h, beta, third, at); });
}

void add_printed_force(std::vector<Row>& rows, const Magnet& magnet) {
  constexpr Why why{
      "The third derivative",
      "sign and transposes of the third derivative are misprinted: it is a - 2 omega^2 b^2 (R a^T "
      "a + a R^T a + a a^T R), with which the method is symplectic and stays bounded"};
  const auto bounded = [&](const char* name, const Magnet& of) {
    const double blown = run(of, linearized_euler, Third::printed).blown_up();
    rows.push_back(
        at_odds(stated(name, "the method runs to the end of Figure 9, here T = 50",
                       "section 4.5, f_k after (37)", T, std::isnan(blown) ? T : blown, at_least()),
                why));
  };
  bounded("f_k as printed, Euler: time up to which it stays bounded", magnet);
  bounded("the same with B mu = 2", Magnet{.strength = 2.0});
  rows.push_back(stated("symplectic defect of a step, corrected f_k",
                        "the integrator is variational and thus symplectic", "section 4.5", 0.0,
                        symplectic_defect(magnet, Third::corrected), at_most(1e-9)));
  rows.back().volatile_value = true;
  rows.push_back(at_odds(
      stated("symplectic defect, f_k as printed",
             "the integrator is variational and thus symplectic", "section 4.5, f_k after (37)",
             0.0, symplectic_defect(magnet, Third::printed), at_most(1e-9)),
      why));
  rows.push_back(ours("symplectic defect, third derivative dropped",
                      symplectic_defect(magnet, Third::dropped)));
}

void add_body_of_model_file(std::vector<Row>& rows, const Magnet& magnet, const CompiledModel& body,
                            const Track& truth, const Motion& by_matrices) {
  const System hard = rigid(body.system), soft = penalized(body.system, 2 * magnet.omega);
  // mass 1/2: β/2 of this method is β of (37)
  const Track found = track(soft, body.given, ZhangSkeel{beta / 2}, h, T);
  const Motion by_zhang_skeel = of_body(soft, found);
  add(rows, "zhang-skeel on the [[body]]", by_zhang_skeel, truth);
  double distance = found.whole ? 0.0 : unknown;
  for (std::size_t k = 0; k < by_zhang_skeel.R.size(); ++k)
    distance = std::max(distance, (by_zhang_skeel.R[k] - by_matrices.R[k]).norm());
  rows.push_back(stated("zhang-skeel on the [[body]]: distance from the matrix formulas",
                        "the trapezoidal rule gives the updates of Integrator 1", "section 4.5",
                        0.0, distance, at_most(1e-10)));
  rows.back().note = "omega of the reading is twice, beta half of the paper's";
  rows.back().volatile_value = true;
  const System equations_of_springs = equations(soft);
  add(rows, "gauss-newton on the [[body]], beta = 0.26",
      of_body(soft, track(equations_of_springs, body.given, GaussNewton{{.beta = 0.26}}, h, T)),
      truth);
  add(rows, "rattle on the [[body]], rigid", of_body(hard, track(hard, body.given, Rattle{}, h, T)),
      truth);
  const Motion exact =
      of_body(soft, reference(soft, body.given, DormandPrince853{{.tol = 1e-11}}, h, T));
  add(rows, "penalized with omega = 10, solved exactly", exact, truth);
}

Shown all() {
  const Magnet magnet;
  const CompiledModel body = magnet_body();
  const Track truth =
      reference(rigid(body.system), body.given, DormandPrince853{{.tol = 1e-12}}, h, T);
  std::vector<Row> rows;
  const Motion euler = run(magnet, linearized_euler, Third::corrected);
  const Motion trapezoidal = run(magnet, linearized_trapezoidal, Third::corrected);
  const Motion group = motion<OnGroup>(magnet, start_on_group(magnet), [&](OnGroup& at) {
    hamilton_pontryagin_cayley(magnet, h, at);
  });
  const Summary linearized = add(rows, "linearized, Euler", euler, truth);
  add(rows, "linearized, trapezoidal", trapezoidal, truth);
  add_printed_force(rows, magnet);
  const Summary benchmark = add(rows, "Hamilton-Pontryagin-Cayley (34)", group, truth);
  rows.push_back(stated("(34): largest |R^T R - 1|",
                        "(34) keeps the structure of SO(3) up to arithmetic error", "section 4.5",
                        0.0, benchmark.strain, at_most(1e-13)));
  rows.back().volatile_value = true;
  rows.push_back(stated("|R^T R - 1| of the linearized method over that of (34)",
                        "the Lie group method is much better at preserving the group",
                        "section 4.5", 1e6, linearized.strain / benchmark.strain, at_least()));
  rows.back().volatile_value = true;
  add(rows, "explicit splitting, exact rotations",
      motion<OnGroup>(magnet, start_on_group(magnet),
                      [&](OnGroup& at) { strang_splitting(magnet, h, at); }),
      truth);
  add_body_of_model_file(rows, magnet, body, truth, trapezoidal);
  std::vector<Figure> figures{
      dipole(euler, truth),
      over_time("Figure 10: energy, group structure and deviation",
                {{"linearized, h = 0.1", euler}, {"(34), h = 0.1", group}}, truth)};
  return {std::move(rows), std::move(figures)};
}

}  // namespace
}  // namespace rotations

Shown so3() { return rotations::all(); }

}  // namespace taut::papers::variational
