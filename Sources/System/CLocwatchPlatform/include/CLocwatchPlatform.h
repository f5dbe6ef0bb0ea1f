#ifndef LOCWATCH_CLOCWATCHPLATFORM_H
#define LOCWATCH_CLOCWATCHPLATFORM_H

#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

#include "CLocwatchConfinement.h"

// Functions that the Glibc module does not offer, or that Swift cannot run safely, such as between fork and exec.
// Every function that can fail returns 0 or an errno, unless it says otherwise.

/// Opens a pseudo terminal in raw mode at `speed` bits per second, both ends close-on-exec and the master non-blocking.
/// `path` receives the slave's path; with `anyone` its mode is 666, for a daemon that drops root's rights.
int locwatch_open_pty(int speed, int anyone, int *master, int *slave, char *path, size_t capacity);

/// Returns 1 if a terminal can run at `speed` bits per second, else 0.
int locwatch_is_line_speed(int speed);

/// Returns 1 if a process has the terminal open exclusively (TIOCEXCL), which root can open nevertheless, else 0.
int locwatch_is_exclusive(int descriptor);

/// The changes of the terminal of a full-screen program.
enum { LOCWATCH_SCREEN_RESIZED = 1, LOCWATCH_SCREEN_RESUMED = 2 };

/// Puts a terminal into the mode of a full-screen program and writes `enter` to it.
///
/// However the program ends, except by SIGKILL, `leave` is written and the old mode set; also while it is suspended.
/// Both texts must live as long as the program. SIGWINCH and SIGCONT trigger the event `event`.
int locwatch_enter_screen(int descriptor, int event, const char *enter, const char *leave);

/// Restores the terminal and the handlers of the signals.
void locwatch_leave_screen(void);

/// Restores the terminal if a full-screen program uses it; async-signal-safe.
void locwatch_restore_screen(void);

/// Returns whether a full-screen program uses the terminal; async-signal-safe.
int locwatch_screen_is_shown(void);

/// Returns what has happened since the last call, as a sum of LOCWATCH_SCREEN_RESIZED and LOCWATCH_SCREEN_RESUMED.
int locwatch_take_screen_changes(void);

/// Creates a close-on-exec, non-blocking eventfd; the Glibc module has no sys/eventfd.h.
int locwatch_open_event(int *descriptor);

/// Creates a close-on-exec epoll instance, which is readable when one of its descriptors is ready; the Glibc module has no
/// sys/epoll.h.
int locwatch_open_poll_group(int *group);

/// Adds a descriptor to a group, or changes the events of poll(2) for which it is watched.
int locwatch_poll_group_set(int group, int descriptor, short events);

/// Removes a descriptor from a group, if it is there.
void locwatch_poll_group_remove(int group, int descriptor);

/// Fills `descriptors` with those of a group that are ready, 64 at most, and returns their number; does not wait.
int locwatch_poll_group_ready(int group, int *descriptors, int capacity);

/// Returns 1 if an address belongs to the program itself, 0 if it belongs to a loaded library or to nothing.
int locwatch_is_in_program(const void *address);

/// Returns the arguments of `main`, with their number in `count`.
char **locwatch_arguments(int *count);

/// A program to start as a child.
///
/// Descriptors of -1 stand for /dev/null. The child gets no descriptors but these, `sockets`, and the read end of a
/// pipe.
struct locwatch_spawn_request {
    const char *path;
    char *const *arguments;
    char *const *environment;
    int input;
    int output;
    int error;
    /// Descriptors that become 3, 4, ... in the child, as in socket activation by systemd.
    ///
    /// If there are any, the environment must hold "LISTEN_PID=0000000000", over which the child writes its id.
    const int *sockets;
    int socket_count;
    /// What the child may do, or null if it may do all that the user may.
    const struct locwatch_confinement *confinement;
    /// The time that the child has between SIGTERM and SIGKILL.
    int grace_milliseconds;
};

/// Starts a child that ends with its parent, however the parent ends.
///
/// PR_SET_PDEATHSIG alone is not enough: it fires when the *thread* that forked exits, and the kernel clears it when
/// the child changes its user, as gpsd does when started by root. So a keeper process stands between parent and child.
/// It holds one end of a socket pair whose other end only the parent has, and ends the child when that end closes. The
/// keeper itself holds the only write end of a pipe; when the keeper is killed the pipe closes, and the kernel sends
/// SIGKILL to the child. `pid` is the child's id, `keeper` the id of the keeper, which the parent reaps.
int locwatch_spawn(const struct locwatch_spawn_request *request, pid_t *pid, pid_t *keeper, int *leash);

