// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "common.hpp"
#include "registry.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::ordered_json;
using papers::Item;
using papers::Row;
using papers::Topic;

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
                    {"deviation", number(papers::deviation(row))},
                    {"verdict", papers::verdict(row)},
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
    const auto deviation = papers::deviation(row);
    fmt::print("{:<{}} {:>10} {:>10} {:>10} {:>9}  {}\n", row.name, width, text(row.published),
               text(row.reference), text(row.obtained, "failed"),
               deviation ? fmt::format("{:+.1f} %", 100.0 * *deviation) : "-",
               row.note.empty() ? std::string{papers::verdict(row)}
                                : fmt::format("{}: {}", papers::verdict(row), row.note));
  }
}

std::vector<std::string> item_names(std::string_view topic) {
  std::vector<std::string> names;
  for (const Item& item : papers::items())
    if (item.topic == topic) names.emplace_back(item.name);
  return names;
}

class Paper final : public Command {
 public:
  explicit Paper(CLI::App& program)
      : Command{program, "paper", "the papers' tables and figures, computed when asked",
                "Without ITEM the items of a topic are listed, without TOPIC the topics.\n"
                "Example: taut paper stiff-rk orders"} {
    app().add_option("topic", topic_, "the paper")->option_text("TOPIC");
    app().add_option("item", item_, "the table or figure")->option_text("ITEM");
    app().add_flag("--json", json_, "print the result as JSON");
  }

  int run() override {
    if (topic_.empty()) return list_topics();
    std::vector<std::string> names;
    for (const Topic& topic : papers::topics()) names.emplace_back(topic.name);
    if (!contains(names, topic_)) return unknown("topic", topic_, names);
    if (item_.empty()) return list_items();
    names = item_names(topic_);
    if (!contains(names, item_)) return unknown("item", item_, names);

    const auto all = papers::items();
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
    return report_bad_input(
        fmt::format("there is no {} '{}'; {}", what, name,
                    near.empty() ? fmt::format("{}s are: {}", what, fmt::join(names, ", "))
                                 : fmt::format("did you mean '{}'?", near)),
        json_);
  }

  int list_topics() const {
    if (json_) {
      Json list = Json::array();
      for (const Topic& topic : papers::topics())
        list.push_back({{"topic", topic.name},
                        {"about", topic.about},
                        {"cite", topic.cite},
                        {"items", item_names(topic.name)}});
      fmt::print("{}\n", list.dump(2));
      return done;
    }
    for (const Topic& topic : papers::topics())
      fmt::print("{:<18} {}\n{:<18} items: {}\n", topic.name, topic.about, "",
                 fmt::join(item_names(topic.name), ", "));
    return done;
  }

  int list_items() const {
    Json list = Json::array();
    for (const Item& item : papers::items()) {
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

}  // namespace

std::unique_ptr<Command> paper_command(CLI::App& program) {
  return std::make_unique<Paper>(program);
}

}  // namespace taut::cli
