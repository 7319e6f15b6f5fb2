// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/core/archive.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What a run is: everything that its bits depend on, as names and values for people; options as
/// worded() takes them. Two runs with equal identities give equal results.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// 64-bit FNV-1a of a text, as 16 hexadecimal digits: recognises a model, guards nothing.
[[nodiscard]] std::string fingerprint(std::string_view text);

/// An archive to be written as a checkpoint; whose it is already stands in it.
[[nodiscard]] Archive checkpoint_archive(const RunIdentity& identity);

/// Stores it whole or not at all. What went wrong; empty when the file is in place.
[[nodiscard]] std::string write_checkpoint(const std::string& file, const Archive& archive);

/// Result of looking for a checkpoint.
struct CheckpointFound {
  enum class Kind : unsigned char {
    none,     ///< there is no such file
    usable,   ///< `content` continues the run
    refused,  ///< damaged, or of another run: `problem` says which
  };
  Kind kind = Kind::none;
  std::optional<Archive> content;  ///< read up to the end of the identity
  std::string problem;
};

/// Reads a checkpoint and compares its identity with the run that wants to continue from it.
[[nodiscard]] CheckpointFound find_checkpoint(const std::string& file, const RunIdentity& identity);

}  // namespace taut

#pragma GCC visibility pop
