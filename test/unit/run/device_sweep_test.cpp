// SPDX-License-Identifier: BSD-3-Clause
// The source for a device, compiled as C++ by the compiler of the system, gives the bits of single
// runs. (Evaluations are counted there that look between steps.)
#include "studies/device_sweep.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "device/cuda_device.hpp"
#include "device/nvrtc.hpp"
#include "device/program_text.hpp"
#include "taut/model/model_file.hpp"
#include "taut/studies/motion_sweep.hpp"

namespace taut::device_runs {
namespace {

namespace fs = std::filesystem;

/// A "device" that is the processor, through the compiler that has built this.
class CompiledDevice final : public device::Device {
 public:
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::size_t batch() const override { return 16; }
  [[nodiscard]] std::unique_ptr<device::DeviceProgram> compile(const device::MotionSource& source,
                                                               std::size_t measures,
                                                               std::string& why) override {
    text = source.text;
    columns = source.columns;
    std::string folder = (fs::temp_directory_path() / "taut_device_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
      why = "no folder";
      return nullptr;
    }
    const fs::path at = folder, object = at / "runs.so";
    std::ofstream{at / "runs.cpp"} << source.text;
    const std::string command = std::string{TAUT_TEST_COMPILER} +
                                " -std=c++17 -O1 -w -ffp-contract=off -fPIC -shared -o " +
                                object.string() + " " + (at / "runs.cpp").string() + " -lm";
    void* library = nullptr;
    if (std::system(command.c_str()) == 0) library = dlopen(object.c_str(), RTLD_NOW);
    fs::remove_all(at);
    if (library == nullptr) {
      why = "the source is not compiled";
      return nullptr;
    }
    auto made = std::make_unique<Program>();
    made->runs = reinterpret_cast<Runs*>(dlsym(library, "taut_runs"));
    made->measures = measures;
    return made;
  }

  std::string text;
  std::size_t columns = 0;

 private:
  using Runs = void(long long, const double*, double*, unsigned char*);
  struct Program final : device::DeviceProgram {
    std::string begin(device::Batch& batch) override {
      batch.out.assign(batch.runs * measures, std::nan(""));
      batch.how.assign(batch.runs, 0);
      runs(static_cast<long long>(batch.runs), batch.in.data(), batch.out.data(), batch.how.data());
      return {};
    }
    std::string finish(device::Batch& /*batch*/) override { return {}; }
    Runs* runs = nullptr;
    std::size_t measures = 0;
  };
  std::string name_ = "compiler";
};

const std::string rods = R"toml(
name = "chain"
[parameters]
g = 9.81
length = 1
aside = 0
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 2, at = ["1 + length", 0] }
c = { mass = 0.5, at = ["1 + length", "-1 + aside"] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "b"]
length = "length"
[[rod]]
between = ["b", "c"]
length = 1
[[gravity]]
acceleration = [0, "-g"]
[[force]]
on = "c"
value = ["3*t - t^2", 0]
[run]
until = 2
)toml";

const std::string oscillator = R"toml(
name = "oscillator"
[parameters]
k = 100
[coordinates]
x = { mass = 1, at = 1 }
y = { mass = 2, at = 0.5 }
z = { mass = 1, at = 0.25 }
[[potential]]
energy = "k*x^2/2 + x*y + 3*y^2 + z^4 + y*z^2"
[run]
until = 1
)toml";

struct DeviceCase {
  std::string name, text, parameter;
  double first = 0.0, last = 1.0;
  int points = 40;
  SimulationOptions options;
  std::vector<std::string> measures;
};

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

