#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz target of the server, as ClusterFuzzLite and OSS-Fuzz ask for it, into $OUT.
#
# $RPCSPEC is where the tarball of a release was unpacked.
SOURCES=${SOURCES:-fuzz_server.cc server.cc} # one of them has RPCSPEC_FUZZ_HANDLER
PROFILE=${PROFILE:-mcp-2025-11-25}           # the same as there

# The library of rpcspec is made for libstdc++.
CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
# shellcheck disable=SC2086
$CXX $CXXFLAGS -std=c++17 -I"$RPCSPEC/include" $SOURCES -L"$RPCSPEC/lib" -lrpcspec_fuzz_handler \
  $LIB_FUZZING_ENGINE -o "$OUT/server_fuzzer"

rm -f "$OUT/server_fuzzer_seed_corpus.zip"
(cd "$RPCSPEC/share/rpcspec/seeds/$PROFILE" && zip -q -r "$OUT/server_fuzzer_seed_corpus.zip" .)
printf '[libfuzzer]\nmax_len = 65536\ntimeout = 30\n' >"$OUT/server_fuzzer.options"
