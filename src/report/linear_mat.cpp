// SPDX-License-Identifier: BSD-3-Clause
// MATLAB files of level 5: a header of 128 bytes, then matrices, each an element of tagged parts
// padded to 8 bytes ("MAT-File Format", The MathWorks).
#include <cstdint>
#include <cstring>

#include "run/atomic_file.hpp"
#include "taut/report/modes.hpp"

namespace taut {
namespace {

enum Type : std::uint32_t { int8 = 1, uint16 = 4, int32 = 5, uint32 = 6, float64 = 9, matrix = 14 };
enum Class : std::uint32_t { cell = 1, characters = 4, doubles = 6 };

void append(std::string& to, std::uint32_t number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A tagged part, padded.
void add_part(std::string& to, Type type, const void* data, std::size_t bytes) {
  append(to, type);
  append(to, static_cast<std::uint32_t>(bytes));
  to.append(static_cast<const char*>(data), bytes);
  to.append((8 - bytes % 8) % 8, '\0');
}

std::string head_of(Class what, std::int32_t rows, std::int32_t columns, const std::string& name) {
  std::string part;
  const std::uint32_t flags[2]{what, 0};
  const std::int32_t size[2]{rows, columns};
  add_part(part, uint32, flags, sizeof flags);
  add_part(part, int32, size, sizeof size);
  add_part(part, int8, name.data(), name.size());
  return part;
}

void add_matrix(std::string& file, const std::string& content) {
  append(file, matrix);
  append(file, static_cast<std::uint32_t>(content.size()));
  file += content;
}

void add_numbers(std::string& file, const std::string& name, const Mat& numbers) {
  std::string part = head_of(doubles, static_cast<std::int32_t>(numbers.rows()),
                             static_cast<std::int32_t>(numbers.cols()), name);
  add_part(part, float64, numbers.data(),
           static_cast<std::size_t>(numbers.size()) * sizeof(double));
  add_matrix(file, part);
}

/// UTF-8 as UTF-16; what lies beyond 16 bits becomes a replacement character.
std::vector<std::uint16_t> wide(const std::string& text) {
  std::vector<std::uint16_t> letters;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      code = (code << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    letters.push_back(code > 0xFFFF ? 0xFFFD : static_cast<std::uint16_t>(code));
    i += length;
  }
  return letters;
}

void add_text(std::string& file, const std::string& name, const std::string& text) {
  const std::vector<std::uint16_t> letters = wide(text);
  std::string part =
      head_of(characters, letters.empty() ? 0 : 1, static_cast<std::int32_t>(letters.size()), name);
  add_part(part, uint16, letters.data(), letters.size() * sizeof(std::uint16_t));
  add_matrix(file, part);
}

void add_names(std::string& file, const std::string& name, const std::vector<std::string>& names) {
  std::string part = head_of(cell, static_cast<std::int32_t>(names.size()), 1, name);
  for (const std::string& one : names) add_text(part, "", one);
  add_matrix(file, part);
}

}  // namespace

std::string write_linear_mat(const LinearModel& linear, const std::string& file) {
  std::string text = "MATLAB 5.0 MAT-file, linear equations of motion, written by taut";
  text.resize(116, ' ');
  text.append(8, '\0');
  const std::uint16_t version_and_order[2]{0x0100, 0x4D49};
  text.append(reinterpret_cast<const char*>(version_and_order), sizeof version_and_order);
  add_numbers(text, "A", linear.A);
  add_numbers(text, "B", linear.B);
  add_numbers(text, "C", linear.C);
  add_numbers(text, "D", linear.Dt);
  add_names(text, "states", linear.state_names);
  add_names(text, "inputs", linear.input_names);
  add_names(text, "outputs", linear.output_names);
  add_numbers(text, "M", Mat{linear.M});
  add_numbers(text, "damping", Mat{linear.D});
  add_numbers(text, "K", Mat{linear.K});
  add_numbers(text, "G", Mat{linear.G});
  add_numbers(text, "N", Mat{linear.N});
  add_numbers(text, "F", linear.F);
  add_numbers(text, "Tq", linear.Tq);
  add_numbers(text, "Tv", linear.Tv);
  add_numbers(text, "q", linear.state.q);
  add_numbers(text, "v", linear.state.v);
  add_numbers(text, "t", Mat::Constant(1, 1, linear.state.t));
  add_names(text, "coordinates", linear.coordinates);
  add_names(text, "velocities", linear.velocities);
  add_names(text, "constraints", linear.constraints);
  add_text(text, "model", linear.model);
  return write_file(file, text);
}

}  // namespace taut
