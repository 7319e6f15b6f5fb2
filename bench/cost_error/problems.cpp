// SPDX-License-Identifier: BSD-3-Clause
#include "problems.hpp"

#include <initializer_list>
#include <stdexcept>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"

namespace taut::bench {
namespace {

Vec vec(std::initializer_list<double> x) {
  return Eigen::Map<const Vec>(x.begin(), static_cast<Index>(x.size()));
}

Problem load(const std::string& models, const std::string& file) {
  Problems mistakes;
  const Model model = read_model_file(models + '/' + file, mistakes);
  const CompiledModel compiled = compile(model, mistakes);
  if (!mistakes.empty()) throw std::runtime_error{file + " has mistakes: run 'taut check' on it"};
  const Start start = consistent_start(compiled.system, compiled.given);
  if (start.status != Status::ok) throw std::runtime_error{file + ": " + start.reason};
  return {.name = model.name,
          .system = compiled.system,
          .start = start.state,
          .until = compiled.run.until.value()};
}

}  // namespace

std::vector<Problem> problems(const std::string& models) {
  Problem pendulum = load(models, "pendulum.toml");
  pendulum.q = vec({8.67348640600439321734308e-01, 4.97701050479672929353713e-01});
  pendulum.v = vec({-3.37480180609545196091413e-02, 5.88130114652500075408496e-02});
  pendulum.lambda = vec({-4.93103151439018788061138e-01});

  Problem car = load(models, "car_axis.toml");
  car.q = vec({4.934557842752409213153e-02, 4.969894602300081067629e-01,
               1.041742524885426115195e+00, 3.739110272653658193579e-01});
  car.v = vec({-7.705836840359208428394e-02, 7.446866592068416491402e-03,
               1.755681575354173662974e-02, 7.703410437796010631206e-01});
  car.lambda = vec({-4.736886590853326515313e-03, -1.104680331259565839861e-03});

  Problem andrews = load(models, "andrews.toml");
  andrews.q =
      vec({1.581077119515370709712e+01, -1.575637105841183946973e+01, 4.082224011964580485828e-02,
           -5.347301163420795937702e-01, 5.244099658799540693717e-01, 5.347301163420795937702e-01,
           1.048080741041937873069e+00});
  andrews.v =
      vec({1.139920302259106064198e+03, -1.424379295177540073196e+03, 1.103291191061859374533e+01,
           1.929337410503204083163e+01, 5.735699148295024538177e-01, -1.929337410503204083163e+01,
           3.231791492491308749907e-01});
  andrews.lambda =
      vec({1.991753481045386281862e+02, -2.975530997497176332442e+01, 2.306654361162215112862e+01,
           3.145272527577113707538e+01, 2.264249478639437857771e+01, 1.161739235261125590680e+01});
  return {std::move(pendulum), std::move(car), std::move(andrews)};
}

}  // namespace taut::bench
