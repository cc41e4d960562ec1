include(GNUInstallDirs)
install(TARGETS tfprof RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The man page and the shells' completions come from the program itself, so that they cannot be out of date.
if(NOT CMAKE_CROSSCOMPILING)
  set(TFPROF_SHARE ${CMAKE_CURRENT_BINARY_DIR}/share)
  file(MAKE_DIRECTORY ${TFPROF_SHARE})
  set(TFPROF_SHARED_FILES)
  function(tfprof_generated word name destination)
    add_custom_command(OUTPUT ${TFPROF_SHARE}/${name}
      COMMAND tfprof completion ${word} -outfile ${TFPROF_SHARE}/${name}
      DEPENDS tfprof VERBATIM)
    install(FILES ${TFPROF_SHARE}/${name} DESTINATION ${destination})
    set(TFPROF_SHARED_FILES ${TFPROF_SHARED_FILES} ${TFPROF_SHARE}/${name} PARENT_SCOPE)
  endfunction()
  tfprof_generated(man tfprof.1 ${CMAKE_INSTALL_MANDIR}/man1)
  tfprof_generated(bash tfprof ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  tfprof_generated(zsh _tfprof ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  tfprof_generated(fish tfprof.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  add_custom_target(tfprof_shared_files ALL DEPENDS ${TFPROF_SHARED_FILES})
endif()
