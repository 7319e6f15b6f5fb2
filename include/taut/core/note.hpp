// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "taut/core/status.hpp"

#pragma GCC visibility push(default)

namespace taut {

class Archive;

/// One thing that a user may be told: a code that stays, and a sentence with places for values,
///
///   {steps}         the value; of a status its sentence, of names all of them
///   {rate:.3g}      the value, formatted
///   {count|s}       "s" unless the value is 1
///   {window?a|b}    "a" where the value is true, not 0 or not empty, otherwise "b"; b may be
///   absent
///
/// and for options, <<max steps>> (worded() spells them). Values are named in the order in which
/// their names first appear. All kinds of the library stand in src/core/notes.hpp; a method of your
/// own may have its own.
struct NoteKind {
  std::string_view code;  ///< in kebab-case
  std::string_view sentence;

  static constexpr std::size_t most_values = 6;
  struct Names {
    std::array<std::string_view, most_values> name;
    std::size_t count = 0;
  };
  [[nodiscard]] constexpr Names names() const {
    Names all;
    for (std::size_t at = sentence.find('{'); at != std::string_view::npos;
         at = sentence.find('{', at + 1)) {
      const std::size_t end = sentence.find_first_of(":|?}", at);
      const std::string_view name = sentence.substr(at + 1, end - at - 1);
      bool known = false;
      for (std::size_t i = 0; i < all.count; ++i) known = known || all.name[i] == name;
      if (!known) all.name[all.count++] = name;
    }
    return all;
  }
};

using NoteValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, Status>;

/// Something that a user should know, a reason or a refusal: a code with data. The sentence is
/// written where it is shown.
class Note {
 public:
  using Values = std::vector<std::pair<std::string, NoteValue>>;

  Note() = default;  ///< there is nothing to say
  Note(const NoteKind& kind, std::vector<NoteValue> values);

  [[nodiscard]] bool empty() const { return code_.empty(); }
  [[nodiscard]] bool is(const NoteKind& kind) const { return code_ == kind.code; }
  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] const Values& values() const { return values_; }

  /// The sentence, without a full stop, with options called as they are called where it is shown;
  /// empty where there is nothing to say.
  [[nodiscard]] std::string text() const;

  /// Code, sentence and values: a note that was read says what the written one says.
  void archive(Archive& archive);

  friend bool operator==(const Note&, const Note&) = default;

 private:
  std::string code_, sentence_;
  Values values_;
};

/// Anything that a note can hold.
template <class Value>
[[nodiscard]] NoteValue note_value(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>)
    return value;
  else if constexpr (std::is_integral_v<Value>)
    return static_cast<std::int64_t>(value);
  else if constexpr (std::is_convertible_v<Value, std::string_view>)
    return std::string{std::string_view{value}};
  else
    return NoteValue{value};
}

/// note<notes::resumed>(steps): the values in the order of their names, as many as there are names.
template <const NoteKind& kind, class... Values>
[[nodiscard]] Note note(const Values&... values) {
  static_assert(kind.names().count == sizeof...(Values), "one value for each name of the sentence");
  return {kind, {note_value(values)...}};
}

/// Their sentences.
[[nodiscard]] std::vector<std::string> texts(const std::vector<Note>& notes);

}  // namespace taut

#pragma GCC visibility pop
