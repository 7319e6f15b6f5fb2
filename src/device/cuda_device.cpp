// SPDX-License-Identifier: BSD-3-Clause
#include "device/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

#include "device/nvrtc.hpp"
#include "device/shared_library.hpp"

namespace taut::device {
namespace {

// as cuda.h declares them
using Result = int;
using Handle = void*;  // of contexts, modules, functions, streams
using Address = std::uint64_t;

struct Driver {
  Result (*init)(unsigned) = nullptr;
  Result (*count)(int*) = nullptr;
  Result (*get)(int*, int) = nullptr;
  Result (*name)(char*, int, int) = nullptr;
  Result (*attribute)(int*, int, int) = nullptr;
  Result (*retain)(Handle*, int) = nullptr;
  Result (*use)(Handle) = nullptr;
  Result (*load)(Handle*, const void*) = nullptr;
  Result (*unload)(Handle) = nullptr;
  Result (*function)(Handle*, Handle, const char*) = nullptr;
  Result (*allocate)(Address*, std::size_t) = nullptr;
  Result (*free)(Address) = nullptr;
  Result (*to_device)(Address, const void*, std::size_t, Handle) = nullptr;
  Result (*to_host)(void*, Address, std::size_t, Handle) = nullptr;
  Result (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   Handle, void**, void**) = nullptr;
  Result (*make_stream)(Handle*, unsigned) = nullptr;
  Result (*end_stream)(Handle) = nullptr;
  Result (*wait)(Handle) = nullptr;
  Result (*message)(Result, const char**) = nullptr;
  std::string problem;

  Driver() {
    const SharedLibrary library{{"libcuda.so.1", "libcuda.so"}};
    if (!library.there()) {
      problem = "there is no libcuda.so.1, the driver of an NVIDIA GPU";
      return;
    }
    const bool all =
        library.find("cuInit", init) && library.find("cuDeviceGetCount", count) &&
        library.find("cuDeviceGet", get) && library.find("cuDeviceGetName", name) &&
        library.find("cuDeviceGetAttribute", attribute) &&
        library.find("cuDevicePrimaryCtxRetain", retain) && library.find("cuCtxSetCurrent", use) &&
        library.find("cuModuleLoadData", load) && library.find("cuModuleUnload", unload) &&
        library.find("cuModuleGetFunction", function) && library.find("cuMemAlloc_v2", allocate) &&
        library.find("cuMemFree_v2", free) && library.find("cuMemcpyHtoDAsync_v2", to_device) &&
        library.find("cuMemcpyDtoHAsync_v2", to_host) && library.find("cuLaunchKernel", launch) &&
        library.find("cuStreamCreate", make_stream) &&
        library.find("cuStreamDestroy_v2", end_stream) &&
        library.find("cuStreamSynchronize", wait) && library.find("cuGetErrorString", message);
    if (!all) {
      problem = "the driver of the GPU is too old";
      return;
    }
    int devices = 0;
    if (const Result result = init(0); result != 0)
      problem = "the driver of the GPU does not start: " + text(result);
    else if (count(&devices) != 0 || devices == 0)
      problem = "there is no GPU";
  }

  [[nodiscard]] std::string text(Result result) const {
    const char* words = nullptr;
    if (message(result, &words) != 0 || words == nullptr) return fmt::format("error {}", result);
    return words;
  }
};

const Driver& driver() {
  static const Driver found;
  return found;
}

/// Memory of the device, as large as it has ever been.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (at_ != 0) driver().free(at_);
  }
  [[nodiscard]] Result reserve(std::size_t bytes) {
    if (bytes <= bytes_) return 0;
    if (at_ != 0) driver().free(at_);
    at_ = 0;
    bytes_ = 0;
    const Result result = driver().allocate(&at_, bytes);
    if (result == 0) bytes_ = bytes;
    return result;
  }
  [[nodiscard]] Address& address() { return at_; }

 private:
  Address at_ = 0;
  std::size_t bytes_ = 0;
};

class CudaProgram final : public DeviceProgram {
 public:
  CudaProgram(Handle context, std::size_t columns, std::size_t measures)
      : context_{context}, columns_{columns}, measures_{measures} {}
  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;
  ~CudaProgram() override {
    driver().use(context_);
    for (Slot& slot : slots_)
      if (slot.stream != nullptr) {
        driver().wait(slot.stream);
        driver().end_stream(slot.stream);
      }
    if (module_ != nullptr) driver().unload(module_);
  }

