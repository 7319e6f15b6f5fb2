// SPDX-License-Identifier: BSD-3-Clause
// The inside of steps is checked where it is read: dense outputs that are bad, against closed
// forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/notes.hpp"
#include "methods/automatic.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "models.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

using test::stated;

/// A good method whose dense output somebody has spoilt: `spoil` gets the part of the step, its
/// ends and the true inside.
class Spoilt {
 public:
  using Spoil = std::function<void(double, const State&, const State&, State&)>;
  static constexpr MethodInfo info{.name = "spoilt", .order = 8, .adaptive = true};

  Spoilt(double tol, Spoil spoil) : good_{{.tol = tol}}, spoil_{std::move(spoil)} {}
  Status start(const System& system, const State& state) { return good_.start(system, state); }
  Status restart(const System& system, const State& state) { return good_.restart(system, state); }
  Status advance(const System& system, double t_stop, State& state) {
    begin_ = state;
    const Status status = good_.advance(system, t_stop, state);
    end_ = state;
    counters = good_.counters;
    return status;
  }
  Status interpolate(const System& system, double t, State& state) {
    ++read;
    const Status status = good_.interpolate(system, t, state);
    spoil_((t - begin_.t) / (end_.t - begin_.t), begin_, end_, state);
    return status;
  }
  void archive(Archive& archive) { good_.archive(archive); }
  [[nodiscard]] double tolerance() const { return good_.tolerance(); }

  Counters counters;
  static inline int read = 0;

 private:
  DormandPrince853 good_;
  Spoil spoil_;
  State begin_, end_;
};

struct Oscillator {
  Model model = stated(
      "[coordinates]\nx = { mass = 1, at = 1 }\n[[potential]]\nenergy = \"x^2/2\"\n"
      "[run]\nuntil = 20\n");
  Plan plan = taut::plan(model, {});
};

Summary rows_of(const Oscillator& o, Spoilt method, RunOptions options, Motion& motion) {
  options.until = 20;
  return integrate(o.plan.system, o.plan.start.state, std::move(method), options, motion);
}

// the hump does not get smaller with the step, the others do
TEST(DenseOutput, OfAMethodThatSpoilsItIsNotBelieved) {
  const Oscillator o;
  const auto hump = [](double x, const State&, const State&, State& s) {
    s.q[0] += 0.07 * 4 * x * (1 - x);
  };
  const auto straight = [](double x, const State& a, const State& b, State& s) {
    s.q = (1 - x) * a.q + x * b.q;
    s.v = (1 - x) * a.v + x * b.v;
  };
  const auto old_velocity = [](double, const State& a, const State&, State& s) { s.v = a.v; };
  const auto offset = [](double x, const State&, const State&, State& s) {
    if (x > 0 && x < 1) s.v[0] += 1e-3;
  };
  for (const Spoilt::Spoil& spoil : {Spoilt::Spoil{hump}, Spoilt::Spoil{straight},
                                     Spoilt::Spoil{old_velocity}, Spoilt::Spoil{offset}}) {
    Motion motion;
    const Summary s = rows_of(o, {1e-8, spoil}, {.every = 0.37, .max_steps = 5000}, motion);
    ASSERT_EQ(s.status, Status::ok) << s.message;
    ASSERT_EQ(motion.rows(), 56u);
    for (std::size_t k = 0; k < motion.rows(); ++k) {
      EXPECT_NEAR(motion.q[k], std::cos(motion.t[k]), 1e-6);
      EXPECT_NEAR(motion.v[k], -std::sin(motion.t[k]), 1e-6);
    }
  }
}

TEST(DenseOutput, ThatIsNotReadCostsNothing) {
  const Oscillator o;
  Motion motion;
  Spoilt::read = 0;
  const Summary s = rows_of(
      o, {1e-8, [](double, const State&, const State&, State& at) { at.q[0] += 1; }}, {}, motion);
  ASSERT_EQ(s.status, Status::ok);
  EXPECT_EQ(Spoilt::read, 0);
  EXPECT_NEAR(motion.q.back(), std::cos(20.0), 1e-6);
}

// at the crossing of an event no row can take its place: it is told
TEST(DenseOutput, ThatStaysPoorAtAnEventIsTold) {
  const Model model = stated(
      "[coordinates]\nx = { mass = 1, at = 1 }\n[[potential]]\nenergy = \"x^2/2\"\n"
      "[[event]]\nname = \"half\"\nzero = \"x - 0.5\"\n[run]\nuntil = 2\n");
  const Plan plan = taut::plan(model, {});
  Motion motion;
  const Summary s = integrate(plan.system, plan.start.state,
                              Spoilt{1e-8, [](double x, const State&, const State&,
                                              State& at) { at.q[0] += 0.2 * x * (1 - x); }},
                              {.until = 2}, motion);
  ASSERT_EQ(s.status, Status::ok);
  ASSERT_GE(s.events.size(), 1u);
  bool told = false;
  for (const Note& note : s.notes) told = told || note.is(notes::dense_output_poor);
  EXPECT_TRUE(told);
}

