# The library with its headers, and what find_package(taut) needs.
include(CMakePackageConfigHelpers)

install(TARGETS taut EXPORT tautTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/taut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
if(TARGET taut_cli)
  set_target_properties(taut_cli PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
endif()

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/taut)
install(EXPORT tautTargets NAMESPACE taut:: DESTINATION ${config_dir})
get_target_property(taut_LIBRARY_TYPE taut TYPE)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tautConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tautConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
# before 1.0 a minor version may break its users
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tautConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tautConfig.cmake ${PROJECT_BINARY_DIR}/tautConfigVersion.cmake
        DESTINATION ${config_dir})
