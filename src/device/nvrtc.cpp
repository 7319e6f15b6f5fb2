// SPDX-License-Identifier: BSD-3-Clause
#include "device/nvrtc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "device/shared_library.hpp"

namespace taut::device {
namespace {

// as nvrtc.h declares them
using Program = void*;
using Result = int;

struct Nvrtc {
  Result (*create)(Program*, const char* source, const char* name, int headers,
                   const char* const* texts, const char* const* names) = nullptr;
  Result (*compile)(Program, int count, const char* const* options) = nullptr;
  Result (*code_size)(Program, std::size_t*) = nullptr;
  Result (*code)(Program, char*) = nullptr;
  Result (*log_size)(Program, std::size_t*) = nullptr;
  Result (*log)(Program, char*) = nullptr;
  Result (*destroy)(Program*) = nullptr;
  Result (*count_architectures)(int*) = nullptr;
  Result (*architectures)(int*) = nullptr;
  const char* (*message)(Result) = nullptr;
  std::string problem;

  Nvrtc() {
    const char* const file = std::getenv("TAUT_NVRTC");
    std::vector<std::string> files;
    if (file != nullptr)
      files.emplace_back(file);
    else
      files = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
    const SharedLibrary library{files};
    if (!library.there()) {
      problem = file != nullptr
                    ? fmt::format("TAUT_NVRTC names {}, which cannot be loaded", file)
                    : "there is no libnvrtc.so, CUDA's compiler: install CUDA or the wheel "
                      "nvidia-cuda-nvrtc-cu12, and give the file as TAUT_NVRTC";
      return;
    }
    const bool all =
        library.find("nvrtcCreateProgram", create) &&
        library.find("nvrtcCompileProgram", compile) &&
        library.find("nvrtcGetCUBINSize", code_size) && library.find("nvrtcGetCUBIN", code) &&
        library.find("nvrtcGetProgramLogSize", log_size) &&
        library.find("nvrtcGetProgramLog", log) && library.find("nvrtcDestroyProgram", destroy) &&
        library.find("nvrtcGetNumSupportedArchs", count_architectures) &&
        library.find("nvrtcGetSupportedArchs", architectures) &&
        library.find("nvrtcGetErrorString", message);
    if (!all) problem = "libnvrtc is older than CUDA 11.2";
  }
};

const Nvrtc& nvrtc() {
  static const Nvrtc found;
  return found;
}

}  // namespace

std::optional<std::string> compile_cuda(const std::string& source, const CudaOptions& options,
                                        std::string& why) {
  const Nvrtc& library = nvrtc();
  why = library.problem;
  if (!why.empty()) return std::nullopt;
  int count = 0;
  std::vector<int> known;
  if (library.count_architectures(&count) == 0) {
    known.resize(static_cast<std::size_t>(count));
    if (library.architectures(known.data()) != 0) known.clear();
  }
  if (std::find(known.begin(), known.end(), options.capability) == known.end()) {
    why = fmt::format("this libnvrtc does not know devices of compute capability {}.{}",
                      options.capability / 10, options.capability % 10);
    return std::nullopt;
  }
  const std::string architecture = fmt::format("--gpu-architecture=sm_{}", options.capability);
  const char* const words[] = {
      architecture.c_str(), options.contract ? "--fmad=true" : "--fmad=false", "--std=c++17", "-w"};
  Program program = nullptr;
  Result result = library.create(&program, source.c_str(), "taut_runs.cu", 0, nullptr, nullptr);
  if (result == 0) result = library.compile(program, std::size(words), words);
  std::optional<std::string> code;
  if (result == 0) {
    std::size_t size = 0;
    result = library.code_size(program, &size);
    code.emplace(size, '\0');
    if (result == 0) result = library.code(program, code->data());
  }
  if (result != 0) {
    code.reset();
    std::size_t size = 0;
    std::string log;
    if (program != nullptr && library.log_size(program, &size) == 0) {
      log.assign(size, '\0');
      if (library.log(program, log.data()) != 0) log.clear();
    }
    why = fmt::format("NVRTC: {}: {}", library.message(result), log.c_str());
  }
  if (program != nullptr) library.destroy(&program);
  return code;
}

}  // namespace taut::device
