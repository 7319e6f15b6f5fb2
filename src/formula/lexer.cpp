// SPDX-License-Identifier: BSD-3-Clause
#include "formula/lexer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace taut::formula {
namespace {

// not those of <cctype>: they depend on the locale and on the sign of char
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

/// The value of a number that number_length() has measured; NaN when a double cannot hold it.
double value_of(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value) ? value
                                                                                          : NAN;
}

constexpr std::string_view range_remedy = "use a number between 1e-307 and 1e308";

}  // namespace

Token Lexer::end() const {
  Token token;
  token.offset = text_.size();
  return token;
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
  Token token;
  token.kind = kind;
  token.offset = position_;
  token.text = text_.substr(position_, length);
  position_ += length;
  return token;
}

Token Lexer::bad(std::size_t length, std::string what, std::string remedy) {
  Token token = take(Token::Kind::bad, length);
  token.what = std::move(what);
  token.remedy = std::move(remedy);
  return token;
}

Token Lexer::next() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  if (position_ == text_.size()) return end();
  const char c = text_[position_];
  if (is_digit(c) || (c == '.' && is_digit(at(position_ + 1)))) return number();
  if (is_letter(c)) return name();
  if (c == '{') return instance();
  if (std::string_view{"+-*/^(),<>=!"}.find(c) != std::string_view::npos) {
    Token token = take(Token::Kind::symbol, 1);
    token.symbol = c;
    return token;
  }

  if (c == '\'') {
    std::size_t primes = 1;
    while (at(position_ + primes) == '\'') ++primes;
    return bad(primes, "this ' follows no name",
               "write a derivative as y', directly behind a name");
  }

  // a whole character of several bytes is one mistake
  std::size_t length = 1;
  while (is_continuation(at(position_ + length))) ++length;
  const auto byte = static_cast<unsigned char>(c);
  const std::string shown = byte < 0x20 || byte == 0x7f || length > 4
                                ? fmt::format("byte {:#04x}", byte)
                                : fmt::format("'{}'", text_.substr(position_, length));
  return bad(length, fmt::format("{} does not belong in an expression", shown),
             "use numbers, names, + - * / ^ ( ) and ','");
}

/// Length of the number at `from`:  digits [. digits] [e [+-] digits];  0 when there is none.
std::size_t Lexer::number_length(std::size_t from) const {
  std::size_t i = from;
  while (is_digit(at(i))) ++i;
  bool digits = i > from;
  if (at(i) == '.') {
    const std::size_t fraction = ++i;
    while (is_digit(at(i))) ++i;
    digits = digits || i > fraction;
  }
  if (!digits) return 0;
  if (at(i) == 'e' || at(i) == 'E') {
    std::size_t exponent = i + 1;
    if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
    if (is_digit(at(exponent))) {
      i = exponent;
      while (is_digit(at(i))) ++i;
    }
  }
  return i - from;
}

Token Lexer::number() {
  const std::size_t length = number_length(position_);
  const std::string_view text = text_.substr(position_, length);
  const double value = value_of(text);
  if (std::isnan(value)) {
    return bad(length, fmt::format("'{}' is outside the range of numbers", text),
               std::string{range_remedy});
  }
  Token token = take(Token::Kind::number, length);
  token.value = value;
  return token;
}

Token Lexer::name() {
  std::size_t i = position_;
  while (true) {
    while (is_letter(at(i)) || is_digit(at(i))) ++i;
    if (at(i) != '.' || !is_letter(at(i + 1))) break;
    ++i;
  }
  Token token = take(Token::Kind::name, i - position_);
  for (; at(position_) == '\''; ++position_) ++token.primes;
  return token;
}

Token Lexer::instance() {
  const std::size_t close = text_.find('}', position_);
  if (close == std::string_view::npos) {
    return bad(text_.size() - position_, "this '{' is never closed", "add the missing '}'");
  }
  std::size_t i = position_ + 1;
  while (is_space(at(i))) ++i;
  const bool negative = at(i) == '-';
  if (at(i) == '-' || at(i) == '+') ++i;
  const std::size_t length = number_length(i);
  std::size_t after = i + length;
  while (is_space(at(after))) ++after;
  const std::size_t whole = close + 1 - position_;
  if (length == 0 || after != close) {
    return bad(whole, "there is no number between '{' and '}'",
               "use {k} only where the element has repeat = { k = ... }");
  }
  const double value = value_of(text_.substr(i, length));
  if (std::isnan(value)) {
    return bad(whole, fmt::format("'{}' is outside the range of numbers", text_.substr(i, length)),
               std::string{range_remedy});
  }
  Token token = take(Token::Kind::instance, whole);
  token.value = negative ? -value : value;
  return token;
}

Position Lexer::place(std::size_t offset, Position start) {
  if (offset < counted_) counted_ = lines_ = columns_ = 0;
  for (; counted_ < offset && counted_ < text_.size(); ++counted_) {
    if (text_[counted_] == '\n') {
      ++lines_;
      columns_ = 0;
    } else if (!is_continuation(text_[counted_])) {
      ++columns_;
    }
  }
  const int column = static_cast<int>(columns_) + (lines_ == 0 ? start.column : 1);
  return {start.line == 0 ? 0 : start.line + static_cast<int>(lines_), column};
}

}  // namespace taut::formula
