// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_motion_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "report/report_loads.hpp"
#include "report/report_text.hpp"

namespace taut {
namespace {

constexpr std::size_t no_extreme = std::numeric_limits<std::size_t>::max();

class MotionTable {
 public:
  MotionTable(const RunRecord& run, PageTable& table)
      : motion_{run.motion},
        summary_{run.summary},
        scene_{run.subject.scene},
        units_{units_of(run.subject)},
        table_{table} {}

  MotionColumns operator()();

 private:
  void begin(std::string id, std::string title, const char* scale, const std::string& unit,
             std::size_t most_shown = 6) {
    table_.groups.push_back({std::move(id), std::move(title), scale, unit, {}, most_shown});
  }
  [[nodiscard]] PageColumn column(std::string name, const std::vector<double>& numbers,
                                  std::size_t first, std::size_t width, std::size_t extreme) const;
  struct Kind {
    const char *id, *title;
    std::string_view suffixes;  // with spaces between them
    std::string unit;
  };
  void add_outputs();
  void add_quantities(const std::vector<Kind>& kinds);
  void add_other_quantities();
  [[nodiscard]] std::vector<bool> rotation_entries() const;
  /// A derived unit of SI, where the model is in SI.
  [[nodiscard]] std::string si(const char* unit) const { return units_.time.empty() ? "" : unit; }
  void add_energy();
  void add_residuals();
  void add_steps();
  void add_invariants();
  [[nodiscard]] bool all_are_places() const;

