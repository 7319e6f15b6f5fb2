// SPDX-License-Identifier: BSD-3-Clause
// A model with other values of its parameters is, to the bit, what compiling it with them gives.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "model/parameter_binding.hpp"
#include "support.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {
namespace {

using formula::needs;

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

void expect_same_bits(double a, double b, const char* what) {
  EXPECT_EQ(bits_of(a), bits_of(b)) << what << ": " << a << " and " << b;
}

void expect_same_bits(const Vec& a, const Vec& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (Index i = 0; i < a.size(); ++i) expect_same_bits(a[i], b[i], what);
}

void expect_same_bits(const Sparse& a, const Sparse& b, const char* what) {
  ASSERT_EQ(a.nonZeros(), b.nonZeros()) << what;
  ASSERT_EQ(a.rows(), b.rows()) << what;
  for (Index i = 0; i < a.nonZeros(); ++i) {
    ASSERT_EQ(a.innerIndexPtr()[i], b.innerIndexPtr()[i]) << what;
    expect_same_bits(a.valuePtr()[i], b.valuePtr()[i], what);
  }
}

void expect_same_bits(const std::optional<double>& a, const std::optional<double>& b,
                      const char* what) {
  ASSERT_EQ(a.has_value(), b.has_value()) << what;
  if (a) expect_same_bits(*a, *b, what);
}

void expect_same_bits(const Structure& a, const Structure& b) {
  ASSERT_EQ(a.nq, b.nq);
  ASSERT_EQ(a.nc, b.nc);
  ASSERT_EQ(a.observables.size(), b.observables.size());
  expect_same_bits(a.C, b.C, "C");
  expect_same_bits(a.d, b.d, "d");
  for (std::size_t r = 0; r < a.rows.size(); ++r) {
    expect_same_bits(a.rows[r].compliance, b.rows[r].compliance, "compliance");
    expect_same_bits(a.rows[r].damping, b.rows[r].damping, "damping");
    expect_same_bits(a.rows[r].scale, b.rows[r].scale, "scale");
  }
  expect_same_bits(a.M, b.M, "structure M");
  expect_same_bits(a.K, b.K, "structure K");
  expect_same_bits(a.D, b.D, "structure D");
  EXPECT_EQ(a.mass_constant, b.mass_constant);
  EXPECT_EQ(a.force_uses_velocity, b.force_uses_velocity);
  EXPECT_EQ(a.force_uses_time, b.force_uses_time);
  EXPECT_EQ(a.force_constant, b.force_constant);
  EXPECT_EQ(a.constraint_uses_time, b.constraint_uses_time);
  EXPECT_EQ(a.conservative, b.conservative);
  expect_same_bits(a.vibration.omega, b.vibration.omega, "omega");
  expect_same_bits(a.vibration.phase, b.vibration.phase, "phase");
}

void expect_same_bits(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    expect_same_bits(a.points[i].mass, b.points[i].mass, "mass of a point");
    for (std::size_t k = 0; k < 3; ++k)
      expect_same_bits(a.points[i].at[k].value, b.points[i].at[k].value, "place of a point");
  }
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (std::size_t i = 0; i < a.lines.size(); ++i) {
    expect_same_bits(a.lines[i].stiffness, b.lines[i].stiffness, "stiffness of a line");
    expect_same_bits(a.lines[i].length, b.lines[i].length, "length of a line");
    expect_same_bits(a.lines[i].mass, b.lines[i].mass, "mass of a line");
    expect_same_bits(a.lines[i].depth, b.lines[i].depth, "depth of a line");
  }
}

