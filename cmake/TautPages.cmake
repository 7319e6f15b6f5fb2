# The pages that taut writes: libraries from npm, bundled with web/src into one C++ source.
find_program(taut_NODE NAMES node nodejs REQUIRED)
find_program(taut_NPM NAMES npm REQUIRED)
set(taut_NODE_MODULES ${CMAKE_CURRENT_BINARY_DIR}/web/node_modules)

# taut_pages(target): compiles the pages into the target
function(taut_pages target)
  set(web ${PROJECT_SOURCE_DIR}/web)
  set(here ${CMAKE_CURRENT_BINARY_DIR}/web)
  file(MAKE_DIRECTORY ${here})
  add_custom_command(
    OUTPUT ${here}/installed
    COMMAND ${CMAKE_COMMAND} -E copy ${web}/package.json ${web}/package-lock.json ${web}/.npmrc ${here}
    COMMAND ${taut_NPM} ci --prefer-offline --no-progress --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${here}/installed
    WORKING_DIRECTORY ${here}
    DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc
    COMMENT "Installing the libraries of the pages"
    VERBATIM)
  add_custom_command(
    OUTPUT ${here}/page_assets.cpp
    COMMAND ${taut_NODE} ${web}/build.mjs ${taut_NODE_MODULES} ${here}/page_assets.cpp
    DEPENDS ${here}/installed ${web}/build.mjs
    DEPFILE ${here}/page_assets.cpp.d  # whatever the pages import
    COMMENT "Bundling the pages"
    VERBATIM)
  target_sources(${target} PRIVATE ${here}/page_assets.cpp)
  set_source_files_properties(${here}/page_assets.cpp TARGET_DIRECTORY ${target} PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src/report SKIP_PRECOMPILE_HEADERS ON
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
