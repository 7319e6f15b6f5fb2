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

Problem build(Model model, const std::string& what, Problems& mistakes,
              const std::vector<std::pair<std::string, double>>& parameters) {
  for (const auto& [name, value] : parameters)
    if (!model.set(name, value)) throw std::runtime_error{what + " has no parameter " + name};
  const CompiledModel compiled = compile(model, mistakes);
  mistakes.throw_if_any();
  const Start start = consistent_start(compiled.system, compiled.given);
  if (start.status != Status::ok) throw std::runtime_error{what + ": " + start.reason};
  return {.name = model.name,
          .system = compiled.system,
          .start = start.state,
          .until = compiled.run.until.value()};
}

}  // namespace

Problem load(const std::string& models, const std::string& file,
             const std::vector<std::pair<std::string, double>>& parameters) {
  Problems mistakes{file};
  return build(read_model_file(models + '/' + file, mistakes), file, mistakes, parameters);
}

Problem from_text(const std::string& toml,
                  const std::vector<std::pair<std::string, double>>& parameters) {
  Problems mistakes;
  return build(read_model(toml, mistakes), "this model", mistakes, parameters);
}

Problem pendulum(const std::string& models) {
  Problem problem = load(models, "pendulum.toml");
  problem.q = vec({8.67348640600439321734308e-01, 4.97701050479672929353713e-01});
  problem.v = vec({-3.37480180609545196091413e-02, 5.88130114652500075408496e-02});
  problem.lambda = vec({-4.93103151439018788061138e-01});
  return problem;
}

Problem car_axis(const std::string& models) {
  Problem problem = load(models, "car_axis.toml");
  problem.q = vec({4.934557842752409213153e-02, 4.969894602300081067629e-01,
                   1.041742524885426115195e+00, 3.739110272653658193579e-01});
  problem.v = vec({-7.705836840359208428394e-02, 7.446866592068416491402e-03,
                   1.755681575354173662974e-02, 7.703410437796010631206e-01});
  problem.lambda = vec({-4.736886590853326515313e-03, -1.104680331259565839861e-03});
  return problem;
}

Problem andrews(const std::string& models) {
  Problem problem = load(models, "andrews.toml");
  problem.q =
      vec({1.581077119515370709712e+01, -1.575637105841183946973e+01, 4.082224011964580485828e-02,
           -5.347301163420795937702e-01, 5.244099658799540693717e-01, 5.347301163420795937702e-01,
           1.048080741041937873069e+00});
  problem.v =
      vec({1.139920302259106064198e+03, -1.424379295177540073196e+03, 1.103291191061859374533e+01,
           1.929337410503204083163e+01, 5.735699148295024538177e-01, -1.929337410503204083163e+01,
           3.231791492491308749907e-01});
  problem.lambda =
      vec({1.991753481045386281862e+02, -2.975530997497176332442e+01, 2.306654361162215112862e+01,
           3.145272527577113707538e+01, 2.264249478639437857771e+01, 1.161739235261125590680e+01});
  return problem;
}

Problem pleiades(const std::string& models) {
  Problem problem = load(models, "pleiades.toml");
  // s1.x, s1.y, s2.x, ...
  problem.q = vec(
      {3.7061391439705129009395e-01, -3.9434375855173920552779e+00, 3.2372840920572330928033e+00,
       -3.2713809739725499280207e+00, -3.2225590324183233471001e+00, 5.2250818434565441924387e+00,
       6.5970914557753083593500e-01, -2.5906124349774695108112e+00, 3.4255817071565797903774e-01,
       1.1982136933922746375140e+00, 1.5621721014006310160457e+00, -2.4296823449358234091611e-01,
       -7.0030929222124953851473e-01, 1.0914492404289797478821e+00});
  problem.v = vec(
      {3.4170038063143147522919e+00, -3.7412449612340084712047e+00, 1.3545845016255012214770e+00,
       3.7734596857506290365583e-01, -2.5900655978107754196186e+00, 9.3868588695510788869468e-01,
       2.0250537347142411064850e+00, 3.6679222272005698666964e-01, -1.1558151001604490927119e+00,
       -3.4740463538084943660072e-01, -8.0729881702230217256597e-01, 2.3449154481809369231423e+00,
       5.9523963542087187666079e-01, -1.9470204342632919006743e+00});
  return problem;
}

}  // namespace taut::bench
