// SPDX-License-Identifier: BSD-3-Clause
#include "device/motion_source.hpp"

#include <fmt/format.h>
#include <Eigen/Core>

#include <algorithm>
#include <limits>

#include "device/program_text.hpp"
#include "device/step_text.hpp"
#include "methods/automatic_rules.hpp"
#include "projections/projection.hpp"

namespace taut::device {
namespace {

using fused::MotionPrograms;

// operations of one acceleration up to which it is written into each stage
constexpr std::size_t most_inline = 150;
// registers of a run that a device still keeps near
constexpr Index most_numbers = 96;
constexpr int most_attempts = 20'000'000;

class SourceMaker {
 public:
  SourceMaker(const MotionPrograms& programs, const lanes::LaneMethod& method,
              const std::vector<EndMeasure>& measures,
              const std::vector<std::optional<double>>& fixed)
      : programs_{programs},
        method_{method},
        measures_{measures},
        nq_{n(programs.nq)},
        nc_{n(programs.nc)} {
    for (const std::optional<double>& one : fixed) {
      places_.push_back(one ? literal(*one) : fmt::format("in[{} * n]", columns_));
      columns_ += one ? 0 : 1;
    }
  }

  MotionSource run() {
    sizes();
    text_ += before_model;
    text_ += "\n";
    load();
    acceleration();
    row();
    if (nc_ > 0) {
      constraints();
      solution();
      rows_of_constraints();
    }
    stages();
    estimate("fine_estimate", method_.tableau->e);
    if (!method_.tableau->e2.empty()) estimate("crude_estimate", method_.tableau->e2);
    measure();
    text_ += behind_model;
    return {std::move(text_), columns_};
  }

 private:
  static std::size_t n(Index i) { return static_cast<std::size_t>(i); }

