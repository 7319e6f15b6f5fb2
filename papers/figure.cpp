// SPDX-License-Identifier: BSD-3-Clause
#include "figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut::papers {
namespace {

constexpr double panel_width = 460, panel_height = 300;
constexpr double left = 66, right = 14, top = 28, bottom = 44, legend_line = 16;
constexpr std::size_t colours = 8;  // classes c0 .. c7 of the page
constexpr int most_marks = 60;      // on a marked line

double whole(double x) { return std::abs(x) < 1e-12 ? 0.0 : x; }

/// Numbers of one axis onto pixels.
class Scale {
 public:
  Scale(bool logarithmic, double begin, double end) : log_{logarithmic}, a_{begin}, b_{end} {}

  void see(double x) {
    if (!usable(x)) return;
    low_ = std::min(low_, seen(x));
    high_ = std::max(high_, seen(x));
  }
  void settle() {
    if (!(low_ <= high_)) low_ = 0.0, high_ = 1.0;
    if (low_ == high_) {
      const double room = log_ ? 0.5 : std::max(0.5 * std::abs(low_), 1e-12);
      low_ -= room;
      high_ += room;
      return;
    }
    const double room = 0.04 * (high_ - low_);
    low_ -= room;
    high_ += room;
  }
  /// A range that is `more` times as long, about its middle.
  void widen(double more) {
    const double middle = (low_ + high_) / 2, half = more * (high_ - low_) / 2;
    low_ = middle - half;
    high_ = middle + half;
  }
  [[nodiscard]] double units_per_pixel() const { return (high_ - low_) / std::abs(b_ - a_); }
  [[nodiscard]] bool usable(double x) const { return std::isfinite(x) && (!log_ || x > 0.0); }
  [[nodiscard]] double operator()(double x) const {
    return a_ + (seen(x) - low_) / (high_ - low_) * (b_ - a_);
  }

  struct Tick {
    double at;  // [px]
    std::string text;
  };
  [[nodiscard]] std::vector<Tick> ticks() const {
    std::vector<Tick> result;
    const double rough = (high_ - low_) / 5;
    if (log_ && rough > 0.5) {
      const double step = std::max(1.0, std::ceil(rough - 0.3));
      for (double k = std::ceil(low_ / step); k * step <= high_; ++k)
        result.push_back({place(k * step), fmt::format("1e{:.0f}", k * step)});
      return result;
    }
    if (log_) {
      // few decades: 1, 2, 5 of each
      for (double k = std::floor(low_); k <= high_; ++k)
        for (const double part : {1.0, 2.0, 5.0}) {
          const double x = part * std::pow(10.0, k);
          if (seen(x) >= low_ && seen(x) <= high_)
            result.push_back({place(seen(x)), fmt::format("{:.4g}", x)});
        }
      return result;
    }
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double part = rough / power;
    const double step = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
    for (double k = std::ceil(low_ / step - 1e-9); k * step <= high_ + 1e-9 * step; ++k)
      result.push_back({place(k * step), fmt::format("{:.5g}", whole(k * step))});
    return result;
  }

 private:
  [[nodiscard]] double seen(double x) const { return log_ ? std::log10(x) : x; }
  [[nodiscard]] double place(double at) const {
    return a_ + (at - low_) / (high_ - low_) * (b_ - a_);
  }
  bool log_;
  double a_, b_;  // [px]
  double low_ = std::numeric_limits<double>::infinity(),
         high_ = -std::numeric_limits<double>::infinity();
};

std::string mark(std::size_t k, double x, double y) {
  switch (k % 4) {
    case 0:
      return fmt::format("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\"/>", x, y);
    case 1:
      return fmt::format("<path class=\"mark\" d=\"M{0:.1f} {1:.1f}m-4 3.2l4 -7.2l4 7.2z\"/>", x,
                         y);
    case 2:
      return fmt::format(
          "<path class=\"mark\" d=\"M{0:.1f} {1:.1f}m-4.2 0l4.2 -4.2l4.2 4.2l-4.2 4.2z\"/>", x, y);
    default:
      return fmt::format(
          "<rect class=\"mark\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\"/>", x - 3.2,
          y - 3.2);
  }
}

void words(std::string& out, double x, double y, std::string_view anchor, const std::string& text,
           std::string_view more = "") {
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>", x, y,
                     anchor, more, escaped(text));
}

// lines that are drawn: points that fall onto the same pixels say nothing more
std::string path(const Series& series, const Scale& X, const Scale& Y) {
  std::string d;
  bool open = false;
  double x_last = 0.0, y_last = 0.0;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!X.usable(series.x[i]) || !Y.usable(series.y[i])) {
      open = false;
      continue;
    }
    const double x = X(series.x[i]), y = Y(series.y[i]);
    if (open && std::abs(x - x_last) < 0.4 && std::abs(y - y_last) < 0.4) continue;
    d += fmt::format("{}{:.1f} {:.1f}", open ? "L" : "M", x, y);
    open = true;
    x_last = x;
    y_last = y;
  }
  return d;
}

