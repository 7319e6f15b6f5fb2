// SPDX-License-Identifier: BSD-3-Clause
// The laws themselves stand in model/pair_kernel.hpp.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/pair_groups.hpp"

namespace taut {
namespace {

void compile(const Pair& pair, ElementContext& context) {
  const std::array<std::pair<const char*, const std::optional<Value>*>, 6> keys{
      {{"epsilon", &pair.epsilon},
       {"sigma", &pair.sigma},
       {"repulsion", &pair.repulsion},
       {"attraction", &pair.attraction},
       {"strength", &pair.strength},
       {"exponent", &pair.exponent}}};
  const auto only = [&](std::initializer_list<std::string_view> fit, const char* law) {
    for (const auto& [key, value] : keys)
      if (*value && std::find(fit.begin(), fit.end(), key) == fit.end())
        context.refuse((*value)->at(), key, fmt::format("is no number of the law {}", law),
                       fmt::format("leave {} out, or choose the law that has it", key));
  };
  const auto not_negative = [&](const std::optional<double>& x, const std::optional<Value>& value,
                                const char* field) {
    if (x && !(*x >= 0.0))
      context.refuse(value->at(), field, fmt::format("{} is not >= 0", *x),
                     "give a number >= 0, or repulsion and attraction with signs of their own");
  };
  const auto missing = [&](const char* what, const char* remedy) {
    context.refuse(context.at(), {}, what, remedy);
  };

  PairBuilder::Use use{.law = {.label = context.label()}};
  bool complete = true;
  switch (pair.law) {
    case Pair::Law::lennard_jones: {
      only({"epsilon", "sigma", "repulsion", "attraction"}, "lennard-jones");
      const auto epsilon = context.number(pair.epsilon, "epsilon");
      const auto sigma = context.number(pair.sigma, "sigma");
      const auto repulsion = context.number(pair.repulsion, "repulsion");
      const auto attraction = context.number(pair.attraction, "attraction");
      const bool by_size = pair.epsilon && pair.sigma;
      const bool by_terms = pair.repulsion && pair.attraction;
      if (by_size == by_terms || pair.epsilon.has_value() != pair.sigma.has_value() ||
          pair.repulsion.has_value() != pair.attraction.has_value()) {
        missing("needs epsilon and sigma, or repulsion and attraction",
                "give one of these two pairs of numbers");
        return;
      }
      not_negative(epsilon, pair.epsilon, "epsilon");
      not_negative(sigma, pair.sigma, "sigma");
      complete = by_size ? epsilon && sigma : repulsion && attraction;
      if (!complete) break;
      const double sigma6 = by_size ? std::pow(*sigma, 6) : 0.0;
      use.law.repulsion = by_size ? 4.0 * *epsilon * sigma6 * sigma6 : *repulsion;
      use.law.attraction = by_size ? 4.0 * *epsilon * sigma6 : *attraction;
      break;
    }
    case Pair::Law::coulomb: {
      only({"strength"}, "coulomb");
      if (pair.from)
        context.refuse(pair.from->at(), "from",
                       "is no number of the law coulomb: its cut-off is a reaction field",
                       "leave from out");
      const auto strength =
          pair.strength ? context.number(pair.strength, "strength") : std::optional<Number>{1.0};
      complete = strength.has_value();
      use.law.coulomb = strength.value_or(0.0);
      break;
    }
    case Pair::Law::power: {
      only({"strength", "exponent"}, "power");
      const auto strength = context.number(pair.strength, "strength");
      const auto exponent = context.number(pair.exponent, "exponent");
      if (!pair.strength || !pair.exponent) missing("needs strength and exponent", "give both");
      complete = strength && exponent;
      if (complete) use.law.powers.push_back({*strength, *exponent});
      break;
    }
  }
  const auto apart = context.number(pair.apart, "apart");
  if (apart && (*apart < 1.0 || *apart > 9.0 || *apart != std::floor(*apart)))
    context.refuse(pair.apart.at(), "apart", fmt::format("is {}", *apart),
                   "give a whole number from 1 (no pair is spared) to 9");
  use.apart = static_cast<int>(std::clamp<double>(apart.value_or(3.0), 1.0, 9.0));
  use.range = range_of(pair.cutoff, pair.from, context);
  if (pair.cutoff && !use.range) complete = false;

  const bool ewald = pair.electrostatics == "ewald";
  if (ewald && pair.law != Pair::Law::coulomb)
    context.refuse(context.at(), "electrostatics", "is of the law coulomb alone",
                   "leave electrostatics out");
  if (ewald && !pair.with.empty())
    context.refuse(context.at(), "with",
                   "and Ewald's sum is over all charges of one group and their images",
                   "name all of them in among, or leave electrostatics out");
  const auto accuracy = accuracy_of(pair.electrostatics, pair.accuracy, context);
  if (ewald && (pair.law != Pair::Law::coulomb || !pair.with.empty())) complete = false;
  use.accuracy = accuracy.value_or(0.0);

  const auto group = [&](const std::vector<Name>& names, const char* field) {
    auto points = points_like(names, field, context);
    if (points && pair.law == Pair::Law::coulomb) {
      std::erase_if(*points, [&](int p) { return context.charge(p) == 0.0; });
      if (points->empty()) {
        context.refuse(context.at(), field, "none of these points has a charge",
                       "give points a charge, such as { mass = 1, at = [0, 0, 0], charge = 1 }");
        points.reset();
      }
    }
    return points;
  };
  auto among = group(pair.among, "among");
  auto with = pair.with.empty() ? among : group(pair.with, "with");
  if (!complete || !apart || !accuracy || !among || !with) return;
  use.among = *std::move(among);
  use.with = *std::move(with);
  add_pairs(std::move(use), context);
}

}  // namespace

template <>
const ElementDescriptor& describe<Pair>() {
  using model_file::Type;
  static const ElementDescriptor descriptor = make_descriptor<Pair>({
      .key = "pair",
      .meaning = "a law between all pairs of points of a group, or of two groups",
      .fields = {{.name = "law",
                  .holds = &Pair::law,
                  .meaning = "energy of a pair at the distance r",
                  .required = true,
                  .choices = {"lennard-jones", "coulomb", "power"}},
                 {.name = "among",
                  .holds = &Pair::among,
                  .meaning = "the points",
                  .absent = "all",
                  .type = Type::patterns},
                 {.name = "with",
                  .holds = &Pair::with,
                  .meaning = "the other group",
                  .absent = "pairs within the first group",
                  .type = Type::patterns},
                 {.name = "epsilon",
                  .holds = &Pair::epsilon,
                  .meaning = "of 4 epsilon ((sigma/r)^12 - (sigma/r)^6), Lennard-Jones",
                  .unit = "J"},
                 {.name = "sigma", .holds = &Pair::sigma, .meaning = "with epsilon", .unit = "m"},
                 {.name = "repulsion",
                  .holds = &Pair::repulsion,
                  .meaning = "instead of epsilon and sigma: of repulsion/r^12 - attraction/r^6",
                  .unit = "J m^12"},
                 {.name = "attraction",
                  .holds = &Pair::attraction,
                  .meaning = "with repulsion",
                  .unit = "J m^6"},
                 {.name = "strength",
                  .holds = &Pair::strength,
                  .meaning = "of Coulomb's strength charge charge'/r, 1 when absent; of the power "
                             "law strength r^exponent"},
                 {.name = "exponent", .holds = &Pair::exponent, .meaning = "of the power law"},
                 {.name = "cutoff",
                  .holds = &Pair::cutoff,
                  .meaning = "distance beyond which there is no force",
                  .unit = "m",
                  .absent = "none",
                  .effect = ". Coulomb's ends there with a reaction field, others with a smooth "
                            "switch"},
                 {.name = "from",
                  .holds = &Pair::from,
                  .meaning = "where the switch to 0 at the cut-off begins",
                  .unit = "m",
                  .absent = "0.9 of the cut-off",
                  .effect = "; not for Coulomb's"},
                 {.name = "apart",
                  .holds = &Pair::apart,
                  .meaning = "points joined by fewer rods, springs and bonds than this have no "
                             "such force"},
                 {.name = "electrostatics",
                  .holds = &Pair::electrostatics,
                  .meaning = "of Coulomb's: what is beyond the cut-off. ewald: all images in the "
                             "[box] count, and the cut-off need not be given",
                  .type = Type::choice,
                  .choices = {"reaction-field", "ewald"}},
                 {.name = "accuracy",
                  .holds = &Pair::accuracy,
                  .meaning = "of Ewald's sum: error of forces, in those of two charges at their "
                             "mean distance",
                  .absent = "1e-6"}},
      .compile = compile,
      .own_units = true,
  });
  return descriptor;
}

}  // namespace taut
