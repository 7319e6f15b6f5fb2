// SPDX-License-Identifier: BSD-3-Clause
// What a tolerance buys with radau: published end points (recomputed in quadruple precision in two
// formulations), smooth solutions of stiff pendulums from power series, angles instead of rods.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "problems.hpp"
#include "stiff_problems.hpp"
#include "tableaux/implicit_tableaux.hpp"

namespace taut::test {
namespace {

struct Reference {
  double T;
  std::vector<double> q, v, lambda;
};

const Reference andrews{
    0.03,
    {15.81077119515370709712, -15.75637105841183946973, 4.082224011964580485828e-02,
     -5.347301163420795937702e-01, 5.244099658799540693717e-01, 5.347301163420795937702e-01,
     1.048080741041937873069},
    {1.139920302259106064198e+03, -1.424379295177540073196e+03, 1.103291191061859374533e+01,
     1.929337410503204083163e+01, 5.735699148295024538177e-01, -1.929337410503204083163e+01,
     3.231791492491308749907e-01},
    {1.991753481045386281862e+02, -2.975530997497176332442e+01, 2.306654361162215112862e+01,
     3.145272527577113707538e+01, 2.264249478639437857771e+01, 1.161739235261125590680e+01}};

const Reference car_axis{3.0,
                         {4.934557842752409213153e-02, 4.969894602300081067629e-01,
                          1.041742524885426115195, 3.739110272653658193579e-01},
                         {-7.705836840359208428394e-02, 7.446866592068416491402e-03,
                          1.755681575354173662974e-02, 7.703410437796010631206e-01},
                         {-4.736886590853326515313e-03, -1.104680331259565839861e-03}};

const Reference index3_pendulum{1.0,
                                {8.67348640600439321734308e-01, 4.97701050479672929353713e-01},
                                {-3.37480180609545196091413e-02, 5.88130114652500075408496e-02},
                                {-4.93103151439018788061138e-01}};

// smooth solutions at t = 1 for eps = 0 and eps = 1e-3
const Reference pendulum_rigid{1.0,
                               {0.9876267050974558, -0.1568231213129719},
                               {-0.0440588506212236, -0.2774699107192223},
                               {0.2357538549855684}};
const Reference pendulum_stiff{1.0,
                               {0.9876269643095261, -0.1568229921598162},
                               {-0.0440579246005921, -0.2774696881932996},
                               {0.2357505760816824}};
const Reference double_rigid{
    1.0,
    {0.9717118127227386, -0.2361697546577238, 1.0822473530581964, -1.2300419266812433},
    {-0.0939751075992621, -0.3866571411247682, -0.2484986710921380, -0.4038427974556723},
    {0.4234215138073317, 0.0845193024376906}};
const Reference double_stiff{
    1.0,
    {0.9717123169798391, -0.2361694727558725, 1.0822471637056871, -1.2300418069592900},
    {-0.0939734984692912, -0.3866567493537378, -0.2484989806817572, -0.4038427210009916},
    {0.4234159673739716, 0.0845178245593089}};

double relative_error(const Vec& x, const std::vector<double>& reference) {
  double worst = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i)
    worst = std::max(worst, std::abs(x[static_cast<Index>(i)] / reference[i] - 1.0));
  return worst;
}

double distance(const Vec& x, const std::vector<double>& reference) {
  return (x - Eigen::Map<const Vec>(reference.data(), x.size())).lpNorm<Eigen::Infinity>();
}

struct Errors {
  double q, v, lambda;
};

Errors errors_at(const Loaded& model, const Reference& reference, double tol) {
  const RadauRun run = run_radau(model.system, model.start, reference.T, {.tol = tol});
  EXPECT_EQ(run.status, Status::ok);
  EXPECT_LE(run.max_g, 1e-13);
  EXPECT_LE(run.max_Gv, 1e-13);
  return {relative_error(run.state.q, reference.q), relative_error(run.state.v, reference.v),
          relative_error(run.lambda, reference.lambda)};
}

TEST(RadauAccuracy, PositionsFollowEveryToleranceAndMultipliersAreAsGoodAsVelocities) {
  const Loaded pendulum = from_text(R"toml(
name = "pendulum"
[points]
bob = { mass = 1, at = [1, 0], velocity = [0, 1] }
[[constraint]]
zero = "(bob.x^2 + bob.y^2 - 1)/2"
[[gravity]]
acceleration = [0, -1]
)toml");
  const std::vector<std::pair<Loaded, Reference>> problems{
      {load("car_axis"), car_axis}, {load("andrews"), andrews}, {pendulum, index3_pendulum}};
  for (const auto& [model, reference] : problems)
    for (const double tol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
      SCOPED_TRACE(::testing::Message() << "until " << reference.T << " tol " << tol);
      const Errors errors = errors_at(model, reference, tol);
      EXPECT_LE(errors.q, 1000 * tol);
      EXPECT_LE(errors.lambda, std::max(errors.v, 1e-11));
    }
}

TEST(RadauAccuracy, VelocitiesAndMultipliersOfCarAxisAndAndrews) {
  const Errors car = errors_at(load("car_axis"), car_axis, 1e-8);
  EXPECT_LE(car.v, 1e-6);
  EXPECT_LE(car.lambda, 1e-5);
  const Errors squeezer = errors_at(load("andrews"), andrews, 1e-10);
  EXPECT_LE(squeezer.q, 1e-7);
  EXPECT_LE(squeezer.v, 1e-6);
  EXPECT_LE(squeezer.lambda, 1e-5);
}

TEST(RadauAccuracy, StiffPendulumsFollowTheirSmoothSolutionsAsTheRigidOnesDo) {
  struct Case {
    Loaded model;
    Reference reference;
  };
  const std::vector<Case> cases{{smooth_pendulum(0.0), pendulum_rigid},
                                {smooth_pendulum(1e-3), pendulum_stiff},
                                {smooth_double_pendulum(0.0), double_rigid},
                                {smooth_double_pendulum(1e-3), double_stiff}};
  for (const Case& c : cases)
    for (const double tol : {1e-3, 1e-6, 1e-9, 1e-12}) {
      SCOPED_TRACE(::testing::Message() << "tol " << tol << " C " << c.model.system.structure().C);
      const RadauRun run = run_radau(c.model.system, c.model.start, 1.0, {.tol = tol});
      ASSERT_EQ(run.status, Status::ok);
      EXPECT_LE(distance(run.state.q, c.reference.q), std::max(tol, 1e-13));
      EXPECT_LE(distance(run.state.v, c.reference.v), std::max(tol, 1e-13));
      // the third term of the stiff multipliers, C λ'', is known less well
      EXPECT_LE(distance(run.lambda, c.reference.lambda), std::max(tol, 2e-11));
    }
}

TEST(RadauAccuracy, VelocitiesOfStiffRowsAreOnTheSmoothMotionAtLooseTolerances) {
  // G v = C λ', not what Newton's method leaves: the rigid limit is reached to rounding
  for (const double tol : {1e-3, 1e-4, 1e-5, 1e-6}) {
    const Loaded stiff = smooth_double_pendulum(1e-8), limit = smooth_double_pendulum(0.0);
    const RadauRun a = run_radau(stiff.system, stiff.start, 1.0, {.tol = tol});
    const RadauRun b = run_radau(limit.system, limit.start, 1.0, {.tol = tol});
    EXPECT_LE(a.max_Gv, 1e-13) << tol;
    EXPECT_LE((a.state.v - b.state.v).norm(), 1e-10) << tol;
  }
}

TEST(RadauAccuracy, MultipliersDoNotSufferFromAShortLastStep) {
  const Loaded rigid = smooth_double_pendulum(0.0), stiff = smooth_double_pendulum(1e-3);
  for (const double length : {1e-2, 1e-4, 1e-6, 1e-8}) {
    for (const auto& [model, reference] :
         {std::pair{rigid, double_rigid}, std::pair{stiff, double_stiff}}) {
      SCOPED_TRACE(::testing::Message() << length << " C " << model.system.structure().C[0]);
      Radau method{{.tol = 1e-8}};
      State s = model.start;
      ASSERT_EQ(method.start(model.system, s), Status::ok);
      for (const double stop : {1.0 - length, 1.0})
        while (s.t < stop) ASSERT_EQ(method.advance(model.system, stop, s), Status::ok);
      Vec a, lambda;
      ASSERT_EQ(method.multipliers(model.system, s, a, lambda), Status::ok);
      EXPECT_LE(distance(s.v, reference.v), 1e-8);
      EXPECT_LE(distance(lambda, reference.lambda), 1e-7);
    }
  }
}

TEST(RadauAccuracy, OutputInsideStepsFollowsTheTolerance) {
  for (const Problem& p : {double_pendulum(), driven_pendulum(), bead(), damped_pendulum(),
                           double_pendulum_in_angles(), henon_heiles(), rough_hoop()})
    for (const double tol : {1e-4, 1e-7, 1e-10}) {
      SCOPED_TRACE(::testing::Message() << p.name << " tol " << tol);
      Radau method{{.tol = tol}};
      State s = p.start, at = s;
      ASSERT_EQ(method.start(p.system, s), Status::ok);
      double ends = 0.0, inside = 0.0;
      while (s.t < p.T) {
        const double t0 = s.t;
        ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
        const auto error = [&](const State& state) {
          const State exact = p.truth(state.t);
          return (state.q - exact.q).norm() + (state.v - exact.v).norm() / 10;
        };
        ends = std::max(ends, error(s));
        for (const double x : {0.2, 0.5, 0.8}) {
          ASSERT_EQ(method.interpolate(p.system, t0 + x * (s.t - t0), at), Status::ok);
          inside = std::max(inside, error(at));
        }
      }
      EXPECT_LE(ends, 20 * tol);
      EXPECT_LE(inside, 20 * tol);
    }
}

TEST(RadauAccuracy, MultipliersInsideStepsAreTheTensionOfTheRod) {
  const Problem p = pendulum();
  constexpr double m = 1.3, L = 0.8, gravity = 9.81;  // of pendulum()
  for (const double tol : {1e-4, 1e-7, 1e-10}) {
    Radau method{{.tol = tol}};
    State s = p.start, at = s;
    ASSERT_EQ(method.start(p.system, s), Status::ok);
    while (s.t < p.T) {
      const double t0 = s.t;
      ASSERT_EQ(method.advance(p.system, p.T, s), Status::ok);
      for (const double x : {0.2, 0.5, 0.8}) {
        Vec a, lambda;
        ASSERT_EQ(method.interpolate(p.system, t0 + x * (s.t - t0), at), Status::ok);
        ASSERT_EQ(method.multipliers(p.system, at, a, lambda), Status::ok);
        const State exact = p.truth(at.t);
        const double tension = m * (exact.v.squaredNorm() - gravity * exact.q[1]) / L;
        EXPECT_NEAR(lambda[0], tension, 300 * tol) << tol;
      }
    }
  }
}

// Orders ------------------------------------------------------------------------------------------

// Newton's method is solved as far as the tolerance asks for, so constant steps would measure
// where it stops: what is measured is the error over the number of steps as the tolerance falls.
double order(const Problem& p, int stages, const std::vector<double>& tolerances) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const double tol : tolerances) {
    double sum = 0.0;
    Radau method{{.tol = tol, .stages = stages}};
    State s = p.start;
    EXPECT_EQ(method.start(p.system, s), Status::ok);
    for (const double t : {0.4, 0.7, 1.0}) {
      while (s.t < t) EXPECT_EQ(method.advance(p.system, t, s), Status::ok);
      const State exact = p.truth(t);
      sum += (s.q - exact.q).squaredNorm() + (s.v - exact.v).squaredNorm();
    }
    const auto steps = static_cast<double>(method.counters.steps - method.counters.rejected);
    const double lx = std::log(steps), ly = std::log(sum) / 2;
    x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  const auto n = static_cast<double>(tolerances.size());
  return -(n * xy - x * y) / (n * xx - x * x);
}

