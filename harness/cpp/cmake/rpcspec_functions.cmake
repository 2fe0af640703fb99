# SPDX-License-Identifier: Apache-2.0
# What find_package(rpcspec) and add_subdirectory(rpcspec) give a project besides targets:
#
#   rpcspec_add_conformance_test(NAME name (TARGET target | COMMAND word…) [ARGS word…] PROFILE profile
#     [BASELINE file] [DESCRIPTION file] [URL url] [OPTIONS word…] [LABELS label…] [TIMEOUT seconds]
#     [WORKING_DIRECTORY folder])
#
#   A test for each area of the suite that applies, name.jsonrpc.id and so on, which `ctest -j` plays
#   side by side, with the labels `rpcspec`, `name`, the area and LABELS. Words of ARGS, URL and
#   OPTIONS may be generator expressions; OPTIONS are those of `rpcspec run`. In front of them
#   `rpcspec.program` looks whether the program is there and whole; else they are not run.
#
#   rpcspec_add_fuzz_target(NAME name SOURCES file… [LINK library…] [PROFILE profile] [CORPUS folder…]
#     [CRASHES folder…] [SANITIZERS address undefined | OFF] [LABELS label…] [TIMEOUT seconds])
#
#   A program of RPCSPEC_FUZZ_HANDLER. Under clang it is a libFuzzer program with SANITIZERS; under
#   any other compiler it plays files. In either case the test name.replay plays the seeds of PROFILE,
#   what is in the folders, and fails where one shows something wrong. Folders need not be there yet.

include_guard(GLOBAL)

# One clear sentence for what a call does not say, or says twice.
macro(_rpcspec_check_call function)
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: it takes no `${ARG_UNPARSED_ARGUMENTS}`")
  endif()
  if(ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${function}: nothing stands behind ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT ARG_NAME)
    message(FATAL_ERROR "${function}: say NAME, how the tests are to be called")
  endif()
endmacro()

function(_rpcspec_absolute out file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  set(${out} ${file} PARENT_SCOPE)
endfunction()

function(_rpcspec_check_profile function profile out)
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rpcspec_areas.cmake)
  if(profile MATCHES "^20[0-9-]+$")
    set(profile mcp-${profile})
  endif()
  if(NOT profile IN_LIST rpcspec_profiles)
    list(JOIN rpcspec_profiles ", " names)
    message(FATAL_ERROR "${function}: PROFILE `${profile}` is none; say one of ${names}")
  endif()
  set(${out} ${profile} PARENT_SCOPE)
endfunction()

# One test of a project, in front of all that play the program: whether it is whole. Where it is not,
# that is said once and the others are not run.
function(_rpcspec_check_program)
  get_property(known GLOBAL PROPERTY rpcspec_program_checked)
  if(known)
    return()
  endif()
  set_property(GLOBAL PROPERTY rpcspec_program_checked TRUE)
  get_property(version GLOBAL PROPERTY rpcspec_version)
  add_test(NAME rpcspec.program COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:rpcspec::rpcspec>
    -DVERSION=${version} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rpcspec_check_program.cmake)
  set_tests_properties(rpcspec.program PROPERTIES FIXTURES_SETUP rpcspec_program LABELS rpcspec TIMEOUT 90)
endfunction()

