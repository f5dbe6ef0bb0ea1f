#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Between fork and exec, and in the keeper all its life, only async-signal-safe functions and bare system calls may run:
// another thread of the parent may have held any lock at the moment of the fork.

enum { END_COMMAND = 0 };

struct birth {
    int32_t failure;
    int32_t pid;
};

static int64_t now_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void close_between(unsigned first, unsigned last) {
    if (first > last) return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 1048576) limit.rlim_cur = 1048576;
    for (unsigned descriptor = first; descriptor <= last && descriptor < limit.rlim_cur; descriptor += 1) {
        close((int)descriptor);
    }
}

/// Closes every descriptor from `first` on but two.
static void close_all_but(unsigned first, int one, int other) {
    unsigned low = (unsigned)(one < other ? one : other);
    unsigned high = (unsigned)(one < other ? other : one);
    if (low > first) close_between(first, low - 1);
    if (high > low + 1) close_between(low + 1 > first ? low + 1 : first, high - 1);
    close_between(high + 1 > first ? high + 1 : first, ~0U);
}

static int above_standard(int descriptor, int flags) {
    int opened = descriptor < 0 ? open("/dev/null", flags | O_CLOEXEC) : descriptor;
    return opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 3);
}

static void become(const struct locwatch_spawn_request *request, pid_t keeper, int verdict) {
    // A second line of defence, for a keeper that is killed itself; the keeper has one thread only.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper) _exit(127);
    setpgid(0, 0);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number <= 64; number += 1) sigaction(number, &standard, NULL);

    verdict = fcntl(verdict, F_DUPFD_CLOEXEC, 3);
    int input = above_standard(request->input, O_RDONLY);
    int output = above_standard(request->output, O_WRONLY);
    int error = above_standard(request->error, O_WRONLY);
    if (verdict < 0) _exit(127);
    if (input >= 0 && output >= 0 && error >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1
        && dup2(error, 2) == 2) {
        close_all_but(3, verdict, verdict);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(request->path, request->arguments, request->environment);
    }
    int32_t failure = errno;
    ssize_t written = write(verdict, &failure, sizeof failure);
    (void)written;
    _exit(127);
}

static void on_child_change(int number) {
    (void)number;
}

