// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../cli/program.hpp"

namespace taut::test {
namespace {

using Json = nlohmann::ordered_json;

class PaperCommand : public testing::Test {
 protected:
  [[nodiscard]] Ended paper(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "paper");
    return run(temporary_.path(), arguments);
  }
  TemporaryFolder temporary_;
};

TEST_F(PaperCommand, ListsTopicsAndItems) {
  const Ended topics = paper({});
  EXPECT_EQ(topics.exit, 0) << topics.err;
  EXPECT_NE(topics.out.find("stiff-rk"), std::string::npos);
  const Ended items = paper({"stiff-rk"});
  EXPECT_EQ(items.exit, 0) << items.err;
  EXPECT_NE(items.out.find("general-potential"), std::string::npos);
  const Json list = Json::parse(paper({"stiff-rk", "--json"}).out);
  EXPECT_EQ(list["topic"], "stiff-rk");
  EXPECT_EQ(list["items"][0]["item"], "orders");
}

TEST_F(PaperCommand, PrintsAnItemAsJsonAndAsATable) {
  const Ended e = paper({"stiff-rk", "damping", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json item = Json::parse(e.out);
  EXPECT_EQ(item["topic"], "stiff-rk");
  EXPECT_EQ(item["item"], "damping");
  const Json& row = item["rows"][0];
  // no number is printed: a lemma says it
  EXPECT_TRUE(row["published"].is_null());
  EXPECT_TRUE(row["deviation"].is_null());
  EXPECT_NEAR(row["bound"].get<double>(), -2.0 / 3, 1e-15);
  EXPECT_NEAR(row["obtained"].get<double>(), -2.0 / 3, 1e-2);
  EXPECT_EQ(row["verdict"], "measured");
  EXPECT_EQ(row["tolerance"], 0.01);
  EXPECT_TRUE(row["rule"].is_string());
  EXPECT_EQ(row["source"], "Lemma 5.3, proof of Lemma 5.4");
  EXPECT_TRUE(row["statement"].is_string());
  int sum = 0;
  for (const Json& count : item["counts"]) sum += count.get<int>();
  EXPECT_EQ(sum, static_cast<int>(item["rows"].size()));
  const Ended table = paper({"stiff-rk", "damping"});
  EXPECT_EQ(table.exit, 0);
  EXPECT_NE(table.out.find(row["name"].get<std::string>()), std::string::npos);
  EXPECT_NE(table.out.find("Lemma 5.3"), std::string::npos);
}

TEST_F(PaperCommand, FlagsTheMisprintsOfTheSlowManifoldTable) {
  const Ended e = paper({"slow-manifolds", "table1", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json item = Json::parse(e.out);
  EXPECT_EQ(item["counts"]["agrees"], 2 * 24 - 2 + 2);  // all that is printed, and the iterations
  EXPECT_EQ(item["counts"]["contradicts"], 2);
  for (const Json& row : item["rows"]) {
    EXPECT_EQ(row["note"].is_string(), row["verdict"] == "contradicts") << row;
    EXPECT_TRUE(row["reference"].is_number()) << row;  // of the independent program
  }
  EXPECT_NE(paper({"slow-manifolds", "table1"}).out.find("the minus sign is missing"),
            std::string::npos);
}

TEST_F(PaperCommand, WritesAPageThatNeedsNothingElse) {
  const Ended e = paper({"stiff-rk", "damping", "--page", "paper.html"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const std::string page = read(temporary_.path() / "paper.html");
  EXPECT_NE(page.find("<title>stiff-rk damping</title>"), std::string::npos);
  EXPECT_NE(page.find("class=\"measured\""), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);  // it asks for nothing
  EXPECT_EQ(paper({"stiff-rk", "--page", "paper.html"}).exit, 2);
  EXPECT_EQ(paper({"stiff-rk", "damping", "--page", "no/folder/paper.html"}).exit, 1);
}

TEST_F(PaperCommand, ComputesAllItemsOfATopicIntoAFolderOfPages) {
  const Ended e = paper({"vibrations", "--all", "--json", "--page", "pages"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json all = Json::parse(e.out);
  int agreeing = 0;
  for (const Json& item : all["items"]) agreeing += item["counts"]["agrees"].get<int>();
  EXPECT_EQ(all["counts"]["agrees"], agreeing);
  const std::string index = read(temporary_.path() / "pages" / "index.html");
  EXPECT_NE(index.find("href=\"vibrations-table2.1.html\""), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(temporary_.path() / "pages" / "vibrations-table2.1.html"));
}

TEST_F(PaperCommand, SaysWhatOfAPaperIsWhere) {
  const Ended e = paper({"vibrations", "--coverage"});
  EXPECT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("| Table 2.1 |"), std::string::npos);
  const Json table = Json::parse(paper({"vibrations", "--coverage", "--json"}).out);
  EXPECT_EQ(table["topic"], "vibrations");
  EXPECT_GE(table["coverage"].size(), 20u);
}

TEST_F(PaperCommand, DrawsTheFigureBesideTheRows) {
  ASSERT_EQ(paper({"vibrations", "figure4.1", "--page", "paper.html"}).exit, 0);
  const std::string page = read(temporary_.path() / "paper.html");
  EXPECT_NE(page.find("<svg class=\"figure\""), std::string::npos);
  EXPECT_NE(page.find("Figure 4.1"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

// errors to the printed digits, micro-steps exactly
TEST_F(PaperCommand, ReproducesATableOfTheVibratedPendulum) {
  const Ended e = paper({"vibrations", "table2.3", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  int counts = 0;
  const Json item = Json::parse(e.out);
  for (const Json& row : item["rows"]) {
    EXPECT_EQ(row["verdict"], row["statement"].is_null() ? "agrees" : "measured") << row;
    if (row["name"].get<std::string>().find("micro-steps") == std::string::npos) continue;
    EXPECT_EQ(row["obtained"], row["published"]) << row;
    ++counts;
  }
  EXPECT_EQ(counts, 16);  // four steps, four frequencies
}

TEST_F(PaperCommand, NamesTheNearestTopicOrItem) {
  const Ended topic = paper({"stif-rk"});
  EXPECT_EQ(topic.exit, 2);
  EXPECT_NE(topic.err.find("did you mean 'stiff-rk'?"), std::string::npos) << topic.err;
  const Ended item = paper({"stiff-rk", "order"});
  EXPECT_EQ(item.exit, 2);
  EXPECT_NE(item.err.find("did you mean 'orders'?"), std::string::npos) << item.err;
}

TEST_F(PaperCommand, IsAProgramOfItsOwnThatASignalReaches) {
  Running running{temporary_.path(), {"paper", "variational", "dna"}};
  running.send(SIGTERM);
  EXPECT_EQ(running.wait().signal, SIGTERM);
  EXPECT_NE(paper({"--help"}).out.find("taut paper [OPTIONS] [topic] [item]"), std::string::npos);
}

TEST_F(PaperCommand, SaysHowToBuildItWhereItIsNot) {
  const std::filesystem::path alone = temporary_.path() / "taut", said = temporary_.path() / "said";
  std::filesystem::copy_file(TAUT_PROGRAM, alone);
  const std::string command = alone.string() + " paper stiff-rk orders 2>" + said.string();
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  EXPECT_NE(read(said).find("'./taut paper' in the source folder builds it"), std::string::npos)
      << read(said);
}

}  // namespace
}  // namespace taut::test