function(rpcspec_add_conformance_test)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "NAME;TARGET;PROFILE;BASELINE;DESCRIPTION;URL;TIMEOUT;WORKING_DIRECTORY"
    "COMMAND;ARGS;OPTIONS;LABELS")
  _rpcspec_check_call(rpcspec_add_conformance_test)
  _rpcspec_check_profile(rpcspec_add_conformance_test "${ARG_PROFILE}" profile)
  if(ARG_TARGET AND ARG_COMMAND)
    message(FATAL_ERROR "rpcspec_add_conformance_test: say TARGET or COMMAND, not both")
  elseif(NOT ARG_TARGET AND NOT ARG_COMMAND AND NOT ARG_URL AND NOT ARG_DESCRIPTION)
    message(FATAL_ERROR "rpcspec_add_conformance_test: say TARGET, the server's target, or COMMAND, URL or DESCRIPTION")
  endif()
  set(words run --verbose --profile ${profile})  # CTest shows it where a test failed
  if(ARG_BASELINE)
    _rpcspec_absolute(file ${ARG_BASELINE})
    list(APPEND words --baseline ${file})
  endif()
  if(ARG_DESCRIPTION)
    _rpcspec_absolute(file ${ARG_DESCRIPTION})
    list(APPEND words --target ${file})
  endif()
  if(ARG_URL)
    list(APPEND words --url ${ARG_URL})
  endif()
  list(APPEND words ${ARG_OPTIONS})
  set(server)
  if(ARG_TARGET)
    set(server -- $<TARGET_FILE:${ARG_TARGET}> ${ARG_ARGS})
  elseif(ARG_COMMAND)
    set(server -- ${ARG_COMMAND} ${ARG_ARGS})
  endif()
  # The areas depend on how the server is reached.
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rpcspec_areas.cmake)
  if(ARG_URL MATCHES "^https?:")
    set(transport http)
  elseif(ARG_URL MATCHES "^wss?:")
    set(transport websocket)
  elseif(ARG_URL)
    set(transport socket)
  elseif(ARG_DESCRIPTION AND NOT server)
    set(transport any)
  else()
    set(transport stdio)
  endif()
  set(areas ${rpcspec_areas_${profile}_${transport}})
  if(NOT areas)
    set(areas ${rpcspec_areas_${profile}_any})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(NOT ARG_WORKING_DIRECTORY)
    set(ARG_WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  foreach(area ${areas})
    string(REPLACE "/" "." test ${ARG_NAME}.${area})
    add_test(NAME ${test} COMMAND rpcspec::rpcspec ${words} --select ${area}/* ${server}
      WORKING_DIRECTORY ${ARG_WORKING_DIRECTORY})
    set_tests_properties(${test} PROPERTIES LABELS "rpcspec;${ARG_NAME};${area};${ARG_LABELS}"
      TIMEOUT ${ARG_TIMEOUT} FIXTURES_REQUIRED rpcspec_program)
    if(server AND ARG_URL AND NOT ARG_URL MATCHES "{port}")
      set_tests_properties(${test} PROPERTIES RESOURCE_LOCK ${ARG_URL})  # one server at a time can listen there
    endif()
  endforeach()
  _rpcspec_check_program()
endfunction()

# Whether this compiler has libFuzzer, with these sanitizers.
function(_rpcspec_find_libfuzzer flags out)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  include(CheckCXXSourceCompiles)
  string(MAKE_C_IDENTIFIER "rpcspec_links_${flags}" found)
  set(CMAKE_REQUIRED_FLAGS "${flags}")
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles(
    "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }" ${found})
  if(NOT ${found})
    message(WARNING "rpcspec_add_fuzz_target: clang cannot link ${flags} (Debian: libclang-rt-14-dev), so the program "
      "only plays files")
  endif()
  set(${out} ${${found}} PARENT_SCOPE)
endfunction()

function(rpcspec_add_fuzz_target)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "NAME;PROFILE;TIMEOUT" "SOURCES;LINK;CORPUS;CRASHES;SANITIZERS;LABELS")
  _rpcspec_check_call(rpcspec_add_fuzz_target)
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "rpcspec_add_fuzz_target: say SOURCES, among them the file with RPCSPEC_FUZZ_HANDLER")
  endif()
  set(folders)
  if(ARG_PROFILE)
    _rpcspec_check_profile(rpcspec_add_fuzz_target "${ARG_PROFILE}" profile)
    get_property(seeds GLOBAL PROPERTY rpcspec_seeds)
    list(APPEND folders ${seeds}/${profile})
  endif()
  foreach(folder ${ARG_CORPUS} ${ARG_CRASHES})
    _rpcspec_absolute(folder ${folder})
    list(APPEND folders ${folder})
  endforeach()
  if(NOT folders)
    message(FATAL_ERROR "rpcspec_add_fuzz_target: say PROFILE, CORPUS or CRASHES, so that there is something to play")
  endif()
  if(NOT DEFINED ARG_SANITIZERS)
    set(ARG_SANITIZERS address undefined)
  elseif(NOT ARG_SANITIZERS)
    set(ARG_SANITIZERS)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LINK} rpcspec::fuzz_handler)
  if(ARG_PROFILE)
    target_compile_definitions(${ARG_NAME} PRIVATE RPCSPEC_SEEDS="${seeds}/${profile}")
  endif()
  list(JOIN ARG_SANITIZERS "," sanitizers)
  if(sanitizers)
    string(PREPEND sanitizers ",")
  endif()
  _rpcspec_find_libfuzzer("-fsanitize=fuzzer${sanitizers}" libfuzzer)
  if(libfuzzer)
    target_compile_options(${ARG_NAME} PRIVATE -g -fsanitize=fuzzer-no-link${sanitizers} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    target_link_options(${ARG_NAME} PRIVATE -fsanitize=fuzzer${sanitizers})
  else()
    target_link_libraries(${ARG_NAME} PRIVATE rpcspec::fuzz_replay)
  endif()
  add_test(NAME ${ARG_NAME}.replay COMMAND ${ARG_NAME} --replay ${folders})
  set_tests_properties(${ARG_NAME}.replay PROPERTIES LABELS "rpcspec;fuzz;${ARG_NAME};${ARG_LABELS}"
    TIMEOUT ${ARG_TIMEOUT})
endfunction()
