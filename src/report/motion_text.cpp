// SPDX-License-Identifier: BSD-3-Clause
// CSV and JSON of a motion.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

std::string header(const Motion& motion) {
  std::string line = "t";
  for (const auto& name : motion.coordinates) line += ',' + csv_field(name);
  for (const auto& name : motion.velocities) line += ',' + csv_field(name);
  for (const auto& name : motion.constraints) line += ',' + csv_field("lambda(" + name + ")");
  return line + ",energy,max_constraint,max_velocity_constraint,step\n";
}

// the shortest digits that give the same bits
void put(fmt::memory_buffer& line, double value) {
  fmt::format_to(std::back_inserter(line), FMT_COMPILE(",{}"), value);
}

void put_row(fmt::memory_buffer& line, const std::vector<double>& column, std::size_t row,
             std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) put(line, column[row * width + i]);
}

Json column_json(const std::vector<double>& column, std::size_t first, std::size_t stride) {
  Json list = Json::array();
  for (std::size_t i = first; i < column.size(); i += stride)
    list.push_back(std::isfinite(column[i]) ? Json(column[i]) : Json{});
  return list;
}

Json group_json(const std::vector<std::string>& names, const std::vector<double>& column) {
  Json group = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    add_entry(group, names[i], column_json(column, i, names.size()));
  return group;
}

}  // namespace

std::string write_motion_csv(const Motion& motion, const std::filesystem::path& file) {
  AtomicFile atomic{file};
  {
    std::ofstream out{atomic.part(), std::ios::binary};
    out << header(motion);
    fmt::memory_buffer line;
    for (std::size_t row = 0; row < motion.rows() && out; ++row) {
      line.clear();
      fmt::format_to(std::back_inserter(line), FMT_COMPILE("{}"), motion.t[row]);
      put_row(line, motion.q, row, motion.coordinates.size());
      put_row(line, motion.v, row, motion.velocities.size());
      put_row(line, motion.lambda, row, motion.constraints.size());
      put(line, motion.energy[row]);
      put(line, motion.max_constraint[row]);
      put(line, motion.max_velocity_constraint[row]);
      put(line, motion.step[row]);
      line.push_back('\n');
      out.write(line.data(), static_cast<std::streamsize>(line.size()));
    }
    out.close();
    if (!out) return fmt::format("{}: cannot be written", atomic.part().string());
  }
  return atomic.commit();
}

std::string write_motion_json(const Motion& motion, const std::filesystem::path& file) {
  Json j;
  j["t"] = column_json(motion.t, 0, 1);
  j["q"] = group_json(motion.coordinates, motion.q);
  j["v"] = group_json(motion.velocities, motion.v);
  j["lambda"] = group_json(motion.constraints, motion.lambda);
  j["energy"] = column_json(motion.energy, 0, 1);
  j["max_constraint"] = column_json(motion.max_constraint, 0, 1);
  j["max_velocity_constraint"] = column_json(motion.max_velocity_constraint, 0, 1);
  j["step"] = column_json(motion.step, 0, 1);
  return write_file(file, text(j, -1));
}

}  // namespace taut
