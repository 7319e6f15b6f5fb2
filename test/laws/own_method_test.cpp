// SPDX-License-Identifier: BSD-3-Clause
// The installed laws, on methods that are wrong on purpose: each law sees what breaks it.
#include <gtest/gtest.h>

#include <algorithm>

#include "methods/dormand_prince.hpp"
#include "methods/rattle.hpp"
#include "methods/verlet.hpp"
#include "taut/methods/registry.hpp"
#include "taut/testing/method_laws.hpp"

namespace taut::test {
namespace {

/// Verlet, which is good, with one thing that is not.
struct Mistakes {
  double acceleration = 1.0;  ///< of the motion; else it has another order
  bool archives = true;
  bool touches = false;  ///< the state, when a step fails
  double pull = 0.0;     ///< to one side
};

template <Mistakes mistakes>
class OwnVerlet {
 public:
  static constexpr MethodInfo info{
      .name = "own-verlet", .order = 2, .symmetric = true, .symplectic = true};

  [[nodiscard]] Status start(const System& system, const State& state) {
    system.prepare(ev_);
    M_ = system.structure().M.diagonal();
    next_ = state;
    return accelerate(system, state);
  }
  [[nodiscard]] Status step(const System& system, double h, State& s) {
    ++counters.steps;
    next_ = s;
    if (next_.t != t_)
      if (const Status st = accelerate(system, s); st != Status::ok) return st;
    next_.v += h / 2 * a_;
    next_.q += (h + mistakes.pull * h * h * h) * next_.v;
    next_.t += h;
    const Status st =
        next_.q.lpNorm<Eigen::Infinity>() < 1e100 ? accelerate(system, next_) : Status::non_finite;
    next_.v += h / 2 * a_;
    if (st == Status::ok || mistakes.touches) s = next_;
    if (st != Status::ok) t_ = -1.0;
    return st;
  }
  void archive(Archive& archive) {
    if (mistakes.archives) archive(counters);
  }

  Counters counters;

 private:
  Status accelerate(const System& system, const State& s) {
    ++counters.force_evaluations;
    t_ = s.t;
    const Status st = system.evaluate(need(Target::force), {s.t, s.q, s.v}, ev_);
    a_ = (mistakes.acceleration * ev_.f.array() / M_.array()).matrix();
    return st;
  }

  Evaluation ev_;
  Vec M_, a_;
  State next_;
  double t_ = 0.0;
};

using Good = OwnVerlet<Mistakes{}>;

laws::KnownMotion free_motion() { return laws::known_motions(Good::info).front(); }

template <class M>
laws::MakeMethod fresh() {
  return [] { return Method{M()}; };
}

bool says(const laws::Violations& found, std::string_view words) {
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

TEST(InstalledLaws, AreKeptByAMethodThatIsRight) {
  EXPECT_EQ(laws::method_laws<Good>(), laws::Violations{});
}

TEST(InstalledLaws, AreKeptByEveryMethodOfTheList) {
  for (const MethodInfo& info : all_methods())
    EXPECT_EQ(laws::method_laws([&] { return make_method(info.name).value(); }),
              laws::Violations{});
}

TEST(InstalledLaws, SeeAnOrderThatIsNotAsClaimed) {
  const laws::Violations found =
      laws::order(fresh<OwnVerlet<Mistakes{.acceleration = 1.001}>>(), free_motion());
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(says(found, "own-verlet on pendulum in its angle: positions are of order 0"))
      << found[0];
}

TEST(InstalledLaws, SeeAMethodThatDoesNotComeBack) {
  // h³ is odd as h is, and pulls the other way on the way back; (t, q) of another order does not
  class Wrong : public Good {
   public:
    [[nodiscard]] Status step(const System& system, double h, State& s) {
      const Status st = Good::step(system, h, s);
      s.v *= 1 + h * h;
      return st;
    }
  };
  EXPECT_TRUE(says(laws::retraces(fresh<Wrong>(), free_motion()), "claims to be symmetric"));
}

TEST(InstalledLaws, SeeAStateThatIsTouchedByAFailure) {
  EXPECT_TRUE(says(laws::keeps_the_state_when_it_fails(
                       fresh<OwnVerlet<Mistakes{.touches = true}>>(), free_motion()),
                   "a step that fails changes the state"));
}

TEST(InstalledLaws, SeeAnArchiveThatForgets) {
  EXPECT_TRUE(says(laws::resumes(fresh<OwnVerlet<Mistakes{.archives = false}>>(), free_motion()),
                   "counts differently"));
}

TEST(InstalledLaws, SeeConstraintsThatAreNotHeld) {
  class Loose : public Rattle {
   public:
    [[nodiscard]] Status step(const System& system, double h, State& s) {
      const Status st = Rattle::step(system, h, s);
      s.q *= 1 + 1e-9;
      return st;
    }
  };
  const auto motions = laws::known_motions(Rattle::info);
  EXPECT_TRUE(says(laws::holds_constraints(fresh<Loose>(), motions[1]), "a constraint is broken"));
  EXPECT_TRUE(laws::holds_constraints(fresh<Rattle>(), motions[1]).empty());
}

TEST(InstalledLaws, SeeStepsThatAllocate) {
  std::size_t calls = 0;
  EXPECT_TRUE(laws::does_not_allocate(fresh<Good>(), free_motion(), [] { return 7; }).empty());
  EXPECT_TRUE(says(laws::does_not_allocate(fresh<Good>(), free_motion(), [&] { return ++calls; }),
                   "allocate 1 times"));
}

TEST(InstalledLaws, SeeAnEndThatIsPassedAndADenseOutputThatIsNone) {
  class Passing : public DormandPrince54 {
   public:
    [[nodiscard]] Status advance(const System& system, double t_stop, State& s) {
      return DormandPrince54::advance(system, t_stop + 0.1, s);
    }
  };
  class Loose : public DormandPrince54 {
   public:
    [[nodiscard]] Status interpolate(const System& system, double t, State& s) {
      const Status st = DormandPrince54::interpolate(system, t, s);
      s.q.array() += 1e-12;
      return st;
    }
  };
  EXPECT_TRUE(says(laws::meets_the_end(fresh<Passing>(), free_motion()), "it ends at"));
  EXPECT_TRUE(says(laws::interpolates(fresh<Loose>(), free_motion()), "has another state there"));
}

}  // namespace
}  // namespace taut::test
