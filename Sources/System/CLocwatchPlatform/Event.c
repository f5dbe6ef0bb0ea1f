#include "CLocwatchPlatform.h"

#include <errno.h>
#include <sys/eventfd.h>

int locwatch_open_event(int *descriptor) {
    *descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return *descriptor < 0 ? errno : 0;
}
