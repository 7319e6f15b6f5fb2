// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/design.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/random.hpp"
#include "studies/sobol_sequence.hpp"
#include "taut/model/compile.hpp"

namespace taut {
namespace {

constexpr std::string_view forms =
    "write NAME=uniform(A,B), normal(MEAN,DEVIATION), lognormal(MEAN,DEVIATION) of the logarithm, "
    "or triangular(A,MODE,B)";

// what random words are for
enum class Use : std::uint32_t { random = 1, within, shift, permutation };

std::array<std::uint32_t, 4> words(const SampleDesign& design, Use use, std::uint64_t number,
                                   std::size_t dimension, std::size_t replicate) {
  return philox(
      {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
       static_cast<std::uint32_t>(dimension),
       static_cast<std::uint32_t>(replicate) << 8 | static_cast<std::uint32_t>(use)},
      {static_cast<std::uint32_t>(design.seed), static_cast<std::uint32_t>(design.seed >> 32)});
}
std::uint64_t bits_of(const std::array<std::uint32_t, 4>& w) {
  return std::uint64_t{w[0]} << 32 | w[1];
}
// in (0, 1)
double fraction(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

// A permutation of 0 .. n - 1: a Feistel network over the next even power of two, walked until the
// number is one of them.
std::uint64_t permuted(const SampleDesign& design, std::uint64_t k, std::uint64_t n,
                       std::size_t dimension, std::size_t replicate) {
  if (n < 2) return k;
  const unsigned half = (static_cast<unsigned>(std::bit_width(n - 1)) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  constexpr std::uint64_t rounds = 6;
  do {
    std::uint64_t left = k >> half, right = k & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t mixed =
          bits_of(words(design, Use::permutation, right * rounds + round, dimension, replicate));
      left ^= mixed & mask;
      std::swap(left, right);
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

double normal_share(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

bool number_of(std::string_view text, double& x) {
  char* end = nullptr;
  const std::string word{text};
  x = std::strtod(word.c_str(), &end);
  while (end != nullptr && *end == ' ') ++end;
  return !word.empty() && end == word.c_str() + word.size();
}

std::optional<Distribution> read_distribution(const std::string& text) {
  using Kind = Distribution::Kind;
  const std::size_t equal = text.find('='), open = text.find('(', equal);
  if (equal == std::string::npos || equal == 0 || open == std::string::npos || text.back() != ')')
    return std::nullopt;
  Distribution one{.name = text.substr(0, equal)};
  const std::string kind = text.substr(equal + 1, open - equal - 1);
  std::size_t count = 2;
  if (kind == "uniform")
    one.kind = Kind::uniform;
  else if (kind == "normal")
    one.kind = Kind::normal;
  else if (kind == "lognormal")
    one.kind = Kind::lognormal;
  else if (kind == "triangular")
    one.kind = Kind::triangular, count = 3;
  else
    return std::nullopt;
  std::string_view rest{text.data() + open + 1, text.size() - open - 2};
  for (;;) {
    const std::size_t comma = rest.find(',');
    double x = 0.0;
    if (!number_of(rest.substr(0, comma), x)) return std::nullopt;
    one.numbers.push_back(x);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (one.numbers.size() != count) return std::nullopt;
  return one;
}

std::string unfit(const Distribution& one) {
  using Kind = Distribution::Kind;
  const std::vector<double>& x = one.numbers;
  if (!std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); }))
    return "its numbers are not finite";
  if (one.kind == Kind::uniform && !(x[0] < x[1])) return "its ends are no range";
  if ((one.kind == Kind::normal || one.kind == Kind::lognormal) && !(x[1] > 0.0))
    return "its deviation is not > 0";
  if (one.kind == Kind::triangular && !(x[0] < x[2] && x[0] <= x[1] && x[1] <= x[2]))
    return "its mode is not between its ends";
  return {};
}

}  // namespace

double Distribution::quantile(double u) const {
  const std::vector<double>& x = numbers;
  switch (kind) {
    case Kind::uniform:
      return x[0] + (x[1] - x[0]) * u;
    case Kind::normal:
      return x[0] + x[1] * normal_quantile(u);
    case Kind::lognormal:
      return std::exp(x[0] + x[1] * normal_quantile(u));
    case Kind::triangular: {
      const double a = x[0], c = x[1], b = x[2], peak = (c - a) / (b - a);
      return u < peak ? a + std::sqrt(u * (b - a) * (c - a))
                      : b - std::sqrt((1 - u) * (b - a) * (b - c));
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Distribution> read_distributions(const std::vector<std::string>& texts,
                                             Problems& problems) {
  std::vector<Distribution> all;
  for (const std::string& text : texts) {
    const std::string where = "<<distribution>> " + text;
    const std::optional<Distribution> one = read_distribution(text);
    if (!one)
      problems.add({}, where, "is no distribution", forms);
    else if (const std::string why = unfit(*one); !why.empty())
      problems.add({}, where, why, forms);
    else if (std::any_of(all.begin(), all.end(),
                         [&](const Distribution& other) { return other.name == one->name; }))
      problems.add({}, where, "is given twice", "leave one out");
    else
      all.push_back(*one);
  }
  return all;
}

std::vector<SampleDesign::Correlation> read_correlations(const std::vector<std::string>& texts,
                                                         Problems& problems) {
  std::vector<SampleDesign::Correlation> all;
  for (const std::string& text : texts) {
    const std::size_t comma = text.find(','), equal = text.rfind('=');
    double x = 0.0;
    if (comma == std::string::npos || equal == std::string::npos || equal < comma ||
        !number_of(std::string_view{text}.substr(equal + 1), x) || !(std::abs(x) < 1.0)) {
      problems.add({}, "<<correlation>> " + text, "is no correlation",
                   "write NAME,NAME=R with -1 < R < 1");
      continue;
    }
    all.push_back({text.substr(0, comma), text.substr(comma + 1, equal - comma - 1), x});
  }
  return all;
}

SamplePoints::SamplePoints(SampleDesign design, Problems& problems) : design_{std::move(design)} {
  const std::size_t d = design_.distributions.size();
  dimensions_ = design_.indices ? 2 * d : d;
  group_ = design_.indices ? d + 2 : 1;
  if (d == 0)
    problems.add({}, "<<distribution>>", "nothing is distributed",
                 "say how a parameter is, such as g=normal(9.81,0.1)");
  if (design_.runs == 0) problems.add({}, "<<sample>>", "0 runs are too few", "give how many");
  if (design_.kind == SampleDesign::Kind::sobol && dimensions_ > SobolSequence::dimensions)
    problems.add({}, "<<sampling>>",
                 fmt::format("Sobol's sequence has {} numbers here, and {} are needed",
                             SobolSequence::dimensions, dimensions_),
                 "take latin or random");
  if (design_.indices && !design_.correlations.empty())
    problems.add({}, "<<indices>>", "are of numbers that are independent",
                 "leave out <<correlation>>");
  // groups are whole
  design_.runs = (design_.runs + group_ - 1) / group_ * group_;
  if (design_.correlations.empty()) return;
  Eigen::MatrixXd all =
      Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(d));
  for (const SampleDesign::Correlation& one : design_.correlations) {
    const auto place = [&](const std::string& name) {
      const auto found = std::find_if(design_.distributions.begin(), design_.distributions.end(),
                                      [&](const Distribution& x) { return x.name == name; });
      if (found == design_.distributions.end())
        problems.add({}, "<<correlation>>", fmt::format("'{}' has no distribution", name),
                     "give it one, or leave it out");
      return found - design_.distributions.begin();
    };
    const auto i = place(one.first), j = place(one.second), n = static_cast<std::ptrdiff_t>(d);
    if (i == j && i < n)
      problems.add({}, "<<correlation>>", fmt::format("'{}' with itself is 1", one.first),
                   "leave it out");
    if (i < n && j < n && i != j) all(i, j) = all(j, i) = one.value;
  }
  const Eigen::LLT<Eigen::MatrixXd> cholesky{all};
  if (cholesky.info() != Eigen::Success) {
    problems.add({}, "<<correlation>>", "no numbers have these correlations at the same time",
                 "give smaller ones");
    return;
  }
  const Eigen::MatrixXd lower = cholesky.matrixL();
  for (Eigen::Index i = 0; i < lower.rows(); ++i)
    for (Eigen::Index j = 0; j < lower.cols(); ++j) factor_.push_back(lower(i, j));
}

double SamplePoints::uniform(std::size_t group, std::size_t dimension) const {
  const std::size_t replicate = group % replicates, i = group / replicates;
  switch (design_.kind) {
    case SampleDesign::Kind::random:
      return fraction(bits_of(words(design_, Use::random, group, dimension, 0)));
    case SampleDesign::Kind::latin: {
      const std::size_t groups = design_.runs / group_;
      const std::size_t n = (groups - replicate + replicates - 1) / replicates;
      const std::uint64_t part = permuted(design_, i, n, dimension, replicate);
      const double within = fraction(bits_of(words(design_, Use::within, i, dimension, replicate)));
      // never 0 or 1
      return std::clamp((static_cast<double>(part) + within) / static_cast<double>(n), 0x1p-53,
                        1.0 - 0x1p-53);
    }
    case SampleDesign::Kind::sobol:
      return fraction(SobolSequence::bits(i, dimension) ^
                      bits_of(words(design_, Use::shift, 0, dimension, replicate)));
  }
  return 0.5;
}

std::vector<double> SamplePoints::operator()(std::size_t k) const {
  const std::size_t group = k / group_, which = k % group_, d = design_.distributions.size();
  std::vector<double> u(d);
  for (std::size_t j = 0; j < d; ++j) {
    // 0: A, 1: B, 2 + j: A with number j of B
    const bool of_b = which == 1 || which == 2 + j;
    u[j] = uniform(group, of_b ? d + j : j);
  }
  if (!factor_.empty()) {
    std::vector<double> z(d);
    for (std::size_t j = 0; j < d; ++j) z[j] = normal_quantile(u[j]);
    for (std::size_t j = 0; j < d; ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i <= j; ++i) sum += factor_[j * d + i] * z[i];
      u[j] = std::clamp(normal_share(sum), 0x1p-53, 1.0 - 0x1p-53);
    }
  }
  for (std::size_t j = 0; j < d; ++j) u[j] = design_.distributions[j].quantile(u[j]);
  return u;
}

std::vector<std::string> name_start_values(const std::vector<std::string>& names, Model& model,
                                           Problems& problems, const std::string& where) {
  std::vector<std::string> result;
  std::optional<CompiledModel> compiled;
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  for (const Parameter& input : model.inputs) known.push_back(input.name);
  for (const std::string& name : names) {
    if (!name.starts_with("start(") || !name.ends_with(")")) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        const std::string near = nearest_name(name, known);
        problems.add({}, where + " " + name,
                     fmt::format("there is no parameter or input '{}'", name),
                     near.empty() ? "start values are called start(NAME)"
                                  : fmt::format("did you mean '{}'?", near));
      }
      const auto input = std::find_if(model.inputs.begin(), model.inputs.end(),
                                      [&](const Parameter& one) { return one.name == name; });
      if (input == model.inputs.end()) {
        result.push_back(name);
        continue;
      }
      // what it has at first
      result.push_back(fmt::format("input_value_{}", result.size()));
      model.parameters.push_back({.name = result.back(), .value = input->value});
      input->value = Value{result.back()};
      continue;
    }
    if (!compiled) {
      Problems own;
      compiled = compile(model, own);
      if (!own.empty() || compiled->jets) {
        // said by those who make the model
        compiled.reset();
        return names;
      }
    }
    const Structure& structure = compiled->system.structure();
    const std::string variable = name.substr(6, name.size() - 7);
    const auto places = static_cast<std::size_t>(structure.places());
    std::string coordinate;
    bool is_velocity = false;
    double value = 0.0;
    for (std::size_t i = 0; i < structure.velocities.size(); ++i) {
      const auto at = static_cast<Index>(i);
      if (i < places && structure.coordinates[i] == variable)
        coordinate = variable, value = compiled->given.q[at];
      else if (i < places && structure.velocities[i] == variable)
        coordinate = structure.coordinates[i], is_velocity = true, value = compiled->given.v[at];
    }
    if (coordinate.empty()) {
      problems.add({}, where + " " + name,
                   fmt::format("there is no coordinate or velocity '{}'", variable),
                   "<<check>> lists them");
      continue;
    }
    const std::string parameter = fmt::format("start_value_{}", result.size());
    model.parameters.push_back({.name = parameter, .value = value});
    const auto found =
        std::find_if(model.start.begin(), model.start.end(),
                     [&](const StartValue& start) { return start.coordinate == coordinate; });
    StartValue& start =
        found != model.start.end()
            ? *found
            : model.start.emplace_back(StartValue{.coordinate = coordinate, .position = {}});
    (is_velocity ? start.velocity : start.at) = Value{parameter};
    result.push_back(parameter);
  }
  return result;
}

}  // namespace taut
