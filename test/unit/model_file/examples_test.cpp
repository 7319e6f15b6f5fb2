// SPDX-License-Identifier: BSD-3-Clause
// Every example of the manual is a model that moves; every element stands in one, and there its
// derivatives are those of its formulas, by differences. An element that is new is tested by the
// example in its section.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/element_descriptor.hpp"
#include "readings/readings.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::model_file {
namespace {

struct Example {
  std::string page, text;
};

const std::vector<Example>& examples_of_the_manual() {
  static const std::vector<Example> examples = [] {
    std::vector<std::filesystem::path> pages;
    for (const auto& file : std::filesystem::directory_iterator{taut_SOURCE_DIR "/docs/manual"})
      if (file.path().extension() == ".md") pages.push_back(file.path());
    std::sort(pages.begin(), pages.end());
    std::vector<Example> found;
    const std::regex block{"```toml\n([^`]*)```"};
    for (const auto& path : pages) {
      std::ifstream in{path};
      const std::string page{std::istreambuf_iterator<char>{in}, {}};
      for (auto it = std::sregex_iterator{page.begin(), page.end(), block};
           it != std::sregex_iterator{}; ++it)
        found.push_back({path.filename().string(), (*it)[1].str()});
    }
    return found;
  }();
  return examples;
}

class ManualExample : public testing::TestWithParam<Example> {};

TEST_P(ManualExample, Moves) {
  Problems problems;
  const Model model = read_model(GetParam().text, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  SimulationOptions options{};
  if (!model.run.until) options.until = 6;
  options.max_seconds = 20;
  const Result run = simulate(model, options);
  EXPECT_TRUE(run.good()) << sentence(run.curve ? run.curve->summary.status : run.summary.status);
}

/// Everything that is a derivative, beside differences of what it is one of, at a point near the
/// start that is no special one.
class Derivatives {
 public:
  explicit Derivatives(const CompiledModel& model) : system_{equations(model.system)} {
    std::mt19937 engine{7};
    std::uniform_real_distribution<double> size{0.5, 1.5};
    const auto number = [&] { return (engine() & 1U ? 1.0 : -1.0) * size(engine); };
    t_ = model.given.t + 0.01;
    q_ = model.given.q;
    v_ = model.given.v;
    a_ = q_;
    lambda_ = Vec::Zero(system_.nc());
    for (double& x : q_) x += 0.01 * number();
    for (double& x : v_) x += 0.1 * number();
    for (double& x : a_) x = number();
    for (double& x : lambda_) x = number();
    system_.prepare(out_);
  }

  void expect_all() {
    if (system_.nc() > 0) expect_constraints();
    if (system_.structure().differentiable) expect_forces();
    if (system_.structure().conservative) expect_energy();
    if (!system_.structure().observables.empty()) expect_observables();
  }

 private:
  Evaluation& at(double t, const Vec& q, const Vec& v, Needs wanted) {
    const Status status =
        system_.evaluate(wanted, {.t = t, .q = q, .v = v, .a = &a_, .lambda = &lambda_}, out_);
    EXPECT_EQ(status, Status::ok) << system_.culprit({.t = t, .q = q, .v = v});
    return out_;
  }
  // the derivative at s = 0, by differences of fourth order
  static Vec along(const std::function<Vec(double)>& f, double d) {
    return (8.0 * (f(d) - f(-d)) - (f(2 * d) - f(-2 * d))) / (12.0 * d);
  }
  Mat d_dq(const std::function<Vec(const Vec&)>& f) const { return columns(f, q_); }
  Mat d_dv(const std::function<Vec(const Vec&)>& f) const { return columns(f, v_); }
  static Mat columns(const std::function<Vec(const Vec&)>& f, const Vec& x) {
    Mat result(f(x).size(), x.size());
    for (Index j = 0; j < x.size(); ++j)
      result.col(j) = along(
          [&](double s) {
            Vec moved = x;
            moved[j] += s;
            return f(moved);
          },
          step);
    return result;
  }
  static void expect_near(const Mat& computed, const Mat& truth, const char* what) {
    if (truth.size() == 0) return;
    EXPECT_LE((computed - truth).cwiseAbs().maxCoeff(), 1e-6 * (1 + truth.cwiseAbs().maxCoeff()))
        << what;
  }

  void expect_constraints() {
    const auto g = [&](double t, const Vec& q) -> Vec {
      return at(t, q, v_, need(Target::constraint)).g;
    };
    const auto rate = [&](double t, const Vec& q) -> Vec {
      at(t, q, v_, needs(Target::constraint_jacobian, Target::constraint_rate));
      return out_.G * v_ + out_.g_t;
    };
    Mat G = d_dq([&](const Vec& q) { return g(t_, q); });
    Vec g_t = along([&](double s) { return g(t_ + s, q_); }, step);
    // a row of velocities has no g: A v + b is G v + g_t by construction, and linear in v
    for (const Row& row : system_.structure().rows) {
      if (!row.of_velocities) continue;
      at(t_, q_, Vec::Random(v_.size()),
         needs(Target::constraint_jacobian, Target::constraint_rate));
      G.row(row.equation) = Mat(out_.G).row(row.equation);
      g_t[row.equation] = out_.g_t[row.equation];
    }
    const Mat N = d_dq([&](const Vec& q) { return rate(t_, q); });
    const Vec curvature = along([&](double s) { return rate(t_ + s, q_ + s * v_); }, step);
    at(t_, q_, v_,
       needs(Target::constraint_jacobian, Target::constraint_rate, Target::velocity_jacobian,
             Target::constraint_curvature));
    expect_near(Mat(out_.G), G, "G");
    expect_near(out_.g_t, g_t, "g_t");
    expect_near(Mat(out_.N), N, "d(G v + g_t)/dq");
    expect_near(out_.curvature, curvature, "curvature");
  }

  void expect_forces() {
    const auto residual = [&](const Vec& q, const Vec& v) -> Vec {
      at(t_, q, v, needs(Target::mass, Target::force, Target::constraint_jacobian));
      Vec r = out_.M * a_ - out_.f;
      if (system_.nc() > 0) r += out_.G.transpose() * lambda_;
      return r;
    };
    const Mat K = d_dq([&](const Vec& q) { return residual(q, v_); });
    const Mat D = d_dv([&](const Vec& v) { return residual(q_, v); });
    at(t_, q_, v_, needs(Target::stiffness, Target::damping));
    expect_near(Mat(out_.K), K, "stiffness");
    expect_near(Mat(out_.D), D, "damping");
  }

  // T + U is kept where M a = f: v . f = -(T + U)_q . v
  void expect_energy() {
    const auto energy = [&](double s) {
      at(t_, q_ + s * v_, v_, needs(Target::kinetic_energy, Target::potential_energy));
      return Vec::Constant(1, out_.kinetic_energy + out_.potential_energy);
    };
    const Vec change = along(energy, step);
    const double power = v_.dot(at(t_, q_, v_, need(Target::force)).f);
    expect_near(Vec::Constant(1, -power), change, "power of the forces");
  }

  void expect_observables() {
    const auto value = [&](double t, const Vec& q, const Vec& v) -> Vec {
      return at(t, q, v, need(Target::observable)).observable;
    };
    const Mat by_q = d_dq([&](const Vec& q) { return value(t_, q, v_); });
    const Mat by_v = d_dv([&](const Vec& v) { return value(t_, q_, v); });
    const Vec by_t = along([&](double s) { return value(t_ + s, q_, v_); }, step);
    at(t_, q_, v_, needs(Target::observable_q, Target::observable_v, Target::observable_t));
    const Mat q = out_.observable_q, v = out_.observable_v;
    const std::vector<Observable>& all = system_.structure().observables;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].kind != Observable::Kind::invariant && all[k].kind != Observable::Kind::event)
        continue;  // samples and what is drawn are only looked at
      const auto row = static_cast<Index>(k);
      expect_near(q.row(row), by_q.row(row), all[k].name.c_str());
      expect_near(v.row(row), by_v.row(row), all[k].name.c_str());
      expect_near(out_.observable_t.row(row), by_t.row(row), all[k].name.c_str());
    }
  }

  static constexpr double step = 1e-4;
  System system_;
  Evaluation out_;
  double t_ = 0.0;
  Vec q_, v_, a_, lambda_;
};

TEST_P(ManualExample, HasTheDerivativesOfItsFormulas) {
  Problems problems;
  const CompiledModel model = compile(read_model(GetParam().text, problems), problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  if (model.jets) return;  // its derivatives are looked at in test/unit/curves
  Derivatives{model}.expect_all();
}

INSTANTIATE_TEST_SUITE_P(Docs, ManualExample, testing::ValuesIn(examples_of_the_manual()),
                         [](const auto& example) {
                           std::string name =
                               std::to_string(example.index) + "_" + example.param.page;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST(ManualExamples, EveryElementStandsInOne) {
  for (const ElementDescriptor* element : element_descriptors()) {
    if (element->key.empty()) continue;
    const std::string heading = "[[" + std::string{element->key} + "]]";
    const auto& all = examples_of_the_manual();
    EXPECT_TRUE(std::any_of(
        all.begin(), all.end(),
        [&](const Example& example) { return example.text.find(heading) != std::string::npos; }))
        << heading << " has no example: give its section in docs/manual/model-file.md one";
  }
}

}  // namespace
}  // namespace taut::model_file
