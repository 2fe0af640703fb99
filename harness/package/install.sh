#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a release of rpcspec below a folder of yours, without root: downloads the tarball of this
# machine, checks its sum against SHA256SUMS of the release, and unpacks it.
#
#   curl -fsSL https://github.com/@REPOSITORY@/releases/latest/download/install.sh | sh
#   … | sh -s -- --version 1.2.3 --prefix /opt/rpcspec
#
# RPCSPEC_RELEASES names another place that holds releases, such as a mirror.
set -eu

say() { printf 'install.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

fetch() {  # ADDRESS FILE
  if [ "$downloader" = wget ]; then
    wget -q -O "$2" "$1"
  else
    # What begins encrypted is not led elsewhere in the clear.
    case $1 in
      https:*) curl -fsSL --proto-redir =https -o "$2" "$1" ;;
      *) curl -fsSL -o "$2" "$1" ;;
    esac
  fi || die "$1 cannot be downloaded"
}

# The first of the programs that is there.
one_of() {
  for program in "$@"; do
    if command -v "$program" >/dev/null; then
      echo "$program"
      return
    fi
  done
  die "this needs one of these programs, install it: $*"
}

# What the release has for this machine, or what to do where it has nothing.
machine() {
  container="run it in a container: docker run --rm @IMAGE@"
  [ "$(uname -s)" = Linux ] || die "rpcspec has no program for $(uname -s) yet; $container"
  case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) die "rpcspec has no program for $(uname -m); build it from source with ./dev build" ;;
  esac
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2) || true
  [ -n "$glibc" ] || die "rpcspec needs glibc 2.34 or later, which this system does not have; $container"
  if [ "${glibc%%.*}" -lt 2 ] || { [ "${glibc%%.*}" = 2 ] && [ "${glibc#*.}" -lt 34 ]; }; then
    die "rpcspec needs glibc 2.34 or later, and this system has $glibc; $container"
  fi
}

main() {
  releases=${RPCSPEC_RELEASES:-https://github.com/@REPOSITORY@/releases}
  version='' prefix=${RPCSPEC_PREFIX:-$HOME/.local}
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --prefix)
        [ $# -gt 1 ] || die "$1 wants a value"
        if [ "$1" = --version ]; then version=${2#v}; else prefix=$2; fi
        shift
        ;;
      *) die "unknown option '$1'; there are --version VERSION and --prefix DIR" ;;
    esac
    shift
  done
  machine
  downloader=$(one_of curl wget)
  summer=$(one_of sha256sum shasum)

  made=$(mktemp -d)
  trap 'rm -rf "$made"' EXIT
  trap 'exit 130' INT TERM
  if [ -n "$version" ]; then from=$releases/download/v$version; else from=$releases/latest/download; fi
  fetch "$from/SHA256SUMS" "$made/SHA256SUMS"
  # Its list says which version the latest is.
  archive=$(sed -n "s/^[0-9a-f]\{64\}  \(rpcspec-[0-9.]*-linux-$machine\.tar\.gz\)$/\1/p" "$made/SHA256SUMS")
  [ -n "$archive" ] || die "$from/SHA256SUMS names no program for linux-$machine"
  version=${archive#rpcspec-}
  version=${version%-linux-*}
  fetch "$releases/download/v$version/$archive" "$made/$archive"
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive$/\1/p" "$made/SHA256SUMS")
  if [ "$summer" = shasum ]; then summer="shasum -a 256"; fi
  found=$($summer "$made/$archive" | cut -d ' ' -f 1)
  [ "$expected" = "$found" ] || die "$archive has the SHA-256 sum $found, and the release says $expected;
nothing was installed"

  mkdir "$made/tree"
  tar -xzf "$made/$archive" -C "$made/tree" --strip-components 1
  "$made/tree/bin/rpcspec" --version >/dev/null || die "the program does not start; nothing was installed"
  if ! mkdir -p "$prefix/bin" 2>/dev/null || [ ! -w "$prefix/bin" ]; then
    die "$prefix/bin cannot be written to; name another folder with --prefix"
  fi
  prefix=$(cd "$prefix" && pwd)
  # A program that runs is not written over: it gets another file of its name.
  cp "$made/tree/bin/rpcspec" "$prefix/bin/.rpcspec.$$"
  mv -f "$prefix/bin/.rpcspec.$$" "$prefix/bin/rpcspec"
  rm "$made/tree/bin/rpcspec"
  cp -R "$made/tree/." "$prefix/"

  say "rpcspec $version is installed: $prefix/bin/rpcspec"
  case :$PATH: in
    *":$prefix/bin:"*)
      first=$(command -v rpcspec || true)
      [ "$first" = "$prefix/bin/rpcspec" ] || say "but $first comes first in PATH"
      ;;
    *) say "it is not in PATH yet; add this line to ~/.profile: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

# Behind everything else: half a script does nothing.
main "$@"
