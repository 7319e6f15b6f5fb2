// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/element.hpp"

namespace taut::elements {

/// The body of this name; nothing, with a message, where there is none.
[[nodiscard]] inline std::optional<Symbols::BodyEntry> body_called(const Name& name,
                                                                   std::string_view field,
                                                                   ElementContext& context) {
  const auto text = context.name(name, field);
  if (!text) return {};
  const auto& bodies = context.symbols().bodies;
  if (const auto it = bodies.find(*text); it != bodies.end()) return it->second;
  if (context.incomplete()) return {};
  std::vector<std::string> candidates;
  for (const auto& [known, entry] : bodies) candidates.push_back(known);
  std::sort(candidates.begin(), candidates.end());
  const std::string near = nearest_name(*text, candidates);
  context.refuse(name.at, field, fmt::format("there is no body '{}'", *text),
                 context.symbols().joints.contains(*text)
                     ? "it is a joint: the torque of a motor is a key of it"
                 : near.empty() ? "name a [[body]]"
                                : fmt::format("did you mean '{}'?", near));
  return {};
}

/// In whose axes components are given: those of the world, of the body they act on, or of a body
/// that is named. Without a body: the world's.
struct Frame {
  std::optional<Symbols::BodyEntry> body;

  /// Components in the axes of the world: Σ r_c F_c.
  [[nodiscard]] std::vector<Sym> to_world(const std::vector<Sym>& F, Trace& trace) const {
    if (!body || F.size() < 2) return F;
    std::vector<Sym> result(F.size());
    for (std::size_t c = 0; c < F.size(); ++c) {
      const auto r = trace.column(*body, c);
      for (std::size_t i = 0; i < F.size(); ++i) result[i] += r[i] * F[c];
    }
    return result;
  }
};

[[nodiscard]] inline std::optional<Frame> frame_of(const Name& name,
                                                   const std::optional<Symbols::BodyEntry>& own,
                                                   std::size_t dimension, ElementContext& context) {
  if (name.text == "world") return Frame{};
  Frame frame;
  if (name.text == "body") {
    if (!own)
      context.refuse(name.at, "frame", "it does not act on a body",
                     "give the name of the body whose axes are meant");
    frame.body = own;
  } else {
    frame.body = body_called(name, "frame", context);
  }
  if (!frame.body) return {};
  if (frame.body->dimension() == dimension) return frame;
  context.refuse(name.at, "frame", "one moves in the plane, the other in space",
                 "name a body of the same kind");
  return {};
}

}  // namespace taut::elements
