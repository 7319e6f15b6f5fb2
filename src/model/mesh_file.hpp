// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "taut/core/problems.hpp"
#include "taut/model/scene.hpp"

namespace taut {

inline constexpr std::size_t max_mesh_file_size = 16'000'000;
inline constexpr std::size_t max_triangles = 20'000;  // a page draws them in every frame

/// Reads a surface from the file beside the model that `name` names: STL, of text or of bytes, or
/// OBJ, whose lines `v` and `f` count. Mistakes go to `problems` with the line in the file; then
/// there is none.
[[nodiscard]] std::shared_ptr<const Mesh> read_mesh_file(const std::string& model_file,
                                                         const std::string& name,
                                                         const std::string& where, Position at,
                                                         Problems& problems);

}  // namespace taut