struct OnDevice {
  explicit OnDevice(const DeviceCase& of) {
    Problems problems;
    const std::vector<RunMeasure> measures = read_measures(of.measures, problems);
    std::string text = of.text;
    const MotionSweep sweep{read_model(text, problems), of.options, measures, problems};
    EXPECT_TRUE(problems.empty()) << of.name << ": " << problems.message();
    const std::vector<SweepAxis> axes{
        {.parameter = of.parameter, .first = of.first, .last = of.last, .points = of.points}};
    alone = sweep(axes, {.threads = 1, .lanes = false});
    auto lanes = LaneSweep::make(sweep.prepared(), of.options, measures, axes, why,
                                 LaneSweep::Watch::left_out);
    if (!lanes) return;
    const auto between = [&](double x) { return of.first + x * (of.last - of.first); };
    auto made = DeviceSweep::make(compiler, std::move(lanes),
                                  {{between(0.0)}, {between(0.37)}, {between(0.81)}}, why);
    if (!made) return;
    there.axes = axes;
    there.runs.resize(alone.runs.size());
    int k = 0;
    (*made)(
        100,
        [&]() -> std::optional<SweepRun> {
          if (k == of.points) return {};
          const double value = axes[0].value(k);
          return SweepRun{static_cast<std::size_t>(k++), {value}};
        },
        [&](std::size_t number, SweptRun run) { there.runs[number] = std::move(run); },
        [&](const std::vector<double>&) { return SweptRun{.status = "left"}; }, nullptr);
    left = static_cast<int>(made->left());
  }
  // every run that was not left has the bits of the single one
  void expect_same(const std::string& name) const {
    ASSERT_EQ(why, "") << name;
    for (std::size_t r = 0; r < alone.runs.size(); ++r) {
      if (there.runs[r].status == "left") continue;
      EXPECT_EQ(there.runs[r].status, alone.runs[r].status);
      EXPECT_EQ(there.runs[r].method, alone.runs[r].method);
      ASSERT_EQ(there.runs[r].measures.size(), alone.runs[r].measures.size());
      for (std::size_t m = 0; m < alone.measures.size(); ++m)
        EXPECT_EQ(bits_of(there.runs[r].measures[m]), bits_of(alone.runs[r].measures[m]))
            << name << " " << r << " " << alone.measures[m] << " " << there.runs[r].measures[m]
            << " " << alone.runs[r].measures[m];
    }
  }

  CompiledDevice compiler;
  RunSweep alone, there;
  std::string why;
  int left = 0;
};

const std::vector<std::string> usual{"end(c.x)", "end(c.vy)", "end(abs(lambda(rod 2)))",
                                     "t",        "steps",     "rejected"};

TEST(DeviceSweep, SourcesGiveTheBitsOfSingleRuns) {
  for (const DeviceCase& one : std::vector<DeviceCase>{
           {"auto", rods, "g", 5, 15, 40, {.tol = 1e-7}, usual},
           {"dopri5", rods, "length", 0.5, 2, 40, {.method = "dopri5", .tol = 1e-7}, usual},
           {"free",
            oscillator,
            "k",
            50,
            150,
            40,
            {.tol = 1e-9},
            {"end(x)", "end(z)", "force_evaluations"}},
       }) {
    const OnDevice done{one};
    done.expect_same(one.name);
    EXPECT_LE(done.left, 4) << one.name;
    EXPECT_GE(done.compiler.columns, 1U);
    EXPECT_LT(done.compiler.columns, 15U) << "what is the same for all is in the source";
  }
}

// Models of the gallery, whose steps single runs would watch: nothing happens between them.
TEST(DeviceSweep, SourcesOfTheGalleryGiveTheBitsOfSingleRuns) {
  struct Known {
    const char *file, *parameter;
    double first, last, until;
    std::vector<std::string> measures;
  };
  for (const Known& known : std::vector<Known>{
           {"car_axis", "M", 8, 12, 1, {"end(l.x)", "end(r.y)", "steps"}},
           {"andrews", "mom", 0.03, 0.035, 0.005, {"end(beta)", "end(Phi)", "steps"}},
           {"chain", "g", 9, 10, 0.3, {"steps", "rejected"}},
       }) {
    std::ifstream in{std::string{TAUT_MODELS} + "/" + known.file + ".toml"};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    ASSERT_FALSE(text.empty()) << known.file;
    if (const std::size_t links = text.find("links = 40"); links != std::string::npos)
      text.replace(links, 10, "links = 4 ");
    const OnDevice done{{known.file,
                         text,
                         known.parameter,
                         known.first,
                         known.last,
                         8,
                         {.until = known.until, .method = "dop853", .tol = 1e-7},
                         known.measures}};
    done.expect_same(known.file);
    EXPECT_LE(done.left, 1) << known.file;
  }
}

