// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "model/parameter_binding.hpp"
#include "run/time_run.hpp"
#include "simulation/carry_out.hpp"
#include "simulation/plan_steps.hpp"

namespace taut {
namespace {

// the number of a name in a list; -1 when there is none
template <class List, class NameOf>
int number_of(const List& list, std::string_view name, NameOf name_of) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const auto& entry) { return name_of(entry) == name; });
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

template <class List, class NameOf>
std::string unknown(const char* kind, std::string_view name, const List& list, NameOf name_of) {
  std::vector<std::string> known;
  for (const auto& entry : list) known.emplace_back(name_of(entry));
  const std::string near = nearest_name(name, known);
  return fmt::format("there is no {} '{}'{}", kind, name,
                     !near.empty()   ? fmt::format("; did you mean '{}'?", near)
                     : known.empty() ? fmt::format(": the model has none")
                                     : fmt::format("; there are: {}", fmt::join(known, ", ")));
}

const std::string& input_name(const SystemInput& input) { return input.name; }
const std::string& itself(const std::string& name) { return name; }

Plan mechanical(Plan plan) {
  if (!plan.curve) return plan;
  Problems problems{plan.prepared.model.file};
  problems.add(plan.prepared.model.jets->position, "jets",
               "the solution is a curve, not a motion in time that could be held",
               "follow it with simulate()");
  throw ModelError{std::move(problems)};
}

}  // namespace

class Simulation::Engine {
 public:
  explicit Engine(Plan plan)
      : plan_{with_own_inputs(mechanical(std::move(plan)), inputs_)},
        run_{plan_.system, method_of(plan_), plan_.run, motion_},
        names_{std::make_shared<const FrameNames>(plan_.system)} {
    run_.keep_interior();
    run_.count_turns(plan_.system);
    status_ = plan_.start.status;
    if (status_ == Status::ok)
      keep(run_.begin(plan_.start.state));
    else
      message_ = plan_.start.reason;
  }

  Status step() {
    if (const Status status = ready(); status != Status::ok) return status;
    if (run_.finished())
      return refuse(fmt::format("the run has reached its end, t = {}: advance_to() goes farther",
                                run_.until()));
    return keep(run_.advance());
  }

  Status advance_to(double t) {
    if (const Status status = ready(); status != Status::ok) return status;
    if (!(t >= run_.state().t))
      return refuse(fmt::format("t = {} is before the present, t = {}", t, run_.state().t));
    while (run_.is_before(t))
      if (const Status status = run_.advance(t); status != Status::ok) return keep(status);
    return keep(Status::ok);
  }

  Status set_input(std::string_view name, double value) {
    if (const Status status = ready(); status != Status::ok) return status;
    const std::vector<SystemInput>& all = plan_.system.structure().inputs;
    const int k = number_of(all, name, input_name);
    if (k < 0) return refuse(unknown("input", name, all, input_name));
    if (!std::isfinite(value)) return refuse(fmt::format("input '{}' cannot be {}", name, value));
    double& stored = (*inputs_)[static_cast<std::size_t>(k)];
    const double before = std::exchange(stored, value);
    if (before == value) return keep(Status::ok);
    const Status status = keep(run_.restart());
    if (status == Status::invalid_argument) stored = before;
    return status;
  }

  [[nodiscard]] double input(std::string_view name) const {
    const std::vector<SystemInput>& all = plan_.system.structure().inputs;
    const int k = number_of(all, name, input_name);
    if (k < 0) {
      Problems problems;
      problems.add({}, fmt::format("'{}'", name), unknown("input", name, all, input_name),
                   "inputs are declared in [inputs]");
      throw ModelError{std::move(problems)};
    }
    return (*inputs_)[static_cast<std::size_t>(k)];
  }

  Status set_parameter(std::string_view name, double value) {
    if (const Status status = ready(); status != Status::ok) return status;
    const auto names = plan_.prepared.compiled.parameter_names();
    const int k = plan_.prepared.compiled.parameter_index(name);
    if (k < 0) return refuse(unknown("parameter", name, names, itself));
    Problems problems;
    const ParameterValue changed{.index = k, .value = value};
    CompiledModel compiled = plan_.prepared.compiled.with_parameters({&changed, 1}, problems);
    if (!problems.empty()) return refuse(problems.message());
    PreparedModel prepared = plan_.prepared;
    prepared.compiled = compiled.with_inputs(inputs_);
    read_again(prepared, problems);
    if (!problems.empty()) return refuse(problems.message());
    ReadSystem read = read_system(plan_, prepared, run_.state());
    if (read.status != Status::ok) return refuse(std::move(read.reason));
    const Status status =
        plan_.run.acting ? run_.change(read.system, prepared.compiled) : run_.change(read.system);
    if (status != Status::invalid_argument) {
      plan_.prepared = std::move(prepared);
      plan_.system = std::move(read.system);
      expressions_.clear();
    }
    return keep(status);
  }

