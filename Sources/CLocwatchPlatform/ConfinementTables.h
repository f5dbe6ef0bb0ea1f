// The rules of the children and of this program, one table for each means: limits, files and system calls. A row is for the purposes in
// its second column. What no row mentions is denied, but for the system calls of this program.

// The purposes of a child, and what a private gpsd has beside its inherited sockets.
enum { DECODER = LOCWATCH_DECODER, GPSD = LOCWATCH_GPSD, OPEN = LOCWATCH_OPEN_GPSD, EACH = DECODER | GPSD };
enum { READER = LOCWATCH_READER, SERVICE = LOCWATCH_SERVICE, OWN = READER | SERVICE, ANY = EACH | OWN };
enum { LINE = 32, CLIENT = 64, LISTENER = 128, DATAGRAMS = 256 };

// MARK: Limits

static const struct {
    int resource;
    uint32_t purposes;
    rlim_t most;
} limits[] = {
    // xz takes up to 100 MB and zstd 128 MB; a thread of gpsd reserves 136 MB of addresses.
    {RLIMIT_AS, EACH, 1 << 30},
    // A recording of an hour of processor time has hundreds of gigabytes. gpsd runs for months.
    {RLIMIT_CPU, DECODER, 3600},
    {RLIMIT_FSIZE, EACH, 0},
    {RLIMIT_CORE, EACH, 0},
    {RLIMIT_NOFILE, EACH, 256},
};

// MARK: Files

enum { MAY_RUN = 1 << 0, MAY_WRITE = 1 << 1, MAY_READ = 1 << 2, MAY_LIST = 1 << 3 };
enum { MAY_REFER = 1 << 13, MAY_TRUNCATE = 1 << 14, MAY_COMMAND = 1 << 15 };
/// What can be done with a file, and what can be done in a folder that is to be written in.
enum { RIGHTS_OF_FILE = MAY_RUN | MAY_WRITE | MAY_READ | MAY_TRUNCATE | MAY_COMMAND, ALL_BUT_RUN = 0xFFFE };

/// The files and folders besides the program itself, its loader and its device.
static const struct {
    const char *path;
    uint32_t purposes;
    uint32_t rights;
    int is_for_root;
} paths[] = {
    // The libraries of a program.
    {"/etc/ld.so.cache", ANY, MAY_READ, 0},
    {"/etc/ld.so.preload", ANY, MAY_READ, 0},
    {"/lib", ANY, MAY_READ, 0},
    {"/lib64", ANY, MAY_READ, 0},
    {"/usr/lib", ANY, MAY_READ, 0},
    {"/usr/lib64", ANY, MAY_READ, 0},
    {"/usr/local/lib", ANY, MAY_READ, 0},
    {"/usr/libexec/coreutils", ANY, MAY_READ, 0},
    {"/nix/store", ANY, MAY_READ, 0},
    {"/gnu/store", ANY, MAY_READ, 0},
    {"/dev/null", ANY, MAY_READ | MAY_WRITE, 0},
    {"/etc/localtime", ANY, MAY_READ, 0},
    {"/usr/share/zoneinfo", ANY, MAY_READ, 0},
    // The programs of the system, which inherit the confinement, and their data.
    {"/bin", OWN, MAY_RUN | MAY_READ | MAY_LIST, 0},
    {"/lib", OWN, MAY_RUN | MAY_READ | MAY_LIST, 0},
    {"/lib64", OWN, MAY_RUN | MAY_READ | MAY_LIST, 0},
    {"/usr", OWN, MAY_RUN | MAY_READ | MAY_LIST, 0},
    {"/nix/store", OWN, MAY_RUN | MAY_READ | MAY_LIST, 0},
    {"/gnu/store", OWN, MAY_RUN | MAY_READ | MAY_LIST, 0},
    {"/dev/tty", OWN, MAY_READ | MAY_WRITE | MAY_COMMAND, 0},
    // Names of hosts, authorities of certificates and random numbers. The files are replaced while the program runs, so that their
    // folders have the rule.
    {"/etc", SERVICE, MAY_READ | MAY_LIST, 0},
    {"/run/NetworkManager", SERVICE, MAY_READ, 0},
    {"/run/connman", SERVICE, MAY_READ, 0},
    {"/run/resolvconf", SERVICE, MAY_READ, 0},
    {"/run/systemd/resolve", SERVICE, MAY_READ, 0},
    {"/var/lib/ca-certificates", SERVICE, MAY_READ | MAY_LIST, 0},
    {"/proc/sys", SERVICE, MAY_READ, 0},
    {"/dev/random", SERVICE, MAY_READ, 0},
    {"/dev/urandom", SERVICE, MAY_READ, 0},
    // gpsd gives up root's rights, and looks the user and the group up for that.
    {"/etc/nsswitch.conf", GPSD, MAY_READ, 1},
    {"/etc/passwd", GPSD, MAY_READ, 1},
    {"/etc/group", GPSD, MAY_READ, 1},
    // gpsd looks for USB receivers of Garmin, and 3.22 crashes if libusb cannot.
    {"/dev/bus/usb", LINE, MAY_LIST, 0},
    {"/sys/bus", LINE, MAY_READ | MAY_LIST, 0},
    {"/sys/class", LINE, MAY_LIST, 0},
    {"/sys/devices", LINE, MAY_READ | MAY_LIST, 0},
};

