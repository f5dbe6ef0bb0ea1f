// The system calls that are allowed, each with its reason: to a decoder, to a private gpsd, and to this program by what its command
// needs. The first row of a call whose purposes and conditions match decides. What no row mentions is refused; see `CallFilter.c`. A
// program that starts decoders may do what they may.
//
// The rows were found by tracing each command, source, target and library on Debian 12 (glibc 2.36, x86_64). What later releases of
// the C library and aarch64 need beside follows from their sources.

// Calls that the kernel's headers of Debian 12 do not have; their numbers are the same on both architectures.
#ifndef SYS_map_shadow_stack
#define SYS_map_shadow_stack 453
#endif
#ifndef SYS_mseal
#define SYS_mseal 462
#endif
/// The last call of Linux 6.19. A later C library tries those that are newer, and falls back if the kernel does not have them.
enum { NEWEST_CALL = 470 };

// A descriptor of the process at the other end of a local socket, since Linux 6.5.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

enum { MOST_CONDITIONS = 3, OWN_PROCESS = 0x7FFFFFFF };
#define WHOLE 0xFFFFFFFFU

/// A condition on the lower half of an argument, or the upper half of argument − 6: that its bits in `mask` are `value`.
struct condition {
    uint32_t argument, mask, value;
};

struct call {
    uint16_t number;
    /// The error that answers the call, or 0 if it is allowed.
    uint16_t answer;
    uint32_t purposes;
    struct condition conditions[MOST_CONDITIONS];
};

// The conditions of a row follow its reason.
#define ALLOW(name, purposes, reason, ...) {SYS_##name, 0, purposes, {__VA_ARGS__}}
#define REFUSE(name, purposes, error, reason, ...) {SYS_##name, error, purposes, {__VA_ARGS__}}

#define COMMAND(value) {1, WHOLE, value}
/// Any of the four commands, or of the eight, from a multiple of four or eight on.
#define FOUR_COMMANDS(first) {1, ~3U, first}
#define EIGHT_COMMANDS(first) {1, ~7U, first}
#define ONLY_READING {2, O_ACCMODE | O_CREAT | O_TRUNC, 0}
#define OLD_ONLY_READING {1, O_ACCMODE | O_CREAT | O_TRUNC, 0}
/// The flags of clone: threads, and no namespaces.
#define ONLY_THREADS {0, CLONE_THREAD | 0x7E020080, CLONE_THREAD}
#define NO_NAMESPACES {0, 0x7E020080, 0}
#define WRITTEN_AND_RUN (PROT_WRITE | PROT_EXEC)
#define OWN_ONLY {0, WHOLE, OWN_PROCESS}
#define NO_VALUE {2, WHOLE, 0}, {2 + 6, WHOLE, 0}
#define NO_ADDRESS {4, WHOLE, 0}, {4 + 6, WHOLE, 0}
#define FAMILY(family, type, protocol, others) {0, WHOLE, family}, {1, 0xF, type}, {2, ~(protocol), others}

