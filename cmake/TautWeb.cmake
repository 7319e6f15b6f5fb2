# taut for a browser: the library as WebAssembly (preset `web`), with what of it a page needs. The
# libraries it stands on are headers; those of the system's own C library must not come with them.
set(taut_WEB_HEADERS ${CMAKE_CURRENT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${taut_WEB_HEADERS})

# taut_web_headers(target folder...): a target for these folders, which stand in one of the host's
function(taut_web_headers target)
  foreach(folder IN LISTS ARGN)
    find_path(${folder}_FOUND_IN ${folder} PATHS /usr/local/include /usr/include
              PATH_SUFFIXES eigen3 NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(CREATE_LINK ${${folder}_FOUND_IN}/${folder} ${taut_WEB_HEADERS}/${folder} SYMBOLIC)
  endforeach()
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${taut_WEB_HEADERS})
endfunction()

taut_web_headers(Eigen3::Eigen Eigen)
taut_web_headers(fmt::fmt fmt)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
taut_web_headers(nlohmann_json::nlohmann_json nlohmann)
taut_web_headers(tomlplusplus::tomlplusplus toml++)
taut_web_headers(taut_random123 Random123)
set(Random123_INCLUDE_DIR ${taut_WEB_HEADERS} CACHE PATH "")

# what this compiler's library does not have yet
add_compile_options(-fwasm-exceptions -include ${PROJECT_SOURCE_DIR}/web/engine/missing.hpp)
add_link_options(-fwasm-exceptions)

# Random123 knows no such processor; that it takes it for another one changes no number
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/random.cpp PROPERTIES
  COMPILE_DEFINITIONS __s390x__ SKIP_UNITY_BUILD_INCLUSION ON)