TEST(RadauConvergence, ErrorsFallWithTheNumberOfStepsAsTheOrderSays) {
  for (const Problem& p : {double_pendulum(), bead(), driven_pendulum(), damped_pendulum()}) {
    SCOPED_TRACE(p.name);
    EXPECT_NEAR(order(p, 1, {1e-2, 1e-3, 1e-4}), 1, 0.15);
    EXPECT_NEAR(order(p, 3, {1e-5, 1e-6, 1e-7, 1e-8}), 5, 0.8);
    EXPECT_NEAR(order(p, 5, {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}), 9, 2);
    EXPECT_GE(order(p, 7, {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}), 11);
  }
}

TEST(RadauConvergence, OrderStaysWhereForcesReadMultipliers) {
  EXPECT_NEAR(order(rough_hoop(), 1, {1e-2, 1e-3, 1e-4}), 1, 0.15);
  EXPECT_NEAR(order(rough_hoop(), 3, {1e-5, 1e-6, 1e-7, 1e-8}), 5, 0.8);
}

// Steps of a linear problem, in which Newton's method makes no error: q'' = -q multiplies v + i q
// by R(ih), R the Padé approximant (s-1, s) of exp, which is of order 2s - 1.
TEST(RadauConvergence, LinearStepsAreThePadeApproximantOfTheirOrder) {
  const System oscillator = from_text(R"toml(
name = "oscillator"
[coordinates]
q = { mass = 1, at = 0.3, velocity = 1 }
[[potential]]
energy = "q^2/2"
)toml")
                                .system;
  struct Case {
    int stages;
    double h;  // errors above rounding, and small enough for the order to be seen
  };
  for (const Case& c : {Case{1, 0.05}, Case{3, 0.5}, Case{5, 1.4}, Case{7, 3.0}}) {
    SCOPED_TRACE(c.stages);
    const auto pade = [&](double h) {
      std::complex<double> numerator = 0.0, denominator = 0.0, power = 1.0;
      const int k = c.stages - 1, j = c.stages;
      // binomials over factorials: N_n = C(k, n) (k + j - n)! / (k + j)!, D_n likewise with -z
      double above = 1.0, below = 1.0;
      for (int n = 0; n <= j; ++n) {
        numerator += above * power;
        denominator += below * (n % 2 == 0 ? power : -power);
        above *= static_cast<double>(k - n) / ((k + j - n) * (n + 1.0));
        below *= static_cast<double>(j - n) / ((k + j - n) * (n + 1.0));
        power *= std::complex<double>{0.0, h};
      }
      return numerator / denominator;
    };
    double error[2];
    for (int n = 0; n < 2; ++n) {
      const double h = c.h / (n + 1);
      Radau method{{.tol = 1e3, .first_step = h, .stages = c.stages}};
      State s{0.0, Vec::Constant(1, 0.3), Vec::Constant(1, 1.0)};
      ASSERT_EQ(method.start(oscillator, s), Status::ok);
      ASSERT_EQ(method.advance(oscillator, 100.0, s), Status::ok);
      ASSERT_EQ(s.t, h);
      const std::complex<double> start{1.0, 0.3}, end{s.v[0], s.q[0]};
      EXPECT_LE(std::abs(end - pade(h) * start), c.stages == 7 ? 2e-13 : 1e-14);
      error[n] = std::abs(end - std::exp(std::complex<double>{0.0, h}) * start);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2 * c.stages, 0.25) << error[1];
  }
}

