#include "CLocwatchPlatform.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

int locwatch_open_poll_group(int *group) {
    *group = epoll_create1(EPOLL_CLOEXEC);
    return *group < 0 ? errno : 0;
}

int locwatch_poll_group_set(int group, int descriptor, short events) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    // The bits of poll(2) and epoll(7) for reading and writing are the same.
    event.events = (unsigned short)events;
    event.data.fd = descriptor;
    if (epoll_ctl(group, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    if (errno != ENOENT) return errno;
    return epoll_ctl(group, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

void locwatch_poll_group_remove(int group, int descriptor) {
    epoll_ctl(group, EPOLL_CTL_DEL, descriptor, NULL);
}

int locwatch_poll_group_ready(int group, int *descriptors, int capacity) {
    struct epoll_event events[64];
    if (capacity > 64) capacity = 64;
    int count = epoll_wait(group, events, capacity, 0);
    for (int index = 0; index < count; index++) descriptors[index] = events[index].data.fd;
    return count < 0 ? 0 : count;
}
