# SPDX-License-Identifier: Apache-2.0
# Run by CTest before conformance tests: cmake -DPROGRAM=… -DVERSION=… -P FILE. Whether the program
# that they play is there, starts, and is of the version that the tests were made for; one sentence
# where it is not. Without it each of them would fail for the same reason.
set(again "install or build rpcspec again, and configure this project again")
if(NOT EXISTS "${PROGRAM}")
  message(FATAL_ERROR "rpcspec is missing: there is no ${PROGRAM}; ${again}")
endif()
execute_process(COMMAND ${PROGRAM} --version RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE complaint
  TIMEOUT 60)
string(STRIP "${said}${complaint}" said)
if(NOT code STREQUAL "0")
  message(FATAL_ERROR "rpcspec is broken: ${PROGRAM} --version ends with `${code}` (${said}); ${again}")
endif()
if(NOT said MATCHES "^rpcspec ${VERSION}[ ,(\n]")
  message(FATAL_ERROR "rpcspec is another one: ${PROGRAM} says `${said}`, and these tests are for ${VERSION}; ${again}")
endif()
message(STATUS "${said}")
