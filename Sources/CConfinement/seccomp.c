#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Calls that need no look at their arguments. What they act upon is open already, or is this process's own.
static const int allowed[] = {
    // descriptors
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv, __NR_pwritev,
    __NR_close, __NR_lseek, __NR_fstat, __NR_flock, __NR_dup, __NR_dup3, __NR_pipe2, __NR_getdents64,
    __NR_fstatfs, __NR_fadvise64, __NR_readahead, __NR_fsync, __NR_fdatasync, __NR_sync_file_range, __NR_ftruncate,
    __NR_fallocate, __NR_copy_file_range, __NR_sendfile, __NR_eventfd2, __NR_epoll_create1, __NR_epoll_ctl,
    __NR_epoll_pwait, __NR_ppoll, __NR_pselect6, __NR_timerfd_create, __NR_timerfd_settime, __NR_timerfd_gettime,
    436 /* close_range */, 441 /* epoll_pwait2 */,
    // names: looking, not opening
    __NR_newfstatat, __NR_statx, __NR_faccessat, 439 /* faccessat2 */, __NR_readlinkat, __NR_getcwd, __NR_statfs,
    // sockets that are open already
    __NR_sendto, __NR_recvfrom, __NR_sendmsg, __NR_recvmsg, __NR_shutdown, __NR_getsockopt, __NR_setsockopt,
    __NR_getsockname, __NR_getpeername,
    // memory
    __NR_brk, __NR_mmap, __NR_munmap, __NR_mprotect, __NR_mremap, __NR_madvise, __NR_mlock, __NR_mlock2,
    __NR_munlock, __NR_mincore, __NR_msync, __NR_membarrier, __NR_memfd_create, __NR_mbind, __NR_get_mempolicy,
    __NR_set_mempolicy,
    // threads
    __NR_futex, 449 /* futex_waitv */, __NR_set_robust_list, __NR_set_tid_address, __NR_rseq, __NR_gettid,
    __NR_getpid, __NR_getppid, __NR_exit, __NR_exit_group, __NR_sched_yield, __NR_sched_getaffinity,
    __NR_sched_getparam, __NR_sched_getscheduler, __NR_sched_get_priority_max, __NR_sched_get_priority_min,
    __NR_getcpu, __NR_getpriority,
    // signals to oneself
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigsuspend, __NR_rt_sigpending,
    __NR_rt_sigtimedwait, __NR_sigaltstack, __NR_restart_syscall,
    // time
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday,
    // facts
    __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getgroups, __NR_getresuid, __NR_getresgid,
    __NR_getpgid, __NR_getsid, __NR_uname, __NR_sysinfo, __NR_getrusage, __NR_times, __NR_umask, __NR_getrandom,
#ifdef __x86_64__
    // the same by their older names
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_getdents, __NR_dup2, __NR_pipe, __NR_eventfd,
    __NR_epoll_create, __NR_epoll_wait, __NR_poll, __NR_select, __NR_pause, __NR_time, __NR_getpgrp, __NR_getrlimit,
    __NR_arch_prctl,
#endif
};

// Calls that make, change and remove by name, for a process whose paths Landlock bounds.
static const int allowed_to_writers[] = {
    __NR_mkdirat, __NR_unlinkat, __NR_renameat2,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __x86_64__
    __NR_creat, __NR_mkdir, __NR_rmdir, __NR_unlink, __NR_rename,
#endif
};

// Calls that nothing of ours makes, and no library for us: whoever makes one is not ours any more.
static const int deadly[] = {
    __NR_execve, __NR_execveat, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_mount, __NR_umount2,
    __NR_pivot_root, __NR_chroot, __NR_setns, __NR_unshare, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_bpf,
    __NR_perf_event_open, __NR_userfaultfd, __NR_kexec_load, __NR_init_module, __NR_finit_module,
    __NR_delete_module, __NR_swapon, __NR_swapoff, __NR_reboot, __NR_open_by_handle_at,
};

// The settings of this process that may be read and made: names of threads and of memory, large pages.
static const uint32_t own_settings[] = {
    PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, PR_CAPBSET_READ,
    PR_SET_THP_DISABLE, PR_GET_THP_DISABLE, 0x53564d41 /* PR_SET_VMA */,
};

// What a descriptor is asked and told; not who is signalled for it.
static const uint32_t own_marks[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK,
    F_OFD_SETLKW, F_SETPIPE_SZ, F_GETPIPE_SZ,
};

static const uint32_t harmless_controls[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};

// The first number that all architectures share. A library that tries a call from there on expects that it is missing.
#define FIRST_COMMON_NUMBER 424
#define CLONE3 435

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define REFUSE(number) (SECCOMP_RET_ERRNO | (number))

struct program {
    struct sock_filter steps[600];
    unsigned short count;
};

static void put(struct program *program, uint16_t code, uint32_t value, uint8_t when_true, uint8_t when_false) {
    if (program->count >= COUNT(program->steps)) return;
    program->steps[program->count++] = (struct sock_filter)BPF_JUMP(code, value, when_true, when_false);
}

