# Warnings are errors, with g++ and with clang; sanitizers apply to everything that links tfprof_warnings.
add_library(tfprof_warnings INTERFACE)
target_compile_options(tfprof_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Wcast-align
  -Woverloaded-virtual -Wnull-dereference -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports false positives of these in inlined code of the standard library and of fmt, more of them where headers are precompiled.
  target_compile_options(tfprof_warnings INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(TFPROF_SANITIZE)
  target_compile_options(tfprof_warnings INTERFACE -fsanitize=${TFPROF_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(tfprof_warnings INTERFACE -fsanitize=${TFPROF_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(tfprof_warnings INTERFACE
      -fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitizer_ignorelist.txt)
  endif()
endif()
if(TFPROF_FUZZ)
  target_compile_options(tfprof_warnings INTERFACE -fsanitize=fuzzer-no-link)  # coverage, for libFuzzer to steer by
endif()
