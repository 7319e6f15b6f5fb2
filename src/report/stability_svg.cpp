// SPDX-License-Identifier: BSD-3-Clause
// The stability of an equilibrium over one or two parameters, drawn.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "run/atomic_file.hpp"
#include "taut/report/stability.hpp"

namespace taut {
namespace {

constexpr double width = 640, height = 440;
constexpr double left = 78, right = 620, top = 46, bottom = 384;  // of the frame

constexpr std::string_view stable_colour = "#2b6cb0", unstable_colour = "#c05621",
                           undecided_colour = "#a0aec0", border_colour = "#1a202c";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result;
}

/// A range of numbers along one side of the frame.
struct Scale {
  double low, high;   // numbers
  double begin, end;  // [px]
  [[nodiscard]] double operator()(double x) const {
    return begin + (x - low) / (high - low) * (end - begin);
  }
};

/// Round numbers, about five of them.
std::vector<double> ticks(double low, double high) {
  const double rough = (high - low) / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double part = rough / power;
  const double step = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  std::vector<double> result;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    result.push_back(k == 0.0 ? 0.0 : k * step);
  return result;
}

class Drawing {
 public:
  Drawing(const std::string& title, Scale x, Scale y) : x_{x}, y_{y} {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width, height);
    put((left + right) / 2, 24, "middle", title, "font-size=\"15\"");
  }

  void line(double x0, double y0, double x1, double y1, std::string_view style) {
    text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n",
                         x_(x0), y_(y0), x_(x1), y_(y1), style);
  }
  void rectangle(double x0, double y0, double x1, double y1, std::string_view style) {
    const double a = std::min(x_(x0), x_(x1)), b = std::min(y_(y0), y_(y1));
    text_ +=
        fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}/>\n", a,
                    b, std::abs(x_(x1) - x_(x0)), std::abs(y_(y1) - y_(y0)), style);
  }
  void dot(double x, double y, std::string_view colour) {
    text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.6\" fill=\"{}\"/>\n", x_(x),
                         y_(y), colour);
  }
  /// Words at a place of the page [px].
  void put(double x, double y, std::string_view anchor, const std::string& words,
           std::string_view style = "") {
    text_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y,
                         anchor, style, escaped(words));
  }
  void axes(const std::string& x_name, const std::string& y_name) {
    text_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#4a5568\"/>\n",
        left, top, right - left, bottom - top);
    for (const double x : ticks(x_.low, x_.high)) {
      put(x_(x), bottom + 17, "middle", fmt::format("{:.6g}", x));
      line(x, y_.low, x, y_.low + (y_.high - y_.low) * 0.015, "stroke=\"#4a5568\"");
    }
    for (const double y : ticks(y_.low, y_.high)) {
      put(left - 6, y_(y) + 4, "end", fmt::format("{:.6g}", y));
      line(x_.low, y, x_.low + (x_.high - x_.low) * 0.01, y, "stroke=\"#4a5568\"");
    }
    put((left + right) / 2, bottom + 40, "middle", x_name);
    put(0, 0, "middle", y_name,
        fmt::format("transform=\"translate(20 {}) rotate(-90)\"", (top + bottom) / 2));
  }
  [[nodiscard]] std::string end() && { return std::move(text_) + "</svg>\n"; }

  [[nodiscard]] double px(double x) const { return x_(x); }

 private:
  Scale x_, y_;
  std::string text_;
};

std::string_view colour(const SweepPoint& point) {
  switch (point.equilibrium.stability) {
    case Stability::stable:
      return stable_colour;
    case Stability::unstable:
      return unstable_colour;
    case Stability::undecided:
      break;
  }
  return undecided_colour;
}

Scale across(const SweepAxis& axis, double begin, double end) {
  return {std::min(axis.first, axis.last), std::max(axis.first, axis.last), begin, end};
}

// the lowest frequency upwards, growth downwards: one curve through zero at the border
double height_of(const Equilibrium& e) {
  if (e.growth > 0.0) return -e.growth;
  return e.omega.empty() ? 0.0 : e.omega.back();
}

