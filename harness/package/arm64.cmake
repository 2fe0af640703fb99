# SPDX-License-Identifier: Apache-2.0
# Builds for arm64 on another Debian: its cross compiler, the libraries that cross_root unpacked, and
# an emulator for the programs that the build itself runs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(RPCSPEC_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/arm64/root CACHE PATH "What cross_root unpacked")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RPCSPEC_ROOT)
get_filename_component(CMAKE_SYSROOT ${RPCSPEC_ROOT} ABSOLUTE)

set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static;-L;${CMAKE_SYSROOT})

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

# What Debian's own build would say.
set(CMAKE_INSTALL_LIBDIR lib/aarch64-linux-gnu CACHE PATH "")
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
