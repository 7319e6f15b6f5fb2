// SPDX-License-Identifier: BSD-3-Clause
// Runs that go on from a checkpoint: their counts, and checkpoints that somebody has made up.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gallery.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;
using test::gallery;

class Resumed : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "taut-resume-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    file_ = (folder_ / "checkpoint.bin").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The run that ends after so many steps (0: at its end), or goes on from where it ended.
  [[nodiscard]] Result after(Plan plan, std::int64_t steps, bool resume) const {
    EXPECT_EQ(plan.keep_checkpoints(file_, 3600.0, resume), "");
    (plan.curve ? plan.curve->options.max_steps : plan.run.max_steps) = steps;
    return simulate(std::move(plan));
  }

  fs::path folder_;
  std::string file_;
};

// Hidden evaluations are those of the micro-simulations; starting anew makes some that nobody asked
// for.
TEST_F(Resumed, AveragedRunsCountAsIfTheyHadNotBeenInterrupted) {
  for (const char* const method : {"dop853", "rk4"}) {
    SCOPED_TRACE(method);
    SimulationOptions options{.until = 0.5, .reading = Reading::averaged(), .method = method};
    if (std::string_view{method} == "rk4") options.step = 0.01;
    const Plan planned = plan(gallery("inverted_pendulum"), options);
    const Result whole = simulate(planned);
    ASSERT_TRUE(whole.good()) << whole.summary.message;
    ASSERT_GT(whole.summary.counters.steps, 8);
    ASSERT_GT(whole.summary.reading_evaluations, 0);
    ASSERT_EQ(after(planned, 3, false).summary.status, Status::step_limit);
    ASSERT_EQ(after(planned, 7, true).summary.status, Status::step_limit);
    const Result parts = after(planned, 0, true);
    ASSERT_TRUE(parts.good()) << parts.summary.message;
    EXPECT_EQ(parts.summary.state.q, whole.summary.state.q);
    EXPECT_EQ(parts.summary.counters.steps, whole.summary.counters.steps);
    EXPECT_EQ(parts.summary.counters.rejected, whole.summary.counters.rejected);
    EXPECT_EQ(parts.summary.counters.force_evaluations, whole.summary.counters.force_evaluations);
    EXPECT_EQ(parts.summary.reading_evaluations, whole.summary.reading_evaluations);
    EXPECT_EQ(parts.summary.output_evaluations, whole.summary.output_evaluations);
  }
}

/// An archive as bytes, of which single items are replaced (taut/core/archive.hpp has its layout).
class Forgery {
 public:
  explicit Forgery(std::string bytes) : bytes_{std::move(bytes)} {
    const std::size_t end = bytes_.size() - 8;
    for (std::size_t at = 16; at < end;) {
      const std::size_t begin = at;
      const char kind = bytes_[at++];
      if (kind == real || kind == integer) at += 8;
      if (kind == boolean) at += 1;
      if (kind == text || kind == tag) at += 8 + word(at);
      if (kind == reals) at += 8 + 8 * word(at);
      if (kind == integers) at += 8;  // they are items themselves
      if (kind != text && kind != tag) items_.push_back({begin, at, kind});
    }
  }

  [[nodiscard]] std::size_t items() const { return items_.size(); }

