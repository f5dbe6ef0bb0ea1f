#ifndef LOCWATCH_CPLATFORM_H
#define LOCWATCH_CPLATFORM_H

#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

// What the Glibc module does not offer, or what Swift cannot do safely: code that runs between fork and exec.
// Every function that can fail returns 0, or the errno of what failed.

/// Opens a pseudo terminal in raw mode at `speed` bits per second, both ends close-on-exec and the master non-blocking.
/// `path` receives the slave's path; with `anyone` it is made mode 666, for a daemon that drops its rights.
int locwatch_open_pty(int speed, int anyone, int *master, int *slave, char *path, size_t capacity);

/// 1 where a terminal can run at `speed` bits per second, else 0.
int locwatch_is_line_speed(int speed);

/// 1 where a process keeps the terminal for itself (TIOCEXCL), else 0: root can open such a terminal all the same.
int locwatch_is_exclusive(int descriptor);

/// An eventfd that is close-on-exec and non-blocking: Glibc's module has no sys/eventfd.h.
int locwatch_open_event(int *descriptor);

/// 1 where an address lies in the program itself, 0 where it lies in a library that it loaded, or nowhere.
int locwatch_is_in_program(const void *address);

/// What to start. Descriptors of −1 stand for /dev/null; all others than these three are closed in the child.
struct locwatch_spawn_request {
    const char *path;
    char *const *arguments;
    char *const *environment;
    int input;
    int output;
    int error;
    /// How long the child has between SIGTERM and SIGKILL when it is to end.
    int grace_milliseconds;
};

/// Starts a child that ends with its parent, however the parent ends.
///
/// PR_SET_PDEATHSIG alone does not do: it fires when the *thread* that forked exits, and a setuid (gpsd, when started as
/// root) clears it. So a keeper process stands between: it holds one end of a socket pair whose other end only the parent
/// has, and ends the child when that end closes. `pid` is the child's, `keeper` the keeper's, which is the one to reap.
int locwatch_spawn(const struct locwatch_spawn_request *request, pid_t *pid, pid_t *keeper, int *leash);

/// Sends a signal to the child, through the keeper: it cannot hit another process that got the same id.
int locwatch_child_signal(int leash, int signal);

/// Asks the child to end: SIGTERM, and SIGKILL to it and its group after the grace time.
int locwatch_child_end(int leash);

/// Waits for the child's end: ETIMEDOUT when it still runs after `milliseconds` (−1: wait for ever). On 0 `status` is what
/// waitpid gives. Call it no more once it gave 0.
int locwatch_child_wait(int leash, int milliseconds, int *status);

/// Closes the leash and waits until the keeper, and so the child, is gone.
void locwatch_child_release(int leash, pid_t keeper);

/// The exit code out of a status of waitpid, or −1 where a signal ended the child.
int locwatch_exit_code(int status);

/// The signal that ended the child, or 0 where it exited.
int locwatch_exit_signal(int status);

/// A TCP port of 127.0.0.1 that was free a moment ago.
int locwatch_free_loopback_port(uint16_t *port);

/// 1 where the system's clock is kept by a time server or the like, 0 where it is not, -1 where that cannot be told.
int locwatch_clock_is_kept(void);

/// Has SIGINT, SIGTERM and SIGHUP make `event` readable instead of ending the program; a second one ends it at once.
///
/// SIGPIPE is ignored: a write then fails with EPIPE. What was ignored from the start stays ignored.
void locwatch_catch_signals(int event);

/// The signal that was caught, or 0.
int locwatch_caught_signal(void);

/// Ends the program by a signal, as if it had never been caught.
void locwatch_die_of_signal(int number);

#endif
