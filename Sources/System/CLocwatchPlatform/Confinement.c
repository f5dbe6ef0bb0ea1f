#define _GNU_SOURCE
#include "CLocwatchConfinement.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Purposes.h"

#include "ConfinementTables.h"

// The kernel's headers of Debian 12 do not have the later parts of Landlock, whose numbers are the same everywhere.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { VERSION_QUERY = 1, RULE_PATH = 1, RULE_PORT = 2 };
enum { PORT_BIND = 1, PORT_CONNECT = 2, SCOPE_ALL = 3 };

struct ruleset {
    uint64_t files, ports, scopes;
};

struct path_rule {
    uint64_t rights;
    int32_t parent;
} __attribute__((packed));

struct port_rule {
    uint64_t rights, port;
};

int locwatch_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION_QUERY);
    return version > 0 ? (int)version : 0;
}

/// Returns the parts that a kernel with a version of Landlock has.
static uint32_t parts_with(int version) {
    uint32_t parts = 0;
    if (version >= 1) parts |= LOCWATCH_CONFINES_FILES;
    if (version >= 4) parts |= LOCWATCH_CONFINES_PORTS;
    if (version >= 5) parts |= LOCWATCH_CONFINES_DEVICES;
    if (version >= 6) parts |= LOCWATCH_CONFINES_SIGNALS;
#if defined(__x86_64__) || defined(__aarch64__)
    uint32_t action = SECCOMP_RET_ERRNO;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) parts |= LOCWATCH_CONFINES_CALLS;
#endif
    return parts;
}

static int allow_path(int ruleset, const char *path, uint64_t rights, uint64_t known);

/// Returns whether rules can be made: what runs this program, such as a container, can refuse what the kernel has.
static int makes_rules(void) {
    struct ruleset rules = {.files = MAY_LIST};
    int ruleset = (int)syscall(CREATE_RULESET, &rules, sizeof rules.files, 0);
    if (ruleset < 0) return 0;
    int failure = allow_path(ruleset, "/", MAY_LIST, MAY_LIST);
    close(ruleset);
    return failure == 0;
}

uint32_t locwatch_confinement_parts(void) { return parts_with(makes_rules() ? locwatch_landlock_version() : 0); }

/// Returns the purposes of the tables' rows that are for a child.
static uint32_t purposes_of(const struct locwatch_confinement *own) {
    return own->purpose | (own->purpose == GPSD && own->device != NULL ? LINE : 0) | (own->connects != 0 ? CLIENT : 0)
         | (own->listens != 0 ? LISTENER : 0) | (own->takes_datagrams ? DATAGRAMS : 0);
}

// MARK: Files and ports

/// Returns the rights of Landlock that a version of it knows.
static uint64_t known_rights(int version, uint32_t parts) {
    uint64_t rights = (1 << 13) - 1;
    if (version >= 2) rights |= MAY_REFER;
    if (version >= 3) rights |= MAY_TRUNCATE;
    if (parts & LOCWATCH_CONFINES_DEVICES) rights |= MAY_COMMAND;
    return rights;
}

static int allow_descriptor(int ruleset, int descriptor, uint64_t rights) {
    struct path_rule rule = {.rights = rights, .parent = descriptor};
    return syscall(ADD_RULE, ruleset, RULE_PATH, &rule, 0) == 0 ? 0 : errno;
}

/// Allows a path; one that does not exist, or that the user cannot reach, needs no rule.
static int allow_path(int ruleset, const char *path, uint64_t rights, uint64_t known) {
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return 0;
    struct stat status;
    // The kernel refuses a rule that gives a file the rights of a folder.
    if (fstat(descriptor, &status) != 0 || !S_ISDIR(status.st_mode)) known &= RIGHTS_OF_FILE;
    int failure = allow_descriptor(ruleset, descriptor, rights & known);
    close(descriptor);
    // A pipe without a name needs no rule, and the kernel takes none.
    return failure == EBADFD ? 0 : failure;
}

/// Allows the paths of an array that ends with null, or none if there is no array.
static int allow_paths(int ruleset, char *const *paths, uint64_t rights, uint64_t known) {
    int failure = 0;
    for (; failure == 0 && paths != NULL && *paths != NULL; paths += 1) {
        failure = allow_path(ruleset, *paths, rights, known);
    }
    return failure;
}

