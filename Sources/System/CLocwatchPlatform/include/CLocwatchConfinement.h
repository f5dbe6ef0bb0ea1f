#ifndef LOCWATCH_CLOCWATCHCONFINEMENT_H
#define LOCWATCH_CLOCWATCHCONFINEMENT_H

#include <stdint.h>

// The confinement of a process that parses what others sent: what it may open, call and use up. The kernel enforces it
// with Landlock, seccomp and resource limits, none of which needs a privilege.

/// What a process is for.
enum {
    /// The programs that decompress: from standard input to standard output.
    LOCWATCH_DECODER = 1,
    /// A private gpsd.
    LOCWATCH_GPSD = 2,
    /// A gpsd that other programs may use; it is only kept from making System V shared memory.
    LOCWATCH_OPEN_GPSD = 4,
    /// This program itself while it reads a file and prints, and what its command needs beside, as a sum.
    LOCWATCH_OWN = 8,
    /// Connections to other machines, and from them.
    LOCWATCH_CONNECTS = 16,
    /// Files in folders that are named.
    LOCWATCH_WRITES = 32,
    /// Decoders, which inherit what this program may do.
    LOCWATCH_RUNS = 64,
    /// Sockets of this machine, which services of names have.
    LOCWATCH_LOCAL = 128,
    /// A private gpsd that decodes a log from its standard input: a decoder whose clients connect to an inherited socket.
    LOCWATCH_LOG_GPSD = 256
};

/// The parts of a confinement, which kernels have since different releases.
enum {
    /// Files, by Landlock 1 (Linux 5.13).
    LOCWATCH_CONFINES_FILES = 1,
    /// The device commands that a file of a device takes, by Landlock 5 (Linux 6.10).
    LOCWATCH_CONFINES_DEVICES = 2,
    /// TCP ports, by Landlock 4 (Linux 6.7).
    LOCWATCH_CONFINES_PORTS = 4,
    /// Signals and abstract sockets, by Landlock 6 (Linux 6.12).
    LOCWATCH_CONFINES_SIGNALS = 8,
    /// System calls, by seccomp, on x86_64 and aarch64.
    LOCWATCH_CONFINES_CALLS = 16
};

/// The confinement of one process.
struct locwatch_confinement {
    /// What the process is for, of the constants above.
    uint32_t purpose;
    /// The parts to apply; those that the kernel does not have are left out.
    uint32_t parts;
    /// The paths of the programs that may be run beside the first one; the array ends with null.
    char *const *programs;
    /// The device or the file that the process may read, or null.
    const char *device;
    /// Further files and folders that the process may read, and the folders, devices and pipes in which it may write; each array ends
    /// with null.
    char *const *read, *const *written;
    /// Whether the child may write to the device too.
    int writes_device;
    /// Whether the child may receive datagrams.
    int takes_datagrams;
    /// The TCP port to which the child may connect, or 0.
    uint16_t connects;
    /// The TCP port at which the child may listen, or 0.
    uint16_t listens;
    /// Whether a system call that is not in the tables ends the child by SIGSYS, which shows it in a test.
    int traps_unlisted;
};

/// Returns the parts of a confinement that this machine can apply.
uint32_t locwatch_confinement_parts(void);

/// Returns the version of Landlock, or 0 if the kernel has none.
int locwatch_landlock_version(void);

/// Confines the calling process for good, which is about to run `program`, if it is not null, and has one thread; async-signal-safe.
///
/// - Parameter applied: Gets the parts that are in force then; what the kernel refuses is left out.
int locwatch_confine(const struct locwatch_confinement *confinement, const char *program, uint32_t *applied);

/// Allows the calling thread the system calls of some purposes for good; returns 0 or an errno. Async-signal-safe.
///
/// Another call of a child is answered by ENOSYS, with which the C library tries an older call; with `traps_unlisted` it ends the
/// child by SIGSYS, for tests. One of this program is answered by EPERM, or by ENOSYS if it is newer than the table, and its number
/// is said once on standard error. That is done by a handler of SIGSYS, because the kernel can either refuse a call or log it: it
/// logs to a place that most users cannot read, each time, and not at all without its auditing. A call that takes this way costs
/// two microseconds; those that are allowed or refused by a row do not take it. A program that starts decoders has no handler,
/// because they would inherit the signal without it.
int locwatch_filter_calls(uint32_t purposes, int traps_unlisted);

/// Says the system call that was refused while a full screen was shown, if any.
void locwatch_say_refused_call(void);

#endif