std::string over_one(const StabilitySweep& sweep, const std::string& title) {
  double low = 0.0, high = 0.0;
  for (const SweepPoint& p : sweep.points)
    if (p.exists) {
      low = std::min(low, height_of(p.equilibrium));
      high = std::max(high, height_of(p.equilibrium));
    }
  const double room = high > low ? 0.08 * (high - low) : 1.0;
  Drawing drawing{title,
                  across(sweep.axes[0], left, right),
                  {low < 0.0 ? low - room : low, high + room, bottom, top}};
  drawing.axes(sweep.axes[0].parameter, low < 0.0 ? "−growth [1/s]      lowest frequency [rad/s]"
                                                  : "lowest frequency [rad/s]");
  drawing.line(sweep.axes[0].first, 0.0, sweep.axes[0].last, 0.0, "stroke=\"#cbd5e0\"");

  for (std::size_t k = 1; k < sweep.points.size(); ++k) {
    const SweepPoint &a = sweep.points[k - 1], &b = sweep.points[k];
    if (!a.exists || !b.exists || b.jumped) continue;
    const double ya = height_of(a.equilibrium), yb = height_of(b.equilibrium);
    const auto border =
        std::find_if(sweep.borders.begin(), sweep.borders.end(), [&](const SweepBorder& x) {
          return (x.values[0] - a.values[0]) * (x.values[0] - b.values[0]) <= 0.0;
        });
    const auto style = [](const SweepPoint& p) {
      return fmt::format("stroke=\"{}\" stroke-width=\"1.8\"", colour(p));
    };
    if (border == sweep.borders.end()) {
      drawing.line(a.values[0], ya, b.values[0], yb, style(b));
    } else {
      drawing.line(a.values[0], ya, border->values[0], 0.0, style(a));
      drawing.line(border->values[0], 0.0, b.values[0], yb, style(b));
    }
  }
  for (const SweepPoint& p : sweep.points)
    if (p.exists) drawing.dot(p.values[0], height_of(p.equilibrium), colour(p));
  for (const SweepBorder& border : sweep.borders) {
    const double x = border.values[0];
    drawing.line(x, low < 0.0 ? low - room : low, x, high + room,
                 fmt::format("stroke=\"{}\" stroke-dasharray=\"5 4\"", border_colour));
    drawing.put(drawing.px(x) + (drawing.px(x) > (left + right) / 2 ? -6 : 6), top + 16,
                drawing.px(x) > (left + right) / 2 ? "end" : "start",
                fmt::format("{} = {:.6g}", sweep.axes[0].parameter, x));
  }
  return std::move(drawing).end();
}

std::string over_two(const StabilitySweep& sweep, const std::string& title) {
  const SweepAxis &ax = sweep.axes[0], &ay = sweep.axes[1];
  Drawing drawing{title, across(ax, left, right), across(ay, bottom, top)};

  // a patch about each point, cut off at the frame
  const double dx = (ax.last - ax.first) / (ax.points - 1) / 2;
  const double dy = (ay.last - ay.first) / (ay.points - 1) / 2;
  const auto within = [](const SweepAxis& axis, double x) {
    return std::clamp(x, std::min(axis.first, axis.last), std::max(axis.first, axis.last));
  };
  for (const SweepPoint& p : sweep.points)
    drawing.rectangle(
        within(ax, p.values[0] - dx), within(ay, p.values[1] - dy), within(ax, p.values[0] + dx),
        within(ay, p.values[1] + dy),
        p.exists ? fmt::format("fill=\"{}\" fill-opacity=\"0.28\"", colour(p)) : "fill=\"none\"");

  // in each cell the points of the border on its sides are joined
  for (int j = 0; j + 1 < ay.points; ++j)
    for (int i = 0; i + 1 < ax.points; ++i) {
      const std::array x{ax.value(i), ax.value(i + 1)}, y{ay.value(j), ay.value(j + 1)};
      const auto between = [](double value, const std::array<double, 2>& ends) {
        return (value - ends[0]) * (value - ends[1]) <= 0.0;
      };
      std::vector<const SweepBorder*> sides;
      for (const SweepBorder& border : sweep.borders) {
        const double bx = border.values[0], by = border.values[1];
        const bool horizontal = border.axis == 0 && between(bx, x) && (by == y[0] || by == y[1]);
        const bool vertical = border.axis == 1 && between(by, y) && (bx == x[0] || bx == x[1]);
        if (horizontal || vertical) sides.push_back(&border);
      }
      for (std::size_t k = 0; k + 1 < sides.size(); k += 2)
        drawing.line(sides[k]->values[0], sides[k]->values[1], sides[k + 1]->values[0],
                     sides[k + 1]->values[1],
                     fmt::format("stroke=\"{}\" stroke-width=\"2\"", border_colour));
    }
  drawing.axes(ax.parameter, ay.parameter);
  drawing.put(left, bottom + 40, "start", "■ stable", fmt::format("fill=\"{}\"", stable_colour));
  drawing.put(left + 70, bottom + 40, "start", "■ unstable",
              fmt::format("fill=\"{}\"", unstable_colour));
  drawing.put(left + 158, bottom + 40, "start", "■ undecided",
              fmt::format("fill=\"{}\"", undecided_colour));
  return std::move(drawing).end();
}

}  // namespace

std::string sweep_svg(const StabilitySweep& sweep, const std::string& title) {
  return sweep.axes.size() == 1 ? over_one(sweep, title) : over_two(sweep, title);
}

std::string write_sweep_svg(const StabilitySweep& sweep, const std::string& title,
                            const std::string& file) {
  return write_file(file, sweep_svg(sweep, title));
}

}  // namespace taut
