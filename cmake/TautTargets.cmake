# What every target of taut has in common.
function(taut_configure_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # a*b+c is rounded twice everywhere, so that every instruction set gives the same bits
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno
    -fno-semantic-interposition
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wno-missing-field-initializers  # designated initialisers leave the rest to its defaults
    $<$<BOOL:${taut_WARNINGS_AS_ERRORS}>:-Werror>)
  # a compiler that looks for unused memory less often is a twentieth faster, and asks for more of it
  if(taut_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-heapsize=524288")
  endif()
endfunction()

# taut_hide(target): what include/taut does not promise is not seen from outside a shared library
function(taut_hide target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
endfunction()
