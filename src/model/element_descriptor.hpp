// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/model_file_fields.hpp"
#include "taut/model/model.hpp"

namespace taut {

class ElementContext;

/// Coordinates that elements own stand in q after those of the model, in this order: chains may
/// hang on bodies.
enum class Owns : unsigned char { nothing, bodies, chains, molecules };

/// All that is known of one kind of element, whatever its type. An element's file states it as
/// an ElementOf; the schema of the model file, its reader, its messages, the manual and the
/// compiler all follow from it.
struct ElementDescriptor {
  struct Field {
    model_file::Key key;
    std::function<void(AnyElement&, const model_file::Field&)> read;
  };

  std::string_view key;      ///< `spring` of [[spring]]; empty: not in model files
  std::string_view meaning;  ///< one line, as the manual prints it
  std::vector<Field> fields;
  AnyElement blank;  ///< the element with no field given
  Owns owns = Owns::nothing;
  bool may_repeat = true;
  bool comes_last = false;      ///< it must know what the others weigh
  bool others_need_it = false;  ///< where it cannot be read, others would be blamed
  bool own_units = false;       ///< of models that are not stated in SI units

  std::function<std::string(const AnyElement&)> kind;
  std::function<void(const Element&, ElementContext&)> declare;
  std::function<void(const Element&, ElementContext&)> relate;
  std::function<void(const Element&, ElementContext&)> compile;
  std::function<void(ElementContext&)> finish;
};

/// What a field of the file becomes, by the type of the member that holds it.
namespace field {

using model_file::Type;

inline void assign(Value& to, const model_file::Field& from) { to = from.values.front(); }
inline void assign(bool& to, const model_file::Field& from) {
  to = from.values.front().number() != 0.0;
}
inline void assign(std::optional<Value>& to, const model_file::Field& from) {
  to = from.values.front();
}
inline void assign(std::vector<Value>& to, const model_file::Field& from) { to = from.values; }
inline void assign(Name& to, const model_file::Field& from) { to = from.names.front(); }
inline void assign(std::optional<Name>& to, const model_file::Field& from) {
  to = from.names.front();
}
inline void assign(std::vector<Name>& to, const model_file::Field& from) { to = from.names; }
inline void assign(std::array<Name, 2>& to, const model_file::Field& from) {
  to = {from.names[0], from.names[1]};
}
inline void assign(std::string& to, const model_file::Field& from) { to = from.names.front().text; }
void assign(std::vector<Body::Marker>& to, const model_file::Field& from);
void assign(std::vector<Event::Assignment>& to, const model_file::Field& from);
/// Choices stand in the order of the enumerators.
[[nodiscard]] std::size_t choice(const model_file::Field& from);
template <class Enum>
requires std::is_enum_v<Enum>
void assign(Enum& to, const model_file::Field& from) { to = static_cast<Enum>(choice(from)); }

/// What stands in for an absent field, as the manual says it; empty where it is no plain value.
[[nodiscard]] std::string default_text(const Value& value);
[[nodiscard]] inline std::string default_text(const std::string& value) { return value; }
[[nodiscard]] inline std::string default_text(const Name& value) { return value.text; }
[[nodiscard]] inline std::string default_text(bool value) { return value ? "true" : "false"; }

template <class Member>
[[nodiscard]] std::string default_of(const Member& member,
                                     const std::vector<std::string>& choices) {
  if constexpr (std::is_enum_v<Member>)
    return choices[static_cast<std::size_t>(member)];
  else if constexpr (requires { default_text(member); })
    return default_text(member);
  else
    return {};
}

template <class Member>
[[nodiscard]] constexpr Type type_of() {
  if constexpr (std::is_enum_v<Member>) return Type::choice;
  if constexpr (std::is_same_v<Member, bool>) return Type::flag;
  if constexpr (std::is_same_v<Member, std::vector<Value>>) return Type::vector;
  if constexpr (std::is_same_v<Member, Name>) return Type::reference;
  if constexpr (std::is_same_v<Member, std::optional<Name>>) return Type::reference;
  if constexpr (std::is_same_v<Member, std::vector<Name>>) return Type::references;
  if constexpr (std::is_same_v<Member, std::array<Name, 2>>) return Type::pair;
  if constexpr (std::is_same_v<Member, std::string>) return Type::name;
  if constexpr (std::is_same_v<Member, std::vector<Body::Marker>>) return Type::markers;
  if constexpr (std::is_same_v<Member, std::vector<Event::Assignment>>) return Type::assignments;
  return Type::number;
}

}  // namespace field

/// The member of an element that holds a field.
template <class What>
struct Holder {
  template <class Member>
  Holder(Member What::*member)  // NOLINT(google-explicit-constructor): fields name members
      : type{field::type_of<Member>()},
        read{
            [member](What& to, const model_file::Field& from) { field::assign(to.*member, from); }},
        default_of{[member](const std::vector<std::string>& choices) {
          return field::default_of(What{}.*member, choices);
        }} {}

