// SPDX-License-Identifier: BSD-3-Clause
#include <string_view>

#include "report/json.hpp"
#include "report/statistics_text.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

/// The fields of a summary as JSON; numbers that are not finite become notes of it.
template <class AnySummary>
class SummaryWriter {
 public:
  explicit SummaryWriter(const AnySummary& summary) : s_{summary}, notes_{summary.notes} {}

  template <class Field>
  void operator()(const char* name, const Field& field) {
    put(name, json(name, field));
  }
  void operator()(const char* name, const std::vector<std::string>& names, const Vec& values) {
    put(name, number_(name, names, values));
  }
  template <class Field>
  void where(bool there, const char* name, const Field& field) {
    put(name, there ? json(name, field) : Json{});
  }
  template <class Field>
  void unnamed(const Field& /*field*/) {}

  // stands last: by then it is known what is not finite
  void operator()(const char* /*name*/, const std::vector<Note>& /*notes*/) {
    add_notes(notes_, json_);
  }

  Json json_;

 private:
  void put(std::string_view name, Json value) {
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos)
      json_[std::string{name}] = std::move(value);
    else
      json_[std::string{name.substr(0, dot)}][std::string{name.substr(dot + 1)}] = std::move(value);
  }

  template <class Field>
  Json json(const char* /*name*/, const Field& field) {
    return field;
  }
  Json json(const char* name, double value) { return number_(name, value); }
  Json json(const char* /*name*/, Status status) { return taut::name(status); }
  Json json(const char* /*name*/, const Note& note) { return note.text(); }
  Json json(const char* /*name*/, const std::optional<ReadingKind>& reading) {
    return reading ? taut::name(*reading) : "";
  }
  template <class Value>
  Json json(const char* name, const std::optional<Value>& value) {
    return value ? json(name, *value) : Json{};
  }
  Json json(const char* name, const std::vector<std::pair<std::string, double>>& values) {
    // of start.moved that of moved, and so on; what invariants have is a change
    const std::string_view last =
        std::string_view{name}.substr(std::string_view{name}.find('.') + 1);
    return number_(last == "invariant_errors" ? "change" : std::string{last}, values);
  }
  Json json(const char* /*name*/, const Moved& moved) { return moved_json(moved, number_); }
  Json sizes(const std::string& where, const ErrorEstimate::Sizes& sizes) {
    return {{"q", number_("error of q " + where, sizes.q)},
            {"v", number_("error of v " + where, sizes.v)},
            {"lambda", number_("error of lambda " + where, sizes.lambda)}};
  }
  Json json(const char* /*name*/, const ErrorEstimate& errors) {
    return {{"companion", errors.companion},
            {"at_end", sizes("at the end", errors.at_end())},
            {"along_run", sizes("along the run", errors.along_run())},
            {"q", number_("error of q", s_.coordinates, errors.q)},
            {"v", number_("error of v", s_.velocities, errors.v)},
            {"lambda", number_("error of lambda", s_.constraints, errors.lambda)},
            {"wall_seconds", errors.wall_seconds}};
  }
  Json json(const char* /*name*/, const std::vector<StatisticResult>& statistics) {
    Json all = Json::object();
    for (const StatisticResult& statistic : statistics) {
      Json j = statistic_json(statistic);
      if (!statistic.columns.empty()) j["file"] = statistic_file(statistic);
      add_entry(all, statistic.name, std::move(j));
    }
    return all;
  }
  Json json(const char* /*name*/, const std::vector<EventRecord>& events) {
    Json list = Json::array();
    for (const EventRecord& event : events) {
      Json j{{"name", event.name},
             {"t", event.state.t},
             {"q", number_("q at event " + event.name, s_.coordinates, event.state.q)},
             {"v", number_("v at event " + event.name, s_.velocities, event.state.v)}};
      if (event.after.q.size() > 0 || event.after.v.size() > 0)
        j["after"] = {{"q", number_("q behind event " + event.name, s_.coordinates, event.after.q)},
                      {"v", number_("v behind event " + event.name, s_.velocities, event.after.v)}};
      list.push_back(std::move(j));
    }
    return list;
  }
  Json json(const char* /*name*/, const std::vector<CurveEventRecord>& events) {
    Json list = Json::array();
    for (const CurveEventRecord& event : events)
      list.push_back({{"name", event.name},
                      {"s", event.s},
                      {"p", number_("p at event " + event.name, s_.coordinates, event.p)}});
    return list;
  }
  Json json(const char* /*name*/, const std::vector<ImpassePoint>& points) {
    Json list = Json::array();
    for (const ImpassePoint& point : points)
      list.push_back({{"name", "impasse point"},
                      {"kind", taut::name(point.kind)},
                      {"s", point.s},
                      {"p", number_("p at impasse point", s_.coordinates, point.p)},
                      {"slope", number_("slope at impasse point", point.slope)},
                      {"unbounded", point.unbounded}});
    return list;
  }

  const AnySummary& s_;
  std::vector<Note> notes_;
  NamedNumbers number_{notes_};
};

template <class AnySummary>
std::string written(const AnySummary& summary) {
  SummaryWriter writer{summary};
  AnySummary::fields(summary, writer);
  return text(writer.json_);
}

}  // namespace

std::string summary_json(const Summary& s) { return written(s); }
std::string summary_json(const CurveSummary& s) { return written(s); }

std::string write_summary_json(const Summary& summary, const std::string& file) {
  return write_file(file, summary_json(summary));
}

std::string write_summary_json(const CurveSummary& summary, const std::string& file) {
  return write_file(file, summary_json(summary));
}

}  // namespace taut
