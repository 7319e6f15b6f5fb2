// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/checkpoint.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/archive_list.hpp"
#include "run/atomic_file.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

// Changes with what is stored behind the identity: what another layout means is not to be guessed.
const std::pair<std::string, std::string> layout{"layout", "6"};

void archive_identity(Archive& archive, RunIdentity& identity) {
  archive.tag("checkpoint");
  archive_list(archive, identity, [&](auto& entry) { archive(entry.first, entry.second); });
}

// in what two runs differ, for people; empty when they are the same
std::string difference(const RunIdentity& stored, const RunIdentity& wanted) {
  if (stored.size() != wanted.size()) return "it was written by another version of taut";
  std::string text;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    if (stored[k] == wanted[k]) continue;
    const auto& [name, there] = stored[k];
    if (name != wanted[k].first) return "it was written by another version of taut";
    text += fmt::format("{}{} is {} there and {} here", text.empty() ? "" : ", ", name, there,
                        wanted[k].second);
  }
  return text;
}

}  // namespace

std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

Archive checkpoint_archive(const RunIdentity& identity) {
  Archive archive = Archive::writer();
  RunIdentity copy = identity;
  copy.insert(copy.begin(), layout);
  archive_identity(archive, copy);
  return archive;
}

std::string write_checkpoint(const std::string& file, const Archive& archive) {
  const std::vector<std::byte> bytes = archive.bytes();
  return write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

CheckpointFound find_checkpoint(const std::string& file, const RunIdentity& identity) {
  using Kind = CheckpointFound::Kind;
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) return {};
  std::ifstream in{file, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (!in.good() && !in.eof()) return {Kind::refused, {}, fmt::format("{}: cannot be read", file)};

  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  try {
    Archive archive = Archive::reader({begin, begin + text.size()});
    RunIdentity stored;
    archive_identity(archive, stored);
    if (stored.empty() || stored.front() != layout)
      return {Kind::refused,
              {},
              worded(fmt::format("{} was written by another version of taut: start the run anew, "
                                 "without <<resume>>",
                                 file))};
    stored.erase(stored.begin());
    if (const std::string what = difference(stored, identity); !what.empty())
      return {Kind::refused, {}, fmt::format("{} is of another run: {}", file, worded(what))};
    return {Kind::usable, std::move(archive), {}};
  } catch (const std::runtime_error& error) {  // untrusted input: the edge where it is read
    return {Kind::refused, {}, fmt::format("{} is damaged: {}", file, error.what())};
  }
}

}  // namespace taut