  /// With another value or another length of one item, and all that belongs to it.
  [[nodiscard]] std::string changed(std::size_t item, std::mt19937& random) const {
    const auto [begin, end, kind] = items_[item];
    const auto any = [&](const auto& list) {
      return list[std::uniform_int_distribution<std::size_t>{0, std::size(list) - 1}(random)];
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    std::string now;
    if (kind == real) {
      now = spelled(std::bit_cast<std::uint64_t>(
          any(std::array{0.0, -1.0, 1e-310, 1e308, infinity, -infinity, nan})));
    } else if (kind == integer) {
      now = spelled(static_cast<std::uint64_t>(
          any(std::array<std::int64_t, 7>{0, 1, 2, -1, 1 << 20, 1LL << 40, 1LL << 62})));
    } else if (kind == boolean) {
      now = std::string(1, bytes_[begin + 1] == 0 ? '\1' : '\0');
    } else if (kind == reals) {
      const std::size_t count = word(begin + 1);
      const std::size_t size =
          any(std::array<std::size_t, 5>{0, 1, count + 1, 2 * count + 3, count + 1000});
      std::string numbers = bytes_.substr(begin + 9, 8 * count);
      numbers.resize(8 * size);
      now = spelled(size) + numbers;
    } else {
      const std::size_t more = any(std::array<std::size_t, 2>{1, 50});
      now = spelled(word(begin + 1) + more);
      for (std::size_t k = 0; k < more; ++k) now += '\2' + spelled(any(std::array{0, 7, 1 << 30}));
    }
    std::string result = bytes_;
    result.replace(begin + 1, end - begin - 1, now);
    return sealed(std::move(result));
  }

 private:
  enum Kind : char { real = 1, integer, boolean, text, reals, integers, tag };
  struct Item {
    std::size_t begin, end;
    char kind;
  };

  [[nodiscard]] std::size_t word(std::size_t at) const {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < 8; ++k)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[at + k])} << (8 * k);
    return value;
  }
  static std::string spelled(std::uint64_t value) {
    std::string bytes;
    for (int k = 0; k < 8; ++k) bytes += static_cast<char>(value >> (8 * k));
    return bytes;
  }
  // with the length and the hash that belong to it
  static std::string sealed(std::string bytes) {
    bytes.resize(bytes.size() - 8);
    bytes.replace(8, 8, spelled(bytes.size() - 16));
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x00000100000001b3;
    return bytes + spelled(hash);
  }

  std::string bytes_;
  std::vector<Item> items_;
};

// A sum that fits is no proof: what was made up is refused or computed with, and nothing breaks.
TEST_F(Resumed, ForgedCheckpointsNeverBreakAnything) {
  struct Case {
    const char *model, *method;
    std::optional<Reading> reading = {};
  };
  std::mt19937 random{20260117};
  int refused = 0, believed = 0;
  for (const auto& [model, method, reading] :
       {Case{"stiff_double_pendulum", "radau"}, Case{"stiff_double_pendulum", "auto"},
        Case{"double_pendulum", "rattle"}, Case{"double_pendulum", "dop853"},
        Case{"double_pendulum", "projected-rk"}, Case{"pendulum", "gauss-newton"},
        Case{"pendulum_dae", ""}, Case{"warm_trimer", ""}, Case{"../test/cases/coulomb", ""},
        Case{"vibrated_double_pendulum", "", Reading::averaged()}}) {
    SCOPED_TRACE(std::string{model} + " " + method);
    SimulationOptions options{.error_estimate = false};
    options.method = method;
    options.reading = reading;
    const Plan planned = plan(gallery(model), options);
    static_cast<void>(after(planned, 9, false));
    std::ifstream in{file_, std::ios::binary};
    const Forgery forgery{std::string{std::istreambuf_iterator<char>{in}, {}}};
    ASSERT_GT(forgery.items(), 40u);
    for (std::size_t item = 0; item < forgery.items(); ++item)
      for (int k = 0; k < 2; ++k) {
        fs::remove(file_);
        std::ofstream{file_, std::ios::binary} << forgery.changed(item, random);
        Plan again = planned;
        if (!again.keep_checkpoints(file_, 3600.0, true).empty()) {
          ++refused;
          continue;
        }
        (again.curve ? again.curve->options.max_steps : again.run.max_steps) = 12;
        (again.curve ? again.curve->options.max_seconds : again.run.max_seconds) = 0.1;
        const Result run = simulate(std::move(again));
        const SummaryCore& said = run.curve ? static_cast<const SummaryCore&>(run.curve->summary)
                                            : static_cast<const SummaryCore&>(run.summary);
        const bool damaged = said.status == Status::invalid_argument;
        ++(damaged ? refused : believed);
        EXPECT_EQ(said.message.find("is damaged") != std::string::npos, damaged) << said.message;
      }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(believed, 100);
}

}  // namespace
}  // namespace taut