/// Sends a signal to the child through the keeper, so that it cannot hit a process that reuses the id.
int locwatch_child_signal(int leash, int signal);

/// Sends SIGTERM to the child, and SIGKILL to it and its group after the grace time.
int locwatch_child_end(int leash);

/// Waits for the child's end for `milliseconds` (−1: without a limit); returns ETIMEDOUT if it is still running then.
/// On 0 `status` is a status of waitpid, and the function must not be called again.
int locwatch_child_wait(int leash, int milliseconds, int *status);

/// Continues the keeper if it was stopped, as by a child that stops its parent; returns 1 if it was.
int locwatch_child_resume(pid_t keeper);

/// Closes the leash and waits until the keeper and with it the child is gone, also if the child stops the keeper.
void locwatch_child_release(int leash, pid_t keeper);

/// Returns the exit code in a status of waitpid, or −1 if a signal ended the child.
int locwatch_exit_code(int status);

/// Returns the signal that ended the child, or 0 if it exited.
int locwatch_exit_signal(int status);

/// Closes the descriptors from 3 on, which the parent has left open, except those that an argument names, as in /dev/fd/63,
/// and pairs of sockets without names, by which a parent learns that the program has ended.
void locwatch_close_inherited(void);

/// Opens an unnamed file in memory that holds `size` bytes, at its beginning and close-on-exec; the Glibc module does not
/// have memfd_create.
int locwatch_open_memory(const void *bytes, size_t size, int *descriptor);

/// Returns freed memory to the system; the Glibc module does not have malloc_trim.
void locwatch_release_memory(void);

/// Opens a path with O_PATH, which the Glibc module does not have; returns a descriptor, or -1 with errno set.
int locwatch_open_path(const char *path);

/// Opens a folder, to which a link can lead, with O_PATH, which needs no right to list it; returns a descriptor, or -1 with errno set.
int locwatch_open_folder(const char *path);

/// Makes a pipe, close-on-exec; returns 0, or -1 with errno set. The Glibc module has no pipe2.
int locwatch_make_pipe(int ends[2]);

/// Sets the number of bytes that a pipe holds; returns it, or -1 with errno set. The Glibc module has no F_SETPIPE_SZ.
int locwatch_size_pipe(int end, int size);

/// Creates a file with a mode that the umask does not restrict, and returns its descriptor, or −1 with errno.
///
/// The umask of the process stays as it is, as other threads and the programs that they start have it.
int locwatch_create_with_mode(const char *path, int flags, mode_t mode);

/// Returns the first occurrence of bytes in others, or null. The Glibc module has no memmem.
const void *locwatch_find(const void *bytes, size_t count, const void *searched, size_t searched_count);

/// Finds a TCP port of 127.0.0.1 that was just free.
int locwatch_free_loopback_port(uint16_t *port);

/// Returns 1 if the system's clock is synchronized, such as by a time server, 0 if it is not, and -1 if unknown.
int locwatch_clock_is_kept(void);

/// Makes SIGINT, SIGTERM and SIGHUP set `event` readable instead of ending the program; a second one ends it at once.
///
/// SIGPIPE is ignored: a write then fails with EPIPE. A signal that was ignored from the start stays ignored.
void locwatch_catch_signals(int event);

/// Gives the caught signals their default effect again, which ends the program; one that was caught before ends it at once.
void locwatch_release_signals(void);

/// Counts from now on how often the program is continued after it was stopped (SIGCONT); a full-screen program does not use it.
void locwatch_count_resumptions(void);

/// Returns the count.
int locwatch_resumptions(void);

/// Catches SIGUSR1, which then increases the counter of an event instead of ending the program.
void locwatch_catch_user_signal(int event);

/// Unblocks a signal of the calling thread, which the parent may have left blocked: it would never arrive. Async-signal-safe.
void locwatch_unblock_signal(int number);

/// Returns the signal that was caught, or 0.
int locwatch_caught_signal(void);

/// Ends the program by a signal, as if it had never been caught.
void locwatch_die_of_signal(int number);

#endif
