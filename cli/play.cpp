// SPDX-License-Identifier: BSD-3-Clause
#include "taut/play/play_page.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "command.hpp"
#include "interrupt.hpp"
#include "model_files.hpp"
#include "open_page.hpp"
#include "play_server.hpp"
#include "taut/play/served_play.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

/// A file that belongs to this program: the first of these places, relative to it, that has it.
/// Empty where there is none.
fs::path file_of_program(std::initializer_list<fs::path> places) {
  std::error_code unknown;
  const fs::path here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& place : places)
    if (fs::is_regular_file(here / place, unknown)) return (here / place).lexically_normal();
  return {};
}

/// Where the engine of pages was built, or installed.
fs::path engine_beside() {
  constexpr const char* name = "taut_engine.json";
  return file_of_program(
      {fs::path{"../../web/web/engine"} / name, fs::path{"../share/taut"} / name, name});
}

/// Serves pages, where this taut was built with what it takes; else null.
Serve server_of_pages() {
  constexpr const char* name = "taut_play_server.so";
  const fs::path file = file_of_program({name, fs::path{TAUT_MODULES} / name});
  void* const module = file.empty() ? nullptr : ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return nullptr;
  return reinterpret_cast<Serve>(::dlsym(module, "taut_play_serve"));
}

/// 128 bits that nobody guesses.
std::string drawn_token() {
  std::random_device draw;
  std::string token;
  for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", draw() & 0xFFFFFFFFu);
  return token;
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
    CLI::Option* const with = app().add_option(
        "--with", others_, "further models that the page can change to, as many as are given");
    app().add_flag("--no-open", no_open_,
                   "leave the page closed; it is opened where there is a terminal and a display");
    CLI::Option* const serve = app().add_flag(
        "--serve", serve_,
        "compute in this program, which serves the page to this computer until it is interrupted; "
        "the page can save the model back to its file");
    serve->excludes(with);
    app()
        .add_option("--port", port_, "port of 127.0.0.1 to serve at (default: a free one)")
        ->check(CLI::Range(1, 65535))
        ->needs(serve);
    app()
        .add_option("--close-after", close_after_,
                    "end when the page has been closed for so many seconds (browsers let hidden "
                    "pages sleep: give 120 or more)")
        ->check(positive())
        ->needs(serve);
  }

  int run() override {
    const ModelArguments& asked = arguments_.model;
    Problems problems{asked.file.string()};
    Model model = read_model(asked, problems);
    const SimulationOptions options = asked.options(problems);
    if (problems.empty()) static_cast<void>(taut::prepare(model, options, problems));
    if (!problems.empty()) return report_bad_input(problems, asked.json);
    if (serve_) return serve(std::move(model), options);
    std::vector<Model> others;
    for (const fs::path& file : others_) {
      Problems of_other{file.string()};
      others.push_back(load(file, of_other));
      if (of_other.empty()) static_cast<void>(taut::prepare(others.back(), {}, of_other));
      if (!of_other.empty()) return report_bad_input(of_other, asked.json);
    }
    return write(model, options, others);
  }

 private:
  [[nodiscard]] int write(const Model& model, const SimulationOptions& options,
                          const std::vector<Model>& others) const {
    const fs::path engine = engine_.empty() ? engine_beside() : engine_;
    if (engine.empty())
      return report_bad_input(
          "there is no engine of pages beside this program: './taut play' in the source folder "
          "builds it, and so does the target taut_engine of the preset `web`; or name one with "
          "--engine, or compute in this program with --serve",
          arguments_.model.json);
    const int exit = arguments_.write([&](Results& results) {
      results.add("play.html", [&](const fs::path& page) {
        return write_play(model, options, engine.string(), page.string(), others);
      });
    });
    if (exit == done && !no_open_ && !arguments_.model.json)
      open_page((arguments_.folder_of_results() / "play.html").string());
    return exit;
  }

  [[nodiscard]] int serve(Model model, const SimulationOptions& options) const {
    const ModelArguments& asked = arguments_.model;
    const Serve on_port = server_of_pages();
    if (on_port == nullptr)
      return report_bad_input(
          "this taut was built without what serves pages (taut_SERVE): leave out --serve",
          asked.json);
    const std::atomic<bool>& end = catch_interrupts();
    ServedPlay play{std::move(model), options, &end};
    Service service;
    service.token = drawn_token();
    service.page = play.page(service.token);
    service.answer = [&play](const std::string& question) { return play.answer(question); };
    service.end = &end;
    service.port = port_;
    service.close_after = close_after_;
    service.begun = [&](const std::string& address) {
      fmt::print("{}\n", asked.json ? fmt::format("{{\"address\": \"{}\"}}", address) : address);
      static_cast<void>(std::fflush(stdout));
      if (asked.json) return;
      fmt::print(stderr, "until Ctrl-C, and for this computer alone\n");
      if (!no_open_) open_page(address);
    };
    if (on_port(service)) return done;
    fmt::print(stderr, "taut: there is no port {} to serve at\n",
               port_ == 0 ? std::string{"free"} : std::to_string(port_));
    return failed;
  }

  ModelFiles arguments_;
  fs::path engine_;
  std::vector<fs::path> others_;
  bool serve_ = false, no_open_ = false;
  int port_ = 0;
  double close_after_ = 0.0;
};

}  // namespace

std::unique_ptr<Command> play_command(CLI::App& program) {
  return std::make_unique<PlayCommand>(program);
}

}  // namespace taut::cli
