// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include <algorithm>

#if TAUT_MPI
// the C interface alone
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#endif

namespace taut::cli {

#if TAUT_MPI

/// A counter at rank 0 that all others read and move, without asking it.
struct Ranks::Shared {
  MPI_Win window = MPI_WIN_NULL;
  long long* counter = nullptr;
};

namespace {

bool started_by_mpirun() {
  for (const char* const word : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(word) != nullptr) return true;
  return false;
}

}  // namespace

Ranks::Ranks() {
  if (!started_by_mpirun()) return;
  int given = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return;
  shared_ = new Shared;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  // the first one speaks for all
  if (rank_ > 0) static_cast<void>(std::freopen("/dev/null", "w", stdout));
}

Ranks::~Ranks() {
  if (shared_ == nullptr) return;
  MPI_Finalize();
  delete shared_;
}

bool Ranks::all_good(bool good) {
  if (shared_ == nullptr) return good;
  int mine = good ? 1 : 0, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all == 1;
}

void Ranks::open() {
  if (shared_ == nullptr) return;
  const MPI_Aint bytes = rank_ == 0 ? sizeof(long long) : 0;
  MPI_Win_allocate(bytes, sizeof(long long), MPI_INFO_NULL, MPI_COMM_WORLD, &shared_->counter,
                   &shared_->window);
  if (rank_ == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, shared_->window);
    *shared_->counter = 0;
    MPI_Win_unlock(0, shared_->window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, shared_->window);
}

std::optional<std::pair<std::size_t, std::size_t>> Ranks::deal(std::size_t runs) {
  if (shared_ == nullptr) return {};
  // small enough that none waits long for the last one
  const auto ranks = static_cast<std::size_t>(size_);
  const std::size_t piece = std::clamp<std::size_t>(runs / (64 * ranks), 8, 4096);
  const auto step = static_cast<long long>(piece);
  long long first = 0;
  MPI_Fetch_and_op(&step, &first, MPI_LONG_LONG, 0, 0, MPI_SUM, shared_->window);
  MPI_Win_flush(0, shared_->window);
  const auto from = static_cast<std::size_t>(first);
  if (from >= runs) return {};
  return std::pair{from, std::min(runs, from + piece)};
}

void Ranks::close() {
  if (shared_ == nullptr) return;
  MPI_Win_unlock_all(shared_->window);
  MPI_Win_free(&shared_->window);
}

#else

struct Ranks::Shared {};
Ranks::Ranks() = default;
Ranks::~Ranks() = default;
bool Ranks::all_good(bool good) { return good; }
void Ranks::open() {}
std::optional<std::pair<std::size_t, std::size_t>> Ranks::deal(std::size_t /*runs*/) { return {}; }
void Ranks::close() {}

#endif

}  // namespace taut::cli
