#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds our own readers as fuzz targets, the way OSS-Fuzz and ClusterFuzzLite ask for it: with $CXX,
# $CXXFLAGS and $LIB_FUZZING_ENGINE, from $SRC/rpcspec by way of $WORK into $OUT. Beside each target go
# its seeds, its dictionary and its options.
#
# RPCSPEC_FUZZ_TARGETS names some of them ("json yaml"); otherwise it is all. RPCSPEC_JOBS: compilers at once.
set -o pipefail
cd "$SRC/rpcspec"

# The libraries of the system are made for libstdc++; libc++ does not understand its strings.
CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
# UBSan's check of calls by pointer breaks coroutines. OSS-Fuzz names the checks one by one.
case $CXXFLAGS in
  *-fsanitize=*undefined* | *-fsanitize=*function*) CXXFLAGS="$CXXFLAGS -fno-sanitize=function" ;;
esac

targets=${RPCSPEC_FUZZ_TARGETS:-$(sed -n 's/^rpcspec_fuzz_target(\([a-z_]*\) .*/\1/p' fuzz/targets/CMakeLists.txt)}
programs=$(printf '%s_fuzzer ' $targets)
# CMAKE_BUILD_TYPE is none of CMake's: optimisation is said by $CXXFLAGS.
cmake -S . -B "$WORK/rpcspec" -G Ninja -DCMAKE_BUILD_TYPE=Services -DRPCSPEC_TESTS=OFF -DRPCSPEC_STATIC=ON \
  -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$CXXFLAGS" -DRPCSPEC_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
# shellcheck disable=SC2086
ninja -C "$WORK/rpcspec" ${RPCSPEC_JOBS:+-j "$RPCSPEC_JOBS"} $programs

# What runs them has $OUT and nothing else of ours.
mkdir -p "$OUT/cases/requirements"
cp cases/requirements/base.yaml cases/requirements/features.yaml "$OUT/cases/requirements/"
for name in $targets; do
  fuzzer=${name}_fuzzer
  cp "$WORK/rpcspec/targets/$fuzzer" "$OUT/"
  seeds=$WORK/seeds/$name
  rm -rf "$seeds" "$OUT/${fuzzer}_seed_corpus.zip"
  python3 -B fuzz/targets/seeds.py "corpus/seeds-readers/$name" "$seeds"
  for file in "corpus/regressions/$name"/*; do
    [ ! -f "$file" ] || cp "$file" "$seeds/regression-${file##*/}"
  done
  (cd "$seeds" && zip -q -r "$OUT/${fuzzer}_seed_corpus.zip" .)
  if [ -f "fuzz/targets/$name.dict" ]; then cp "fuzz/targets/$name.dict" "$OUT/$fuzzer.dict"; fi
  printf '[libfuzzer]\nmax_len = 65536\ntimeout = 30\n' >"$OUT/$fuzzer.options"
done
