// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/registry.hpp"

#include "methods/arkode.hpp"
#include "methods/automatic.hpp"
#include "methods/composition.hpp"
#include "methods/cvode.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/ida.hpp"
#include "methods/midpoint.hpp"
#include "methods/newmark.hpp"
#include "methods/newmark_linear.hpp"
#include "methods/projected_rk.hpp"
#include "methods/push_forward_newmark.hpp"
#include "methods/radau.hpp"
#include "methods/rattle.hpp"
#include "methods/rk4.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "methods/zhang_skeel_simplified.hpp"
#include "methods/zhang_skeel_stiff.hpp"

namespace taut {
namespace {

struct Entry {
  MethodInfo info;
  Method (*make)(const MethodOptions&);
  bool beta = false, gamma = false;  ///< options that it reads
};

template <SteppingMethod M>
Entry stepping() {
  return {M::info, [](const MethodOptions&) { return Method{M{}}; }};
}

Entry gauss_newton() {
  return {.info = GaussNewton::info,
          .make =
              [](const MethodOptions& options) {
                GaussNewtonOptions own;
                if (options.beta) own.beta = *options.beta;
                return Method{GaussNewton{own}};
              },
          .beta = true};
}

template <SteppingMethod M>
Entry newmark() {
  return {.info = M::info,
          .make =
              [](const MethodOptions& options) {
                NewmarkOptions chosen;
                chosen.beta = options.beta.value_or(chosen.beta);
                chosen.gamma = options.gamma.value_or(chosen.gamma);
                return Method{M{chosen}};
              },
          .beta = true,
          .gamma = true};
}

// `Base` takes β, and M is made of it
template <SteppingMethod Base, SteppingMethod M = Base>
Entry filtered() {
  return {.info = M::info,
          .make =
              [](const MethodOptions& options) {
                return Method{M{Base{options.beta.value_or(Base::default_beta)}}};
              },
          .beta = true};
}

Entry projected_rk() {
  return {ProjectedRk::info, [](const MethodOptions& options) {
            ProjectedRkOptions own = options.projected;
            own.tol = options.tol;
            return Method{ProjectedRk{own}};
          }};
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
      gauss_newton(),
      stepping<Composition<Verlet, Yoshida4>>(),
      stepping<Composition<Verlet, Suzuki4>>(),
      stepping<Composition<Verlet, Yoshida6>>(),
      stepping<Composition<Verlet, Suzuki6>>(),
      stepping<Composition<Rattle, Yoshida4>>(),
      stepping<Composition<Rattle, Suzuki4>>(),
      stepping<Composition<Rattle, Yoshida6>>(),
      stepping<Composition<Rattle, Suzuki6>>(),
      stepping<Rk4>(),
      newmark<Newmark>(),
      newmark<NewmarkLinear>(),
      filtered<PushForwardNewmark>(),
      filtered<ZhangSkeel>(),
      filtered<ZhangSkeelSimplified>(),
      filtered<ZhangSkeelStiff>(),
      filtered<ZhangSkeel, Composition<ZhangSkeel, Yoshida4>>(),
      filtered<ZhangSkeel, Composition<ZhangSkeel, Suzuki4>>(),
      stepping<Midpoint>(),
      adaptive<DormandPrince54>(),
      adaptive<DormandPrince853>(),
      projected_rk(),
      adaptive<Radau>(),
      adaptive<Automatic>(),
      adaptive<CvodeAdams>(),
      adaptive<CvodeBdf>(),
      adaptive<Arkode>(),
      adaptive<Ida>(),
  };
  return list;
}

const Entry* find(std::string_view name) {
  for (const Entry& entry : entries())
    if (entry.info.name == name) return &entry;
  return nullptr;
}

}  // namespace

std::vector<MethodInfo> all_methods() {
  std::vector<MethodInfo> infos;
  for (const Entry& entry : entries()) infos.push_back(entry.info);
  return infos;
}

std::optional<Method> make_method(std::string_view name, const MethodOptions& options) {
  const Entry* const entry = find(name);
  return entry != nullptr ? std::optional{entry->make(options)} : std::nullopt;
}

bool reads_beta(std::string_view name) {
  const Entry* const entry = find(name);
  return entry != nullptr && entry->beta;
}

bool reads_gamma(std::string_view name) {
  const Entry* const entry = find(name);
  return entry != nullptr && entry->gamma;
}

}  // namespace taut
