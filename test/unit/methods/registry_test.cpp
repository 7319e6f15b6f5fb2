// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/registry.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>
#include <string>
#include <thread>

#include "methods/dormand_prince.hpp"
#include "problems.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

TEST(Registry, MakesEveryMethodItListsUnderItsOwnName) {
  std::set<std::string> names;
  for (const MethodInfo& info : all_methods()) {
    SCOPED_TRACE(info.name);
    const auto method = make_method(info.name);
    ASSERT_TRUE(method.has_value());
    EXPECT_EQ(method->info().name, info.name);
    EXPECT_FALSE(info.about.empty());
    EXPECT_FALSE(info.cite.empty());
    EXPECT_GE(info.order, 1);
    EXPECT_TRUE(names.insert(std::string{info.name}).second) << "listed twice";
  }
  for (const char* name : {"verlet", "shake", "rattle", "rattle-yoshida4", "verlet-suzuki6", "rk4",
                           "dopri5", "dop853"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Registry, GivesWhatAnOptionalMethodTakes) {
  std::optional<Method> kept = make_method("rattle");
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->info().name, "rattle");
  static_assert(!std::is_constructible_v<Method, int>);
  static_assert(!std::is_constructible_v<Method, std::string>);
}

TEST(Registry, DoesNotKnowOtherNames) {
  EXPECT_FALSE(make_method("rattel").has_value());
  EXPECT_FALSE(make_method("").has_value());
}

TEST(Registry, PassesTheTolerance) {
  const test::Problem p = test::henon_heiles();
  std::int64_t steps[2];
  for (const int k : {0, 1}) {
    auto method = make_method("dop853", {.tol = k == 0 ? 1e-4 : 1e-10});
    State s = p.start;
    ASSERT_EQ((*method)->start(p.system, s), Status::ok);
    while (s.t < p.T) ASSERT_EQ((*method)->advance(p.system, p.T, s), Status::ok);
    steps[k] = (*method)->counters().steps;
  }
  EXPECT_GT(steps[1], 3 * steps[0]);
}

TEST(Registry, EveryMethodLeavesAtRestWhatHangsAtRest) {
  // all velocity there is comes from rounding, and all of that is normal to the rod
  const test::Problem p = test::pendulum();
  const State hanging{0.0, Vec{{0.0, -p.start.q.norm()}}, Vec::Zero(2)};
  for (const MethodInfo& info : all_methods()) {
    if (info.name == "taylor" || !fits(info, p.system.structure()).empty()) continue;
    for (const double h : {1e-2, 1e-4}) {
      SCOPED_TRACE(testing::Message() << info.name << " with steps of " << h);
      auto method = make_method(info.name);
      State s = hanging;
      ASSERT_EQ((*method)->start(p.system, s), Status::ok);
      for (int n = 0; n < 50; ++n) {
        const double until = (n + 1) * h;
        if (!info.adaptive) {
          ASSERT_EQ((*method)->step(p.system, h, s), Status::ok) << n;
        }
        while (info.adaptive && s.t < until)
          ASSERT_EQ((*method)->advance(p.system, until, s), Status::ok) << n;
      }
      EXPECT_LE((s.q - hanging.q).lpNorm<Eigen::Infinity>(), 1e-12);
    }
  }
}

TEST(Registry, MethodsSayWhichOptionsTheyRead) {
  const auto names = [](std::string_view method) {
    std::vector<std::string_view> all;
    for (const OptionInfo& option : options_of(method)) {
      EXPECT_FALSE(option.about.empty()) << method;
      EXPECT_TRUE(option.allows(option.otherwise)) << method << ' ' << option.name;
      all.push_back(option.name);
    }
    return all;
  };
  using Names = std::vector<std::string_view>;
  for (const char* name : {"zhang-skeel", "zhang-skeel-yoshida4", "gauss-newton"})
    EXPECT_EQ(names(name), Names{"beta"}) << name;
  for (const char* name : {"newmark", "newmark-linear"})
    EXPECT_EQ(names(name), (Names{"beta", "gamma"})) << name;
  for (const char* name : {"auto", "dop853", "radau", "cvode-bdf", "ida"})
    EXPECT_EQ(names(name), Names{"tol"}) << name;
  for (const char* name : {"verlet", "midpoint", "rattle-suzuki4", "nonsense"})
    EXPECT_EQ(names(name), Names{}) << name;
  EXPECT_EQ(names("projected-rk").size(), 9U);
}

TEST(Registry, RefusesOptionsWithTheirNameValueAndRange) {
  using Cause = OptionRefusal::Cause;
  const MadeMethod refused = make_method("gauss-newton", {.beta = 0.2, .gamma = 0.5});
  EXPECT_FALSE(refused.has_value());
  ASSERT_EQ(refused.refusals().size(), 2U);
  const OptionRefusal& beta = refused.refusals()[0];
  EXPECT_EQ(beta.cause, Cause::out_of_range);
  EXPECT_EQ(beta.method, "gauss-newton");
  EXPECT_EQ(beta.option, "beta");
  EXPECT_EQ(beta.value, 0.2);
  EXPECT_EQ(beta.range.least, 0.25);
  EXPECT_EQ(refused.refusals()[1].cause, Cause::no_such_option);
  EXPECT_EQ(refused.refusals()[1].option, "gamma");

  ASSERT_EQ(check_options("rattel", {}).size(), 1U);
  EXPECT_EQ(check_options("rattel", {})[0].cause, Cause::no_such_method);
  for (const double tol : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_FALSE(make_method("radau", {.tol = tol}).has_value()) << tol;
    EXPECT_TRUE(make_method("rattle", {.tol = tol}).has_value()) << tol;  // does not read it
  }
  EXPECT_FALSE(make_method("newmark", {.gamma = -0.1}).has_value());
  EXPECT_TRUE(make_method("newmark", {.beta = 0.0, .gamma = 0.6}).has_value());

  // what belongs to projected-rk, as it has always been said and by name
  EXPECT_EQ(make_method("dop853", {.projected = {.keep_energy = true}}).refusals()[0].option,
            "keep-energy");
  const auto order = [](const MethodOptions& options) {
    return make_method("projected-rk", options).value().info().order;
  };
  EXPECT_EQ(order({}), 5);
  EXPECT_EQ(order({.projected = {.tableau = CurveTableau::dop853}}), 8);
  EXPECT_EQ(order({.more = {{"tableau", 3.0}}}), 8);
  EXPECT_EQ(make_method("projected-rk", {.more = {{"tableau", 4.0}}}).refusals()[0].cause,
            Cause::out_of_range);
  EXPECT_EQ(make_method("projected-rk", {.more = {{"tableau", 0.5}}}).refusals()[0].cause,
            Cause::out_of_range);
}

/// Steps along a straight line: `drift` times faster than the velocity says.
class Straight {
 public:
  static constexpr OptionInfo drift{
      .name = "drift", .about = "factor of the velocity", .otherwise = 1.0, .most = 10.0};
  static constexpr OptionInfo reads[]{drift};
  static constexpr MethodInfo info{.name = "straight", .order = 1, .about = "a", .cite = "b"};
  static Straight made_of(const MethodOptions& given) {
    Straight made;
    made.drift_ = given[drift];
    return made;
  }

  [[nodiscard]] Status start(const System&, const State&) { return Status::ok; }
  [[nodiscard]] Status step(const System&, double h, State& s) {
    s.q += drift_ * h * s.v;
    s.t += h;
    return Status::ok;
  }
  void archive(Archive&) {}
  Counters counters;

 private:
  double drift_ = 1.0;
};

class Crooked : public Straight {
 public:
  static constexpr MethodInfo info{.name = "crooked", .order = 1, .about = "a", .cite = "b"};
};

TEST(Registry, KnowsMethodsOfOthersOnceTheyAreRegistered) {
  ASSERT_FALSE(make_method("straight").has_value());
  const std::size_t before = all_methods().size();
  ASSERT_EQ(register_method<Straight>(), Registration::done);
  EXPECT_EQ(register_method<Straight>(), Registration::name_taken);
  EXPECT_EQ(register_method(method_entry<DormandPrince853>()), Registration::name_taken);
  EXPECT_EQ(register_method({.info = {.name = ""}}), Registration::incomplete);
  EXPECT_EQ(all_methods().size(), before + 1);
  EXPECT_EQ(all_methods().back().name, "straight");

  const test::Problem p = test::henon_heiles();
  Method fast = make_method("straight", {.more = {{"drift", 3.0}}}).value();
  State s = p.start;
  ASSERT_EQ(fast->start(p.system, s), Status::ok);
  ASSERT_EQ(fast->step(p.system, 0.5, s), Status::ok);
  EXPECT_EQ(s.q, p.start.q + 1.5 * p.start.v);
  EXPECT_EQ(make_method("straight", {.more = {{"drift", 11.0}}}).refusals()[0].range.most, 10.0);
  EXPECT_EQ(make_method("straight", {.beta = 0.3}).refusals()[0].option, "beta");

  Motion motion;
  const Summary summary = integrate(p.system, p.start, make_method("straight").value(),
                                    {.until = 1.0, .step = 0.1}, motion);
  EXPECT_EQ(summary.status, Status::ok);
  EXPECT_EQ(summary.method, "straight");
}

TEST(Registry, TakesMethodsFromManyThreadsAndOneOfANameOnly) {
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&] {
      if (register_method<Crooked>() == Registration::done) ++done;
      for (int n = 0; n < 100; ++n) EXPECT_TRUE(make_method("crooked").has_value());
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 1);
}

