// SPDX-License-Identifier: BSD-3-Clause
// CSV and JSON of a motion, over time or along a curve.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

using Groups = std::vector<ColumnGroup>;

std::string header(const Groups& groups) {
  std::string line;
  for (const ColumnGroup& group : groups)
    for (std::size_t k = 0; group.written && k < group.width(); ++k) {
      if (!line.empty()) line += ',';
      line += csv_field(group.column(k));
    }
  return line + '\n';
}

// the shortest digits that give the same bits, or as many as are asked for
void put_row(fmt::memory_buffer& line, const Groups& groups, std::size_t row, int digits) {
  line.clear();
  for (const ColumnGroup& group : groups)
    for (std::size_t k = 0; group.written && k < group.width(); ++k) {
      if (line.size() > 0) line.push_back(',');
      const double value = group.values[row * group.width() + k];
      if (digits > 0)
        fmt::format_to(std::back_inserter(line), "{:.{}g}", value, digits);
      else
        fmt::format_to(std::back_inserter(line), FMT_COMPILE("{}"), value);
    }
  line.push_back('\n');
}

std::string write_csv(const Groups& groups, std::size_t rows, const std::string& file, int digits) {
  AtomicFile atomic{file};
  if (std::string problem = atomic.create(); !problem.empty()) return problem;
  {
    std::ofstream out{atomic.part(), std::ios::binary};
    out << header(groups);
    fmt::memory_buffer line;
    for (std::size_t row = 0; row < rows && out; ++row) {
      put_row(line, groups, row, digits);
      out.write(line.data(), static_cast<std::streamsize>(line.size()));
    }
    out.close();
    if (!out) return fmt::format("{}: cannot be written: {}", file, std::strerror(errno));
  }
  return atomic.commit();
}

Json column_json(const Column& column) {
  Json list = Json::array();
  for (const double value : column) list.push_back(std::isfinite(value) ? Json(value) : Json{});
  return list;
}

std::string write_json(const Groups& groups, const std::string& file) {
  Json j = Json::object();
  for (const ColumnGroup& group : groups) {
    if (!group.written || (group.optional && group.width() == 0)) continue;
    Json values = group.names != nullptr ? Json::object() : column_json(group[0]);
    for (std::size_t k = 0; group.names != nullptr && k < group.width(); ++k)
      add_entry(values, (*group.names)[k], column_json(group[k]));
    add_entry(j, std::string{group.name}, std::move(values));
  }
  return write_file(file, text(j, -1));
}

}  // namespace

std::string write_motion_csv(const Motion& motion, const std::string& file, int digits) {
  return write_csv(motion.groups(), motion.rows(), file, digits);
}
std::string write_motion_csv(const CurveMotion& motion, const std::string& file, int digits) {
  return write_csv(motion.groups(), motion.rows(), file, digits);
}
std::string write_motion_json(const Motion& motion, const std::string& file) {
  return write_json(motion.groups(), file);
}
std::string write_motion_json(const CurveMotion& motion, const std::string& file) {
  return write_json(motion.groups(), file);
}

}  // namespace taut
