// SPDX-License-Identifier: BSD-3-Clause
#include "fused/motion_programs.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "core/kkt_trace.hpp"
#include "fused/series_programs.hpp"
#include "fused/unrolled_series.hpp"

namespace taut::fused {

using formula::Code;
using formula::Slot;

namespace {

// a longer one does not stay in a cache, and to make it takes longer than it saves
constexpr std::size_t most_instructions = 20'000;
constexpr Index largest_of_series = 600;  // to find out that it would be longer takes seconds

constexpr Needs free_motion = needs(Target::mass, Target::force);
constexpr Needs constrained_motion =
    free_motion | needs(Target::constraint_jacobian, Target::constraint_curvature);
constexpr Needs on_constraints = needs(Target::constraint_jacobian, Target::constraint_rate);
constexpr Needs of_row =
    needs(Target::kinetic_energy, Target::potential_energy, Target::constraint,
          Target::constraint_jacobian, Target::constraint_rate, Target::observable);

std::vector<Needs> all_needs(Index nc) {
  if (nc == 0) return {free_motion, of_row};
  return {constrained_motion,       of_row,
          need(Target::constraint), need(Target::constraint) | on_constraints,
          on_constraints,           need(Target::constraint_jacobian)};
}

const CompiledSystem& compiled(const System& system) {
  return static_cast<const CompiledSystem&>(system.implementation());
}

// One double at a time, as a system evaluates it.
struct Fields {
  std::vector<Value> M, f, g, G, g_t, curvature, observable;
  Value kinetic = no_value, potential = no_value;
};

}  // namespace

/// Makes the programs of one model.
class ProgramMaker {
 public:
  ProgramMaker(const System& system, const std::optional<System>& quantities,
               bool acceleration_alone)
      : system_{system},
        quantities_of_{quantities},
        made_{std::make_shared<MotionPrograms>()},
        alone_{acceleration_alone} {
    made_->needs_ = all_needs(system.nc());
    if (alone_) made_->needs_.resize(1);
    made_->compilation_ = compiled(system).compilation();
    if (quantities) made_->compilation_of_quantities_ = compiled(*quantities).compilation();
    made_->nq = system.nq();
    made_->nc = system.nc();
    made_->G = system.structure().G;
  }

  /// For series of a motion whose rows are read as `reading` has them.
  ProgramMaker(const System& system, const Structure& reading)
      : system_{system},
        quantities_of_{no_quantities()},
        made_{std::make_shared<MotionPrograms>()},
        alone_{true} {
    const Needs of_springs =
        system.nc() == reading.nc ? 0 : need(Target::constraint) | on_constraints;
    made_->needs_ = {(system.nc() == 0 ? free_motion : constrained_motion) | of_springs};
    if (reading.nc > 0)
      made_->needs_.push_back(need(Target::mass) | need(Target::constraint) | on_constraints);
    made_->compilation_ = compiled(system).compilation();
    made_->nq = reading.nq;
    made_->nc = reading.nc;
    made_->G = reading.G;
  }

  std::shared_ptr<const SeriesPrograms> run_series(const Structure& reading, int order,
                                                   std::string& why) {
    if (reading.nq + reading.nc > largest_of_series) {
      why = "it is too large for one program";
      return nullptr;
    }
    series_ = std::make_shared<SeriesPrograms>();
    Kkt kkt;
    kkt.analyse(reading.M, reading.G);
    if (!KktTrace<Traced>::possible(kkt)) {
      why = "it is too large for one program";
      return nullptr;
    }
    if (!trace_numbers()) {
      why = "it is no list of formulas alone";
      return nullptr;
    }
    trace_motion(kkt, read(evaluate(0, system_.structure()), reading));
    std::vector<Value> correction;
    if (reading.nc > 0)
      correction = trace_correction(kkt, read(evaluate(1, system_.structure()), reading), reading);
    if (reads_reactions_) {
      why = "its forces read accelerations or multipliers";
      return nullptr;
    }
    find_fixed();
    lower_acceleration();
    if (made_->acceleration.program.code.size() > most_instructions) {
      why = "its program would be too long";
      return nullptr;
    }
    const auto fixed = [this](Value v) { return is_given(v); };
    if (reading.nc > 0) {
      SeriesPrograms::Correction& to = series_->correction;
      std::vector<int> registers = lower(correction, fixed, to);
      const auto nc = static_cast<std::size_t>(reading.nc),
                 nq = static_cast<std::size_t>(reading.nq);
      to.g = take(registers, nc);
      to.rate = take(registers, nc);
      to.dq = take(registers, nq);
      to.dv = take(registers, nq);
    }
    expand(order);
    lower_prelude();
    series_->motion = made_;
    return series_;
  }

