// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/archive_list.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
// clang 14 does not deduce the cases of an aggregate by itself
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

bool is_one(const NoteValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr && *number == 1;
}

bool holds(const NoteValue& value) {
  return std::visit(
      Overloaded{[](bool truth) { return truth; }, [](std::int64_t number) { return number != 0; },
                 [](double number) { return number != 0.0; },
                 [](Status status) { return status != Status::ok; },
                 [](const auto& text) { return !text.empty(); }},
      value);
}

// a whole number may be given where any number may
std::string formatted(const NoteValue& value, std::string_view spec) {
  const bool real = spec.find_first_of("eEfFgG") != std::string_view::npos;
  if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr && real)
    return formatted(static_cast<double>(*whole), spec);
  const std::string pattern = fmt::format("{{:{}}}", spec.substr(0, 4));
  return std::visit(Overloaded{[](Status status) { return std::string{sentence(status)}; },
                               [](const std::vector<std::string>& names) {
                                 return fmt::format("{}", fmt::join(names, ", "));
                               },
                               [&](const auto& plain) {
                                 return fmt::vformat(pattern, fmt::make_format_args(plain));
                               }},
                    value);
}

// what stands between { and }, behind the name
std::string filled(const NoteValue& value, char how, std::string_view rest) {
  if (how == '|') return is_one(value) ? std::string{} : std::string{rest};
  if (how != '?') return formatted(value, rest);
  const std::size_t other = rest.find('|');
  if (holds(value)) return std::string{rest.substr(0, other)};
  return other == std::string_view::npos ? std::string{} : std::string{rest.substr(other + 1)};
}

void archive_value(Archive& archive, NoteValue& value) {
  int kind = static_cast<int>(value.index());
  archive(kind);
  if (archive.loading()) {
    constexpr int kinds = std::variant_size_v<NoteValue>;
    if (kind < 0 || kind >= kinds)
      throw std::runtime_error{fmt::format("a note has no values of kind {}", kind)};
    const std::array<NoteValue, kinds> fresh{
        false, std::int64_t{0}, 0.0, std::string{}, std::vector<std::string>{}, Status::ok};
    value = fresh[static_cast<std::size_t>(kind)];
  }
  std::visit(
      Overloaded{[&](std::vector<std::string>& names) { archive_list(archive, names); },
                 [&](Status& status) { archive_choice(archive, status, Status::invalid_argument); },
                 [&](auto& plain) { archive(plain); }},
      value);
}

}  // namespace

Note::Note(const NoteKind& kind, std::vector<NoteValue> values)
    : code_{kind.code}, sentence_{kind.sentence} {
  const NoteKind::Names names = kind.names();
  for (std::size_t i = 0; i < std::min(names.count, values.size()); ++i)
    values_.emplace_back(names.name[i], std::move(values[i]));
}

// options first: what a user has called something is not looked through for them
std::string Note::text() const {
  const std::string spelled = worded(sentence_);
  std::string text;
  std::string_view rest = spelled;
  while (true) {
    const std::size_t begin = rest.find('{');
    text += rest.substr(0, begin);
    if (begin == std::string_view::npos) return text;
    const std::size_t end = rest.find('}', begin);
    if (end == std::string_view::npos) return text;
    const std::size_t how = rest.find_first_of(":|?}", begin);
    const std::string_view name = rest.substr(begin + 1, how - begin - 1);
    const auto known = std::find_if(values_.begin(), values_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    const std::size_t last = std::max(end, how + 1);
    if (known != values_.end())
      text += filled(known->second, rest[how], rest.substr(how + 1, last - how - 1));
    rest.remove_prefix(end + 1);
  }
}

void Note::archive(Archive& archive) {
  archive(code_, sentence_);
  archive_list(archive, values_, [&](auto& entry) {
    archive(entry.first);
    archive_value(archive, entry.second);
  });
  // what has no sentence is found where it is read: fmt throws as archives do
  if (archive.loading()) static_cast<void>(text());
}

std::vector<std::string> texts(const std::vector<Note>& notes) {
  std::vector<std::string> all;
  for (const Note& note : notes) all.push_back(note.text());
  return all;
}

}  // namespace taut
