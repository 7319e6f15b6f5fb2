// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_scan.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace taut::model_file {
namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0 when it is not one.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80U   ? 1
                             : lead < 0xC2U ? 0
                             : lead < 0xE0U ? 2
                             : lead < 0xF0U ? 3
                             : lead < 0xF5U ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // overlong forms, surrogates, and what lies beyond U+10FFFF
  const bool wrong = (lead == 0xE0U && byte(1) < 0xA0U) || (lead == 0xEDU && byte(1) > 0x9FU) ||
                     (lead == 0xF0U && byte(1) < 0x90U) || (lead == 0xF4U && byte(1) > 0x8FU);
  return wrong ? 0 : length;
}

class Scanner {
 public:
  Scanner(std::string_view text, Problems& problems) : rest_{text}, problems_{problems} {
    if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);  // byte order mark
    result_.ascii.reserve(rest_.size());
  }

  Scanned run() {
    while (!rest_.empty() && result_.readable) {
      const char c = rest_[0];
      if (c == '#') {
        while (!rest_.empty() && rest_[0] != '\n' && take()) {
        }
      } else if (c == '"' || c == '\'') {
        quoted();
      } else {
        count(c);
        take();
      }
    }
    return std::move(result_);
  }

 private:
  /// Moves one character from the rest to the result; false when it is not a character.
  bool take() {
    const std::size_t length = utf8_length(rest_);
    if (length == 0) {
      return refuse("is not UTF-8 text", "save the file as UTF-8");
    }
    taken_ = rest_.substr(0, length);
    result_.ascii += length == 1 ? rest_[0] : '?';
    ++column_;
    if (rest_[0] == '\n') {
      ++line_;
      column_ = 1;
    }
    rest_.remove_prefix(length);
    return true;
  }

  bool refuse(std::string what, std::string remedy) {
    problems_.add({line_, column_}, "file", std::move(what), std::move(remedy));
    result_.readable = false;
    return false;
  }

  void count(char c) {
    if (c == '=' || c == ',' || c == '[') ++values_;
    if (c == '.') ++parts_;
    if (std::string_view{"=,[]{}\n"}.find(c) != std::string_view::npos) parts_ = 1;
    if (values_ > max_values) {
      refuse(fmt::format("holds more than {} values", max_values),
             "state equal parts once, with repeat = { k = \"1:n\" } or [[chain]]");
    }
    if (parts_ > max_key_parts) {
      refuse(fmt::format("a key has more than {} parts", max_key_parts),
             "keys of a model have at most three parts, such as points.bob1.mass");
    }
  }

  void quoted() {
    const std::pair begin{line_, column_};
    const char quote = rest_[0];
    const std::string three(3, quote);
    const bool long_form = rest_.substr(0, 3) == three;
    for (int i = 0; i < (long_form ? 3 : 1); ++i) take();

    std::vector<std::string> marks;
    bool replaced = false;
    while (!rest_.empty()) {
      if (rest_[0] == '\n' && !long_form) break;  // not TOML: the library stops here
      const bool closes = long_form ? rest_.substr(0, 3) == three : rest_[0] == quote;
      if (closes) {
        // up to two quotes may stand before the closing three
        int left = long_form ? 5 : 1;
        while (!rest_.empty() && rest_[0] == quote && left-- > 0) take();
        break;
      }
      const bool escape = rest_[0] == '\\' && quote == '"';
      if (!take()) return;
      if (escape && !rest_.empty() && rest_[0] != '\n' && !take()) return;
      if (result_.ascii.back() != '?') continue;
      marks.emplace_back(taken_);
      replaced |= taken_ != "?";
    }
    if (replaced) result_.replaced.emplace(begin, std::move(marks));
  }

  std::string_view rest_, taken_;
  Problems& problems_;
  Scanned result_;
  int line_ = 1;
  int column_ = 1;
  std::size_t values_ = 0;
  int parts_ = 1;
};

}  // namespace

Scanned scan(std::string_view text, Problems& problems) {
  if (text.size() > max_file_size) {
    problems.add(
        {}, "file",
        fmt::format("is longer than {} MiB, which is the most that is read", max_file_size >> 20U),
        "state equal parts once, with repeat = { k = \"1:n\" } or [[chain]]");
    Scanned refused;
    refused.readable = false;
    return refused;
  }
  return Scanner{text, problems}.run();
}

std::string restored(std::string text, Position at, const Scanned& scanned) {
  const auto found = scanned.replaced.find({at.line, at.column});
  if (found == scanned.replaced.end()) return text;
  const auto& marks = found->second;
  // an escape such as \u003F gives a `?` that is not among the marks: then none can be told apart
  const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '?'));
  if (count != marks.size()) return text;
  std::string result;
  std::size_t next = 0;
  for (const char c : text) result += c == '?' ? marks[next++] : std::string(1, c);
  return result;
}

}  // namespace taut::model_file