  std::shared_ptr<const MotionPrograms> run(std::string& why) {
    const Structure& structure = system_.structure();
    Kkt kkt;
    kkt.analyse(structure.M, structure.G);
    if (!KktTrace<Traced>::possible(kkt)) {
      why = "its constraints are factorised by columns";
      return nullptr;
    }
    if (!trace_numbers()) {
      why = "it is no list of formulas alone";
      return nullptr;
    }
    trace_motion(kkt, evaluate(0, structure));
    if (!alone_ && made_->nc > 0) trace_constraints();
    if (!alone_) trace_row();
    if (reads_reactions_) {
      why = "its forces read accelerations or multipliers";
      return nullptr;
    }
    find_fixed();
    lower();
    std::size_t instructions = 0;
    for (const MotionPrograms::Part* part : parts()) instructions += part->program.code.size();
    if (instructions > most_instructions) {
      why = "its programs would be too long";
      return nullptr;
    }
    return made_;
  }

 private:
  // inputs, by their numbers
  enum class From : std::uint8_t { t, q, v, a, lambda, s, number };
  static constexpr int apart = 1 << 24;
  Value input(From from, int index) { return line_.input(static_cast<int>(from) * apart + index); }
  [[nodiscard]] From from(Value v) const { return static_cast<From>(line_[v].number / apart); }
  [[nodiscard]] int index(Value v) const { return line_[v].number % apart; }

  [[nodiscard]] std::vector<MotionPrograms::Part*> parts() {
    return {&made_->acceleration, &made_->constraints, &made_->solution, &made_->row};
  }

  bool trace_numbers() {
    for (const Needs wanted : made_->needs_) {
      const auto trace = compiled(system_).trace(wanted);
      if (!trace) return false;
      traces_.push_back(*trace);
    }
    if (quantities_of_) {
      const auto trace = compiled(*quantities_of_).trace(need(Target::observable));
      if (!trace) return false;
      traces_.push_back(*trace);
    }
    first_number_.assign(1, 0);
    for (const EvaluationTrace& trace : traces_)
      first_number_.push_back(first_number_.back() + trace.count);
    return true;
  }

