#define _GNU_SOURCE
#include "CSQLite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// SQLite opens files by their paths, of which another user can exchange a folder after it was checked. The names that
// locwatch_sqlite_name makes stand for files in a folder that is open, whatever leads to it by now. They begin with a folder that is none,
// and the system calls by which SQLite reaches files take them to the descriptor. All other paths go on to the calls that were there.

#define FOLDERS "/proc/locwatch-folders/"

static int (*real_open)(const char *, int, int);
static int (*real_access)(const char *, int);
static int (*real_stat)(const char *, struct stat *);
static int (*real_lstat)(const char *, struct stat *);
static int (*real_unlink)(const char *);

/// Returns the descriptor in a name, and the rest of the name, which is "." for the folder itself; or −1 for any other path.
static int folder_of(const char *path, const char **rest) {
    if (strncmp(path, FOLDERS, sizeof FOLDERS - 1) != 0) return -1;
    char *end;
    long descriptor = strtol(path + sizeof FOLDERS - 1, &end, 10);
    if (descriptor < 0 || (*end != '/' && *end != 0)) return -1;
    *rest = *end == 0 || end[1] == 0 ? "." : end + 1;
    return (int)descriptor;
}

static int folder_open(const char *path, int flags, int mode) {
    const char *rest;
    int folder = folder_of(path, &rest);
    return folder < 0 ? real_open(path, flags, mode) : openat(folder, rest, flags | O_NOFOLLOW, mode);
}

static int folder_access(const char *path, int mode) {
    const char *rest;
    int folder = folder_of(path, &rest);
    return folder < 0 ? real_access(path, mode) : faccessat(folder, rest, mode, 0);
}

static int folder_stat(const char *path, struct stat *status) {
    const char *rest;
    int folder = folder_of(path, &rest);
    return folder < 0 ? real_stat(path, status) : fstatat(folder, rest, status, AT_SYMLINK_NOFOLLOW);
}

static int folder_lstat(const char *path, struct stat *status) {
    const char *rest;
    int folder = folder_of(path, &rest);
    return folder < 0 ? real_lstat(path, status) : fstatat(folder, rest, status, AT_SYMLINK_NOFOLLOW);
}

static int folder_unlink(const char *path) {
    const char *rest;
    int folder = folder_of(path, &rest);
    return folder < 0 ? real_unlink(path) : unlinkat(folder, rest, 0);
}

int locwatch_sqlite_use_folders(const locwatch_sqlite *sqlite) {
    sqlite3_vfs *files = sqlite->sqlite3_vfs_find("unix");
    if (files == NULL || files->iVersion < 3) return 0;
    struct call {
        const char *name;
        void **real;
        sqlite3_syscall_ptr own;
    } calls[] = {
        {"open", (void **)&real_open, (sqlite3_syscall_ptr)folder_open},
        {"access", (void **)&real_access, (sqlite3_syscall_ptr)folder_access},
        {"stat", (void **)&real_stat, (sqlite3_syscall_ptr)folder_stat},
        {"lstat", (void **)&real_lstat, (sqlite3_syscall_ptr)folder_lstat},
        {"unlink", (void **)&real_unlink, (sqlite3_syscall_ptr)folder_unlink},
    };
    size_t count = sizeof calls / sizeof calls[0];
    for (size_t place = 0; place < count; place += 1) {
        sqlite3_syscall_ptr real = files->xGetSystemCall(files, calls[place].name);
        if (real == NULL) return 0;
        // The same library has another name, too.
        if (real == calls[place].own) return 1;
        *calls[place].real = (void *)real;
    }
    for (size_t place = 0; place < count; place += 1) {
        if (files->xSetSystemCall(files, calls[place].name, calls[place].own) != SQLITE_OK) return 0;
    }
    return 1;
}

void locwatch_sqlite_name(char *name, size_t size, int folder, const char *file) {
    snprintf(name, size, FOLDERS "%d/%s", folder, file);
}
