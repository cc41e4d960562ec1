# Debian packages: libprotozero-dev libre2-dev libfmt-dev rapidjson-dev zlib1g-dev libxxhash-dev libedit-dev
# libleveldb-dev libsnappy-dev libevent-dev libsqlite3-dev.
# Linked statically where the package has an archive, so that the binary runs on machines without them.
find_path(PROTOZERO_INCLUDE protozero/pbf_reader.hpp REQUIRED)
find_path(RAPIDJSON_INCLUDE rapidjson/writer.h REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
find_path(RE2_INCLUDE re2/re2.h REQUIRED)
find_library(RE2_LIBRARY NAMES libre2.a re2 REQUIRED)
find_library(Z_LIBRARY NAMES libz.a z REQUIRED)
find_path(LEVELDB_INCLUDE leveldb/table.h REQUIRED)
find_library(LEVELDB_LIBRARY NAMES libleveldb.a leveldb REQUIRED)
find_path(SNAPPY_INCLUDE snappy.h REQUIRED)
find_library(SNAPPY_LIBRARY NAMES libsnappy.a snappy REQUIRED)
find_path(SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(SQLITE_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
find_path(FMT_INCLUDE fmt/format-inl.h REQUIRED)  # its library part is src/base/fmt_library.cc
find_package(Threads REQUIRED)

add_library(tfprof_dependencies INTERFACE)
target_include_directories(tfprof_dependencies SYSTEM INTERFACE
  ${PROTOZERO_INCLUDE} ${RAPIDJSON_INCLUDE} ${XXHASH_INCLUDE} ${RE2_INCLUDE} ${FMT_INCLUDE}
  ${LEVELDB_INCLUDE} ${SNAPPY_INCLUDE} ${SQLITE_INCLUDE})
target_compile_definitions(tfprof_dependencies INTERFACE RAPIDJSON_HAS_STDSTRING=1)
target_link_libraries(tfprof_dependencies INTERFACE ${RE2_LIBRARY} ${LEVELDB_LIBRARY} ${SNAPPY_LIBRARY} ${SQLITE_LIBRARY}
  ${Z_LIBRARY} ${CMAKE_DL_LIBS} m Threads::Threads)

find_path(EDIT_INCLUDE histedit.h REQUIRED)
find_library(EDIT_LIBRARY NAMES libedit.a edit REQUIRED)
if(EDIT_LIBRARY MATCHES "\\.a$")  # what Debian's archive needs: libncurses-dev libbsd-dev libmd-dev
  find_library(TINFO_LIBRARY NAMES libtinfo.a tinfo REQUIRED)
  find_library(BSD_LIBRARY NAMES libbsd.a bsd REQUIRED)
  find_library(MD_LIBRARY NAMES libmd.a md REQUIRED)
  list(APPEND EDIT_LIBRARY ${TINFO_LIBRARY} ${BSD_LIBRARY} ${MD_LIBRARY})
endif()
add_library(tfprof_terminal INTERFACE)
target_include_directories(tfprof_terminal SYSTEM INTERFACE ${EDIT_INCLUDE})
target_link_libraries(tfprof_terminal INTERFACE ${EDIT_LIBRARY})

find_path(EVENT_INCLUDE event2/http.h REQUIRED)
find_library(EVENT_HTTP_LIBRARY NAMES libevent_extra.a event_extra REQUIRED)
find_library(EVENT_LIBRARY NAMES libevent_core.a event_core REQUIRED)
add_library(tfprof_http INTERFACE)
target_include_directories(tfprof_http SYSTEM INTERFACE ${EVENT_INCLUDE})
target_link_libraries(tfprof_http INTERFACE ${EVENT_HTTP_LIBRARY} ${EVENT_LIBRARY})
