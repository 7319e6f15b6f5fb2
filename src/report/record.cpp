// SPDX-License-Identifier: BSD-3-Clause
// The record of a run: an Archive with
//
//   "record", layout, version of taut, kind of run; subject, (system), motion, summary
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "report/record_fields.hpp"
#include "report/report_data.hpp"
#include "run/atomic_file.hpp"

namespace taut {
namespace {

const std::string in_time = "run in time", along_curve = "run along a curve";

// A writer changes nothing of what it is given.
template <class Part>
void write_part(Archive& archive, const Part& part) {
  record_fields(archive, const_cast<Part&>(part));
}

template <class... Parts>
std::string write_parts(const std::string& file, std::string kind, const ReportSubject& subject,
                        const Parts&... parts) {
  Archive archive = Archive::writer();
  archive.tag("record");
  int layout = record_layout;
  std::string version = subject.version;
  archive(layout, version, kind);
  write_part(archive, subject);
  (write_part(archive, parts), ...);
  const std::vector<std::byte> bytes = archive.bytes();
  return write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

RecordFound refused(std::string problem) { return {{}, std::move(problem)}; }

// all of it; why not, where that is so
std::string read_bytes(const std::string& file, std::vector<std::byte>& bytes) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return fmt::format("{}: there is no such file", file);
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return fmt::format("{}: cannot be read: {}", file, error.message());
  std::ifstream in{file, std::ios::binary};
  bytes.resize(size);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  return in ? std::string{} : fmt::format("{}: cannot be read", file);
}

// what stands behind the kind
Record read_parts(Archive& archive, const std::string& kind) {
  const auto finish = [&](const auto& run) {
    if (!archive.at_end()) throw std::runtime_error{"more stands in it than a record has"};
    if (const std::string what = misfit(run); !what.empty()) throw std::runtime_error{what};
  };
  if (kind == along_curve) {
    CurveRecord run;
    record_fields(archive, run.subject);
    record_fields(archive, run.motion);
    record_fields(archive, run.summary);
    finish(run);
    return run;
  }
  if (kind != in_time) throw std::runtime_error{"it does not say what kind of run it is of"};
  RunRecord run;
  record_fields(archive, run.subject);
  record_fields(archive, run.system);
  record_fields(archive, run.motion);
  record_fields(archive, run.summary);
  finish(run);
  return run;
}

}  // namespace

SystemFacts facts_of(const Structure& structure) {
  const auto count = [&](auto is) {
    return static_cast<std::int64_t>(
        std::count_if(structure.rows.begin(), structure.rows.end(), is));
  };
  return {.coordinates = structure.places(),
          .rigid = count([](const Row& row) { return row.equation >= 0 && row.compliance == 0.0; }),
          .compliant = count([](const Row& row) { return row.compliance > 0.0; }),
          .conservative = structure.conservative};
}

std::string write_record(const Motion& motion, const Summary& summary, const SystemFacts& system,
                         const ReportSubject& subject, const std::string& file) {
  return write_parts(file, in_time, subject, system, motion, summary);
}

std::string write_record(const CurveMotion& motion, const CurveSummary& summary,
                         const ReportSubject& subject, const std::string& file) {
  return write_parts(file, along_curve, subject, motion, summary);
}

RecordFound read_record(const std::string& file) {
  std::vector<std::byte> bytes;
  if (std::string problem = read_bytes(file, bytes); !problem.empty())
    return refused(std::move(problem));
  try {
    Archive archive = Archive::reader(std::move(bytes));
    archive.tag("record");
    int layout = 0;
    std::string version, kind;
    archive(layout, version);
    if (layout != record_layout)
      return refused(fmt::format(
          "{} was written by another version of taut ({}): run the model again", file, version));
    archive(kind);
    return {read_parts(archive, kind), {}};
  } catch (const std::runtime_error& error) {  // untrusted input: the edge where it is read
    return refused(fmt::format("{} is damaged: {}", file, error.what()));
  }
}

std::string report_html(const RunRecord& run) {
  const PageText page = report_data(run);
  return page_html(page.page, page.title, page.data);
}

std::string report_html(const CurveRecord& run) {
  const PageText page = report_data(run);
  return page_html(page.page, page.title, page.data);
}

std::string write_report(const Record& record, const std::string& file) {
  return write_file(file, std::visit([](const auto& run) { return report_html(run); }, record));
}

}  // namespace taut