  template <class... Values>
  void put(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  void sizes() {
    const auto size = [&](const char* name, auto value) { put("#define {} {}\n", name, value); };
    const auto number = [&](const char* name, double x) { size(name, literal(x)); };
    const std::size_t entries = n(programs_.G.nonZeros());
    size("NQ", nq_);
    size("NC", nc_);
    size("NG", entries);
    // no array without elements
    size("NC1", std::max<std::size_t>(nc_, 1));
    size("NG1", std::max<std::size_t>(entries, 1));
    size("NF1", std::max<std::size_t>(programs_.acceleration.factors.size(), 1));
    size("NO1", std::max<std::size_t>(programs_.row.observables.size(), 1));
    size("PLACES", method_.places);
    size("STAGES", method_.tableau->stages);
    size("ORDER", method_.tableau->order);
    size("PACKET", static_cast<int>(Eigen::internal::packet_traits<double>::size));
    size("BLOCK", block);
    size("EARLY", method_.tableau->e.back() == 0.0 ? 1 : 0);
    size("CRUDE", method_.tableau->e2.empty() ? 0 : 1);
    size("AUTOMATIC", method_.automatic && method_.differentiable ? 1 : 0);
    size("CONSERVATIVE", method_.conservative ? 1 : 0);
    size("WITH_BETA", method_.control.beta != 0.0 ? 1 : 0);
    size("TRY_AFTER", automatic_rules::try_after);
    size("SURE_AFTER", automatic_rules::sure_after);
    size("LOOK_EVERY", automatic_rules::look_every);
    size("MOST_ATTEMPTS", most_attempts);
    number("STABLE", automatic_rules::stable);
    number("WORTH_TRYING", automatic_rules::worth_trying);
    number("SEPARATED", automatic_rules::separated);
    number("MOST_DEPENDENCE", MotionPrograms::most_dependence);
    number("POSITION_TOLERANCE", ProjectionOptions{}.tol);
    number("EPSILON", std::numeric_limits<double>::epsilon());
    const StepControl& control = method_.control;
    number("SAFETY", control.safety);
    number("SHRINK", control.shrink);
    number("GROW", control.grow);
    number("BETA", control.beta);
    number("EXPONENT", 1.0 / method_.tableau->error_order - 0.75 * control.beta);
    if (programs_.acceleration.program.code.size() > most_inline) put("#define TAUT_BIG\n");
  }

  // start numbers: see flatten()
  [[nodiscard]] const std::string& start(std::size_t k) const { return places_[k]; }
  [[nodiscard]] const std::string& given(int k) const {
    return places_[2 * nq_ + 5 + nc_ + static_cast<std::size_t>(k)];
  }

  void load() {
    put("TAUT_INLINE void load(long long n, const double* in, double* q, double* v, double& t,\n"
        "                      double& until, double& tol, double& most, double& consistent,\n"
        "                      double* scale) {{\n");
    std::size_t k = 0;
    for (std::size_t i = 0; i < nq_; ++i) put("  q[{}] = {};\n", i, start(k++));
    for (std::size_t i = 0; i < nq_; ++i) put("  v[{}] = {};\n", i, start(k++));
    for (const char* name : {"t", "until", "tol", "most", "consistent"})
      put("  {} = {};\n", name, start(k++));
    for (std::size_t r = 0; r < nc_; ++r) put("  scale[{}] = {};\n", r, start(k++));
    put("}}\n");
  }

  // statements of a program, what is read from outside first
  std::vector<std::string> body(const MotionPrograms::Part& part) {
    std::vector<std::string> inputs(part.program.inputs.size(), "0.0");
    const auto fill = [&](const std::vector<int>& registers, const char* name) {
      for (std::size_t i = 0; i < registers.size(); ++i)
        if (registers[i] >= 0)
          inputs[static_cast<std::size_t>(registers[i])] = fmt::format("{}[{}]", name, i);
    };
    fill(part.inputs.q, "q");
    fill(part.inputs.v, "v");
    fill(part.inputs.a, "a");
    fill(part.inputs.lambda, "lambda");
    fill(part.inputs.s, "s");
    if (part.inputs.t >= 0) inputs[static_cast<std::size_t>(part.inputs.t)] = "t";
    for (const auto& [reg, number] : part.inputs.given)
      inputs[static_cast<std::size_t>(reg)] = given(number);
    for (const auto& [reg, number] : part.inputs.factors)
      inputs[static_cast<std::size_t>(reg)] = fmt::format("factors[{}]", number);
    // what comes from memory is read once
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k].back() == ']') {
        put("  const double y{} = {};\n", k, inputs[k]);
        inputs[k] = fmt::format("y{}", k);
      }
    ProgramText made = text_of(part.program, inputs);
    text_ += made.statements;
    return std::move(made.registers);
  }
  void results(const char* name, const std::vector<int>& registers,
               const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < registers.size(); ++i)
      put("  {}[{}] = {};\n", name, i, values[static_cast<std::size_t>(registers[i])]);
  }

  void acceleration() {
    const MotionPrograms::Acceleration& part = programs_.acceleration;
    put("TAUT_MODEL void acceleration(long long n, const double* in, const double* q,\n"
        "                             const double* v, double t, double* a, double* lambda,\n"
        "                             double* factors, double& health, double& dependence,\n"
        "                             double& least) {{\n");
    const std::vector<std::string> values = body(part);
    results("a", part.a, values);
    results("lambda", part.lambda, values);
    results("factors", part.factors, values);
    const auto at = [&](int reg) { return values[static_cast<std::size_t>(reg)]; };
    put("  health = {};\n  dependence = {};\n  least = {};\n}}\n", at(part.health),
        at(part.dependence), at(part.least_dependence));
  }

  void row() {
    const MotionPrograms::RowOf& part = programs_.row;
    put("TAUT_MODEL void row_of(long long n, const double* in, const double* q, const double* v,\n"
        "                       double t, const double* a, const double* lambda, Row& row) {{\n");
    const std::vector<std::string> values = body(part);
    results("row.observables", part.observables, values);
    const auto at = [&](int reg) { return values[static_cast<std::size_t>(reg)]; };
    put("  row.kinetic = {};\n  row.potential = {};\n  row.finite = {};\n}}\n", at(part.kinetic),
        at(part.potential), at(part.finite));
  }

  void constraints() {
    const MotionPrograms::Constraints& part = programs_.constraints;
    put("TAUT_MODEL void constraints(long long n, const double* in, const double* q,\n"
        "                            const double* v, double t, Constraints& c) {{\n");
    const std::vector<std::string> values = body(part);
    results("c.g", part.g, values);
    results("c.g_with", part.g_with, values);
    results("c.G_with", part.G_with, values);
    results("c.g_t_with", part.g_t_with, values);
    results("c.G", part.G, values);
    results("c.g_t", part.g_t, values);
    results("c.G_alone", part.G_alone, values);
    put("}}\n");
  }

