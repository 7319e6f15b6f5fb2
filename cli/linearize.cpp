// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <fstream>

#include "command.hpp"
#include "linear_arguments.hpp"
#include "taut/report/modes.hpp"

namespace taut::cli {
namespace {

void print_matrix(const char* name, const Mat& m, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns) {
  constexpr Index most = 12;
  fmt::print("\n{} ({} x {})\n", name, m.rows(), m.cols());
  if (m.rows() > most || m.cols() > most) {
    fmt::print("    too large to print: take --csv, --mat or --json\n");
    return;
  }
  if (m.size() == 0) return;
  fmt::print("{:>16}", "");
  for (const std::string& column : columns) fmt::print(" {:>13}", column);
  fmt::print("\n");
  for (Index i = 0; i < m.rows(); ++i) {
    fmt::print("{:>16}", rows[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < m.cols(); ++j) fmt::print(" {:>13.6g}", m(i, j));
    fmt::print("\n");
  }
}

std::string factors(const std::vector<std::complex<double>>& roots) {
  std::string text;
  for (const auto& r : roots) {
    if (r.imag() < 0.0) continue;
    text += text.empty() ? "" : ", ";
    text += r.imag() == 0.0 ? fmt::format("{:.6g}", r.real())
                            : fmt::format("{:.6g} +- {:.6g}i", r.real(), r.imag());
  }
  return text.empty() ? "none" : text;
}

class LinearizeCommand final : public Command {
 public:
  explicit LinearizeCommand(CLI::App& program)
      : Command{program, "linearize", "the equations of a model for small changes, as matrices",
                "Example: taut linearize models/quarter_car.toml --at start --input w"} {
    arguments_.add_to(app());
    app().add_flag("--transfer", transfer_, "zeros, poles and gains of every input and output");
    app().add_flag("--csv", csv_, "write the matrices as CSV files");
    app().add_flag("--mat", mat_, "write linear.mat, for MATLAB, Octave and SciPy");
  }

  int run() override {
    Problems problems{arguments_.model.file.string()};
    const LinearQuestion asked = arguments_.question(problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    const LinearModel linear = linearize(asked.model, asked.options, asked.linear, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.model.json);
    if (arguments_.model.json) fmt::print("{}", linear_json(linear, transfer_));
    if (linear.status != Status::ok) return report_no_linear(linear);
    if (!arguments_.model.json) print(linear);
    return write(linear);
  }

 private:
  void print(const LinearModel& linear) const {
    fmt::print("{} ({})\n{}\n", linear.model, linear.reading, point_text(linear));
    print_matrix("A", linear.A, linear.state_names, linear.state_names);
    if (!linear.input_names.empty())
      print_matrix("B", linear.B, linear.state_names, linear.input_names);
    print_matrix("C", linear.C, linear.output_names, linear.state_names);
    if (!linear.input_names.empty())
      print_matrix("D", linear.Dt, linear.output_names, linear.input_names);
    if (transfer_)
      for (const TransferFunction& one : transfer_functions(linear))
        fmt::print("\n{} / {}\n    gain   {:.9g} (static {:.9g})\n    zeros  {}\n    poles  {}\n",
                   one.output, one.input, one.gain, one.static_gain, factors(one.zeros),
                   factors(one.poles));
    for (const Note& note : linear.notes) fmt::print(stderr, "note: {}\n", note.text());
  }

  int write(const LinearModel& linear) const {
    if (!csv_ && !mat_) return done;
    return arguments_.write([&](Results& results) {
      using std::filesystem::path;
      if (csv_)
        for (const auto& [name, text] : linear_csv(linear))
          results.add(name, [&text = text](const path& file) {
            std::ofstream to{file, std::ios::binary};
            to << text;
            to.close();
            return to ? std::string{} : fmt::format("{} cannot be written", file.string());
          });
      if (mat_)
        results.add("linear.mat",
                    [&](const path& file) { return write_linear_mat(linear, file.string()); });
    });
  }

  LinearArguments arguments_;
  bool transfer_ = false, csv_ = false, mat_ = false;
};

}  // namespace

std::unique_ptr<Command> linearize_command(CLI::App& program) {
  return std::make_unique<LinearizeCommand>(program);
}

}  // namespace taut::cli