  // what evaluate() leaves of one set of targets
  Fields evaluate(std::size_t which, const Structure& structure) {
    const EvaluationTrace& trace = traces_[which];
    const int first = first_number_[which];
    const auto number = [&](int k) { return input(From::number, first + k); };
    const Value zero = line_.constant(0.0);
    const auto size = [](Index n) { return static_cast<std::size_t>(n); };
    Fields out;
    for (int k = 0; k < static_cast<int>(structure.M.nonZeros()); ++k)
      out.M.push_back(number(trace.mass + k));
    for (int k = 0; k < static_cast<int>(structure.nq); ++k)
      out.f.push_back(number(trace.force + k));
    out.g.assign(size(structure.nc), zero);
    out.g_t = out.curvature = out.g;
    out.G.assign(size(structure.G.nonZeros()), zero);
    out.observable.assign(structure.observables.size(), zero);
    out.kinetic = out.potential = zero;
    const auto field = [&](Target target, int place) -> Value& {
      const auto at = static_cast<std::size_t>(place);
      switch (target) {
        case Target::mass:
          return out.M[at];
        case Target::force:
          return out.f[at];
        case Target::constraint:
          return out.g[at];
        case Target::constraint_jacobian:
          return out.G[at];
        case Target::constraint_rate:
          return out.g_t[at];
        case Target::constraint_curvature:
          return out.curvature[at];
        case Target::observable:
          return out.observable[at];
        case Target::kinetic_energy:
          return out.kinetic;
        default:
          assert(target == Target::potential_energy);
          return out.potential;
      }
    };
    for (const EvaluationTrace::Block& block : trace.blocks) {
      std::vector<Value> constants;
      for (int k = 0; k < static_cast<int>(block.program->constants.size()); ++k)
        constants.push_back(number(block.constants + k));
      std::vector<std::vector<Value>> registers;
      for (const std::vector<EvaluationTrace::Read>& reads : block.instances) {
        std::vector<Value> inputs;
        for (const EvaluationTrace::Read& read : reads) inputs.push_back(value(read, trace, first));
        registers.push_back(line_.append(*block.program, inputs, constants));
      }
      for (const EvaluationTrace::Write& write : block.writes) {
        const Value x = registers[static_cast<std::size_t>(write.instance)]
                                 [static_cast<std::size_t>(write.reg)];
        Value& to = field(write.target, write.place);
        if (write.add)
          to = line_.operation(write.negate ? Code::sub : Code::add, to, x);
        else
          to = write.negate ? line_.operation(Code::neg, x) : x;
      }
    }
    return out;
  }

  Value value(const EvaluationTrace::Read& read, const EvaluationTrace& trace, int first) {
    switch (read.slot) {
      case Slot::q:
        return input(From::q, read.place);
      case Slot::v:
        return input(From::v, read.place);
      case Slot::a:
        reads_reactions_ = reads_reactions_ || &trace != of_quantities_;
        return input(From::a, read.place);
      case Slot::lambda:
        reads_reactions_ = reads_reactions_ || &trace != of_quantities_;
        return input(From::lambda, read.place);
      case Slot::t:
        return input(From::t, 0);
      case Slot::theta:
        return line_.operation(
            Code::add,
            line_.operation(Code::mul, input(From::number, first + trace.theta_rate),
                            input(From::t, 0)),
            input(From::number, first + trace.theta_phase));
      default:
        return input(From::number, first + read.place);
    }
  }

  [[nodiscard]] std::vector<Traced> traced(const std::vector<Value>& values) {
    std::vector<Traced> all;
    for (const Value v : values) all.emplace_back(line_, v);
    return all;
  }
  static std::vector<Value> values(const std::vector<Traced>& traced) {
    std::vector<Value> all;
    for (const Traced& x : traced) all.push_back(x.value());
    return all;
  }
  // `sum`, or NaN where one of them is not finite (or all of them together)
  Value and_finite(Value sum, const std::vector<Value>& all) {
    if (all.empty()) return sum;
    Value total = all.front();
    for (std::size_t k = 1; k < all.size(); ++k) total = line_.operation(Code::add, total, all[k]);
    return line_.operation(Code::add, sum, line_.operation(Code::mul, total, line_.constant(0.0)));
  }

  static const std::optional<System>& no_quantities() {
    static const std::optional<System> none;
    return none;
  }

  // g' of row r of the model
  Value rate(const Fields& at, const Structure& structure, int r) {
    Value sum = at.g_t[static_cast<std::size_t>(r)];
    for (int i = structure.G.outerIndexPtr()[r]; i < structure.G.outerIndexPtr()[r + 1]; ++i)
      sum = line_.operation(Code::add, sum,
                            line_.operation(Code::mul, at.G[static_cast<std::size_t>(i)],
                                            input(From::v, structure.G.innerIndexPtr()[i])));
    return sum;
  }

