#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define MOST 8

union room {
    char bytes[CMSG_SPACE(MOST * sizeof(int))];
    struct cmsghdr align;
};

ssize_t splitreel_send_descriptors(
    int line, const void *bytes, size_t count, const int *descriptors, int descriptor_count
) {
    if (descriptor_count < 0 || descriptor_count > MOST) {
        errno = EINVAL;
        return -1;
    }
    union room room;
    memset(&room, 0, sizeof room);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        size_t size = (size_t)descriptor_count * sizeof(int);
        message.msg_control = room.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(head), descriptors, size);
    }
    return sendmsg(line, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t splitreel_receive_descriptors(
    int line, void *bytes, size_t count, int *descriptors, int *descriptor_count
) {
    union room room;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    *descriptor_count = 0;
    ssize_t taken = recvmsg(line, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (taken < 0) return taken;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head != NULL; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        size_t size = head->cmsg_len - CMSG_LEN(0);
        if (size > MOST * sizeof(int)) size = MOST * sizeof(int);
        memcpy(descriptors, CMSG_DATA(head), size);
        *descriptor_count = (int)(size / sizeof(int));
    }
    return taken;
}
