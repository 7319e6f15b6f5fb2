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
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "run/atomic_file.hpp"
#include "studies/sweep_journal.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

constexpr std::string_view first_line = "taut runs 1\n", last_line = "complete\n";
constexpr int bad_input = 254;
constexpr int last_status = static_cast<int>(Status::multipliers_redundant);

std::string texts_of(const std::string& file) { return file + ".texts"; }

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

/// FILE.texts: lines KEY TAB TEXT TAB CHECKSUM, where KEY is "method" or the number of a run.
class RunStore::Texts {
 public:
  Texts(std::string file, std::uint64_t whose) : file_{std::move(file)}, whose_{whose} {
    read([this](std::string_view key, std::string_view text, std::size_t /*at*/) {
      if (key == method) methods_.insert(unescaped(text));
    });
  }
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;
  ~Texts() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  std::string add_method(const std::string& name) {
    if (name.empty()) return {};
    const std::scoped_lock lock{mutex_};
    return methods_.insert(name).second ? append(method, name) : std::string{};
  }
  std::string add_reason(std::size_t k, const std::string& reason) {
    const std::scoped_lock lock{mutex_};
    return append(fmt::format("{}", k), reason);
  }
  [[nodiscard]] std::set<std::string> methods() const {
    const std::scoped_lock lock{mutex_};
    return methods_;
  }

  /// Where the reasons of runs stand, by their numbers.
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;
  [[nodiscard]] Places places() const {
    Places all;
    read([&](std::string_view key, std::string_view /*text*/, std::size_t at) {
      std::size_t k = 0;
      if (std::from_chars(key.data(), key.data() + key.size(), k).ec == std::errc{})
        all.emplace_back(k, at);
    });
    // of several for one run, which are the same, the first
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return all;
  }
  [[nodiscard]] std::string reason(const Places& places, std::size_t k, std::ifstream& in) const {
    const auto found = std::lower_bound(places.begin(), places.end(), std::pair{k, std::size_t{0}});
    std::string line;
    if (found == places.end() || found->first != k) return {};
    if (!in.is_open()) in.open(file_, std::ios::binary);
    in.clear();
    in.seekg(static_cast<std::streamoff>(found->second));
    std::getline(in, line);
    const std::size_t first = line.find('\t'), last = line.rfind('\t');
    return first < last ? unescaped(std::string_view{line}.substr(first + 1, last - first - 1))
                        : std::string{};
  }
  /// Methods by name, then runs by number, each once.
  [[nodiscard]] std::string put_in_order() const {
    const Places all = places();
    AtomicFile atomic{file_};
    if (std::string problem = atomic.create(); !problem.empty()) return problem;
    std::ofstream out{atomic.part(), std::ios::binary};
    for (const std::string& name : methods()) out << sealed(method, name);
    std::ifstream in;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i == 0 || all[i].first != all[i - 1].first)
        out << sealed(fmt::format("{}", all[i].first), reason(all, all[i].first, in));
    out.close();
    return out ? atomic.commit() : fmt::format("{}: cannot be written", file_);
  }

 private:
  static constexpr std::string_view method = "method";

  [[nodiscard]] std::string sealed(std::string_view key, const std::string& text) const {
    const std::string line = fmt::format("{}\t{}", key, escaped(text));
    return fmt::format("{}\t{}\n", line, fingerprint(fmt::format("{} {}", whose_, line)));
  }
  std::string append(std::string_view key, const std::string& text) {
    std::string line = sealed(key, text);
    if (descriptor_ < 0) {
      // behind a line that was torn, a new one
      if (std::ifstream in{file_, std::ios::binary | std::ios::ate}; in && in.tellg() > 0) {
        in.seekg(-1, std::ios::end);
        if (in.get() != '\n') line.insert(0, 1, '\n');
      }
      descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    }
    ssize_t n = -1;
    if (descriptor_ >= 0) do {
        n = ::write(descriptor_, line.data(), line.size());
      } while (n < 0 && errno == EINTR);
    if (n == static_cast<ssize_t>(line.size())) return {};
    return fmt::format("{}: cannot be written: {}", file_,
                       n < 0 ? std::strerror(errno) : "no space left");
  }
  // whole lines of this sweep
  template <class Visit>
  void read(const Visit& visit) const {
    std::ifstream in{file_, std::ios::binary};
    std::string line;
    for (std::size_t at = 0; std::getline(in, line); at += line.size() + 1) {
      const std::size_t first = line.find('\t'), last = line.rfind('\t');
      if (in.eof() || first == std::string::npos || first == last) continue;
      const std::string_view text{line.data(), last};
      if (fingerprint(fmt::format("{} {}", whose_, text)) == line.substr(last + 1))
        visit(text.substr(0, first), text.substr(first + 1), at);
    }
  }

  std::string file_;
  std::uint64_t whose_;
  int descriptor_ = -1;
  mutable std::mutex mutex_;
  std::set<std::string> methods_;
};

