// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/run_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "run/atomic_file.hpp"
#include "studies/sweep_journal.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

constexpr std::string_view first_line = "taut runs 1\n";
constexpr int bad_input = 254;
constexpr int last_status = static_cast<int>(Status::multipliers_redundant);

int status_of(const std::string& text) {
  if (text == "bad_input") return bad_input;
  for (int k = 0; k <= last_status; ++k)
    if (name(static_cast<Status>(k)) == text) return k;
  return bad_input;
}

std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
  return sum ^ sum >> 29;
}

std::string head_of(const RunIdentity& identity, std::size_t runs, std::size_t measures) {
  RunIdentity all = identity;
  all.emplace_back("runs", fmt::format("{}", runs));
  all.emplace_back("measures", fmt::format("{}", measures));
  return std::string{first_line} + sealed_identity(all) + "\n";
}

// all of it, or false
template <class Transfer, class Byte>
bool whole(const Transfer& transfer, int descriptor, Byte* bytes, std::size_t count, off_t at) {
  while (count > 0) {
    const ssize_t n = transfer(descriptor, bytes, count, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

RunStore::~RunStore() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RunStore::swap(RunStore& other) {
  std::swap(file_, other.file_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(head_, other.head_);
  std::swap(runs_, other.runs_);
  std::swap(measures_, other.measures_);
  std::swap(whose_, other.whose_);
}

std::string RunStore::open(const std::string& file, const RunIdentity& identity, std::size_t runs,
                           std::size_t measures, bool resume) {
  const auto failed = [&] { return fmt::format("{}: {}", file, std::strerror(errno)); };
  file_ = file;
  runs_ = runs;
  measures_ = measures;
  const std::string head = head_of(identity, runs, measures);
  head_ = head.size();
  whose_ = 0;
  for (const char c : head) whose_ = mixed(whose_, static_cast<unsigned char>(c));
  if (!resume)
    if (std::string problem = write_file(file, head); !problem.empty()) return problem;
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor_ < 0) return failed();
  struct stat about {};
  if (::fstat(descriptor_, &about) != 0) return failed();
  std::string there(std::min(static_cast<std::size_t>(about.st_size), head.size() + 65536), '\0');
  if (!whole(::pread, descriptor_, there.data(), there.size(), 0)) return failed();
  const std::size_t end = there.find("\n\n");
  if (!there.starts_with(first_line) || end == std::string::npos)
    return fmt::format("{} has no runs of a sweep", file);
  RunIdentity all = identity;
  all.emplace_back("runs", fmt::format("{}", runs));
  all.emplace_back("measures", fmt::format("{}", measures));
  const std::string_view lines{there.data() + first_line.size(), end + 1 - first_line.size()};
  if (const std::string what = identity_difference(lines, all); !what.empty())
    return fmt::format("{} is of another sweep: {}", file, worded(what));
  return {};
}

std::uint64_t RunStore::seal(std::size_t k, int status, std::span<const double> x) const {
  std::uint64_t sum = mixed(mixed(whose_, k), static_cast<std::uint64_t>(status));
  for (const double value : x) sum = mixed(sum, std::bit_cast<std::uint64_t>(value));
  return (sum & ~std::uint64_t{0xff}) | static_cast<std::uint64_t>(status + 1);
}

std::string RunStore::write(std::size_t k, const SweptRun& run) const {
  constexpr std::size_t near = 15;
  std::array<double, near + 1> few{};
  std::vector<double> many;
  double* row = few.data();
  if (measures_ > near) {
    many.resize(measures_ + 1);
    row = many.data();
  }
  for (std::size_t m = 0; m < measures_; ++m)
    row[m + 1] =
        m < run.measures.size() ? run.measures[m] : std::numeric_limits<double>::quiet_NaN();
  row[0] = std::bit_cast<double>(seal(k, status_of(run.status), {row + 1, measures_}));
  const std::size_t bytes = (measures_ + 1) * sizeof(double);
  if (whole(::pwrite, descriptor_, reinterpret_cast<const char*>(row), bytes,
            static_cast<off_t>(head_ + k * bytes)))
    return {};
  return fmt::format("{}: cannot be written: {}", file_, std::strerror(errno));
}

std::string RunStore::name_of(int status) {
  if (status < 0) return {};
  return status > last_status ? "bad_input" : std::string{name(static_cast<Status>(status))};
}

bool RunStore::is_good(int status) {
  return status == static_cast<int>(Status::ok) ||
         status == static_cast<int>(Status::stopped_by_event);
}

std::string RunStore::for_each(std::size_t first, std::size_t last,
                               const std::function<void(const Run&)>& visit) const {
  const std::size_t row = measures_ + 1, bytes = row * sizeof(double);
  constexpr std::size_t piece = 4096;
  std::vector<double> numbers(std::min(piece, std::max<std::size_t>(last - first, 1)) * row);
  for (std::size_t at = first; at < last; at += piece) {
    const std::size_t count = std::min(piece, last - at);
    char* to = reinterpret_cast<char*>(numbers.data());
    std::fill(numbers.begin(), numbers.end(), 0.0);
    // what lies behind the end of the file was not written
    for (std::size_t done = 0; done < count * bytes;) {
      const ssize_t n = ::pread(descriptor_, to + done, count * bytes - done,
                                static_cast<off_t>(head_ + at * bytes + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fmt::format("{}: cannot be read: {}", file_, std::strerror(errno));
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    for (std::size_t r = 0; r < count; ++r) {
      const double* const x = numbers.data() + r * row;
      const auto word = std::bit_cast<std::uint64_t>(x[0]);
      Run run{.number = at + r,
              .status = static_cast<int>(word & 0xff) - 1,
              .measures = {x + 1, measures_}};
      if (run.done() && seal(run.number, run.status, run.measures) != word) run.status = -1;
      visit(run);
    }
  }
  return {};
}

std::string RunStore::take(const std::string& file, const RunIdentity& identity) const {
  RunStore other;
  if (std::string problem = other.open(file, identity, runs_, measures_, true); !problem.empty())
    return problem;
  std::string problem;
  SweptRun run;
  std::string wrong = other.for_each(0, runs_, [&](const Run& theirs) {
    if (!theirs.done() || !problem.empty()) return;
    run.status = name_of(theirs.status);
    run.measures.assign(theirs.measures.begin(), theirs.measures.end());
    problem = write(theirs.number, run);
  });
  return wrong.empty() ? problem : wrong;
}

}  // namespace taut
