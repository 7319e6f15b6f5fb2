// SPDX-License-Identifier: BSD-3-Clause
// Records give back what was written, to the bit, or say why not.
#include <gtest/gtest.h>

#include <unistd.h>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "taut/report/report.hpp"
#include "taut/report/writers.hpp"
#include "taut/run/checkpoint.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;

constexpr double record_nan = std::numeric_limits<double>::quiet_NaN();

Vec record_vec(std::initializer_list<double> values) {
  Vec made(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), made.data());
  return made;
}

// two rows of a pendulum on a spring, with something in every field
constexpr NoteKind record_reason{"reason", "since {rate:.3g} is {why}"};
constexpr NoteKind record_note{"note", "{names}{more? and more}"};

RunRecord record_of_run() {
  RunRecord run;
  Scene& scene = run.subject.scene;
  run.subject.file = "models/\xc3\xa9.toml";
  run.subject.text = "name = \"a\"\n";
  run.subject.version = "1.2.3";
  run.subject.tolerance = 1e-7;
  run.subject.parameters = {{"g", 9.81}, {"l", -0.0}};
  run.subject.watched = true;
  scene.dimension = 3;
  Scene::Point bob{.name = "bob", .mass = 2.0};
  bob.at[0].coordinate = 0;
  bob.at[1].observable = 3;
  bob.at[2].value = -0.0;
  Scene::Body body{.name = "body", .box = {1, 2, 3}, .mass = 4.0};
  body.position[0].coordinate = 0;
  body.rotation[8].value = 1.0;
  scene.points = {bob, {.name = "end", .kind = Scene::Point::Kind::marker, .body = 0}};
  scene.bodies = {body};
  scene.lines = {{.name = "rod", .ends = {0, 1}, .row = 0, .mass = 0.5},
                 {.name = "spring",
                  .kind = Scene::Line::Kind::spring,
                  .ends = {1, 0},
                  .stiffness = 7.0,
                  .length = 0.25}};
  scene.box = {10.0, 11.0, 12.0};
  run.system = {.coordinates = 1, .rigid = 1, .compliant = 2, .conservative = true};

  Motion& motion = run.motion;
  motion.coordinates = {"bob.x"};
  motion.velocities = {"bob.vx"};
  motion.constraints = {"rod"};
  motion.drawn = {"bob y"};
  motion.invariants = {"momentum"};
  motion.observables = {3, 1};
  motion.outputs = {"swing"};
  motion.quantities = {"bob.ax", "spring.force"};
  motion.t = {0.0, 0.5};
  motion.q = {1.0, std::nextafter(1.0, 2.0)};
  motion.v = {-0.0, 5e-324};
  motion.lambda = {3.0, -4.0};
  motion.energy = {9.0, 9.5};
  motion.max_constraint = {1e-16, 2e-16};
  motion.max_velocity_constraint = {3e-16, 4e-16};
  motion.step = {0.0, 0.125};
  motion.rejected = {0.0, 1.0};
  motion.place = {0.75, 0.875};
  motion.invariant = {6.0, 6.25};
  motion.output = {0.5, 0.75};
  motion.quantity = {1.0, 2.0, 3.0, record_nan};
  motion.kinetic_energy = {4.0, 4.25};
  motion.potential_energy = {5.0, 5.25};
  motion.work = {0.0, 0.5};
  motion.extremes.low.assign(2 * motion.width(), -7.0);
  motion.extremes.high.assign(2 * motion.width(), record_nan);
  motion.extremes.steps = 9;
  motion.extremes.measured = 5;

  Summary& summary = run.summary;
  summary.status = Status::time_limit;
  summary.message = "message";
  summary.hint = "hint";
  summary.model = "model";
  summary.reading = ReadingKind::slow;
  summary.method = "method";
  summary.reason = note<record_reason>(0.5, Status::iteration_limit);
  summary.coordinates = motion.coordinates;
  summary.velocities = motion.velocities;
  summary.constraints = motion.constraints;
  summary.state = {0.5, record_vec({1.5}), record_vec({2.5})};
  summary.lambda = record_vec({record_nan});
  summary.counters = {11, 12, 13, 14, 15, 16, 17};
  summary.output_evaluations = 18;
  summary.reading_evaluations = 19;
  summary.projections = 20;
  summary.projection_evaluations = 21;
  summary.max_constraint = 1.25;
  summary.max_velocity_constraint = 1.375;
  summary.max_relative_constraint = 1e-4;
  summary.max_stretch = 0.0625;
  summary.energy_start = 9.0;
  summary.energy_end = 9.5;
  summary.energy_error = 0.03125;
  summary.energy_scale = 16.0;
  summary.energy_scale_is = EnergyScale::potential;
  summary.work = {{"drive", 0.5}};
  summary.energy_balance_error = 0.015625;
  summary.energy_passed = 32.0;
  summary.invariant_errors = {{"momentum", 0.25}};
  summary.error_estimate = ErrorEstimate{.q = record_vec({1e-3}),
                                         .v = record_vec({2e-3}),
                                         .lambda = record_vec({record_nan}),
                                         .t = {0.25, 0.5},
                                         .q_along = {1e-4, 1e-3},
                                         .v_along = {4e-3, 2e-3},
                                         .lambda_along = {0.0, record_nan},
                                         .companion = "tol 1e-10",
                                         .wall_seconds = 0.125};
  summary.no_error_estimate = note<record_reason>(0.25, "because");
  summary.statistics = {{.name = "heat",
                         .kind = "histogram",
                         .samples = 22,
                         .note = note<record_reason>(2, "few"),
                         .numbers = {{"mean", 1.75}},
                         .columns = {{"x", {1.0, 2.0}}, {"density", {0.5, record_nan}}}}};
  summary.redundant = {"rod"};
  summary.moved = {.q = {{"bob.x", 0.1}},
                   .v = {{"bob.vx", 0.2}},
                   .turned = {{"arm", 0.5}},
                   .spun = {{"arm", 0.6}},
                   .distance = 0.3,
                   .velocity_distance = 0.4};
  summary.events = {{"hit", {0.25, record_vec({1.0}), record_vec({2.0})}, true}};
  summary.notes = {note<record_note>(std::vector<std::string>{"a", "b"}, true)};
  summary.wall_seconds = 0.7;
  return run;
}