static void load(struct program *program, size_t place) {
    put(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)place, 0, 0);
}

// Loads the lower half of an argument, which is all that the kernel looks at where it is an int.
static void load_argument(struct program *program, int number) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "the lower half of an argument stands elsewhere"
#endif
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)number);
}

static void answer(struct program *program, uint32_t action) { put(program, BPF_RET | BPF_K, action, 0, 0); }

// From here to its last step the program goes only where the loaded word is that value.
static void when(struct program *program, uint32_t value, uint8_t steps) {
    put(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, steps);
}

static void decide(struct program *program, int call, uint32_t action) {
    when(program, (uint32_t)call, 1);
    answer(program, action);
}

// Allows a call whose argument, of which only the bits of `mask` count, is one of some values.
static void allow_where(
    struct program *program, int call, int argument, uint32_t mask, const uint32_t *values, size_t count,
    uint32_t otherwise
) {
    when(program, (uint32_t)call, (uint8_t)(3 + 2 * count));
    load_argument(program, argument);
    put(program, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    for (size_t place = 0; place < count; place++) decide(program, (int)values[place], SECCOMP_RET_ALLOW);
    answer(program, otherwise);
}

static void allow_own(struct program *program, int call, uint32_t own) {
    allow_where(program, call, 0, UINT32_MAX, &own, 1, REFUSE(EPERM));
}

static void allow_opening(struct program *program, uint32_t mask, const uint32_t *ways, size_t count) {
    allow_where(program, __NR_openat, 2, mask, ways, count, REFUSE(EACCES));
#ifdef __x86_64__
    allow_where(program, __NR_open, 1, mask, ways, count, REFUSE(EACCES));
#endif
}

// Descriptors to read are opened by name, and nothing else is.
static void allow_reading(struct program *program) {
    static const uint32_t ways[] = {O_RDONLY};
    allow_opening(program, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), ways, COUNT(ways));
}

// Everything is opened that Landlock lets through. Before its version 3 it sees no emptying of what is read.
static void allow_writing(struct program *program) {
    static const uint32_t ways[] = {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC};
    allow_opening(program, O_ACCMODE | O_TRUNC, ways, COUNT(ways));
    for (size_t place = 0; place < COUNT(allowed_to_writers); place++)
        decide(program, allowed_to_writers[place], SECCOMP_RET_ALLOW);
}

static void allow_threads(struct program *program) {
    static const uint32_t thread[] = {CLONE_VM | CLONE_THREAD};
    const uint32_t mask = CLONE_VM | CLONE_THREAD | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER
                          | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP | CLONE_PTRACE;
    allow_where(program, __NR_clone, 0, mask, thread, 1, REFUSE(EPERM));
    // Its flags lie in memory, where a filter cannot look; glibc then makes threads by clone.
    decide(program, CLONE3, REFUSE(ENOSYS));
}

static void write_program(struct program *program, int writing) {
    load(program, offsetof(struct seccomp_data, arch));
    put(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The calls of x32 have the same architecture and numbers of their own.
    put(program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    answer(program, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t place = 0; place < COUNT(allowed); place++) decide(program, allowed[place], SECCOMP_RET_ALLOW);
    if (writing)
        allow_writing(program);
    else
        allow_reading(program);
    allow_threads(program);
    // SVT-AV1 wants its threads before all others of the machine where it runs as root, and warns for each that it cannot
    // have. It is told that it has them.
    decide(program, __NR_sched_setscheduler, REFUSE(0));
    // Encoders that choose processors for their threads do without. The number of a thread may be another process's.
    decide(program, __NR_sched_setaffinity, REFUSE(0));
    allow_own(program, __NR_kill, (uint32_t)getpid());
    allow_own(program, __NR_tgkill, (uint32_t)getpid());
    allow_own(program, __NR_prlimit64, 0);
    allow_where(program, __NR_prctl, 0, UINT32_MAX, own_settings, COUNT(own_settings), REFUSE(EPERM));
    allow_where(program, __NR_fcntl, 1, UINT32_MAX, own_marks, COUNT(own_marks), REFUSE(EPERM));
    allow_where(program, __NR_ioctl, 1, UINT32_MAX, harmless_controls, COUNT(harmless_controls), REFUSE(EPERM));
    for (size_t place = 0; place < COUNT(deadly); place++)
        decide(program, deadly[place], SECCOMP_RET_KILL_PROCESS);
    put(program, BPF_JMP | BPF_JGE | BPF_K, FIRST_COMMON_NUMBER, 0, 1);
    answer(program, REFUSE(ENOSYS));
    answer(program, REFUSE(EPERM));
}

int splitreel_seccomp_is_there(void) {
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int splitreel_seccomp_enforce(int writing) {
    struct program program = {.count = 0};
    write_program(&program, writing);
    struct sock_fprog filter = {.len = program.count, .filter = program.steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    long result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (result < 0) return errno;
    // A thread that has another filter.
    return result == 0 ? 0 : EBUSY;
}

#else

int splitreel_seccomp_is_there(void) { return 0; }
int splitreel_seccomp_enforce(int writing) { return ENOSYS; }

#endif