  // with the rows that `reading` has made springs of among the forces, and the others left
  Fields read(Fields all, const Structure& reading) {
    const Structure& structure = system_.structure();
    if (structure.nc == reading.nc) return all;
    Fields out = all;
    for (std::vector<Value>* rows : {&out.g, &out.g_t, &out.curvature, &out.G}) rows->clear();
    for (std::size_t row = 0; row < reading.rows.size(); ++row) {
      const int r = structure.rows[row].equation;
      const auto at = static_cast<std::size_t>(r);
      const int begin = structure.G.outerIndexPtr()[r], end = structure.G.outerIndexPtr()[r + 1];
      if (reading.rows[row].equation >= 0) {
        out.g.push_back(all.g[at]);
        out.g_t.push_back(all.g_t[at]);
        out.curvature.push_back(all.curvature[at]);
        out.G.insert(out.G.end(), all.G.begin() + begin, all.G.begin() + end);
        continue;
      }
      // λ = (g + d g') / C
      Value force = all.g[at];
      if (const double d = reading.rows[row].damping; d != 0.0)
        force =
            line_.operation(Code::add, force,
                            line_.operation(Code::mul, line_.constant(d), rate(all, structure, r)));
      const Value lambda =
          line_.operation(Code::div, force, line_.constant(reading.rows[row].compliance));
      for (int i = begin; i < end; ++i) {
        Value& f = out.f[static_cast<std::size_t>(structure.G.innerIndexPtr()[i])];
        f = line_.operation(Code::sub, f,
                            line_.operation(Code::mul, all.G[static_cast<std::size_t>(i)], lambda));
      }
    }
    return out;
  }

  // g, g', and what pulls q and v onto the constraints
  std::vector<Value> trace_correction(const Kkt& kkt, const Fields& at, const Structure& reading) {
    KktTrace<Traced> solver{kkt, [this](double x) { return Traced{line_, line_.constant(x)}; }};
    solver.factor_mass(traced(at.M));
    solver.factor_constraints(traced(at.G));
    std::vector<Value> wanted;
    std::vector<Traced> of_g, of_rate, dq, dv, mu;
    for (std::size_t r = 0; r < at.g.size(); ++r) wanted.push_back(at.g[r]);
    for (const Row& row : reading.rows)
      if (row.equation >= 0 && row.of_velocities)
        wanted[static_cast<std::size_t>(row.equation)] = line_.constant(0.0);
    for (const Value g : wanted) of_g.push_back(-Traced{line_, g});
    for (int r = 0; r < static_cast<int>(reading.nc); ++r) {
      wanted.push_back(rate(at, reading, r));
      of_rate.push_back(-Traced{line_, wanted.back()});
    }
    solver.solve_constraint(of_g, dq, mu);
    solver.solve_constraint(of_rate, dv, mu);
    for (const std::vector<Traced>* all : {&dq, &dv})
      for (const Traced& x : *all) wanted.push_back(x.value());
    return wanted;
  }

  // the motion's series: q' = v, v' = a
  void expand(int order) {
    const int nq = static_cast<int>(made_->nq);
    std::vector<Value> q, v, wanted = a_;
    for (int i = 0; i < nq; ++i) {
      q.push_back(input(From::q, i));
      v.push_back(input(From::v, i));
    }
    const Value t = input(From::t, 0);
    find_fixed();
    auto series = UnrolledSeries::of(
        line_, a_, [this](Value x) { return fixed_[static_cast<std::size_t>(x)]; });
    if (!series) return;
    SeriesPrograms::Expansion made;
    for (int k = 0; k < order; ++k) {
      const auto number = static_cast<std::size_t>(k);
      series->compute(number);
      const Value scale = input(From::s, k);
      const auto coefficient = [&](Value x) {
        return x == no_value ? x : line_.operation(Code::mul, x, scale);
      };
      std::vector<Value> next_q, next_v;
      for (int i = 0; i < nq; ++i) {
        const auto at = static_cast<std::size_t>(i);
        next_q.push_back(coefficient(v[at]));
        next_v.push_back(coefficient(series->coefficient(a_[at], number)));
      }
      for (int i = 0; i < nq; ++i) {
        const auto at = static_cast<std::size_t>(i);
        series->set(input(From::q, i), number + 1, next_q[at]);
        series->set(input(From::v, i), number + 1, next_v[at]);
      }
      if (k == 0) series->set(t, 1, scale);
      for (const std::vector<Value>* next : {&next_q, &next_v})
        for (const Value x : *next) {
          made.coefficients.push_back(x == no_value ? -1 : 0);
          if (x != no_value) wanted.push_back(x);
        }
      q.swap(next_q);
      v.swap(next_v);
      if (static_cast<std::size_t>(line_.size()) > 4 * most_instructions) return;
    }
    for (const Value x : {health_, dependence_, least_dependence_}) wanted.push_back(x);
    find_fixed();
    std::vector<int> registers = lower(
        wanted, [this](Value x) { return is_given(x); }, made);
    if (made.program.code.size() > most_instructions) return;
    made.a = take(registers, a_.size());
    auto reg = registers.begin();
    for (int& place : made.coefficients)
      if (place == 0) place = *reg++;
    made.health = *reg++;
    made.dependence = *reg++;
    made.least_dependence = *reg++;
    series_->expansion = std::move(made);
  }

