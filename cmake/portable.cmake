# tfprof_portable(TARGET): makes what is shipped run on systems older than the one it was built on. It then needs the C
# library alone, and of that nothing newer than version 2.34 (Red Hat 9, Ubuntu 22.04, Debian 12); tests/tools/test_portable.py
# reads it from the binaries. The C++ library and the compiler's are linked in, and two symbols are not taken from glibc:
#  - arc4random (2.36, used by libevent and std::random_device): libbsd has it, which comes with libedit anyway. Asked for
#    first, so that the one found is libbsd's, wherever libbsd stands on the command line.
#  - _dl_find_object (2.35, used by the unwinder): cmake/dl_find_object.cc.
# And one is taken from here since exceptions pass through it, which two unwinders cannot do: pthread_once, cmake/once.cc.
function(tfprof_portable target)
  if(TFPROF_SANITIZE)  # their runtime needs the shared libraries
    return()
  endif()
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  if(BSD_LIBRARY MATCHES "\\.a$")
    target_link_options(${target} PRIVATE -Wl,--undefined=arc4random)
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/dl_find_object.cc ${PROJECT_SOURCE_DIR}/cmake/once.cc)
  endif()
endfunction()
