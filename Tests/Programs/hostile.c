// A program that tries what code would try that a receiver, a log or a server has taken over. It takes the place of a child
// of locwatch in the tests, which find it by PATH. SECRET is a file of the user, FOLDER a folder that the user may write
// to, PORT a port of 127.0.0.1 that accepts connections, SERVICE a Unix socket that does, and OWNER the process of the tests.
//
// A line for each attempt goes to the file descriptor of the argument "--report=N": its name, and "done" or the error. The
// last line of standard error is for people.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

// Calls that the headers of Debian 12 do not have.
enum { FCHMODAT2 = 452, SETXATTRAT = 463, FILE_SETATTR = 469 };

static int report = -1;
static int successes, attempts;

/// Notes the result of an attempt, which failed if it is negative.
static void note(const char *name, long result) {
    const char *error = result < 0 ? strerrorname_np(errno) : "done";
    attempts += 1;
    successes += result >= 0;
    if (report >= 0) dprintf(report, "%s %s\n", name, error == NULL ? "?" : error);
}

static struct sockaddr_in loopback(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void files(void) {
    // A pipe, because a change of what the test has open, such as /dev/null, would outlast it.
    int ends[2] = {-1, -1};
    (void)!pipe(ends);
    note("read a secret", open(SECRET, O_RDONLY));
    note("read the passwords of the system", open("/etc/shadow", O_RDONLY));
    // A test opens it in a shell; no other descriptor has so high a number.
    note("use a descriptor of the shell", fcntl(900, F_GETFD));
    note("write to the log of the kernel", open("/dev/kmsg", O_WRONLY));
    note("read memory of the owner", open("/proc/self/mem", O_RDONLY));
    note("list processes", opendir("/proc") == NULL ? -1 : 0);
    note("list a folder", opendir(FOLDER) == NULL ? -1 : 0);
    note("write a file", open(FOLDER "/written", O_WRONLY | O_CREAT, 0600));
    note("write a temporary file", open("/tmp", O_TMPFILE | O_RDWR, 0600));
    note("fill the disk", open("/dev/shm", O_TMPFILE | O_RDWR, 0600));
    note("make a folder", mkdir(FOLDER "/made", 0700));
    note("remove a file", unlink(SECRET ".none"));
    note("rename a file", rename(SECRET, SECRET ".renamed"));
    note("link a file", link(SECRET, FOLDER "/linked"));
    note("change a mode", chmod(SECRET, 0644));
    note("change the mode of an open file", fchmod(ends[0], 0600));
    note("change an owner", chown(SECRET, getuid(), getgid()));
    note("change the owner of an open file", fchown(ends[0], getuid(), getgid()));
    note("change a time", utimensat(AT_FDCWD, SECRET, NULL, 0));
    note("change the time of an open file", futimens(ends[0], NULL));
    note("change an attribute", setxattr(SECRET, "user.x", "x", 1, 0));
    note("change an attribute of an open file", fsetxattr(ends[0], "user.x", "x", 1, 0));
    note("change a mode by the newest call", syscall(452, AT_FDCWD, SECRET, 0644, 0));
#ifdef SYS_utimes
    note("change a time by the oldest call", syscall(SYS_utimes, SECRET, NULL));
#else
    note("change a time by the oldest call", syscall(SYS_utimensat, AT_FDCWD, SECRET, NULL, 0));
#endif
    uint64_t attribute[2] = {(uint64_t)(uintptr_t)"x", 1};
    note("change an attribute by the newest call", syscall(463, AT_FDCWD, SECRET, 0, "user.x", attribute, 16));
    note("remove an attribute", removexattr(SECRET, "user.x"));
    note("change flags", syscall(469, AT_FDCWD, SECRET, NULL, 0, 0));
    note("truncate a file", truncate(SECRET, 0));
    note("make a pipe", mkfifo(FOLDER "/pipe", 0600));
    note("make a link", symlink(SECRET, FOLDER "/link"));
    note("write to anonymous memory", syscall(SYS_memfd_create, "x", 0));
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur += 1;
    if (limit.rlim_max < limit.rlim_cur) limit.rlim_max = limit.rlim_cur;
    note("raise a limit", setrlimit(RLIMIT_NOFILE, &limit));
}

static void network(void) {
    struct sockaddr_in address = loopback();
    int tcp = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    note("open a TCP socket", tcp);
    note("connect to a port", tcp < 0 ? -1 : connect(tcp, (struct sockaddr *)&address, sizeof address));
    int server = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    struct sockaddr_in any = {.sin_family = AF_INET};
    note("listen at a port", server < 0 ? -1 : bind(server, (struct sockaddr *)&any, sizeof any) < 0 ? -1 : listen(server, 1));
    int udp = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
    note("open a UDP socket", udp);
    note("send a datagram", udp < 0 ? -1 : sendto(udp, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
    struct iovec bytes = {"x", 1};
    struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &bytes, .msg_iovlen = 1};
    note("send a message", sendmsg(udp < 0 ? tcp : udp, &message, MSG_NOSIGNAL));
    struct sockaddr_un service = {.sun_family = AF_UNIX, .sun_path = SERVICE};
    int local = socket(AF_UNIX, SOCK_STREAM, 0);
    note("open a local socket", local);
    note("connect to a service", local < 0 ? -1 : connect(local, (struct sockaddr *)&service, sizeof service));
    int pair[2] = {-1, -1};
    note("open a pair of datagram sockets", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    note("connect one to a service", connect(pair[0], (struct sockaddr *)&service, sizeof service));
    note("open a raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    note("open another kind of socket", socket(AF_NETLINK, SOCK_RAW, 0));
}

static void processes(void) {
    int forks = 0;
    for (int index = 0; index < 1000; index += 1) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) _exit(0);
        forks += 1;
        waitpid(child, NULL, 0);
    }
    note("fork", forks > 0 ? 0 : -1);
    note("clone", syscall(SYS_clone3, NULL, 0));
    note("trace the parent", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
    struct iovec place = {&(int){0}, sizeof(int)};
    note("read the memory of the owner", process_vm_readv(OWNER, &place, 1, &place, 1, 0));
    note("signal the parent", kill(getppid(), 0));
    note("signal the owner", kill(OWNER, 0));
    note("signal everyone", kill(-1, 0));
    note("signal a thread of the owner", syscall(SYS_tgkill, OWNER, OWNER, 0));
    note("have the owner signalled", fcntl(0, F_SETOWN, OWNER));
    siginfo_t signal = {0};
    note("queue a signal for the owner", syscall(SYS_rt_sigqueueinfo, OWNER, 0, &signal));
    struct rlimit none = {0, 0};
    note("limit the owner", prlimit(OWNER, RLIMIT_CORE, &none, NULL));
    unsigned long processors = ~0UL;
    note("schedule the owner", syscall(SYS_sched_setaffinity, OWNER, sizeof processors, &processors));
    note("take a descriptor of the owner", syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, OWNER, 0), 0, 0));
    int owner = (int)syscall(SYS_pidfd_open, OWNER, 0);
    note("open the owner", owner);
    note("signal the open owner", syscall(SYS_pidfd_send_signal, owner, 0, NULL, 0));
    struct rlimit core;
    note("read a limit of the owner", prlimit(OWNER, RLIMIT_CORE, NULL, &core));
    struct sched_param scheduling = {.sched_priority = 0};
    note("change the policy of the owner", sched_setscheduler(OWNER, SCHED_OTHER, &scheduling));
    note("change a parameter of the owner", sched_setparam(OWNER, &scheduling));
    note("schedule the owner by attributes", syscall(SYS_sched_setattr, OWNER, NULL, 0));
    note("change the priority of the owner", setpriority(PRIO_PROCESS, OWNER, 0));
    note("change the priority of its reads", syscall(SYS_ioprio_set, 1, OWNER, 0));
    char key = 'x';
    note("type into the terminal", ioctl(0, TIOCSTI, &key));
    note("take the console", ioctl(0, TIOCCONS));
}

/// Returns 0 if the process has a right of root beside those over files, ports, the own user and the end of other users' processes.
static long keep_rights(void) {
    const uint32_t harmless = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_FOWNER | 1U << CAP_NET_BIND_SERVICE
                            | 1U << CAP_SETUID | 1U << CAP_SETGID | 1U << CAP_KILL;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct words[2];
    if (syscall(SYS_capget, &header, words) != 0) return -1;
    errno = EPERM;
    return words[0].permitted & ~harmless || words[1].permitted != 0 ? 0 : -1;
}

static void kernel(void) {
    note("keep rights of root", keep_rights());
    note("make a namespace", unshare(CLONE_NEWUSER));
    long made = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (made == 0) _exit(0);
    note("make a namespace for a child", made);
    // The numbers of x32 have a bit more; it is the oldest call that this program may make.
    note("call by another number", syscall(0x40000000 + SYS_getpid));
    note("change the root", chroot("/"));
    struct timex clock = {.modes = ADJ_OFFSET_SINGLESHOT};
    note("set the clock", adjtimex(&clock));
    note("mount", mount("none", FOLDER, "tmpfs", 0, NULL));
    note("load a program into the kernel", syscall(SYS_bpf, 5, NULL, 0));
    note("use a keyring", syscall(SYS_keyctl, 0, -3, 1));
    note("make a ring", syscall(SYS_io_uring_setup, 1, NULL));
    int shared = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    note("share memory", shared);
    if (shared >= 0) shmctl(shared, IPC_RMID, NULL);
    note("watch pages", syscall(SYS_userfaultfd, 0));
    note("measure", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    note("map memory to write and to run", code == MAP_FAILED ? -1 : 0);
    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    note("run what was written", mprotect(code, 4096, PROT_READ | PROT_EXEC));
    char *memory = mmap(NULL, 4UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    note("use 4 GB", memory == MAP_FAILED ? -1 : 0);
}

static void everything(void) {
    files();
    network();
    processes();
    kernel();
}

#ifdef PRELOADED

static pid_t first;

__attribute__((constructor)) static void begin(void) { first = getpid(); }

// Loaded with locwatch itself, it turns hostile right after locwatch has confined itself.
int prctl(int option, ...) {
    va_list list;
    va_start(list, option);
    unsigned long values[4];
    for (int index = 0; index < 4; index += 1) values[index] = va_arg(list, unsigned long);
    va_end(list);
    int result = (int)syscall(SYS_prctl, option, values[0], values[1], values[2], values[3]);
    if (option != PR_SET_SECCOMP || result != 0 || getpid() != first) return result;
    report = STDERR_FILENO;
    everything();
    note("run a program", execl("/bin/true", "true", NULL));
    _exit(3);
}

#endif

#ifdef LIBRARY

// In place of a library that locwatch opens, as if a file had taken it over.
__attribute__((constructor)) static void begin(void) {
    report = STDERR_FILENO;
    everything();
    _exit(3);
}

#endif

#ifndef PRELOADED

int main(int count, char **arguments) {
    for (int index = 1; index < count; index += 1) {
        if (strncmp(arguments[index], "--report=", 9) == 0) report = atoi(arguments[index] + 9);
    }
    everything();
    // A program that is run has no last line.
    note("run a program", execl("/bin/true", "true", NULL));
    fprintf(stderr, "%d of %d attempts succeeded\n", successes, attempts);
    return 3;
}

#endif
