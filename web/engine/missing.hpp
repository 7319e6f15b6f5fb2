// SPDX-License-Identifier: BSD-3-Clause
// What the C++ library of Debian's emscripten (libc++ 13) does not have: numbers from text, and bits
// as another type. Read before every source of the library when it is compiled for a browser.
#pragma once

#ifdef __cplusplus
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <type_traits>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000

namespace std {

template <class To, class From>
  requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> &&
           is_trivially_copyable_v<From>)
To bit_cast(const From& from) noexcept {
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

// the decimal numbers that from_chars() takes: no leading space or plus, no hexadecimal digits
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const char* end = first;
  const auto digits = [&] {
    const char* from = end;
    while (end != last && *end >= '0' && *end <= '9') ++end;
    return end - from;
  };
  const auto word = [&](string_view text) {
    for (size_t k = 0; k < text.size(); ++k)
      if (end + k == last || (end[k] | 0x20) != text[k]) return false;
    end += text.size();
    return true;
  };
  if (end != last && *end == '-') ++end;
  if (!word("infinity") && !word("inf") && !word("nan")) {
    auto count = digits();
    if (end != last && *end == '.') {
      ++end;
      count += digits();
    }
    if (count == 0) return {first, errc::invalid_argument};
    const char* mantissa = end;
    if (end != last && (*end == 'e' || *end == 'E')) {
      ++end;
      if (end != last && (*end == '+' || *end == '-')) ++end;
      if (digits() == 0) end = mantissa;
    }
  }
  const string text(first, end);
  const double read = strtod(text.c_str(), nullptr);
  // what overflows or vanishes
  const bool zero = text.find_first_of("123456789") == string::npos;
  if (text.find_first_of("nN") == string::npos &&
      ((read == 0.0 && !zero) || read - read != 0.0))
    return {end, errc::result_out_of_range};
  value = read;
  return {end, errc{}};
}

}  // namespace std

#endif
#endif
