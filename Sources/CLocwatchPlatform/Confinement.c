#define _GNU_SOURCE
#include "CLocwatchConfinement.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
#ifdef ARCHITECTURE
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
    return failure;
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

/// Allows to run the programs in folders that are separated by colons.
static int allow_folders(int ruleset, const char *folders, uint64_t known) {
    int failure = 0;
    char folder[4096];
    while (failure == 0 && *folders != 0) {
        size_t length = strcspn(folders, ":");
        if (length > 0 && length < sizeof folder) {
            memcpy(folder, folders, length);
            folder[length] = 0;
            failure = allow_path(ruleset, folder, MAY_RUN | MAY_READ, known);
        }
        folders += length + (folders[length] == ':');
    }
    return failure;
}

static int allow_port(int ruleset, uint16_t port, uint64_t rights) {
    struct port_rule rule = {.rights = rights, .port = port};
    return syscall(ADD_RULE, ruleset, RULE_PORT, &rule, 0) == 0 ? 0 : errno;
}

static int fill(
    int ruleset, const struct locwatch_confinement *own, uint32_t parts, uint64_t known, const char *program
) {
    uint32_t purposes = purposes_of(own);
    int failure = program == NULL ? 0 : allow_program(ruleset, program, known);
    if (failure == 0 && own->other_program != NULL) failure = allow_program(ruleset, own->other_program, known);
    if (failure == 0 && own->program_folders != NULL) failure = allow_folders(ruleset, own->program_folders, known);
    for (size_t index = 0; failure == 0 && index < sizeof paths / sizeof paths[0]; index += 1) {
        if (!(paths[index].purposes & purposes)) continue;
        if (paths[index].is_for_root && geteuid() != 0) continue;
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
    // A service has the connections that it needs; its children, which it can signal, have the same rules.
    if (parts & LOCWATCH_CONFINES_PORTS && own->purpose != LOCWATCH_SERVICE) rules.ports = PORT_BIND | PORT_CONNECT;
    if (parts & LOCWATCH_CONFINES_SIGNALS) rules.scopes = SCOPE_ALL;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0) return errno;
    int failure = fill(ruleset, own, parts, known, program);
    if (failure == 0 && syscall(RESTRICT_SELF, ruleset, 0) != 0) failure = errno;
    close(ruleset);
    return failure;
}

// MARK: System calls

#ifdef ARCHITECTURE

enum { MOST_INSTRUCTIONS = 1024 };

struct filter {
    struct sock_filter code[MOST_INSTRUCTIONS];
    unsigned count;
    /// Whether the number of the call is in the accumulator. The kernel tries each call when it takes the filter, which
    /// is twice as fast without needless loads.
    int holds_number;
};

static void append(struct filter *filter, uint16_t code, uint32_t value, uint8_t on_true, uint8_t on_false) {
    if (filter->count >= MOST_INSTRUCTIONS) return;
    filter->code[filter->count] = (struct sock_filter){code, on_true, on_false, value};
    filter->count += 1;
}

/// Appends a row of the table: when the call and all conditions match, the row's answer is the result.
static void append_row(struct filter *filter, const struct call *row) {
    unsigned conditions = 0;
    while (conditions < MOST_CONDITIONS && row->conditions[conditions].mask != 0) conditions += 1;
    if (!filter->holds_number) append(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    filter->holds_number = conditions == 0;
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, row->number, 0, (uint8_t)(3 * conditions + 1));
    for (unsigned index = 0; index < conditions; index += 1) {
        const struct condition *condition = &row->conditions[index];
        uint32_t value = condition->value == OWN_PROCESS ? (uint32_t)getpid() : condition->value;
        uint32_t word = offsetof(struct seccomp_data, args) + 8 * (condition->argument % 6)
                      + (condition->argument >= 6 ? 4 : 0);
        append(filter, BPF_LD | BPF_W | BPF_ABS, word, 0, 0);
        append(filter, BPF_ALU | BPF_AND | BPF_K, condition->mask, 0, 0);
        append(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, (uint8_t)(3 * (conditions - index - 1) + 1));
    }
    append(filter, BPF_RET | BPF_K, row->answer == 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | row->answer, 0, 0);
}

static int confine_calls(const struct locwatch_confinement *own) {
    uint32_t purposes = purposes_of(own);
    uint32_t unlisted = SECCOMP_RET_ERRNO | ENOSYS;
    if (own->purpose == LOCWATCH_OPEN_GPSD || own->purpose & OWN) unlisted = SECCOMP_RET_ALLOW;
    else if (own->traps_unlisted) unlisted = SECCOMP_RET_TRAP;

    struct filter filter = {.count = 0, .holds_number = 0};
    // Calls of another architecture, such as those of 32 bits, have other numbers.
    append(&filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    append(&filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    append(&filter, BPF_RET | BPF_K, own->purpose == LOCWATCH_OPEN_GPSD ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_PROCESS, 0, 0);
#ifdef __X32_SYSCALL_BIT
    // Nor those of x32, which have the same architecture and other numbers.
    append(&filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    append(&filter, BPF_JMP | BPF_JGE | BPF_K, __X32_SYSCALL_BIT, 0, 1);
    append(&filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
    filter.holds_number = 1;
#endif
    for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index += 1) {
        if (calls[index].purposes & purposes) append_row(&filter, &calls[index]);
    }
    append(&filter, BPF_RET | BPF_K, unlisted, 0, 0);
    if (filter.count >= MOST_INSTRUCTIONS) return E2BIG;
    struct sock_fprog program = {.len = (unsigned short)filter.count, .filter = filter.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

#endif

// MARK: Everything

static int confine_use(uint32_t purpose) {
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

int locwatch_confine(const struct locwatch_confinement *own, const char *program, uint32_t *applied) {
    // A refusal shows when the rules are made, and needs no trial.
    uint32_t parts = own->parts & parts_with(locwatch_landlock_version());
    *applied = 0;
    int failure = confine_use(own->purpose);
    if (failure == 0 && parts != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) failure = errno;
    if (failure == 0 && parts & LOCWATCH_CONFINES_FILES && own->purpose != LOCWATCH_OPEN_GPSD) {
        uint32_t others = LOCWATCH_CONFINES_CALLS | (own->purpose == LOCWATCH_SERVICE ? LOCWATCH_CONFINES_PORTS : 0);
        failure = conclude(confine_files(own, parts, program), parts & ~others, applied);
    }
#ifdef ARCHITECTURE
    if (failure == 0 && parts & LOCWATCH_CONFINES_CALLS) {
        failure = conclude(confine_calls(own), LOCWATCH_CONFINES_CALLS, applied);
    }
#endif
    return failure;
}