  void solution() {
    put("TAUT_MODEL void solution(long long n, const double* in, const double* factors,\n"
        "                         const double* s, double* x) {{\n");
    const std::vector<std::string> values = body(programs_.solution);
    results("x", programs_.solution.x, values);
    put("}}\n");
  }

  // sums over the pattern of G
  void rows_of_constraints() {
    const Sparse& G = programs_.G;
    const auto entries = [&](std::size_t r, const auto& visit) {
      for (int p = G.outerIndexPtr()[r]; p < G.outerIndexPtr()[r + 1]; ++p)
        visit(p, G.innerIndexPtr()[p]);
    };
    put("TAUT_INLINE void velocity_residual(const Kept& c, const double* v, double most, double* "
        "s,\n"
        "                                   double& now) {{\n  double sum, size, terms, left;\n");
    for (std::size_t r = 0; r < nc_; ++r) {
      put("  sum = c.g_t[{}];\n  size = 0.0;\n", r);
      entries(r, [&](int p, int i) {
        put("  sum += c.G[{0}] * v[{1}];\n  size += fabs(c.G[{0}]);\n", p, i);
      });
      put("  terms = size * most + fabs(c.g_t[{0}]);\n  left = fabs(sum);\n  s[{0}] = -sum;\n"
          "  now = left <= now * terms ? now : left / terms;\n",
          r);
    }
    put("}}\nTAUT_INLINE void settled(const Constraints& c, const double* v, const double* scale,\n"
        "                         double& residual, double& missing, double& size) {{\n"
        "  double sum, terms;\n");
    for (std::size_t r = 0; r < nc_; ++r) {
      put("  residual = fmax(residual, fabs(c.g[{0}]) * scale[{0}]);\n  sum = 0.0;\n"
          "  terms = 0.0;\n",
          r);
      entries(r, [&](int p, int i) {
        put("  sum += c.G[{0}] * v[{1}];\n  terms += fabs(c.G[{0}] * v[{1}]);\n", p, i);
      });
      put("  missing = fmax(missing, fabs(sum + c.g_t[{0}]));\n"
          "  size = fmax(size, fmax(terms, fabs(c.g_t[{0}])));\n",
          r);
    }
    put("}}\nTAUT_APART bool at_rounding_level(const Constraints& c, bool with_also,\n"
        "                                  const double* scale, const double* q1) {{\n"
        "  double sum;\n");
    for (std::size_t r = 0; r < nc_; ++r) {
      put("  sum = 0.0;\n");
      entries(r, [&](int p, int i) { put("  sum += fabs(c.G_alone[{}] * q1[{}]);\n", p, i); });
      put("  if (fabs(with_also ? c.g_with[{0}] : c.g[{0}]) > 16.0 * EPSILON * (1.0 / scale[{0}] "
          "+ sum)) return false;\n",
          r);
    }
    put("  return true;\n}}\n");
  }

