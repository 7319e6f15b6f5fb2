// SPDX-License-Identifier: BSD-3-Clause
#include "studies/sweep_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "run/atomic_file.hpp"
#include "taut/core/wording.hpp"
#include "taut/run/checkpoint.hpp"

namespace taut {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else
      out += c;
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\\' || i + 1 == text.size())
      out += text[i];
    else
      switch (text[++i]) {
        case 'n':
          out += '\n';
          break;
        case 't':
          out += '\t';
          break;
        default:
          out += text[i];
      }
  return out;
}

namespace {

constexpr std::string_view first_line = "taut sweep journal 2\n", last_line = "complete\n";

// a line with its checksum
std::string sealed(const std::string& line) {
  return fmt::format("{}\t{}\n", line, fingerprint(line));
}

// a line without its checksum; nothing where it does not fit
std::optional<std::string_view> opened(std::string_view line) {
  const std::size_t tab = line.rfind('\t');
  if (tab == std::string_view::npos || line.substr(tab + 1) != fingerprint(line.substr(0, tab)))
    return std::nullopt;
  return line.substr(0, tab);
}

std::string header(const RunIdentity& identity) {
  return std::string{first_line} + sealed_identity(identity) + '\n';
}

std::string line_of(std::size_t number, const SweptRun& run) {
  return sealed(fmt::format("{}\t{}\t{}\t{}\t{}", number, escaped(run.status),
                            fmt::join(run.measures, " "), escaped(run.method),
                            escaped(run.reason)));
}

// what stands before the next `end`, which is taken away with it; nothing where there is none
std::optional<std::string_view> take(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + 1);
  return taken;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

bool read_line(std::string_view text, std::size_t measures, std::size_t& number, SweptRun& run) {
  const auto whole = opened(text);
  if (!whole) return false;
  std::string_view line = *whole;
  const auto count = take(line, '\t'), status = take(line, '\t'), numbers = take(line, '\t'),
             method = take(line, '\t');
  if (!method || !read_number(*count, number) || status->empty()) return false;
  run.status = unescaped(*status);
  run.method = unescaped(*method);
  run.reason = unescaped(line);
  run.measures.clear();
  std::string_view rest = *numbers;
  while (!rest.empty()) {
    const auto next = take(rest, ' ');
    double value = 0.0;
    if (!read_number(next ? *next : rest, value)) return false;
    run.measures.push_back(value);
    if (!next) break;
  }
  return run.measures.size() == measures;
}

}  // namespace

std::string sealed_identity(const RunIdentity& identity) {
  std::string text;
  for (const auto& [name, value] : identity)
    text += sealed(fmt::format("{}\t{}", escaped(name), escaped(value)));
  return text;
}

std::string identity_difference(std::string_view stored, const RunIdentity& identity) {
  std::string text;
  for (const auto& [name, here] : identity) {
    const auto text_line = take(stored, '\n');
    const auto line = text_line ? opened(*text_line) : std::nullopt;
    if (text_line && !line) return "a line of it is damaged";
    const std::size_t tab = line ? line->find('\t') : std::string_view::npos;
    if (tab == std::string_view::npos || line->substr(0, tab) != escaped(name))
      return "it was written by another version of taut";
    if (const std::string there = unescaped(line->substr(tab + 1)); there != here)
      text +=
          fmt::format("{}{} is {} there and {} here", text.empty() ? "" : ", ", name, there, here);
  }
  return stored.empty() ? text : "it was written by another version of taut";
}

std::string complete_journal(const std::string& file) {
  std::ofstream out{file, std::ios::binary | std::ios::app};
  out << last_line << std::flush;
  return out.good() ? "" : fmt::format("{}: cannot be written", file);
}

bool journal_complete(const std::string& file) {
  std::ifstream in{file, std::ios::binary | std::ios::ate};
  const auto length = static_cast<std::streamoff>(last_line.size());
  if (!in || in.tellg() < length) return false;
  in.seekg(-length, std::ios::end);
  return std::string{std::istreambuf_iterator<char>{in}, {}} == last_line;
}

JournalFound find_journal(const std::string& file, const RunIdentity& identity, std::size_t points,
                          std::size_t measures) {
  using Kind = JournalFound::Kind;
  const auto refused = [&](const std::string& why) {
    return JournalFound{.kind = Kind::refused, .problem = fmt::format("{} {}", file, why)};
  };
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  std::ifstream in{file, std::ios::binary};
  const std::string content{std::istreambuf_iterator<char>{in}, {}};
  if (!in.good() && !in.eof()) return refused("cannot be read");

  std::string_view text = content;
  const std::size_t end = text.find("\n\n");
  if (!text.starts_with(first_line) || end == std::string_view::npos)
    return refused("is no journal of a sweep");
  const std::string_view stored = text.substr(first_line.size(), end + 1 - first_line.size());
  if (const std::string what = identity_difference(stored, identity); !what.empty())
    return refused("is of another sweep: " + worded(what));
  text.remove_prefix(end + 2);
  if (text.ends_with(last_line)) text.remove_suffix(last_line.size());

  JournalFound found{.kind = Kind::usable, .runs = std::vector<SweptRun>(points)};
  while (const auto line = take(text, '\n')) {
    std::size_t number = 0;
    SweptRun run;
    if (!read_line(*line, measures, number, run) || number >= points ||
        found.runs[number].finished())
      return refused("is damaged: it has a line that is none of a run, or a run twice");
    found.runs[number] = std::move(run);
    ++found.finished;
  }
  return found;
}

SweepJournal::~SweepJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string SweepJournal::start(const std::string& file, const RunIdentity& identity,
                                const std::vector<SweptRun>& kept) {
  file_ = file;
  std::string text = header(identity);
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (kept[k].finished()) text += line_of(k, kept[k]);
  if (std::string problem = write_file(file, text); !problem.empty()) return problem;
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ >= 0) return {};
  return fmt::format("{}: cannot be opened: {}", file, std::strerror(errno));
}

std::string SweepJournal::append(std::size_t number, const SweptRun& run) {
  const std::string line = line_of(number, run);
  ssize_t written = -1;
  do {
    written = ::write(descriptor_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(line.size())) return {};
  // what follows a torn line could not be read again: nothing follows
  const std::string why = written < 0 ? std::strerror(errno) : "no space left";
  ::close(descriptor_);
  descriptor_ = -1;
  return fmt::format("{}: cannot be written: {}", file_, why);
}

}  // namespace taut