// Orders 9 and 13 on a nonlinear problem are below the rounding of doubles after few steps: the
// same methods once more with 113 bits, their coefficients found from collocation alone.
__extension__ typedef __float128 Quad;

Quad size_of(Quad x) { return x < 0 ? -x : x; }

struct QuadRadau {
  std::vector<Quad> c;
  std::vector<std::vector<Quad>> A;
};

// c: zeros of the (s-1)-th derivative of x^(s-1) (x-1)^s, by Newton's method from `near`;
// Σ_j a_ij c_j^(k-1) = c_i^k / k
QuadRadau quad_radau(const Vec& near) {
  const auto s = static_cast<std::size_t>(near.size());
  std::vector<Quad> p(s + 1, 1);  // C(s, k) (-1)^(s-k) (k+s-1)!/k!
  for (std::size_t k = 0; k <= s; ++k) {
    for (std::size_t i = 1; i <= k; ++i)
      p[k] = p[k] * static_cast<Quad>(s - k + i) / static_cast<Quad>(i);
    for (std::size_t i = k + 1; i <= k + s - 1; ++i) p[k] *= static_cast<Quad>(i);
    if ((s - k) % 2 == 1) p[k] = -p[k];
  }
  QuadRadau r{.c = std::vector<Quad>(s), .A = std::vector(s, std::vector<Quad>(s))};
  for (std::size_t i = 0; i < s; ++i) {
    Quad x = near[static_cast<Index>(i)];
    for (int n = 0; n < 6; ++n) {
      Quad value = 0, slope = 0;
      for (std::size_t k = s + 1; k-- > 0;) {
        slope = slope * x + value;
        value = value * x + p[k];
      }
      x -= value / slope;
    }
    r.c[i] = x;
  }
  for (std::size_t i = 0; i < s; ++i) {
    std::vector<std::vector<Quad>> V(s, std::vector<Quad>(s + 1));
    for (std::size_t j = 0; j < s; ++j) {
      Quad power = 1;
      for (std::size_t k = 0; k < s; ++k, power *= r.c[j]) V[k][j] = power;
    }
    Quad power = r.c[i];
    for (std::size_t k = 0; k < s; ++k, power *= r.c[i]) V[k][s] = power / static_cast<Quad>(k + 1);
    for (std::size_t k = 0; k < s; ++k) {
      std::size_t pivot = k;
      for (std::size_t n = k; n < s; ++n)
        if (size_of(V[n][k]) > size_of(V[pivot][k])) pivot = n;
      std::swap(V[k], V[pivot]);
      for (std::size_t n = 0; n < s; ++n) {
        if (n == k) continue;
        const Quad factor = V[n][k] / V[k][k];
        for (std::size_t j = k; j <= s; ++j) V[n][j] -= factor * V[k][j];
      }
    }
    for (std::size_t j = 0; j < s; ++j) r.A[i][j] = V[j][s] / V[j][j];
  }
  return r;
}