void draw(std::string& out, const Series& series, std::size_t k, const Scale& X, const Scale& Y,
          double floor) {
  out += fmt::format("<g class=\"c{}\">", k % colours);
  if (series.look == Series::Look::bars) {
    const double width =
        series.x.size() > 1 ? std::abs(X(series.x[1]) - X(series.x[0])) : panel_width / 4;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!Y.usable(series.y[i])) continue;
      const double y = Y(series.y[i]);
      out += fmt::format(
          "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
          X(series.x[i]) - width / 2, y, width, std::max(0.0, floor - y));
    }
  } else if (series.look != Series::Look::marks) {
    out += fmt::format("<path class=\"line{}\" d=\"{}\"/>", series.dashed ? " dashed" : "",
                       path(series, X, Y));
  }
  if (series.look == Series::Look::marks || series.look == Series::Look::marked_line) {
    const std::size_t every =
        series.look == Series::Look::marks ? 1 : 1 + series.x.size() / most_marks;
    for (std::size_t i = 0; i < series.x.size(); i += every)
      if (X.usable(series.x[i]) && Y.usable(series.y[i]))
        out += mark(k, X(series.x[i]), Y(series.y[i]));
  }
  out += "</g>\n";
}

double legend_height(const Panel& panel) {
  const auto named = std::count_if(panel.series.begin(), panel.series.end(),
                                   [](const Series& s) { return !s.name.empty(); });
  return legend_line * static_cast<double>(named);
}

void draw(std::string& out, const Panel& panel, double x0, double y0) {
  const double x1 = x0 + left, x2 = x0 + panel_width - right;
  const double y1 = y0 + top, y2 = y0 + panel_height - bottom;
  Scale X{panel.log_x, x1, x2}, Y{panel.log_y, y2, y1};
  for (const Series& series : panel.series) {
    for (const double x : series.x) X.see(x);
    for (const double y : series.y) Y.see(y);
    if (series.look == Series::Look::bars) Y.see(0.0);
  }
  X.settle();
  Y.settle();
  if (panel.equal) {
    const double ratio = X.units_per_pixel() / Y.units_per_pixel();
    (ratio < 1.0 ? X : Y).widen(ratio < 1.0 ? 1.0 / ratio : ratio);
  }
  words(out, (x1 + x2) / 2, y0 + 16, "middle", panel.title, "class=\"title\"");
  for (const Scale::Tick& tick : X.ticks()) {
    out += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", tick.at, y1, y2);
    words(out, tick.at, y2 + 16, "middle", tick.text);
  }
  for (const Scale::Tick& tick : Y.ticks()) {
    out += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/>", x1, tick.at, x2);
    words(out, x1 - 6, tick.at + 4, "end", tick.text);
  }
  out += fmt::format(
      "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", x1,
      y1, x2 - x1, y2 - y1);
  for (std::size_t k = 0; k < panel.series.size(); ++k) draw(out, panel.series[k], k, X, Y, y2);
  words(out, (x1 + x2) / 2, y2 + 34, "middle", panel.x_name);
  words(out, 0, 0, "middle", panel.y_name,
        fmt::format("transform=\"translate({:.1f} {:.1f}) rotate(-90)\"", x0 + 13, (y1 + y2) / 2));
  double y = y0 + panel_height + 8;
  for (std::size_t k = 0; k < panel.series.size(); ++k) {
    const Series& series = panel.series[k];
    if (series.name.empty()) continue;
    out += fmt::format("<g class=\"c{}\">", k % colours);
    if (series.look != Series::Look::marks)
      out += fmt::format("<path class=\"line{}\" d=\"M{:.1f} {:.1f}h26\"/>",
                         series.dashed ? " dashed" : "", x1, y - 4);
    if (series.look == Series::Look::marks || series.look == Series::Look::marked_line)
      out += mark(k, x1 + 13, y - 4);
    out += "</g>";
    words(out, x1 + 34, y, "start", series.name);
    y += legend_line;
  }
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string svg(const Figure& figure) {
  const auto n = figure.panels.size();
  const auto columns = std::min(n, static_cast<std::size_t>(std::max(1, figure.columns)));
  std::string out;
  double y = 0.0;
  for (std::size_t i = 0; i < n;) {
    double legend = 0.0;
    for (std::size_t c = 0; c < columns && i < n; ++c, ++i) {
      draw(out, figure.panels[i], static_cast<double>(c) * panel_width, y);
      legend = std::max(legend, legend_height(figure.panels[i]));
    }
    y += panel_height + legend + 14;
  }
  return fmt::format(
      "<svg class=\"figure\" style=\"max-width: {0}px\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "aria-label=\"{2}\" "
      "font-size=\"12\">\n{3}</svg>\n",
      static_cast<double>(columns) * panel_width, y, escaped(figure.title), out);
}

}  // namespace taut::papers
