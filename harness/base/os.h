// SPDX-License-Identifier: Apache-2.0
// What the kernel does for us in a way of its own. os_linux.cc uses what Linux offers; os_posix.cc,
// of a build with RPCSPEC_PORTABLE, POSIX alone. CMakeLists.txt has the rule: of a NAME_linux.cc
// and a NAME_posix.cc it compiles one. Nothing else asks which system it is.
//
// Descriptors are closed in programs that we start. Where one is returned, -1 is a failure, with
// errno.
#pragma once

#include <signal.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <cstddef>
#include <string>

#ifndef MSG_NOSIGNAL  // where a write to a closed socket raises SIGPIPE, which is ignored
#define MSG_NOSIGNAL 0
#endif

namespace harness::os {

enum class Waits { kYes, kNo };  // kNo: a call that cannot go on fails with EAGAIN

bool make_pipe(int (&ends)[2]);
int make_socket(int family, int type, int protocol = 0);
bool make_socket_pair(int (&ends)[2], Waits waits = Waits::kYes);  // of streams
int accept_from(int listener, Waits waits = Waits::kYes);

// In a process that was just forked: it ends with its parent, whose id this is.
void end_with(pid_t parent);
// The same between vfork and exec, where the program that follows is meant; POSIX has nothing for
// that, and the Guardian alone ends it.
void end_program_with(pid_t parent);
// Becomes readable when the child has ended, without reaping it.
int watch_child(pid_t child);
// Orphans below us become our children; false where they do not.
bool adopt_orphans();

// Readable while one of these signals, which must be blocked, is pending; the number of one, or 0.
int watch_signals(const sigset_t& signals);
int take_signal(int descriptor);

void name_this_process(const char* name);
// Closes what is above 2, but this.
void close_others(int kept);
bool fill_with_random(void* bytes, std::size_t size);  // at most 256

// Held until the descriptor is closed: no other process of this machine gets the same name.
int claim(const std::string& name);
std::string path_of_this_program();  // "" where the system does not say

// Memory that a program which we start opens by the path. Its size stays, where the system can keep
// it.
int make_shared_memory(std::size_t size);
std::string path_of_shared(int descriptor);

}  // namespace harness::os