// q'' = 2 q³ from q = 1/2, q' = 1/4 is q = 1/(2 - t): the error at t = 1
double quad_error(const QuadRadau& r, int steps) {
  using Pair = std::array<Quad, 2>;
  const std::size_t s = r.c.size();
  const Quad h = static_cast<Quad>(1) / static_cast<Quad>(steps);
  Pair y{static_cast<Quad>(0.5), static_cast<Quad>(0.25)};
  for (int n = 0; n < steps; ++n) {
    std::vector<Pair> Y(s, y);
    Quad change = 1;
    for (int k = 0; k < 500 && change > static_cast<Quad>(1e-32); ++k) {
      change = 0;
      for (std::size_t i = 0; i < s; ++i) {
        Pair next = y;
        for (std::size_t j = 0; j < s; ++j) {
          next[0] += h * r.A[i][j] * Y[j][1];
          next[1] += h * r.A[i][j] * 2 * Y[j][0] * Y[j][0] * Y[j][0];
        }
        change += size_of(next[0] - Y[i][0]) + size_of(next[1] - Y[i][1]);
        Y[i] = next;
      }
    }
    EXPECT_LE(static_cast<double>(change), 1e-32);
    y = Y[s - 1];
  }
  return static_cast<double>(size_of(y[0] - 1) + size_of(y[1] - 1));
}

