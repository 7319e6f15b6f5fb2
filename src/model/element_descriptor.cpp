// SPDX-License-Identifier: BSD-3-Clause
#include "model/element_descriptor.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace taut {
namespace {

template <class... What>
std::vector<const ElementDescriptor*> descriptors_of(const std::variant<What...>&) {
  return {&describe<What>()...};
}

}  // namespace

const std::vector<const ElementDescriptor*>& element_descriptors() {
  static const auto all = descriptors_of(AnyElement{});
  return all;
}

const ElementDescriptor& descriptor_of(const Element& element) {
  return *element_descriptors()[element.what.index()];
}

std::string kind_of(const Element& element) {
  const ElementDescriptor& descriptor = descriptor_of(element);
  return descriptor.kind ? descriptor.kind(element.what) : std::string{descriptor.key};
}

Element make_element(const ElementDescriptor& descriptor, const model_file::Fields& fields) {
  assert(fields.complete());
  Element element{.what = descriptor.blank,
                  .name = fields.text("name"),
                  .position = {},
                  .repeat = fields.repeat()};
  for (const ElementDescriptor::Field& field : descriptor.fields)
    if (const model_file::Field* given = fields.find(field.key.name))
      field.read(element.what, *given);
  return element;
}

void field::assign(std::vector<Event::Assignment>& to, const model_file::Field& from) {
  to.clear();
  for (std::size_t k = 0; k < std::min(from.names.size(), from.values.size()); ++k)
    to.push_back({from.names[k], from.values[k]});
}

std::string meaning_of(std::string_view meaning, std::string_view unit, std::string_view detail,
                       std::string_view absent, std::string_view effect) {
  std::string text{meaning};
  if (!unit.empty()) text += fmt::format(" [{}]", unit);
  text += detail;
  if (!absent.empty()) text += fmt::format("; {} when absent", absent);
  return text + std::string{effect};
}

namespace field {

void assign(std::vector<Body::Marker>& to, const model_file::Field& from) {
  // as many numbers for each name
  const auto each = static_cast<std::ptrdiff_t>(from.values.size() / from.names.size());
  for (std::size_t i = 0; i < from.names.size(); ++i) {
    const auto first = from.values.begin() + static_cast<std::ptrdiff_t>(i) * each;
    to.push_back({from.names[i].text, {first, first + each}});
  }
}

std::size_t choice(const model_file::Field& from) {
  const auto& choices = from.key->choices;
  const auto found = std::find(choices.begin(), choices.end(), from.names.front().text);
  assert(found != choices.end());
  return static_cast<std::size_t>(found - choices.begin());
}

std::string default_text(const Value& value) {
  return value.is_number() ? fmt::format("{}", value.number()) : value.text();
}

}  // namespace field
}  // namespace taut
