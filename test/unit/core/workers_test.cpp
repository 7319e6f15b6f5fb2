// SPDX-License-Identifier: BSD-3-Clause
#include "core/workers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "taut/core/threads.hpp"

namespace taut {
namespace {

// the sum of 0 .. 999, by all threads
int sum() {
  std::atomic<int> total = 0;
  share_work(1000, [&](int k) { total += k; });
  return total;
}

// how many threads come to help within a second
std::size_t helpers() {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  share_work(4, [&](int) {
    std::unique_lock lock{mutex};
    seen.insert(std::this_thread::get_id());
    for (int n = 0; n < 1000 && seen.size() < 2; ++n) {
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
      lock.lock();
    }
  });
  return seen.size();
}

class Workers : public ::testing::Test {
 protected:
  void SetUp() override { use_threads(4); }
  void TearDown() override { use_threads(0); }

  // the exit code of a child that does this; 99 where it had to be ended
  static int in_child(int (*work)()) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      std::exit(work());  // with destructors: the pool of the parent must not be waited for
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
  }
};

TEST_F(Workers, DoEveryPieceOnce) {
  EXPECT_EQ(sum(), 499500);
  EXPECT_GE(helpers(), 2U);
}

TEST_F(Workers, AreThereAgainInAChildOfTheProcess) {
  ASSERT_EQ(sum(), 499500);
  EXPECT_EQ(in_child([] { return sum() == 499500 && helpers() >= 2 ? 0 : 1; }), 0);
  EXPECT_EQ(in_child([] { return 0; }), 0);  // no work there
  EXPECT_EQ(in_child([] {                    // nor in its own child
              return in_child([] { return sum() == 499500 ? 0 : 1; }) == 0 && sum() == 499500 ? 0
                                                                                              : 1;
            }),
            0);
  EXPECT_EQ(sum(), 499500);  // and the parent's are still at work
}

TEST_F(Workers, AreThereInAChildThatIsMadeWhileTheyWork) {
  std::atomic<bool> stop = false;
  std::thread busy{[&] {
    while (!stop) (void)sum();
  }};
  for (int n = 0; n < 10; ++n) EXPECT_EQ(in_child([] { return sum() == 499500 ? 0 : 1; }), 0);
  stop = true;
  busy.join();
}

}  // namespace
}  // namespace taut
