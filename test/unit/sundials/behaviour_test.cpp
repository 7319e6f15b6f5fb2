// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "methods/arkode.hpp"
#include "methods/cvode.hpp"
#include "methods/ida.hpp"
#include "problems.hpp"
#include "taut/readings/with_force.hpp"

namespace taut::test {
namespace {

template <class M>
Status run(M& method, const System& system, double t_end, State& state, int limit = 100000) {
  Status status = method.start(system, state);
  for (int n = 0; n < limit && status == Status::ok && state.t != t_end; ++n)
    status = method.advance(system, t_end, state);
  return status;
}

template <class M>
class Solver : public testing::Test {};
using Methods = testing::Types<CvodeAdams, CvodeBdf, Arkode, Ida>;
TYPED_TEST_SUITE(Solver, Methods);

/// A free particle whose force ceases to be a number at t = 1.
struct Vanishing {
  static constexpr int nq = 1, nc = 0;
  static constexpr bool mass_constant = true;
  template <class S>
  void mass(const List<S>&, List<S>& M) const {
    M[0] = 1.0;
  }
  template <class S>
  void force(const List<S>&, const List<S>&, S t, List<S>& f) const {
    f[0] = sqrt(1.0 - t);
  }
  template <class S>
  void constraint(const List<S>&, S, List<S>&) const {}
};

TYPED_TEST(Solver, SaysThatAFormulaFailedAndLeavesTheState) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  TypeParam method{{.tol = 1e-6}};
  const System system = by_hand(Vanishing{});
  State state{.t = 0.0, .q = vec({0}), .v = vec({0})};
  ASSERT_EQ(method.start(system, state), Status::ok);
  Status status = Status::ok;
  State before = state;
  while (status == Status::ok && state.t < 2.0) {
    before = state;
    status = method.advance(system, 2.0, state);
  }
  EXPECT_EQ(status, Status::non_finite);
  EXPECT_FALSE(method.message().empty());
  EXPECT_LE(state.t, 1.0);
  EXPECT_GE(state.t, 0.9);
  EXPECT_EQ(state.t, before.t);
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.v, before.v);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TYPED_TEST(Solver, PassesOnWhatTheSolverSays) {
  testing::internal::CaptureStderr();
  TypeParam method{{.tol = 1e-20}};
  const System system = by_hand(Pendulum{});
  State state = Pendulum::start();
  EXPECT_EQ(run(method, system, 1.0, state), Status::solver_failed);
  EXPECT_NE(method.message().find("accuracy"), std::string::npos) << method.message();
  EXPECT_EQ(state.q, Pendulum::start().q);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TYPED_TEST(Solver, ReportsWhatAForceThrowsWithItsMessage) {
  for (const bool in_derivatives : {false, true}) {
    if (in_derivatives && !TypeParam::info.derivatives) continue;
    const auto throws_late = [](double t) {
      if (t > 0.3) throw std::runtime_error{"the valve is stuck"};
      return Status::ok;
    };
    BlackBoxForce box;
    box.force = [=](double t, const Vec&, const Vec&, Vec&) {
      return in_derivatives ? Status::ok : throws_late(t);
    };
    box.derivatives = [=](double t, const Vec&, const Vec&, Mat&, Mat&) {
      return in_derivatives ? throws_late(t) : Status::ok;
    };
    const System system = with_force(by_hand(Pendulum{}), box);
    TypeParam method{{.tol = 1e-6}};
    State state = Pendulum::start(), before = state;
    ASSERT_EQ(method.start(system, state), Status::ok);
    Status status = Status::ok;
    // old derivatives serve for many steps
    while (status == Status::ok && state.t < 10.0) {
      before = state;
      status = method.advance(system, 10.0, state);
    }
    EXPECT_EQ(status, Status::solver_failed);
    EXPECT_EQ(method.message(), "the valve is stuck");
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.v, before.v);
    // and it can be started again
    const System sound = by_hand(Pendulum{});
    state = Pendulum::start();
    EXPECT_EQ(run(method, sound, 1.0, state), Status::ok);
    EXPECT_EQ(method.message(), "");
  }
}

TYPED_TEST(Solver, RefusesCompliantRows) {
  class Compliant final : public SystemImplementation {
   public:
    Compliant() : inner_{by_hand(Pendulum{})}, structure_{inner_.structure()} {
      structure_.C(0) = 0.1;
    }
    const Structure& structure() const override { return structure_; }
    void prepare(Evaluation& out) const override { inner_.prepare(out); }
    Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
      return inner_.evaluate(wanted, at, out);
    }
    Status multipliers(const Arguments&, const Vec&, Evaluation&, Vec&) const override {
      return Status::ok;
    }
    std::string culprit(const Arguments&) const override { return {}; }

   private:
    System inner_;
    Structure structure_;
  };
  TypeParam method;
  EXPECT_EQ(method.start(System{std::make_shared<Compliant>()}, Pendulum::start()),
            Status::not_supported);
  EXPECT_NE(method.message().find("compliance"), std::string::npos);
}

