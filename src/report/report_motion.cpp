// SPDX-License-Identifier: BSD-3-Clause
// The report of a mechanical run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/report_page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

constexpr std::size_t most_scene_bytes = 2'000'000;
constexpr std::size_t most_coordinates_with_loads = 5000;
constexpr std::size_t most_summary_bytes = 300'000;
constexpr std::size_t most_events = 1000, most_loads = 100;

// Where the columns of a motion stand in the table.
struct MotionColumns {
  std::vector<std::size_t> q, lambda, place;
};

// Fills the table from a motion.
class MotionTable {
 public:
  MotionTable(const Motion& motion, const Summary& summary, const ReportSubject& subject,
              PageTable& table)
      : motion_{motion}, summary_{summary}, subject_{subject}, table_{table} {}

  MotionColumns operator()();

 private:
  void begin(const char* id, const char* title, const char* scale, const std::string& unit,
             std::size_t most_shown = 6) {
    table_.groups.push_back({id, title, scale, unit, {}, most_shown});
  }
  [[nodiscard]] PageColumn column(std::string name, const std::vector<double>& numbers,
                                  std::size_t first, std::size_t width, std::size_t extreme) const;
  void add_energy();
  void add_residuals();
  void add_steps();
  void add_invariants();
  [[nodiscard]] bool all_are_places() const;

  const Motion& motion_;
  const Summary& summary_;
  const ReportSubject& subject_;
  PageTable& table_;
};

constexpr std::size_t no_extreme = std::numeric_limits<std::size_t>::max();

PageColumn MotionTable::column(std::string name, const std::vector<double>& numbers,
                               std::size_t first, std::size_t width, std::size_t extreme) const {
  PageColumn column{.name = std::move(name), .data = {numbers.data() + first, width}};
  const Extremes& extremes = motion_.extremes;
  if (extreme != no_extreme && !extremes.empty()) {
    column.low = {extremes.low.data() + extreme, motion_.width()};
    column.high = {extremes.high.data() + extreme, motion_.width()};
  }
  return column;
}

// whether every coordinate is one of a point: a length
bool MotionTable::all_are_places() const {
  std::vector<bool> place(motion_.coordinates.size(), false);
  for (const Scene::Point& point : subject_.scene.points)
    if (point.kind == Scene::Point::Kind::mass)
      for (const Scene::Component& c : point.at)
        if (c.coordinate >= 0 && static_cast<std::size_t>(c.coordinate) < place.size())
          place[static_cast<std::size_t>(c.coordinate)] = true;
  return !place.empty() && std::find(place.begin(), place.end(), false) == place.end();
}

MotionColumns MotionTable::operator()() {
  MotionColumns places;
  const std::size_t nq = motion_.coordinates.size(), nv = motion_.velocities.size();
  const std::size_t nc = motion_.constraints.size();
  table_.rows = motion_.rows();
  table_.banded = !motion_.extremes.empty();
  table_.add({.name = "t", .data = {motion_.t.data()}, .needed = true}, false);
  const bool lengths = all_are_places();
  const ReportUnits units = units_of(subject_);
  begin("coordinates", "Coordinates", "linear", lengths ? units.length : "");
  for (std::size_t i = 0; i < nq; ++i)
    places.q.push_back(table_.add(column(motion_.coordinates[i], motion_.q, i, nq, i)));
  begin("velocities", "Velocities", "linear",
        lengths && !units.length.empty() ? units.length + "/" + units.time : "");
  for (std::size_t i = 0; i < nv; ++i)
    table_.add(column(motion_.velocities[i], motion_.v, i, nv, nq + i));
  const std::vector<bool> is_rod = rods(subject_.scene, nc);
  const std::vector<bool> internal = internal_rows(motion_, subject_.scene);
  bool forces = true;
  for (std::size_t c = 0; c < nc; ++c) forces &= is_rod[c] || internal[c];
  begin("forces", "Reaction forces", "linear", forces ? units.force : "", 8);
  for (std::size_t c = 0; c < nc; ++c)
    places.lambda.push_back(table_.add(
        column(motion_.constraints[c], motion_.lambda, c, nc, nq + nv + c), !internal[c]));
  add_energy();
  add_residuals();
  add_steps();
  add_invariants();
  for (std::size_t i = 0; i < motion_.drawn.size(); ++i)
    places.place.push_back(table_.add(
        column(motion_.drawn[i], motion_.place, i, motion_.drawn.size(), no_extreme), false));
  return places;
}

