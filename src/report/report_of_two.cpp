// SPDX-License-Identifier: BSD-3-Clause
// One page of two runs.
#include <fmt/format.h>

#include "report/report_data.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"
#include "taut/simulation/plan.hpp"
#include "taut/version.hpp"

namespace taut {

ReportSubject subject_of(const Plan& plan, std::string file) {
  const CompiledModel& compiled = plan.prepared.compiled;
  ReportSubject subject{.file = std::move(file),
                        .text = plan.prepared.model.text,
                        .version = std::string{version()},
                        .scene = compiled.scene,
                        .tolerance = plan.tolerance(),
                        .own_units = !plan.curve && states_own_units(plan.prepared.model)};
  for (std::size_t k = 0; k < compiled.parameter_names().size(); ++k)
    subject.parameters.emplace_back(compiled.parameter_names()[k], compiled.parameter_values()[k]);
  return subject;
}

std::string write_report_of_two(const Record& first, const Record& second,
                                const std::string& file) {
  const auto half = [](const auto& run) { return report_data(run, 0.48); };
  const PageText a = std::visit(half, first), b = std::visit(half, second);
  return write_file(
      file, page_html(Page::pair, fmt::format("{} and {}", a.title, b.title),
                      fmt::format("{{\"kind\":\"pair\",\n\"runs\":[{},\n{}]}}", a.data, b.data)));
}

}  // namespace taut
