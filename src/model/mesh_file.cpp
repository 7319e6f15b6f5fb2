// SPDX-License-Identifier: BSD-3-Clause
#include "model/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "model/file_beside.hpp"

namespace taut {
namespace {

using Corner = std::array<double, 3>;

/// The words of a line.
std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  constexpr std::string_view blank = " \t\r\f\v";
  for (;;) {
    const auto first = line.find_first_not_of(blank);
    if (first == std::string_view::npos) return words;
    line.remove_prefix(first);
    const auto end = std::min(line.find_first_of(blank), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

class Reader {
 public:
  /// The first mistake, with its line where it has one; empty: there was none.
  [[nodiscard]] std::string read(std::string_view text, bool is_obj) {
    if (is_obj)
      lines(text, [this](const auto& words) { obj(words); });
    else if (is_binary(text))
      bytes(text);
    else if (text.starts_with("solid"))
      lines(text, [this](const auto& words) { stl(words); });
    else
      refuse("is neither STL, of text or of bytes, nor OBJ by its name");
    if (mistake_.empty() && !open_.empty()) refuse("ends in the middle of a facet");
    if (mistake_.empty() && mesh_.triangles.empty()) refuse("has no triangles");
    return mistake_;
  }
  [[nodiscard]] Mesh take() { return std::move(mesh_); }

 private:
  void refuse(std::string what) {
    if (mistake_.empty())
      mistake_ = line_ > 0 ? fmt::format(", line {}: {}", line_, what) : " " + what;
  }

  template <class Take>
  void lines(std::string_view text, const Take& take) {
    for (line_ = 1; !text.empty() && mistake_.empty(); ++line_) {
      const auto end = std::min(text.find('\n'), text.size());
      if (const auto words = words_of(text.substr(0, end)); !words.empty()) take(words);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (mistake_.empty()) line_ = 0;
  }

  std::optional<Corner> corner(const std::vector<std::string_view>& words) {
    if (words.size() < 4) {
      refuse(fmt::format("has {} numbers where a corner has three", words.size() - 1));
      return {};
    }
    Corner at{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto x = number_in<double>(words[i + 1]);
      if (!x || !std::isfinite(*x)) {
        refuse(fmt::format("\"{}\" is not a number", quoted(words[i + 1])));
        return {};
      }
      at[i] = *x;
    }
    return at;
  }

  // corners of STL are stated again for each triangle
  int number_of(const Corner& at) {
    const auto [known, is_new] = known_.try_emplace(at, static_cast<int>(mesh_.corners.size()));
    if (is_new) mesh_.corners.push_back(at);
    return known->second;
  }

  void triangle(int a, int b, int c) {
    if (mesh_.triangles.size() >= max_triangles)
      return refuse(fmt::format("has more than {} triangles: simplify the surface", max_triangles));
    if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
  }

  void stl(const std::vector<std::string_view>& words) {
    if (words[0] == "vertex") {
      if (const auto at = corner(words)) open_.push_back(number_of(*at));
      if (open_.size() > 3) refuse("is the fourth corner of a facet");
    } else if (words[0] == "endfacet" || words[0] == "endloop") {
      if (words[0] == "endfacet" && open_.empty() && !closed_)
        refuse("ends a facet without corners");
      if (open_.empty()) return;
      if (open_.size() != 3)
        return refuse(fmt::format("ends a facet with {} corners", open_.size()));
      triangle(open_[0], open_[1], open_[2]);
      open_.clear();
      closed_ = true;
    } else if (words[0] == "facet") {
      closed_ = false;
    } else if (words[0] != "solid" && words[0] != "endsolid" && words[0] != "outer") {
      refuse(fmt::format("\"{}\" is no word of STL", quoted(words[0])));
    }
  }

  void obj(const std::vector<std::string_view>& words) {
    if (words[0] == "v") {
      if (const auto at = corner(words)) mesh_.corners.push_back(*at);
      return;
    }
    if (words[0] != "f") return;  // colours, normals, groups
    if (words.size() < 4) return refuse("is a face of fewer than three corners");
    std::vector<int> face;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const auto number = number_in<std::int64_t>(words[k].substr(0, words[k].find('/')));
      const auto count = static_cast<std::int64_t>(mesh_.corners.size());
      // from 1 on, or from the last backwards
      const std::int64_t place = !number ? -1 : *number > 0 ? *number - 1 : count + *number;
      if (!number || place < 0 || place >= count)
        return refuse(
            fmt::format("\"{}\" is none of the {} corners before it", quoted(words[k]), count));
      face.push_back(static_cast<int>(place));
    }
    for (std::size_t k = 2; k < face.size(); ++k) triangle(face[0], face[k - 1], face[k]);
  }

  static constexpr std::size_t head = 84, facet = 50;  // bytes

  static std::uint32_t word(std::string_view text, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + i]);
    return value;
  }
  // files of bytes may begin with "solid", too: their length tells
  static bool is_binary(std::string_view text) {
    return text.size() >= head && text.size() == head + facet * std::size_t{word(text, 80)};
  }
  void bytes(std::string_view text) {
    for (std::size_t at = head; at < text.size() && mistake_.empty(); at += facet) {
      std::array<int, 3> corners{};
      for (std::size_t k = 0; k < 3; ++k) {
        Corner place{};
        for (std::size_t i = 0; i < 3; ++i) {
          const float x = std::bit_cast<float>(word(text, at + 12 + 12 * k + 4 * i));
          if (!std::isfinite(x))
            return refuse(fmt::format("has a corner that is not finite in triangle {}",
                                      (at - head) / facet + 1));
          place[i] = static_cast<double>(x);
        }
        corners[k] = number_of(place);
      }
      triangle(corners[0], corners[1], corners[2]);
    }
  }

  Mesh mesh_;
  std::map<Corner, int> known_;
  std::vector<int> open_;  // corners of the facet that is read
  bool closed_ = false;
  int line_ = 0;
  std::string mistake_;
};

}  // namespace

std::shared_ptr<const Mesh> read_mesh_file(const std::string& model_file, const std::string& name,
                                           const std::string& where, Position at,
                                           Problems& problems) {
  std::string ending = name.substr(std::min(name.rfind('.'), name.size()));
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (ending != ".stl" && ending != ".obj") {
    problems.add(at, where, fmt::format("\"{}\" ends neither in .stl nor in .obj", quoted(name)),
                 "give the name of an STL or OBJ file beside the model");
    return nullptr;
  }
  std::string text;
  if (std::string why =
          read_file_beside(model_file, name, max_mesh_file_size, "a file of triangles", text);
      !why.empty()) {
    problems.add(at, where, std::move(why), put_file_beside);
    return nullptr;
  }
  Reader reader;
  if (const std::string mistake = reader.read(text, ending == ".obj"); !mistake.empty()) {
    problems.add(at, where, name + mistake, "write it anew with the program it came from");
    return nullptr;
  }
  return std::make_shared<const Mesh>(reader.take());
}

}  // namespace taut