  const Motion& motion_;
  const Summary& summary_;
  const Scene& scene_;
  const ReportUnits units_;
  PageTable& table_;
  std::vector<bool> shown_;  // quantities that are in a plot
};

PageColumn MotionTable::column(std::string name, const std::vector<double>& numbers,
                               std::size_t first, std::size_t width, std::size_t extreme) const {
  PageColumn column{.name = std::move(name), .data = {numbers.data() + first, width}};
  const Extremes& extremes = motion_.extremes;
  if (extreme != no_extreme && !extremes.empty()) {
    column.low = {extremes.low.data() + extreme, motion_.width()};
    column.high = {extremes.high.data() + extreme, motion_.width()};
  }
  return column;
}

// whether every coordinate is one of a point: a length
bool MotionTable::all_are_places() const {
  std::vector<bool> place(motion_.coordinates.size(), false);
  for (const Scene::Point& point : scene_.points)
    if (point.kind == Scene::Point::Kind::mass)
      for (const Scene::Component& c : point.at)
        if (c.coordinate >= 0 && static_cast<std::size_t>(c.coordinate) < place.size())
          place[static_cast<std::size_t>(c.coordinate)] = true;
  return !place.empty() && std::find(place.begin(), place.end(), false) == place.end();
}

MotionColumns MotionTable::operator()() {
  MotionColumns places;
  const std::size_t nq = motion_.coordinates.size(), nv = motion_.velocities.size();
  const std::size_t nc = motion_.constraints.size();
  table_.rows = motion_.rows();
  table_.banded = !motion_.extremes.empty();
  table_.add({.name = "t", .data = {motion_.t.data()}, .needed = true}, false);
  const bool lengths = all_are_places();
  // what was asked for, what carries loads, and then the rest
  add_outputs();
  const std::vector<bool> is_rod = rods(scene_, nc);
  const std::vector<bool> internal = internal_rows(motion_, scene_);
  bool forces = true;
  for (std::size_t c = 0; c < nc; ++c) forces &= is_rod[c] || internal[c];
  begin("forces", "Reaction forces", "linear", forces ? units_.force : "", 8);
  for (std::size_t c = 0; c < nc; ++c)
    places.lambda.push_back(table_.add(
        column(motion_.constraints[c], motion_.lambda, c, nc, nq + nv + c), !internal[c]));
  add_quantities(
      {{"force", "Forces of springs, dampers and rods", ".force", units_.force},
       {"drive_torque", "Torques of motors", ".drive_torque", si("N m")},
       {"drive_force", "Forces of motors", ".drive_force", units_.force},
       {"drive", "Springs, dampers, friction and stops of joints",
        ".spring .damper .friction .stop", ""},
       {"joint_force", "Forces of joints, and forces that are applied", ".fx .fy .fz",
        units_.force},
       {"joint_torque", "Torques of joints, and torques that are applied", ".tx .ty .tz",
        si("N m")},
       {"joint_force_own", "Forces of joints, along their own axes", ".f1 .f2 .f3", units_.force},
       {"joint_torque_own", "Torques of joints, about their own axes", ".t1 .t2 .t3", si("N m")}});
  const std::vector<bool> entry = rotation_entries();
  begin("coordinates", "Coordinates", "linear", lengths ? units_.length : "");
  for (std::size_t i = 0; i < nq; ++i)
    places.q.push_back(table_.add(column(motion_.coordinates[i], motion_.q, i, nq, i), !entry[i]));
  begin("velocities", "Velocities", "linear", lengths ? si("m/s") : "");
  for (std::size_t i = 0; i < nv; ++i)
    places.v.push_back(
        table_.add(column(motion_.velocities[i], motion_.v, i, nv, nq + i), i >= nq || !entry[i]));
  add_quantities(
      {{"joint_angles", "Angles of joints", ".angle", "rad"},
       {"joint_rates", "Rates of joints", ".rate", si("rad/s")},
       {"joint_travels", "Travels of joints", ".travel", units_.length},
       {"joint_speeds", "Speeds of joints", ".speed", si("m/s")},
       {"angles", "Angles of bodies", ".yaw .pitch .roll", "rad"},
       {"spin", "Angular velocities of bodies", ".wx .wy .wz", si("rad/s")},
       {"spin_own", "Angular velocities, along the axes of bodies", ".w1 .w2 .w3", si("rad/s")},
       {"length", "Lengths of springs, dampers and rods", ".length", units_.length},
       {"power", "Power of springs, dampers and rods", ".power", si("W")},
       {"accelerations", "Accelerations", ".ax .ay .az", si("m/s²")}});
  add_other_quantities();
  add_energy();
  add_residuals();
  add_steps();
  add_invariants();
  for (std::size_t i = 0; i < motion_.drawn.size(); ++i)
    places.place.push_back(table_.add(
        column(motion_.drawn[i], motion_.place, i, motion_.drawn.size(), no_extreme), false));
  return places;
}

void MotionTable::add_outputs() {
  const std::size_t count = motion_.outputs.size();
  if (count == 0) return;
  const std::size_t before =
      motion_.coordinates.size() + motion_.velocities.size() + motion_.constraints.size();
  // those whose sizes differ by much have axes of their own, in the order in which they are stated
  constexpr double together = 30.0;
  struct Axes {
    double least = 0.0, most = 0.0;
    std::vector<std::size_t> outputs;
  };
  std::vector<Axes> all;
  for (std::size_t i = 0; i < count; ++i) {
    double size = 0.0;
    for (std::size_t k = i; k < motion_.output.size(); k += count)
      if (std::isfinite(motion_.output[k])) size = std::max(size, std::abs(motion_.output[k]));
    const auto fits = [&](const Axes& axes) {
      return size == 0.0 || axes.most == 0.0 ||
             (std::max(size, axes.most) <= together * std::min(size, axes.least));
    };
    const auto found = std::find_if(all.begin(), all.end(), fits);
    Axes& axes = found == all.end() ? all.emplace_back() : *found;
    axes.outputs.push_back(i);
    if (size == 0.0) continue;
    axes.least = axes.most == 0.0 ? size : std::min(size, axes.least);
    axes.most = std::max(size, axes.most);
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool first = k == 0;
    begin(first ? "outputs" : fmt::format("outputs-{}", k + 1),
          first ? "Outputs" : fmt::format("Outputs ({})", k + 1), "linear", "");
    for (const std::size_t i : all[k].outputs)
      table_.add(column(motion_.outputs[i], motion_.output, i, count, before + i));
  }
}

void MotionTable::add_quantities(const std::vector<Kind>& kinds) {
  const std::size_t count = motion_.quantities.size();
  shown_.resize(count, false);
  for (const Kind& kind : kinds) {
    bool begun = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& name = motion_.quantities[i];
      const std::size_t dot = name.rfind('.');
      const std::string suffix = dot == std::string::npos ? "" : name.substr(dot) + " ";
      if (shown_[i] || suffix.empty() ||
          (std::string{kind.suffixes} + " ").find(suffix) == std::string::npos)
        continue;
      if (!begun) begin(kind.id, kind.title, "linear", kind.unit);
      begun = shown_[i] = true;
      table_.add(column(name, motion_.quantity, i, count, no_extreme));
    }
  }
}

// accelerations of plain coordinates, whatever their unit
void MotionTable::add_other_quantities() {
  const std::size_t count = motion_.quantities.size();
  bool begun = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (shown_[i]) continue;
    if (!begun) begin("other_accelerations", "Accelerations of coordinates", "linear", "");
    begun = true;
    table_.add(column(motion_.quantities[i], motion_.quantity, i, count, no_extreme));
  }
}