void MotionTable::add_energy() {
  const auto known = [](double x) { return std::isfinite(x); };
  if (std::none_of(motion_.energy.begin(), motion_.energy.end(), known)) return;
  const std::size_t extreme = motion_.width() - 4;
  begin("energy", "Energy", "linear", units_of(subject_).energy);
  const PageColumn energy = column("energy", motion_.energy, 0, 1, extreme);
  table_.add(energy);
  if (!summary_.energy_error) return;

  // divided by what Summary::energy_error is divided by
  const double start = summary_.energy_start;
  const double scale = summary_.energy_scale > 0.0 ? summary_.energy_scale : 1.0;
  const auto error = [&](const Strided& numbers) {
    std::vector<double> errors;
    if (numbers.first == nullptr) return Strided{};
    for (std::size_t row = 0; row < table_.rows; ++row)
      errors.push_back((numbers[row] - start) / scale);
    return table_.own(std::move(errors));
  };
  begin("energy_error", "Error of the energy, relative", "linear", "");
  table_.add({.name = "relative error",
              .data = error(energy.data),
              .low = error(energy.low),
              .high = error(energy.high)});
}

void MotionTable::add_residuals() {
  const auto some = [](double x) { return x > 0.0; };
  const auto any = [&](const std::vector<double>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), some);
  };
  if (!any(motion_.max_constraint) && !any(motion_.max_velocity_constraint)) return;
  const std::size_t width = motion_.width();
  begin("residuals", "How well constraints are kept", "log", "");
  table_.add(column("max |g|", motion_.max_constraint, 0, 1, width - 3));
  table_.add(column("max |G v + g_t|", motion_.max_velocity_constraint, 0, 1, width - 2));
}

void MotionTable::add_steps() {
  if (summary_.step > 0.0 || table_.rows < 2) return;
  begin("step", "Step size", "log", units_of(subject_).time);
  table_.add(column("step", motion_.step, 0, 1, motion_.width() - 1));
  if (motion_.rejected.back() == 0.0) return;
  begin("rejections", "Rejected steps since the row before", "linear", "");
  PageColumn rejected = column("rejected steps", motion_.rejected, 0, 1, no_extreme);
  rejected.difference = true;
  table_.add(std::move(rejected));
}

// how much they have changed
void MotionTable::add_invariants() {
  const std::size_t count = motion_.invariants.size();
  if (count == 0) return;
  begin("invariants", "Change of invariants", "linear", "");
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> change;
    for (std::size_t row = 0; row < table_.rows; ++row)
      change.push_back(motion_.invariant[row * count + i] - motion_.invariant[i]);
    table_.add({.name = motion_.invariants[i], .data = table_.own(std::move(change))});
  }
}

// The picture.
// -------------------------------------------------------------------------------------

const char* kind_name(Scene::Point::Kind kind) {
  switch (kind) {
    case Scene::Point::Kind::mass:
      return "mass";
    case Scene::Point::Kind::anchor:
      return "anchor";
    case Scene::Point::Kind::marker:
      return "marker";
    case Scene::Point::Kind::drawn:
      break;
  }
  return "drawn";
}

const char* kind_name(Scene::Line::Kind kind) {
  switch (kind) {
    case Scene::Line::Kind::rod:
      return "rod";
    case Scene::Line::Kind::spring:
      return "spring";
    case Scene::Line::Kind::damper:
      return "damper";
    case Scene::Line::Kind::drawn:
      break;
  }
  return "drawn";
}

class SceneText {
 public:
  SceneText(const Scene& scene, const Structure& structure, const MotionColumns& columns,
            PageTable& table)
      : scene_{scene}, columns_{columns}, table_{table} {
    int drawn = 0;
    for (const Observable& observable : structure.observables)
      drawn_.push_back(observable.kind == Observable::Kind::drawn ? drawn++ : -1);
  }

  /// At most, but for names that need escapes.
  [[nodiscard]] std::size_t bytes() const;
  void need();
  [[nodiscard]] bool shows_loads() const { return loaded_; }
  [[nodiscard]] Json operator()() const;

 private:
  [[nodiscard]] int column(const Scene::Component& c) const;
  [[nodiscard]] Json json(const Scene::Component& c) const;
  template <std::size_t n>
  [[nodiscard]] Json json(const std::array<Scene::Component, n>& all) const {
    Json list = Json::array();
    for (const Scene::Component& c : all) list.push_back(json(c));
    return list;
  }
  [[nodiscard]] Json load(const Scene::Line& line) const;

