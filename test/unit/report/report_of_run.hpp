// SPDX-License-Identifier: BSD-3-Clause
// Runs with their reports, read back with other code than that which wrote them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "readings/readings.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/report/report.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {

using Json = nlohmann::json;

inline Json report_data(const std::string& html) {
  const std::string begin = R"(<script type="application/json" id="data">)";
  const std::size_t from = html.find(begin) + begin.size();
  return Json::parse(html.substr(from, html.find("</script>", from) - from));
}

// doubles, by bits: another way than the one they were written
inline std::vector<double> report_doubles(const Json& text) {
  std::vector<bool> bits;
  for (const char c : text.get<std::string>()) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                                             : 63;
    for (int k = 5; k >= 0; --k) bits.push_back((digit >> k & 1) != 0);
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i + 64 <= bits.size(); i += 64) {
    std::uint64_t word = 0;
    for (std::size_t byte = 0; byte < 8; ++byte)
      for (std::size_t k = 0; k < 8; ++k)
        word |= static_cast<std::uint64_t>(bits[i + 8 * byte + k]) << (8 * byte + 7 - k);
    numbers.push_back(std::bit_cast<double>(word));
  }
  return numbers;
}

inline bool report_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

inline std::vector<double> report_column(const std::vector<double>& numbers, std::size_t i,
                                         std::size_t width) {
  std::vector<double> column;
  for (std::size_t k = i; k < numbers.size(); k += width) column.push_back(numbers[k]);
  return column;
}

// a run with its report
struct Reported {
  CompiledModel compiled;
  System system;
  Motion motion;
  Summary summary;
  std::string html;
  Json data;
};

inline Reported reported(const std::string& toml, const std::string& method, RunOptions options,
                         ReadingKind reading = ReadingKind::as_written) {
  Problems problems{"test"};
  const Model model = read_model(toml, problems);
  Reported r{.compiled = compile(model, problems)};
  problems.throw_if_any();
  r.system = springs(r.compiled.system);
  options.extremes = true;
  r.summary = integrate(r.system, consistent_start(r.system, r.compiled.given),
                        make_method(method, {.tol = 1e-9}).value(), options, r.motion);
  r.summary.model = model.name;
  r.summary.reading = reading;
  r.html = report_html(RunRecord{.subject = {.file = "models/test.toml",
                                             .text = toml,
                                             .version = "0",
                                             .scene = r.compiled.scene,
                                             .tolerance = options.step > 0.0 ? 0.0 : 1e-9,
                                             .own_units = states_own_units(model)},
                                 .system = facts_of(r.system.structure()),
                                 .motion = r.motion,
                                 .summary = r.summary});
  r.data = report_data(r.html);
  return r;
}

inline bool report_says(const Reported& r, const char* where, const std::string& what) {
  const Json& sentences = r.data["words"][where];
  return std::any_of(sentences.begin(), sentences.end(), [&](const Json& sentence) {
    return sentence.get<std::string>().find(what) != std::string::npos;
  });
}

inline Json report_verdict(const Reported& r, const std::string& name) {
  for (const Json& verdict : r.data["verdicts"])
    if (verdict["name"] == name) return verdict;
  return nullptr;
}

inline std::string report_double_pendulum(const std::string& name = "double pendulum") {
  return "name = '''" + name + R"toml('''
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 1, at = [1, 1] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "b"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
)toml";
}

}  // namespace taut::test
