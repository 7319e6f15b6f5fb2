// SPDX-License-Identifier: BSD-3-Clause
#include "taut/play/play_page.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "command.hpp"
#include "model_files.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

/// The engine of pages beside this program: where it was built, or installed. Empty where there is
/// none.
fs::path engine_beside() {
  std::error_code unknown;
  const fs::path here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  constexpr const char* name = "taut_engine.json";
  for (const fs::path& place : {here / ".." / ".." / "web" / "web" / "engine" / name,
                                here / ".." / "share" / "taut" / name, here / name})
    if (fs::is_regular_file(place, unknown)) return place.lexically_normal();
  return {};
}

class PlayCommand final : public Command {
 public:
  explicit PlayCommand(CLI::App& program)
      : Command{program, "play",
                "writes a page in which the model is played with: sliders, dragging, live motion",
                "Example: taut play models/double_pendulum.toml"} {
    arguments_.model.add_to(app());
    arguments_.model.jets = true;
    arguments_.add_out_to(app());
    app().add_option("--engine", engine_,
                     "taut_engine.json of a build for pages (default: the one beside the program)");
  }

  int run() override {
    const ModelArguments& asked = arguments_.model;
    Problems problems{asked.file.string()};
    const Model model = read_model(asked, problems);
    const SimulationOptions options = asked.options(problems);
    if (problems.empty()) static_cast<void>(taut::prepare(model, options, problems));
    if (!problems.empty()) return report_bad_input(problems, asked.json);
    const fs::path engine = engine_.empty() ? engine_beside() : engine_;
    if (engine.empty())
      return report_bad_input(
          "there is no engine of pages beside this program: './taut play' in the source folder "
          "builds "
          "it, and so does the target taut_engine of the preset `web`; or name one with --engine",
          asked.json);
    return arguments_.write([&](Results& results) {
      results.add("play.html", [&](const fs::path& page) {
        return write_play(model, options, engine.string(), page.string());
      });
    });
  }

 private:
  ModelFiles arguments_;
  fs::path engine_;
};

}  // namespace

std::unique_ptr<Command> play_command(CLI::App& program) {
  return std::make_unique<PlayCommand>(program);
}

}  // namespace taut::cli
