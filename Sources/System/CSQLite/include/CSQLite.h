#ifndef LOCWATCH_CSQLITE_H
#define LOCWATCH_CSQLITE_H

#include <sqlite3.h>
#include <stddef.h>

// SQLite for Swift, opened at run time by its SONAME, so that a program starts without it and runs where it is missing.
//
// Its header is needed to build. SQLite's own functions are not linked: Swift calls those of the table.

#define LOCWATCH_SQLITE_FUNCTIONS(DO) \
    DO(sqlite3_open_v2) \
    DO(sqlite3_close_v2) \
    DO(sqlite3_errmsg) \
    DO(sqlite3_extended_errcode) \
    DO(sqlite3_db_config) \
    DO(sqlite3_limit) \
    DO(sqlite3_progress_handler) \
    DO(sqlite3_file_control) \
    DO(sqlite3_vfs_find) \
    DO(sqlite3_vfs_register) \
    DO(sqlite3_prepare_v2) \
    DO(sqlite3_finalize) \
    DO(sqlite3_reset) \
    DO(sqlite3_step) \
    DO(sqlite3_bind_int64) \
    DO(sqlite3_bind_double) \
    DO(sqlite3_bind_text) \
    DO(sqlite3_column_int64) \
    DO(sqlite3_column_text) \
    DO(sqlite3_column_blob) \
    DO(sqlite3_column_bytes)

/// The functions of a loaded SQLite.
typedef struct {
#define LOCWATCH_SQLITE_MEMBER(name) __typeof__(&name) name;
    LOCWATCH_SQLITE_FUNCTIONS(LOCWATCH_SQLITE_MEMBER)
#undef LOCWATCH_SQLITE_MEMBER
} locwatch_sqlite;

/// Opens the library with a SONAME; returns NULL if it is missing or lacks a function.
const locwatch_sqlite *locwatch_sqlite_open(const char *soname);

/// Lets a database run nothing that its file says, and limits what its file can cost; returns the code of SQLite.
///
/// Swift cannot call the variadic `sqlite3_db_config`.
///
/// - longest_value: The largest size of a value or a row in bytes; one that is larger is an error when it is read.
int locwatch_sqlite_distrust(const locwatch_sqlite *sqlite, sqlite3 *database, int longest_value);

/// Returns the name of a file system whose reads can be limited, or NULL if it cannot be made; the first call makes it.
const char *locwatch_sqlite_limited_files(const locwatch_sqlite *sqlite);

/// Makes each read of a database of that file system fail while `is_over` returns a number other than 0; returns the code of SQLite.
int locwatch_sqlite_limit_reads(
    const locwatch_sqlite *sqlite, sqlite3 *database, int (*is_over)(void *context), void *context);

/// Lets SQLite open files in folders by their descriptors, by the names of `locwatch_sqlite_name`; returns whether it can.
///
/// It holds for the process, and is called once, before SQLite is used.
int locwatch_sqlite_use_folders(const locwatch_sqlite *sqlite);

/// Writes the name by which SQLite opens a file in an open folder, however the folder is reached by now.
void locwatch_sqlite_name(char *name, size_t size, int folder, const char *file);

#endif