  // Accelerations: (1), (2) there
  void trace_motion(const Kkt& kkt, const Fields& at) {
    KktTrace<Traced> solver{kkt, [this](double x) { return Traced{line_, line_.constant(x)}; }};
    solver.factor_mass(traced(at.M));
    solver.factor_constraints(traced(at.G));
    std::vector<Traced> s, x, lambda;
    for (const Traced& c : traced(at.curvature)) s.push_back(-c);
    solver.solve(traced(at.f), s, x, lambda);
    a_ = values(x);
    lambda_ = values(lambda);
    std::vector<Value> all = a_;
    all.insert(all.end(), lambda_.begin(), lambda_.end());
    health_ = and_finite(solver.sound().value(), all);
    static_assert(MotionPrograms::most_dependence == KktTrace<Traced>::most_dependence);
    dependence_ = solver.dependence().value();
    least_dependence_ = solver.least_dependence().value();
    factors_ = values(solver.factors());
    std::sort(factors_.begin(), factors_.end());
    factors_.erase(std::unique(factors_.begin(), factors_.end()), factors_.end());
    if (made_->nc == 0) return;
    s.clear();
    for (int r = 0; r < static_cast<int>(made_->nc); ++r) s.emplace_back(line_, input(From::s, r));
    solver.solve_constraint(s, x, lambda);
    x_ = values(x);
  }

  void trace_constraints() {
    const Structure& structure = system_.structure();
    g_ = evaluate(2, structure);
    g_with_ = evaluate(3, structure);
    on_ = evaluate(4, structure);
    G_alone_ = evaluate(5, structure);
  }

  void trace_row() {
    const Structure& structure = system_.structure();
    row_ = evaluate(1, structure);
    std::vector<Value> all = row_.observable;
    for (const std::vector<Value>* more : {&row_.g, &row_.G, &row_.g_t})
      all.insert(all.end(), more->begin(), more->end());
    all.push_back(row_.kinetic);
    all.push_back(row_.potential);
    if (quantities_of_) {
      of_quantities_ = &traces_.back();
      quantities_ = evaluate(traces_.size() - 1, quantities_of_->structure()).observable;
      all.insert(all.end(), quantities_.begin(), quantities_.end());
    }
    finite_ = and_finite(line_.constant(0.0), all);
  }

  // values that a system has once and for all
  void find_fixed() {
    using Kind = StraightLine::Node::Kind;
    fixed_.assign(static_cast<std::size_t>(line_.size()), false);
    for (Value v = 0; v < line_.size(); ++v) {
      const StraightLine::Node& n = line_[v];
      const auto is_fixed = [&](Value operand) {
        return operand == no_value || fixed_[static_cast<std::size_t>(operand)];
      };
      fixed_[static_cast<std::size_t>(v)] =
          n.kind == Kind::constant || (n.kind == Kind::input && from(v) == From::number) ||
          (n.kind == Kind::operation && is_fixed(n.a) && is_fixed(n.b) && is_fixed(n.c));
    }
  }
  [[nodiscard]] bool is_given(Value v) const {
    return fixed_[static_cast<std::size_t>(v)] &&
           line_[v].kind != StraightLine::Node::Kind::constant;
  }

