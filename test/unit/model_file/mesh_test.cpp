// SPDX-License-Identifier: BSD-3-Clause
// Surfaces of bodies from files beside the model: a tetrahedron in three formats is one surface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "model/mesh_file.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut {
namespace {

using ::testing::HasSubstr;

constexpr std::array<std::array<double, 3>, 4> corners{
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr std::array<std::array<int, 3>, 4> faces{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

class MeshFile : public testing::Test {
 protected:
  MeshFile() { std::filesystem::create_directories(folder_); }
  ~MeshFile() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{folder_ + name, std::ios::binary} << text;
  }
  [[nodiscard]] std::shared_ptr<const Mesh> read(const std::string& name) {
    write("model.toml", "");
    Problems problems;
    const auto mesh = read_mesh_file(folder_ + "model.toml", name, "body 1: mesh", {}, problems);
    said_ = problems.message();
    return mesh;
  }
  [[nodiscard]] std::string mistake(const std::string& name, const std::string& text) {
    write(name, text);
    EXPECT_EQ(read(name), nullptr);
    return said_;
  }

  static std::string stl() {
    std::string text = "solid t\n";
    for (const auto& face : faces) {
      text += "facet normal 0 0 0\n outer loop\n";
      for (const int k : face)
        text += "  vertex " + std::to_string(corners[std::size_t(k)][0]) + " " +
                std::to_string(corners[std::size_t(k)][1]) + " " +
                std::to_string(corners[std::size_t(k)][2]) + "\n";
      text += " endloop\nendfacet\n";
    }
    return text + "endsolid t\n";
  }
  static std::string obj() {
    std::string text = "# a tetrahedron\n";
    for (const auto& c : corners)
      text += "v " + std::to_string(c[0]) + " " + std::to_string(c[1]) + " " +
              std::to_string(c[2]) + "\n";
    text += "vn 0 0 1\nf 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\nf -4 -1 -2\nf 2 3 4\n";
    return text;
  }
  static std::string bytes() {
    std::string text = "solid, as some programs begin their bytes";
    text.resize(80, ' ');
    const auto word = [&](std::uint32_t x) {
      for (int i = 0; i < 4; ++i) text += static_cast<char>(x >> (8 * i) & 0xFF);
    };
    word(faces.size());
    for (const auto& face : faces) {
      for (int i = 0; i < 3; ++i) word(0);
      for (const int k : face)
        for (const double x : corners[std::size_t(k)])
          word(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
      text += std::string(2, '\0');
    }
    return text;
  }

  // tests run side by side
  std::string folder_ = ::testing::TempDir() + "taut_mesh_" +
                        ::testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
  std::string said_;
};

// six times the volume, which knows the orientation of each face
double volume(const Mesh& mesh) {
  double sum = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto& p = mesh.corners[std::size_t(a)];
    const auto& q = mesh.corners[std::size_t(b)];
    const auto& r = mesh.corners[std::size_t(c)];
    sum += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
           p[2] * (q[0] * r[1] - q[1] * r[0]);
  }
  return sum;
}

TEST_F(MeshFile, ThreeFormatsGiveOneSurface) {
  write("a.stl", stl());
  write("b.STL", bytes());
  write("c.obj", obj());
  for (const char* const name : {"a.stl", "b.STL", "c.obj"}) {
    const auto mesh = read(name);
    ASSERT_NE(mesh, nullptr) << said_;
    EXPECT_EQ(mesh->corners.size(), 4U) << name;
    EXPECT_EQ(mesh->triangles.size(), 4U) << name;
    EXPECT_NEAR(volume(*mesh), 1.0, 1e-12) << name;
  }
}

TEST_F(MeshFile, MistakesHaveTheirLine) {
  EXPECT_THAT(mistake("m.obj", "v 0 0 0\nv 1 0 x\n"), HasSubstr("line 2: \"x\" is not a number"));
  EXPECT_THAT(mistake("m.obj", "v 0 0 0\nf 1 2 3\n"), HasSubstr("line 2: \"2\" is none of the 1"));
  EXPECT_THAT(mistake("m.obj", "v 0 0 0\n"), HasSubstr("has no triangles"));
  EXPECT_THAT(mistake("m.stl", "solid\nfacet\nvertex 0 0\n"), HasSubstr("line 3: has 2 numbers"));
  EXPECT_THAT(mistake("m.stl", "solid\nvertex 0 0 0\n"), HasSubstr("in the middle of a facet"));
  EXPECT_THAT(mistake("m.stl", "GIF89a"), HasSubstr("is neither STL"));
  EXPECT_THAT(mistake("m.png", ""), HasSubstr("ends neither in .stl nor in .obj"));
  EXPECT_EQ(read("../m.obj"), nullptr);
  EXPECT_THAT(said_, HasSubstr("is not a plain name"));
  EXPECT_EQ(read("none.obj"), nullptr);
  EXPECT_THAT(said_, HasSubstr("there is no file none.obj"));
}

TEST_F(MeshFile, IsHowABodyIsDrawn) {
  write("part.stl", stl());
  write("model.toml", R"toml(
[[body]]
name = "part"
mass = 1
inertia = [1, 1, 1]
mesh = "part.stl"
mesh_scale = 0.001
)toml");
  Problems problems{folder_ + "model.toml"};
  const Model model = read_model_file(folder_ + "model.toml", problems);
  const CompiledModel compiled = compile(model, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  ASSERT_EQ(compiled.scene.bodies.size(), 1U);
  const Scene::Body& body = compiled.scene.bodies.front();
  EXPECT_EQ(body.shape, Scene::Body::Shape::mesh);
  EXPECT_EQ(body.box[2], 0.001);
  ASSERT_NE(body.mesh, nullptr);
  EXPECT_EQ(body.mesh->triangles.size(), 4U);
}

}  // namespace
}  // namespace taut
