// SPDX-License-Identifier: BSD-3-Clause
#include "taut/core/archive.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <stdexcept>

namespace taut {
namespace {

struct Scratch {
  double h = 0.0;
  Vec f;

  void archive(Archive& archive) {
    archive.tag("scratch");
    archive(h, f);
  }
};

/// One of everything.
struct Everything {
  double number = 0.0;
  std::int64_t large = 0;
  int small = 0;
  bool truth = false;
  std::string text;
  Vec vec;
  std::vector<double> list;
  std::vector<int> integers;
  State state;
  Counters counters;
  Scratch scratch;

  void archive(Archive& archive) {
    archive.tag("everything");
    archive(number, large, small, truth, text);
    archive(vec, list, integers);
    archive(state)(counters)(scratch);
  }
};

Everything example() {
  Everything e;
  e.number = -0.0;
  e.large = std::numeric_limits<std::int64_t>::min();
  e.small = -7;
  e.truth = true;
  e.text = std::string{"l\0ng \xc3\xa4", 7};
  e.vec =
      (Vec(4) << 0.1, std::numeric_limits<double>::denorm_min(),
       -std::numeric_limits<double>::infinity(), std::bit_cast<double>(0x7ff8'0000'dead'beefULL))
          .finished();
  e.list = {1.0 / 3.0};
  e.integers = {3, -1, std::numeric_limits<int>::max()};
  e.state = {.t = 2.5, .q = Vec::LinSpaced(3, 0.0, 1.0), .v = Vec()};
  e.counters = {.steps = 1,
                .rejected = 2,
                .force_evaluations = 3,
                .constraint_evaluations = 4,
                .jacobian_evaluations = 5,
                .factorisations = 6,
                .newton_iterations = 7};
  e.scratch = {.h = 1e-3, .f = Vec::Ones(2)};
  return e;
}

std::vector<std::byte> written(Everything e) {
  Archive archive = Archive::writer();
  archive(e);
  return archive.bytes();
}

std::string failure(std::vector<std::byte> bytes) {
  try {
    Everything e;
    Archive::reader(std::move(bytes))(e);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Archive, GivesBackTheSameBits) {
  const std::vector<std::byte> bytes = written(example());
  Archive reader = Archive::reader(bytes);
  EXPECT_TRUE(reader.loading());
  EXPECT_FALSE(Archive::writer().loading());
  Everything e;
  EXPECT_FALSE(reader.at_end());
  reader(e);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(written(e), bytes);  // every item, to the bit

  EXPECT_TRUE(std::signbit(e.number));
  EXPECT_EQ(e.large, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(e.small, -7);
  EXPECT_TRUE(e.truth);
  EXPECT_EQ(e.text.size(), 7u);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(e.vec[3]), 0x7ff8'0000'dead'beefULL);
  EXPECT_EQ(e.integers.back(), std::numeric_limits<int>::max());
  EXPECT_EQ(e.state.q, Vec(Vec::LinSpaced(3, 0.0, 1.0)));
  EXPECT_EQ(e.state.v.size(), 0);
  EXPECT_EQ(e.counters.newton_iterations, 7);
  EXPECT_EQ(e.scratch.f, Vec(Vec::Ones(2)));
}

TEST(Archive, HasAFixedLayout) {
  Archive archive = Archive::writer();
  double one = 1.0;
  archive(one);
  std::vector<unsigned> found;
  for (const std::byte b : archive.bytes()) found.push_back(std::to_integer<unsigned>(b));
  found.resize(25);  // without the hash
  const std::vector<unsigned> expected{'t', 'a', 'u', 't', 1, 0, 0, 0, 9, 0, 0,    0,   0,
                                       0,   0,   0,   1,   0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
  EXPECT_EQ(found, expected);
}

TEST(Archive, FindsTruncationAtEveryPosition) {
  const std::vector<std::byte> bytes = written(example());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(failure({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}), "")
        << size;
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_NE(failure(longer), "");
  EXPECT_EQ(failure(bytes), "");
}

TEST(Archive, FindsEveryFlippedBit) {
  const std::vector<std::byte> bytes = written(example());
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> flipped = bytes;
      flipped[k] ^= std::byte{1} << bit;
      EXPECT_NE(failure(flipped), "") << k << " " << bit;
    }
}

TEST(Archive, NamesWhatDoesNotFit) {
  Archive archive = Archive::writer();
  archive.tag("verlet");
  Archive reader = Archive::reader(archive.bytes());
  try {
    reader.tag("rattle");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("\"verlet\" where \"rattle\""), std::string::npos);
  }

  int integer = 3;
  Archive other = Archive::writer();
  other(integer);
  double number = 0.0;
  try {
    Archive::reader(other.bytes())(number);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("an integer stands where a number should"),
              std::string::npos);
  }

  // reading on at the end
  Archive end = Archive::reader(other.bytes());
  end(integer);
  EXPECT_THROW(end(integer), std::runtime_error);

  // an integer too large for int
  std::int64_t large = std::int64_t{1} << 40;
  Archive wide = Archive::writer();
  wide(large);
  EXPECT_THROW(Archive::reader(wide.bytes())(integer), std::runtime_error);
}

// a size comes from the system that is run, not from a file
TEST(Archive, AVectorThatHasASizeKeepsIt) {
  Vec three = Vec::Ones(3);
  Archive archive = Archive::writer();
  archive(three);
  Vec none, same = Vec::Zero(3), other = Vec::Zero(2);
  Archive::reader(archive.bytes())(none);
  EXPECT_EQ(none, three);
  Archive::reader(archive.bytes())(same);
  EXPECT_EQ(same, three);
  try {
    Archive::reader(archive.bytes())(other);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("3 numbers stand where 2 should"), std::string::npos);
  }
  EXPECT_EQ(other.size(), 2);
}

TEST(Archive, AListCannotClaimMoreThanThereIs) {
  // forged with a valid hash: the head, one list (kind 5) of 2^60 numbers with nothing in it, hash
  const std::vector<std::byte> bytes = Archive::writer().bytes();
  std::vector<std::byte> forged(bytes.begin(), bytes.begin() + 16);
  forged[8] = std::byte{9};
  forged.push_back(std::byte{5});
  for (int k = 0; k < 7; ++k) forged.push_back(std::byte{0});
  forged.push_back(std::byte{0x10});
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte b : forged)
    hash = (hash ^ std::to_integer<std::uint64_t>(b)) * 0x00000100000001b3;
  for (int k = 0; k < 8; ++k) forged.push_back(static_cast<std::byte>(hash >> (8 * k)));
  Archive reader = Archive::reader(forged);
  Vec vec;
  try {
    reader(vec);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("longer than the whole"), std::string::npos);
  }
  EXPECT_EQ(vec.size(), 0);
}

}  // namespace
}  // namespace taut
