// SPDX-License-Identifier: BSD-3-Clause
// CSV, JSON and the page of runs over a grid that stand in a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "report/csv.hpp"
#include "report/page.hpp"
#include "report/sweep_fields.hpp"
#include "run/atomic_file.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/grid.hpp"

namespace taut {
namespace {

// about how many bytes of JSON numbers, texts and failures take, and how many there may be
constexpr std::size_t number_bytes = 20, status_bytes = 8, failure_bytes = 250;
constexpr std::size_t most_bytes = 3'000'000, most_failures = 1000;

std::size_t bytes_of(const GridReport& report) {
  const std::size_t runs = grid_size(report.axes);
  return runs * (report.measures.size() * number_bytes + status_bytes +
                 (report.axes.size() == 1 ? number_bytes : 0)) +
         report.found.failed * failure_bytes;
}

Json head_of(const GridReport& report) {
  const StoredSweep& sweep = *report.sweep;
  Json j = sweep_head(report.origin);
  j["status"] = name(sweep.status);
  if (sweep.status != Status::ok) {
    j["reason"] = sentence(sweep.status);
    j["hint"] = hint(sweep.status);
  }
  j["model"] = report.origin.model;
  j["reading"] = report.origin.reading;
  j["method"] = sweep.store.method();
  return j;
}

void add_counts(const GridReport& report, Json& j) {
  const StoredSweep& sweep = *report.sweep;
  j["failure_groups"] =
      failure_groups_json(report.found.failures, SweepPoints::of(report.axes).values);
  j["runs"] = grid_size(report.axes);
  j["finished"] = report.found.finished;
  j["failed"] = report.found.failed;
  j["resumed"] = sweep.resumed;
  j["seconds"] = sweep.seconds;
  j["threads"] = sweep.threads;
  if (!sweep.device.empty()) {
    j["device"] = sweep.device;
    j["left_by_device"] = sweep.left_by_device;
  }
  if (!sweep.note.empty()) j["note"] = worded(sweep.note);
}

Json status_json(int status) { return status < 0 ? Json{} : Json(RunStore::name_of(status)); }

// an axis of which not all values are there
Json reduced_axis(const SweepAxis& axis, Json values) {
  return {{"name", axis.parameter}, {"log", axis.log},   {"values", std::move(values)},
          {"first", axis.first},    {"last", axis.last}, {"points", axis.points}};
}

/// One axis: pieces of it, of each the runs that have the least or the greatest of a measure, the
/// first that failed, and the first and the last of all.
class ThinnedAxis {
 public:
  ThinnedAxis(const GridReport& report, const SweepPoints& points)
      : points_{points}, measures_{report.measures.size()} {
    // each piece has up to 2 for each measure, and one that failed
    const std::size_t row = measures_ * number_bytes + status_bytes + 2 * number_bytes;
    pieces_ = std::max<std::size_t>(1, most_bytes / 2 / (row * (2 * measures_ + 1)));
    pieces_ = std::min<std::size_t>(pieces_, 2000);
    values_.resize(measures_, Json::array());
  }

  void add(const RunStore::Run& run) {
    const std::size_t piece = run.number * pieces_ / points_.count;
    if (piece != piece_) end_piece();
    piece_ = piece;
    const bool failed = run.done() && !RunStore::is_good(run.status);
    const bool edge = run.number == 0 || run.number + 1 == points_.count;
    if (edge || (failed && !failed_)) kept_.insert_or_assign(run.number, Row{run});
    failed_ = failed_ || failed;
    if (!run.done() || failed) return;
    for (std::size_t m = 0; m < measures_; ++m) {
      const double x = run.measures[m];
      if (!std::isfinite(x)) continue;
      if (least_[m].measures.empty() || x < least_[m].measures[m]) least_[m] = Row{run};
      if (greatest_[m].measures.empty() || x > greatest_[m].measures[m]) greatest_[m] = Row{run};
    }
  }

  void write(const GridReport& report, Json& j) {
    end_piece();
    const SweepAxis& axis = report.axes[0];
    j["axes"].push_back(reduced_axis(axis, std::move(at_)));
    for (std::size_t m = 0; m < measures_; ++m)
      j["measures"].push_back({{"name", report.measures[m]}, {"values", std::move(values_[m])}});
    j["reduced"] = {{"kind", "extremes"},
                    {"pieces", pieces_},
                    {"points", {points_.count}},
                    {"numbers", std::move(numbers_)}};
    j["statuses"] = std::move(statuses_);
  }

 private:
  struct Row {
    Row() = default;
    explicit Row(const RunStore::Run& run)
        : number{run.number},
          status{run.status},
          measures(run.measures.begin(), run.measures.end()) {}
    std::size_t number = 0;
    int status = -1;
    std::vector<double> measures;
  };