// critically damped, pulled to 1 at a rate of 1e4: x = 1 - (1 + w t) exp(-w t)
TEST(DenseOutput, OfRadauOverAFastTransient) {
  const Model model = stated(
      "[coordinates]\nx = { mass = 1 }\ny = { mass = 1, velocity = 1 }\n[[force]]\non = \"x\"\n"
      "value = \"1e8*(1 - x) - 2e4*v(x)\"\n[[force]]\non = \"y\"\nvalue = \"-y\"\n"
      "[run]\nuntil = 10\n");
  for (const double tol : {1e-4, 1e-6, 1e-8}) {
    const Plan plan = taut::plan(model, {.method = "radau", .tol = tol});
    RunOptions options{.until = 10};
    for (int k = 0; k <= 240; ++k) options.times.push_back(1e-5 * std::pow(10.0, k / 40.0));
    Motion motion;
    const Summary s =
        integrate(plan.system, plan.start.state, Radau{{.tol = tol}}, options, motion);
    ASSERT_EQ(s.status, Status::ok);
    for (std::size_t k = 0; k < motion.rows(); ++k) {
      const double t = motion.t[k], w = 1e4;
      ASSERT_NEAR(motion.q[2 * k], 1 - (1 + w * t) * std::exp(-w * t), 100 * tol) << t;
      ASSERT_NEAR(motion.v[2 * k], w * w * t * std::exp(-w * t), 100 * tol * (1 + w / 3)) << t;
      ASSERT_NEAR(motion.q[2 * k + 1], std::sin(t), 100 * tol) << t;
    }
  }
}

// nobody looks for the bump, but where rows are read, they are those of a car
TEST(DenseOutput, OfTheQuarterCarWithoutTheWatchIsTheMotion) {
  const Model car = load(TAUT_CASES "/qcar_skip.toml");
  Plan plan = taut::plan(car, {.every = "0.01"});
  plan.run.watch = false;
  const Result run = simulate(plan);
  const Result fine = simulate(car, {.every = "0.01", .method = "dopri5", .max_step = "1e-3"});
  ASSERT_TRUE(run.good() && fine.good());
  const Column y = run.motion["body.y"], v = run.motion["body.vy"];
  const Column true_y = fine.motion["body.y"], true_v = fine.motion["body.vy"];
  for (std::size_t k = 0; k < y.size(); ++k) {
    ASSERT_NEAR(y[k], true_y[k], 1e-5) << run.motion.t[k];
    ASSERT_NEAR(v[k], true_v[k], 1e-4) << run.motion.t[k];
  }
}

// what a method says of the derivatives of its dense output
TEST(DenseOutput, HasTheRatesThatItSaysItHas) {
  const Plan plan = taut::plan(
      stated("[points]\na = { mass = 1, at = [1, 0.2], velocity = [0, 0.9] }\n[[potential]]\n"
             "energy = \"-1/sqrt(a.x^2 + a.y^2)\"\n[run]\nuntil = 10\n"),
      {});
  const auto check = [&](Method method) {
    SCOPED_TRACE(method.info().name);
    State s = plan.start.state, left, right, rate;
    ASSERT_EQ(method->start(plan.system, s), Status::ok);
    for (int k = 0; k < 5; ++k) {
      const double begin = s.t;
      ASSERT_EQ(method->advance(plan.system, 10, s), Status::ok);
      const double h = s.t - begin, d = 1e-4 * h;
      for (const double x : {0.1, 0.39, 0.81}) {
        const double t = begin + x * h;
        ASSERT_EQ(method->interpolate(plan.system, t - d, left), Status::ok);
        ASSERT_EQ(method->interpolate(plan.system, t + d, right), Status::ok);
        ASSERT_EQ(method->rates(plan.system, t, rate), Status::ok);
        EXPECT_LT((rate.q - (right.q - left.q) / (2 * d)).norm(), 1e-6 * (1 + rate.q.norm()));
        EXPECT_LT((rate.v - (right.v - left.v) / (2 * d)).norm(), 1e-6 * (1 + rate.v.norm()));
      }
    }
  };
  check(DormandPrince853{});
  check(DormandPrince54{});
  check(Radau{});
  check(Automatic{});
}

}  // namespace
}  // namespace taut
