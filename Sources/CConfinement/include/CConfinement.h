// Linux calls that Swift cannot make: Landlock and seccomp have no functions in glibc, and control messages are macros.
// Each function answers 0, or errno where nothing else is said. None of them allocates memory.
#pragma once
#include <stddef.h>
#include <sys/types.h>

// The version of Landlock's interface that the kernel has; 0 where it has none, or was started without it.
int splitreel_landlock_version(void);

// A new set of rules which refuses all that its version knows: files, TCP, other processes' abstract sockets and
// signals. A descriptor, or errno as a negative number.
int splitreel_landlock_begin(int version);

// Lets the set allow what is at and below a path: reading, or with `writing` also making, changing and removing regular
// files and folders. Links are followed now and never again.
int splitreel_landlock_allow(int rules, int version, const char *_Nonnull path, int writing);

// Binds the calling thread, and all that it starts, for good. The process gains no rights by executing either. Closes
// the set in any case.
int splitreel_landlock_enforce(int rules);

// Whether the kernel has filters of system calls.
int splitreel_seccomp_is_there(void);

// Lets all threads of this process make only the system calls of a list, for good. Without `writing` no path is opened
// for writing, made or removed; what is open for writing already may be written.
int splitreel_seccomp_enforce(int writing);

// Sends bytes over a stream socket without waiting, and with the first of them descriptors, at most 8. The number of
// bytes that went, or -1 with errno.
ssize_t splitreel_send_descriptors(
    int line, const void *_Nullable bytes, size_t count, const int *_Nonnull descriptors, int descriptor_count);

// Takes bytes of a stream socket without waiting, and the descriptors that came with them, at most 8, which are not
// inherited. The number of bytes, 0 at the end, or -1 with errno.
ssize_t splitreel_receive_descriptors(
    int line, void *_Nullable bytes, size_t count, int *_Nonnull descriptors, int *_Nonnull descriptor_count);
