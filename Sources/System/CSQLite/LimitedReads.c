// A file system of SQLite whose reads fail when the time for them is over.
//
// SQLite can be interrupted between the steps of a statement only. One step can read every page of a file: a value that lies behind a
// long one is found by following the pages of the long one.

#include "CSQLite.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "locwatch-limited";

/// A file, after which the one of the original file system lies.
struct limited_file {
    sqlite3_file file;
    int (*is_over)(void *context);
    void *context;
};

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((struct limited_file *)file + 1); }
static sqlite3_vfs *original(sqlite3_vfs *files) { return files->pAppData; }

static int close_file(sqlite3_file *file) { return inner(file)->pMethods->xClose(inner(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    struct limited_file *limited = (struct limited_file *)file;
    if (limited->is_over != NULL && limited->is_over(limited->context)) return SQLITE_IOERR_READ;
    return inner(file)->pMethods->xRead(inner(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return inner(file)->pMethods->xWrite(inner(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) { return inner(file)->pMethods->xTruncate(inner(file), size); }
static int sync_file(sqlite3_file *file, int flags) { return inner(file)->pMethods->xSync(inner(file), flags); }
static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return inner(file)->pMethods->xFileSize(inner(file), size); }
static int lock_file(sqlite3_file *file, int level) { return inner(file)->pMethods->xLock(inner(file), level); }
static int unlock_file(sqlite3_file *file, int level) { return inner(file)->pMethods->xUnlock(inner(file), level); }

static int is_reserved(sqlite3_file *file, int *result) {
    return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
    return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return inner(file)->pMethods->xSectorSize(inner(file)); }
static int characteristics(sqlite3_file *file) { return inner(file)->pMethods->xDeviceCharacteristics(inner(file)); }

/// The methods of the first version, which know neither shared memory nor mapped files: those are for databases that change.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = is_reserved,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *files, const char *path, sqlite3_file *file, int flags, int *result) {
    memset(file, 0, (size_t)files->szOsFile);
    int code = original(files)->xOpen(original(files), path, inner(file), flags, result);
    if (code == SQLITE_OK) file->pMethods = &methods;
    else if (inner(file)->pMethods != NULL) close_file(file);
    return code;
}

static int delete_file(sqlite3_vfs *files, const char *path, int syncs) {
    return original(files)->xDelete(original(files), path, syncs);
}

static int access_file(sqlite3_vfs *files, const char *path, int flags, int *result) {
    return original(files)->xAccess(original(files), path, flags, result);
}

static int full_path(sqlite3_vfs *files, const char *path, int size, char *result) {
    return original(files)->xFullPathname(original(files), path, size, result);
}

static int put_chance(sqlite3_vfs *files, int size, char *result) {
    return original(files)->xRandomness(original(files), size, result);
}

static int sleep_for(sqlite3_vfs *files, int duration) { return original(files)->xSleep(original(files), duration); }
static int current_time(sqlite3_vfs *files, double *result) { return original(files)->xCurrentTime(original(files), result); }

static int last_error(sqlite3_vfs *files, int size, char *text) {
    return original(files)->xGetLastError(original(files), size, text);
}

const char *locwatch_sqlite_limited_files(const locwatch_sqlite *sqlite) {
    if (sqlite->sqlite3_vfs_find(name) != NULL) return name;
    sqlite3_vfs *standard = sqlite->sqlite3_vfs_find(NULL), *files = calloc(1, sizeof *files);
    if (standard == NULL || files == NULL) {
        free(files);
        return NULL;
    }
    *files = (sqlite3_vfs){
        .iVersion = 1,
        .szOsFile = (int)sizeof(struct limited_file) + standard->szOsFile,
        .mxPathname = standard->mxPathname,
        .zName = name,
        .pAppData = standard,
        .xOpen = open_file,
        .xDelete = delete_file,
        .xAccess = access_file,
        .xFullPathname = full_path,
        .xRandomness = put_chance,
        .xSleep = sleep_for,
        .xCurrentTime = current_time,
        .xGetLastError = last_error,
    };
    return sqlite->sqlite3_vfs_register(files, 0) == SQLITE_OK ? name : NULL;
}

int locwatch_sqlite_limit_reads(
    const locwatch_sqlite *sqlite, sqlite3 *database, int (*is_over)(void *context), void *context
) {
    sqlite3_file *file = NULL;
    int code = sqlite->sqlite3_file_control(database, NULL, SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (file == NULL || file->pMethods != &methods) return SQLITE_MISUSE;
    struct limited_file *limited = (struct limited_file *)file;
    limited->context = context;
    limited->is_over = is_over;
    return SQLITE_OK;
}