// coordinates that are entries of a rotation matrix: angles say more
std::vector<bool> MotionTable::rotation_entries() const {
  std::vector<bool> entry;
  for (const std::string& name : motion_.coordinates) entry.push_back(is_rotation_entry(name));
  return entry;
}

void MotionTable::add_energy() {
  const auto known = [](double x) { return std::isfinite(x); };
  if (std::none_of(motion_.energy.begin(), motion_.energy.end(), known)) return;
  const std::size_t extreme = motion_.width() - 4;
  begin("energy", "Energy", "linear", units_.energy);
  const PageColumn energy = column("energy", motion_.energy, 0, 1, extreme);
  table_.add(energy);
  table_.add(column("kinetic_energy", motion_.kinetic_energy, 0, 1, no_extreme));
  table_.add(column("potential_energy", motion_.potential_energy, 0, 1, no_extreme));
  if (summary_.energy_balance_error) {
    table_.add(column("work", motion_.work, 0, 1, no_extreme));
    std::vector<double> balance;
    for (std::size_t row = 0; row < table_.rows; ++row)
      balance.push_back((motion_.energy[row] - motion_.work[row] - summary_.energy_start) /
                        (summary_.energy_passed > 0.0 ? summary_.energy_passed : 1.0));
    begin("energy_balance", "Balance of energy: E - work, relative", "linear", "");
    table_.add({.name = "relative error", .data = table_.own(std::move(balance))});
  }
  if (!summary_.energy_error) return;

  // divided by what Summary::energy_error is divided by
  const double start = summary_.energy_start;
  const double scale = summary_.energy_scale > 0.0 ? summary_.energy_scale : 1.0;
  const auto error = [&](const Strided& numbers) {
    std::vector<double> errors;
    if (numbers.first == nullptr) return Strided{};
    for (std::size_t row = 0; row < table_.rows; ++row)
      errors.push_back((numbers[row] - start) / scale);
    return table_.own(std::move(errors));
  };
  begin("energy_error", "Error of the energy, relative", "linear", "");
  table_.add({.name = "relative error",
              .data = error(energy.data),
              .low = error(energy.low),
              .high = error(energy.high)});
}

void MotionTable::add_residuals() {
  const auto some = [](double x) { return x > 0.0; };
  const auto any = [&](const std::vector<double>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), some);
  };
  if (!any(motion_.max_constraint) && !any(motion_.max_velocity_constraint)) return;
  const std::size_t width = motion_.width();
  begin("residuals", "How well constraints are kept", "log", "");
  table_.add(column("max |g|", motion_.max_constraint, 0, 1, width - 3));
  table_.add(column("max |G v + g_t|", motion_.max_velocity_constraint, 0, 1, width - 2));
}

void MotionTable::add_steps() {
  if (summary_.step > 0.0 || table_.rows < 2) return;
  begin("step", "Step size", "log", units_.time);
  table_.add(column("step", motion_.step, 0, 1, motion_.width() - 1));
  if (motion_.rejected.back() == 0.0) return;
  begin("rejections", "Rejected steps since the row before", "linear", "");
  PageColumn rejected = column("rejected steps", motion_.rejected, 0, 1, no_extreme);
  rejected.difference = true;
  table_.add(std::move(rejected));
}

// how much they have changed
void MotionTable::add_invariants() {
  const std::size_t count = motion_.invariants.size();
  if (count == 0) return;
  begin("invariants", "Change of invariants", "linear", "");
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> change;
    for (std::size_t row = 0; row < table_.rows; ++row)
      change.push_back(motion_.invariant[row * count + i] - motion_.invariant[i]);
    table_.add({.name = motion_.invariants[i], .data = table_.own(std::move(change))});
  }
}

}  // namespace

MotionColumns fill_table(const RunRecord& run, PageTable& table) {
  return MotionTable{run, table}();
}

}  // namespace taut
