// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "errors.hpp"
#include "items.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = ErrorStudy::Real;
using Four = std::array<double, 4>;  // y, v, P v, lambda

// a method with the orders and the errors at h = 1/32 that an earlier study found on problem (b)
struct Method {
  const Tableau<Real>& tableau;
  Four order, error;
};

std::vector<Method> methods() {
  return {
      {radau_iia<Real>(1), {1.0, 1.0, 1.0, 1.0}, {2.3e-2, 4.7e-3, 1.7e-3, 6.7e-3}},
      {radau_iia<Real>(2), {3.3, 2.0, 3.3, 0.95}, {2.3e-7, 1.3e-4, 1.0e-7, 2.6e-2}},
      {radau_iia<Real>(3), {5.0, 3.0, 5.0, 2.0}, {4.4e-10, 1.3e-6, 2.0e-10, 2.7e-4}},
      {radau_iia<Real>(4), {7.0, 3.9, 7.0, 2.9}, {2.9e-14, 2.1e-9, 1.4e-14, 1.3e-6}},
      {radau_iia<Real>(5), {8.9, 4.95, 8.9, 3.97}, {3.6e-18, 4.4e-11, 1.1e-18, 2.7e-8}},
      {lobatto_iiic<Real>(2), {2.0, 1.0, 2.0, 0.0}, {3.4e-5, 2.6e-3, 7.5e-5, 1.9e-1}},
      {lobatto_iiic<Real>(3), {4.0, 2.0, 4.0, 1.0}, {1.7e-8, 1.0e-4, 8.8e-9, 2.0e-2}},
      {lobatto_iiic<Real>(4), {6.0, 3.0, 6.0, 2.0}, {3.6e-12, 8.8e-7, 1.9e-12, 3.5e-4}},
      {radau_ia<Real>(3), {3.0, 2.0, 3.0, 1.0}, {6.2e-7, 1.3e-4, 1.8e-7, 1.5e-2}},
      {sdirk2<Real>(), {1.0, 0.9, 1.0, 0.0}, {9.5e-4, 2.1e-3, 1.0e-3, 6.0e-1}},
      {sdirk3<Real>(), {2.0, 1.0, 2.0, 0.0}, {4.0e-5, 5.5e-4, 2.7e-5, 2.1e-2}},
      {sdirk4<Real>(), {1.1, 0.9, 1.1, 0.0}, {4.8e-4, 2.1e-3, 4.9e-4, 6.2e-1}},
      {gauss<Real>(2), {2.0, 0.0, 2.0, -1.0}, {2.1e-5, 2.4e-1, 5.5e-6, 2.8e+1}},
      {gauss<Real>(3), {4.0, 2.0, 4.0, 1.0}, {1.1e-8, 3.4e-4, 2.4e-9, 6.1e-2}},
  };
}

constexpr double rounding = 5e-18;  // of long double, accumulated over the run
constexpr std::array<const char*, 4> quantities{"y", "v", "P v", "lambda"};
Four as_array(const Errors& e) { return {e.y, e.v, e.tangential, e.lambda}; }

// what Theorem 4.1 promises: O(h^q) for y and v; O(h^p) for y if a collocation method has c_s = 1
std::optional<double> promised(const Tableau<Real>& t, std::size_t quantity) {
  if (std::abs(t.r_infinity()) > Real(0.999L) || quantity > 1) return {};
  const bool collocation = t.stage_order == t.s && t.stiffly_accurate();
  return collocation && quantity == 0 ? t.order : t.stage_order;
}

// the index-3 limit
void theorem_4_1(std::vector<Row>& rows) {
  const auto problem = double_pendulum<Real>();
  const ErrorStudy study{*problem, 0};
  for (const Method& method : methods()) {
    const Tableau<Real>& t = method.tableau;
    std::vector<double> h;
    std::array<std::vector<double>, 4> error;
    Four at_32{};
    for (const int n : {8, 16, 32, 64, 128}) {
      const Four e = as_array(study.run(t, Form::index3, n));
      h.push_back(1.0 / n);
      for (std::size_t k = 0; k < 4; ++k) error[k].push_back(e[k]);
      if (n == 32) at_32 = e;
    }
    for (std::size_t k = 0; k < 4; ++k)
      rows.push_back(order_row(fmt::format("{} order of {}", t.name, quantities[k]), promised(t, k),
                               method.order[k], last_slope(h, error[k], rounding), 0.3));
    for (std::size_t k = 0; k < 4; ++k)
      rows.push_back(value_row(fmt::format("{} error of {} at h = 1/32", t.name, quantities[k]), {},
                               method.error[k], at_32[k], at_32[k] < rounding ? 0.5 : 0.05));
  }
}

struct Perturbation {
  const Tableau<Real>& tableau;
  std::optional<double> y_order, v_order;
  std::optional<double> y, v;  // at h = 1/32
};

