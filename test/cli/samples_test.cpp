// SPDX-License-Identifier: BSD-3-Clause
// taut sweep of drawn runs, and by many processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class SamplesCommand : public testing::Test {
 protected:
  Ended taut(std::vector<std::string> words) {
    words.insert(words.begin(), {"sweep", thrown()});
    return run(folder_, words);
  }
  std::string thrown() const {
    write(folder_ / "thrown.toml", R"toml(
name = "thrown"
[parameters]
g = 10
[coordinates]
x = { mass = 1, at = 0, velocity = 5 }
[[force]]
on = "x"
value = "-g"
[[event]]
name = "back"
zero = "x"
[run]
until = 1.5
)toml");
    return "thrown.toml";
  }
  std::vector<std::string> drawn(std::vector<std::string> further) const {
    std::vector<std::string> words{"--sample",  "200",    "--distribution", "g=uniform(5,10)",
                                   "--measure", "end(x)", "--sampling",     "sobol"};
    words.insert(words.end(), further.begin(), further.end());
    return words;
  }
  const TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

// x = 5 t - g t^2/2 is 0 at t = 10/g, before 1.5 where g > 20/3: two thirds of the runs.
TEST_F(SamplesCommand, FindsClosedForms) {
  const Ended e =
      taut({"--sample", "4096", "--distribution", "g=uniform(5,10)", "--sampling", "sobol",
            "--measure", "end(x)", "--probability", "event(back)", "--probability", "end(x) < 0",
            "--json", "--format", "csv,h5", "--quantiles", "0.25"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json j = Json::parse(e.out);
  EXPECT_EQ(j["kind"], "samples");
  const Json& m = j["measures"][0];
  const double mean = 7.5 - 7.5 * 2.25 / 2;
  EXPECT_NEAR(m["mean"]["value"].get<double>(), mean, 0.01);
  EXPECT_LT(m["mean"]["low"].get<double>(), mean);
  EXPECT_GT(m["mean"]["high"].get<double>(), mean);
  EXPECT_NEAR(m["quantiles"][0]["value"].get<double>(), 7.5 - 8.75 * 2.25 / 2, 0.05);
  for (const Json& p : j["probabilities"])
    EXPECT_NEAR(p["value"].get<double>(), 2.0 / 3, 0.01) << p["text"];
  const fs::path out = folder_ / "out" / "thrown";
  for (const char* file : {"sweep.csv", "sweep.h5", "sweep.html", "sweep.runs"})
    EXPECT_TRUE(fs::exists(out / file)) << file;
  EXPECT_LT(fs::file_size(out / "sweep.html"), 5'000'000U);
}

TEST_F(SamplesCommand, ShardsTogetherAreTheSameBytes) {
  ASSERT_EQ(taut(drawn({"--quiet", "--out", "whole"})).exit, 0);
  const Ended early = taut(drawn({"--merge", "--out", "parts"}));
  EXPECT_EQ(early.exit, 1);
  for (const char* shard : {"2/3", "3/3"})
    ASSERT_EQ(taut(drawn({"--shard", shard, "--quiet", "--out", "parts"})).exit, 0);
  const Ended missing = taut(drawn({"--merge", "--out", "parts"}));
  EXPECT_EQ(missing.exit, 1);
  EXPECT_NE(missing.err.find("run 0 is the first that is not"), std::string::npos) << missing.err;
  ASSERT_EQ(taut(drawn({"--shard", "1/3", "--quiet", "--out", "parts"})).exit, 0);
  const Ended merged = taut(drawn({"--merge", "--quiet", "--out", "parts"}));
  EXPECT_EQ(merged.exit, 0) << merged.err;
  for (const char* file : {"sweep.csv", "sweep.runs"})
    EXPECT_EQ(read(folder_ / "whole" / file), read(folder_ / "parts" / file)) << file;

  const Ended other = taut({"--sample", "200", "--distribution", "g=uniform(5,11)", "--measure",
                            "end(x)", "--sampling", "sobol", "--merge", "--out", "parts"});
  EXPECT_EQ(other.exit, 1);
  EXPECT_NE(other.err.find("another sweep"), std::string::npos) << other.err;
}

TEST_F(SamplesCommand, AMergeWithoutPartsLeavesWhatIsThere) {
  ASSERT_EQ(taut(drawn({"--quiet", "--out", "whole"})).exit, 0);
  const std::string before = read(folder_ / "whole" / "sweep.runs");
  const Ended e = taut(drawn({"--merge", "--out", "whole"}));
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("no parts of a sweep"), std::string::npos) << e.err;
  EXPECT_EQ(read(folder_ / "whole" / "sweep.runs"), before);
  // nor does one with parts that are missing take anything away
  ASSERT_EQ(taut(drawn({"--shard", "1/3", "--quiet", "--out", "whole"})).exit, 0);
  EXPECT_EQ(taut(drawn({"--merge", "--out", "whole"})).exit, 1);
  EXPECT_EQ(read(folder_ / "whole" / "sweep.runs"), before);
}

class InterruptedSamples : public SamplesCommand {
 protected:
  std::vector<std::string> many(std::vector<std::string> further) const {
    std::vector<std::string> words{"sweep",          gallery("double_pendulum.toml"),
                                   "--sample",       "20000",
                                   "--distribution", "g=uniform(5,10)",
                                   "--measure",      "end(bob1.x)",
                                   "--out",          "here"};
    words.insert(words.end(), further.begin(), further.end());
    return words;
  }
  /// Stops a sweep by a signal when its file has grown to this size.
  Ended stopped(const std::vector<std::string>& words, int signal) const {
    Running running{folder_, words};
    std::error_code none_yet;
    for (int k = 0; k < 4000; ++k) {
      const auto size = fs::file_size(runs_, none_yet);
      if (!none_yet && size > 3000) break;
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    running.send(signal);
    return running.wait();
  }
  const fs::path runs_ = folder_ / "here" / "sweep.runs";
};

TEST_F(InterruptedSamples, CtrlCWritesTheResultsOfWhatIsDone) {
  const Ended e = stopped(many({"--json"}), SIGINT);
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("--resume does the others"), std::string::npos) << e.err;
  const Json j = Json::parse(e.out);
  EXPECT_EQ(j["status"], "cancelled");
  const auto finished = j["finished"].get<std::size_t>();
  EXPECT_GT(finished, 10U);
  EXPECT_LT(finished, 20000U);
  EXPECT_EQ(j["measures"][0]["count"], finished);
  const std::string csv = read(folder_ / "here" / "sweep.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<long>(finished) + 1);
  EXPECT_TRUE(fs::exists(folder_ / "here" / "sweep.html"));
}

TEST_F(InterruptedSamples, KilledAreThereWhenAnotherSweepBegins) {
  ASSERT_EQ(stopped(many({}), SIGKILL).signal, SIGKILL);
  const std::string before = read(runs_);
  ASSERT_GT(before.size(), 3000U);
  const Ended over =
      run(folder_, {"sweep", gallery("double_pendulum.toml"), "--sample", "20", "--distribution",
                    "g=uniform(5,10)", "--measure", "t", "--out", "here"});
  EXPECT_EQ(over.exit, 0) << over.err;
  EXPECT_NE(over.err.find("sweep.runs.before"), std::string::npos) << over.err;
  EXPECT_EQ(read(folder_ / "here" / "sweep.runs.before"), before);
  // that of a complete one is replaced without a word
  const Ended again =
      run(folder_, {"sweep", gallery("double_pendulum.toml"), "--sample", "20", "--distribution",
                    "g=uniform(5,9)", "--measure", "t", "--out", "here"});
  EXPECT_EQ(again.err, "");
}

TEST_F(SamplesCommand, ShardsOfAGridGiveTheTableOfOneProcess) {
  const std::vector<std::string> grid{"--vary", "g=-1:10:150", "--measure", "end(sqrt(x))",
                                      "--quiet"};
  const auto with = [&](std::vector<std::string> further) {
    further.insert(further.begin(), grid.begin(), grid.end());
    return taut(further);
  };
  ASSERT_EQ(with({"--out", "whole"}).exit, 0);
  for (const char* shard : {"1/2", "2/2"})
    ASSERT_EQ(with({"--shard", shard, "--out", "parts"}).exit, 0);
  const Ended merged = with({"--merge", "--out", "parts"});
  ASSERT_EQ(merged.exit, 0) << merged.err;
  EXPECT_EQ(read(folder_ / "whole" / "sweep.csv"), read(folder_ / "parts" / "sweep.csv"));
}

TEST_F(SamplesCommand, RanksTogetherAreTheSameBytes) {
  if (!TAUT_TEST_MPI || shell(folder_, "command -v mpirun").exit != 0)
    GTEST_SKIP() << "there is no MPI";
  ASSERT_EQ(taut(drawn({"--quiet", "--out", "whole"})).exit, 0);
  const auto ranks = [&](int count, const std::string& further) {
    std::string line =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
        "--oversubscribe -n " +
        std::to_string(count) + " \"$TAUT\" sweep thrown.toml --out ranks --quiet";
    for (const std::string& word : drawn({})) line += " '" + word + "'";
    return shell(folder_, line + further).exit;
  };
  ASSERT_EQ(ranks(3, ""), 0);
  for (const char* file : {"sweep.csv", "sweep.runs"})
    EXPECT_EQ(read(folder_ / "whole" / file), read(folder_ / "ranks" / file)) << file;
  EXPECT_FALSE(fs::exists(folder_ / "ranks" / "sweep-rank-1.runs"));
  EXPECT_FALSE(fs::exists(folder_ / "ranks" / "sweep-rank-1.runs.texts"));

  // as if killed: what two ranks had is taken up by others
  const fs::path out = folder_ / "ranks";
  fs::rename(out / "sweep.runs", out / "sweep-rank-1.runs");
  fs::resize_file(out / "sweep-rank-1.runs", fs::file_size(out / "sweep-rank-1.runs") / 2);
  ASSERT_EQ(ranks(2, " --resume"), 0);
  EXPECT_EQ(read(folder_ / "whole" / "sweep.runs"), read(out / "sweep.runs"));

  // without --resume they are put aside
  fs::copy_file(out / "sweep.runs", out / "sweep-rank-1.runs");
  fs::resize_file(out / "sweep-rank-1.runs", fs::file_size(out / "sweep-rank-1.runs") / 2);
  const std::string half = read(out / "sweep-rank-1.runs");
  ASSERT_EQ(ranks(2, ""), 0);
  EXPECT_EQ(read(out / "sweep-rank-1.runs.before"), half);
}

TEST_F(SamplesCommand, EnsemblesAreWrittenAndTold) {
  static_cast<void>(thrown());
  const std::vector<std::string> words{"run",    "thrown.toml", "--ensemble",     "64",
                                       "--out",  "here",        "--distribution", "g=uniform(5,10)",
                                       "--set",  "g=7",         "--until",        "0.5",
                                       "--json", "--format",    "csv,h5,json"};
  const Ended both = run(folder_, words);
  EXPECT_EQ(both.exit, 0) << both.err;
  const Json j = Json::parse(both.out);
  EXPECT_EQ(j["kind"], "ensemble");
  EXPECT_EQ(j["finished"], 64);
  // x = 5 t - g t^2/2
  const Json& x = j["columns"][0];
  EXPECT_GE(x["least"].back().get<double>(), 2.5 - 10 * 0.125);
  EXPECT_LE(x["greatest"].back().get<double>(), 2.5 - 5 * 0.125);
  for (const char* file : {"ensemble.csv", "ensemble.h5", "ensemble.json", "ensemble.html"})
    EXPECT_TRUE(fs::exists(folder_ / "here" / file)) << file;
  const std::string csv = read(folder_ / "here" / "ensemble.csv");
  EXPECT_EQ(csv.find("t,runs,apart,x,x deviation,x least,x greatest,x 5 %"), 0U)
      << csv.substr(0, 80);

  const Ended wrong =
      run(folder_, {"run", "thrown.toml", "--spread", "1", "--distribution", "what"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("is for --ensemble N"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("is none of projected-rk"), std::string::npos) << wrong.err;
}

TEST_F(SamplesCommand, RefusesMistakes) {
  const auto said = [&](std::vector<std::string> words, const std::string& what) {
    const Ended e = taut(std::move(words));
    EXPECT_EQ(e.exit, 2) << what;
    EXPECT_NE(e.err.find(what), std::string::npos) << e.err;
  };
  said({"--sample", "10", "--measure", "t"}, "nothing is distributed");
  said({"--sample", "10", "--distribution", "g=normal(1,1)"}, "nothing is asked of the runs");
  said({"--sample", "10", "--distribution", "gg=normal(1,1)", "--measure", "t"},
       "there is no parameter or input 'gg'");
  said({"--sample", "10", "--distribution", "start(y)=normal(1,1)", "--measure", "t"},
       "there is no coordinate or velocity 'y'");
  said(drawn({"--vary", "g=1:2:3"}), "is not for drawn runs");
  said(drawn({"--probability", "end(x) > much"}), "is no condition");
  said(drawn({"--shard", "4/3"}), "is no part of several");
  said({"--vary", "g=1:2:3", "--measure", "t", "--indices"}, "is for drawn runs");
  said({"--measure", "t"}, "nothing varies");
}

}  // namespace
}  // namespace taut::test