  model_file::Type type;
  std::function<void(What&, const model_file::Field&)> read;
  std::function<std::string(const std::vector<std::string>&)> default_of;
};

/// One field of an element. The manual and messages call it
///
///   meaning [unit]detail; absent when absent: effect
///
/// where `absent` is, unless it is stated, the value that the member has when nobody gives it.
template <class What>
struct FieldOf {
  std::string_view name;
  Holder<What> holds;
  std::string_view meaning;
  std::string_view unit = {};
  std::string_view detail = {};
  std::string_view absent = {};
  std::string_view effect = {};
  bool required = false;
  std::optional<model_file::Type> type = {};  ///< where the member does not say it
  std::vector<std::string> choices = {};
  std::vector<std::pair<std::string_view, std::string_view>> familiar = {};  ///< see Key
  std::vector<int> unit_of_choice = {};
  bool unit_is_chosen = false;
};

/// How the file of an element states it.
template <class What>
struct ElementOf {
  std::string_view key;
  std::string_view meaning;
  std::vector<FieldOf<What>> fields;
  /// Formula, rows, and what is drawn.
  void (*compile)(const What&, ElementContext&) = nullptr;
  /// Points and coordinates it owns; before any element is compiled.
  void (*declare)(const What&, const Element&, ElementContext&) = nullptr;
  /// What expressions may ask of it, such as the angle of a joint; once all coordinates have their
  /// start values, before any element is compiled.
  void (*relate)(const What&, ElementContext&) = nullptr;
  /// Called once, after all elements.
  void (*finish)(ElementContext&) = nullptr;
  /// What messages call it, where that is not the key.
  std::string (*kind)(const What&) = nullptr;
  Owns owns = Owns::nothing;
  bool may_repeat = true;
  bool comes_last = false;
  bool others_need_it = false;
  bool own_units = false;
};

/// The text of FieldOf above.
[[nodiscard]] std::string meaning_of(std::string_view meaning, std::string_view unit,
                                     std::string_view detail, std::string_view absent,
                                     std::string_view effect);

template <class What>
[[nodiscard]] ElementDescriptor make_descriptor(const ElementOf<What>& element) {
  ElementDescriptor result{.key = element.key,
                           .meaning = element.meaning,
                           .fields = {},
                           .blank = What{},
                           .owns = element.owns,
                           .may_repeat = element.may_repeat,
                           .comes_last = element.comes_last,
                           .others_need_it = element.others_need_it,
                           .own_units = element.own_units,
                           .kind = {},
                           .declare = {},
                           .relate = {},
                           .compile = {},
                           .finish = element.finish};
  for (const FieldOf<What>& f : element.fields) {
    std::string absent{f.absent};
    if (!f.required && absent.empty()) absent = f.holds.default_of(f.choices);
    result.fields.push_back({{f.name, f.type.value_or(f.holds.type), f.required,
                              meaning_of(f.meaning, f.unit, f.detail, absent, f.effect), f.choices,
                              f.familiar, f.unit_of_choice, f.unit_is_chosen},
                             [read = f.holds.read](AnyElement& to, const model_file::Field& from) {
                               read(std::get<What>(to), from);
                             }});
  }
  if (element.kind != nullptr)
    result.kind = [kind = element.kind](const AnyElement& what) {
      return kind(std::get<What>(what));
    };
  if (element.declare != nullptr)
    result.declare = [declare = element.declare](const Element& e, ElementContext& context) {
      declare(std::get<What>(e.what), e, context);
    };
  if (element.relate != nullptr)
    result.relate = [relate = element.relate](const Element& e, ElementContext& context) {
      relate(std::get<What>(e.what), context);
    };
  result.compile = [compile = element.compile](const Element& e, ElementContext& context) {
    compile(std::get<What>(e.what), context);
  };
  return result;
}

/// The descriptor of one element; each file of elements/ defines that of its own. A type of
/// AnyElement without one is an error of the linker.
template <class What>
[[nodiscard]] const ElementDescriptor& describe();

/// All of them, in the order of AnyElement.
[[nodiscard]] const std::vector<const ElementDescriptor*>& element_descriptors();
[[nodiscard]] const ElementDescriptor& descriptor_of(const Element& element);

/// What a user calls the kind of an element: rod, event.
[[nodiscard]] std::string kind_of(const Element& element);

/// The element that the fields of one [[...]] table state; they must be complete.
[[nodiscard]] Element make_element(const ElementDescriptor& descriptor,
                                   const model_file::Fields& fields);

}  // namespace taut