// D = (error at ε) - (error at 0), over ε²
void theorem_3_1(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  constexpr Real eps = 1e-4L;
  const ErrorStudy stiff{*problem, eps}, rigid{*problem, 0};
  const std::vector<Perturbation> list{
      {radau_iia<Real>(2), 0.93, -0.1, 4.9e-2, 2.9},
      {radau_iia<Real>(3), 1.99, 1.02, 2.1e-4, 2.75e-2},
      {radau_iia<Real>(4), 2.91, 1.84, 5.0e-7, 2.5e-4},
      {radau_iia<Real>(5), 3.95, {}, 8.6e-9, 4.9e-7},
      {lobatto_iiic<Real>(3), 0.97, 0.0, 1.3e-2, 0.87},
      {lobatto_iiic<Real>(4), 2.01, 1.01, 2.8e-4, 6.3e-2},
      {sdirk2<Real>(), -1.1, -1.2, {}, {}},
      {sdirk4<Real>(), -1.0, -1.2, {}, {}},
  };
  for (const Perturbation& known : list) {
    const Tableau<Real>& t = known.tableau;
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
    const double promise = t.stage_order - 2;
    const auto name = [&](const char* what) {
      return fmt::format("{} eps^2-perturbation, {}", t.name, what);
    };
    const double floor = 2 * rounding / static_cast<double>(eps * eps);
    rows.push_back(
        order_row(name("order of y"), promise, known.y_order, last_slope(h, y, floor), 0.3));
    rows.push_back(
        order_row(name("order of v"), promise, known.v_order, last_slope(h, v, floor), 0.3));
    if (known.y) rows.push_back(value_row(name("y at h = 1/32"), {}, known.y, y_32, 0.05));
    if (known.v) rows.push_back(value_row(name("v at h = 1/32"), {}, known.v, v_32, 0.05));
  }
}

struct FormErrors {
  const char* name;
  Form form;
  Real eps;
  std::array<double, 3> error;  // y, v, lambda
};

// which form removes the reduction of the order
void forms(std::vector<Row>& rows) {
  const auto problem = double_pendulum<Real>();
  const std::array list{
      FormErrors{"index 3", Form::index3, 0.0L, {4.4e-10, 1.3e-6, 2.7e-4}},
      FormErrors{"index 2", Form::index2, 0.0L, {1.5e-10, 5.5e-11, 1.0e-6}},
      FormErrors{"compliant GGL", Form::ggl, 0.0L, {2.2e-10, 7.3e-11, 9.8e-7}},
      FormErrors{"index 3", Form::index3, 1e-3L, {5.2e-10, 1.4e-6, 2.9e-4}},
      FormErrors{"index 2", Form::index2, 1e-3L, {1.5e-10, 2.9e-10, 1.0e-6}},
      FormErrors{"compliant GGL", Form::ggl, 1e-3L, {2.2e-10, 3.0e-10, 9.8e-7}},
      FormErrors{"index 3", Form::index3, 1e-2L, {7.7e-10, 3.6e-7, 8.8e-6}},
      FormErrors{"index 2", Form::index2, 1e-2L, {1.5e-10, 1.4e-9, 4.2e-7}},
      FormErrors{"compliant GGL", Form::ggl, 1e-2L, {2.2e-10, 1.5e-9, 5.2e-7}},
  };
  Real eps = -1;
  std::optional<ErrorStudy> study;
  for (const FormErrors& known : list) {
    if (known.eps != eps) study.emplace(*problem, eps = known.eps);
    const Errors e = study->run(radau_iia<Real>(3), known.form, 32);
    const auto add = [&](const char* what, double reference, double obtained) {
      rows.push_back(
          value_row(fmt::format("radau-iia-3, {} form, eps = {}: error of {} at h = 1/32",
                                known.name, static_cast<double>(known.eps), what),
                    {}, reference, obtained, 0.1));
    };
    add("y", known.error[0], e.y);
    add("v", known.error[1], e.v);
    add("lambda", known.error[2], e.lambda);
  }
}

}  // namespace

std::vector<Row> orders() {
  std::vector<Row> rows;
  theorem_4_1(rows);
  theorem_3_1(rows);
  forms(rows);
  return rows;
}

std::vector<Row> plateau() {
  struct Line {
    int steps;
    double y, v;
  };
  struct Column {
    Real eps;
    std::vector<Line> lines;
  };
  const std::vector<Column> known{
      {0.0L,
       {{8, 9.06e-8, 7.08e-5},
        {16, 2.91e-9, 8.81e-6},
        {32, 9.20e-11, 1.10e-6},
        {64, 2.89e-12, 1.37e-7},
        {128, 9.05e-14, 1.71e-8}}},
      {1e-4L,
       {{8, 9.06e-8, 7.08e-5},
        {16, 2.91e-9, 8.81e-6},
        {32, 9.19e-11, 1.10e-6},
        {64, 2.93e-12, 1.37e-7},
        {128, 1.61e-13, 1.72e-8}}},
      {1e-3L,
       {{8, 9.05e-8, 7.10e-5},
        {16, 3.01e-9, 8.87e-6},
        {32, 2.46e-10, 1.12e-6},
        {64, 7.35e-11, 1.45e-7},
        {128, 2.23e-11, 4.8e-10}}},
      {1e-2L,
       {{8, 5.62e-7, 7.20e-5},
        {16, 6.98e-8, 3.94e-6},
        {32, 8.45e-10, 1.87e-7},
        {64, 2.32e-11, 2.99e-9}}},
  };
  const auto problem = pendulum<Real>();
  std::vector<Row> rows;
  for (const Column& column : known) {
    const ErrorStudy study{*problem, column.eps};
    for (const Line& line : column.lines) {
      const Errors e = study.run(radau_iia<Real>(3), Form::index3, line.steps);
      const std::string where =
          fmt::format("eps = {}, h = 1/{}", static_cast<double>(column.eps), line.steps);
      rows.push_back(value_row("error of y, " + where, {}, line.y, e.y, 0.03));
      rows.push_back(value_row("error of v, " + where, {}, line.v, e.v, 0.03));
    }
  }
  return rows;
}

}  // namespace taut::papers::stiff_rk