  [[nodiscard]] std::string load(const std::string& code) {
    Result result = driver().load(&module_, code.data());
    if (result == 0) result = driver().function(&function_, module_, "taut_runs");
    for (Slot& slot : slots_)
      if (result == 0) result = driver().make_stream(&slot.stream, 1);
    return result == 0 ? "" : driver().text(result);
  }

  [[nodiscard]] std::string begin(Batch& batch) override {
    const std::scoped_lock lock{mutex_};
    Slot* const slot = of(nullptr);
    if (slot == nullptr) return "two batches are under way";
    driver().use(context_);
    const std::size_t in = batch.runs * columns_ * sizeof(double),
                      out = batch.runs * measures_ * sizeof(double);
    batch.out.resize(batch.runs * measures_);
    batch.how.assign(batch.runs, 0);
    Result result = slot->in.reserve(std::max<std::size_t>(in, 8));
    if (result == 0) result = slot->out.reserve(std::max<std::size_t>(out, 8));
    if (result == 0) result = slot->how.reserve(batch.runs);
    if (result == 0 && in > 0)
      result = driver().to_device(slot->in.address(), batch.in.data(), in, slot->stream);
    long long n = static_cast<long long>(batch.runs);
    std::array<void*, 4> arguments{&n, &slot->in.address(), &slot->out.address(),
                                   &slot->how.address()};
    const auto blocks = static_cast<unsigned>((batch.runs + block - 1) / block);
    if (result == 0)
      result = driver().launch(function_, blocks, 1, 1, block, 1, 1, 0, slot->stream,
                               arguments.data(), nullptr);
    if (result != 0) return driver().text(result);
    slot->batch = &batch;
    return {};
  }

  [[nodiscard]] std::string finish(Batch& batch) override {
    driver().use(context_);
    Slot* slot = nullptr;
    {
      const std::scoped_lock lock{mutex_};
      slot = of(&batch);
    }
    if (slot == nullptr) return "this batch is not under way";
    Result result = 0;
    if (!batch.out.empty())
      result = driver().to_host(batch.out.data(), slot->out.address(),
                                batch.out.size() * sizeof(double), slot->stream);
    if (result == 0)
      result = driver().to_host(batch.how.data(), slot->how.address(), batch.runs, slot->stream);
    if (result == 0) result = driver().wait(slot->stream);
    const std::scoped_lock lock{mutex_};
    slot->batch = nullptr;
    return result == 0 ? "" : driver().text(result);
  }

 private:
  struct Slot {
    Handle stream = nullptr;
    Batch* batch = nullptr;
    Memory in, out, how;
  };
  [[nodiscard]] Slot* of(const Batch* batch) {
    for (Slot& slot : slots_)
      if (slot.batch == batch) return &slot;
    return nullptr;
  }

  std::mutex mutex_;  // of which batch has which slot
  Handle context_, module_ = nullptr, function_ = nullptr;
  std::size_t columns_, measures_;
  std::array<Slot, 2> slots_;
};

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(bool contract) : contract_{contract} {}

  [[nodiscard]] std::string open() {
    int device = 0, major = 0, minor = 0;
    std::array<char, 256> name{};
    constexpr int major_attribute = 75, minor_attribute = 76;
    Result result = driver().get(&device, 0);
    if (result == 0) result = driver().name(name.data(), name.size() - 1, device);
    if (result == 0) result = driver().attribute(&major, major_attribute, device);
    if (result == 0) result = driver().attribute(&minor, minor_attribute, device);
    if (result == 0) result = driver().retain(&context_, device);
    if (result == 0) result = driver().use(context_);
    name_ = name.data();
    capability_ = 10 * major + minor;
    return result == 0 ? "" : driver().text(result);
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::size_t batch() const override { return std::size_t{1} << 18; }

  [[nodiscard]] std::unique_ptr<DeviceProgram> compile(const MotionSource& source,
                                                       std::size_t measures,
                                                       std::string& why) override {
    const std::optional<std::string> code =
        compile_cuda(source.text, {.capability = capability_, .contract = contract_}, why);
    if (!code) return nullptr;
    auto made = std::make_unique<CudaProgram>(context_, source.columns, measures);
    driver().use(context_);
    why = made->load(*code);
    return why.empty() ? std::move(made) : nullptr;
  }

 private:
  bool contract_;
  Handle context_ = nullptr;
  std::string name_;
  int capability_ = 0;
};

}  // namespace

std::unique_ptr<Device> cuda_device(bool contract, std::string& why) {
  why = driver().problem;
  if (!why.empty()) return nullptr;
  auto made = std::make_unique<CudaDevice>(contract);
  why = made->open();
  return why.empty() ? std::move(made) : nullptr;
}

}  // namespace taut::device