RunStore::RunStore() = default;

RunStore::RunStore(RunStore&& other) noexcept { *this = std::move(other); }

RunStore& RunStore::operator=(RunStore&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(head_, other.head_);
  std::swap(runs_, other.runs_);
  std::swap(measures_, other.measures_);
  std::swap(whose_, other.whose_);
  std::swap(texts_, other.texts_);
  return *this;
}

RunStore::~RunStore() {
  if (descriptor_ >= 0) ::close(descriptor_);
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
  if (!resume) {
    remove(file);
    if (std::string problem = write_file(file, head); !problem.empty()) return problem;
  }
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
  texts_ = std::make_unique<Texts>(texts_of(file), whose_);
  return {};
}

std::uint64_t RunStore::seal(std::size_t k, int status, std::span<const double> x) const {
  std::uint64_t sum = mixed(mixed(whose_, k), static_cast<std::uint64_t>(status));
  for (const double value : x) sum = mixed(sum, std::bit_cast<std::uint64_t>(value));
  return (sum & ~std::uint64_t{0xff}) | static_cast<std::uint64_t>(status + 1);
}

std::string RunStore::write(std::size_t k, const SweptRun& run) const {
  // texts come first: a run that is there has its own
  if (std::string problem = texts_->add_method(run.method); !problem.empty()) return problem;
  if (run.failed())
    if (std::string problem = texts_->add_reason(k, run.reason); !problem.empty()) return problem;
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
  std::optional<Texts::Places> places;
  std::ifstream texts;
  std::string reason;
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
      if (run.done() && !is_good(run.status)) {
        if (!places) places = texts_->places();
        reason = texts_->reason(*places, run.number, texts);
        if (reason.empty()) reason = name_of(run.status);
        run.reason = reason;
      }
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
    run.reason = theirs.reason;
    problem = write(theirs.number, run);
  });
  for (const std::string& name : other.texts_->methods())
    if (problem.empty()) problem = texts_->add_method(name);
  return wrong.empty() ? problem : wrong;
}

std::string RunStore::method() const {
  const std::set<std::string> all = texts_->methods();
  return all.size() == 1 ? *all.begin() : std::string{};
}

std::string RunStore::complete(std::size_t runs) const {
  if (std::string problem = texts_->put_in_order(); !problem.empty()) return problem;
  const std::size_t end = head_ + runs * (measures_ + 1) * sizeof(double);
  if (whole(::pwrite, descriptor_, last_line.data(), last_line.size(), static_cast<off_t>(end)) &&
      ::fsync(descriptor_) == 0)
    return {};
  return fmt::format("{}: cannot be written: {}", file_, std::strerror(errno));
}

bool RunStore::is_complete(const std::string& file) {
  return journal_complete(file);  // which ends with the same line
}

RunStore::Aside RunStore::put_aside(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) || is_complete(file)) return {};
  // a head alone is worth nothing
  std::ifstream in{file, std::ios::binary};
  std::string line;
  while (std::getline(in, line) && !line.empty()) continue;
  if (in && in.peek() == std::ifstream::traits_type::eof()) return {};
  Aside aside{.file = file + ".before"};
  for (int n = 2; std::filesystem::exists(aside.file, error); ++n)
    aside.file = fmt::format("{}.before-{}", file, n);
  aside.problem = rename(file, aside.file);
  return aside;
}

void RunStore::remove(const std::string& file) {
  std::error_code ignored;  // what cannot be removed is replaced or refused when it is opened
  std::filesystem::remove(texts_of(file), ignored);
  std::filesystem::remove(file, ignored);
}

std::string RunStore::rename(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::remove(texts_of(to), error);
  if (std::filesystem::exists(texts_of(from), error))
    std::filesystem::rename(texts_of(from), texts_of(to), error);
  if (!error) std::filesystem::rename(from, to, error);
  return error ? fmt::format("{}: cannot be renamed: {}", from, error.message()) : std::string{};
}

}  // namespace taut
