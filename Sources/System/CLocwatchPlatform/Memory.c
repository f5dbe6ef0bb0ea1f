#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int locwatch_open_memory(const void *bytes, size_t size, int *descriptor) {
    int opened = memfd_create("locwatch", MFD_CLOEXEC);
    if (opened < 0) return errno;
    const char *next = bytes;
    while (size > 0) {
        ssize_t count = write(opened, next, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            int failure = count < 0 ? errno : EIO;
            close(opened);
            return failure;
        }
        next += count;
        size -= (size_t)count;
    }
    lseek(opened, 0, SEEK_SET);
    *descriptor = opened;
    return 0;
}

void locwatch_release_memory(void) {
    malloc_trim(0);
}

const void *locwatch_find(const void *bytes, size_t count, const void *searched, size_t searched_count) {
    return memmem(bytes, count, searched, searched_count);
}
