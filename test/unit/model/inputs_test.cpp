// SPDX-License-Identifier: BSD-3-Clause
// Inputs are read from the storage of the caller; expressions are read in the names of a model.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support.hpp"

namespace taut::test {
namespace {

constexpr const char* driven_by_inputs = R"toml(
[parameters]
k = 2

[inputs]
tau = "k/4"
wind = 0

[coordinates]
phi = { mass = 1, at = 0.5 }

[points]
bob = { mass = 1, at = [1, 0] }

[anchors]
A = ["wind", 0]

[[rod]]
between = ["A", "bob"]

[[force]]
on = "phi"
value = "tau - k*phi + wind^2"
)toml";

TEST(Inputs, AreReadFromTheStorageOfTheCaller) {
  const CompiledModel compiled = compile_text(driven_by_inputs);
  const Structure& s = compiled.system.structure();
  ASSERT_EQ(s.inputs.size(), 2u);
  EXPECT_EQ(s.inputs[0].name, "tau");
  EXPECT_EQ(s.inputs[0].initial, 0.5);
  EXPECT_FALSE(s.conservative);
  const auto storage = std::make_shared<std::vector<double>>(std::vector<double>{3.0, 0.25});
  const CompiledModel own = compiled.with_inputs(storage);
  const auto evaluate = [](const CompiledModel& model) {
    Evaluation out;
    model.system.prepare(out);
    EXPECT_EQ(model.system.evaluate(needs(Target::force, Target::constraint),
                                    {.t = 0.0, .q = model.given.q, .v = model.given.v}, out),
              Status::ok);
    return std::pair{out.f[2], out.g[0]};
  };
  EXPECT_EQ(evaluate(compiled).first, 0.5 - 2.0 * 0.5);
  EXPECT_EQ(evaluate(compiled).second, 0.0);
  EXPECT_EQ(evaluate(own).first, 3.0 - 2.0 * 0.5 + 0.0625);
  EXPECT_NE(evaluate(own).second, 0.0);
  (*storage)[0] = -1.0;
  EXPECT_EQ(evaluate(own).first, -1.0 - 2.0 * 0.5 + 0.0625);
  // parameters change beside them; initial values follow
  EXPECT_EQ(evaluate(own.with_parameter("k", 4.0)).first, -1.0 - 4.0 * 0.5 + 0.0625);
  EXPECT_EQ(compiled.with_parameter("k", 4.0).system.structure().inputs[0].initial, 1.0);
}

TEST(Inputs, AreNoConstantsOfAModel) {
  for (const auto& [text, what] :
       {std::pair{"[inputs]\ntau = 0\n[coordinates]\nq = { mass = \"1 + tau\" }\n",
                  "cannot be used here"},
        std::pair{"[parameters]\ntau = 1\n[inputs]\ntau = 0\n[coordinates]\nq = { mass = 1 }\n",
                  "already that of the parameter"}}) {
    Problems problems;
    static_cast<void>(compile(read_model(text, problems), problems));
    EXPECT_NE(problems.message().find(what), std::string::npos) << problems.message();
  }
}

TEST(Expressions, AreReadInTheNamesOfTheModel) {
  const CompiledModel compiled = compile_text(driven_by_inputs);
  State at = compiled.given;
  at.t = 2.0;
  EXPECT_EQ(compiled.expression("k*bob.x + tau*t")(at), 2.0 * 1.0 + 0.5 * 2.0);
  EXPECT_EQ(compiled.with_parameter("k", 3.0).expression("k*phi")(at), 1.5);
  const auto storage = std::make_shared<std::vector<double>>(std::vector<double>{3.0, 0.0});
  const Expression tau = compiled.with_inputs(storage).expression("2*tau");
  EXPECT_EQ(tau(at), 6.0);
  (*storage)[0] = 4.0;
  EXPECT_EQ(tau(at), 8.0);
  try {
    static_cast<void>(compiled.expression("k*bobb.x"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string{error.what()}.find("bobb.x"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace taut::test