  Status set_state(const Vec& q, const Vec& v) {
    if (const Status status = ready(); status != Status::ok) return status;
    return keep(run_.change(State{run_.state().t, q, v}));
  }

  Status set_state(std::string_view name, double value) {
    if (const Status status = ready(); status != Status::ok) return status;
    const Structure& structure = plan_.system.structure();
    State other = run_.state();
    if (const int i = number_of(structure.coordinates, name, itself);
        i >= 0 && i < structure.places()) {
      other.q[i] = value;
    } else if (const int k = number_of(structure.velocities, name, itself); k >= 0) {
      other.v[k] = value;
    } else {
      std::vector<std::string> all = structure.place_names();
      all.insert(all.end(), structure.velocities.begin(), structure.velocities.end());
      return refuse(unknown("coordinate, velocity or state", name, all, itself));
    }
    return keep(run_.change(other));
  }

  Status reset_events() { return keep(run_.reset_events()); }

  [[nodiscard]] const Frame& present() {
    if (!measured_) measured_ = run_.measure_at(run_.state().t) == Status::ok;
    return run_.frame();
  }
  [[nodiscard]] const Vec& lambda() {
    const Frame& frame = present();
    if (measured_) return frame.lambda;
    const auto rows = static_cast<Index>(plan_.system.structure().rows.size());
    unknown_lambda_ = Vec::Constant(rows, std::numeric_limits<double>::quiet_NaN());
    return unknown_lambda_;
  }

  [[nodiscard]] double number(std::string_view name) {
    // what a state has needs no frame
    const Structure& structure = plan_.system.structure();
    if (const int i = number_of(structure.coordinates, name, itself);
        i >= 0 && i < structure.places())
      return run_.state().q[i];
    if (const int i = number_of(structure.velocities, name, itself); i >= 0)
      return run_.state().v[i];
    const Frame& frame = present();
    if (!measured_ && names_->has(name)) return std::numeric_limits<double>::quiet_NaN();
    return (*names_)(frame, name);
  }

  [[nodiscard]] double value(std::string_view text) {
    auto found = expressions_.find(std::string{text});
    if (found == expressions_.end())
      found = expressions_
                  .emplace(text, reading_turns(plan_.prepared.compiled, run_.turns().remembered())
                                     .expression(text))
                  .first;
    return found->second(run_.state());
  }

  [[nodiscard]] Instant at(double t) {
    const double from = run_.known_from(), to = run_.state().t;
    if (!(t >= from && t <= to)) {
      std::string why = fmt::format("t = {} is not inside the last step, {} to {}", t, from, to);
      return {Status::invalid_argument, std::move(why), {}, names_};
    }
    measured_ = false;
    const Status status = run_.measure_at(t);
    return {status, status == Status::ok ? std::string{} : run_.message(status), run_.frame(),
            names_};
  }

  [[nodiscard]] std::vector<std::byte> save() {
    Archive out = Archive::writer();
    describe(out);
    run_.store(out);
    return out.bytes();
  }

  Status restore(const std::vector<std::byte>& saved) {
    if (const Status status = ready(); status != Status::ok) return status;
    const std::vector<std::byte> here = save();
    try {
      return keep(read_back(saved));
    } catch (const std::runtime_error& error) {
      static_cast<void>(read_back(here));  // what was read before the mistake was found
      return refuse(fmt::format("this is nothing that was saved here: {}", error.what()));
    }
  }

  [[nodiscard]] Result finish() {
    Result result;
    result.summary = run_.finish(status_ == Status::invalid_argument ? Status::ok : status_);
    result.motion = std::move(motion_);
    finish_summary(plan_, result.motion, result.summary);
    Plan plan = plan_;
    if (plan.run.acting) {
      auto acting = std::make_shared<ActingModel>(*plan.run.acting);
      acting->model = plan.prepared.compiled;
      acting->inputs = nullptr;
      plan.run.acting = std::move(acting);
    }
    result.plan = std::make_shared<const Plan>(std::move(plan));
    over_ = true;
    return result;
  }

