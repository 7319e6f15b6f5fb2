// SPDX-License-Identifier: BSD-3-Clause
#include "model/file_beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace taut {
namespace {

namespace fs = std::filesystem;

/// Why a file may not be read; empty when it may, and `path` is then where it is.
std::string why_not(const std::string& model_file, const std::string& name, std::size_t most_bytes,
                    const char* what, fs::path& path) {
  if (model_file.empty()) return "the model is no file itself: there is no folder to look in";
  if (name.find_first_of("/\\") != std::string::npos || name == "." || name == "..")
    return fmt::format("\"{}\" is not a plain name: files are looked for beside the model only",
                       name);
  std::error_code error;
  const fs::path folder = fs::canonical(fs::path{model_file}, error).parent_path();
  if (error) return "the folder of the model cannot be found";
  path = folder / name;
  if (!fs::exists(path, error)) {
    // of a model that is itself a link, beside the link
    const fs::path beside = fs::absolute(fs::path{model_file}, error).parent_path() / name;
    if (error || !fs::exists(beside, error))
      return fmt::format("there is no file {} beside the model", name);
    path = beside;
  }
  const fs::path there = fs::canonical(path, error);
  if (error) return fmt::format("{} cannot be found", name);
  if (there.parent_path() != fs::canonical(path.parent_path(), error))
    return fmt::format("{} is a link to another folder", name);
  if (!fs::is_regular_file(there, error)) return fmt::format("{} is not {}", name, what);
  const std::uintmax_t size = fs::file_size(there, error);
  if (error) return fmt::format("{} cannot be read", name);
  if (size > most_bytes)
    return fmt::format("{} has {} bytes, more than {}", name, size, most_bytes);
  return {};
}

}  // namespace

std::string read_file_beside(const std::string& model_file, const std::string& name,
                             std::size_t most_bytes, const char* what, std::string& text) {
  fs::path path;
  if (std::string why = why_not(model_file, name, most_bytes, what, path); !why.empty()) return why;
  std::ifstream in{path, std::ios::binary};
  text.assign(most_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad() || (!in.eof() && in.fail()) || text.size() > most_bytes)
    return fmt::format("{} cannot be read", name);
  return {};
}

std::string quoted(std::string_view word) {
  constexpr std::size_t most = 24;
  std::string clean{word.substr(0, most)};
  std::replace_if(
      clean.begin(), clean.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return word.size() > most ? clean + "..." : clean;
}

}  // namespace taut
