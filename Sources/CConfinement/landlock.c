#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers of <linux/landlock.h> of Linux 6.15. Debian 12's header ends with version 2.
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define GIVE_VERSION 1u
#define PATH_BENEATH 1

#define EXECUTE (1ull << 0)
#define WRITE_FILE (1ull << 1)
#define READ_FILE (1ull << 2)
#define READ_DIR (1ull << 3)
#define REMOVE_DIR (1ull << 4)
#define REMOVE_FILE (1ull << 5)
#define MAKE_DIR (1ull << 7)
#define MAKE_REG (1ull << 8)
#define ALL_OF_VERSION_1 ((1ull << 13) - 1)
#define REFER (1ull << 13)       // version 2: moving between folders
#define TRUNCATE (1ull << 14)    // version 3
#define IOCTL_DEV (1ull << 15)   // version 5
#define NET_TCP 3ull             // version 4: bind and connect
#define SCOPES 3ull              // version 6: abstract sockets and signals

struct ruleset {
    uint64_t files;
    uint64_t net;
    uint64_t scopes;
};

struct __attribute__((packed)) path_rule {
    uint64_t allowed;
    int32_t descriptor;
};

static uint64_t handled_files(int version) {
    return ALL_OF_VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0)
           | (version >= 5 ? IOCTL_DEV : 0);
}

int splitreel_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, GIVE_VERSION);
    return version > 0 ? (int)version : 0;
}

int splitreel_landlock_begin(int version) {
    struct ruleset rules = {
        .files = handled_files(version), .net = version >= 4 ? NET_TCP : 0, .scopes = version >= 6 ? SCOPES : 0};
    // A kernel refuses more bytes than it knows, unless they are zeros.
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(struct ruleset, scopes) : sizeof rules.files;
    long descriptor = syscall(CREATE_RULESET, &rules, size, 0u);
    return descriptor >= 0 ? (int)descriptor : -errno;
}

int splitreel_landlock_allow(int rules, int version, const char *path, int writing) {
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return errno;
    uint64_t rights = READ_FILE | READ_DIR;
    if (writing) rights |= WRITE_FILE | TRUNCATE | REFER | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG;
    struct stat facts;
    // The kernel refuses rights that only a folder can have for what is none.
    if (fstat(place, &facts) == 0 && !S_ISDIR(facts.st_mode)) rights &= READ_FILE | WRITE_FILE | TRUNCATE;
    struct path_rule rule = {.allowed = rights & handled_files(version), .descriptor = place};
    int fault = syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0u) == 0 ? 0 : errno;
    close(place);
    return fault;
}

int splitreel_landlock_enforce(int rules) {
    int fault = 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(RESTRICT_SELF, rules, 0u) != 0) fault = errno;
    close(rules);
    return fault;
}
