// SPDX-License-Identifier: BSD-3-Clause
#include "results.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view unfinished = ".part";

// the process in NAME.PROCESS.part; nothing where the name is another one
std::optional<pid_t> writer_of(std::string_view name) {
  if (!name.ends_with(unfinished)) return std::nullopt;
  name.remove_suffix(unfinished.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  pid_t process = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + dot + 1, end, process);
  if (error != std::errc{} || rest != end || process <= 0) return std::nullopt;
  return process;
}

// parts whose writers are gone
void remove_left_over(const fs::path& folder) {
  std::error_code ignored;  // what cannot be looked at or removed is in nobody's way
  std::vector<fs::path> found;
  for (fs::directory_iterator it{folder, ignored}, end; !ignored && it != end;
       it.increment(ignored))
    if (const auto process = writer_of(it->path().filename().string());
        process && ::kill(*process, 0) != 0 && errno == ESRCH)
      found.push_back(it->path());
  for (const fs::path& path : found) fs::remove_all(path, ignored);
}

}  // namespace

bool make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", folder.string(), error.message());
  return !error;
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
  if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    problem_ = fmt::format(
        "another run or sweep is at work in {}; wait for it, or give another folder with --out",
        folder.string());
  else
    remove_left_over(folder);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Results::Results(fs::path folder)
    : folder_{std::move(folder)},
      stage_{folder_ / fmt::format("results.{}{}", ::getpid(), unfinished)} {
  std::error_code error;
  fs::remove_all(stage_, error);
  if (!fs::create_directory(stage_, error))
    complain(fmt::format("{}: cannot be created: {}", stage_.string(), error.message()));
}

Results::~Results() {
  std::error_code ignored;  // nothing can be done about a part that does not go away
  fs::remove_all(stage_, ignored);
}

// in the words of who knows the files by their places
void Results::complain(std::string problem) {
  const std::string stage = stage_.string() + '/', folder = folder_.string() + '/';
  for (std::size_t at = problem.find(stage); at != std::string::npos; at = problem.find(stage))
    problem.replace(at, stage.size(), folder);
  problems_.push_back(std::move(problem));
}

void Results::commit() {
  std::error_code unknown;
  for (const std::string& name : names_)
    if (fs::is_directory(folder_ / name, unknown))
      complain(fmt::format("{}: is a folder, and stays", (folder_ / name).string()));
  if (!problems_.empty()) {
    problems_.push_back(
        fmt::format("{}: nothing new was put there, what stood there stays", folder_.string()));
    return;
  }
  std::error_code error;
  for (const std::string& name : earlier_)
    if (fs::remove(folder_ / name, error); error)
      problems_.push_back(
          fmt::format("{}: cannot be removed: {}", (folder_ / name).string(), error.message()));
  for (const std::string& name : names_) {
    fs::rename(stage_ / name, folder_ / name, error);
    if (error)
      problems_.push_back(fmt::format("{}: cannot be put in place: {}", (folder_ / name).string(),
                                      error.message()));
    else
      files_.push_back(folder_ / name);
  }
}

}  // namespace taut::cli
