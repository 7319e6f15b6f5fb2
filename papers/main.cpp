// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "coverage.hpp"
#include "page.hpp"
#include "registry.hpp"
#include "taut/core/problems.hpp"

namespace taut::papers {
namespace {

using Json = nlohmann::ordered_json;

// as those of the program that has handed over to this one
enum Exit : int { done = 0, failed = 1, bad_input = 2 };

Json number(std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(nullptr); }
Json words_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
std::string text(std::optional<double> x, const char* none = "-") {
  return x && std::isfinite(*x) ? fmt::format("{:.4g}", *x) : none;
}

Json counts_json(const Counts& found) {
  Json result;
  for (std::size_t i = 0; i < found.size(); ++i)
    result[std::string{name(all_verdicts[i])}] = found[i];
  return result;
}

Json as_json(const Item& item, const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    const bool compared = row.tolerance.rule != Rule::none;
    list.push_back({{"name", row.name},
                    {"published", number(print(row))},
                    {"bound", number(bound(row))},
                    {"reference", number(row.reference)},
                    {"obtained", number(row.obtained)},
                    {"deviation", number(deviation(row))},
                    {"verdict", name(verdict(row))},
                    {"tolerance", compared ? Json(row.tolerance.amount) : Json(nullptr)},
                    {"rule", compared ? Json(words(row.tolerance.rule)) : Json(nullptr)},
                    {"source", words_or_null(row.source)},
                    {"statement", words_or_null(row.statement)},
                    {"independent", words_or_null(row.independent)},
                    {"note", words_or_null(remarks(row))},
                    {"manual", words_or_null(place_in_manual(item.topic, row))}});
  }
  return {{"topic", item.topic},
          {"item", item.name},
          {"counts", counts_json(counts(rows))},
          {"rows", std::move(list)}};
}

void print_table(const Item& item, const std::vector<Row>& rows) {
  std::size_t width = 4;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  fmt::print("{} {}: {}\n\n", item.topic, item.name, item.about);
  fmt::print("{:<{}} {:>10} {:>10} {:>9} {:>9}  {:<11}  {}\n", "name", width, "published",
             "obtained", "deviation", "tolerance", "verdict", "rule; source");
  for (const Row& row : rows) {
    const auto off = deviation(row);
    const bool compared = row.tolerance.rule != Rule::none;
    fmt::print("{:<{}} {:>10} {:>10} {:>9} {:>9}  {:<11}  {}{}{}\n", row.name, width,
               bound(row) ? fmt::format("({})", text(bound(row))) : text(print(row)),
               text(row.obtained, "failed"), off ? fmt::format("{:+.1f} %", 100.0 * *off) : "-",
               compared ? fmt::format("{:.2g}", row.tolerance.amount) : "-", name(verdict(row)),
               words(row.tolerance.rule), row.source.empty() ? "" : "; ", row.source);
    const auto more = [&](const char* what, const std::string& said) {
      if (!said.empty()) fmt::print("    {}{}\n", what, said);
    };
    more("states: ", row.statement);
    if (row.reference) more("", fmt::format("{} has {:.6g}", row.independent, *row.reference));
    more("", remarks(row));
    more("see ", place_in_manual(item.topic, row));
  }
  fmt::print("\n{} rows: {}\n", rows.size(), words(counts(rows)));
}

std::vector<std::string> item_names(std::string_view topic) {
  std::vector<std::string> names;
  for (const Item& item : items())
    if (item.topic == topic) names.emplace_back(item.name);
  return names;
}

// what is wrong with the arguments on standard error, and as JSON on standard output when asked
int refuse(const std::string& what, bool json) {
  fmt::print(stderr, "taut: {}\n", what);
  if (json) fmt::print("{}\n", Json{{"status", "bad_input"}, {"reason", what}}.dump(2));
  return bad_input;
}

class Paper {
 public:
  explicit Paper(CLI::App& program) {
    program.add_option("topic", topic_, "the paper")->option_text("TOPIC");
    program.add_option("item", item_, "the table or figure")->option_text("ITEM");
    program.add_flag("--json", json_, "print the result as JSON");
    program.add_flag("--all", all_, "compute all items, of a topic or of all, and count verdicts");
    program.add_flag("--coverage", coverage_, "what of the paper is where, as Markdown");
    program
        .add_option(
            "--page", page_,
            "write figure and rows as a page to this file; with --all, pages to this folder")
        ->option_text("FILE");
    program.footer(
        "Without ITEM the items of a topic are listed, without TOPIC the topics.\n"
        "Example: taut paper stiff-rk orders\n"
        "         taut paper vibrations figure4.1 --page paper.html");
  }

  [[nodiscard]] int run() const {
    if (topic_.empty() && coverage_) {
      for (const Topic& topic : topics()) print_coverage(topic.name);
      return done;
    }
    if (topic_.empty()) {
      if (!page_.empty() && !all_)
        return refuse("--page needs a topic and an item, or --all", json_);
      return all_ ? compute_all() : list_topics();
    }
    std::vector<std::string> names;
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
    if (!contains(names, topic_)) return unknown("topic", topic_, names);
    if (coverage_) return print_coverage(topic_);
    if (item_.empty()) {
      if (!page_.empty() && !all_) return refuse("--page needs an item, or --all", json_);
      return all_ ? compute_all() : list_items();
    }
    names = item_names(topic_);
    if (!contains(names, item_)) return unknown("item", item_, names);

    const auto all = items();
    const auto item = std::find_if(all.begin(), all.end(), [this](const Item& candidate) {
      return candidate.topic == topic_ && candidate.name == item_;
    });
    const Shown shown = computed(*item);
    if (!page_.empty() && !write(page_, paper_page(topic_of(*item), *item, shown))) return failed;
    if (json_)
      fmt::print("{}\n", as_json(*item, shown.rows).dump(2));
    else
      print_table(*item, shown.rows);
    return done;
  }