/// Everything that can be evaluated, in one plan and each by itself, near the start.
void expect_same_values(const System& a, const System& b, const State& given) {
  Evaluation x, y;
  a.prepare(x);
  b.prepare(y);
  const Index nq = a.nq(), nc = a.nc();
  const Vec q = given.q + 0.01 * random_vector(nq, 1), v = given.v + random_vector(nq, 2);
  const Vec acceleration = random_vector(nq, 3), lambda = random_vector(nc, 4);
  const Arguments at{.t = given.t + 0.3, .q = q, .v = v, .a = &acceleration, .lambda = &lambda};
  std::vector<Needs> asked{(Needs{1} << 19) - 1};
  if (!a.structure().differentiable) asked = {asked[0] & ~needs(Target::stiffness, Target::third)};
  for (unsigned target = 0; target < 19; ++target)
    if (const Needs one = asked[0] & (Needs{1} << target); one != 0) asked.push_back(one);
  for (const Needs wanted : asked) {
    EXPECT_EQ(a.evaluate(wanted, at, x), b.evaluate(wanted, at, y));
    expect_same_bits(x.M, y.M, "M");
    expect_same_bits(x.f, y.f, "f");
    expect_same_bits(x.momentum_force, y.momentum_force, "momentum force");
    expect_same_bits(x.momentum, y.momentum, "momentum");
    expect_same_bits(x.kinetic_energy, y.kinetic_energy, "T");
    expect_same_bits(x.potential_energy, y.potential_energy, "U");
    expect_same_bits(x.g, y.g, "g");
    expect_same_bits(x.G, y.G, "G");
    expect_same_bits(x.g_t, y.g_t, "g_t");
    expect_same_bits(x.curvature, y.curvature, "curvature");
    expect_same_bits(x.N, y.N, "N");
    expect_same_bits(x.K, y.K, "K");
    expect_same_bits(x.D, y.D, "D");
    expect_same_bits(x.H, y.H, "H");
    expect_same_bits(x.third, y.third, "third");
    expect_same_bits(x.observable, y.observable, "observable");
    expect_same_bits(x.observable_t, y.observable_t, "observable_t");
    expect_same_bits(x.observable_q, y.observable_q, "observable_q");
    expect_same_bits(x.observable_v, y.observable_v, "observable_v");
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(a.culprit(at), b.culprit(at));
}

void expect_same_series(const System& a, const System& b, const State& given) {
  std::vector<Evaluation> x(4), y(4);
  for (std::size_t k = 0; k < 4; ++k) {
    a.prepare(x[k]);
    b.prepare(y[k]);
  }
  std::vector<Vec> q, v;
  for (unsigned k = 0; k < 4; ++k) {
    q.push_back((k == 0 ? given.q : Vec::Zero(a.nq()).eval()) + random_vector(a.nq(), 10 + k));
    v.push_back(random_vector(a.nq(), 20 + k));
  }
  const SeriesArguments at{.t = given.t + 0.3, .q = q, .v = v};
  const Needs wanted = needs(Target::mass, Target::force, Target::constraint);
  EXPECT_EQ(a.evaluate_series(wanted, at, x), b.evaluate_series(wanted, at, y));
  for (std::size_t k = 0; k < 4; ++k) {
    expect_same_bits(x[k].M, y[k].M, "series of M");
    expect_same_bits(x[k].f, y[k].f, "series of f");
    expect_same_bits(x[k].g, y[k].g, "series of g");
  }
}

void expect_same_bits(const CompiledModel& a, const CompiledModel& b) {
  expect_same_bits(a.given.q, b.given.q, "q");
  expect_same_bits(a.given.v, b.given.v, "v");
  expect_same_bits(a.given.t, b.given.t, "t");
  expect_same_bits(a.run.from, b.run.from, "from");
  expect_same_bits(a.run.until, b.run.until, "until");
  expect_same_bits(a.run.step, b.run.step, "step");
  expect_same_bits(a.run.tol, b.run.tol, "tol");
  expect_same_bits(a.run.every, b.run.every, "every");
  expect_same_bits(a.run.omega, b.run.omega, "omega of a reading");
  ASSERT_EQ(a.bath.has_value(), b.bath.has_value());
  if (a.bath) {
    expect_same_bits(a.bath->temperature, b.bath->temperature, "temperature");
    expect_same_bits(a.bath->friction, b.bath->friction, "friction");
    expect_same_bits(a.bath->drag, b.bath->drag, "drag");
  }
  ASSERT_EQ(a.parameter_values().size(), b.parameter_values().size());
  for (std::size_t i = 0; i < a.parameter_values().size(); ++i)
    expect_same_bits(a.parameter_values()[i], b.parameter_values()[i], "parameter");
  expect_same_bits(a.scene, b.scene);
  expect_same_bits(a.system.structure(), b.system.structure());
  if (testing::Test::HasFailure()) return;
  expect_same_values(a.system, b.system, a.given);
  expect_same_series(a.system, b.system, a.given);
}

/// Sets parameters by both ways and compares; false where compile() refuses the values.
bool expect_same_with(const CompiledModel& compiled, const Model& model,
                      const std::vector<ParameterValue>& values) {
  Model stated = model;
  for (const ParameterValue& value : values)
    if (Value& to = stated.parameters[static_cast<std::size_t>(value.index)].value; true)
      to = Value{value.value, to.at()};
  Problems anew, rebound;
  const CompiledModel truth = compile(stated, anew);
  const CompiledModel found = compiled.with_parameters(values, rebound);
  EXPECT_EQ(anew.message(), rebound.message());
  if (!anew.empty() || !rebound.empty()) return false;
  expect_same_bits(found, truth);
  return true;
}

TEST(Parameters, OfEveryModelChangeToTheBitOfARecompilation) {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator{TAUT_MODELS}) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    Problems problems;
    const Model model = read_model_file(entry.path(), problems);
    if (model.jets || model.parameters.empty()) continue;
    const CompiledModel compiled = compile(model);
    if (compiled.system.nq() > 400) continue;
    for (int i = 0; i < static_cast<int>(model.parameters.size()); ++i) {
      const double value = compiled.parameter_values()[static_cast<std::size_t>(i)];
      SCOPED_TRACE(model.parameters[static_cast<std::size_t>(i)].name);
      if (value == std::floor(value) && value > 1.0 && value < 100.0) continue;  // counts
      for (const double factor : {1.1, 0.7})
        compared += expect_same_with(compiled, model, {{i, factor * value}}) ? 1 : 0;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 150);
}

