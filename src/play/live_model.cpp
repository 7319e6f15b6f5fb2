// SPDX-License-Identifier: BSD-3-Clause
#include "play/live_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
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

/// A number or an expression; nothing where there is neither.
std::optional<Value> value_of(const Json& said) {
  if (said.is_number()) return Value{said.get<double>()};
  if (said.is_string() && !said.get_ref<const std::string&>().empty())
    return Value{said.get<std::string>()};
  return {};
}

Json json_of(const Value& value) {
  return value.is_number() ? Json(value.number()) : Json(value.text());
}

/// What a question says of a run. Unknown words are nobody's: pages and engines come together.
SimulationOptions options_of(const Json& asked) {
  SimulationOptions options;
  const auto value = [&](const char* key, std::optional<Value>& to) {
    if (const auto found = asked.find(key); found != asked.end()) to = value_of(*found);
  };
  if (const auto set = asked.find("set"); set != asked.end() && set->is_object())
    for (const auto& [name, said] : set->items())
      if (const std::optional<Value> one = value_of(said)) options.set.emplace_back(name, *one);
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

bool has_parameter(const Model& model, std::string_view name) {
  return std::any_of(model.parameters.begin(), model.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
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

bool in_space(const Model& model, const SimulationOptions& options) {
  Problems problems;
  const PreparedModel prepared = prepare(model, options, problems);
  return problems.empty() && prepared.compiled.scene.dimension == 3;
}

std::string settings_json(const SimulationOptions& options) {
  Json j;
  j["set"] = Json::object();
  for (const auto& [name, value] : options.set) j["set"][name] = json_of(value);
  const auto say = [&](const char* key, const std::optional<Value>& value) {
    if (value) j[key] = json_of(*value);
  };
  say("until", options.until);
  say("tol", options.tol);
  say("step", options.step);
  say("omega", options.omega     ? options.omega
               : options.reading ? options.reading->omega()
                                 : std::optional<Value>{});
  if (options.reading) j["reading"] = options.reading->name();
  if (!options.method.empty()) j["method"] = options.method;
  if (!options.columns.empty()) j["columns"] = options.columns;
  return text(j, -1);
}

class LiveModel::Engine {
 public:
  Engine(std::string file, const std::atomic<bool>* cancel)
      : file_{std::move(file)}, cancel_{cancel} {}

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
    if (const std::string name = asked.value("file", ""); !name.empty())
      file_ = (std::filesystem::path{file_}.parent_path() / std::filesystem::path{name}.filename())
                  .string();
    Model model = read_model(toml, problems);
    model.text = toml;
    PreparedModel prepared = prepare(model, {}, problems);
    if (!problems.empty()) return json_of(problems);
    held_.reset();
    given_.reset();
    model_ = std::move(model);
    prepared_ = std::move(prepared);
    latest_.reset();
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
    if (!compiled.jets) j["start"] = start_of(*prepared_, compiled.given);
    j["omega"] = compiled.run.omega ? Json(*compiled.run.omega) : Json{};
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
  /// of parameters have changed.
  std::optional<PreparedModel> prepared(const Json& asked, const SimulationOptions& options,
                                        Problems& problems) {
    Json others = asked;
    for (const char* number : {"ask", "set", "seconds"}) others.erase(number);
    SimulationOptions rest = options;
    rest.set.clear();
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& [name, value] : options.set) {
      if (value.is_number() && has_parameter(*model_, name)) {
        numbers.emplace_back(name, value.number());
        continue;
      }
      rest.set.emplace_back(name, value);
      others["set"][name] = json_of(value);
    }
    std::string key = text(others, -1);
    if (key != key_) {
      PreparedModel made = prepare(*model_, rest, problems);
      if (!problems.empty()) return {};
      prepared_ = std::move(made);
      latest_.reset();
      key_ = std::move(key);
    }
    if (!latest_ || numbers != latest_numbers_) {
      // from the latest where that has all that is asked for: what changes the number of
      // coordinates is compiled once
      const auto named = [](const auto& list, const std::string& name) {
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& one) { return one.first == name; });
      };
      const bool from_latest =
          latest_ && std::all_of(latest_numbers_.begin(), latest_numbers_.end(),
                                 [&](const auto& one) { return named(numbers, one.first); });
      PreparedModel made = with_values(from_latest ? *latest_ : *prepared_, numbers, problems);
      if (!problems.empty()) return {};
      latest_ = std::move(made);
      latest_numbers_ = std::move(numbers);
    }
    PreparedModel with = *latest_;
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
    if (problems.empty() && cancel_ != nullptr) made.watch(cancel_, {});
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
    return {{"ok", true}, {"at", place}, {"start", start_of(*with, *moved)}};
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
    const auto take = [&](const std::vector<std::string>& names, Index count, Vec& to) {
      for (Index i = 0; i < count; ++i) {
        const auto found = asked["values"].find(names[static_cast<std::size_t>(i)]);
        if (found != asked["values"].end() && found->is_number()) to[i] = found->get<double>();
      }
    };
    take(structure.coordinates, structure.places(), given.q);
    take(structure.velocities, structure.nq, given.v);
    const Start start = consistent_start(springs(with->system), given);
    if (start.status != Status::ok)
      return refused("values", start.reason, "take a start nearer to that of the model");
    given_ = start.state;
    return {{"ok", true}, {"start", start_of(*with, *given_)}};
  }

  // coordinates and velocities of a start by their names, for fields and links
  [[nodiscard]] static Json start_of(const PreparedModel& with, const State& given) {
    Json start = Json::object();
    const Structure& structure = with.system.structure();
    for (Index i = 0; i < structure.places(); ++i)
      add_entry(start, structure.coordinates[static_cast<std::size_t>(i)], given.q[i]);
    for (Index i = 0; i < structure.nq; ++i)
      add_entry(start, structure.velocities[static_cast<std::size_t>(i)], given.v[i]);
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
    const Scene& scene = (latest_ ? *latest_ : *prepared_).compiled.scene;
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
    // of each call: advance()
    options.cancel = &late_;
    options.progress = [this](const Progress&) { late_ = Clock::now() >= deadline_; };
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
    late_ = false;
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(asked.value("seconds", 0.25)));
    const Status status = by > 0.0 ? held_->advance_to(held_->t() + by) : Status::ok;
    Json j = instant(status == Status::cancelled ? Status::ok : status);
    j["late"] = status == Status::cancelled;
    return j;
  }

  Json instant(Status status) {
    Json j{{"ok", true}, {"t", held_->t()}};
    j["stopped"] = status == Status::ok ? Json{} : Json(held_->message());
    j["q"] = array_of(held_->q());
    j["v"] = array_of(held_->v());
    j["values"] = Json::array();
    for (std::string& name : names_) {
      double value = std::nan("");
      try {
        if (!name.empty()) value = (*held_)[name];
      } catch (const ModelError&) {
        name.clear();  // no number of a run in the hand: the page leaves it out
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
  const std::atomic<bool>* cancel_;
  std::optional<Model> model_;
  std::optional<PreparedModel> prepared_;
  std::string key_;                      // of the settings it was prepared with
  std::optional<PreparedModel> latest_;  // with the numbers of the question before
  std::vector<std::pair<std::string, double>> latest_numbers_;
  std::optional<State> given_;  // the start, where it was dragged
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> late_ = false;  // what is asked of the motion that is held has taken too long
  Clock::time_point deadline_;
  std::optional<Simulation> held_;
  std::vector<std::string> names_;  // of the numbers that are asked for of each instant
};

LiveModel::LiveModel(std::string file, const std::atomic<bool>* cancel)
    : engine_{std::make_unique<Engine>(std::move(file), cancel)} {}
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
