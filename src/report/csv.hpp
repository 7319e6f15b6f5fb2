// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace taut {

/// A name as a field of CSV, quoted where RFC 4180 asks for it.
inline std::string csv_field(const std::string& field) {
  const bool plain = field.find_first_of(",\"\r\n") == std::string::npos && !field.empty() &&
                     field.front() != ' ' && field.back() != ' ';
  if (plain) return field;
  std::string text = "\"";
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

}  // namespace taut