  void end_piece() {
    for (std::vector<Row>* rows : {&least_, &greatest_})
      for (Row& row : *rows)
        if (!row.measures.empty()) kept_.insert_or_assign(row.number, std::move(row));
    for (auto& [number, row] : kept_) {
      numbers_.push_back(number);
      at_.push_back(points_.values(number)[0]);
      statuses_.push_back(status_json(row.status));
      for (std::size_t m = 0; m < measures_; ++m)
        values_[m].push_back(number_or_null(row.measures[m]));
    }
    kept_.clear();
    failed_ = false;
    least_.assign(measures_, {});
    greatest_.assign(measures_, {});
  }

  const SweepPoints& points_;
  std::size_t measures_, pieces_ = 1, piece_ = 0;
  std::map<std::size_t, Row> kept_;
  std::vector<Row> least_ = std::vector<Row>(measures_), greatest_ = least_;
  bool failed_ = false;
  Json at_ = Json::array(), numbers_ = Json::array(), statuses_ = Json::array();
  std::vector<Json> values_;
};

/// More axes: cells of runs that lie beside each other, of each the mean, the least and the
/// greatest of each measure.
class Cells {
 public:
  explicit Cells(const GridReport& report) : axes_{report.axes}, measures_{report.measures.size()} {
    const std::size_t row = 3 * measures_ * number_bytes + status_bytes;
    const std::size_t most =
        std::max<std::size_t>(1, std::min<std::size_t>(most_bytes / row, 65'536));
    std::vector<std::size_t> side(axes_.size(), 1);
    cells_.resize(axes_.size());
    for (;;) {
      std::size_t count = 1, widest = 0;
      for (std::size_t a = 0; a < axes_.size(); ++a) {
        const auto n = static_cast<std::size_t>(axes_[a].points);
        cells_[a] = (n + side[a] - 1) / side[a];
        count *= cells_[a];
        if (cells_[a] > cells_[widest]) widest = a;
      }
      if (count <= most) {
        all_.resize(count);
        break;
      }
      ++side[widest];
    }
    for (Cell& cell : all_) cell.measures.resize(measures_);
  }

  void add(const RunStore::Run& run) {
    std::size_t k = run.number, at = 0, stride = 1;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const auto n = static_cast<std::size_t>(axes_[a].points);
      at += stride * (k % n * cells_[a] / n);
      stride *= cells_[a];
      k /= n;
    }
    Cell& cell = all_[at];
    if (!run.done()) return;
    const bool good = RunStore::is_good(run.status);
    // one that went well stands for the others
    if (cell.status < 0 || (good && !RunStore::is_good(cell.status))) cell.status = run.status;
    if (!good) {
      ++cell.failed;
      return;
    }
    for (std::size_t m = 0; m < measures_; ++m) {
      const double x = run.measures[m];
      if (!std::isfinite(x)) continue;
      Course& to = cell.measures[m];
      ++to.count;
      to.mean += (x - to.mean) / static_cast<double>(to.count);
      to.least = std::min(to.least, x);
      to.greatest = std::max(to.greatest, x);
    }
  }

  void write(const GridReport& report, Json& j) const {
    Json points = Json::array(), axes = Json::array(), counts = Json::array();
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const SweepAxis& axis = axes_[a];
      const auto n = static_cast<std::size_t>(axis.points);
      Json values = Json::array();
      for (std::size_t c = 0; c < cells_[a]; ++c) {
        // the first and the last point that are in the cell
        const std::size_t first = (c * n + cells_[a] - 1) / cells_[a];
        const std::size_t last = ((c + 1) * n + cells_[a] - 1) / cells_[a] - 1;
        const double x = axis.value(static_cast<int>(first)),
                     y = axis.value(static_cast<int>(last));
        values.push_back(axis.log ? std::sqrt(x) * std::sqrt(y) : (x + y) / 2);
      }
      axes.push_back(reduced_axis(axis, std::move(values)));
      points.push_back(axis.points);
      counts.push_back(cells_[a]);
    }
    j["axes"] = std::move(axes);
    const auto column = [&](const auto& number) {
      Json list = Json::array();
      for (const Cell& cell : all_) list.push_back(number(cell));
      return list;
    };
    const auto known = [](const Course& course, double x) {
      return course.count > 0 ? number_or_null(x) : Json{};
    };
    for (std::size_t m = 0; m < measures_; ++m)
      j["measures"].push_back(
          {{"name", report.measures[m]},
           {"values",
            column([&](const Cell& c) { return known(c.measures[m], c.measures[m].mean); })},
           {"least",
            column([&](const Cell& c) { return known(c.measures[m], c.measures[m].least); })},
           {"greatest",
            column([&](const Cell& c) { return known(c.measures[m], c.measures[m].greatest); })}});
    j["reduced"] = {{"kind", "cells"}, {"points", std::move(points)}, {"cells", std::move(counts)}};
    j["statuses"] = column([](const Cell& c) { return status_json(c.status); });
    if (report.found.failed > 0)
      j["reduced"]["failed"] = column([](const Cell& c) { return c.failed; });
  }