CurveRecord record_of_curve() {
  CurveRecord run;
  run.subject.text = "[jets]\n";
  run.subject.version = "1.2.3";
  CurveMotion& motion = run.motion;
  motion.coordinates = {"x", "u"};
  motion.unknowns = {"mu"};
  motion.s = {0.0, 0.5};
  motion.p = {0.0, 1.0, 0.25, 0.75};
  motion.max_equation = {0.0, 1e-16};
  motion.step = {0.0, 0.5};
  motion.unknown = {2.0, record_nan};
  motion.extremes.low.assign(2 * motion.width(), -1.0);
  motion.extremes.high.assign(2 * motion.width(), 2.0);
  motion.extremes.steps = motion.extremes.measured = 4;

  CurveSummary& summary = run.summary;
  summary.status = Status::impasse;
  summary.message = "message";
  summary.hint = "hint";
  summary.model = "curve";
  summary.form = "completed";
  summary.distribution = "prolonged";
  summary.reason = note<record_reason>(0.5, Status::iteration_limit);
  summary.index = 3;
  summary.coordinates = motion.coordinates;
  summary.p = record_vec({0.25, 0.75});
  summary.V = record_vec({0.6, -0.8});
  summary.s = 0.5;
  summary.unknowns = {{"mu", 2.5}};
  summary.counters = {.steps = 1,
                      .rejected = 2,
                      .rejected_once = 3,
                      .directions = 4,
                      .projections = 5,
                      .iterations = 6,
                      .most_iterations = 7,
                      .stiff_steps = 8,
                      .mean_iterations_up = 9.5,
                      .mean_iterations_down = 10.5};
  summary.output_evaluations = 11;
  summary.equations = 2;
  summary.max_equation = 1e-3;
  summary.max_relative = 1e-2;
  summary.worst_equation = "second";
  summary.moved = {{"u", 0.1}};
  summary.found = {"mu"};
  summary.taken = {{"u'", 0.2}};
  summary.events = {{"hit", 0.125, record_vec({0.1, 0.2}), false}};
  summary.impasse_points = {
      {ImpassePoint::Kind::passes, 0.375, record_vec({0.3, 0.4}), 1e-17, {"u"}}};
  summary.notes = {note<record_note>(std::vector<std::string>{"a", "b"}, true)};
  summary.wall_seconds = 0.9;
  return run;
}

