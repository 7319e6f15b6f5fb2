// SPDX-License-Identifier: BSD-3-Clause
#include "model/familiar_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace taut::model_file {
namespace {

struct Familiar {
  std::string_view words;  ///< with blanks around each
  std::string_view meant;
};

constexpr std::string_view in_motor =
    "a motor is a key of its [[joint]]: torque or force, an expression, or angle or travel, a "
    "prescribed motion";
constexpr std::string_view in_gear =
    "a belt is a [[gear]] between two hinges, by their names: ratio is the radius of the second "
    "over that of the first; with a compliance it gives way";

constexpr std::array sections{
    Familiar{" belt pulley toothed_belt chain_drive ", in_gear},
    Familiar{" rack pinion rack_and_pinion ",
             "a rack is a [[gear]] between a slider and a hinge, by their names: ratio is the "
             "radius [m]"},
    Familiar{" transmission gearbox differential planetary gear_train ",
             "gears are [[gear]]s between hinges, by their names, one for each pair that meshes"},
    Familiar{" motor actuator drive servo engine motion driver ", in_motor},
    Familiar{" controller pid regulator filter transfer_function ",
             "a controller is an expression: its integral is one of [states], what it does the "
             "torque of a [[joint]], or a [[force]]"},
    Familiar{" wheel tyre tire disc disk ",
             "a wheel is a [[body]]; that it does not slip is said by [[rolling]], what it touches "
             "by [[constraint]] or [[contact]]"},
    Familiar{" nonholonomic skate knife_edge no_slip velocity_constraint ",
             "write [[rolling]] with zero = \"...\", an expression that is affine in velocities"},
    Familiar{" rope cable wire string strut distance distance_constraint ",
             "write [[rod]]; where it may go slack, see lambda(...) in the manual of multipliers"},
    Familiar{" friction ", "friction is a key of [[joint]] and of [[contact]]"},
    Familiar{" clutch brake ",
             "a clutch is a torque between two bodies: write [[torque]] with against, and "
             "sign(slip) in its value"},
    Familiar{
        " bushing mount ",
        "a bushing is a [[joint]] with a compliance, a rotational_compliance and their damping"},
    Familiar{" bearing mate connection connector constraint_joint ",
             "write [[joint]] with its kind"},
    Familiar{" torsion_spring rotational_spring spring_damper torsional_spring ",
             "stiffness and damping are keys of a [[joint]]; between points they are [[spring]] "
             "and [[damper]]"},
    Familiar{" sensor measure measurement probe signal_out result ", "did you mean [outputs]?"},
    Familiar{" moment couple ", "did you mean [[torque]]?"},
    Familiar{" collision impact ",
             "write [[contact]], with a stiffness, or an [[event]] whose then changes velocities"},
    Familiar{" limit endstop bumper limit_stop ", "write [[stop]], or limits of a [[joint]]"},
    Familiar{" particle mass point_mass node ", "did you mean [points]?"},
    Familiar{" variable constant param const ", "did you mean [parameters]?"},
    Familiar{" function curve lookup map spline lookup_table interpolation data ",
             "a function is one of [tables], given by numbers, or of [definitions]"},
    Familiar{" rigid_body rigidbody part solid ", "did you mean [[body]]?"},
    Familiar{" ground world base_frame ", "it needs no section: joints name \"ground\""},
    Familiar{" marker frame ", "markers are a key of [[body]]"},
    Familiar{" simulation solver setting option integrator analysis ", "did you mean [run]?"},
    Familiar{" initial initial_condition ic ", "did you mean [start]?"},
    Familiar{" control signal ", "did you mean [inputs]?"},
    Familiar{" switch reset ", "write [[event]], with then = { ... }"},
    Familiar{" cam cam_follower ",
             "a cam is a point-on-curve [[joint]], or a [[constraint]] with one of [tables]"},
    Familiar{" geometry visual graphic shape ",
             "shape and color are keys of [[body]]; other lines go to [[drawing.line]]"},
    Familiar{" hinge revolute pin rotational rotary ", "write [[joint]] with kind = \"hinge\""},
    Familiar{" slider prismatic translational ", "write [[joint]] with kind = \"slider\""},
    Familiar{" ball spherical ", "write [[joint]] with kind = \"ball\""},
    Familiar{" universal cardan hooke ", "write [[joint]] with kind = \"universal\""},
    Familiar{" cylindrical ", "write [[joint]] with kind = \"cylindrical\""},
    Familiar{" planar ", "write [[joint]] with kind = \"planar\""},
    Familiar{" screw helical ", "write [[joint]] with kind = \"screw\""},
    Familiar{" fixed weld rigid bracket ", "write [[joint]] with kind = \"fixed\""},
};

struct FamiliarKey {
  std::string_view sections, words, meant;
};

constexpr std::array keys{
    FamiliarKey{" body ", " angle orientation theta attitude angle_axis ", "rotation"},
    FamiliarKey{" body ", " omega angular_velocity angular_speed w rate ", "spin"},
    FamiliarKey{" body points joint contact ",
                " position pos location place origin com center centre x0 ", "at"},
    FamiliarKey{" body ", " moment_of_inertia moments i j tensor inertia_tensor ", "inertia"},
    FamiliarKey{" body points rod coordinates ", " m ", "mass"},
    FamiliarKey{" body points coordinates ", " v v0 vel speed initial_velocity ", "velocity"},
    FamiliarKey{" body ", " geometry visual ", "shape"},
    FamiliarKey{" body ", " points frames ", "markers"},
    FamiliarKey{" joint gear ", " parent child bodies body connects joints joint ", "between"},
    FamiliarKey{" joint ", " direction z dir axis1 axis_of_rotation ", "axis"},
    FamiliarKey{" joint ", " axis2 ", "second_axis"},
    FamiliarKey{" joint ", " type ", "kind"},
    FamiliarKey{" joint ", " lead ", "pitch"},
    FamiliarKey{" joint ", " rest_angle free_angle rest_length free_length ", "rest"},
    FamiliarKey{" joint ", " limit range bounds ", "limits"},
    FamiliarKey{" joint ", " motor moment tau ", "torque"},
    FamiliarKey{" joint ", " initial initial_angle angle0 ", "start"},
    FamiliarKey{" joint spring stop contact bond angle ", " k spring_constant rate ", "stiffness"},
    FamiliarKey{" joint damper rod ", " c d viscosity coefficient ", "damping"},
    FamiliarKey{" joint contact ", " mu coulomb friction_coefficient ", "friction"},
    FamiliarKey{" spring rod bond ",
                " rest_length l l0 free_length natural_length unstretched_length rest ", "length"},
    FamiliarKey{" spring rod damper bond ", " from to ends points bodies connects a b ", "between"},
    FamiliarKey{" force torque ", " body point target acts_on marker coordinate ", "on"},
    FamiliarKey{" force torque ", " force torque f magnitude vector components ", "value"},
    FamiliarKey{" force torque ", " axes reference relative_to coordinates ", "frame"},
    FamiliarKey{" torque ", " reaction reaction_on second ", "against"},
    FamiliarKey{" gravity ", " g value vector gravity ", "acceleration"},
    FamiliarKey{" contact ", " normal ", "plane"},
    FamiliarKey{" contact ", " e youngs_modulus modulus ", "young"},
    FamiliarKey{" contact ", " nu ", "poisson"},
    FamiliarKey{" contact ", " spheres points bodies ", "among"},
    FamiliarKey{" gear ", " n teeth ", "ratio"},
    FamiliarKey{" stop ", " min low lowest minimum ", "lower"},
    FamiliarKey{" stop ", " max high highest maximum ", "upper"},
    FamiliarKey{" run ", " end stop duration tend t_end time t1 final_time ", "until"},
    FamiliarKey{" run ", " dt step_size timestep time_step h ", "step"},
    FamiliarKey{" run ", " solver integrator ", "method"},
    FamiliarKey{" run ", " tolerance rtol reltol accuracy ", "tol"},
    FamiliarKey{" run ", " output_step sample dt_out ", "every"},
    FamiliarKey{" states ", " derivative der equation ", "rate"},
    FamiliarKey{" states coordinates ", " initial value start ", "at"},
    FamiliarKey{" event ", " condition when expression function trigger ", "zero"},
    FamiliarKey{" event ", " do set actions reset ", "then"},
    FamiliarKey{" tables ", " interpolation method ", "kind"},
    FamiliarKey{" tables ", " extrapolation ", "outside"},
};

bool among(std::string_view words, std::string_view word) {
  return words.find(fmt::format(" {} ", word)) != words.npos;
}

std::string lower_case(std::string_view word) {
  std::string result{word};
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

std::string familiar_section(std::string_view word) {
  const std::string lower = lower_case(word);
  const std::string one = lower.ends_with('s') ? lower.substr(0, lower.size() - 1) : lower;
  for (const Familiar& familiar : sections)
    if (among(familiar.words, lower) || among(familiar.words, one))
      return std::string{familiar.meant};
  return {};
}

std::string_view familiar_key(std::string_view section, std::string_view word) {
  const std::string lower = lower_case(word);
  for (const FamiliarKey& key : keys)
    if (among(key.sections, section) && among(key.words, lower)) return key.meant;
  return {};
}

}  // namespace taut::model_file
