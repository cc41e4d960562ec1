# tfprof_embed(HEADER FILE...): a header with the text of each file as a std::string_view, named after the file:
# app.css becomes kAppCss, and kAppCssSha256 is its hash. Written when CMake runs, which it does again when one of the files changes.
function(tfprof_embed header)
  set(EMBEDDED "")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    string(REGEX MATCHALL "[a-z]+" words ${name})
    set(constant k)
    foreach(word IN LISTS words)
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND constant ${first}${rest})
    endforeach()
    file(READ ${file} text)
    file(SHA256 ${file} hash)
    string(APPEND EMBEDDED "inline constexpr char ${constant}Text[] = R\"embedded(${text})embedded\";\n"
           "inline constexpr std::string_view ${constant}{${constant}Text, sizeof(${constant}Text) - 1};\n"
           "inline constexpr std::string_view ${constant}Sha256 = \"${hash}\";\n")
  endforeach()
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/embedded.h.in ${header} @ONLY)
endfunction()
