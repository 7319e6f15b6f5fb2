// SPDX-License-Identifier: BSD-3-Clause
// Functions of Python as forces, and as whole systems. The GIL is taken for each call, and no
// longer.
#include <nanobind/stl/string.h>

#include <cmath>
#include <limits>

#include "bound.hpp"
#include "taut/core/problems.hpp"

namespace taut::python {
namespace {

nb::object array(const Vec& x) { return vector_array(x); }

/// The same for several functions: none may change what the next one reads.
nb::object shared_array(const Vec& x) {
  nb::object copy = vector_array(x);
  constexpr bool write = false;
  copy.attr("setflags")(write);
  return copy;
}

/// The numbers of what a function gave, into `out`; raises where they are not as many.
void read(nb::handle given, const char* what, double* out, Index rows, Index columns, bool vector) {
  if (given.is_none()) throw nb::value_error((std::string{what} + " is None: return it").c_str());
  using View = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
  constexpr bool as_it_is = false;
  View view;
  if (!nb::try_cast(given, view, as_it_is)) {
    const nb::object numpy = nb::module_::import_("numpy");
    const nb::object any = numpy.attr("asarray")(given);
    if (nb::cast<std::string>(any.attr("dtype").attr("kind")) == "c")
      throw nb::type_error((std::string{what} + " has complex numbers: give real ones").c_str());
    view = nb::cast<View>(numpy.attr("ascontiguousarray")(any, numpy.attr("float64")));
  }
  const bool fits = vector ? view.size() == static_cast<std::size_t>(rows)
                           : view.ndim() == 2 && view.shape(0) == static_cast<std::size_t>(rows) &&
                                 view.shape(1) == static_cast<std::size_t>(columns);
  if (!fits) {
    std::string shape;
    for (std::size_t i = 0; i < view.ndim(); ++i)
      shape += (i > 0 ? ", " : "") + std::to_string(view.shape(i)) + (view.ndim() == 1 ? "," : "");
    const std::string message =
        std::string{what} + " must have the shape (" + std::to_string(rows) +
        (vector ? std::string{",)"} : ", " + std::to_string(columns) + ")") + ", not (" + shape +
        ")";
    throw nb::value_error(message.c_str());
  }
  std::copy_n(view.data(), rows * columns, out);
}

void read(nb::handle given, const char* what, Vec& out) {
  read(given, what, out.data(), out.size(), 1, true);
}
void read(nb::handle given, const char* what, Mat& out) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows{out.rows(),
                                                                              out.cols()};
  read(given, what, rows.data(), out.rows(), out.cols(), false);
  out = rows;
}

/// Calls, and keeps what is raised: then the step fails, and so does every one after it.
template <class Call>
Status guarded(Callables& owner, const Call& call) {
  nb::gil_scoped_acquire held;
  if (owner.failure) return Status::solver_failed;
  try {
    call();
    return Status::ok;
  } catch (nb::python_error& error) {
    owner.failure = std::make_unique<nb::python_error>(std::move(error));
  } catch (const nb::builtin_exception& error) {
    const bool of_type = error.type() == nb::exception_type::type_error;
    PyErr_SetString(of_type ? PyExc_TypeError : PyExc_ValueError, error.what());
    owner.failure = std::make_unique<nb::python_error>();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
    owner.failure = std::make_unique<nb::python_error>();
  }
  return Status::solver_failed;
}

/// The value of an event; a truth value would never cross zero.
double event_value(nb::handle given, const std::string& event) {
  const std::string what = "the function of event '" + event + "' gives ";
  const std::string shown = nb::repr(given).c_str();
  const bool is_truth = PyBool_Check(given.ptr()) ||
                        nb::isinstance(given, nb::module_::import_("numpy").attr("bool_"));
  if (is_truth) throw nb::type_error((what + shown + ": give a number that crosses zero").c_str());
  const double value = given.is_none() ? -1.0 : PyFloat_AsDouble(given.ptr());
  if (given.is_none() || (value == -1.0 && PyErr_Occurred() != nullptr)) {
    PyErr_Clear();
    throw nb::type_error((what + shown + ": return one number").c_str());
  }
  return value;
}

double difference(double x) {
  const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * (1 + std::abs(x));
  return (x + step) - x;
}

}  // namespace