TEST(RadauConvergence, OrdersOnANonlinearProblemInQuadruplePrecision) {
  for (const int stages : {1, 3, 5, 7}) {
    SCOPED_TRACE(stages);
    const ImplicitTableau& table = radau_iia(stages);
    const QuadRadau r = quad_radau(table.c);
    for (Index i = 0; i < stages; ++i) {
      EXPECT_NEAR(table.c[i], static_cast<double>(r.c[static_cast<std::size_t>(i)]), 2e-16);
      for (Index j = 0; j < stages; ++j)
        EXPECT_NEAR(
            table.A(i, j),
            static_cast<double>(r.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]),
            2e-16);
    }
    // order 1 is seen with small steps only
    const int steps = stages == 1 ? 400 : 32;
    EXPECT_NEAR(std::log2(quad_error(r, steps) / quad_error(r, 2 * steps)), 2 * stages - 1, 0.1);
  }
}

// of q, v and lambda inside one step from an exact state
Vec dense_order(const Problem& p, int stages, double h, double tol) {
  Vec error[2];
  for (int k = 0; k < 2; ++k) {
    const double step = h / (k + 1);
    Radau method{{.tol = tol, .first_step = step, .stages = stages}};
    State s = p.start, at = s;
    Vec a, lambda;
    EXPECT_EQ(method.start(p.system, s), Status::ok);
    EXPECT_EQ(method.advance(p.system, p.T, s), Status::ok);
    EXPECT_EQ(s.t, step);
    EXPECT_EQ(method.interpolate(p.system, step / 4, at), Status::ok);
    EXPECT_EQ(method.multipliers(p.system, at, a, lambda), Status::ok);
    const State exact = p.truth(step / 4);
    error[k] = Vec{{(at.q - exact.q).norm(), (at.v - exact.v).norm(),
                    (lambda - resolved_multipliers(p.system, exact)).norm()}};
  }
  return (error[0].array() / error[1].array()).log() / std::log(2.0);
}

TEST(RadauConvergence, DenseOutputIsOneOrderAboveTheStages) {
  struct Case {
    int stages;
    double h, tol;
  };
  for (const Problem& p : {double_pendulum(), bead()})
    for (const Case& c : {Case{1, 4e-3, 1e-4}, Case{3, 0.04, 1e-5}, Case{5, 0.08, 1e-6}}) {
      const Vec orders = dense_order(p, c.stages, c.h, c.tol);
      SCOPED_TRACE(::testing::Message() << p.name << ' ' << c.stages << ": " << orders.transpose());
      EXPECT_GE(orders[0], c.stages + 0.7);
      EXPECT_NEAR(orders[1], c.stages + 1, 0.6);
      EXPECT_NEAR(orders[2], c.stages + 1, 0.6);
    }
}

}  // namespace
}  // namespace taut::test
