// SPDX-License-Identifier: BSD-3-Clause
#include "play/live_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "model/model_file_schema.hpp"
#include "play/dragged_start.hpp"
#include "readings/readings.hpp"
#include "report/json.hpp"
#include "report/report_data.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/modes/modes.hpp"
#include "taut/report/modes.hpp"
#include "taut/simulation/simulation.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

// names of what a hand that pulls adds to a model; no user's name ends so
constexpr const char* hand = "hand__";

Json array_of(const Vec& numbers) {
  Json list = Json::array();
  for (const double x : numbers) list.push_back(std::isfinite(x) ? Json(x) : Json{});
  return list;
}

Json json_of(const Problems& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems.sorted())
    list.push_back({{"line", problem.at.line},
                    {"column", problem.at.column},
                    {"where", problem.where},
                    {"what", problem.what},
                    {"remedy", problem.remedy}});
  return {{"ok", false}, {"problems", std::move(list)}, {"more", problems.dropped()}};
}

Json refused(const std::string& where, const std::string& what, const std::string& remedy) {
  Problems problems;
  problems.add({}, where, what, remedy);
  return json_of(problems);
}

// an answer whose long part is JSON text already
std::string with_text(const Json& head, const char* key, std::string_view part) {
  std::string all = text(head, -1);
  all.resize(all.find_last_of('}'));
  return fmt::format("{},\"{}\":{}}}\n", all, key, part);
}

/// What a question says of a run. Unknown words are nobody's: pages and engines come together.
SimulationOptions options_of(const Json& asked) {
  SimulationOptions options;
  const auto value = [&](const char* key, std::optional<Value>& to) {
    const auto found = asked.find(key);
    if (found == asked.end() || found->is_null()) return;
    if (found->is_number())
      to = Value{found->get<double>()};
    else if (found->is_string() && !found->get_ref<const std::string&>().empty())
      to = Value{found->get<std::string>()};
  };
  if (const auto set = asked.find("set"); set != asked.end() && set->is_object())
    for (const auto& [name, number] : set->items())
      if (number.is_number()) options.set.emplace_back(name, number.get<double>());
  value("until", options.until);
  value("tol", options.tol);
  value("step", options.step);
  value("omega", options.omega);
  options.method = asked.value("method", "");
  options.columns = asked.value("columns", "");
  if (const std::string reading = asked.value("reading", ""); !reading.empty())
    options.reading = Reading::named(reading);
  options.max_seconds = asked.value("seconds", 0.0);
  return options;
}

std::vector<std::pair<std::string, double>> numbers_of(const SimulationOptions& options) {
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [name, value] : options.set) numbers.emplace_back(name, value.number());
  return numbers;
}

/// A force on a point of the scene, k (hand - p) - c p', towards a place that inputs hold.
void add_hand(Model& model, const std::string& point, int dimension, double k, double c) {
  Force pull;
  pull.on = Name{point, {}};
  for (const char* axis : {"x", "y", "z"}) {
    if (pull.value.size() == static_cast<std::size_t>(dimension)) break;
    model.inputs.push_back({.name = fmt::format("{}{}", hand, axis), .value = 0.0});
    pull.value.emplace_back(fmt::format("{}*({} - {}.{}) - {}*{}.v{}", k, model.inputs.back().name,
                                        point, axis, c, point, axis));
  }
  model.elements.push_back({.what = std::move(pull), .name = fmt::format("{}pull", hand)});
}

double mass_of(const Scene& scene) {
  double mass = 0.0;
  for (const Scene::Point& point : scene.points)
    if (point.kind == Scene::Point::Kind::mass) mass += point.mass;
  for (const Scene::Line& line : scene.lines) mass += line.mass;
  for (const Scene::Body& body : scene.bodies) mass += body.mass;
  return mass > 0.0 ? mass : 1.0;
}

}  // namespace

class LiveModel::Engine {
 public:
  explicit Engine(std::string file) : file_{std::move(file)} {}

