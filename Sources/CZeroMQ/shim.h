// Safe to hold, and so are its plain fields; what its socket leads to is not.
struct __attribute__((swift_attr("safe"))) zmq_pollitem_t;
#include <zmq.h>

// ZMQ_ZAP_ENFORCE_DOMAIN of <zmq.h>, which names it among its drafts; the library has known it since 4.2.5.
#define SPLITREEL_ZAP_ENFORCE_DOMAIN 93

// Linux calls of the event loop and of the processes that it serves, which Swift's Glibc overlay leaves out.
#include <sys/eventfd.h>
// prctl is variadic, which Swift cannot call.
#include <sys/prctl.h>
static inline int splitreel_set_parent_death_signal(int signal_number) {
    return prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0);
}
static inline int splitreel_hide_process(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// All bytes that a TCP connection has received; 0 for other descriptors. The place is that of tcpi_bytes_received in
// <linux/tcp.h>, which cannot be included beside glibc's <netinet/tcp.h>.
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
static inline uint64_t splitreel_tcp_received(int descriptor) {
    unsigned char facts[256];
    socklen_t size = sizeof facts;
    uint64_t count = 0;
    memset(facts, 0, sizeof facts);
    if (getsockopt(descriptor, 6 /* TCP */, 11 /* TCP_INFO */, facts, &size) != 0 || size < 136) return 0;
    memcpy(&count, facts + 128, sizeof count);
    return count;
}

// <spawn.h> shows it only with _GNU_SOURCE.
extern int splitreel_spawn_close_from(void *actions, int first)
    __asm__("posix_spawn_file_actions_addclosefrom_np");
