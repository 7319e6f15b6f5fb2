// SPDX-License-Identifier: BSD-3-Clause
// Section 4.5, Figures 9 and 10: a magnetized body with identity inertia.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

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

/// Numbers of an earlier study; `unknown` where it has none.
struct Known {
  double energy, orthogonality, early, late;
};

void add(std::vector<Row>& rows, const std::string& name, const Motion& found, const Track& truth,
         const Known& known, double allowed = 0.05) {
  double dE = 0, strain = 0, early = 0, late = 0;
  const std::size_t n = std::min(found.R.size(), truth.states.size());
  for (std::size_t k = 0; k < n; ++k) {
    const Mat3& R = found.R[k];
    const double error = (R - rotation(truth.states[k].q)).norm();
    dE = std::max(dE, std::abs(found.E[k] - found.E[0]));
    strain = std::max(strain, (R.transpose() * R - Mat3::Identity()).norm());
    late = std::max(late, error);
    if (truth.states[k].t <= 10 + h / 2) early = late;
  }
  if (found.R.size() < truth.states.size()) dE = late = unknown;
  const auto row = [&](const std::string& what, double reference, double obtained) {
    const std::string title = fmt::format("{}: {}", name, what);
    const auto is_known = std::isnan(reference) ? std::nullopt : std::optional{reference};
    // what is kept to rounding has a size only
    rows.push_back(reference < 1e-13 ? size_row(title, {}, is_known, obtained, 10.0)
                                     : value_row(title, {}, is_known, obtained, allowed));
  };
  row("energy error", known.energy, dE);
  row("|R^T R - 1|", known.orthogonality, strain);
  row("error up to t = 10", known.early, early);
  row("error up to t = 50", known.late, late);
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

void add_matrix_formulas(std::vector<Row>& rows, const Magnet& magnet, const Track& truth) {
  const auto run = [&](auto step, Third third) {
    return motion<Penalized>(magnet, start_penalized(magnet),
                             [&, step, third](Penalized& at) { step(magnet, h, beta, third, at); });
  };
  add(rows, "linearized, Euler", run(linearized_euler, Third::corrected), truth,
      {0.165, 0.059, 0.30, 1.40});
  add(rows, "linearized, trapezoidal", run(linearized_trapezoidal, Third::corrected), truth,
      {0.064, 0.054, 0.30, 1.40});
  rows.push_back(value_row("f_k as printed, Euler: time at which it blows up", {}, 48.0,
                           run(linearized_euler, Third::printed).blown_up(), 0.02));
  rows.back().note = "sign and transposes of the third derivative are misprinted";
  const Magnet strong{.strength = 2.0};
  const Motion blown = motion<Penalized>(strong, start_penalized(strong), [&](Penalized& at) {
    linearized_euler(strong, h, beta, Third::printed, at);
  });
  rows.push_back(value_row("the same with B mu = 2", {}, 15.0, blown.blown_up(), 0.05));
}

void add_group_methods(std::vector<Row>& rows, const Magnet& magnet, const Track& truth) {
  add(rows, "Hamilton-Pontryagin-Cayley (34)",
      motion<OnGroup>(magnet, start_on_group(magnet),
                      [&](OnGroup& at) { hamilton_pontryagin_cayley(magnet, h, at); }),
      truth, {0.11, 4e-15, 0.19, 0.94});
  add(rows, "explicit splitting, exact rotations",
      motion<OnGroup>(magnet, start_on_group(magnet),
                      [&](OnGroup& at) { strang_splitting(magnet, h, at); }),
      truth, {0.0051, 6e-15, 0.017, 0.082});
}

void add_body_of_model_file(std::vector<Row>& rows, const Magnet& magnet, const CompiledModel& body,
                            const Track& truth) {
  const System hard = rigid(body.system), soft = penalized(body.system, 2 * magnet.omega);
  // mass 1/2: β/2 of this method is β of (37)
  const Track found = track(soft, body.given, ZhangSkeel{beta / 2}, h, T);
  const Motion by_zhang_skeel = of_body(soft, found);
  add(rows, "zhang-skeel on the [[body]]", by_zhang_skeel, truth, {0.064, 0.054, 0.30, 1.40});
  const Motion by_matrices = motion<Penalized>(magnet, start_penalized(magnet), [&](Penalized& at) {
    linearized_trapezoidal(magnet, h, beta, Third::corrected, at);
  });
  double distance = found.whole ? 0.0 : unknown;
  for (std::size_t k = 0; k < by_zhang_skeel.R.size(); ++k)
    distance = std::max(distance, (by_zhang_skeel.R[k] - by_matrices.R[k]).norm());
  rows.push_back({.name = "zhang-skeel on the [[body]]: distance from the matrix formulas",
                  .reference = 0.0,
                  .obtained = distance,
                  .allowed = 1e-10,
                  .note = "omega of the reading is twice, beta half of the paper's"});
  const System equations_of_springs = equations(soft);
  add(rows, "gauss-newton on the [[body]], beta = 0.26",
      of_body(soft, track(equations_of_springs, body.given, GaussNewton{{.beta = 0.26}}, h, T)),
      truth, {0.12, 0.064, 0.34, 1.54}, 0.1);
  add(rows, "rattle on the [[body]], rigid", of_body(hard, track(hard, body.given, Rattle{}, h, T)),
      truth, {unknown, 1e-14, unknown, unknown});
  const Motion exact =
      of_body(soft, reference(soft, body.given, DormandPrince853{{.tol = 1e-11}}, h, T));
  add(rows, "penalized with omega = 10, solved exactly", exact, truth,
      {unknown, unknown, 0.14, 0.69});
}

std::vector<Row> all_rows() {
  const Magnet magnet;
  const CompiledModel body = magnet_body();
  const Track truth =
      reference(rigid(body.system), body.given, DormandPrince853{{.tol = 1e-12}}, h, T);
  std::vector<Row> rows;
  add_matrix_formulas(rows, magnet, truth);
  add_group_methods(rows, magnet, truth);
  add_body_of_model_file(rows, magnet, body, truth);
  rows.push_back({.name = "symplectic defect of a step, corrected f_k",
                  .published = 0.0,
                  .obtained = symplectic_defect(magnet, Third::corrected),
                  .allowed = 1e-9});
  rows.push_back(size_row("symplectic defect, f_k as printed", {}, 0.2,
                          symplectic_defect(magnet, Third::printed), 1.5));
  rows.push_back({.name = "symplectic defect, third derivative dropped",
                  .obtained = symplectic_defect(magnet, Third::dropped),
                  .note = "0.002 to 0.02 along the motion"});
  return rows;
}

}  // namespace
}  // namespace rotations

std::vector<Row> so3() { return rotations::all_rows(); }

}  // namespace taut::papers::variational
