// SPDX-License-Identifier: BSD-3-Clause
// What is refused of bodies in the plane, joints, gears and torques: once, with a remedy.
#include "support.hpp"

namespace taut::test {
namespace {

struct JointMistake {
  const char* name;
  std::string toml;
  const char* what;
  const char* remedy;
};
class JointMistakes : public testing::TestWithParam<JointMistake> {};

TEST_P(JointMistakes, AreReportedOnceWithARemedy) {
  Problems problems{"test.toml"};
  const Model model = read_model(GetParam().toml, problems);
  [[maybe_unused]] const CompiledModel unused = compile(model, problems);
  const auto found = problems.sorted();
  ASSERT_EQ(found.size(), 1U) << problems.message();
  EXPECT_GT(found[0].at.line, 0);
  EXPECT_NE(found[0].what.find(GetParam().what), std::string::npos) << found[0].what;
  EXPECT_NE(found[0].remedy.find(GetParam().remedy), std::string::npos) << found[0].remedy;
}

const std::string flat_body = "[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n";
const std::string full_body = "[[body]]\nname = \"c\"\nmass = 1\ninertia = [1, 1, 1]\n";
const std::string flat_joint =
    flat_body + "[[joint]]\nname = \"j\"\nbetween = [\"ground\", \"b\"]\nat = [0, 0]\n";
const std::string full_joint = full_body +
                               "[[joint]]\nname = \"j\"\nbetween = [\"ground\", \"c\"]\n"
                               "at = [0, 0, 0]\naxis = [0, 0, 1]\n";

INSTANTIATE_TEST_SUITE_P(
    All, JointMistakes,
    testing::Values(
        JointMistake{"PlanarAt", flat_body + "at = [1, 2, 3]\n", "has 3 components", "give two"},
        JointMistake{"PlanarSpin", flat_body + "spin = [1, 2, 3]\n", "has 3 numbers", "give one"},
        JointMistake{"PlanarEuler", flat_body + "euler = [1, 2, 3]\n", "one angle", "rotation"},
        JointMistake{"NoInertia", "[[body]]\nname = \"b\"\nmass = 1\ninertia = 0\n", "0 is not > 0",
                     "inertia"},
        JointMistake{"Shape", full_body + "shape = { box = [1, 2] }\n", "is no shape", "cylinder"},
        JointMistake{"Color", full_body + "color = \"rgb(1)\"\n", "is no colour", "#rrggbb"},
        JointMistake{"Quaternion", full_body + "quaternion = [1, 0, 0, 0.01]\n",
                     "has the length 1.00005", "unit quaternion"},
        JointMistake{"Axes", full_body + "axes = { x = [1, 0, 0], y = [0.6, 0.8, 0] }\n",
                     "right angles", "unit vectors"},
        JointMistake{"TwoOrientations", full_body + "euler = [1, 0, 0]\nrotation = [1, 0, 0]\n",
                     "more than once", "give one of"},
        JointMistake{"OnlyInSpace", flat_joint + "kind = \"universal\"\n", "exists in space only",
                     "hinge, slider"},
        JointMistake{"MixedDimensions",
                     flat_body + full_body +
                         "[[joint]]\nkind = \"ball\"\nbetween = [\"b\", \"c\"]\nat = [0, 0]\n",
                     "one side moves in the plane", "bodies in space"},
        JointMistake{"NoPlace",
                     flat_body + "[[joint]]\nkind = \"pin\"\nbetween = [\"ground\", "
                                 "\"b\"]\n",
                     "is missing", "markers"},
        JointMistake{"NoPitch", full_joint + "kind = \"screw\"\n", "has a pitch", "one turn"},
        JointMistake{"NotASecondAxis",
                     full_joint + "kind = \"universal\"\nsecond_axis = [0, 1, 1]\n", "cross",
                     "right angles"},
        JointMistake{"TorqueOnASlider", full_joint + "kind = \"slider\"\ntorque = 1\n",
                     "does not turn", "hinges"},
        JointMistake{"TwoCoordinates", full_joint + "kind = \"cylindrical\"\nstiffness = 1\n",
                     "has 1 number where this joint has 2 coordinates", "[travel, angle]"},
        JointMistake{"RestWithoutSpring", flat_joint + "kind = \"hinge\"\nrest = 1\n", "no spring",
                     "stiffness"},
        JointMistake{"LimitsInOrder",
                     flat_joint + "kind = \"hinge\"\nlimits = [2, 1]\nlimit_stiffness = 1\n",
                     "in order", "lowest"},
        JointMistake{"SoftLimits", flat_joint + "kind = \"hinge\"\nlimits = [1, 2]\n",
                     "belong together", "give both"},
        JointMistake{"TravelOfAHinge",
                     flat_joint + "kind = \"hinge\"\n[[invariant]]\nvalue = \"travel(j)\"\n",
                     "does not slide", "sliders"},
        JointMistake{"UnknownJoint",
                     flat_joint + "kind = \"hinge\"\n[[invariant]]\nvalue = \"angle(jj)\"\n",
                     "unknown joint 'jj'", "'j'"},
        JointMistake{
            "GearOfNothing",
            flat_joint + "kind = \"hinge\"\n[[gear]]\nbetween = [\"j\", \"jj\"]\nratio = 2\n",
            "no joint 'jj'", "'j'"},
        JointMistake{"JointWithAMistake",
                     full_body + "[[joint]]\nname = \"j\"\nkind = \"hinge\"\nbetween = "
                                 "[\"ground\", \"c\"]\nat = [0, 0, 0]\n[[invariant]]\nvalue = "
                                 "\"angle(j)\"\n",
                     "direction of its axis", "not all zero"},
        JointMistake{"BadRepeat", flat_joint + "kind = \"hinge\"\nrepeat = { k = \"1:n\" }\n",
                     "unknown name 'n'", ""},
        JointMistake{"TorqueOfThree", flat_body + "[[torque]]\non = \"b\"\nvalue = [1, 2, 3]\n",
                     "has 3 components", "one for a body in the plane"},
        JointMistake{"TorqueOnNothing", flat_body + "[[torque]]\non = \"bb\"\nvalue = 1\n",
                     "no body 'bb'", "'b'"},
        JointMistake{"FrameOfAPoint",
                     "[points]\np = { mass = 1, at = [0, 0] }\n[[force]]\non = \"p\"\nvalue = [1, "
                     "2]\nframe = \"body\"\n",
                     "does not act on a body", "name of the body"},
        JointMistake{"WordOfOthers", full_joint + "kind = \"weld\"\n", "is \"weld\"",
                     "did you mean \"fixed\"?"},
        JointMistake{"World",
                     flat_body + "[[joint]]\nkind = \"pin\"\nbetween = [\"world\", \"b\"]\nat = "
                                 "[0, 0]\n",
                     "no body 'world'", "did you mean 'ground'?"},
        JointMistake{"KeyOfOthers",
                     flat_body + "[[joint]]\nkind = \"pin\"\nbodies = [\"ground\", \"b\"]\nat = "
                                 "[0, 0]\n",
                     "\"bodies\" is not a key", "did you mean between?"},
        JointMistake{"HalfATurnOff", full_joint + "kind = \"hinge\"\nangle = \"pi + t\"\n",
                     "begins at 3.14159265 rad, and the joint at 0", "start = 3.14159265"},
        JointMistake{"SpringToTheGround",
                     full_body + "[[spring]]\nbetween = [\"ground\", \"c\"]\nstiffness = 1\n",
                     "there is no point or anchor 'ground'", "did you mean 'origin'?"},
        JointMistake{"UnitOfASlider", flat_joint + "kind = \"pin\"\nstiffness = \"10 N/m\"\n",
                     "is a stiffness; must be in N m", "give it in N m"},
        JointMistake{
            "UnitOfAHinge",
            flat_joint + "kind = \"slider\"\naxis = [1, 0]\nstiffness = 5\nrest = \"10 deg\"\n",
            "is an angle; must be in m", "give it in m"},
        JointMistake{"AngleAsAField", flat_joint + "kind = \"pin\"\ntorque = \"-j.angle\"\n",
                     "unknown name 'j.angle'", "write angle(j)"},
        JointMistake{"LoadInAFormula", flat_joint + "kind = \"pin\"\n[outputs]\nf = \"j.fx\"\n",
                     "is a column of the results", "lambda(j x)"},
        JointMistake{"AngularVelocity", full_body + "[outputs]\nw = \"c.omega\"\n",
                     "unknown name 'c.omega'", "c.w1, c.w2, c.w3"},
        JointMistake{"AngularVelocityInThePlane", flat_body + "[outputs]\nw = \"b.omega\"\n",
                     "unknown name 'b.omega'", "write v(b.angle)"},
        JointMistake{"Acceleration", full_body + "[outputs]\na = \"c.ax\"\n",
                     "is a column of the results", "positions, velocities"},
        JointMistake{"ForceOnAJoint",
                     flat_joint + "kind = \"pin\"\n[[force]]\non = \"j\"\nvalue = 1\n",
                     "there is no 'j'", "torque and force of a motor are keys of it"},
        JointMistake{"MisspeltColor", full_body + "color = \"stealblue\"\n", "is no colour",
                     "did you mean 'steelblue'?"},
        JointMistake{"Plural",
                     flat_body + "[[joints]]\nkind = \"pin\"\nbetween = [\"ground\", "
                                 "\"b\"]\nat = [0, 0]\n",
                     "is not a section", "did you mean [[joint]]?"}),
    [](const auto& mistake) { return mistake.param.name; });

}  // namespace
}  // namespace taut::test
