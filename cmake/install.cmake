include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
# The program with its man page and completions: component `program`, which tools/make_packages.py packs.
install(TARGETS tfprof RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

# The library: headers, the archive, and what find_package(tfprof) reads. Component `library`.
set(TFPROF_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/tfprof)
install(TARGETS tfprof_core EXPORT tfprofTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/tfprof ${TFPROF_GENERATED}/include/tfprof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library FILES_MATCHING PATTERN "*.h")
install(EXPORT tfprofTargets NAMESPACE tfprof:: DESTINATION ${TFPROF_PACKAGE} COMPONENT library)
configure_package_config_file(cmake/tfprofConfig.cmake.in ${TFPROF_GENERATED}/tfprofConfig.cmake
  INSTALL_DESTINATION ${TFPROF_PACKAGE})
write_basic_package_version_file(${TFPROF_GENERATED}/tfprofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${TFPROF_GENERATED}/tfprofConfig.cmake ${TFPROF_GENERATED}/tfprofConfigVersion.cmake
  DESTINATION ${TFPROF_PACKAGE} COMPONENT library)

# The man page and the shells' completions come from the program itself, so that they cannot be out of date.
if(NOT CMAKE_CROSSCOMPILING)
  set(TFPROF_SHARE ${CMAKE_CURRENT_BINARY_DIR}/share)
  file(MAKE_DIRECTORY ${TFPROF_SHARE})
  set(TFPROF_SHARED_FILES)
  function(tfprof_generated word name destination)
    add_custom_command(OUTPUT ${TFPROF_SHARE}/${name}
      COMMAND tfprof completion ${word} -outfile ${TFPROF_SHARE}/${name}
      DEPENDS tfprof VERBATIM)
    install(FILES ${TFPROF_SHARE}/${name} DESTINATION ${destination} COMPONENT program)
    set(TFPROF_SHARED_FILES ${TFPROF_SHARED_FILES} ${TFPROF_SHARE}/${name} PARENT_SCOPE)
  endfunction()
  tfprof_generated(man tfprof.1 ${CMAKE_INSTALL_MANDIR}/man1)
  tfprof_generated(bash tfprof ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  tfprof_generated(zsh _tfprof ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  tfprof_generated(fish tfprof.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  add_custom_target(tfprof_shared_files ALL DEPENDS ${TFPROF_SHARED_FILES})
endif()
