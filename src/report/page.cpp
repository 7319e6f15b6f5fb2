// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.hpp"

#include <fmt/format.h>

#if TAUT_PAGES
#include "report/page_assets.hpp"
#endif

namespace taut {
namespace {

struct Asset {
  std::string_view script, style;
};

Asset asset([[maybe_unused]] Page page) {
#if TAUT_PAGES
  switch (page) {
    case Page::report:
      return {report_js, report_css};
    case Page::report3d:
      return {report3d_js, report3d_css};
    case Page::compare:
      return {compare_js, compare_css};
    case Page::modes:
      return {modes_js, modes_css};
    case Page::pair:
      return {pair_js, pair_css};
    case Page::periodic:
      return {periodic_js, periodic_css};
    case Page::play:
    case Page::served:
      return {play_js, play_css};
    case Page::play3d:
    case Page::served3d:
      return {play3d_js, play3d_css};
    case Page::signals:
      return {signals_js, signals_css};
    case Page::study:
      return {study_js, study_css};
    case Page::samples:
      return {samples_js, samples_css};
    case Page::sweep:
      return {sweep_js, sweep_css};
  }
  return {};
#else
  return {.script =
              "document.body.prepend('This taut was built without its pages (taut_PAGES): the "
              "data are in the files beside this one.')",
          .style = ""};
#endif
}

std::string as_text(std::string_view text) {
  std::string html;
  for (const char c : text) switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  return html;
}

// an engine that the page itself holds, in a worker of its own
constexpr std::string_view computes =
    "script-src 'unsafe-inline' blob: 'wasm-unsafe-eval'; worker-src blob:; ";
// or asks for what it shows
constexpr std::string_view asks = "script-src 'unsafe-inline'; connect-src 'self'; ";

std::string_view may(Page page) {
  switch (page) {
    case Page::play:
    case Page::play3d:
      return computes;
    case Page::served:
    case Page::served3d:
      return asks;
    default:
      return "script-src 'unsafe-inline'; ";
  }
}

// JSON in which no `<` stands: nothing in it can end the element it is in
std::string as_data(std::string_view json) {
  std::string data;
  data.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      data += "\\u003c";
    else
      data += c;
  return data;
}

}  // namespace

std::string page_html(Page page, std::string_view title, std::string_view data) {
  const auto [script, style] = asset(page);
  return fmt::format(
      R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {}style-src 'unsafe-inline'; img-src data: blob:">
<title>{}</title>
<style>{}</style>
</head>
<body>
<noscript>This page is drawn by a script; its data are in the files beside it.</noscript>
<main id="page"></main>
<script type="application/json" id="data">{}</script>
<script>{}</script>
</body>
</html>
)html",
      may(page), as_text(title), style, as_data(data), script);
}

}  // namespace taut