TEST(Parameters, AreReadyWithoutCompilingAnewInTheModelsOfTheGallery) {
  const auto compiled_anew = [](const char* file, const char* parameter, double factor) {
    Problems problems;
    const CompiledModel model =
        compile(read_model_file(std::filesystem::path{TAUT_MODELS} / file, problems));
    const int index = model.parameter_index(parameter);
    const double value = model.parameter_values()[static_cast<std::size_t>(index)];
    const ParameterValue changed{index, factor * value};
    return model.with_parameters({&changed, 1}).binding->compilation != model.binding->compilation;
  };
  EXPECT_FALSE(compiled_anew("double_pendulum.toml", "g", 1.1));
  for (const char* parameter : {"c0", "mom", "l0", "m1", "xa", "d", "s"})
    EXPECT_FALSE(compiled_anew("andrews.toml", parameter, 1.1)) << parameter;
  // another parameter has the same value: formulas that share it are not those that do not
  EXPECT_TRUE(compiled_anew("andrews.toml", "m4", 1.1));
}

constexpr const char* pendulum_of_parameters = R"toml(
[parameters]
g = 9.81
m = 2
L = "3*m/4"
k = 5
p = 2
rest = "L/3"
T = 3

[points]
bob = { mass = "m", at = ["L*sin(0.3)", "-L*cos(0.3)"], velocity = ["k/10", 0] }
end = { mass = "m/2", at = ["2*L", 0.1] }

[anchors]
A = ["0.1*k", "L*sin(p*t)"]
B = ["m/8", 3]

[[rod]]
between = ["A", "bob"]

[[rod]]
between = ["bob", "end"]
length = "L*1.2"
compliance = "1e-3/k"
damping = "g"

[[spring]]
between = ["B", "end"]
stiffness = "k*p"
length = "rest"

[[damper]]
between = ["B", "bob"]
damping = "0.1*g"

[[gravity]]
acceleration = [0, "-g"]

[[potential]]
energy = "k/2*abs(bob.x - rest)^p + select(less(k, m), bob.y^2, g*bob.x*end.y)"

[[force]]
on = "end"
value = ["-p*end.vx", "k*sin(T*t)"]

[[invariant]]
value = "p*bob.x^k + m^p"

[run]
until = "T"
step = "T/1000"
)toml";

/// Values at which formulas are simplified, and others.
constexpr std::array special{0.0,  1.0, -1.0, 2.0, 0.5,    3.0, 16.0,
                             17.0, 2.5, 9.81, 5.0, 1e-310, 7.3};

