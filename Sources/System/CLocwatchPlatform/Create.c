#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The umask belongs to the process: whatever another thread creates or starts at the time of a change has the changed one, and opening a
// file can take as long as the disk does. So the file is opened by a thread that shares everything but that with the others.

enum { STACK_SIZE = 16384 };

struct creation {
    const char *path;
    int flags;
    mode_t mode;
    int descriptor, failure;
};

/// Runs while its caller is suspended, on whose thread-local storage it is.
static int create(void *argument) {
    struct creation *creation = argument;
    umask(0);
    creation->descriptor = open(creation->path, creation->flags, creation->mode);
    creation->failure = errno;
    syscall(SYS_exit, 0);
    return 0;
}

int locwatch_create_with_mode(const char *path, int flags, mode_t mode) {
    struct creation creation = {path, flags | O_CREAT, mode, -1, 0};
    _Alignas(16) char stack[STACK_SIZE];
    // No handler of a signal may run on the thread. A call that the confinement refuses ends the program with a message.
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGSYS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int flags_of_thread = CLONE_VM | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_VFORK;
    int thread = clone(create, stack + STACK_SIZE, flags_of_thread, &creation);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    // Without memory for a thread the umask holds.
    if (thread < 0) return open(path, flags | O_CREAT, mode);
    errno = creation.failure;
    return creation.descriptor;
}
