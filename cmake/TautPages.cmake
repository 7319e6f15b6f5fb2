# The pages that taut writes: libraries from npm, bundled with web/src into one C++ source.
# Neither node nor npm is needed where taut_PAGE_ASSETS names the source that another build has made.
if(taut_PAGES AND NOT taut_PAGE_ASSETS)
  find_program(taut_NODE NAMES node nodejs REQUIRED)
  find_program(taut_NPM NAMES npm REQUIRED)
endif()
set(taut_NODE_MODULES ${CMAKE_CURRENT_BINARY_DIR}/web/node_modules)

# taut_pages(target): compiles the pages into the target
function(taut_pages target)
  set(assets ${taut_PAGE_ASSETS})
  if(NOT assets)
    set(assets ${CMAKE_CURRENT_BINARY_DIR}/web/page_assets.cpp)
    taut_bundle_pages()
  endif()
  target_sources(${target} PRIVATE ${assets})
  set_source_files_properties(${assets} TARGET_DIRECTORY ${target} PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src/report SKIP_PRECOMPILE_HEADERS ON
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# taut_bundle_pages(): page_assets.cpp in the build folder
function(taut_bundle_pages)
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
endfunction()
