// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/notes.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/page_table.hpp"
#include "report/report_data.hpp"
#include "report/report_words.hpp"
#include "taut/report/writers.hpp"

namespace taut {

/// Parts of the data of a report that runs in time and along curves have alike (web/README.md).
struct ReportParts {
  Page page = Page::report;
  std::string title;
  std::string summary;  ///< a JSON text
  ReportWords words;
  std::vector<ReportVerdict> verdicts;
  Json events = Json::array(), statistics = Json::array();
  ReportUnits units;            ///< of the run; none along a curve
  Json axis;                    ///< name and unit
  std::int64_t steps = 0;       ///< of the run
  std::string between;          ///< what the extremes hold; empty where every step is a row
  std::size_t later_bytes = 0;  ///< of what `rest` will add
  double share = 1.0;           ///< of the bytes that a page may have
};

/// Events that a page has at most, besides those that stop the run.
inline constexpr std::size_t most_events = 1000;

/// The summary as JSON; where it is long, without what `shorten` takes away from it because it has
/// its own place in the page.
template <class AnySummary, class Shorten>
[[nodiscard]] std::string page_summary(const AnySummary& summary, Shorten shorten) {
  constexpr std::size_t most_bytes = 300'000;
  std::string text = summary_json(summary);
  if (text.size() <= most_bytes) return text;
  AnySummary brief = summary;
  shorten(brief);
  brief.notes.push_back(note<notes::shortened>());
  return summary_json(brief);
}

/// The page: everything, with as much of the table as fits. `rest` is asked for further entries
/// once it is known which columns there are.
template <class Rest>
[[nodiscard]] PageText report_page(const ReportParts& parts, const ReportSubject& subject,
                                   PageTable& table, Rest rest);

/// The beginning of the data: everything that does not depend on the columns, without the closing
/// brace.
[[nodiscard]] std::string report_head(const ReportParts& parts, const ReportSubject& subject);

/// Bytes that are left for columns.
[[nodiscard]] std::size_t bytes_left(const ReportParts& parts, const std::string& head);

/// null, or what the page leaves out.
[[nodiscard]] Json thinned_json(const ReportParts& parts, const PageTable& table);

template <class Rest>
PageText report_page(const ReportParts& parts, const ReportSubject& subject, PageTable& table,
                     Rest rest) {
  std::string data = report_head(parts, subject);
  table.choose(bytes_left(parts, data));
  Json last = rest();
  last["thinned"] = thinned_json(parts, table);
  const std::string others = text(last, -1);
  // `others` is an object: its entries go on where the head has ended
  data += ",\n" + table.json() + ",\n" + others.substr(others.find('{') + 1);
  return {parts.page, parts.title, std::move(data)};
}

}  // namespace taut
