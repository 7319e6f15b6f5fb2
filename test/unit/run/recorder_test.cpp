// SPDX-License-Identifier: BSD-3-Clause
#include "run/recorder.hpp"

#include <gtest/gtest.h>

#include "taut/run/motion.hpp"

namespace taut {
namespace {

// the step numbers that are left after a run of N steps
std::vector<double> kept(std::int64_t max_rows, std::int64_t N, std::int64_t expected) {
  Recorder recorder{max_rows, expected};
  Motion motion;
  motion.coordinates = {"x"};
  motion.velocities = {"v"};
  Frame frame;
  frame.state.q.resize(1);
  frame.state.v.resize(1);
  for (std::int64_t n = 0; n <= N; ++n) {
    if (!recorder.wants(n)) continue;
    frame.state.t = static_cast<double>(n);
    frame.state.q[0] = 10.0 * frame.state.t;
    frame.state.v[0] = -frame.state.t;
    motion.append(frame);
    recorder.appended(motion);
  }
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    EXPECT_EQ(motion.q[row], 10.0 * motion.t[row]);
    EXPECT_EQ(motion.v[row], -motion.t[row]);
  }
  EXPECT_EQ(motion.q.size(), motion.rows());
  return motion.t;
}

TEST(Recorder, KeepsEverythingThatFits) {
  EXPECT_EQ(kept(5, 4, 0), (std::vector<double>{0, 1, 2, 3, 4}));
}

TEST(Recorder, HalvesWhenFull) {
  EXPECT_EQ(kept(5, 5, 0), (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(kept(5, 8, 0), (std::vector<double>{0, 2, 4, 6, 8}));
  EXPECT_EQ(kept(5, 10, 0), (std::vector<double>{0, 4, 8}));
}

TEST(Recorder, IsEvenAndBoundedForEveryLength) {
  for (const std::int64_t max_rows : {2, 3, 7, 16, 100})
    for (std::int64_t N = 0; N < 700; N += 13) {
      const auto t = kept(max_rows, N, 0);
      ASSERT_GE(t.size(), 1u);
      EXPECT_LE(static_cast<std::int64_t>(t.size()), max_rows);
      for (std::size_t k = 1; k < t.size(); ++k)
        EXPECT_EQ(t[k], static_cast<double>(k) * t[1]) << max_rows << ' ' << N;
      if (N >= max_rows) {
        EXPECT_GE(static_cast<std::int64_t>(2 * t.size()), max_rows);
      }
    }
}

TEST(Recorder, KnowingTheLengthChangesNothing) {
  for (const std::int64_t max_rows : {2, 5, 16, 33})
    for (std::int64_t N = 0; N < 300; ++N) EXPECT_EQ(kept(max_rows, N, N), kept(max_rows, N, 0));
}

}  // namespace
}  // namespace taut