  [[nodiscard]] const State& state() const { return run_.state(); }
  [[nodiscard]] const std::vector<EventRecord>& events() const { return run_.events(); }
  [[nodiscard]] const Motion& motion() const { return motion_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  // the inputs of the plan's systems are read from a storage of this simulation
  static Plan with_own_inputs(Plan plan, std::shared_ptr<std::vector<double>>& storage) {
    const std::vector<SystemInput>& all = plan.prepared.compiled.system.structure().inputs;
    storage = std::make_shared<std::vector<double>>();
    for (const SystemInput& input : all) storage->push_back(input.initial);
    if (storage->empty()) return plan;
    plan.prepared.compiled = plan.prepared.compiled.with_inputs(storage);
    Problems none;
    read_again(plan.prepared, none);
    ReadSystem read = read_system(plan, plan.prepared, plan.start.state);
    if (read.status == Status::ok) plan.system = std::move(read.system);
    if (plan.run.acting) {
      auto acting = std::make_shared<ActingModel>(*plan.run.acting);
      acting->model = plan.prepared.compiled;
      acting->inputs = storage;
      plan.run.acting = std::move(acting);
    }
    return plan;
  }

  void describe(Archive& archive) {
    archive.tag("simulation");
    std::string whose =
        fingerprint(plan_.prepared.model.name) + fmt::format(" {}", plan_.method.name);
    const std::string expected = whose;
    archive(whose);
    if (whose != expected)
      throw std::runtime_error{fmt::format("it is of '{}', this is '{}'", whose, expected)};
    std::vector<double> parameters{plan_.prepared.compiled.parameter_values().begin(),
                                   plan_.prepared.compiled.parameter_values().end()};
    const std::size_t expected_parameters = parameters.size(), expected_inputs = inputs_->size();
    std::vector<double> inputs = *inputs_;
    archive(parameters, inputs);
    if (!archive.loading()) return;
    if (parameters.size() != expected_parameters || inputs.size() != expected_inputs)
      throw std::runtime_error{"it is of a model with other parameters or inputs"};
    *inputs_ = inputs;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      // each change makes another compiled model
      const CompiledModel& compiled = plan_.prepared.compiled;
      if (parameters[k] == compiled.parameter_values()[k]) continue;
      const std::string name = compiled.parameter_names()[k];
      if (set_parameter(name, parameters[k]) != Status::ok) throw std::runtime_error{message_};
    }
  }

  Status read_back(const std::vector<std::byte>& saved) {
    Archive stored = Archive::reader(saved);
    describe(stored);
    return run_.restore(stored);
  }

  // whether it can be moved or changed at all
  Status ready() {
    if (over_) return refuse("the simulation was finished");
    return plan_.start.status == Status::ok ? Status::ok : status_;
  }
  Status refuse(std::string why) {
    message_ = std::move(why);
    return status_ = Status::invalid_argument;
  }
  Status keep(Status status) {
    measured_ = false;
    if (changes_of_model_ != run_.changes_of_model()) {
      changes_of_model_ = run_.changes_of_model();
      plan_.prepared.compiled = run_.actions().model();
      expressions_.clear();
    }
    message_ = status == Status::ok ? std::string{} : run_.message(status);
    return status_ = status;
  }

  std::shared_ptr<std::vector<double>> inputs_;
  Plan plan_;
  Motion motion_;
  TimeRun run_;
  std::shared_ptr<const FrameNames> names_;
  std::unordered_map<std::string, Expression> expressions_;
  Vec unknown_lambda_;
  std::int64_t changes_of_model_ = 0;  // by events, as far as they are known here
  Status status_ = Status::ok;
  std::string message_;
  bool measured_ = false;  // the frame of the run is the present
  bool over_ = false;
};

Simulation::Simulation(const Model& model, const SimulationOptions& options)
    : Simulation{taut::plan(model, options)} {}
Simulation::Simulation(Plan plan) : engine_{std::make_unique<Engine>(std::move(plan))} {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Status Simulation::step() { return engine_->step(); }
Status Simulation::advance_to(double t) { return engine_->advance_to(t); }
double Simulation::t() const { return engine_->state().t; }
const State& Simulation::state() const { return engine_->state(); }
const Vec& Simulation::lambda() const { return engine_->lambda(); }
double Simulation::operator[](std::string_view name) const { return engine_->number(name); }
double Simulation::value(std::string_view expression) const { return engine_->value(expression); }
Instant Simulation::at(double t) const { return engine_->at(t); }
Status Simulation::set_input(std::string_view name, double value) {
  return engine_->set_input(name, value);
}
double Simulation::input(std::string_view name) const { return engine_->input(name); }
Status Simulation::set_parameter(std::string_view name, double value) {
  return engine_->set_parameter(name, value);
}
Status Simulation::set_state(std::string_view name, double value) {
  return engine_->set_state(name, value);
}
Status Simulation::set_state(const Vec& q, const Vec& v) { return engine_->set_state(q, v); }
const std::vector<EventRecord>& Simulation::events() const { return engine_->events(); }
Status Simulation::reset_events() { return engine_->reset_events(); }
const std::string& Simulation::message() const { return engine_->message(); }
const Motion& Simulation::motion() const { return engine_->motion(); }
const Plan& Simulation::plan() const { return engine_->plan(); }
std::vector<std::byte> Simulation::save() const { return engine_->save(); }
Status Simulation::restore(const std::vector<std::byte>& saved) { return engine_->restore(saved); }
Result Simulation::finish() { return engine_->finish(); }

}  // namespace taut