/// Allows to run a program and the loader that it names.
static int allow_program(int ruleset, const char *path, uint64_t known) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    int failure = allow_descriptor(ruleset, descriptor, MAY_RUN | MAY_READ);
    ElfW(Ehdr) header;
    ElfW(Phdr) part;
    char loader[256];
    if (pread(descriptor, &header, sizeof header, 0) == sizeof header && header.e_phentsize == sizeof part) {
        for (int index = 0; failure == 0 && index < header.e_phnum; index += 1) {
            off_t place = (off_t)(header.e_phoff + (size_t)index * sizeof part);
            if (pread(descriptor, &part, sizeof part, place) != sizeof part) break;
            if (part.p_type != PT_INTERP || part.p_filesz == 0 || part.p_filesz > sizeof loader) continue;
            if (pread(descriptor, loader, part.p_filesz, (off_t)part.p_offset) != (ssize_t)part.p_filesz) break;
            loader[part.p_filesz - 1] = 0;
            failure = allow_path(ruleset, loader, MAY_RUN | MAY_READ, known);
        }
    }
    close(descriptor);
    return failure;
}

/// Allows to run the programs of an array that ends with null; one that cannot be opened cannot be run either.
static int allow_programs(int ruleset, char *const *programs, uint64_t known) {
    int failure = 0;
    for (; failure == 0 && programs != NULL && *programs != NULL; programs += 1) {
        if (access(*programs, R_OK) == 0) failure = allow_program(ruleset, *programs, known);
    }
    return failure;
}

static int allow_port(int ruleset, uint16_t port, uint64_t rights) {
    struct port_rule rule = {.rights = rights, .port = port};
    return syscall(ADD_RULE, ruleset, RULE_PORT, &rule, 0) == 0 ? 0 : errno;
}

/// Returns whether another program replaces the list of name servers in its folder, instead of where a link leads.
static int names_are_replaced(void) {
    struct stat status;
    return lstat("/etc/resolv.conf", &status) == 0 && !S_ISLNK(status.st_mode);
}

static int fill(
    int ruleset, const struct locwatch_confinement *own, uint32_t parts, uint64_t known, const char *program
) {
    uint32_t purposes = purposes_of(own);
    enum condition met = geteuid() == 0 ? AS_ROOT : names_are_replaced() ? AS_USER_OF_REPLACED_NAMES : ALWAYS;
    int failure = program == NULL ? 0 : allow_program(ruleset, program, known);
    if (failure == 0) failure = allow_programs(ruleset, own->programs, known);
    for (size_t index = 0; failure == 0 && index < sizeof paths / sizeof paths[0]; index += 1) {
        if (!(paths[index].purposes & purposes)) continue;
        if (paths[index].condition != ALWAYS && paths[index].condition != met) continue;
        failure = allow_path(ruleset, paths[index].path, paths[index].rights, known);
    }
    if (failure == 0 && own->device != NULL) {
        uint64_t rights = MAY_READ | MAY_COMMAND | (own->writes_device ? MAY_WRITE : 0);
        failure = allow_path(ruleset, own->device, rights, known);
    }
    if (failure == 0) failure = allow_paths(ruleset, own->read, MAY_READ | MAY_LIST, known);
    if (failure == 0) failure = allow_paths(ruleset, own->written, ALL_BUT_RUN, known);
    if (parts & LOCWATCH_CONFINES_PORTS) {
        if (failure == 0 && own->connects != 0) failure = allow_port(ruleset, own->connects, PORT_CONNECT);
        if (failure == 0 && own->listens != 0) failure = allow_port(ruleset, own->listens, PORT_BIND);
    }
    return failure;
}

static int confine_files(const struct locwatch_confinement *own, uint32_t parts, const char *program) {
    int version = locwatch_landlock_version();
    uint64_t known = known_rights(version, parts);
    struct ruleset rules = {.files = known};
    // What has connections has them to any port; its children, which it can signal, have the same rules.
    if (parts & LOCWATCH_CONFINES_PORTS && !(own->purpose & CONNECTS)) rules.ports = PORT_BIND | PORT_CONNECT;
    if (parts & LOCWATCH_CONFINES_SIGNALS) rules.scopes = SCOPE_ALL;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0) return errno;
    int failure = fill(ruleset, own, parts, known, program);
    if (failure == 0 && syscall(RESTRICT_SELF, ruleset, 0) != 0) failure = errno;
    close(ruleset);
    return failure;
}