  std::string answer(const Json& asked) {
    const std::string ask = asked.value("ask", "");
    if (ask == "open") return text(open(asked), -1);
    if (ask == "words") return text(words(), -1);
    if (!model_) return text(refused("model", "none is open", "ask to open one"), -1);
    if (ask == "run") return run(asked);
    if (ask == "drag") return text(drag(asked), -1);
    if (ask == "start") return text(place(asked), -1);
    if (ask == "back") return text(back(), -1);
    if (ask == "hold") return text(hold(asked), -1);
    if (ask == "advance") return text(advance(asked), -1);
    if (ask == "modes") return shapes(asked);
    return text(refused("ask", fmt::format("'{}' is no question", ask), "see live_model.hpp"), -1);
  }

 private:
  Json open(const Json& asked) {
    Problems problems{file_};
    const std::string toml = asked.value("text", "");
    Model model = read_model(toml, problems);
    model.text = toml;
    PreparedModel prepared = prepare(model, {}, problems);
    if (!problems.empty()) return json_of(problems);
    held_.reset();
    given_.reset();
    model_ = std::move(model);
    prepared_ = std::move(prepared);
    key_.clear();

    const CompiledModel& compiled = prepared_->compiled;
    Json j{{"ok", true}, {"title", model_->name}, {"version", version()}};
    j["curve"] = compiled.jets.has_value();
    j["parameters"] = Json::array();
    const auto names = compiled.parameter_names();
    const auto values = compiled.parameter_values();
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Value& stated = model_->parameters.at(k).value;
      j["parameters"].push_back(
          {{"name", names[k]}, {"value", values[k]}, {"number", stated.is_number()}});
    }
    j["until"] = compiled.run.until ? Json(*compiled.run.until) : Json{};
    j["tol"] = compiled.run.tol ? Json(*compiled.run.tol) : Json{};
    j["method"] = compiled.run.method;
    j["reading"] = compiled.run.reading;
    j["readings"] = Json::array();
    for (const std::string_view name : Reading::names()) j["readings"].push_back(name);
    j["methods"] = Json::array();
    if (!compiled.jets)
      for (const MethodInfo& info : all_methods())
        if (why_not(info, *prepared_).empty())
          j["methods"].push_back({{"name", info.name}, {"adaptive", info.adaptive}});
    return j;
  }

  static Json words() {
    Json j{{"ok", true}, {"sections", Json::array()}};
    for (const model_file::Section& section : model_file::schema()) {
      Json keys = Json::array();
      for (const model_file::Key& key : section.keys)
        keys.push_back({{"name", key.name},
                        {"meaning", key.meaning},
                        {"required", key.required},
                        {"choices", key.choices}});
      j["sections"].push_back({{"heading", model_file::heading(section)},
                               {"named", section.form == model_file::Form::named},
                               {"meaning", section.meaning},
                               {"keys", std::move(keys)}});
    }
    return j;
  }

  /// The model with the numbers of a question: compiled anew only where other things than numbers
  /// have changed.
  std::optional<PreparedModel> prepared(const Json& asked, const SimulationOptions& options,
                                        Problems& problems) {
    Json others = asked;
    for (const char* number : {"ask", "set", "seconds"}) others.erase(number);
    std::string key = text(others, -1);
    SimulationOptions rest = options;
    rest.set.clear();
    if (key != key_) {
      PreparedModel made = prepare(*model_, rest, problems);
      if (!problems.empty()) return {};
      prepared_ = std::move(made);
      key_ = std::move(key);
    }
    PreparedModel with = with_values(*prepared_, numbers_of(options), problems);
    if (!problems.empty()) return {};
    if (given_ && given_->q.size() == with.compiled.given.q.size()) {
      with.compiled.given.q = given_->q;
      with.compiled.given.v = given_->v;
    }
    return with;
  }

  std::string run(const Json& asked) {
    const SimulationOptions options = options_of(asked);
    Problems problems{file_};
    std::optional<PreparedModel> with = prepared(asked, options, problems);
    Plan made;
    if (problems.empty()) made = plan(std::move(*with), options, problems);
    if (!problems.empty()) return text(json_of(problems), -1);
    const Result result = simulate(std::move(made));
    ReportSubject subject =
        subject_of(*result.plan, std::filesystem::path{file_}.filename().string());
    subject.text.clear();
    const PageText page =
        result.curve
            ? report_data(CurveRecord{subject, result.curve->motion, result.curve->summary})
            : report_data(RunRecord{subject, facts_of(result.plan->system.structure()),
                                    result.motion, result.summary});
    return with_text({{"ok", true}, {"good", result.good()}}, "data", page.data);
  }

  [[nodiscard]] std::optional<std::array<double, 3>> target(const Json& asked) const {
    const auto to = asked.find("to");
    if (to == asked.end() || !to->is_array() || to->size() < 2) return {};
    std::array<double, 3> place{};
    for (std::size_t k = 0; k < std::min<std::size_t>(3, to->size()); ++k) {
      if (!(*to)[k].is_number()) return {};
      place[k] = (*to)[k].get<double>();
    }
    return place;
  }

  Json drag(const Json& asked) {
    const auto to = target(asked);
    if (!to) return refused("to", "is no place", "give two or three numbers");
    Problems problems{file_};
    Json settings = asked;
    settings.erase("point");
    settings.erase("to");
    const auto with = prepared(settings, options_of(settings), problems);
    if (!problems.empty()) return json_of(problems);
    if (with->compiled.jets)
      return refused("drag", "a model with [jets] has no points", "change its [start]");
    const int point = asked.value("point", -1);
    const std::optional<State> moved =
        dragged_start(with->compiled, springs(with->system), with->compiled.given, point, *to);
    if (!moved)
      return refused("drag", "this point cannot be moved from here",
                     "take another one, or back to the start of the model");
    given_ = *moved;
    const std::array<double, 3> place = *place_of(with->compiled, point, *moved);
    return {{"ok", true}, {"at", place}, {"start", start_of(*with)}};
  }

  Json place(const Json& asked) {
    Problems problems{file_};
    Json settings = asked;
    settings.erase("values");
    const auto with = prepared(settings, options_of(settings), problems);
    if (!problems.empty()) return json_of(problems);
    if (with->compiled.jets || !asked.contains("values") || !asked["values"].is_object())
      return refused("values", "are no start of this model", "give coordinates by their names");
    State given = with->compiled.given;
    const Structure& structure = with->system.structure();
    for (Index i = 0; i < structure.places(); ++i) {
      const auto found = asked["values"].find(structure.coordinates[static_cast<std::size_t>(i)]);
      if (found != asked["values"].end() && found->is_number()) given.q[i] = found->get<double>();
    }
    const Start start = consistent_start(springs(with->system), given);
    if (start.status != Status::ok)
      return refused("values", start.reason, "take a start nearer to that of the model");
    given.q = start.state.q;
    given_ = std::move(given);
    return {{"ok", true}, {"start", start_of(*with)}};
  }

  // coordinates of the start by their names, for a link that holds them
  [[nodiscard]] Json start_of(const PreparedModel& with) const {
    Json start = Json::object();
    const Structure& structure = with.system.structure();
    for (Index i = 0; i < structure.places(); ++i)
      add_entry(start, structure.coordinates[static_cast<std::size_t>(i)], given_->q[i]);
    return start;
  }

  Json back() {
    given_.reset();
    return {{"ok", true}};
  }

  Json hold(const Json& asked) {
    held_.reset();
    Json settings = asked;
    for (const char* key : {"point", "t", "q", "v", "names", "quick"}) settings.erase(key);
    SimulationOptions options = options_of(settings);
    Problems problems{file_};
    Model model = *model_;
    const int point = asked.value("point", -1);
    const Scene& scene = prepared_->compiled.scene;
    if (point >= static_cast<int>(scene.points.size()))
      return refused("point", "there is no such point", "take one of the scene");
    if (point >= 0) {
      // a swing of all of the mass in a second of the clock on the wall, damped to a third
      const double omega = 2 * 3.14159265358979 / asked.value("quick", 1.0);
      const double mass = mass_of(scene);
      add_hand(model, scene.points[static_cast<std::size_t>(point)].name, scene.dimension,
               mass * omega * omega, 0.6 * mass * omega);
    }
    if (asked.contains("t")) options.from = Value{asked["t"].get<double>()};
    // without an end
    options.until = Value{1e9 + (options.from ? options.from->number() : 0.0)};
    options.max_seconds = 0.0;
    PreparedModel with = prepare(std::move(model), options, problems);
    if (!problems.empty()) return json_of(problems);
    State& given = with.compiled.given;
    const auto take = [&](const char* key, Vec& to, const Vec* otherwise) {
      const auto numbers = asked.find(key);
      if (numbers != asked.end() && numbers->is_array() &&
          static_cast<Index>(numbers->size()) == to.size())
        for (Index i = 0; i < to.size(); ++i) to[i] = (*numbers)[static_cast<std::size_t>(i)];
      else if (otherwise != nullptr && otherwise->size() == to.size())
        to = *otherwise;
    };
    take("q", given.q, given_ ? &given_->q : nullptr);
    take("v", given.v, given_ ? &given_->v : nullptr);
    Plan made = plan(std::move(with), options, problems);
    if (!problems.empty()) return json_of(problems);
    held_.emplace(std::move(made));
    // until the hand moves it is where the point is
    if (point >= 0) pull_to(*place_of(held_->plan().prepared.compiled, point, held_->state()));
    names_.clear();
    if (const auto names = asked.find("names"); names != asked.end())
      for (const Json& name : *names) names_.push_back(name.get<std::string>());
    return instant(Status::ok);
  }

  void pull_to(const std::array<double, 3>& place) {
    for (const Parameter& input : held_->plan().prepared.model.inputs)
      for (std::size_t k = 0; k < 3; ++k)
        if (input.name == fmt::format("{}{}", hand, "xyz"[k]))
          static_cast<void>(held_->set_input(input.name, place[k]));  // a number that is finite
  }

  Json advance(const Json& asked) {
    if (!held_) return refused("advance", "no motion is held", "ask to hold one");
    if (const auto to = target(asked)) pull_to(*to);
    const double by = asked.value("by", 0.0);
    const Status status = by > 0.0 ? held_->advance_to(held_->t() + by) : Status::ok;
    return instant(status);
  }

  Json instant(Status status) {
    Json j{{"ok", true}, {"t", held_->t()}};
    j["stopped"] = status == Status::ok ? Json{} : Json(held_->message());
    j["q"] = array_of(held_->q());
    j["v"] = array_of(held_->v());
    j["values"] = Json::array();
    for (const std::string& name : names_) {
      double value = std::nan("");
      try {
        value = (*held_)[name];
      } catch (const ModelError&) {
        // no number of a run in the hand: the page leaves it out
      }
      j["values"].push_back(std::isfinite(value) ? Json(value) : Json{});
    }
    return j;
  }

  std::string shapes(const Json& asked) {
    Problems problems{file_};
    SimulationOptions options = options_of(asked);
    options.until.reset();
    const Modes found = modes(*model_, options, {}, {}, problems);
    if (!problems.empty()) return text(json_of(problems), -1);
    return with_text({{"ok", true}}, "data", modes_json(found));
  }

  std::string file_;
  std::optional<Model> model_;
  std::optional<PreparedModel> prepared_;
  std::string key_;             // of the settings it was prepared with
  std::optional<State> given_;  // the start, where it was dragged
  std::optional<Simulation> held_;
  std::vector<std::string> names_;  // of the numbers that are asked for of each instant
};

LiveModel::LiveModel(std::string file) : engine_{std::make_unique<Engine>(std::move(file))} {}
LiveModel::LiveModel(LiveModel&&) noexcept = default;
LiveModel& LiveModel::operator=(LiveModel&&) noexcept = default;
LiveModel::~LiveModel() = default;

std::string LiveModel::answer(std::string_view question) {
  const Json asked = Json::parse(question, nullptr, false);
  if (!asked.is_object())
    return text(refused("question", "is no JSON object", "see live_model.hpp"), -1);
  // the edge: what a page asks is not trusted
  try {
    return engine_->answer(asked);
  } catch (const ModelError& error) {
    return text(json_of(error.problems()), -1);
  } catch (const std::exception& error) {
    return text(refused("question", error.what(), "see live_model.hpp"), -1);
  }
}

}  // namespace taut
