// SPDX-License-Identifier: BSD-3-Clause
// The same answers from model files, through taut's own formulas.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"

namespace taut::test {
namespace {

struct Loaded {
  System system;
  State start;
};

Loaded load(const char* file) {
  Problems problems;
  const Model model = read_model_file(std::string{TAUT_MODELS "/"} + file, problems);
  const CompiledModel compiled = compile(model, problems);
  EXPECT_TRUE(problems.empty());
  const Start start = consistent_start(compiled.system, compiled.given);
  EXPECT_EQ(start.status, Status::ok);
  return {compiled.system, start.state};
}

State run(const Loaded& model, Method& method, double t_end) {
  State state = model.start;
  Status status = method->start(model.system, state);
  while (status == Status::ok && state.t < t_end)
    status = method->advance(model.system, t_end, state);
  EXPECT_EQ(status, Status::ok) << method->message();
  return state;
}

/// Largest relative error of q and v at the end, at a tolerance of 1e-8.
double error(const char* file, const char* method_name, const End& end) {
  Method method = make_method(method_name, {.tol = 1e-8}).value();
  const State state = run(load(file), method, end.t);
  return std::max(((state.q - end.q).array() / end.q.array()).abs().maxCoeff(),
                  ((state.v - end.v).array() / end.v.array()).abs().maxCoeff());
}

TEST(Gallery, CarAxisReachesItsKnownEnd) {
  EXPECT_LE(error("car_axis.toml", "cvode-adams", CarAxis::end()), 3e-4);
  EXPECT_LE(error("car_axis.toml", "cvode-bdf", CarAxis::end()), 1e-3);
  EXPECT_LE(error("car_axis.toml", "arkode", CarAxis::end()), 1e-5);
  EXPECT_LE(error("car_axis.toml", "ida", CarAxis::end()), 5e-4);
}

TEST(Gallery, AndrewsReachesItsKnownEnd) {
  EXPECT_LE(error("andrews.toml", "cvode-adams", Andrews::end()), 1.5e-4);
  EXPECT_LE(error("andrews.toml", "cvode-bdf", Andrews::end()), 1.3e-3);
  EXPECT_LE(error("andrews.toml", "arkode", Andrews::end()), 1e-4);
  EXPECT_LE(error("andrews.toml", "ida", Andrews::end()), 6e-4);
}

TEST(Gallery, AndrewsRunsAgainToTheSameBits) {
  const Loaded andrews = load("andrews.toml");
  for (const char* name : {"cvode-adams", "cvode-bdf", "arkode", "ida"}) {
    Method method = make_method(name, {.tol = 1e-9}).value();
    const State first = run(andrews, method, 0.03), second = run(andrews, method, 0.03);
    EXPECT_EQ(first.q, second.q) << name;
    EXPECT_EQ(first.v, second.v) << name;
  }
}

}  // namespace
}  // namespace taut::test
