// SPDX-License-Identifier: BSD-3-Clause
// The laws of methods on compiled models: bits, allocations and long or badly scaled chains, which
// systems written by hand cannot show.
#include <gtest/gtest.h>

#include "allocation_counter.hpp"
#include "models.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"
#include "taut/core/archive.hpp"
#include "taut/methods/registry.hpp"

namespace taut::test {
namespace {

struct ModelAndStep {
  const char* model;
  double step;
};
constexpr ModelAndStep models_and_steps[]{
    {"double_pendulum", 0.01}, {"car_axis", 0.001}, {"andrews", 1e-5},    {"redundant", 0.01},
    {"four_bar", 0.01},        {"chain", 0.001},    {"stiff_chain", 1e-5}};

// one step of constant or own length
Status go(Method& method, const System& system, double h, State& s) {
  return method.info().adaptive ? method->advance(system, 1e9, s) : method->step(system, h, s);
}

class CompiledModels : public ::testing::TestWithParam<ModelAndStep> {
 protected:
  // every resumable method that fits, freshly started
  template <class Look>
  void with_each_method(Look look) {
    const auto [written, start] = load(GetParam().model);
    for (const MethodInfo& info : all_methods()) {
      const System system = info.compliance ? written : springs(written);
      if (!info.resumable || !fits(info, system.structure()).empty()) continue;
      SCOPED_TRACE(info.name);
      Method method = *make_method(info.name);
      const Status status = method->start(system, start);
      // of redundant constraints and of long chains there is no program
      if (info.name == "taylor" && status != Status::ok) {
        EXPECT_NE(method->message(), "");
        continue;
      }
      ASSERT_EQ(status, Status::ok);
      look(method, system, start);
    }
  }
};

TEST_P(CompiledModels, ArchiveContinuesToTheSameBits) {
  const double h = GetParam().step;
  with_each_method([h](Method& method, const System& system, State s) {
    for (int n = 0; n < 10; ++n) ASSERT_EQ(go(method, system, h, s), Status::ok);
    Archive writer = Archive::writer();
    method->archive(writer);
    Method resumed = *make_method(method.info().name);
    State again = s;
    ASSERT_EQ(resumed->start(system, again), Status::ok);
    Archive reader = Archive::reader(writer.bytes());
    resumed->archive(reader);
    for (int n = 0; n < 10; ++n) {
      ASSERT_EQ(go(method, system, h, s), Status::ok);
      ASSERT_EQ(go(resumed, system, h, again), Status::ok);
      ASSERT_TRUE(same_bits(s, again)) << "step " << n;
    }
  });
}

TEST_P(CompiledModels, NoStepAfterTheFirstAllocates) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  const double h = GetParam().step;
  with_each_method([h](Method& method, const System& system, State s) {
    ASSERT_EQ(go(method, system, h, s), Status::ok);
    const std::size_t before = *allocations();
    Status st = Status::ok;
    for (int n = 0; n < 20 && st == Status::ok; ++n) st = go(method, system, h, s);
    const std::size_t after = *allocations();
    EXPECT_EQ(st, Status::ok);
    EXPECT_EQ(after - before, 0U);
  });
}

INSTANTIATE_TEST_SUITE_P(Gallery, CompiledModels, ::testing::ValuesIn(models_and_steps),
                         [](const auto& param) { return std::string{param.param.model}; });

TEST(Compliance, IsNeverTakenForRigid) {
  // two rods of compliance 1/omega²: as written only for methods made for it, as springs for all
  const auto [system, start] = load("stiff_double_pendulum");
  const System as_springs = springs(system);
  for (const MethodInfo& info : all_methods()) {
    if (!info.resumable) continue;
    SCOPED_TRACE(info.name);
    Method method = *make_method(info.name);
    if (!info.compliance) {
      EXPECT_EQ(method->start(system, start), Status::not_supported);
      EXPECT_NE(method->message().find("take springs"), std::string::npos);
    }
    EXPECT_EQ(method->start(as_springs, start), Status::ok);
    EXPECT_EQ(method->message(), "");
  }
}

TEST(Chains, RattleKeepsThousandLinksAndTheirEnergyForThousandSteps) {
  const auto [system, start] = load("chain", {{"links", 1000}});
  Method rattle = *make_method("rattle");
  State s = start;
  const double E0 = energy(system, s);
  ASSERT_EQ(rattle->start(system, s), Status::ok);
  for (int n = 0; n < 1000; ++n) ASSERT_EQ(rattle->step(system, 1e-4, s), Status::ok);
  EXPECT_LE(residuals(system, s).g, 1e-13);
  EXPECT_LE(std::abs(energy(system, s) - E0), 1e-4);
  // linear extrapolation and the secants of the projection: few iterations
  EXPECT_LE(rattle->counters().newton_iterations, 4000);
}

}  // namespace
}  // namespace taut::test