  // y0 + h Σ a_ij k_j, term by term
  void point(int i, const char* q, const char* v) {
    const std::span<const double> a = method_.tableau->row(i);
    std::string of_q = "q[i]", of_v = "v[i]";
    put("  {{\n");
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (a[j] == 0.0) continue;
      put("    const double w{} = h * {};\n", j, literal(a[j]));
      of_q += fmt::format(" + w{0} * kq[{0}][i]", j);
      of_v += fmt::format(" + w{0} * kv[{0}][i]", j);
    }
    put("#pragma unroll\n    for (int i = 0; i < NQ; ++i) {{\n      {} = {};\n      {} = {};\n"
        "    }}\n  }}\n",
        q, of_q, v, of_v);
  }

  void stages() {
    const ExplicitTableau& tableau = *method_.tableau;
    put("TAUT_INLINE void taut_evaluate(long long n, const double* in, const double* q,\n"
        "                               const double* v, double t, double* a, double* lambda,\n"
        "                               double* factors, struct Health& y);\n");
    put("TAUT_INLINE void take_stages(long long n, const double* in, const double* q,\n"
        "                             const double* v, double t, double h, double* q_stage,\n"
        "                             double (*kq)[NQ], double (*kv)[NQ], double* lambda,\n"
        "                             double* factors, struct Health& y, double* q1, double* v1) "
        "{{\n");
    for (int i = 1; i < tableau.stages; ++i) {
      point(i, "q_stage[i]", fmt::format("kq[{}][i]", i).c_str());
      put("  taut_evaluate(n, in, q_stage, kq[{0}], t + {1} * h, kv[{0}], lambda, factors, y);\n",
          i, literal(tableau.c[static_cast<std::size_t>(i)]));
    }
    point(tableau.stages, "q1[i]", "v1[i]");
    put("}}\n");
  }

  void estimate(const char* name, std::span<const double> e) {
    std::string of_q = "0.0", of_v = "0.0";
    for (std::size_t j = 0; j < e.size(); ++j) {
      if (e[j] == 0.0) continue;
      of_q += fmt::format(" + {} * kq[{}][i]", literal(e[j]), j);
      of_v += fmt::format(" + {} * kv[{}][i]", literal(e[j]), j);
    }
    put("TAUT_INLINE void {}(const double (*kq)[NQ], const double (*kv)[NQ], double* dq,\n"
        "    double* dv) {{\n#pragma unroll\n  for (int i = 0; i < NQ; ++i) {{\n    dq[i] = {};\n"
        "    dv[i] = {};\n  }}\n}}\n",
        name, of_q, of_v);
  }

  void measure() {
    put("TAUT_INLINE void measure(long long n, const Row& row, const double* lambda, double t,\n"
        "                         int steps, int rejected, int evaluations, double* out) {{\n");
    for (std::size_t m = 0; m < measures_.size(); ++m) {
      using Of = EndMeasure::Of;
      const EndMeasure& one = measures_[m];
      std::string value;
      switch (one.of) {
        case Of::observable:
          value = fmt::format("row.observables[{}]", one.index);
          break;
        case Of::multiplier:
          value = fmt::format("lambda[{}]", one.index);
          break;
        case Of::t:
          value = "t";
          break;
        case Of::steps:
          value = "steps";
          break;
        case Of::rejected:
          value = "rejected";
          break;
        case Of::evaluations:
          value = "evaluations";
          break;
      }
      put("  out[{} * n] = {};\n", m, one.absolute ? "fabs(" + value + ")" : value);
    }
    put("}}\n");
  }

  const MotionPrograms& programs_;
  const lanes::LaneMethod& method_;
  const std::vector<EndMeasure>& measures_;
  std::size_t nq_, nc_;
  std::vector<std::string> places_;  // where each start number is found
  std::size_t columns_ = 0;
  std::string text_;
};

}  // namespace

void flatten(const lanes::LaneStart& start, std::vector<double>& numbers) {
  numbers.clear();
  const auto add = [&](const auto& all) { numbers.insert(numbers.end(), all.begin(), all.end()); };
  add(start.state.q);
  add(start.state.v);
  for (const double x :
       {start.state.t, start.until, start.tol, start.most, start.is_consistent ? 1.0 : 0.0})
    numbers.push_back(x);
  for (const double scale : start.row_scales) numbers.push_back(scale > 0.0 ? 1.0 / scale : 1.0);
  add(start.given);
}

std::optional<MotionSource> motion_source(const MotionPrograms& programs,
                                          const lanes::LaneMethod& method,
                                          const std::vector<EndMeasure>& measures,
                                          const std::vector<std::optional<double>>& fixed,
                                          std::string& why) {
  for (const MotionPrograms::Part* part :
       {static_cast<const MotionPrograms::Part*>(&programs.acceleration),
        static_cast<const MotionPrograms::Part*>(&programs.constraints),
        static_cast<const MotionPrograms::Part*>(&programs.solution),
        static_cast<const MotionPrograms::Part*>(&programs.row)})
    if (!has_text(part->program, why)) return std::nullopt;
  if (programs.nq + programs.nc > most_numbers) {
    why = fmt::format("it has {} coordinates and constraints, and a run on the device at most {}",
                      programs.nq + programs.nc, most_numbers);
    return std::nullopt;
  }
  return SourceMaker{programs, method, measures, fixed}.run();
}

}  // namespace taut::device