static const struct call calls[] = {
    // MARK: Descriptors
    ALLOW(read, ANY, "bytes of files, pipes and sockets"),
    ALLOW(write, ANY, "bytes to them"),
    ALLOW(readv, ANY, "bytes in several pieces"),
    ALLOW(writev, ANY, "bytes in several pieces"),
    ALLOW(pread64, ANY, "a part of a file, such as the header of a library"),
    ALLOW(pwrite64, WRITES, "a part of a queue or of a track"),
    ALLOW(lseek, ANY, "the place in a file"),
    ALLOW(close, ANY, "the end of a descriptor"),
    ALLOW(close_range, EACH, "the end of many"),
    ALLOW(dup, ANY, "another number for a descriptor"),
    ALLOW(dup3, ANY, "another number for a descriptor"),
    ALLOW(pipe2, ANY, "a pipe to a child or to another thread"),
    ALLOW(ppoll, ANY, "waiting for descriptors"),
    ALLOW(pselect6, ANY, "waiting for descriptors"),
    ALLOW(epoll_create1, GPSD | OWN, "waiting for many: libusb, microhttpd, targets that listen"),
    ALLOW(epoll_ctl, GPSD | OWN, "waiting for many"),
    ALLOW(epoll_pwait, GPSD | OWN, "waiting for many"),
    ALLOW(eventfd2, GPSD | OWN, "waking a thread that waits"),
    // F_SETOWN and F_SETSIG have another process signalled.
    ALLOW(fcntl, OWN, "flags and locks of a descriptor", EIGHT_COMMANDS(F_DUPFD)),
    ALLOW(fcntl, OWN, "locks of an open file", FOUR_COMMANDS(F_OFD_GETLK)),
    ALLOW(fcntl, OWN, "another number for a descriptor", COMMAND(F_DUPFD_CLOEXEC)),
    ALLOW(fcntl, OWN, "the size of the pipe of a target", COMMAND(F_SETPIPE_SZ)),
    REFUSE(fcntl, EACH, EPERM, "a signal to another process", COMMAND(F_SETOWN)),
    REFUSE(fcntl, EACH, EPERM, "a signal to another process", COMMAND(F_SETSIG)),
    REFUSE(fcntl, EACH, EPERM, "a signal to another process", COMMAND(F_SETOWN_EX)),
    REFUSE(fcntl, EACH, EPERM, "a signal when another process opens a file", COMMAND(F_SETLEASE)),
    REFUSE(fcntl, EACH, EPERM, "a signal when a folder changes", COMMAND(F_NOTIFY)),
    ALLOW(fcntl, EACH, "flags and locks"),
    ALLOW(ioctl, OWN, "whether it is a terminal", COMMAND(TCGETS)),
    ALLOW(ioctl, OWN, "whether it is a terminal, from glibc 2.42 on", COMMAND(TCGETS2)),
    ALLOW(ioctl, OWN, "the mode of whole screens", COMMAND(TCSETS)),
    ALLOW(ioctl, OWN, "the mode of whole screens", COMMAND(TCSETS2)),
    ALLOW(ioctl, OWN, "a terminal that does not read", FOUR_COMMANDS(TCSBRK & ~3U)),
    ALLOW(ioctl, OWN, "the size of a terminal", COMMAND(TIOCGWINSZ)),
    ALLOW(ioctl, OWN, "whether a terminal has this process in the foreground", COMMAND(TIOCGPGRP)),
    ALLOW(ioctl, OWN, "whether the line is in exclusive use", COMMAND(TIOCGEXCL)),
    ALLOW(ioctl, OWN, "what a pseudo terminal has discarded", COMMAND(TIOCPKT)),
    ALLOW(ioctl, OWN, "the bytes that wait to be read", COMMAND(FIONREAD)),
    ALLOW(ioctl, CONNECTS, "the bytes that a peer has not got", COMMAND(TIOCOUTQ)),
    ALLOW(ioctl, OWN, "a socket that does not wait", COMMAND(FIONBIO)),
    ALLOW(ioctl, CONNECTS, "the interface of a link-local address", COMMAND(SIOCGIFINDEX)),
    ALLOW(ioctl, CONNECTS, "the interface of a link-local address", COMMAND(SIOCGIFNAME)),
    REFUSE(ioctl, EACH, EPERM, "the flags of a file", COMMAND(FS_IOC_SETFLAGS)),
    REFUSE(ioctl, EACH, EPERM, "the attributes of a file", COMMAND(FS_IOC_FSSETXATTR)),
    REFUSE(ioctl, EACH, EPERM, "sealing a file", COMMAND(FS_IOC_ENABLE_VERITY)),
    REFUSE(ioctl, EACH, EPERM, "typing into a terminal", COMMAND(TIOCSTI)),
    REFUSE(ioctl, EACH, EPERM, "typing into a console", COMMAND(TIOCLINUX)),
    REFUSE(ioctl, EACH, EPERM, "signals to another process", COMMAND(FIOSETOWN)),
    REFUSE(ioctl, EACH, EPERM, "signals to another process", COMMAND(SIOCSPGRP)),
    ALLOW(ioctl, EACH, "whether it is a terminal", COMMAND(TCGETS)),
    ALLOW(ioctl, EACH, "whether it is a terminal, from glibc 2.42 on", COMMAND(TCGETS2)),
    ALLOW(ioctl, EACH, "the size of a terminal", COMMAND(TIOCGWINSZ)),
    ALLOW(ioctl, EACH, "the bytes that wait to be read", COMMAND(FIONREAD)),
    ALLOW(ioctl, EACH, "a socket that does not wait", COMMAND(FIONBIO)),
    // gpsd takes a pipe for a line, too, and the kernel answers that it is none.
    ALLOW(ioctl, GPSD | LOG, "the speed of a line", COMMAND(TCSETS)),
    ALLOW(ioctl, GPSD | LOG, "the speed of a line", COMMAND(TCSETSW)),
    ALLOW(ioctl, GPSD | LOG, "the speed of a line", COMMAND(TCSETSF)),
    ALLOW(ioctl, GPSD | LOG, "the speed of a line", COMMAND(TCSETS2)),
    ALLOW(ioctl, GPSD | LOG, "the speed of a line", COMMAND(TCSETSW2)),
    ALLOW(ioctl, GPSD | LOG, "the speed of a line", COMMAND(TCSETSF2)),
    ALLOW(ioctl, GPSD | LOG, "bytes that wait to be sent, or are thrown away", FOUR_COMMANDS(TCSBRK & ~3U)),
    ALLOW(ioctl, GPSD | LOG, "the same, as an older form", COMMAND(TCSBRKP)),
    ALLOW(ioctl, GPSD | LOG, "the bytes that wait to be sent", COMMAND(TIOCOUTQ)),
    ALLOW(ioctl, GPSD | LOG, "exclusive use", COMMAND(TIOCEXCL)),
    ALLOW(ioctl, GPSD | LOG, "exclusive use", COMMAND(TIOCNXCL)),
    ALLOW(ioctl, GPSD | LOG, "exclusive use", COMMAND(TIOCGEXCL)),
    ALLOW(ioctl, GPSD | LOG, "the wires beside the data", COMMAND(TIOCMGET)),
    ALLOW(ioctl, GPSD | LOG, "the wires beside the data", COMMAND(TIOCMSET)),
    ALLOW(ioctl, GPSD | LOG, "the wires beside the data", COMMAND(TIOCMBIS)),
    ALLOW(ioctl, GPSD | LOG, "the wires beside the data", COMMAND(TIOCMBIC)),
    ALLOW(ioctl, GPSD | LOG, "pulses per second on them", COMMAND(TIOCMIWAIT)),
    ALLOW(ioctl, GPSD | LOG, "pulses per second on them", COMMAND(TIOCGICOUNT)),
    REFUSE(ioctl, GPSD | LOG, EPERM, "a part of the kernel that reads the line, which only root may choose", COMMAND(TIOCSETD)),

    // MARK: Files, which Landlock confines
    ALLOW(openat, GPSD | WRITES | CONNECTS, "files to read and to write, and the terminal for messages"),
    ALLOW(openat, DECODER | LOG | OWN, "files to read, also where there is no Landlock", ONLY_READING),
    REFUSE(openat, DECODER | LOG | OWN, EACCES, "files to write"),
    ALLOW(faccessat, ANY, "whether a file is there"),
    ALLOW(faccessat2, OWN, "whether a file is there"),
    ALLOW(newfstatat, ANY, "the kind and size of a file"),
    ALLOW(fstat, ANY, "the kind and size of a file"),
    ALLOW(statx, ANY, "the kind and size of a file"),
    ALLOW(statfs, ANY, "the kind of a file system"),
    ALLOW(fstatfs, ANY, "the kind of a file system"),
    ALLOW(readlinkat, ANY, "where a link leads"),
    ALLOW(getcwd, ANY, "the current folder"),
    ALLOW(getdents64, ANY, "the names in a folder"),
    ALLOW(fadvise64, ANY, "reading ahead"),
    ALLOW(flock, OWN, "a file that another locwatch uses"),
    ALLOW(ftruncate, OWN, "an incomplete last line, also on standard output"),
    ALLOW(fsync, WRITES, "what must outlast a crash"),
    ALLOW(fdatasync, OWN, "what must outlast a crash"),
    ALLOW(mkdirat, WRITES, "the folder of a queue"),
    ALLOW(renameat, WRITES, "a file that is complete"),
    ALLOW(linkat, WRITES, "a file that replaces none"),
    ALLOW(unlinkat, WRITES, "a draft, or the entry of a target"),
    ALLOW(umask, WRITES, "a file with the mode of the one that it replaces"),
    REFUSE(fchown, WRITES, EPERM, "the owner of a file that root replaces"),
    REFUSE(fchmod, WRITES, EPERM, "the mode of a database, which SQLite gives the files beside it; the umask's stays"),
    REFUSE(fchmodat, EACH, EPERM, "gpsd makes its device writable for its group when root starts it"),

    // MARK: Memory
    ALLOW(brk, ANY, "memory"),
    ALLOW(madvise, ANY, "memory that is not needed, and the guard of a stack"),
    REFUSE(mmap, ANY, EPERM, "memory that can be written and executed", {2, WRITTEN_AND_RUN, WRITTEN_AND_RUN}),
    ALLOW(mmap, ANY, "memory, files and libraries"),
    REFUSE(mprotect, ANY, EPERM, "memory that becomes executable", {2, PROT_EXEC, PROT_EXEC}),
    ALLOW(mprotect, ANY, "the parts of a library, and the guard of a stack"),
    ALLOW(mremap, ANY, "memory that grows"),
    ALLOW(munmap, ANY, "memory that is not needed"),
    REFUSE(map_shadow_stack, ANY, ENOSYS, "the C library does without it"),
    REFUSE(mseal, ANY, ENOSYS, "the C library does without it"),
    REFUSE(shmget, ANY | OPEN, EPERM, "gpsd shares the position with every user, and leaves the memory behind"),

    // MARK: Time, chance and signals
    ALLOW(clock_getres, ANY, "the time"),
    ALLOW(clock_gettime, ANY, "the time"),
    ALLOW(clock_nanosleep, DECODER | GPSD | OWN, "waiting"),
    ALLOW(nanosleep, DECODER | GPSD | OWN, "waiting"),
    REFUSE(clock_nanosleep, LOG, EPERM, "the second that gpsd gives a line to take its speeds, which a log does not have"),
    REFUSE(nanosleep, LOG, EPERM, "that second"),
    ALLOW(gettimeofday, ANY, "the time"),
    ALLOW(clock_adjtime, OWN, "whether the clock is kept; the right to set it is given up before"),
    ALLOW(times, EACH, "the use of the processor"),
    ALLOW(getrusage, EACH, "the use of the processor"),
    ALLOW(getitimer, EACH, "timers"),
    ALLOW(setitimer, EACH, "timers"),
    ALLOW(timerfd_create, GPSD, "the timers of libusb"),
    REFUSE(timerfd_create, OWN, ENOSYS, "timers of the runtime, which does without them"),
    ALLOW(timerfd_gettime, GPSD, "the timers of libusb"),
    ALLOW(timerfd_settime, GPSD, "the timers of libusb"),
    ALLOW(getrandom, ANY, "chance, for keys and names"),
    ALLOW(restart_syscall, ANY, "a call that a stop has interrupted"),
    ALLOW(rt_sigaction, ANY, "handlers of signals"),
    ALLOW(rt_sigprocmask, ANY, "signals that wait"),
    ALLOW(rt_sigpending, CONNECTS, "libmosquitto and TLS libraries hold SIGPIPE back"),
    ALLOW(rt_sigtimedwait, EACH | CONNECTS, "libmosquitto and TLS libraries hold SIGPIPE back"),
    ALLOW(rt_sigreturn, ANY, "the end of a handler"),
    ALLOW(rt_sigsuspend, EACH, "waiting for a signal"),
    ALLOW(sigaltstack, ANY, "the stack of handlers"),
    ALLOW(kill, ANY, "ending by a signal", OWN_ONLY),
    REFUSE(kill, EACH, EPERM, "signals to other processes"),
    ALLOW(tgkill, ANY, "ending by a signal, and waking a thread", OWN_ONLY),
    REFUSE(tgkill, EACH, EPERM, "signals to other processes"),
    ALLOW(pidfd_send_signal, RUNS, "the end of a decoder, whose start alone gives such a descriptor"),
    REFUSE(getsockopt, RUNS, EPERM, "the descriptor of the process at the other end", {2, WHOLE, SO_PEERPIDFD}),

    // MARK: The process itself
    ALLOW(execve, EACH | RUNS, "the program, which Landlock confines"),
    ALLOW(exit, ANY, "the end of a thread"),
    ALLOW(exit_group, ANY, "the end of the process"),
    ALLOW(wait4, RUNS, "the end of a decoder"),
    ALLOW(waitid, RUNS, "the end of a decoder"),
    ALLOW(setpgid, RUNS, "a decoder and what it starts"),
    ALLOW(setsid, RUNS, "a decoder that Ctrl-C does not reach"),
    ALLOW(clone, ANY, "threads: deliveries, look-ups, zstd, libusb, pulses per second", ONLY_THREADS),
    ALLOW(clone, RUNS, "a decoder", NO_NAMESPACES),
    REFUSE(clone, ANY, EPERM, "processes"),
    REFUSE(clone3, ANY, ENOSYS, "its flags are out of sight, and the C library tries clone"),
    ALLOW(futex, ANY, "locks"),
    ALLOW(membarrier, EACH, "locks"),
    ALLOW(sched_yield, ANY, "locks"),
    ALLOW(sched_getaffinity, ANY, "the number of processors"),
    ALLOW(set_robust_list, ANY, "the start of a thread"),
    ALLOW(get_robust_list, EACH, "the start of a thread"),
    ALLOW(set_tid_address, ANY, "the start of a thread"),
    ALLOW(rseq, ANY, "the start of a thread"),
    ALLOW(gettid, ANY, "the number of a thread"),
    ALLOW(getpid, ANY, "the own process, its users and groups"),
    ALLOW(getppid, ANY, "the own process, its users and groups"),
    ALLOW(getpgid, EACH, "the own process, its users and groups"),
    ALLOW(getsid, EACH, "the own process, its users and groups"),
    ALLOW(getuid, ANY, "the own process, its users and groups"),
    ALLOW(geteuid, ANY, "the own process, its users and groups"),
    ALLOW(getgid, ANY, "the own process, its users and groups"),
    ALLOW(getegid, ANY, "the own process, its users and groups"),
    ALLOW(getgroups, EACH, "the own process, its users and groups"),
    ALLOW(getresuid, EACH, "the own process, its users and groups"),
    ALLOW(getresgid, EACH, "the own process, its users and groups"),
    ALLOW(capget, EACH, "the own process, its users and groups"),
    ALLOW(capset, RUNS, "root's rights, which a decoder gives up"),
    ALLOW(setgid, GPSD | LOG, "gpsd gives up root's rights"),
    ALLOW(setgroups, GPSD | LOG, "gpsd gives up root's rights"),
    ALLOW(setuid, GPSD | LOG, "gpsd gives up root's rights"),
    ALLOW(getpriority, EACH, "the own priority"),
    REFUSE(setpriority, OWN, EPERM, "priorities of threads, which the runtime does without"),
    ALLOW(setpriority, GPSD | LOG, "the own priority", {0, WHOLE, PRIO_PROCESS}, {1, WHOLE, 0}),
    ALLOW(prctl, ANY, "the name of a thread", {0, WHOLE, PR_SET_NAME}),
    ALLOW(prctl, ANY, "the name of a thread", {0, WHOLE, PR_GET_NAME}),
    ALLOW(prctl, ANY, "a libcap that is loaded", {0, WHOLE, PR_CAPBSET_READ}),
    ALLOW(prctl, RUNS, "the confinement of a decoder", {0, WHOLE, PR_SET_NO_NEW_PRIVS}),
    ALLOW(prctl, RUNS, "the confinement of a decoder", {0, WHOLE, PR_SET_SECCOMP}),
    ALLOW(prctl, RUNS, "the end of a decoder with this program", {0, WHOLE, PR_SET_PDEATHSIG}),
    REFUSE(prctl, ANY, EINVAL, "names of memory, and anything else"),
    ALLOW(prlimit64, ANY, "reading the own limits", {0, WHOLE, 0}, NO_VALUE),
    ALLOW(prlimit64, RUNS, "the limits of a decoder", {0, WHOLE, 0}),
    REFUSE(prlimit64, EACH, EPERM, "changing limits"),
    ALLOW(seccomp, RUNS, "whether a decoder can be confined"),
    ALLOW(landlock_create_ruleset, RUNS, "the confinement of a decoder"),
    ALLOW(landlock_add_rule, RUNS, "the confinement of a decoder"),
    ALLOW(landlock_restrict_self, RUNS, "the confinement of a decoder"),
    ALLOW(sysinfo, ANY, "the size of the memory, which sorting asks for"),
    ALLOW(uname, ANY, "the name of the machine"),

    // MARK: Sockets: the inherited ones, and those that are needed
    ALLOW(socket, CLIENT | LISTENER, "the stream of gpsd", FAMILY(AF_INET, SOCK_STREAM, 6U, 0)),
    ALLOW(socket, CLIENT | LISTENER, "the stream of gpsd", FAMILY(AF_INET6, SOCK_STREAM, 6U, 0)),
    ALLOW(socket, DATAGRAMS, "the datagrams of gpsd", FAMILY(AF_INET, SOCK_DGRAM, 17U, 0)),
    ALLOW(socket, DATAGRAMS, "the datagrams of gpsd", FAMILY(AF_INET6, SOCK_DGRAM, 17U, 0)),
    ALLOW(socket, LINE, "new devices for libusb", {0, WHOLE, AF_NETLINK}, {2, WHOLE, NETLINK_KOBJECT_UEVENT}),
    ALLOW(socket, CONNECTS, "connections", FAMILY(AF_INET, SOCK_STREAM, 6U, 0)),
    ALLOW(socket, CONNECTS, "connections", FAMILY(AF_INET6, SOCK_STREAM, 6U, 0)),
    ALLOW(socket, CONNECTS, "names of hosts, and targets of datagrams", FAMILY(AF_INET, SOCK_DGRAM, 17U, 0)),
    ALLOW(socket, CONNECTS, "names of hosts, and targets of datagrams", FAMILY(AF_INET6, SOCK_DGRAM, 17U, 0)),
    ALLOW(socket, LOCAL, "the service for names that end with .local", {0, WHOLE, AF_UNIX}),
    REFUSE(socket, ANY, EPERM, "sockets of this machine, at which services and programs of the user listen, and others"),
    ALLOW(socketpair, CONNECTS, "waking a thread of libcurl and libmosquitto", {0, WHOLE, AF_UNIX}, {1, 0xF, SOCK_STREAM}),
    ALLOW(socketpair, RUNS, "the leash of a decoder", {0, WHOLE, AF_UNIX}, {1, 0xF, SOCK_STREAM}),
    REFUSE(socketpair, EACH, EPERM, "sockets"),
    ALLOW(connect, CLIENT | CONNECTS, "connections"),
    REFUSE(connect, EACH, EPERM, "connections"),
    ALLOW(bind, LINE | DATAGRAMS | LISTENER | CONNECTS, "the own address"),
    REFUSE(bind, EACH, EPERM, "the own address"),
    ALLOW(listen, LISTENER | CONNECTS, "connections of clients"),
    REFUSE(listen, EACH, EPERM, "connections of clients"),
    ALLOW(accept, GPSD | LOG | CONNECTS, "connections of clients"),
    ALLOW(accept4, GPSD | LOG | CONNECTS, "connections of clients"),
    ALLOW(getpeername, GPSD | LOG | OWN, "the other end"),
    ALLOW(getsockname, GPSD | LOG | OWN, "the own end"),
    ALLOW(getsockopt, GPSD | LOG | OWN, "the state of a connection"),
    ALLOW(setsockopt, GPSD | LOG | OWN, "the settings of a connection"),
    ALLOW(shutdown, GPSD | LOG | OWN, "the end of a connection"),
    ALLOW(recvfrom, GPSD | LOG | OWN, "bytes of a peer"),
    ALLOW(recvmsg, GPSD | LOG | OWN, "bytes of a peer"),
    // An address would go round Landlock, and reach the datagram sockets of this machine.
    ALLOW(sendto, GPSD | LOG | OWN, "bytes to a peer", NO_ADDRESS),
    REFUSE(sendto, EACH, EPERM, "bytes to an address"),
    ALLOW(sendmsg, CONNECTS, "a header and a body at once"),
    ALLOW(sendmmsg, CONNECTS, "two questions to a name server at once"),

#ifdef __x86_64__
    // MARK: The older forms of the calls above, which only this architecture has
    ALLOW(open, GPSD | WRITES | CONNECTS, "files to read and to write, and the terminal for messages"),
    ALLOW(open, DECODER | LOG | OWN, "files to read", OLD_ONLY_READING),
    REFUSE(open, DECODER | LOG | OWN, EACCES, "files to write"),
    ALLOW(access, ANY, "whether a file is there"),
    ALLOW(stat, ANY, "the kind and size of a file"),
    ALLOW(lstat, ANY, "the kind and size of a file"),
    ALLOW(readlink, ANY, "where a link leads"),
    ALLOW(mkdir, WRITES, "the folder of a queue"),
    ALLOW(rename, WRITES, "a file that is complete"),
    ALLOW(link, WRITES, "a file that replaces none"),
    ALLOW(unlink, WRITES, "a draft, or the entry of a target"),
    REFUSE(chmod, EACH, EPERM, "gpsd makes its device writable for its group when root starts it"),
    ALLOW(pipe, EACH, "a pipe"),
    ALLOW(dup2, EACH, "another number for a descriptor"),
    ALLOW(poll, ANY, "waiting for descriptors"),
    ALLOW(select, ANY, "waiting for descriptors"),
    ALLOW(epoll_create, GPSD, "waiting for many"),
    ALLOW(epoll_wait, GPSD | OWN, "waiting for many"),
    ALLOW(alarm, EACH, "timers"),
    ALLOW(time, ANY, "the time"),
    ALLOW(getrlimit, EACH, "the own limits"),
    ALLOW(arch_prctl, ANY, "the start of a thread"),
    REFUSE(fork, ANY, EPERM, "processes"),
    REFUSE(vfork, ANY, EPERM, "processes"),
#endif
};
