// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_toml.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

// header-only and without exceptions: compiled in this file alone, errors are values. Its
// assertions do not hold for every text (`[[$]]`), and with NDEBUG they become promises to the
// optimiser: they are left out, and the ordinary checks behind them report the error
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>

#include "model/model_file_scan.hpp"

namespace taut::model_file {
namespace {

constexpr std::string_view where_syntax = "TOML syntax";

Position position(const toml::source_position& at) {
  return {static_cast<int>(at.line), static_cast<int>(at.column)};
}

/// The file as lines, for what the TOML library does not tell.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines_.push_back(text.substr(0, end));
      text.remove_prefix(end);
    }
  }

  [[nodiscard]] int count() const { return static_cast<int>(lines_.size()); }

  /// Line n, counted from 1, with its end; empty outside of the file.
  [[nodiscard]] std::string_view operator[](int n) const {
    return n >= 1 && n <= count() ? lines_[static_cast<std::size_t>(n - 1)] : std::string_view{};
  }

  [[nodiscard]] bool is_header(int n) const {
    const std::string_view line = (*this)[n];
    const std::size_t first = line.find_first_not_of(" \t");
    return first != std::string_view::npos && line[first] == '[';
  }

  /// First character of the string whose opening quote stands at `at`: after one quote, after
  /// three, or on the next line.
  [[nodiscard]] Position after_quotes(Position at) const {
    std::string_view rest = (*this)[at.line];
    rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(std::max(0, at.column - 1))));
    const std::string_view quotes = rest.substr(0, 3);
    if (quotes != "\"\"\"" && quotes != "'''") return {at.line, at.column + 1};
    const bool next_line = rest.substr(3) == "\n" || rest.substr(3) == "\r\n";
    return next_line ? Position{at.line + 1, 1} : Position{at.line, at.column + 3};
  }

 private:
  std::vector<std::string_view> lines_;
};

/// What the conversion to nodes looks up.
struct Source {
  const Lines& lines;
  const Scanned& scanned;
  const std::vector<int>& damaged;  ///< lines of the headers of tables that lost a line
};

Node convert(const toml::node& from, const Source& source) {
  Node to;
  to.at = position(from.source().begin);
  if (const auto* table = from.as_table()) {
    to.damaged =
        std::find(source.damaged.begin(), source.damaged.end(), to.at.line) != source.damaged.end();
    for (const auto& [key, value] : *table) {
      to.entries.push_back(
          {std::string{key.str()}, position(key.source().begin), convert(value, source)});
    }
    std::stable_sort(to.entries.begin(), to.entries.end(), [](const Entry& a, const Entry& b) {
      return std::pair{a.at.line, a.at.column} < std::pair{b.at.line, b.at.column};
    });
  } else if (const auto* array = from.as_array()) {
    to.kind = Node::Kind::array;
    to.items.reserve(array->size());
    for (const auto& item : *array) to.items.push_back(convert(item, source));
  } else if (const auto* text = from.as_string()) {
    to.kind = Node::Kind::string;
    to.text = restored(text->get(), to.at, source.scanned);
    to.text_at = source.lines.after_quotes(to.at);
  } else if (const auto* integer = from.as_integer()) {
    to.kind = Node::Kind::number;
    to.number = static_cast<double>(integer->get());
  } else if (const auto* real = from.as_floating_point()) {
    to.kind = Node::Kind::number;
    to.number = real->get();
  } else if (const auto* boolean = from.as_boolean()) {
    to.kind = Node::Kind::boolean;
    to.number = boolean->get() ? 1.0 : 0.0;
  } else {
    to.kind = Node::Kind::date;
  }
  return to;
}

struct SyntaxError {
  Position at;
  std::string what;
  [[nodiscard]] bool is_duplicate() const { return what.find("redefine") != std::string::npos; }
};

