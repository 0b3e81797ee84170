// Confines itself by the calls that Splitreel has for it, then tries to do what is forbidden, and some of what is not:
// each in a process of its own. Prints a line for each try: its name, and `allowed`, `refused` or `killed`.
//
// Usage: BreakOut reader|writer OUTSIDE SHELF ROOM. OUTSIDE is a file that no rule names, SHELF one that may be read;
// ROOM is a folder with a file `there`, in which a writer may write.
#define _GNU_SOURCE
#include "CConfinement.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int writing;
static const char *outside, *shelf, *room;
static char there[4096], fresh[4096], moved[4096], escaped[4096];
static int handed;
static int line[2];

static void confine(void) {
    int version = splitreel_landlock_version();
    if (version > 0) {
        int rules = splitreel_landlock_begin(version);
        int fault = rules < 0 ? -rules : splitreel_landlock_allow(rules, version, shelf, 0);
        if (fault == 0 && writing) fault = splitreel_landlock_allow(rules, version, room, 1);
        if (fault == 0) fault = splitreel_landlock_enforce(rules);
        if (fault != 0) exit(2);
    }
    if (splitreel_seccomp_is_there() && splitreel_seccomp_enforce(writing) != 0) exit(2);
}

static void *nothing(void *argument) { return argument; }

// A try answers -1 where it is refused.
static long read_outside(void) { return open(outside, O_RDONLY); }
static long read_handed(void) {
    char byte;
    return pread(handed, &byte, 1, 0) == 1 ? 0 : -1;
}
static long read_shelf(void) { return open(shelf, O_RDONLY); }
static long list_root(void) { return open("/", O_RDONLY | O_DIRECTORY); }
static long write_outside(void) { return open(outside, O_WRONLY); }
static long empty_outside(void) { return truncate(outside, 0); }
static long empty_shelf(void) { return open(shelf, O_RDONLY | O_TRUNC); }
static long remove_outside(void) { return unlink(outside); }
static long loosen_outside(void) { return chmod(outside, 0777); }
static long write_inside(void) { return open(fresh, O_WRONLY | O_CREAT, 0600); }
static long move_inside(void) { return rename(there, moved); }
static long move_out(void) { return rename(moved, escaped); }
static long link_inside(void) { return symlink(outside, fresh); }
static long read_parents_memory(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    return open(path, O_RDONLY);
}
static long make_socket(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static long make_local_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static long connect_somewhere(void) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return connect(line[0], (struct sockaddr *)&place, sizeof place);
}
static long send_on_line(void) { return send(line[0], "a", 1, MSG_NOSIGNAL); }
static long start_process(void) { return fork(); }
static long start_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 ? pthread_join(thread, NULL) : -1;
}
static long enter_namespace(void) { return syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_NEWUSER, 0, 0, 0, 0); }
static long leave_namespace(void) { return unshare(CLONE_NEWUSER); }
static long run_program(void) { return execl("/bin/true", "true", (char *)NULL); }
static long trace_parent(void) { return ptrace(PTRACE_ATTACH, getppid(), 0, 0); }
static long signal_parent(void) { return kill(getppid(), 0); }
static long signal_group(void) { return kill(0, 0); }
static long signal_self(void) { return kill(getpid(), 0); }
static long bound_parent(void) {
    struct rlimit none = {0, 0};
    return prlimit(getppid(), RLIMIT_CPU, &none, NULL);
}
static long signal_parent_later(void) { return fcntl(line[0], F_SETOWN, getppid()); }
static long use_key_ring(void) { return syscall(SYS_keyctl, 0, 0, 0, 0, 0); }
static long load_program(void) { return syscall(SYS_bpf, 0, NULL, 0); }
static long make_ring(void) { return syscall(425 /* io_uring_setup */, 1, NULL); }
static long mount_folder(void) { return syscall(SYS_mount, room, room, "tmpfs", 0, NULL); }
static long gain_rights(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? -1 : 0; }
// It is told that it comes before others, and does not.
static long think_first(void) {
    struct sched_param first = {.sched_priority = 99};
    return sched_setscheduler(0, SCHED_FIFO, &first) == 0 && sched_getscheduler(0) == SCHED_OTHER ? 0 : -1;
}
// It is told that its parent has one processor left, which keeps all.
static long place_parent(void) {
    cpu_set_t before, one, after;
    if (sched_getaffinity(getppid(), sizeof before, &before) != 0) return -1;
    CPU_ZERO(&one);
    for (int number = 0; number < CPU_SETSIZE && CPU_COUNT(&one) == 0; number++)
        if (CPU_ISSET(number, &before)) CPU_SET(number, &one);
    if (sched_setaffinity(getppid(), sizeof one, &one) != 0) return -1;
    if (sched_getaffinity(getppid(), sizeof after, &after) != 0) return -1;
    return CPU_EQUAL(&before, &after) ? 0 : -1;
}
static long find_parents_locks(void) {
    void *head;
    size_t length;
    return syscall(SYS_get_robust_list, getppid(), &head, &length);
}

static const struct {
    const char *name;
    long (*call)(void);
} tries[] = {
    {"read-outside", read_outside}, {"read-handed", read_handed}, {"read-shelf", read_shelf},
    {"list-root", list_root}, {"write-outside", write_outside}, {"empty-outside", empty_outside},
    {"empty-shelf", empty_shelf},
    {"remove-outside", remove_outside}, {"loosen-outside", loosen_outside}, {"write-inside", write_inside},
    {"move-inside", move_inside}, {"move-out", move_out}, {"link-inside", link_inside},
    {"read-parents-memory", read_parents_memory}, {"make-socket", make_socket},
    {"make-local-socket", make_local_socket}, {"connect", connect_somewhere}, {"send-on-line", send_on_line},
    {"start-process", start_process}, {"start-thread", start_thread}, {"enter-namespace", enter_namespace},
    {"leave-namespace", leave_namespace}, {"run-program", run_program}, {"trace-parent", trace_parent},
    {"signal-parent", signal_parent}, {"signal-group", signal_group}, {"signal-self", signal_self},
    {"signal-parent-later", signal_parent_later},
    {"bound-parent", bound_parent}, {"use-key-ring", use_key_ring}, {"load-program", load_program},
    {"make-ring", make_ring}, {"mount", mount_folder}, {"gain-rights", gain_rights},
    {"think-first", think_first}, {"place-parent", place_parent}, {"find-parents-locks", find_parents_locks},
};

int main(int count, char **words) {
    if (count != 5) return 2;
    writing = strcmp(words[1], "writer") == 0;
    outside = words[2];
    shelf = words[3];
    room = words[4];
    snprintf(there, sizeof there, "%s/there", room);
    snprintf(fresh, sizeof fresh, "%s/fresh", room);
    snprintf(moved, sizeof moved, "%s/moved", room);
    snprintf(escaped, sizeof escaped, "%s-escaped", room);
    handed = open(outside, O_RDONLY);
    if (handed < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0) return 2;
    for (size_t place = 0; place < sizeof tries / sizeof tries[0]; place++) {
        pid_t child = fork();
        if (child == 0) {
            confine();
            _exit(tries[place].call() == -1 ? 1 : 0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) > 1))
            return 2;
        printf("%s %s\n", tries[place].name,
               WIFSIGNALED(status) ? "killed" : WEXITSTATUS(status) == 0 ? "allowed" : "refused");
    }
    return 0;
}
