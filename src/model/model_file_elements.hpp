// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/model_file_fields.hpp"
#include "taut/model/model.hpp"

namespace taut::model_file {

/// The element that the fields of one [[...]] table state; `fields` must be complete.
[[nodiscard]] Element make_element(const Section& section, const Fields& fields);

// of molecules (model_file_molecules.cpp)
[[nodiscard]] decltype(Element::what) pair_law(const Fields& fields);
[[nodiscard]] decltype(Element::what) water(const Fields& fields);
[[nodiscard]] decltype(Element::what) bond(const Fields& fields);
[[nodiscard]] decltype(Element::what) angle(const Fields& fields);
[[nodiscard]] decltype(Element::what) dihedral(const Fields& fields);

// of [[body]] and [[joint]] (model_file_bodies.cpp)
[[nodiscard]] decltype(Element::what) body(const Fields& fields);
[[nodiscard]] decltype(Element::what) joint(const Fields& fields);

}  // namespace taut::model_file