SyntaxError syntax_error(const toml::parse_error& error) {
  std::string what{error.description()};
  for (const std::string_view noise : {"Error while parsing ", " (TOML_MAX_NESTED_VALUES)"}) {
    if (const auto found = what.find(noise); found != std::string::npos) {
      what.erase(found, noise.size());
    }
  }
  return {position(error.source().begin), std::move(what)};
}

std::string remedy(const SyntaxError& error) {
  const auto says = [&](std::string_view words) {
    return error.what.find(words) != std::string::npos;
  };
  if (error.is_duplicate()) return "every name may be given once in a table; remove one of the two";
  if (says("'?'")) {
    return "outside of quotes and comments only ASCII letters, digits and _ may stand";
  }
  if (says("bare key")) return "keys are made of letters, digits, _ and -; others stand in quotes";
  if (says("could not determine value type")) {
    return "put expressions and names in quotes, such as length = \"2*a\"";
  }
  if (says("could not be interpreted") || says("not representable")) {
    return "write a number between -1.7e308 and 1.7e308, such as 0.5 or 1e-3";
  }
  if (says("array")) return "an array is written [1, 0]; see also the line before";
  if (says("table header")) return "a section is written [points], an element [[rod]]";
  if (says("string")) return "close the text with the same quotes it begins with";
  if (says("nested value depth")) return "a model never needs values nested this deep";
  return "a line is written key = value; text and expressions stand in quotes";
}

/// Lines [first, last] of the file.
struct Range {
  int first = 0, last = 0;
};

/// The section that holds line n: from its header to the line before the next one.
Range section_of(const Lines& lines, int n) {
  Range range{n, n};
  while (range.first > 1 && !lines.is_header(range.first)) --range.first;
  while (range.last < lines.count() && !lines.is_header(range.last + 1)) ++range.last;
  return range;
}

/// The text without these lines; every other line keeps its number.
std::string without(const Lines& lines, Range range) {
  std::string text;
  for (int n = 1; n <= lines.count(); ++n) {
    const bool skip = n >= range.first && n <= range.last;
    text += skip ? std::string_view{"\n"} : lines[n];
  }
  return text;
}

}  // namespace

Document read_toml(std::string_view source, Problems& problems) {
  Document document;
  const Scanned scanned = scan(source, problems);
  if (!scanned.readable) {
    document.incomplete = true;
    return document;
  }

  std::string text = scanned.ascii;
  std::vector<int> damaged;
  toml::parse_result result = toml::parse(std::string_view{text});
  for (int errors = 1; !result; ++errors) {
    const SyntaxError error = syntax_error(result.error());
    problems.add(error.at, std::string{where_syntax}, error.what, remedy(error));
    const Lines lines{text};
    if (errors == max_syntax_errors || text.size() > max_file_size / 16) {
      document.incomplete = true;
      return document;
    }

    // leave out the line; when that only moves the error on (an array that is not closed), the
    // section; when even that does (not closed at its end), the section before as well
    const int n = std::clamp(error.at.line, 1, std::max(1, lines.count()));
    const Range section = section_of(lines, n);
    const Range both{section.first > 1 ? section_of(lines, section.first - 1).first : 1,
                     section.last};
    const std::array ranges{lines.is_header(n) ? section : Range{n, n}, section, both};
    for (const Range& range : ranges) {
      std::string shorter = without(lines, range);
      // what is no longer quoted may now be a key too deep to read
      if (!scan(shorter, problems).readable) {
        document.incomplete = true;
        return document;
      }
      toml::parse_result attempt = toml::parse(std::string_view{shorter});
      const bool moved_on =
          !attempt && position(attempt.error().source().begin).line <= section.last + 1;
      if (moved_on && &range != &ranges.back()) continue;
      const bool one_line = range.first == range.last;
      document.incomplete |= !error.is_duplicate() || !one_line;
      if (one_line) damaged.push_back(section.first);
      result = std::move(attempt);
      text = std::move(shorter);
      break;
    }
  }
  const Lines lines{text};
  document.root = convert(result.table(), {.lines = lines, .scanned = scanned, .damaged = damaged});
  return document;
}

}  // namespace taut::model_file