struct NoMethod {
  static constexpr MethodInfo info{.name = "none"};
  [[nodiscard]] Status start(const System&, const State&) { return Status::ok; }
};
static_assert(AnyMethod<Straight> && std::is_constructible_v<Method, Straight>);
static_assert(!AnyMethod<NoMethod> && !std::is_constructible_v<Method, NoMethod>);
static_assert(!std::is_constructible_v<Method, int>);
static_assert(!std::is_constructible_v<Method, std::optional<Method>>);

TEST(MethodObject, SaysWhetherItIsEmpty) {
  Method method = Straight{};
  EXPECT_TRUE(method);
  const Method other = std::move(method);
  EXPECT_FALSE(method);  // NOLINT(bugprone-use-after-move): this is what is asked
  EXPECT_TRUE(other);
  method = Straight{};
  EXPECT_TRUE(method);
}

TEST(Fits, NamesWhatIsInTheWayAndWhatToTake) {
  MethodInfo simple{.name = "simple"};
  const auto reason = [&](const test::Problem& p) {
    return fits(simple, p.system.structure()).text();
  };
  EXPECT_EQ(reason(test::henon_heiles()), "");
  EXPECT_NE(reason(test::pendulum()).find("1 rigid constraint:"), std::string::npos);
  EXPECT_NE(reason(test::double_pendulum_in_angles()).find("mass matrix"), std::string::npos);
  simple.constraints = true;
  EXPECT_EQ(reason(test::pendulum()), "");
  EXPECT_NE(reason(test::damped_pendulum()).find("velocities"), std::string::npos);

  // damped rows are forces of the velocity, for springs and for equations with compliance
  Structure soft = test::pendulum().system.structure();
  soft.C[0] = 0.1;
  EXPECT_EQ(fits(simple, soft).text(), "");
  soft.d[0] = 0.2;
  EXPECT_NE(fits(simple, soft).text().find("velocities"), std::string::npos);
  simple.compliance = true;
  EXPECT_NE(fits(simple, soft).text().find("velocities"), std::string::npos);
  simple.velocity_forces = true;
  EXPECT_EQ(fits(simple, soft).text(), "");
}

}  // namespace
}  // namespace taut
