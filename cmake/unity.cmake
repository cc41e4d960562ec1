# tfprof_unity(MOST TARGET...): sources of one folder are compiled up to MOST at once, so that what they include is read once for all. Two of them
# cannot have one name in their unnamed namespaces: the compiler says so, and one of them gets a better name.
# Of what is made fast eight: of more, the compiler puts fewer calls in line, and loading takes 2 % more instructions.
set(TFPROF_UNITY_SOURCES 24 CACHE STRING "How many of what is made small: with more the whole takes less time to build, a change more")

# Define classes of a header with members of types in unnamed namespaces, which g++ takes for a mistake in an included file.
set(TFPROF_UNITY_NOT src/view/lanes.cc src/view/memory_layers.cc)

function(tfprof_unity most)
  if(NOT TFPROF_UNITY)
    return()
  endif()
  foreach(target ${ARGN})
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cc$")
    foreach(source ${sources})
      file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
      if(path IN_LIST TFPROF_UNITY_NOT)
        continue()
      endif()
      get_filename_component(folder ${path} DIRECTORY)
      string(MAKE_C_IDENTIFIER ${target}_${folder} folder)
      math(EXPR group "0${${folder}_count} / ${most}")
      math(EXPR ${folder}_count "0${${folder}_count} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()