TEST(DeviceSweep, LeavesWhatIsUnusual) {
  const DeviceCase lost{
      "lost",    oscillator, "k", 50, 150, 12, {.until = 1500, .method = "dopri5", .tol = 3e-4},
      {"end(x)"}};
  const OnDevice done{lost};
  done.expect_same("lost");
  for (std::size_t r = 0; r < done.alone.runs.size(); ++r)
    EXPECT_TRUE(!done.alone.runs[r].failed() || done.there.runs[r].status == "left") << r;
  EXPECT_GT(done.alone.failed, 0U);

  const DeviceCase aside{"aside", rods, "aside", 0.0, 0.5, 20, {.tol = 1e-6}, usual};
  const OnDevice moved{aside};
  moved.expect_same("aside");
  EXPECT_LE(moved.left, 2) << "starts are moved onto the constraints first";
}

TEST(DeviceSweep, LiteralsKeepTheirBits) {
  for (const double x : {0.1, -0.0, 1e-310, 3.0, -1.0 / 3.0, 1.7976931348623157e308}) {
    const std::string text = device::literal(x);
    const char* const from = text[0] == '(' ? text.c_str() + 1 : text.c_str();
    EXPECT_EQ(bits_of(std::strtod(from, nullptr)), bits_of(x)) << text;
  }
}

// NVRTC needs no GPU, but is not everywhere.
TEST(DeviceSweep, SourcesAreCudaC) {
  std::string why;
  if (!device::compile_cuda("", {}, why)) GTEST_SKIP() << why;
  const OnDevice done{{"auto", rods, "g", 5, 15, 3, {.tol = 1e-7}, usual}};
  const auto code = device::compile_cuda(done.compiler.text, {.capability = 90}, why);
  ASSERT_TRUE(code) << why;
  const std::string symbol = "taut_runs";
  EXPECT_EQ(code->substr(1, 3), "ELF");
  EXPECT_TRUE(std::search(code->begin(), code->end(), symbol.begin(), symbol.end()) != code->end());
  EXPECT_FALSE(device::compile_cuda("this is no CUDA", {}, why));
  EXPECT_NE(why.find("error"), std::string::npos) << why;
}

// Where there is one: pow, which steps are chosen by, may differ in the last place there.
TEST(DeviceSweep, AGpuGivesTheResultsOfTheProcessorWithinTheTolerance) {
  std::string why;
  if (!device::cuda_device(false, why)) GTEST_SKIP() << why;
  Problems problems;
  std::string text = rods;
  const MotionSweep sweep{read_model(text, problems),
                          {.tol = 1e-9},
                          read_measures({"end(c.x)", "end(c.vy)"}, problems),
                          problems};
  const std::vector<SweepAxis> axes{{.parameter = "g", .first = 5, .last = 15, .points = 1000}};
  const RunSweep here = sweep(axes, {});
  for (const char* name : {"cuda", "cuda-fast"}) {
    const RunSweep there = sweep(axes, {.device = name});
    ASSERT_EQ(there.status, Status::ok) << there.problem;
    EXPECT_LT(there.left_by_device, 20U) << name;
    for (std::size_t r = 0; r < here.runs.size(); ++r)
      for (std::size_t m = 0; m < 2; ++m)
        EXPECT_NEAR(there.runs[r].measures[m], here.runs[r].measures[m], 1e-6) << name << " " << r;
  }
}

TEST(DeviceSweep, SaysWhatIsMissing) {
  std::string why;
  if (device::cuda_device(false, why)) GTEST_SKIP() << "there is a GPU";
  Problems problems;
  std::string text = rods;
  const MotionSweep sweep{
      read_model(text, problems), {}, read_measures({"end(c.x)"}, problems), problems};
  const std::vector<SweepAxis> axes{{.parameter = "g", .first = 5, .last = 15, .points = 9}};
  const RunSweep refused = sweep(axes, {.device = "cuda"});
  EXPECT_EQ(refused.status, Status::not_supported);
  EXPECT_EQ(refused.problem, why);
  EXPECT_NE(why.find("GPU"), std::string::npos) << why;
}

}  // namespace
}  // namespace taut::device_runs