BlackBoxForce black_box(const StatedForce& stated, std::shared_ptr<Callables> owner) {
  const std::size_t f = owner->functions.size();
  owner->functions.push_back(stated.function);
  owner->functions.push_back(stated.derivatives);
  BlackBoxForce force;
  force.coordinates = stated.on;
  force.uses_velocity = stated.uses_velocity;
  force.uses_time = stated.uses_time;
  const bool given = !stated.derivatives.is_none();
  force.force = [owner, f](double t, const Vec& q, const Vec& v, Vec& out) {
    return guarded(*owner,
                   [&] { read(owner->functions[f](t, array(q), array(v)), "the force", out); });
  };
  force.derivatives = [owner, f, given, by_force = force.force, uses_v = stated.uses_velocity](
                          double t, const Vec& q, const Vec& v, Mat& f_q, Mat& f_v) {
    if (given)
      return guarded(*owner, [&] {
        const nb::object both = owner->functions[f + 1](t, array(q), array(v));
        if (both.is_none() || nb::len(both) != 2)
          throw nb::value_error("jac gives two matrices, df/dq and df/dv");
        read(both[0], "df/dq", f_q);
        read(both[1], "df/dv", f_v);
      });
    // df/dx_j = (f(x + h e_j) - f(x - h e_j)) / 2h
    Vec x = q, y = v, up{q.size()}, down{q.size()};
    const auto by = [&](Vec& z, Mat& out) {
      for (Index j = 0; j < z.size(); ++j) {
        const double at = z[j], h = difference(at);
        z[j] = at + h;
        Status status = by_force(t, x, y, up);
        z[j] = at - h;
        if (status == Status::ok) status = by_force(t, x, y, down);
        z[j] = at;
        if (status != Status::ok) return status;
        out.col(j) = (up - down) / (2 * h);
      }
      return Status::ok;
    };
    const Status status = by(x, f_q);
    return status == Status::ok && uses_v ? by(y, f_v) : status;
  };
  return force;
}

void add_events(const nb::list& stated, Plan& plan, const std::shared_ptr<Callables>& owner) {
  if (nb::len(stated) > 0 && plan.curve)
    throw nb::value_error("events of a model with [jets] are formulas, no functions");
  const Index places = nb::len(stated) > 0 ? plan.system.structure().places() : 0;
  for (const nb::handle entry : stated) {
    const auto name = nb::cast<std::string>(entry[0]);
    const std::size_t f = owner->functions.size();
    owner->functions.push_back(nb::borrow(entry[1]));
    plan.run.event_functions.push_back(
        {name, [owner, f, name, places](const State& at, double& value) {
           return guarded(*owner, [&] {
             const nb::object given =
                 owner->functions[f](at.t, array(at.q.head(places)), array(at.v));
             value = event_value(given, name);
           });
         }});
  }
}

namespace {

/// M(q) q'' = f(t, q, q') - G^T lambda, g(t, q) = 0, evaluated by an object of Python
/// (taut._callables).
class CallableSystem final : public SystemImplementation {
 public:
  CallableSystem(const Structure& model, bool mass_constant, Index constraints,
                 std::shared_ptr<Callables> owner)
      : owner_{std::move(owner)} {
    Structure& s = structure_;
    s.nq = model.nq;
    s.nc = constraints;
    s.coordinates = model.coordinates;
    s.velocities = model.velocities;
    for (Index r = 0; r < s.nc; ++r)
      s.rows.push_back({.name = "g" + std::to_string(r), .equation = static_cast<int>(r)});
    s.C = s.d = Vec::Zero(s.nc);
    const auto full = [](Sparse& x, Index rows, Index columns) {
      x = Mat::Ones(rows, columns).sparseView();
      x.makeCompressed();
    };
    for (Sparse* x : {&s.M, &s.K, &s.D, &s.H}) full(*x, s.nq, s.nq);
    for (Sparse* x : {&s.G, &s.N}) full(*x, s.nc, s.nq);
    s.observables = model.observables;  // events, whose values are functions
    for (Sparse* x : {&s.observable_q, &s.observable_v}) {
      x->resize(static_cast<Index>(s.observables.size()), s.nq);
      x->makeCompressed();
    }
    s.mass_constant = mass_constant;
    s.mass_diagonal = false;
    s.force_uses_velocity = s.force_uses_time = s.constraint_uses_time = true;
    s.conservative = false;
  }

  /// Holds the GIL: a constant mass is known from the start.
  void take_mass(const Vec& q) {
    Mat M{structure_.nq, structure_.nq};
    read(functions().attr("mass")(array(q)), "M", M);
    write(M, structure_.M);
  }

  [[nodiscard]] const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    const Structure& s = structure_;
    out.M = s.M;
    out.G = s.G;
    out.N = s.N;
    out.K = s.K;
    out.D = s.D;
    out.H = s.H;
    out.observable_q = s.observable_q;
    out.observable_v = s.observable_v;
    for (Vec* x : {&out.f, &out.momentum_force, &out.momentum, &out.third}) x->setZero(s.nq);
    for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->setZero(s.nc);
    for (Vec* x : {&out.observable, &out.observable_t})
      x->setZero(static_cast<Index>(s.observables.size()));
    out.kinetic_energy = out.potential_energy = 0.0;
  }