TYPED_TEST(Solver, StartsAgainToTheSameBits) {
  const System pendulum = by_hand(Pendulum{}), car = by_hand(CarAxis{});
  TypeParam used{{.tol = 1e-6}}, fresh{{.tol = 1e-6}};
  State first = Pendulum::start(), other = CarAxis::start(), again = Pendulum::start(),
        expected = Pendulum::start();
  ASSERT_EQ(run(used, pendulum, 0.7, first), Status::ok);
  ASSERT_EQ(run(used, pendulum, 1.0, again), Status::ok);  // kept solver
  ASSERT_EQ(run(fresh, pendulum, 1.0, expected), Status::ok);
  EXPECT_EQ(again.q, expected.q);
  EXPECT_EQ(again.v, expected.v);
  ASSERT_EQ(run(used, car, 0.1, other), Status::ok);  // new sizes
  again = Pendulum::start();
  ASSERT_EQ(run(used, pendulum, 1.0, again), Status::ok);
  EXPECT_EQ(again.q, expected.q);
}

TYPED_TEST(Solver, GoesOnAfterItWasMoved) {
  const System system = by_hand(Pendulum{});
  TypeParam whole{{.tol = 1e-6}}, source{{.tol = 1e-6}};
  State expected = Pendulum::start(), state = Pendulum::start();
  ASSERT_EQ(run(whole, system, 1.0, expected), Status::ok);
  ASSERT_EQ(source.start(system, state), Status::ok);
  for (int n = 0; n < 5; ++n) ASSERT_EQ(source.advance(system, 1.0, state), Status::ok);
  TypeParam target = std::move(source);
  while (state.t < 1.0) ASSERT_EQ(target.advance(system, 1.0, state), Status::ok);
  EXPECT_EQ(state.q, expected.q);
  EXPECT_EQ(target.counters.steps, whole.counters.steps);
}

TYPED_TEST(Solver, CountsItsWork) {
  TypeParam method{{.tol = 1e-8}};
  State state = CarAxis::start();
  ASSERT_EQ(run(method, by_hand(CarAxis{}), 0.3, state), Status::ok);
  const Counters& cost = method.counters;
  EXPECT_GT(cost.steps, cost.rejected);
  EXPECT_GE(cost.force_evaluations, cost.steps);
  EXPECT_GT(cost.constraint_evaluations, 0);
  const bool newton = !std::is_same_v<TypeParam, CvodeAdams>;
  EXPECT_EQ(cost.jacobian_evaluations > 0, newton);
  EXPECT_EQ(cost.factorisations > 0, newton);
  const int solves = std::is_same_v<TypeParam, Arkode> ? 5 : 1;  // in a step
  EXPECT_LE(10 * cost.jacobian_evaluations, solves * cost.steps)
      << "the Jacobian is kept over many solves";
}

/// The stiff spring with its damper holds its length to 1/omega²: the motion of the rigid rod.
template <class M>
std::int64_t stiff_steps(double omega) {
  const System system = by_hand(SpringPendulum{.omega = omega, .damping = 2.0 * omega});
  State state{.t = 0.0, .q = vec({1.0 + 1.0 / (omega * omega), 0}), .v = vec({0, 1})};
  M method{{.tol = 1e-7}};
  EXPECT_EQ(run(method, system, 1.0, state), Status::ok);
  const End rigid = Pendulum::end();
  EXPECT_LE((state.q - rigid.q).norm(), 2e-4);
  EXPECT_LE((state.v - rigid.v).norm(), 1e-3);
  return method.counters.steps;
}

TEST(StiffSpring, CostsImplicitFormulasFarFewerStepsThanAdams) {
  const std::int64_t adams = stiff_steps<CvodeAdams>(1e4);
  EXPECT_LE(20 * stiff_steps<CvodeBdf>(1e4), adams);
  EXPECT_LE(5 * stiff_steps<Arkode>(1e4), adams);
}

TEST(StiffSpring, MovesTheSameUnderIdaArkodeAndBdf) {
  const System system = by_hand(SpringPendulum{.omega = 100.0, .damping = 200.0});
  State ida{.t = 0.0, .q = vec({1.0001, 0}), .v = vec({0, 1})}, bdf = ida, dirk = ida;
  Ida a{{.tol = 1e-9}};
  CvodeBdf b{{.tol = 1e-9}};
  Arkode c{{.tol = 1e-9}};
  ASSERT_EQ(run(a, system, 1.0, ida), Status::ok);
  ASSERT_EQ(run(b, system, 1.0, bdf), Status::ok);
  ASSERT_EQ(run(c, system, 1.0, dirk), Status::ok);
  EXPECT_LE((ida.q - bdf.q).norm(), 1e-7);
  EXPECT_LE((ida.v - bdf.v).norm(), 1e-6);
  EXPECT_LE((dirk.q - bdf.q).norm(), 1e-7);
  EXPECT_LE((dirk.v - bdf.v).norm(), 1e-6);
}

TEST(Sparse, ChainRunsOnTheSparseMatrices) {
  const Chain chain{.n = 24};
  const System system = by_hand(chain);
  State adams = chain.start(), bdf = chain.start(), ida = chain.start(), dirk = chain.start();
  CvodeAdams a{{.tol = 1e-9}};
  CvodeBdf b{{.tol = 1e-7}};
  Ida c{{.tol = 1e-7}};
  Arkode d{{.tol = 1e-7}};
  ASSERT_EQ(run(a, system, 0.5, adams), Status::ok);
  ASSERT_EQ(run(b, system, 0.5, bdf), Status::ok);
  ASSERT_EQ(run(c, system, 0.5, ida), Status::ok);
  ASSERT_EQ(run(d, system, 0.5, dirk), Status::ok);
  EXPECT_LE((bdf.q - adams.q).norm(), 1e-5);
  EXPECT_LE((ida.q - adams.q).norm(), 1e-5);
  EXPECT_LE((dirk.q - adams.q).norm(), 1e-5);
}

}  // namespace
}  // namespace taut::test
