// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "errors.hpp"
#include "items.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = ErrorStudy::Real;
using Four = std::array<double, 4>;  // y, v, P v, lambda

std::vector<std::reference_wrapper<const Tableau<Real>>> methods() {
  return {radau_iia<Real>(1), radau_iia<Real>(2),    radau_iia<Real>(3),    radau_iia<Real>(4),
          radau_iia<Real>(5), lobatto_iiic<Real>(2), lobatto_iiic<Real>(3), lobatto_iiic<Real>(4),
          radau_ia<Real>(3),  sdirk2<Real>(),        sdirk3<Real>(),        sdirk4<Real>(),
          gauss<Real>(2),     gauss<Real>(3)};
}

constexpr double rounding_level = 5e-18;  // of long double, accumulated over the run
constexpr std::array<const char*, 4> quantities{"y", "v", "P v", "lambda"};
Four as_array(const Errors& e) { return {e.y, e.v, e.tangential, e.lambda}; }

// What Theorem 4.1 promises: O(h^q) for y and v; O(h^p) for y if a collocation method has c_s = 1.
// λ of a stiffly accurate method is that of its last stage, O(h^(q-1)) by (4.6).
std::optional<double> promised(const Tableau<Real>& t, std::size_t quantity) {
  if (std::abs(t.r_infinity()) > Real(0.999L) || quantity == 2) return {};
  if (quantity == 3)
    return t.stiffly_accurate() ? std::optional{t.stage_order - 1.0} : std::nullopt;
  const bool collocation = t.stage_order == t.s && t.stiffly_accurate();
  return collocation && quantity == 0 ? t.order : t.stage_order;
}

// the index-3 limit
void theorem_4_1(std::vector<Row>& rows) {
  const auto problem = double_pendulum<Real>();
  const ErrorStudy study{*problem, 0};
  for (const Tableau<Real>& t : methods()) {
    std::vector<double> h;
    std::array<std::vector<double>, 4> error;
    Four at_32{};
    for (const int n : {8, 16, 32, 64, 128}) {
      const Four e = as_array(study.run(t, Form::index3, n));
      h.push_back(1.0 / n);
      for (std::size_t k = 0; k < 4; ++k) error[k].push_back(e[k]);
      if (n == 32) at_32 = e;
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const std::string name = fmt::format("{} order of {}", t.name, quantities[k]);
      const double found = last_slope(h, error[k], rounding_level);
      const auto promise = promised(t, k);
      if (promise && k == 3)
        rows.push_back(stated(name, "multipliers of the stages err by O(h^(q-1))", "(4.6)",
                              *promise, found, at_least(0.3)));
      else if (promise)
        rows.push_back(stated(
            name,
            k == 0 && *promise > t.stage_order ? "collocation with c_s = 1 errs by O(h^p) in y"
                                               : "errors of y and y' are O(h^q)",
            k == 0 && *promise > t.stage_order ? "Theorem 4.1, (4.2)" : "Theorem 4.1, (4.1)",
            *promise, found, at_least(0.3)));
      else
        rows.push_back(ours(name, found));
    }
    for (std::size_t k = 0; k < 4; ++k) {
      rows.push_back(
          ours(fmt::format("{} error of {} at h = 1/32", t.name, quantities[k]), at_32[k]));
      rows.back().volatile_value = at_32[k] < 1e-16;
    }
  }
}