 private:
  static const Topic& topic_of(const Item& item) {
    const auto all = topics();
    return *std::find_if(all.begin(), all.end(),
                         [&](const Topic& candidate) { return candidate.name == item.topic; });
  }

  [[nodiscard]] static bool write(const std::filesystem::path& name, const std::string& text) {
    std::ofstream file{name, std::ios::binary};
    file << text;
    file.close();
    if (file) return true;
    fmt::print(stderr, "taut: '{}' cannot be written\n", name.string());
    return false;
  }

  int print_coverage(std::string_view topic) const {
    if (!json_) {
      fmt::print("{}", coverage_page(topic));
      return done;
    }
    Json list = Json::array();
    for (const Covered& row : coverage(topic))
      list.push_back({{"what", row.what},
                      {"about", row.about},
                      {"where", row.where},
                      {"items", row.items},
                      {"reason", row.reason}});
    fmt::print("{}\n", Json{{"topic", topic}, {"coverage", std::move(list)}}.dump(2));
    return done;
  }

  // every item, with the counts of each and of all
  int compute_all() const {
    Json list = Json::array();
    Counts sum{};
    std::vector<IndexEntry> index;
    std::error_code problem;
    if (!page_.empty()) std::filesystem::create_directories(page_, problem);
    for (const Item& item : items()) {
      if (!topic_.empty() && item.topic != topic_) continue;
      const Shown shown = computed(item);
      const Counts found = counts(shown.rows);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += found[i];
      if (!page_.empty()) {
        index.push_back({&item, fmt::format("{}-{}.html", item.topic, item.name), found});
        const std::string page = paper_page(topic_of(item), item, shown);
        if (!write(std::filesystem::path{page_} / index.back().file, page)) return failed;
      }
      if (json_)
        list.push_back(as_json(item, shown.rows));
      else
        fmt::print("{:<15} {:<19} {}\n", item.topic, item.name, words(found));
      std::fflush(stdout);
    }
    if (!page_.empty() && !write(std::filesystem::path{page_} / "index.html", index_page(index)))
      return failed;
    if (json_)
      fmt::print("{}\n", Json{{"counts", counts_json(sum)}, {"items", std::move(list)}}.dump(2));
    else
      fmt::print("{:<15} {:<19} {}\n", topic_.empty() ? "all" : topic_, "", words(sum));
    return done;
  }

  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  int unknown(const char* what, const std::string& name,
              const std::vector<std::string>& names) const {
    const std::string near = nearest_name(name, names);
    return refuse(
        fmt::format("there is no {} '{}'; {}", what, name,
                    near.empty() ? fmt::format("{}s are: {}", what, fmt::join(names, ", "))
                                 : fmt::format("did you mean '{}'?", near)),
        json_);
  }

  int list_topics() const {
    if (json_) {
      Json list = Json::array();
      for (const Topic& topic : topics())
        list.push_back({{"topic", topic.name},
                        {"about", topic.about},
                        {"cite", topic.cite},
                        {"items", item_names(topic.name)}});
      fmt::print("{}\n", list.dump(2));
      return done;
    }
    for (const Topic& topic : topics())
      fmt::print("{:<18} {}\n{:<18} items: {}\n", topic.name, topic.about, "",
                 fmt::join(item_names(topic.name), ", "));
    return done;
  }

  int list_items() const {
    Json list = Json::array();
    for (const Item& item : items()) {
      if (item.topic != topic_) continue;
      list.push_back({{"item", item.name}, {"about", item.about}});
      if (!json_) fmt::print("{:<18} {}\n", item.name, item.about);
    }
    if (json_) fmt::print("{}\n", Json{{"topic", topic_}, {"items", std::move(list)}}.dump(2));
    return done;
  }

  std::string topic_, item_, page_;
  bool json_ = false, all_ = false, coverage_ = false;
};

int main(int argc, char** argv) {
  CLI::App program{"The papers' tables and figures, computed when asked.", "taut paper"};
  const Paper paper{program};
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help
    const bool json = std::any_of(
        argv, argv + argc, [](const char* word) { return std::string_view{word} == "--json"; });
    return refuse(fmt::format("{}; 'taut paper --help' shows what is possible", error.what()),
                  json);
  }
  const int code = paper.run();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "taut: standard output cannot be written: {}\n", std::strerror(errno));
  return code == done ? failed : code;
}

}  // namespace
}  // namespace taut::papers

int main(int argc, char** argv) {
  try {
    return taut::papers::main(argc, argv);
  } catch (const std::exception& error) {
    // out of memory, standard output gone, or a mistake of the program itself
    fmt::print(stderr, "taut: {}\n", error.what());
    return taut::papers::failed;
  }
}
