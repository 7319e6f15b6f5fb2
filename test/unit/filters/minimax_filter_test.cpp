// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "filters/filter.hpp"

namespace taut::test {
namespace {

constexpr double pi = std::numbers::pi;

bool says(const FilterChoice& choice, const char* words) {
  return choice.reason.find(words) != std::string::npos;
}

/// Values of R at its extrema in [low, π], ends included: zeros of R' by bisection.
std::vector<double> extrema(const Filter& filter, double low) {
  const auto slope = [&](double theta) {
    double sum = 0.0;
    for (int j = 1; j <= filter.steps(); ++j)
      sum -= 2 * j * filter.weights()[j] * std::sin(j * theta);
    return sum;
  };
  std::vector<double> found{filter.response(low)};
  const int n = 40 * filter.steps();
  for (int i = 0; i + 1 < n; ++i) {  // the last zero, at π, is the end
    double a = low + (pi - low) * i / n, b = low + (pi - low) * (i + 1) / n;
    const double at_a = slope(a);
    if (at_a * slope(b) >= 0.0) continue;
    for (int k = 0; k < 50; ++k) {
      const double middle = (a + b) / 2;
      (slope(middle) * at_a > 0.0 ? a : b) = middle;
    }
    found.push_back(filter.response(a));
  }
  found.push_back(filter.response(pi));
  return found;
}

// The certificate of the best approximation: max |R| is taken N - m + 2 times, signs alternating.
TEST(MinimaxFilter, Equioscillates) {
  struct Case {
    double ratio;
    int mu, N;
  };
  for (const Case& c : {Case{1.0, 1, 4},
                        {1.0, 3, 4},
                        {2.7, 3, 10},
                        {2.7, 5, 14},
                        {2.7, 7, 17},
                        {2.7, 7, 4},
                        {10.0, 5, 60},
                        {10.0, 15, 140},
                        {30.0, 3, 170}}) {
    SCOPED_TRACE(::testing::Message() << c.ratio << " mu " << c.mu << " N " << c.N);
    const FilterChoice choice = minimax_filter({1.0, c.ratio}, c.mu, c.N);
    ASSERT_EQ(choice.status, Status::ok) << choice.reason;
    EXPECT_EQ(choice.filter.steps(), c.N);
    EXPECT_EQ(choice.filter.mu(), c.mu);
    EXPECT_DOUBLE_EQ(choice.step * c.ratio, largest_turn);
    const auto R = extrema(choice.filter, verlet_angle(choice.step));
    ASSERT_EQ(static_cast<int>(R.size()), c.N - (c.mu + 1) / 2 + 2);
    for (std::size_t i = 0; i < R.size(); ++i) {
      EXPECT_NEAR(std::abs(R[i]), choice.damping, 1e-10 * choice.damping + 1e-15) << i;
      if (i > 0) {
        EXPECT_LT(R[i] * R[i - 1], 0.0) << i;
      }
    }
  }
}

TEST(MinimaxFilter, IsChebyshevsPolynomialForOneMoment) {
  const Band band{1.0, 3.0};
  for (const int N : {1, 2, 5, 9}) {
    const FilterChoice choice = minimax_filter(band, 1, N);
    const double a = std::pow(choice.step / 2, 2);
    // T_N of what maps [a, 1] to [-1, 1], over its value at 0
    const auto mapped = [&](double y) { return (2 * y - 1 - a) / (1 - a); };
    const double at_zero = std::cosh(N * std::acosh(-mapped(0.0)));
    EXPECT_NEAR(choice.damping, 1.0 / at_zero, 1e-15);
    for (int i = 0; i <= 10; ++i) {
      const double y = a + (1 - a) * i / 10;
      const double T = std::cos(N * std::acos(mapped(y))) * (N % 2 == 0 ? 1 : -1);
      EXPECT_NEAR(choice.filter.response(2 * std::asin(std::sqrt(y))), T / at_zero, 1e-14);
    }
  }
}

// Weights of an earlier study, levelled to 2e-5: |R| there may be larger by that, not smaller.
TEST(MinimaxFilter, AgreesWithKnownWeights) {
  struct Known {
    int mu;
    Vec weights;
  };
  const std::array<Known, 3> list{
      Known{3, Vec{{0.147432450889807, 0.140938365093977, 0.122680739622537, 0.096028300965546,
                    0.065668122361834, 0.036495480345555, 0.012530821769506, -0.003849481828698,
                    -0.012189357671496, -0.013713817291785, -0.018305398811880}}},
      Known{5, Vec{{0.158612152794330, 0.151139016978248, 0.130155706483829, 0.099612881913631,
                    0.065005529610585, 0.032067114289500, 0.005490140459951, -0.011988788542540,
                    -0.019926121917114, -0.019899279986755, -0.014769296403507, -0.007741013209193,
                    -0.001510396708509, 0.002277336563298, 0.010781094071411}}},
      Known{7, Vec{{0.169135293939258, 0.160470736652383, 0.136226818925820, 0.101202768066278,
                    0.062031344944012, 0.025549372821376, -0.002782245174542, -0.019980862028159,
                    -0.025903272761183, -0.022836106336926, -0.014511377728543, -0.004891534142226,
                    0.002903372141072, 0.007247180165283, 0.008121215358658, 0.006762325745268,
                    0.005046815103832, -0.009224198722034}}}};
  for (const Known& known : list) {
    const int N = static_cast<int>(known.weights.size()) - 1;
    const FilterChoice choice = minimax_filter({0.6, 1.85 / 1.15}, known.mu, N);
    EXPECT_NEAR(choice.step, 1.15, 1e-15);
    EXPECT_LT((choice.filter.weights() - known.weights).cwiseAbs().maxCoeff(), 5e-8) << known.mu;
    const Filter before{known.weights, "known"};
    EXPECT_EQ(before.mu(), known.mu);
    const double low = verlet_angle(0.6 * 1.15);
    const double ours = choice.filter.worst_response(low, pi),
                 theirs = before.worst_response(low, pi);
    EXPECT_LE(ours, theirs);
    EXPECT_GT(ours, theirs * (1.0 - 3e-5));
  }
}

// Steps each way for max |R| <= target over [1, ratio], of an earlier study.
TEST(MinimaxFilter, NeedsTheKnownNumbersOfSteps) {
  struct Known {
    double ratio, target;
    std::array<int, 3> steps;  // μ = 3, 5, 7
  };
  const std::vector<Known> table{
      {1.0, 0.036, {3, 4, 5}},      {1.0, 0.01, {3, 5, 6}},      {1.0, 1e-3, {4, 6, 7}},
      {1.5, 0.036, {5, 7, 9}},      {1.5, 0.01, {6, 8, 10}},     {1.5, 1e-3, {8, 10, 12}},
      {2.0, 0.036, {7, 10, 12}},    {2.0, 0.01, {9, 11, 14}},    {2.0, 1e-3, {11, 14, 17}},
      {2.618, 0.036, {10, 13, 16}}, {2.618, 0.01, {12, 15, 19}}, {2.618, 1e-3, {15, 19, 23}},
      {4.0, 0.036, {15, 20, 25}},   {4.0, 0.01, {18, 23, 28}},   {4.0, 1e-3, {23, 29, 35}}};
  for (const Known& known : table)
    for (std::size_t i = 0; i < 3; ++i) {
      const int mu = 3 + 2 * static_cast<int>(i);
      const FilterChoice choice = minimax_filter({7.0, 7.0 * known.ratio}, mu, known.target);
      SCOPED_TRACE(::testing::Message() << known.ratio << " " << known.target << " mu " << mu);
      ASSERT_EQ(choice.status, Status::ok) << choice.reason;
      EXPECT_EQ(choice.filter.steps(), known.steps[i]);
      EXPECT_LE(choice.damping, known.target);
      // one step less does not do, and rounding is not made worse
      const FilterChoice less = minimax_filter(choice.band, mu, known.steps[i] - 1);
      EXPECT_GT(less.damping, known.target);
      EXPECT_GT(choice.filter.absolute_sum(), 1.1);
      EXPECT_LT(choice.filter.absolute_sum(), 1.8);
    }
}

TEST(MinimaxFilter, KeepsItsMomentsToRounding) {
  for (const int mu : {1, 3, 7, 13})
    for (const int N : {7, 8, 31, 90}) {
      const Filter filter = minimax_filter({1.0, N / 4.0}, mu, N).filter;
      EXPECT_NEAR(filter.moment(0), 1.0, 1e-15);
      for (int k = 2; k < mu; k += 2) {
        long double size = 0;
        for (int j = 1; j <= filter.steps(); ++j)
          size += 2 * std::abs(filter.weights()[j]) * std::pow(static_cast<long double>(j), k);
        EXPECT_LE(std::abs(filter.moment(k)), 1e-15L * size) << mu << " " << N << " " << k;
      }
    }
}

TEST(MinimaxFilter, TreatsBandsOfAFactorOfFifty) {
  const FilterChoice choice = minimax_filter({1.0, 50.0}, 3, 1e-2);
  ASSERT_EQ(choice.status, Status::ok) << choice.reason;
  EXPECT_LE(choice.damping, 1e-2);
  // steps grow in proportion to the band
  const int tenth = minimax_filter({1.0, 5.0}, 3, 1e-2).filter.steps();
  EXPECT_NEAR(choice.filter.steps(), 10 * tenth, 5);
}

TEST(MinimaxFilter, DoesNotDependOnTheUnitOfTime) {
  const FilterChoice slow = minimax_filter({1.0, 2.0}, 5, 12),
                     fast = minimax_filter({1e8, 2e8}, 5, 12);
  EXPECT_LT((slow.filter.weights() - fast.filter.weights()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_DOUBLE_EQ(fast.step, 1e-8 * slow.step);
}

TEST(MinimaxFilter, StopsWhereNothingIsLeftToDamp) {
  const FilterChoice few = minimax_filter({1.0, 1.0}, 3, finest_damping);
  for (const int N : {12, 40, 300}) {
    const FilterChoice many = minimax_filter({1.0, 1.0}, 3, N);
    ASSERT_EQ(many.status, Status::ok) << many.reason;
    EXPECT_EQ(many.filter.steps(), few.filter.steps()) << N;
    EXPECT_LE(many.damping, finest_damping);
  }
}

TEST(MinimaxFilter, NamesWhatIsWrong) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(says(minimax_filter({0.0, 1.0}, 3, 0.01), "must be positive"));
  EXPECT_TRUE(says(minimax_filter({1.0, 0.5}, 3, 9), "ends before it begins"));
  EXPECT_TRUE(says(minimax_filter({1.0, inf}, 3, 0.01), "not finite"));
  for (const int mu : {-1, 0, 2, 17})
    EXPECT_TRUE(says(minimax_filter({1.0, 2.0}, mu, 0.01), ("mu = " + std::to_string(mu)).c_str()));
  for (const double damping : {0.0, -1.0, 1.0, 1e-12, std::nan("")})
    EXPECT_TRUE(says(minimax_filter({1.0, 2.0}, 3, damping), "a damping of")) << damping;
  EXPECT_TRUE(says(minimax_filter({1.0, 2.0}, 7, 3), "4 to 500 are possible"));
  EXPECT_TRUE(says(minimax_filter({1.0, 2.0}, 7, 501), "4 to 500 are possible"));
  EXPECT_TRUE(says(minimax_filter({1.0, 50.0}, 9, 15), "no filter with 15 steps"));
  const FilterChoice wide = minimax_filter({1.0, 1000.0}, 3, 1e-2);
  EXPECT_EQ(wide.status, Status::not_supported);
  EXPECT_TRUE(says(wide, "too wide")) << wide.reason;
  EXPECT_TRUE(says(wide, "steps each way are needed, 500 are the most")) << wide.reason;
  EXPECT_EQ(wide.filter.steps(), 0);
  EXPECT_EQ(minimax_filter({1e-12, 1.0}, 3, 1e-2).status, Status::not_supported);
}

}  // namespace
}  // namespace taut::test
