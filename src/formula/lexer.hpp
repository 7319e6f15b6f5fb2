// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "taut/core/problems.hpp"

namespace taut::formula {

struct Token {
  enum class Kind { end, number, instance, name, symbol, bad };

  Kind kind = Kind::end;
  std::size_t offset = 0;    // of its first character in the text
  std::string_view text;     // as written
  double value = 0.0;        // of a number
  int primes = 0;            // that stand directly behind a name: y'' has two
  char symbol = 0;           // of a symbol
  std::string what, remedy;  // of a bad token: what is wrong with it, and what to do
};

/// Cuts an expression into tokens. Any bytes are allowed in; what is no token comes out as `bad`.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_{text} {}

  Token next();
  [[nodiscard]] Token end() const;

  /// Line and column of a character, when the text starts at `start`. Columns count characters,
  /// not bytes.
  [[nodiscard]] Position place(std::size_t offset, Position start);

 private:
  [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  Token number();
  Token name();
  Token instance();
  Token take(Token::Kind kind, std::size_t length);
  Token bad(std::size_t length, std::string what, std::string remedy);
  [[nodiscard]] std::size_t number_length(std::size_t from) const;

  std::string_view text_;
  std::size_t position_ = 0;
  // place() goes on from where it was last asked, so that asking for every token stays linear
  std::size_t counted_ = 0, lines_ = 0, columns_ = 0;
};

}  // namespace taut::formula