class RecordFile : public testing::Test {
 protected:
  RecordFile() { fs::create_directories(folder_); }
  ~RecordFile() override { fs::remove_all(folder_); }

  void store(const RunRecord& run) const {
    ASSERT_EQ(write_record(run.motion, run.summary, run.system, run.subject, file_), "");
  }
  void store(const CurveRecord& run) const {
    ASSERT_EQ(write_record(run.motion, run.summary, run.subject, file_), "");
  }
  [[nodiscard]] std::string bytes() const {
    std::ifstream in{file_, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  void put(const std::string& bytes) const {
    fs::remove(file_);  // some file systems wait for the disk where a file is cut and written anew
    std::ofstream{file_, std::ios::binary | std::ios::trunc} << bytes;
  }
  // bytes of an archive with the hash that belongs to them
  void forge(std::string bytes) const {
    bytes.resize(bytes.size() - 8);
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x00000100000001b3;
    for (int k = 0; k < 8; ++k) bytes += static_cast<char>(hash >> (8 * k));
    put(bytes);
  }
  void expect_refused(const std::string& said) const {
    const RecordFound found = read_record(file_);
    EXPECT_FALSE(found.record);
    EXPECT_NE(found.problem.find(said), std::string::npos) << found.problem;
    EXPECT_NE(found.problem.find(file_.string()), std::string::npos) << found.problem;
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("taut_record_" + std::to_string(::getpid()));
  const fs::path file_ = folder_ / "record.bin";
};

TEST_F(RecordFile, OfARunInTimeGivesTheSamePageAndSummary) {
  const RunRecord run = record_of_run();
  store(run);
  const RecordFound found = read_record(file_);
  ASSERT_TRUE(found.record) << found.problem;
  const auto& again = std::get<RunRecord>(*found.record);
  EXPECT_EQ(report_html(again), report_html(run));
  EXPECT_EQ(summary_json(again.summary), summary_json(run.summary));

  // what neither of them shows
  EXPECT_EQ(again.summary.max_relative_constraint, run.summary.max_relative_constraint);
  EXPECT_EQ(again.summary.energy_scale_is, run.summary.energy_scale_is);
  EXPECT_EQ(again.summary.lambda.size(), 1);
  EXPECT_EQ(again.summary.statistics[0].columns[1].first, "density");
  EXPECT_TRUE(again.summary.events[0].stops);
  EXPECT_EQ(again.motion.observables, run.motion.observables);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(again.motion.v[0]), std::bit_cast<std::uint64_t>(-0.0));
  EXPECT_EQ(again.motion.v[1], 5e-324);
  EXPECT_TRUE(std::signbit(again.subject.scene.points[0].at[2].value));
  EXPECT_EQ(again.subject.scene.lines[0].mass, 0.5);
  EXPECT_EQ(again.subject.scene.box, run.subject.scene.box);
  EXPECT_EQ(again.subject.tolerance, 1e-7);
  EXPECT_EQ(again.subject.parameters, run.subject.parameters);
  EXPECT_TRUE(again.subject.watched);
}

TEST_F(RecordFile, OfACurveGivesTheSamePageAndSummary) {
  const CurveRecord run = record_of_curve();
  store(run);
  const RecordFound found = read_record(file_);
  ASSERT_TRUE(found.record) << found.problem;
  const auto& again = std::get<CurveRecord>(*found.record);
  EXPECT_EQ(report_html(again), report_html(run));
  EXPECT_EQ(summary_json(again.summary), summary_json(run.summary));
  EXPECT_EQ(again.summary.counters.stiff_steps, 8);
  EXPECT_EQ(again.summary.counters.mean_iterations_down, 10.5);
  EXPECT_EQ(again.summary.counters.rejected_once, 3);
}

// Who changes the layout gives it another number (record_layout), and this test other sums: a
// record of this number stays readable.
TEST_F(RecordFile, LayoutEightIsThis) {
  store(record_of_run());
  EXPECT_EQ(fingerprint(bytes()), "cdca479f4e48b232");
  store(record_of_curve());
  EXPECT_EQ(fingerprint(bytes()), "e04ae8a63143fc7c");
}

TEST_F(RecordFile, ThatIsDamagedAnywhereIsRefused) {
  store(record_of_run());
  const std::string whole = bytes();
  for (std::size_t k = 0; k < whole.size(); k += 7) {
    std::string changed = whole;
    changed[k] = static_cast<char>(changed[k] ^ 0x10);
    put(changed);
    expect_refused("is damaged: ");
  }
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size() - 1}) {
    put(whole.substr(0, size));
    expect_refused("is damaged: ");
  }
  put(whole + "x");
  expect_refused("is damaged: ");
}

