// SPDX-License-Identifier: BSD-3-Clause
#include "page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "page_style.hpp"

namespace taut::papers {
namespace {

// what the other pages do not have; their colours follow the reader's wish without a script here
constexpr std::string_view own_style = R"css(
figure.card + figure.card { margin-top: 16px; }
.figure { width: 100%; height: auto; fill: var(--text); font-family: var(--font); }
.figure .frame { fill: none; stroke: var(--muted); }
.figure .grid { fill: none; stroke: var(--grid); }
.figure .title { font-weight: 600; }
.figure .line { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linejoin: round; }
.figure .dashed { stroke-dasharray: 6 4; }
.figure .mark { fill: currentColor; stroke: none; }
.figure .bar { fill: currentColor; fill-opacity: 0.45; }
.c0 { color: #0072b2; } .c1 { color: #d55e00; } .c2 { color: #009e73; } .c3 { color: #cc79a7; }
.c4 { color: #b8860b; } .c5 { color: #56b4e9; } .c6 { color: #777777; } .c7 { color: #7b3294; }
.paper { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 620px), 1fr)); gap: 16px; align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; overflow-x: auto; }
figcaption { color: var(--muted); font-size: 0.9rem; margin: 6px 0 14px; }
table { border-collapse: collapse; width: 100%; font-size: 0.86rem; }
th, td { text-align: left; padding: 3px 8px; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.explained td { border-bottom: 0; padding-bottom: 0; }
td small { color: var(--muted); display: block; overflow-wrap: anywhere; }
.agrees, .measured { color: var(--good); } .ours { color: var(--muted); }
.differs { color: var(--fair); } .contradicts, .failed { color: var(--bad); }
.counts { margin: 4px 0 14px; color: var(--muted); }
)css";

std::string number(std::optional<double> x) {
  return x && std::isfinite(*x) ? fmt::format("{:.5g}", *x) : "";
}

std::string row_html(std::string_view topic, const Row& row) {
  const std::string_view found = name(verdict(row));
  std::string small;
  const auto say = [&](const std::string& text) {
    if (!text.empty()) small += fmt::format("<small>{}</small>", escaped(text));
  };
  say(row.statement);
  if (row.tolerance.rule != Rule::none)
    say(fmt::format("{}{}{} ({:.3g})", row.source, row.source.empty() ? "" : "; ",
                    words(row.tolerance.rule), row.tolerance.amount));
  if (row.reference) say(fmt::format("{}: {:.6g}", row.independent, *row.reference));
  say(remarks(row));
  if (is_explained(row)) say("see " + place_in_manual(topic, row));
  const auto off = deviation(row);
  return fmt::format(
      "<tr{}><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
      "<td class=\"{}\">{}</td></tr>\n{}",
      small.empty() ? "" : " class=\"explained\"", escaped(row.name),
      bound(row) ? fmt::format("({})", number(bound(row))) : number(print(row)),
      number(row.obtained), off ? fmt::format("{:+.2f} %", 100.0 * *off) : "", found, found,
      small.empty() ? "" : fmt::format("<tr><td colspan=\"5\">{}</td></tr>\n", small));
}

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{0}</title>
<style>{1}
@media (prefers-color-scheme: dark) {{ :root {{ {2} }} }}
{3}</style>
</head>
<body>
<main id="page">
<h1>{0}</h1>
{4}
</main>
</body>
</html>
)html",
      escaped(title), page_style, dark_colours, own_style, body);
}

}  // namespace

std::string paper_page(const Topic& topic, const Item& item, const Shown& shown) {
  std::string figures, rows;
  for (const Figure& figure : shown.figures)
    figures +=
        fmt::format("<figure class=\"card\"><h3>{}</h3>\n{}<figcaption>{}</figcaption></figure>\n",
                    escaped(figure.title), svg(figure), escaped(figure.caption));
  // what the paper has first
  for (const bool of_paper : {true, false})
    for (const Row& row : shown.rows)
      if ((verdict(row) != Verdict::ours) == of_paper) rows += row_html(topic.name, row);
  const std::string title = fmt::format("{} {}", topic.name, item.name);
  return page(title,
              fmt::format(R"html(<p>{}. Paper: {}, {}.</p>
<p class="counts">{}</p>
<div class="paper">
<div>{}</div>
<div class="card"><table>
<thead><tr><th>row</th><th class="n">published</th><th class="n">obtained</th><th class="n">deviation</th><th>verdict</th></tr></thead>
<tbody>
{}</tbody></table></div>
</div>)html",
                          escaped(std::string{item.about}), topic.cite,
                          escaped(std::string{topic.about}), words(counts(shown.rows)),
                          figures.empty() ? "<p class=\"counts\">The paper has no figure here.</p>"
                                          : figures,
                          rows));
}

std::string index_page(const std::vector<IndexEntry>& entries) {
  std::string rows;
  for (const IndexEntry& entry : entries)
    rows +=
        fmt::format("<tr><td>{}</td><td><a href=\"{}\">{}</a></td><td>{}</td><td>{}</td></tr>\n",
                    entry.item->topic, entry.file, entry.item->name,
                    escaped(std::string{entry.item->about}), words(entry.counts));
  return page(
      "the papers' tables",
      fmt::format("<div class=\"card\"><table>\n<thead><tr><th>topic</th><th>item</th>"
                  "<th>what</th><th>verdicts</th></tr></thead>\n<tbody>\n{}</tbody></table></div>",
                  rows));
}

}  // namespace taut::papers
