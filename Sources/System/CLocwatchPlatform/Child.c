#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Between fork and exec, and in the keeper, only async-signal-safe functions and system calls may run: another thread
// of the parent may have held any lock during the fork.

enum { END_COMMAND = 0, MOST_SOCKETS = 8, MOST_RESUMPTIONS = 50 };

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

/// Closes every descriptor from `first` on except those in `kept`.
static void close_all_but(unsigned first, const int *kept, int count) {
    for (;;) {
        unsigned next = ~0U;
        for (int index = 0; index < count; index += 1) {
            unsigned descriptor = (unsigned)kept[index];
            if (descriptor >= first && descriptor < next) next = descriptor;
        }
        if (next > first) close_between(first, next == ~0U ? next : next - 1);
        if (next == ~0U) return;
        first = next + 1;
    }
}

/// Returns whether a descriptor is one of a pair of sockets without names.
static int is_of_pair(int descriptor) {
    struct sockaddr_storage name;
    socklen_t own = sizeof name, other = sizeof name;
    return getsockname(descriptor, (struct sockaddr *)&name, &own) == 0 && name.ss_family == AF_UNIX &&
           getpeername(descriptor, (struct sockaddr *)&name, &other) == 0 && own == sizeof name.ss_family &&
           other == sizeof name.ss_family;
}

void locwatch_close_inherited(void) {
    int kept[64], count = 0, words = 0;
    char **arguments = locwatch_arguments(&words);
    for (int index = 1; index < words; index += 1) {
        const char *place = arguments[index];
        while (count < 64 && (place = strstr(place, "/fd/")) != NULL) {
            char *end;
            long number = strtol(place += 4, &end, 10);
            if (end > place && number > 2 && number < 1 << 20) kept[count++] = (int)number;
        }
    }
    // Foundation's Process learns from the end of such a pair that the program has ended: if it were closed before, the process that
    // has started this one would wait for its end and learn of no other one.
    struct pollfd opened[128];
    for (int index = 0; index < 128; index += 1) opened[index] = (struct pollfd){.fd = index + 3};
    if (poll(opened, 128, 0) > 0) {
        for (int index = 0; index < 128 && count < 64; index += 1) {
            if (!(opened[index].revents & POLLNVAL) && is_of_pair(opened[index].fd)) kept[count++] = opened[index].fd;
        }
    }
    close_all_but(3, kept, count);
}

/// Duplicates a descriptor, or /dev/null for -1, to a number of at least `lowest`.
static int duplicate_above(int lowest, int descriptor, int flags) {
    int opened = descriptor < 0 ? open("/dev/null", flags | O_CLOEXEC) : descriptor;
    return opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, lowest);
}

/// Makes the request's descriptors the child's 0, 1, 2, 3, ...; returns 0, or -1 with errno set.
static int take_descriptors(const struct locwatch_spawn_request *request, int count) {
    int sources[3 + MOST_SOCKETS] = {request->input, request->output, request->error};
    for (int index = 3; index < count; index += 1) sources[index] = request->sockets[index - 3];
    // All are moved out of the way first, because the number of one may be the target of another.
    for (int index = 0; index < count; index += 1) {
        sources[index] = duplicate_above(count, sources[index], index == 0 ? O_RDONLY : O_WRONLY);
        if (sources[index] < 0) return -1;
    }
    for (int index = 0; index < count; index += 1) {
        if (dup2(sources[index], index) != index) return -1;
    }
    return 0;
}

/// Has the kernel kill this process when the last write end of the pipe closes.
///
/// Unlike PR_SET_PDEATHSIG this outlasts a change of the user: the signal is sent with the rights of the caller of
/// F_SETOWN. The descriptor must stay open, also across exec.
static void tie_to(int tether) {
    fcntl(tether, F_SETOWN, getpid());
    fcntl(tether, F_SETSIG, SIGKILL);
    fcntl(tether, F_SETFL, O_ASYNC);
}

/// Writes this process' id over the digits of LISTEN_PID.
static void write_listen_pid(char *const *environment) {
    static const char name[] = "LISTEN_PID=";
    for (; *environment != NULL; environment += 1) {
        if (strncmp(*environment, name, sizeof name - 1) != 0) continue;
        char *start = *environment + sizeof name - 1;
        pid_t rest = getpid();
        for (char *digit = start + strlen(start); digit > start; rest /= 10) *--digit = (char)('0' + rest % 10);
    }
}