TEST_F(RecordFile, ThatIsMissingOrSomethingElseIsRefused) {
  expect_refused("there is no such file");
  ASSERT_EQ(write_checkpoint(file_, checkpoint_archive({{"model", "1"}})), "");
  expect_refused("\"checkpoint\" where \"record\" is expected");
  fs::remove(file_);
  fs::create_directories(file_);
  expect_refused("cannot be read");
}

TEST_F(RecordFile, OfAnotherLayoutNamesTheVersionThatWroteIt) {
  store(record_of_run());
  std::string other = bytes();
  // mark, length; tag: its kind, its length, "record"; integer: its kind, its value
  const std::size_t layout = 16 + 1 + 8 + 6 + 1;
  ASSERT_EQ(other[layout], 8);
  other[layout] = 99;
  forge(other);
  expect_refused("was written by another version of taut (1.2.3): run the model again");
}

// A sum that fits is no proof: what was made up is refused, or shown.
TEST_F(RecordFile, ThatWasForgedNeverBreaksAnything) {
  int shown = 0, refused = 0;
  const auto try_all = [&](const std::string& whole) {
    for (std::size_t k = 16; k + 8 < whole.size(); ++k)
      for (const char value : {'\x01', '\x7f', '\xff'}) {
        std::string changed = whole;
        changed[k] = value;
        forge(changed);
        const RecordFound found = read_record(file_);
        ++(found.record ? shown : refused);
        EXPECT_EQ(found.problem.empty(), found.record.has_value());
        if (found.record && k % 5 == 0)
          std::visit([](const auto& run) { EXPECT_FALSE(report_html(run).empty()); },
                     *found.record);
      }
  };
  store(record_of_run());
  try_all(bytes());
  store(record_of_curve());
  try_all(bytes());
  EXPECT_GT(shown, 100);
  EXPECT_GT(refused, 100);
}

TEST_F(RecordFile, WhosePartsDoNotFitIsRefused) {
  const auto refused = [&](auto run, const std::string& said) {
    store(run);
    expect_refused(said);
  };
  RunRecord run = record_of_run();
  run.motion.q.pop_back();
  refused(run, "columns of its motion have gaps");
  run = record_of_run();
  run.motion.extremes.low.pop_back();
  refused(run, "columns of its motion have gaps");
  run = record_of_run();
  run.motion.observables.pop_back();
  refused(run, "columns of its motion have gaps");
  run = record_of_run();
  run.summary.coordinates.clear();
  refused(run, "numbers of its summary have no names");
  run = record_of_run();
  run.summary.events[0].state.v = record_vec({1, 2});
  refused(run, "numbers of its summary have no names");
  run = record_of_run();
  run.subject.scene.points[0].at[0].coordinate = 1;
  refused(run, "its scene has places");
  run = record_of_run();
  run.subject.scene.points[0].at[1].observable = 1;
  refused(run, "its scene has places");
  run = record_of_run();
  run.subject.scene.lines[0].ends[1] = 2;
  refused(run, "its scene has places");
  run = record_of_run();
  run.subject.scene.bodies.clear();
  refused(run, "its scene has places");
  run = record_of_run();
  run.system.rigid = -1;
  refused(run, "less than nothing");
  CurveRecord curve = record_of_curve();
  curve.motion.unknown.pop_back();
  refused(curve, "columns of its motion have gaps");
  curve = record_of_curve();
  curve.summary.impasse_points[0].p.resize(0);
  refused(curve, "numbers of its summary have no names");
}

TEST_F(RecordFile, ThatCannotBeWrittenLeavesWhatWasThere) {
  store(record_of_run());
  const std::string before = bytes();
  const RunRecord run = record_of_run();
  const fs::path nowhere = folder_ / "missing" / "record.bin";
  EXPECT_NE(write_record(run.motion, run.summary, run.system, run.subject, nowhere), "");
  EXPECT_NE(write_report(run, nowhere), "");
  EXPECT_EQ(bytes(), before);
}

}  // namespace
}  // namespace taut::test
