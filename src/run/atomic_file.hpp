// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace taut {

/// A file that appears whole or not at all: it is written beside its place under the name
/// `NAME.PROCESS.part`, flushed to the disk, and renamed. What stood there before stays until then.
/// Of two programs that write one file at the same time, the last one's stays.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path place);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();  ///< removes the part that was not committed

  /// Makes the part, empty. What stood under its name is removed; a link there is not followed.
  [[nodiscard]] std::string create() const;
  /// Where to write.
  [[nodiscard]] const std::filesystem::path& part() const { return part_; }

  /// Flushes and renames. What went wrong, with the path; empty when the file is in place.
  [[nodiscard]] std::string commit();

 private:
  std::filesystem::path place_, part_;
  bool committed_ = false;
};

/// Writes a whole file that way. What went wrong, with the path; empty when the file is in place.
[[nodiscard]] std::string write_file(const std::filesystem::path& place, std::string_view content);

}  // namespace taut