  void lower_acceleration() {
    MotionPrograms& made = *made_;
    std::vector<Value> wanted = a_;
    wanted.insert(wanted.end(), lambda_.begin(), lambda_.end());
    wanted.push_back(health_);
    wanted.push_back(dependence_);
    wanted.push_back(least_dependence_);
    std::vector<Value> moving;
    for (const Value v : factors_)
      if (!fixed_[static_cast<std::size_t>(v)]) moving.push_back(v);
    factors_ = alone_ ? std::vector<Value>{} : moving;
    wanted.insert(wanted.end(), factors_.begin(), factors_.end());
    std::vector<int> registers = lower(
        wanted, [this](Value v) { return is_given(v); }, made.acceleration);
    made.acceleration.a = take(registers, a_.size());
    made.acceleration.lambda = take(registers, lambda_.size());
    made.acceleration.health = take(registers, 1).front();
    made.acceleration.dependence = take(registers, 1).front();
    made.acceleration.least_dependence = take(registers, 1).front();
    made.acceleration.factors = take(registers, factors_.size());
  }

  void lower() {
    MotionPrograms& made = *made_;
    const auto fixed = [this](Value v) { return is_given(v); };
    lower_acceleration();
    if (!alone_ && made.nc > 0) {
      std::vector<Value> wanted;
      for (const std::vector<Value>* all :
           {&g_.g, &g_with_.g, &g_with_.G, &g_with_.g_t, &on_.G, &on_.g_t, &G_alone_.G})
        wanted.insert(wanted.end(), all->begin(), all->end());
      std::vector<int> registers = lower(wanted, fixed, made.constraints);
      const std::size_t nc = g_.g.size(), entries = on_.G.size();
      made.constraints.g = take(registers, nc);
      made.constraints.g_with = take(registers, nc);
      made.constraints.G_with = take(registers, entries);
      made.constraints.g_t_with = take(registers, nc);
      made.constraints.G = take(registers, entries);
      made.constraints.g_t = take(registers, nc);
      made.constraints.G_alone = take(registers, entries);
      made.solution.x = lower(
          x_,
          [this](Value v) {
            return is_given(v) || std::binary_search(factors_.begin(), factors_.end(), v);
          },
          made.solution);
    }
    if (!alone_) {
      std::vector<Value> wanted = row_.observable;
      wanted.insert(wanted.end(), quantities_.begin(), quantities_.end());
      for (const Value v : {row_.kinetic, row_.potential, finite_}) wanted.push_back(v);
      std::vector<int> registers = lower(wanted, fixed, made.row);
      made.row.observables = take(registers, row_.observable.size());
      made.row.quantities = take(registers, quantities_.size());
      made.row.kinetic = take(registers, 1).front();
      made.row.potential = take(registers, 1).front();
      made.row.finite = take(registers, 1).front();
    }
    lower_prelude();
  }

  static std::vector<int> take(std::vector<int>& from, std::size_t count) {
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<int> some(from.begin(), end);
    from.erase(from.begin(), end);
    return some;
  }