// MARK: System calls

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

enum { MOST_CONDITIONS = 3, OWN_PROCESS = 0x7FFFFFFF };
#define WHOLE 0xFFFFFFFFU

/// A condition on the lower half of an argument, or the upper half of argument − 6: that its bits in `mask` are `value`.
struct condition {
    uint32_t argument, mask, value;
};

/// The first row of a call whose conditions hold decides; an answer of 0 allows the call. What has no row is answered by
/// ENOSYS, with which the C library tries an older call.
struct call {
    uint32_t number;
    uint32_t purposes;
    uint32_t answer;
    struct condition conditions[MOST_CONDITIONS];
};

/// The flags of clone: only threads, and no namespaces.
enum { NAMESPACES = 0x7E020080 };

/// The calls of newer kernels, whose numbers are the same everywhere; the headers of Debian 12 do not have them.
enum { FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466, FILE_SETATTR = 469 };

static const struct call calls[] = {
    // The most frequent first.
    {SYS_read, EACH, 0, {}},
    {SYS_write, EACH, 0, {}},
    {SYS_pselect6, EACH, 0, {}},
    {SYS_ppoll, EACH, 0, {}},

    // Files, which Landlock confines. A decoder opens none for writing, also where there is no Landlock.
    {SYS_openat, DECODER, 0, {{2, O_ACCMODE | O_CREAT | O_TRUNC, 0}}},
    {SYS_openat, DECODER, EACCES, {}},
    {SYS_openat, GPSD, 0, {}},
    {SYS_close, EACH, 0, {}},
    {SYS_close_range, EACH, 0, {}},
    {SYS_dup, EACH, 0, {}},
    {SYS_dup3, EACH, 0, {}},
    {SYS_faccessat, EACH, 0, {}},
    {SYS_fadvise64, EACH, 0, {}},
    {SYS_fstat, EACH, 0, {}},
    {SYS_fstatfs, EACH, 0, {}},
    {SYS_getcwd, EACH, 0, {}},
    {SYS_getdents64, EACH, 0, {}},
    {SYS_lseek, EACH, 0, {}},
    {SYS_newfstatat, EACH, 0, {}},
    {SYS_pipe2, EACH, 0, {}},
    {SYS_pread64, EACH, 0, {}},
    {SYS_readlinkat, EACH, 0, {}},
    {SYS_readv, EACH, 0, {}},
    {SYS_statfs, EACH, 0, {}},
    {SYS_statx, EACH, 0, {}},
    {SYS_writev, EACH, 0, {}},
    // Not the commands that send a signal to another process: F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY.
    {SYS_fcntl, ANY, EPERM, {{1, WHOLE, 8}}},
    {SYS_fcntl, ANY, EPERM, {{1, WHOLE, 10}}},
    {SYS_fcntl, ANY, EPERM, {{1, WHOLE, 15}}},
    {SYS_fcntl, EACH, EPERM, {{1, WHOLE, 1024}}},
    {SYS_fcntl, EACH, EPERM, {{1, WHOLE, 1026}}},
    {SYS_fcntl, EACH, 0, {}},
    // Nor those that type into a terminal, or make another process the owner of a socket.
    {SYS_ioctl, ANY, EPERM, {{1, WHOLE, TIOCSTI}}},
    {SYS_ioctl, EACH, EPERM, {{1, WHOLE, TIOCLINUX}}},
    {SYS_ioctl, EACH, EPERM, {{1, WHOLE, FIOSETOWN}}},
    {SYS_ioctl, EACH, EPERM, {{1, WHOLE, SIOCSPGRP}}},
    {SYS_ioctl, EACH, 0, {}},
    // gpsd makes its device writable for its group when root starts it, which the owner of the device has not asked for.
    {SYS_fchmodat, EACH, EPERM, {}},

    // Memory.
    {SYS_brk, EACH, 0, {}},
    {SYS_madvise, EACH, 0, {}},
    {SYS_mmap, EACH, 0, {}},
    {SYS_mprotect, EACH, 0, {}},
    {SYS_mremap, EACH, 0, {}},
    {SYS_munmap, EACH, 0, {}},

    // Time and signals; the limits of use can be read, but not changed.
    {SYS_clock_getres, EACH, 0, {}},
    {SYS_clock_gettime, EACH, 0, {}},
    {SYS_clock_nanosleep, EACH, 0, {}},
    {SYS_getitimer, EACH, 0, {}},
    {SYS_getrandom, EACH, 0, {}},
    {SYS_getrusage, EACH, 0, {}},
    {SYS_gettimeofday, EACH, 0, {}},
    {SYS_kill, EACH, 0, {{0, WHOLE, OWN_PROCESS}}},
    {SYS_kill, EACH, EPERM, {}},
    {SYS_nanosleep, EACH, 0, {}},
    {SYS_prlimit64, EACH, 0, {{2, WHOLE, 0}, {2 + 6, WHOLE, 0}}},
    {SYS_prlimit64, EACH, EPERM, {}},
    {SYS_restart_syscall, EACH, 0, {}},
    {SYS_rt_sigaction, EACH, 0, {}},
    {SYS_rt_sigprocmask, EACH, 0, {}},
    {SYS_rt_sigreturn, EACH, 0, {}},
    {SYS_rt_sigsuspend, EACH, 0, {}},
    {SYS_rt_sigtimedwait, EACH, 0, {}},
    {SYS_setitimer, EACH, 0, {}},
    {SYS_sigaltstack, EACH, 0, {}},
    {SYS_tgkill, EACH, 0, {{0, WHOLE, OWN_PROCESS}}},
    {SYS_tgkill, EACH, EPERM, {}},
    {SYS_times, EACH, 0, {}},

    // The process itself. Threads are needed by zstd, libusb and for pulses per second; clone3 answers ENOSYS, as its flags are
    // out of sight.
    {SYS_execve, EACH, 0, {}},
    {SYS_exit, EACH, 0, {}},
    {SYS_exit_group, EACH, 0, {}},
    {SYS_clone, EACH, 0, {{0, CLONE_THREAD | NAMESPACES, CLONE_THREAD}}},
    {SYS_clone, EACH, EPERM, {}},
    {SYS_clone3, EACH, ENOSYS, {}},
    {SYS_capget, EACH, 0, {}},
    {SYS_futex, EACH, 0, {}},
    {SYS_get_robust_list, EACH, 0, {}},
    {SYS_getegid, EACH, 0, {}},
    {SYS_geteuid, EACH, 0, {}},
    {SYS_getgid, EACH, 0, {}},
    {SYS_getgroups, EACH, 0, {}},
    {SYS_getpgid, EACH, 0, {}},
    {SYS_getpid, EACH, 0, {}},
    {SYS_getppid, EACH, 0, {}},
    {SYS_getpriority, EACH, 0, {}},
    {SYS_getresgid, EACH, 0, {}},
    {SYS_getresuid, EACH, 0, {}},
    {SYS_getsid, EACH, 0, {}},
    {SYS_gettid, EACH, 0, {}},
    {SYS_getuid, EACH, 0, {}},
    {SYS_membarrier, EACH, 0, {}},
    {SYS_prctl, EACH, 0, {{0, WHOLE, PR_SET_NAME}}},
    {SYS_prctl, EACH, 0, {{0, WHOLE, PR_GET_NAME}}},
    {SYS_prctl, EACH, 0, {{0, WHOLE, PR_CAPBSET_READ}}},
    // PR_SET_VMA, with which the C library names its memory.
    {SYS_prctl, EACH, EINVAL, {}},
    {SYS_rseq, EACH, 0, {}},
    {SYS_sched_getaffinity, EACH, 0, {}},
    {SYS_sched_yield, EACH, 0, {}},
    {SYS_set_robust_list, EACH, 0, {}},
    {SYS_set_tid_address, EACH, 0, {}},
    {SYS_setpriority, GPSD, 0, {{0, WHOLE, PRIO_PROCESS}, {1, WHOLE, 0}}},
    // gpsd gives up root's rights.
    {SYS_setgid, GPSD, 0, {}},
    {SYS_setgroups, GPSD, 0, {}},
    {SYS_setuid, GPSD, 0, {}},
    {SYS_sysinfo, EACH, 0, {}},
    {SYS_uname, EACH, 0, {}},

    // Events of libusb.
    {SYS_epoll_create1, GPSD, 0, {}},
    {SYS_epoll_ctl, GPSD, 0, {}},
    {SYS_epoll_pwait, GPSD, 0, {}},
    {SYS_eventfd2, GPSD, 0, {}},
    {SYS_timerfd_create, GPSD, 0, {}},
    {SYS_timerfd_gettime, GPSD, 0, {}},
    {SYS_timerfd_settime, GPSD, 0, {}},

    // Sockets: the inherited ones, and those that the source needs. An address in sendto would go round Landlock.
    {SYS_accept, GPSD, 0, {}},
    {SYS_accept4, GPSD, 0, {}},
    {SYS_getpeername, GPSD, 0, {}},
    {SYS_getsockname, GPSD, 0, {}},
    {SYS_getsockopt, GPSD, 0, {}},
    {SYS_recvfrom, GPSD, 0, {}},
    {SYS_recvmsg, GPSD, 0, {}},
    {SYS_sendto, GPSD, 0, {{4, WHOLE, 0}, {4 + 6, WHOLE, 0}}},
    {SYS_sendto, EACH, EPERM, {}},
    {SYS_setsockopt, GPSD, 0, {}},
    {SYS_shutdown, GPSD, 0, {}},
    // libusb hears of new devices from the kernel.
    {SYS_socket, LINE, 0, {{0, WHOLE, AF_NETLINK}, {2, WHOLE, NETLINK_KOBJECT_UEVENT}}},
    {SYS_socket, CLIENT | LISTENER, 0, {{0, WHOLE, AF_INET}, {1, 0xF, SOCK_STREAM}, {2, ~6U, 0}}},
    {SYS_socket, CLIENT | LISTENER, 0, {{0, WHOLE, AF_INET6}, {1, 0xF, SOCK_STREAM}, {2, ~6U, 0}}},
    {SYS_socket, DATAGRAMS, 0, {{0, WHOLE, AF_INET}, {1, 0xF, SOCK_DGRAM}, {2, ~17U, 0}}},
    {SYS_socket, DATAGRAMS, 0, {{0, WHOLE, AF_INET6}, {1, 0xF, SOCK_DGRAM}, {2, ~17U, 0}}},
    {SYS_socket, EACH, EPERM, {}},
    {SYS_socketpair, EACH, EPERM, {}},
    {SYS_bind, LINE | DATAGRAMS | LISTENER, 0, {}},
    {SYS_bind, EACH, EPERM, {}},
    {SYS_listen, LISTENER, 0, {}},
    {SYS_listen, EACH, EPERM, {}},
    {SYS_connect, CLIENT, 0, {}},
    {SYS_connect, EACH, EPERM, {}},
    // gpsd would share the position with every user of the machine.
    {SYS_shmget, EACH | OPEN | OWN, EPERM, {}},

    // This program may call what is not listed. It changes nothing of other files, processes and the kernel; a reader has no
    // connection.
    {SYS_socket, READER, EPERM, {}},
    {SYS_connect, READER, EPERM, {}},
    {SYS_bind, READER, EPERM, {}},
    {SYS_fchmod, READER, EPERM, {}},
    {SYS_fchmodat, OWN, EPERM, {}},
    {FCHMODAT2, OWN, EPERM, {}},
    {SYS_fchown, READER, EPERM, {}},
    {SYS_fchownat, OWN, EPERM, {}},
    {SYS_utimensat, OWN, EPERM, {}},
    {SYS_setxattr, OWN, EPERM, {}},
    {SYS_lsetxattr, OWN, EPERM, {}},
    {SYS_fsetxattr, OWN, EPERM, {}},
    {SETXATTRAT, OWN, EPERM, {}},
    {SYS_removexattr, OWN, EPERM, {}},
    {SYS_lremovexattr, OWN, EPERM, {}},
    {SYS_fremovexattr, OWN, EPERM, {}},
    {REMOVEXATTRAT, OWN, EPERM, {}},
    {FILE_SETATTR, OWN, EPERM, {}},
    {SYS_ptrace, OWN, EPERM, {}},
    {SYS_process_vm_readv, OWN, EPERM, {}},
    {SYS_process_vm_writev, OWN, EPERM, {}},
    {SYS_process_madvise, OWN, EPERM, {}},
    {SYS_pidfd_getfd, OWN, EPERM, {}},
    {SYS_kcmp, OWN, EPERM, {}},
    {SYS_rt_sigqueueinfo, OWN, EPERM, {}},
    {SYS_rt_tgsigqueueinfo, OWN, EPERM, {}},
    // The limits, the priority and the processors of this process and of none else.
    {SYS_prlimit64, OWN, 0, {{0, WHOLE, 0}}},
    {SYS_prlimit64, OWN, EPERM, {}},
    {SYS_setpriority, OWN, 0, {{0, WHOLE, PRIO_PROCESS}, {1, WHOLE, 0}}},
    {SYS_setpriority, OWN, EPERM, {}},
    {SYS_ioprio_set, OWN, EPERM, {}},
    {SYS_sched_setaffinity, OWN, 0, {{0, WHOLE, 0}}},
    {SYS_sched_setaffinity, OWN, EPERM, {}},
    {SYS_sched_setattr, OWN, EPERM, {}},
    {SYS_sched_setparam, OWN, EPERM, {}},
    {SYS_sched_setscheduler, OWN, EPERM, {}},
    // No namespaces, in which this process would have all rights; the flags of clone3 are out of sight.
    {SYS_clone, OWN, 0, {{0, NAMESPACES, 0}}},
    {SYS_clone, OWN, EPERM, {}},
    {SYS_clone3, OWN, ENOSYS, {}},
    {SYS_unshare, OWN, EPERM, {}},
    {SYS_setns, OWN, EPERM, {}},
    {SYS_chroot, OWN, EPERM, {}},
    {SYS_pivot_root, OWN, EPERM, {}},
    {SYS_mount, OWN, EPERM, {}},
    {SYS_umount2, OWN, EPERM, {}},
    {SYS_move_mount, OWN, EPERM, {}},
    {SYS_fsopen, OWN, EPERM, {}},
    {SYS_open_tree, OWN, EPERM, {}},
    {SYS_mount_setattr, OWN, EPERM, {}},
    {SYS_open_by_handle_at, OWN, EPERM, {}},
    {SYS_bpf, OWN, EPERM, {}},
    {SYS_keyctl, OWN, EPERM, {}},
    {SYS_add_key, OWN, EPERM, {}},
    {SYS_io_uring_setup, OWN, EPERM, {}},
    {SYS_perf_event_open, OWN, EPERM, {}},
    {SYS_userfaultfd, OWN, EPERM, {}},

#ifdef __x86_64__
    // The older forms of the calls above, which only this architecture has.
    {SYS_open, DECODER, 0, {{1, O_ACCMODE | O_CREAT | O_TRUNC, 0}}},
    {SYS_open, DECODER, EACCES, {}},
    {SYS_open, GPSD, 0, {}},
    {SYS_access, EACH, 0, {}},
    {SYS_alarm, EACH, 0, {}},
    {SYS_arch_prctl, EACH, 0, {}},
    {SYS_chmod, EACH | OWN, EPERM, {}},
    {SYS_chown, OWN, EPERM, {}},
    {SYS_lchown, OWN, EPERM, {}},
    {SYS_utime, OWN, EPERM, {}},
    {SYS_utimes, OWN, EPERM, {}},
    {SYS_futimesat, OWN, EPERM, {}},
    {SYS_dup2, EACH, 0, {}},
    {SYS_epoll_create, GPSD, 0, {}},
    {SYS_epoll_wait, GPSD, 0, {}},
    {SYS_fork, EACH, EPERM, {}},
    {SYS_getrlimit, EACH, 0, {}},
    {SYS_lstat, EACH, 0, {}},
    {SYS_pipe, EACH, 0, {}},
    {SYS_poll, EACH, 0, {}},
    {SYS_readlink, EACH, 0, {}},
    {SYS_select, EACH, 0, {}},
    {SYS_stat, EACH, 0, {}},
    {SYS_time, EACH, 0, {}},
    {SYS_vfork, EACH, EPERM, {}},
#endif
};

#endif
