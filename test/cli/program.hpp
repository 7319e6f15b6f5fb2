// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace taut::test {

/// What a program left behind.
struct Ended {
  int exit = -1;    ///< exit code; -1 when a signal ended it
  int signal = 0;   ///< that signal
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The built program `taut`, running in a folder.
class Running {
 public:
  Running(const std::filesystem::path& folder, const std::vector<std::string>& arguments);
  void send(int signal) const;
  [[nodiscard]] bool ended();  ///< without waiting
  [[nodiscard]] Ended wait();

 private:
  std::filesystem::path out_, err_;
  pid_t process_;
  int status_ = 0;
  bool ended_ = false;
};

/// Runs it to the end.
[[nodiscard]] Ended run(const std::filesystem::path& folder,
                        const std::vector<std::string>& arguments);

/// Runs a script of the shell, in which the program is "$TAUT"; nothing it prints is kept.
[[nodiscard]] Ended shell(const std::filesystem::path& folder, const std::string& script);

[[nodiscard]] std::string read(const std::filesystem::path& file);
void write(const std::filesystem::path& file, const std::string& text);

/// Path of a model of the gallery.
[[nodiscard]] std::string gallery(const std::string& name);

}  // namespace taut::test
