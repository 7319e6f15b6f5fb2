# taut_tidy(target...): a target `tidy` that runs clang-tidy over the sources of those of these
# targets that exist.
#
# Each source has its own stamp, which depends on the source's object: ninja runs clang-tidy again
# for exactly those files whose source or headers have changed, on all cores.
function(taut_tidy)
  find_program(taut_CLANG_TIDY NAMES clang-tidy REQUIRED)
  set(stamps)
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      continue()
    endif()
    # not from compile_commands.json: clang cannot read what GCC has precompiled
    set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    get_target_property(sources ${target} SOURCES)
    get_target_property(source_dir ${target} SOURCE_DIR)
    get_target_property(binary_dir ${target} BINARY_DIR)
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${source_dir} NORMALIZE)
      cmake_path(GET source EXTENSION LAST_ONLY extension)
      if(NOT extension STREQUAL ".cpp")
        continue()
      endif()
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${source_dir} OUTPUT_VARIABLE name)
      set(object ${binary_dir}/CMakeFiles/${target}.dir/${name}${CMAKE_CXX_OUTPUT_EXTENSION})
      set(stamp ${PROJECT_BINARY_DIR}/tidy/${target}/${name}.ok)
      cmake_path(GET stamp PARENT_PATH stamp_dir)
      file(MAKE_DIRECTORY ${stamp_dir})
      add_custom_command(
        OUTPUT ${stamp}
        COMMAND ${taut_CLANG_TIDY} --quiet ${source} -- -std=c++20
                "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
                "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
        DEPENDS ${source} ${object} ${PROJECT_SOURCE_DIR}/.clang-tidy
        COMMENT "clang-tidy ${name}"
        COMMAND_EXPAND_LISTS VERBATIM)
      list(APPEND stamps ${stamp})
    endforeach()
  endforeach()
  add_custom_target(tidy DEPENDS ${stamps})
endfunction()
