// SPDX-License-Identifier: BSD-3-Clause
#include "run/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace taut {
namespace {

std::string problem(const std::filesystem::path& file, std::string_view doing) {
  return fmt::format("{}: cannot {}: {}", file.string(), doing, std::strerror(errno));
}

// an open file that closes itself
struct Descriptor {
  int number = -1;
  explicit Descriptor(int n) : number{n} {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  [[nodiscard]] bool close() { return ::close(std::exchange(number, -1)) == 0; }
};

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path place)
    : place_{std::move(place)}, part_{fmt::format("{}.{}.part", place_.string(), ::getpid())} {}

AtomicFile::~AtomicFile() {
  std::error_code ignored;  // nothing can be done about a part that does not go away
  if (!committed_) std::filesystem::remove(part_, ignored);
}

std::string AtomicFile::create() const {
  ::unlink(part_.c_str());
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor file{::open(part_.c_str(), flags, 0666)};
  if (file.number < 0) return problem(place_, "be created");
  return file.close() ? "" : problem(place_, "be created");
}

std::string AtomicFile::commit() {
  Descriptor file{::open(part_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (file.number < 0) return problem(place_, "be opened");
  if (::fsync(file.number) != 0) return problem(place_, "be flushed to disk");
  if (!file.close()) return problem(place_, "be closed");
  if (::rename(part_.c_str(), place_.c_str()) != 0) return problem(place_, "be put in place");
  committed_ = true;

  // the name itself is safe only when the folder is on disk; some file systems refuse this
  const std::filesystem::path folder = place_.has_parent_path() ? place_.parent_path() : ".";
  const Descriptor directory{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (directory.number >= 0) ::fsync(directory.number);
  return {};
}

std::string write_file(const std::filesystem::path& place, std::string_view content) {
  AtomicFile atomic{place};
  {
    if (std::string problem = atomic.create(); !problem.empty()) return problem;
    Descriptor file{::open(atomic.part().c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC)};
    if (file.number < 0) return problem(place, "be opened");
    if (!write_all(file.number, content)) return problem(place, "be written");
    if (!file.close()) return problem(place, "be written");
  }
  return atomic.commit();
}

}  // namespace taut
