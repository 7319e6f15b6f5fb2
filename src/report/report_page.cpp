// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/element_descriptor.hpp"
#include "taut/model/model.hpp"

namespace taut {
namespace {

constexpr std::size_t most_bytes = 4'900'000;      // of a page
constexpr std::size_t most_model_bytes = 100'000;  // of the model's file in it

// the beginning of a file that is too long
std::string beginning(const std::string& file) {
  if (file.size() <= most_model_bytes) return file;
  return fmt::format("{}\n# ... and {} bytes more\n", file.substr(0, most_model_bytes),
                     file.size() - most_model_bytes);
}

std::size_t bytes_in_page(const std::string& data) {
  // each `<` becomes \u003c
  return data.size() + 5 * static_cast<std::size_t>(std::count(data.begin(), data.end(), '<'));
}

}  // namespace

bool states_own_units(const Model& model) {
  return model.box || model.thermostat ||
         std::any_of(model.elements.begin(), model.elements.end(),
                     [](const Element& element) { return descriptor_of(element).own_units; });
}

std::string report_head(const ReportParts& parts, const ReportSubject& subject) {
  Json j;
  j["kind"] = "report";
  j["version"] = subject.version;
  j["title"] = parts.title;
  j["file"] = subject.file;
  j["model"] = beginning(subject.text);
  j["tolerance"] = subject.tolerance > 0.0 ? Json(subject.tolerance) : Json{};
  if (subject.watched) j["watched"] = true;
  j["parameters"] = Json::array();
  for (const auto& [parameter, value] : subject.parameters)
    j["parameters"].push_back({parameter, value});
  j["words"] = {{"what", parts.words.what},
                {"how", parts.words.how},
                {"well", parts.words.well},
                {"doubt", parts.words.doubt}};
  j["verdicts"] = Json::array();
  for (const ReportVerdict& verdict : parts.verdicts)
    j["verdicts"].push_back(
        {{"name", verdict.name}, {"state", name(verdict.mark)}, {"text", verdict.text}});
  j["units"] = {{"length", parts.units.length},
                {"time", parts.units.time},
                {"force", parts.units.force},
                {"energy", parts.units.energy}};
  j["axis"] = parts.axis;
  j["axis"]["column"] = 0;
  j["events"] = parts.events;
  j["statistics"] = parts.statistics;
  std::string head = text(j, -1);
  head.resize(head.find_last_of('}'));
  return head + ",\n\"summary\":" + parts.summary;
}

std::size_t bytes_left(const ReportParts& parts, const std::string& head) {
  const std::size_t used =
      page_html(parts.page, parts.title, "").size() + bytes_in_page(head) + parts.later_bytes;
  const auto most = static_cast<std::size_t>(parts.share * static_cast<double>(most_bytes));
  return used < most ? most - used : 0;
}

Json thinned_json(const ReportParts& parts, const PageTable& table) {
  std::vector<std::string> sentences = table.left_out();
  if (!parts.between.empty()) sentences.insert(sentences.begin(), parts.between);
  if (sentences.empty()) return nullptr;
  return {{"rows", table.rows},
          {"steps", parts.steps},
          {"note", fmt::format("{}", fmt::join(sentences, " "))}};
}

}  // namespace taut
