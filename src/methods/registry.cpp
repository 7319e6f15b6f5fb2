// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/registry.hpp"

#include "taut/methods/arkode.hpp"
#include "taut/methods/automatic.hpp"
#include "taut/methods/composition.hpp"
#include "taut/methods/cvode.hpp"
#include "taut/methods/dormand_prince.hpp"
#include "taut/methods/ida.hpp"
#include "taut/methods/radau.hpp"
#include "taut/methods/rattle.hpp"
#include "taut/methods/rk4.hpp"
#include "taut/methods/shake.hpp"
#include "taut/methods/verlet.hpp"

namespace taut {
namespace {

struct Entry {
  MethodInfo info;
  Method (*make)(const MethodOptions&);
};

template <SteppingMethod M>
Entry stepping() {
  return {M::info, [](const MethodOptions&) { return Method{M{}}; }};
}

template <AdaptiveMethod M>
Entry adaptive() {
  return {M::info, [](const MethodOptions& options) { return Method{M{{.tol = options.tol}}}; }};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list{
      stepping<Verlet>(),
      stepping<Shake>(),
      stepping<Rattle>(),
      stepping<Composition<Verlet, Yoshida4>>(),
      stepping<Composition<Verlet, Suzuki4>>(),
      stepping<Composition<Verlet, Yoshida6>>(),
      stepping<Composition<Verlet, Suzuki6>>(),
      stepping<Composition<Rattle, Yoshida4>>(),
      stepping<Composition<Rattle, Suzuki4>>(),
      stepping<Composition<Rattle, Yoshida6>>(),
      stepping<Composition<Rattle, Suzuki6>>(),
      stepping<Rk4>(),
      adaptive<DormandPrince54>(),
      adaptive<DormandPrince853>(),
      adaptive<Radau>(),
      adaptive<Automatic>(),
      adaptive<CvodeAdams>(),
      adaptive<CvodeBdf>(),
      adaptive<Arkode>(),
      adaptive<Ida>(),
  };
  return list;
}

}  // namespace

std::vector<MethodInfo> all_methods() {
  std::vector<MethodInfo> infos;
  for (const Entry& entry : entries()) infos.push_back(entry.info);
  return infos;
}

std::optional<Method> make_method(std::string_view name, const MethodOptions& options) {
  for (const Entry& entry : entries())
    if (entry.info.name == name) return entry.make(options);
  return std::nullopt;
}

}  // namespace taut
