// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry.hpp"
#include "taut/core/problems.hpp"

namespace taut::papers {
namespace {

using Json = nlohmann::ordered_json;

// as those of the program that has handed over to this one
enum Exit : int { done = 0, failed = 1, bad_input = 2 };

Json number(std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(nullptr); }
std::string text(std::optional<double> x, const char* none = "-") {
  return x && std::isfinite(*x) ? fmt::format("{:.4g}", *x) : none;
}

void print_json(const Item& item, const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows)
    list.push_back({{"name", row.name},
                    {"published", number(row.published)},
                    {"reference", number(row.reference)},
                    {"obtained", number(row.obtained)},
                    {"deviation", number(deviation(row))},
                    {"verdict", verdict(row)},
                    {"note", row.note.empty() ? Json(nullptr) : Json(row.note)}});
  const Json whole{{"topic", item.topic}, {"item", item.name}, {"rows", std::move(list)}};
  fmt::print("{}\n", whole.dump(2));
}

void print_table(const Item& item, const std::vector<Row>& rows) {
  std::size_t width = 4;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  fmt::print("{} {}: {}\n\n", item.topic, item.name, item.about);
  fmt::print("{:<{}} {:>10} {:>10} {:>10} {:>9}  {}\n", "name", width, "published", "reference",
             "obtained", "deviation", "verdict");
  for (const Row& row : rows) {
    const auto off = deviation(row);
    fmt::print("{:<{}} {:>10} {:>10} {:>10} {:>9}  {}\n", row.name, width, text(row.published),
               text(row.reference), text(row.obtained, "failed"),
               off ? fmt::format("{:+.1f} %", 100.0 * *off) : "-",
               row.note.empty() ? std::string{verdict(row)}
                                : fmt::format("{}: {}", verdict(row), row.note));
  }
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
    program.footer(
        "Without ITEM the items of a topic are listed, without TOPIC the topics.\n"
        "Example: taut paper stiff-rk orders");
  }

  [[nodiscard]] int run() const {
    if (topic_.empty()) return list_topics();
    std::vector<std::string> names;
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
    if (!contains(names, topic_)) return unknown("topic", topic_, names);
    if (item_.empty()) return list_items();
    names = item_names(topic_);
    if (!contains(names, item_)) return unknown("item", item_, names);

    const auto all = items();
    const auto item = std::find_if(all.begin(), all.end(), [this](const Item& candidate) {
      return candidate.topic == topic_ && candidate.name == item_;
    });
    const std::vector<Row> rows = item->compute();
    if (json_)
      print_json(*item, rows);
    else
      print_table(*item, rows);
    return done;
  }

 private:
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

  std::string topic_, item_;
  bool json_ = false;
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