  const Scene& scene_;
  const MotionColumns& columns_;
  PageTable& table_;
  std::vector<int> drawn_;  // of an observable: which of Motion::drawn
  bool loaded_ = true;      // rods show their loads
};

std::size_t SceneText::bytes() const {
  std::size_t sum = 1200 * scene_.bodies.size();
  for (const Scene::Point& point : scene_.points) sum += 140 + point.name.size();
  for (const Scene::Line& line : scene_.lines) sum += 140 + line.name.size();
  return sum;
}

// Of the table; -1: a number.
int SceneText::column(const Scene::Component& c) const {
  if (c.coordinate >= 0)
    return static_cast<int>(columns_.q.at(static_cast<std::size_t>(c.coordinate)));
  if (c.observable >= 0)
    return static_cast<int>(columns_.place.at(
        static_cast<std::size_t>(drawn_.at(static_cast<std::size_t>(c.observable)))));
  return -1;
}

// Columns that the picture is drawn from are there in any case.
void SceneText::need() {
  const auto mark = [&](const auto& components) {
    for (const Scene::Component& c : components)
      if (const int k = column(c); k >= 0)
        table_.columns[static_cast<std::size_t>(k)].needed = true;
  };
  for (const Scene::Point& point : scene_.points) mark(point.at);
  for (const Scene::Body& body : scene_.bodies) {
    mark(body.position);
    mark(body.rotation);
  }
  // colours of rods must not cost most of the rows
  loaded_ = columns_.q.size() <= most_coordinates_with_loads;
  for (const Scene::Line& line : scene_.lines)
    if (line.row >= 0 && loaded_)
      table_.columns[columns_.lambda.at(static_cast<std::size_t>(line.row))].needed = true;
}

Json SceneText::json(const Scene::Component& c) const {
  const int k = column(c);
  if (k >= 0) return {{"column", table_.place(static_cast<std::size_t>(k))}};
  return std::isfinite(c.value) ? Json(c.value) : Json{};
}

Json SceneText::load(const Scene::Line& line) const {
  if (line.row < 0 || !loaded_) return nullptr;
  return table_.place(columns_.lambda.at(static_cast<std::size_t>(line.row)));
}

Json SceneText::operator()() const {
  Json j;
  j["dimension"] = scene_.dimension;
  j["points"] = Json::array();
  for (const Scene::Point& point : scene_.points)
    j["points"].push_back({{"name", point.name},
                           {"kind", kind_name(point.kind)},
                           {"mass", point.mass},
                           {"at", json(point.at)},
                           {"body", point.body}});
  j["lines"] = Json::array();
  for (const Scene::Line& line : scene_.lines)
    j["lines"].push_back({{"name", line.name},
                          {"kind", kind_name(line.kind)},
                          {"ends", line.ends},
                          {"column", load(line)},
                          {"stiffness", line.stiffness},
                          {"length", line.length}});
  j["bodies"] = Json::array();
  for (const Scene::Body& body : scene_.bodies)
    j["bodies"].push_back({{"name", body.name},
                           {"position", json(body.position)},
                           {"rotation", json(body.rotation)},
                           {"box", body.box},
                           {"axes", body.axes},
                           {"mass", body.mass}});
  j["box"] = scene_.box.empty() ? Json{} : Json(scene_.box);
  return j;
}

// The rest.
// ----------------------------------------------------------------------------------------

// Without what has its own place in the page, where it is long.
std::string summary_text(const Summary& summary) {
  std::string text = summary_json(summary);
  if (text.size() <= most_summary_bytes) return text;
  Summary brief = summary;
  brief.coordinates.clear();
  brief.velocities.clear();
  brief.constraints.clear();
  brief.state.q.resize(0);
  brief.state.v.resize(0);
  brief.lambda.resize(0);
  brief.moved.q.clear();
  brief.moved.v.clear();
  brief.redundant.clear();
  brief.events.clear();
  brief.invariant_errors.clear();
  for (StatisticResult& statistic : brief.statistics) statistic.columns.clear();
  brief.notes.emplace_back("lists of names are left out here: they are in summary.json");
  return summary_json(brief);
}