  std::vector<int> lower(const std::vector<Value>& wanted, const std::function<bool(Value)>& given,
                         MotionPrograms::Part& to) {
    StraightLine::Lowered lowered = line_.lower(wanted, given);
    MotionPrograms::Inputs& inputs = to.inputs;
    inputs.q.assign(static_cast<std::size_t>(made_->nq), -1);
    inputs.v = inputs.a = inputs.q;
    inputs.lambda.assign(static_cast<std::size_t>(made_->nc), -1);
    inputs.s = inputs.lambda;
    for (int reg = 0; reg < static_cast<int>(lowered.inputs.size()); ++reg) {
      const Value v = lowered.inputs[static_cast<std::size_t>(reg)];
      if (is_given(v)) {
        const auto [found, is_new] = given_.try_emplace(v, static_cast<int>(given_values_.size()));
        if (is_new) given_values_.push_back(v);
        inputs.given.emplace_back(reg, found->second);
        continue;
      }
      if (line_[v].kind == StraightLine::Node::Kind::operation) {
        const auto factor = std::lower_bound(factors_.begin(), factors_.end(), v);
        inputs.factors.emplace_back(reg, static_cast<int>(factor - factors_.begin()));
        continue;
      }
      const auto i = static_cast<std::size_t>(index(v));
      switch (from(v)) {
        case From::t:
          inputs.t = reg;
          break;
        case From::q:
          inputs.q[i] = reg;
          break;
        case From::v:
          inputs.v[i] = reg;
          break;
        case From::a:
          inputs.a[i] = reg;
          break;
        case From::lambda:
          inputs.lambda[i] = reg;
          break;
        default:
          inputs.s.resize(std::max(inputs.s.size(), i + 1), -1);
          inputs.s[i] = reg;
          break;
      }
    }
    to.program = std::move(lowered.program);
    return std::move(lowered.registers);
  }

  void lower_prelude() {
    StraightLine::Lowered prelude = line_.lower(given_values_, [](Value) { return false; });
    for (const Value v : prelude.inputs) made_->prelude_numbers_.push_back(index(v));
    made_->prelude_outputs_ = std::move(prelude.registers);
    made_->prelude_ = formula::make_kernel(std::move(prelude.program), 1);
  }

  const System& system_;
  const std::optional<System>& quantities_of_;
  std::shared_ptr<SeriesPrograms> series_;
  std::shared_ptr<MotionPrograms> made_;
  bool alone_;
  bool reads_reactions_ = false;  // what is no quantity does
  const EvaluationTrace* of_quantities_ = nullptr;
  StraightLine line_;
  std::vector<EvaluationTrace> traces_;
  std::vector<int> first_number_;
  std::vector<Value> a_, lambda_, factors_, x_, quantities_;
  Value health_ = no_value, dependence_ = no_value, least_dependence_ = no_value,
        finite_ = no_value;
  Fields g_, g_with_, on_, G_alone_, row_;
  std::vector<bool> fixed_;
  std::unordered_map<Value, int> given_;
  std::vector<Value> given_values_;
};

std::shared_ptr<const MotionPrograms> MotionPrograms::make(const System& system,
                                                           const std::optional<System>& quantities,
                                                           std::string& why) {
  return ProgramMaker{system, quantities, false}.run(why);
}

std::shared_ptr<const MotionPrograms> MotionPrograms::make_acceleration(const System& system) {
  std::string why;
  return ProgramMaker{system, std::nullopt, true}.run(why);
}

std::shared_ptr<const SeriesPrograms> SeriesPrograms::make(const System& system,
                                                           const Structure& reading, int order,
                                                           std::string& why) {
  return ProgramMaker{system, reading}.run_series(reading, order, why);
}

bool MotionPrograms::given(const System& system, const std::optional<System>& quantities,
                           std::vector<double>& numbers, std::vector<double>& to) const {
  if (!compiled(system).is_of(compilation_)) return false;
  numbers.clear();
  for (const Needs wanted : needs_)
    if (!compiled(system).numbers(wanted, numbers)) return false;
  if (quantities.has_value() != compilation_of_quantities_.has_value()) return false;
  if (quantities && (!compiled(*quantities).is_of(*compilation_of_quantities_) ||
                     !compiled(*quantities).numbers(need(Target::observable), numbers)))
    return false;
  const formula::Program& program = prelude_->program();
  std::vector<double> registers(static_cast<std::size_t>(program.registers));
  for (std::size_t k = 0; k < prelude_numbers_.size(); ++k)
    registers[k] = numbers[static_cast<std::size_t>(prelude_numbers_[k])];
  prelude_->load_constants(registers.data());
  prelude_->run(registers.data());
  to.clear();
  for (const int reg : prelude_outputs_) to.push_back(registers[static_cast<std::size_t>(reg)]);
  return true;
}

}  // namespace taut::fused