  [[nodiscard]] Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if (asks(Target::third)) return Status::not_supported;
    // f with inertial terms is all that is known of a mass that depends on q
    if (asks(Target::momentum_force) && !structure_.mass_constant) return Status::not_supported;
    const Index nq = structure_.nq, nc = structure_.nc;
    bool finite = true;
    const auto put = [&](Target target, const char* what, Sparse& to, Index rows,
                         const auto& call) {
      if (!asks(target)) return;
      Mat dense{rows, nq};
      read(call(), what, dense);
      finite &= dense.allFinite();
      write(dense, to);
    };
    const auto take = [&](Target target, const char* what, Vec& to, const auto& call) {
      if (!asks(target)) return;
      read(call(), what, to);
      finite &= to.allFinite();
    };
    const Status status = guarded(*owner_, [&] {
      const nb::object f = functions(), q = shared_array(at.q), v = shared_array(at.v);
      const auto zero = [](Index n) { return Vec(Vec::Zero(n)); };
      const nb::object a = array(at.a != nullptr ? *at.a : zero(nq));
      const nb::object lambda = array(at.lambda != nullptr ? *at.lambda : zero(nc));
      const bool energy = asks(Target::momentum) || asks(Target::kinetic_energy);
      if (!structure_.mass_constant && (energy || asks(Target::mass))) {
        Mat M{nq, nq};
        read(f.attr("mass")(q), "M", M);
        finite &= M.allFinite();
        write(M, out.M);
      }
      if (energy) out.momentum = out.M * at.v;
      out.kinetic_energy = energy ? 0.5 * out.momentum.dot(at.v) : out.kinetic_energy;
      out.potential_energy = std::numeric_limits<double>::quiet_NaN();  // nobody has stated it
      if (asks(Target::force) || asks(Target::momentum_force)) {
        read(f.attr("force")(at.t, q, v), "f", out.f);
        finite &= out.f.allFinite();
        out.momentum_force = out.f;
      }
      if (nc > 0) {
        take(Target::constraint, "g", out.g, [&] { return f.attr("constraint")(at.t, q); });
        put(Target::constraint_jacobian, "G", out.G, nc,
            [&] { return f.attr("jacobian")(at.t, q); });
        take(Target::constraint_rate, "g_t", out.g_t, [&] { return f.attr("rate")(at.t, q); });
        take(Target::constraint_curvature, "the curvature", out.curvature,
             [&] { return f.attr("curvature")(at.t, q, v); });
        put(Target::velocity_jacobian, "d(G v)/dq", out.N, nc,
            [&] { return f.attr("velocity_jacobian")(at.t, q, v); });
      }
      put(Target::stiffness, "the stiffness", out.K, nq,
          [&] { return f.attr("stiffness")(at.t, q, v, a, lambda); });
      put(Target::damping, "the damping", out.D, nq, [&] { return f.attr("damping")(at.t, q, v); });
      put(Target::constraint_stiffness, "the stiffness of g", out.H, nq,
          [&] { return f.attr("constraint_stiffness")(at.t, q, lambda); });
    });
    if (status != Status::ok) return status;
    return finite ? Status::ok : Status::non_finite;
  }

  [[nodiscard]] Status multipliers(const Arguments& /*at*/, const Vec& lambda, Evaluation& /*out*/,
                                   Vec& all_rows) const override {
    all_rows = lambda;
    return Status::ok;
  }
  [[nodiscard]] std::string culprit(const Arguments& /*at*/) const override { return {}; }

 private:
  [[nodiscard]] const nb::object& functions() const { return owner_->functions.front(); }
  static void write(const Mat& dense, Sparse& to) {
    for (int r = 0; r < to.outerSize(); ++r)
      for (Sparse::InnerIterator it{to, r}; it; ++it) it.valueRef() = dense(r, it.col());
  }

  std::shared_ptr<Callables> owner_;
  Structure structure_;
};

}  // namespace

System system_of(nb::object functions, const Structure& model, bool mass_constant,
                 Index constraints, std::shared_ptr<Callables> owner) {
  owner->functions.push_back(std::move(functions));
  auto system = std::make_shared<CallableSystem>(model, mass_constant, constraints, owner);
  if (mass_constant) system->take_mass(Vec::Zero(model.nq));
  return System{std::move(system)};
}

void add_forces(const nb::list& forces, PreparedModel& prepared,
                const std::shared_ptr<Callables>& callables) {
  for (const nb::handle entry : forces) {
    StatedForce stated{.function = entry.attr("function"), .derivatives = entry.attr("jac")};
    for (const nb::handle name : nb::list(entry.attr("on")))
      stated.on.push_back(nb::cast<std::string>(name));
    stated.uses_velocity = nb::cast<bool>(entry.attr("uses_velocity"));
    stated.uses_time = nb::cast<bool>(entry.attr("uses_time"));
    prepared = with_force(prepared, black_box(stated, callables));
  }
}

}  // namespace taut::python