// D = (error at ε) - (error at 0), over ε²
void theorem_3_1(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  constexpr Real eps = 1e-4L;
  const ErrorStudy stiff{*problem, eps}, rigid{*problem, 0};
  const std::vector<std::reference_wrapper<const Tableau<Real>>> list{
      radau_iia<Real>(2),    radau_iia<Real>(3),    radau_iia<Real>(4), radau_iia<Real>(5),
      lobatto_iiic<Real>(3), lobatto_iiic<Real>(4), sdirk2<Real>(),     sdirk4<Real>()};
  for (const Tableau<Real>& t : list) {
    std::vector<double> h, y, v;
    double y_32 = 0.0, v_32 = 0.0;
    for (const int n : {8, 16, 32, 64}) {
      const Point<Real> a = stiff.difference(t, Form::index3, n);
      const Point<Real> b = rigid.difference(t, Form::index3, n);
      if (a.y.size() == 0 || b.y.size() == 0) continue;
      h.push_back(1.0 / n);
      y.push_back(static_cast<double>((a.y - b.y).norm() / (eps * eps)));
      v.push_back(static_cast<double>((a.v - b.v).norm() / (eps * eps)));
      if (n == 32) {
        y_32 = y.back();
        v_32 = v.back();
      }
    }
    const auto name = [&](const char* what) {
      return fmt::format("{} eps^2-perturbation, {}", t.name, what);
    };
    const double floor = 2 * rounding_level / static_cast<double>(eps * eps);
    const auto order = [&](const char* what, const std::vector<double>& of) {
      rows.push_back(stated(name(what),
                            "the error is that of the constrained problem and O(eps^2 h^(q-2))",
                            "Theorem 3.1, (3.7); Theorem 4.2 with k = 1", t.stage_order - 2.0,
                            last_slope(h, of, floor), at_least(0.3)));
    };
    order("order of y", y);
    order("order of v", v);
    rows.push_back(ours(name("y at h = 1/32"), y_32));
    rows.push_back(ours(name("v at h = 1/32"), v_32));
    // differences of errors below 1e-17, over eps²
    rows[rows.size() - 2].volatile_value = y_32 < 1e-8;
    rows.back().volatile_value = v_32 < 1e-8;
  }
}

// which form removes the reduction of the order
void forms(std::vector<Row>& rows) {
  const auto problem = double_pendulum<Real>();
  constexpr std::array list{std::pair{"index 3", Form::index3}, std::pair{"index 2", Form::index2},
                            std::pair{"compliant GGL", Form::ggl}};
  for (const Real eps : {0.0L, 1e-3L, 1e-2L}) {
    const ErrorStudy study{*problem, eps};
    for (const auto& [name, form] : list) {
      const Errors e = study.run(radau_iia<Real>(3), form, 32);
      const auto add = [&](const char* what, double obtained) {
        rows.push_back(ours(fmt::format("radau-iia-3, {} form, eps = {}: error of {} at h = 1/32",
                                        name, static_cast<double>(eps), what),
                            obtained));
      };
      add("y", e.y);
      add("v", e.v);
      add("lambda", e.lambda);
    }
  }
}

}  // namespace

Shown orders() {
  std::vector<Row> rows;
  theorem_4_1(rows);
  theorem_3_1(rows);
  forms(rows);
  return rows;
}

Shown plateau() {
  const auto problem = pendulum<Real>();
  std::vector<Row> rows;
  Figure figure{.title = "Errors of Radau IIA with three stages on the stiff pendulum",
                .caption =
                    "No figure of the paper: what Theorem 3.1 says, order 5 in y until h^3 < "
                    "eps^2, a plateau eps^2 h^2, then the classical order.",
                .panels = {{.title = "error of y", .x_name = "h", .y_name = "", .series = {}},
                           {.title = "error of v", .x_name = "h", .y_name = "", .series = {}}}};
  for (Panel& panel : figure.panels) panel.log_x = panel.log_y = true;
  for (const Real eps : {0.0L, 1e-4L, 1e-3L, 1e-2L}) {
    const ErrorStudy study{*problem, eps};
    const std::string name = fmt::format("eps = {}", static_cast<double>(eps));
    for (Panel& panel : figure.panels)
      panel.series.push_back({.name = name, .look = papers::Series::Look::marked_line});
    for (const int steps : {8, 16, 32, 64, 128}) {
      if (eps == 1e-2L && steps == 128) continue;  // below what is known of the smooth motion
      const Errors e = study.run(radau_iia<Real>(3), Form::index3, steps);
      const std::string where = fmt::format("{}, h = 1/{}", name, steps);
      rows.push_back(ours("error of y, " + where, e.y));
      rows.push_back(ours("error of v, " + where, e.v));
      for (std::size_t i = 0; i < 2; ++i) {
        figure.panels[i].series.back().x.push_back(1.0 / steps);
        figure.panels[i].series.back().y.push_back(i == 0 ? e.y : e.v);
      }
    }
  }
  return {std::move(rows), {std::move(figure)}};
}

}  // namespace taut::papers::stiff_rk
