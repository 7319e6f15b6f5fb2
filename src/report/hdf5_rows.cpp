// SPDX-License-Identifier: BSD-3-Clause
#include "report/hdf5_rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "report/hdf5_file.hpp"

namespace taut::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are written as they are in memory");

/// A descriptor that closes itself
struct Descriptor {
  explicit Descriptor(int opened) : id{opened} {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (id >= 0) ::close(id);
  }
  int id;
};

/// A file that goes with it
struct Remover {
  const std::string& file;
  ~Remover() { ::unlink(file.c_str()); }
};

bool put_at(int descriptor, const char* bytes, std::size_t count, off_t at) {
  while (count > 0) {
    const ssize_t n = ::pwrite(descriptor, bytes, count, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return true;
}

// the place of an empty table in the file; nothing good: HADDR_UNDEF
haddr_t make_table(hid_t file, const Table& table) {
  const Library& h5 = library();
  const Handle type{h5.H5Tcopy(table.text_bytes > 0 ? h5.H5T_C_S1_g_ : h5.H5T_IEEE_F64LE_g_),
                    h5.H5Tclose};
  if (!type.good() || (table.text_bytes > 0 && h5.H5Tset_size(type.id(), table.text_bytes) < 0))
    return HADDR_UNDEF;
  const std::array<hsize_t, 2> size{table.rows, table.columns};
  const Handle space{h5.H5Screate_simple(table.columns == 0 ? 1 : 2, size.data(), nullptr),
                     h5.H5Sclose};
  const Handle how{h5.H5Pcreate(h5.H5P_CLS_DATASET_CREATE_ID_g_), h5.H5Pclose};
  if (!space.good() || !how.good() || h5.H5Pset_alloc_time(how.id(), H5D_ALLOC_TIME_EARLY) < 0 ||
      h5.H5Pset_fill_time(how.id(), H5D_FILL_TIME_NEVER) < 0)
    return HADDR_UNDEF;
  const Handle data{h5.H5Dcreate2(file, table.name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                  how.id(), H5P_DEFAULT),
                    h5.H5Dclose};
  return data.good() ? h5.H5Dget_offset(data.id()) : HADDR_UNDEF;
}

/// Rows to their places, through a buffer for each table.
class Rows final : public RowWriter {
 public:
  Rows(int descriptor, const std::vector<Table>& tables, const std::vector<haddr_t>& places)
      : descriptor_{descriptor} {
    for (std::size_t k = 0; k < tables.size(); ++k)
      all_.push_back(
          {.next = static_cast<off_t>(places[k]), .width = tables[k].text_bytes, .buffer = {}});
  }
  void numbers(std::size_t table, const double* row, std::size_t count) override {
    put(all_[table], reinterpret_cast<const char*>(row), count * sizeof(double));
  }
  void text(std::size_t table, std::string_view word) override {
    std::string field{word.substr(0, all_[table].width)};
    field.resize(all_[table].width, '\0');
    put(all_[table], field.data(), field.size());
  }
  [[nodiscard]] bool finish() {
    for (One& one : all_) flush(one);
    return good_;
  }

 private:
  struct One {
    off_t next;
    std::size_t width;
    std::string buffer;
  };
  void put(One& one, const char* bytes, std::size_t count) {
    constexpr std::size_t full = 1 << 18;
    one.buffer.append(bytes, count);
    if (one.buffer.size() >= full) flush(one);
  }
  void flush(One& one) {
    good_ = good_ && put_at(descriptor_, one.buffer.data(), one.buffer.size(), one.next);
    one.next += static_cast<off_t>(one.buffer.size());
    one.buffer.clear();
  }
  int descriptor_;
  std::vector<One> all_;
  bool good_ = true;
};

// what there is in `from`, and nothing where it has holes
bool copy_what_is_there(int from, int to) {
  const off_t end = ::lseek(from, 0, SEEK_END);
  if (end < 0 || ::ftruncate(to, end) != 0) return false;
  std::array<char, 65536> piece{};
  for (off_t at = ::lseek(from, 0, SEEK_DATA); at >= 0 && at < end;) {
    const off_t hole = ::lseek(from, at, SEEK_HOLE);
    while (at < hole) {
      const auto count = std::min<std::size_t>(piece.size(), static_cast<std::size_t>(hole - at));
      const ssize_t n = ::pread(from, piece.data(), count, at);
      if (n <= 0 || !put_at(to, piece.data(), static_cast<std::size_t>(n), at)) return false;
      at += n;
    }
    at = ::lseek(from, at, SEEK_DATA);
  }
  return true;
}

}  // namespace

std::string write_rows(const std::filesystem::path& file, const std::function<bool(hid_t)>& fill,
                       const std::vector<Table>& tables,
                       const std::function<std::string(RowWriter&)>& rows) {
  const Library& h5 = library();
  if (!h5.missing.empty())
    return fmt::format("{}: cannot be written: HDF5 is not to be had ({}); take another format",
                       file.string(), h5.missing);
  h5.H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are returned, not printed
  const auto failed = [&] { return fmt::format("{}: HDF5 cannot make it", file.string()); };
  // a file for the layout alone, on a disk that has room for it
  const std::filesystem::path rooms = std::filesystem::temp_directory_path();
  std::error_code unknown;
  constexpr std::uintmax_t room = 8 << 20;
  std::string beside = (rooms / "taut_layout_XXXXXX").string();
  const Descriptor layout{::mkstemp(beside.data())};
  const Remover remover{beside};
  if (layout.id < 0 || std::filesystem::space(rooms, unknown).available < room)
    return fmt::format("{}: no room for a file of a few kilobytes", rooms.string());
  std::vector<haddr_t> places;
  {
    constexpr unsigned replaced = 2;  // H5F_ACC_TRUNC, which is a call into the library
    const Handle out{h5.H5Fcreate(beside.c_str(), replaced, H5P_DEFAULT, H5P_DEFAULT), h5.H5Fclose};
    if (!out.good() || !fill(out.id())) return failed();
    for (const Table& table : tables) {
      places.push_back(make_table(out.id(), table));
      if (places.back() == HADDR_UNDEF && table.rows > 0) return failed();
    }
    if (h5.H5Fflush(out.id(), H5F_SCOPE_GLOBAL) < 0) return failed();
  }
  AtomicFile atomic{file};
  if (std::string problem = atomic.create(); !problem.empty()) return problem;
  const Descriptor out{::open(atomic.part().c_str(), O_WRONLY | O_CLOEXEC)};
  const auto unwritten = [&] {
    return fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno));
  };
  if (out.id < 0 || !copy_what_is_there(layout.id, out.id)) return unwritten();
  Rows writer{out.id, tables, places};
  if (std::string problem = rows(writer); !problem.empty()) return problem;
  if (!writer.finish()) return unwritten();
  return atomic.commit();
}

}  // namespace taut::hdf5