static void become(const struct locwatch_spawn_request *request, pid_t keeper, int verdict, int tether) {
    // Covers the time until the tether works; the keeper has only one thread.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper) _exit(127);
    setpgid(0, 0);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number <= 64; number += 1) sigaction(number, &standard, NULL);

    int count = 3 + request->socket_count;
    verdict = fcntl(verdict, F_DUPFD_CLOEXEC, count);
    tether = fcntl(tether, F_DUPFD, count);
    if (verdict < 0 || tether < 0) _exit(127);
    tie_to(tether);
    if (take_descriptors(request, count) == 0) {
        close_all_but((unsigned)count, (int[]){verdict, tether}, 2);
        write_listen_pid(request->environment);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        uint32_t applied;
        errno = request->confinement == NULL ? 0 : locwatch_confine(request->confinement, request->path, &applied);
        if (errno == 0) execve(request->path, request->arguments, request->environment);
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
    // WNOWAIT: while the child is not reaped, its process id and its group's cannot be reused.
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/// Signals the child by its descriptor, which is all that a confined program may do, or by its id if the kernel gives no descriptor.
static void signal_child(pid_t child, int descriptor, int number) {
    if (descriptor >= 0 && syscall(SYS_pidfd_send_signal, descriptor, number, NULL, 0) == 0) return;
    // The kernel kills the child of a confined program when its keeper ends.
    if (kill(child, number) != 0 && descriptor < 0 && number == SIGKILL) _exit(0);
}

static void guard(pid_t child, int descriptor, int leash, int grace) {
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
                signal_child(child, descriptor, SIGKILL);
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
            signal_child(child, descriptor, SIGTERM);
            signal_child(child, descriptor, SIGCONT);
        } else {
            signal_child(child, descriptor, command);
        }
    }
}

/// Forks as `_Fork` does, with a descriptor of the child if the kernel gives one.
static pid_t fork_described(int *descriptor) {
    long child = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, descriptor, NULL, NULL);
    return child < 0 && errno == EINVAL ? _Fork() : (pid_t)child;
}

static void keep(const struct locwatch_spawn_request *request, int leash) {
    // In its own session, neither keeper nor child receives Ctrl-C of the terminal; the parent does and decides.
    setsid();
    prctl(PR_SET_NAME, "locwatch-keeper");
    struct sigaction action = {.sa_handler = on_child_change, .sa_flags = SA_NOCLDSTOP};
    sigaction(SIGCHLD, &action, NULL);

    struct birth birth = {0, 0};
    int verdict[2] = {-1, -1};
    int tether[2] = {-1, -1};
    pid_t keeper = getpid();
    int descriptor = -1;
    pid_t child = -1;
    if (pipe2(verdict, O_CLOEXEC) != 0 || pipe2(tether, O_CLOEXEC) != 0 || (child = fork_described(&descriptor)) < 0) {
        birth.failure = errno;
    } else if (child == 0) {
        close(tether[1]);
        become(request, keeper, verdict[1], tether[0]);
    } else {
        setpgid(child, child);
        // Standard output too: a reader of it waits for its end, and the keeper outlives the parent.
        close_all_but(0, (int[]){leash, verdict[0], tether[1], descriptor}, descriptor < 0 ? 3 : 4);
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
        guard(child, descriptor, leash, request->grace_milliseconds);
        kill(-child, SIGKILL);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        int32_t report = status;
        if (birth.failure == 0) sent = send(leash, &report, sizeof report, MSG_NOSIGNAL);
    }
    _exit(0);
}

/// Reads exactly `size` bytes, or returns an errno, which is EPIPE if the keeper is gone.
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

int locwatch_child_resume(pid_t keeper) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)keeper, &info, WSTOPPED | WNOHANG) != 0 || info.si_pid != keeper) return 0;
    kill(keeper, SIGCONT);
    return 1;
}

/// Waits for the report of a keeper about the start of its child, which may stop it at once, as by `kill -STOP $PPID`.
static void await_birth(int leash, pid_t keeper) {
    int resumptions = 0;
    for (;;) {
        struct pollfd watched = {.fd = leash, .events = POLLIN};
        int ready = poll(&watched, 1, 100);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return;
        resumptions += locwatch_child_resume(keeper);
        // The kernel kills the child with its keeper.
        if (resumptions == MOST_RESUMPTIONS) kill(keeper, SIGKILL);
    }
}

int locwatch_spawn(const struct locwatch_spawn_request *request, pid_t *pid, pid_t *keeper, int *leash) {
    if (request->socket_count < 0 || request->socket_count > MOST_SOCKETS) return EINVAL;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    // No signal handler of the parent may run in the keeper, where it would write to the parent's pipes.
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
    await_birth(ends[0], forked);
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
    int resumptions = 0;
    for (;;) {
        siginfo_t info = {.si_code = 0};
        // The result is ECHILD if the program ignores SIGCHLD; waitid has waited all the same.
        if (waitid(P_PID, (id_t)keeper, &info, WEXITED | WSTOPPED) != 0) {
            if (errno == EINTR) continue;
            return;
        }
        if (info.si_code != CLD_STOPPED) return;
        // A child can stop its keeper again and again; the kernel kills it with the keeper.
        resumptions += 1;
        kill(keeper, resumptions < MOST_RESUMPTIONS ? SIGCONT : SIGKILL);
    }
}

int locwatch_exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int locwatch_exit_signal(int status) {
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int locwatch_make_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int locwatch_size_pipe(int end, int size) {
    return fcntl(end, F_SETPIPE_SZ, size);
}