// MARK: Everything

static int confine_use(uint32_t purpose) {
    // What starts decoders can set limits; a hard one that is the current one keeps it from raising any.
    for (int resource = 0; purpose & RUNS && resource < RLIM_NLIMITS; resource += 1) {
        struct rlimit limit;
        if (getrlimit(resource, &limit) != 0) return errno;
        limit.rlim_max = limit.rlim_cur;
        if (setrlimit(resource, &limit) != 0) return errno;
    }
    for (size_t index = 0; index < sizeof limits / sizeof limits[0]; index += 1) {
        if (!(limits[index].purposes & purpose)) continue;
        struct rlimit limit;
        if (getrlimit(limits[index].resource, &limit) != 0) return errno;
        // A limit that is lower already stays.
        if (limit.rlim_max > limits[index].most) limit.rlim_max = limits[index].most;
        if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
        if (setrlimit(limits[index].resource, &limit) != 0) return errno;
    }
    return 0;
}

/// Adds parts to those in force, or leaves them out if the kernel, or what runs this program, refuses them; the other parts still
/// hold then. Returns any other failure.
static int conclude(int failure, uint32_t parts, uint32_t *applied) {
    if (failure == 0) *applied |= parts;
    // Not EACCES, which an unreadable program gives: it must not run without rules.
    return failure == ENOSYS || failure == EPERM || failure == EOPNOTSUPP ? 0 : failure;
}

/// Returns the rights of root that a process keeps.
static uint32_t kept_capabilities(uint32_t purpose) {
    enum { READS = 1U << CAP_DAC_READ_SEARCH, FILES = READS | 1U << CAP_DAC_OVERRIDE, PORTS = 1U << CAP_NET_BIND_SERVICE };
    enum { USERS = 1U << CAP_SETUID | 1U << CAP_SETGID };
    // A gpsd of a log becomes another user, and its end needs the right to signal others.
    if (purpose & OWN) return FILES | 1U << CAP_FOWNER | PORTS | (purpose & RUNS ? USERS | 1U << CAP_KILL : 0);
    // gpsd opens its device and its port, and gives up the rest itself.
    if (purpose & GPSD) return FILES | PORTS | USERS;
    if (purpose & LOG) return READS | USERS;
    return 0;
}

/// Gives up root's rights, such as setting the clock, except some.
static void drop_capabilities(uint32_t kept) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct words[2] = {{0, 0, 0}};
    if (syscall(SYS_capget, &header, words) != 0) return;
    // A service that has none may not be allowed the call.
    if (!(words[0].permitted & ~kept) && words[1].permitted == 0) return;
    words[0].effective &= kept;
    words[0].permitted &= kept;
    words[1].effective = words[1].permitted = 0;
    words[0].inheritable = words[1].inheritable = 0;
    syscall(SYS_capset, &header, words);
}

int locwatch_confine(const struct locwatch_confinement *own, const char *program, uint32_t *applied) {
    // A refusal shows when the rules are made, and needs no trial.
    uint32_t parts = own->parts & parts_with(locwatch_landlock_version());
    *applied = 0;
    int failure = confine_use(own->purpose);
    if (failure == 0 && own->purpose != OPEN) drop_capabilities(kept_capabilities(own->purpose));
    // Without this a program that root runs would get them back, also on a kernel without the parts.
    if (failure == 0 && (parts != 0 || own->purpose & EACH) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) failure = errno;
    if (failure == 0 && parts & LOCWATCH_CONFINES_FILES && own->purpose != OPEN) {
        uint32_t others = LOCWATCH_CONFINES_CALLS | (own->purpose & CONNECTS ? LOCWATCH_CONFINES_PORTS : 0);
        failure = conclude(confine_files(own, parts, program), parts & ~others, applied);
    }
    if (failure == 0 && parts & LOCWATCH_CONFINES_CALLS) {
        int refusal = locwatch_filter_calls(purposes_of(own), own->traps_unlisted);
        failure = conclude(refusal, LOCWATCH_CONFINES_CALLS, applied);
    }
    return failure;
}