static int has_ended(pid_t child) {
    siginfo_t info;
    info.si_pid = 0;
    // WNOWAIT: as long as the child is not reaped nobody else can get its process id or its group's.
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

static void guard(pid_t child, int leash, int grace) {
    sigset_t waiting;
    sigfillset(&waiting);
    sigdelset(&waiting, SIGCHLD);
    int listening = 1;
    int64_t deadline = -1;
    while (!has_ended(child)) {
        struct timespec rest, *timeout = NULL;
        if (deadline >= 0) {
            int64_t left = deadline - now_milliseconds();
            if (left <= 0) {
                kill(-child, SIGKILL);
                kill(child, SIGKILL);
                left = 1000;
            }
            rest.tv_sec = left / 1000;
            rest.tv_nsec = left % 1000 * 1000000;
            timeout = &rest;
        }
        struct pollfd watched = {.fd = listening ? leash : -1, .events = POLLIN};
        if (ppoll(&watched, 1, timeout, &waiting) <= 0 || watched.revents == 0) continue;
        unsigned char command = END_COMMAND;
        ssize_t count = recv(leash, &command, 1, MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (count <= 0) listening = 0;
        if (count <= 0 || command == END_COMMAND) {
            if (deadline >= 0) continue;
            deadline = now_milliseconds() + grace;
            kill(child, SIGTERM);
            kill(child, SIGCONT);
        } else {
            kill(child, command);
        }
    }
}

static void keep(const struct locwatch_spawn_request *request, int leash) {
    // A session of its own: Ctrl-C in a terminal reaches neither the keeper nor the child, but the parent, which decides.
    setsid();
    prctl(PR_SET_NAME, "locwatch-keeper");
    struct sigaction action = {.sa_handler = on_child_change, .sa_flags = SA_NOCLDSTOP};
    sigaction(SIGCHLD, &action, NULL);

    struct birth birth = {0, 0};
    int verdict[2] = {-1, -1};
    pid_t keeper = getpid();
    pid_t child = -1;
    if (pipe2(verdict, O_CLOEXEC) != 0 || (child = _Fork()) < 0) {
        birth.failure = errno;
    } else if (child == 0) {
        become(request, keeper, verdict[1]);
    } else {
        setpgid(child, child);
        // Standard output too: whoever reads it waits for its end, and the keeper outlives the parent.
        close_all_but(0, leash, verdict[0]);
        int32_t failure = 0;
        ssize_t count;
        do {
            count = read(verdict[0], &failure, sizeof failure);
        } while (count < 0 && errno == EINTR);
        close(verdict[0]);
        birth.failure = count == sizeof failure ? failure : 0;
        birth.pid = child;
    }
    ssize_t sent = send(leash, &birth, sizeof birth, MSG_NOSIGNAL);
    (void)sent;
    if (child > 0) {
        guard(child, leash, request->grace_milliseconds);
        kill(-child, SIGKILL);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        int32_t report = status;
        if (birth.failure == 0) sent = send(leash, &report, sizeof report, MSG_NOSIGNAL);
    }
    _exit(0);
}

/// Reads exactly `size` bytes, or returns an errno; EPIPE when the keeper is gone.
static int receive(int leash, void *target, size_t size) {
    char *bytes = target;
    while (size > 0) {
        ssize_t count = recv(leash, bytes, size, 0);
        if (count > 0) {
            bytes += count;
            size -= (size_t)count;
        } else if (count == 0) {
            return EPIPE;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int locwatch_spawn(const struct locwatch_spawn_request *request, pid_t *pid, pid_t *keeper, int *leash) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    // No handler of the parent may run in the keeper: it would write to the parent's pipes.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t forked = fork();
    int failure = errno;
    if (forked == 0) {
        close(ends[0]);
        keep(request, ends[1]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (forked < 0) {
        close(ends[0]);
        return failure;
    }
    struct birth birth = {0, 0};
    failure = receive(ends[0], &birth, sizeof birth);
    if (failure == 0) failure = birth.failure;
    if (failure != 0) {
        locwatch_child_release(ends[0], forked);
        return failure;
    }
    *pid = birth.pid;
    *keeper = forked;
    *leash = ends[0];
    return 0;
}

int locwatch_child_signal(int leash, int signal) {
    if (signal < 1 || signal > 64) return EINVAL;
    unsigned char command = (unsigned char)signal;
    return send(leash, &command, 1, MSG_NOSIGNAL) == 1 ? 0 : errno;
}

int locwatch_child_end(int leash) {
    unsigned char command = END_COMMAND;
    return send(leash, &command, 1, MSG_NOSIGNAL) == 1 ? 0 : errno;
}

int locwatch_child_wait(int leash, int milliseconds, int *status) {
    int64_t deadline = now_milliseconds() + milliseconds;
    for (;;) {
        int64_t left = milliseconds < 0 ? -1 : deadline - now_milliseconds();
        if (milliseconds >= 0 && left < 0) left = 0;
        struct pollfd watched = {.fd = leash, .events = POLLIN};
        int ready = poll(&watched, 1, (int)left);
        if (ready > 0) break;
        if (ready == 0) return ETIMEDOUT;
        if (errno != EINTR) return errno;
    }
    int32_t report = 0;
    int failure = receive(leash, &report, sizeof report);
    if (failure == 0) *status = report;
    return failure;
}

void locwatch_child_release(int leash, pid_t keeper) {
    close(leash);
    // ECHILD when the program ignores SIGCHLD; waitpid has waited all the same.
    while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR) {}
}

int locwatch_exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int locwatch_exit_signal(int status) {
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
