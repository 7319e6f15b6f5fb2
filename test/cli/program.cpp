// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace taut::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "taut-cli-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Running::Running(const fs::path& folder, const std::vector<std::string>& arguments) {
  // outside of the folder, so that a test can ask whether anything was written there
  static std::atomic<int> number{0};
  const std::string stem = folder.string() + "-" + std::to_string(number++);
  out_ = stem + ".out";
  err_ = stem + ".err";

  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error{"cannot fork"};
  if (process_ > 0) return;
  const int out = ::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err = ::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::vector<char*> words{const_cast<char*>(TAUT_PROGRAM)};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (::chdir(folder.c_str()) == 0) ::execv(TAUT_PROGRAM, words.data());
  ::_exit(127);
}

void Running::send(int signal) const { ::kill(process_, signal); }

bool Running::ended() {
  if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) == process_;
  return ended_;
}

Ended Running::wait() {
  if (!ended_) ::waitpid(process_, &status_, 0);
  ended_ = true;
  Ended result;
  if (WIFEXITED(status_)) result.exit = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) result.signal = WTERMSIG(status_);
  result.out = read(out_);
  result.err = read(err_);
  fs::remove(out_);
  fs::remove(err_);
  return result;
}

Ended run(const fs::path& folder, const std::vector<std::string>& arguments) {
  return Running{folder, arguments}.wait();
}

Ended shell(const fs::path& folder, const std::string& script) {
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error{"cannot fork"};
  if (process == 0) {
    ::setenv("TAUT", TAUT_PROGRAM, 1);
    if (::chdir(folder.c_str()) == 0)
      ::execl("/bin/sh", "sh", "-c", script.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  Ended result;
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string read(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream{file, std::ios::binary} << text;
}

std::string gallery(const std::string& name) { return std::string{TAUT_MODELS} + "/" + name; }

}  // namespace taut::test