Json events_of(const Summary& summary, std::vector<std::string>& notes) {
  Json events = Json::array();
  for (const EventRecord& event : summary.events) {
    if (events.size() == most_events && !event.stops) continue;
    events.push_back(
        {{"name", event.name}, {"at", event.state.t}, {"kind", event.stops ? "stop" : "event"}});
  }
  if (events.size() < summary.events.size())
    notes.push_back(fmt::format("The page shows the first {} of {} events.", events.size(),
                                summary.events.size()));
  return events;
}

Json statistics_of(const Summary& summary) {
  Json all = Json::array();
  for (const StatisticResult& statistic : summary.statistics) {
    Json numbers = Json::array(), columns = Json::array();
    numbers.push_back({"samples", statistic.samples});
    for (const auto& [name, value] : statistic.numbers)
      numbers.push_back({name, std::isfinite(value) ? Json(value) : Json{}});
    for (const auto& [name, values] : statistic.columns)
      columns.push_back({{"name", name}, {"data", base64(values)}});
    all.push_back({{"name", statistic.name},
                   {"kind", statistic.kind},
                   {"numbers", std::move(numbers)},
                   {"columns", std::move(columns)}});
  }
  return all;
}

std::string between_rows(const Motion& motion, std::int64_t steps) {
  const Extremes& extremes = motion.extremes;
  if (extremes.empty()) return {};
  return fmt::format(
      "The run took {} steps; {} instants are rows. Bands show the least and the greatest values "
      "since the row before: of coordinates, velocities and step size at every step, of forces, "
      "energy and residuals at {} of the {} steps between rows.",
      steps, motion.rows(), extremes.measured, extremes.steps);
}

Json loads_json(const Motion& motion, const Summary& summary, const Scene& scene,
                const MotionColumns& columns, const PageTable& table) {
  Json list = Json::array();
  for (const ReportLoad& load : loads(motion, scene)) {
    if (list.size() == most_loads) break;
    const int place = table.place(columns.lambda[load.row]);
    list.push_back({{"name", load.name},
                    {"column", place >= 0 ? Json(place) : Json{}},
                    {"largest", load.largest},
                    {"at", load.at},
                    {"note", load_note(load, motion, summary)}});
  }
  return list;
}

}  // namespace

std::string report_html(const Motion& motion, const Summary& summary, const Structure& structure,
                        const ReportSubject& subject) {
  PageTable table;
  const MotionColumns columns = MotionTable{motion, summary, subject, table}();
  SceneText scene{subject.scene, structure, columns, table};
  const bool pictured = !subject.scene.empty() && scene.bytes() <= most_scene_bytes;
  if (pictured) scene.need();

  ReportParts parts;
  parts.page = pictured && subject.scene.dimension == 3 ? Page::report3d : Page::report;
  parts.title = summary.model;
  parts.summary = summary_text(summary);
  parts.words = report_words(motion, summary, structure, subject);
  parts.verdicts = report_verdicts(motion, summary, structure, subject);
  parts.events = events_of(summary, parts.words.doubt);
  parts.statistics = statistics_of(summary);
  parts.units = units_of(subject);
  parts.axis = {{"name", "t"}, {"unit", parts.units.time}};
  parts.steps = summary.counters.steps - summary.counters.rejected;
  parts.between = between_rows(motion, parts.steps);
  parts.later_bytes = pictured ? scene.bytes() : 0;
  if (pictured && !scene.shows_loads())
    parts.words.doubt.push_back(
        "The model is large: its picture has few instants and no colours of loads.");
  if (!subject.scene.empty() && !pictured)
    parts.words.doubt.push_back("The model has too many points for a picture of it in the page.");

  return report_page(parts, subject, table, [&] {
    Json rest;
    rest["loads"] = loads_json(motion, summary, subject.scene, columns, table);
    rest["scene"] = pictured ? scene() : Json{};
    if (!pictured) {
      // coordinates against one another; a single one against time
      const auto place = [&](std::size_t i) {
        return i < columns.q.size() && table.place(columns.q[i]) >= 0
                   ? Json(table.place(columns.q[i]))
                   : Json{};
      };
      rest["portrait"] = columns.q.size() < 2
                             ? Json{{"x", 0}, {"y", place(0)}, {"z", nullptr}}
                             : Json{{"x", place(0)}, {"y", place(1)}, {"z", nullptr}};
    }
    return rest;
  });
}

std::string write_report(const Motion& motion, const Summary& summary, const Structure& structure,
                         const ReportSubject& subject, const std::filesystem::path& file) {
  return write_file(file, report_html(motion, summary, structure, subject));
}

}  // namespace taut