TEST(Parameters, AtZeroAtOneAndAtEqualValuesGiveWhatCompilingGives) {
  Problems problems;
  const Model model = read_model(pendulum_of_parameters, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  CompiledModel compiled = compile(model);
  int compared = 0;
  for (int i = 0; i < static_cast<int>(model.parameters.size()); ++i)
    for (const double value : special) {
      SCOPED_TRACE(testing::Message()
                   << model.parameters[static_cast<std::size_t>(i)].name << " = " << value);
      compared += expect_same_with(compiled, model, {{i, value}}) ? 1 : 0;
      if (HasFailure()) return;
    }
  EXPECT_GT(compared, 40);
}

TEST(Parameters, OfRandomFormulasGiveWhatCompilingGives) {
  std::mt19937 random{7};
  const auto pick = [&](const auto& list) { return list[random() % std::size(list)]; };
  const std::vector<std::string> names{"a", "b", "c", "d"};
  // expressions of parameters and coordinates, with what is simplified in them
  const std::function<std::string(int)> expression = [&](int depth) -> std::string {
    if (depth == 0) {
      const std::vector<std::string> leaves{"a", "b", "c", "d", "x",  "y",
                                            "x", "y", "2", "1", "0.5"};
      return pick(leaves);
    }
    const std::string l = expression(depth - 1), r = expression(static_cast<int>(random() % 2));
    const std::vector<std::string> forms{
        "(" + l + " + " + r + ")",
        "(" + l + " - " + r + ")",
        "(" + l + ")*(" + r + ")",
        "(" + l + ")/(2 + " + pick(names) + "^2)",
        "(2 + sin(" + l + "))^" + pick(names),
        "sin(" + l + ")",
        "exp(-(" + l + ")^2)",
        "abs(" + l + ")",
        "min(" + l + ", " + r + ")",
        "select(less(" + pick(names) + ", " + pick(names) + "), " + l + ", " + r + ")",
        pick(names) + "*" + l,
        "sqrt(1 + (" + l + ")^2)",
        "atan2(" + l + ", 3 + " + pick(names) + ")"};
    return pick(forms);
  };
  int rebound = 0, compared = 0;
  for (int round = 0; round < 60; ++round) {
    std::string text = "[parameters]\n";
    for (const std::string& name : names)
      text += name + " = " +
              std::to_string(random() % 3 == 0 ? pick(special) : 0.1 * double(random() % 40)) +
              "\n";
    text +=
        "[coordinates]\nx = { mass = 1, at = \"0.3 + 0.1*a\" }\ny = { mass = \"1 + b^2\", at = 0.7 "
        "}\n";
    for (int k = 0; k < 2; ++k) text += "[[potential]]\nenergy = \"" + expression(3) + "\"\n";
    text += "[[force]]\non = \"x\"\nvalue = \"" + expression(3) + " - a*v(y)\"\n";
    text += "[[kinetic]]\nenergy = \"(1 + (" + expression(2) + ")^2)*v(x)^2\"\n";
    text += "[[invariant]]\nvalue = \"" + expression(4) + "\"\n";
    SCOPED_TRACE(text);
    Problems problems;
    const Model model = read_model(text, problems);
    ASSERT_TRUE(problems.empty()) << problems.message();
    Problems refused;
    CompiledModel compiled = compile(model, refused);
    if (!refused.empty()) continue;
    for (int change = 0; change < 6; ++change) {
      std::vector<ParameterValue> values;
      for (int i = 0; i < 4; ++i) {
        const unsigned kind = random() % 4;
        if (kind == 0) values.push_back({i, pick(special)});
        if (kind == 1) values.push_back({i, 0.01 * double(random() % 500) + 0.003});
        if (kind == 2) values.push_back({i, compiled.parameter_values()[random() % 4]});
      }
      if (values.empty()) continue;
      const bool fine = expect_same_with(compiled, model, values);
      if (HasFailure()) return;
      compared += fine ? 1 : 0;
      if (!fine) continue;
      const CompiledModel next = compiled.with_parameters(values);
      rebound += next.binding->compilation == compiled.binding->compilation ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(rebound, 10);  // not all of them were compiled anew
}

TEST(Parameters, AreChangedByManyThreadsAtOnce) {
  Problems problems;
  const CompiledModel compiled = compile(read_model(pendulum_of_parameters, problems));
  const int g = compiled.parameter_index("g"), m = compiled.parameter_index("m");
  const auto energy = [&](double g_value, double m_value) {
    const std::array values{ParameterValue{g, g_value}, ParameterValue{m, m_value}};
    const CompiledModel changed = compiled.with_parameters(values);
    Evaluation out;
    changed.system.prepare(out);
    EXPECT_EQ(changed.system.evaluate(needs(Target::force, Target::potential_energy),
                                      {.t = 0.1, .q = changed.given.q, .v = changed.given.v}, out),
              Status::ok);
    return out.potential_energy + out.f.sum();
  };
  constexpr int count = 40;
  std::vector<double> alone(count), together(count);
  const auto value = [](int i) { return i % 5 == 0 ? 1.0 : 0.37 * i; };  // some compile anew
  for (int i = 0; i < count; ++i)
    alone[static_cast<std::size_t>(i)] = energy(1.0 + i, value(i) + 0.1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = t; i < count; i += 4)
        together[static_cast<std::size_t>(i)] = energy(1.0 + i, value(i) + 0.1);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

TEST(Parameters, ThatDoNotExistAreNamed) {
  const CompiledModel compiled = compile_text(pendulum_of_parameters);
  try {
    static_cast<void>(compiled.with_parameter("gg", 1.0));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string{error.what()}.find("did you mean 'g'?"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(compiled.parameter_index("gg"), -1);
  EXPECT_EQ(compiled.parameter_names()[0], "g");
  EXPECT_EQ(compiled.with_parameter("m", 4.0).parameter_values()[2], 3.0);  // L = 3*m/4
}

TEST(Parameters, ThatTheModelRefusesAreRefusedInTheSameWords) {
  const CompiledModel compiled = compile_text(pendulum_of_parameters);
  EXPECT_THROW(static_cast<void>(compiled.with_parameter("T", -1.0)), ModelError);
  EXPECT_THROW(static_cast<void>(compiled.with_parameter("k", -1.0)), ModelError);  // compliance
  EXPECT_THROW(static_cast<void>(compiled.with_parameter("m", std::nan(""))), ModelError);
}

}  // namespace
}  // namespace taut::test