 private:
  struct Course {
    std::size_t count = 0;
    double mean = 0.0, least = std::numeric_limits<double>::infinity(), greatest = -least;
  };
  struct Cell {
    int status = -1;
    std::size_t failed = 0;
    std::vector<Course> measures;
  };
  const std::vector<SweepAxis>& axes_;
  std::size_t measures_;
  std::vector<std::size_t> cells_;
  std::vector<Cell> all_;
};

std::string reduced_json(const GridReport& report) {
  const SweepPoints points = SweepPoints::of(report.axes);
  Json j = head_of(report), failures = Json::array();
  j["axes"] = j["measures"] = Json::array();
  std::size_t shown = 0;
  const auto note_failure = [&](const RunStore::Run& run) {
    if (!run.done() || RunStore::is_good(run.status) || shown++ >= most_failures) return;
    failures.push_back({{"index", run.number},
                        {"values", points.values(run.number)},
                        {"status", RunStore::name_of(run.status)},
                        {"reason", run.reason}});
  };
  const auto go = [&](auto&& reduced) {
    const std::string problem = report.sweep->store.for_each(0, points.count, [&](const auto& run) {
      reduced.add(run);
      note_failure(run);
    });
    reduced.write(report, j);
    if (!problem.empty()) j["problem"] = problem;
  };
  if (report.axes.size() == 1)
    go(ThinnedAxis{report, points});
  else
    go(Cells{report});
  j["failures"] = std::move(failures);
  add_counts(report, j);
  return text(j, -1);
}

}  // namespace

RunSweep sweep_in_memory(const GridReport& report) {
  const StoredSweep& from = *report.sweep;
  RunSweep all{.status = from.status,
               .axes = report.axes,
               .measures = report.measures,
               .finished = report.found.finished,
               .failed = report.found.failed,
               .resumed = from.resumed,
               .seconds = from.seconds,
               .threads = from.threads,
               .device = from.device,
               .left_by_device = from.left_by_device,
               .problem = from.problem,
               .note = from.note,
               .first_failure = report.found.first_failure};
  all.runs.resize(grid_size(report.axes));
  const std::string method = from.store.method();
  std::string wrong = from.store.for_each(0, all.runs.size(), [&](const RunStore::Run& run) {
    if (!run.done()) return;
    SweptRun& to = all.runs[run.number];
    to.status = RunStore::name_of(run.status);
    to.reason = run.reason;
    to.method = method;
    to.measures.assign(run.measures.begin(), run.measures.end());
  });
  if (all.problem.empty()) all.problem = std::move(wrong);
  return all;
}

std::string grid_json(const GridReport& report) {
  if (bytes_of(report) > most_bytes) return reduced_json(report);
  return sweep_json(sweep_in_memory(report), report.origin);
}

std::string write_grid_csv(const GridReport& report, const std::string& file) {
  AtomicFile atomic{file};
  if (std::string problem = atomic.create(); !problem.empty()) return problem;
  std::ofstream out{atomic.part(), std::ios::binary};
  for (const SweepAxis& axis : report.axes) out << csv_field(axis.parameter) << ',';
  out << "status";
  for (const std::string& measure : report.measures) out << ',' << csv_field(measure);
  out << ",reason\n";
  const SweepPoints points = SweepPoints::of(report.axes);
  fmt::memory_buffer line;
  std::string problem =
      report.sweep->store.for_each(0, points.count, [&](const RunStore::Run& run) {
        if (!run.done()) return;
        line.clear();
        fmt::format_to(std::back_inserter(line), "{},{},{},{}\n",
                       fmt::join(points.values(run.number), ","), RunStore::name_of(run.status),
                       fmt::join(run.measures, ","),
                       run.reason.empty() ? std::string{} : csv_field(std::string{run.reason}));
        out.write(line.data(), static_cast<std::streamsize>(line.size()));
      });
  out.close();
  if (!out) return fmt::format("{}: cannot be written", file);
  return problem.empty() ? atomic.commit() : problem;
}

std::string write_grid_html(const GridReport& report, const std::string& file) {
  return write_file(file, page_html(Page::sweep, report.origin.model, grid_json(report)));
}

}  // namespace taut
