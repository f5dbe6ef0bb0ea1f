#ifndef LOCWATCH_OPTIONAL_LIBRARY_H
#define LOCWATCH_OPTIONAL_LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

// Tables of the functions of a library that is opened at run time, so that a program starts without it.
//
// A module lists the functions that it uses in a macro, and declares a table whose first members are they. Each member has the
// type that the library's header declares, so that a change of it is found by the compiler:
//
//     #define FUNCTIONS(DO) DO(sqlite3_open_v2) DO(sqlite3_close)
//     struct table { LIBRARY_MEMBERS(FUNCTIONS) };
//     struct table *table = LIBRARY_TABLE(struct table, FUNCTIONS, soname, RTLD_NOW);

#define LIBRARY_MEMBER(name) __typeof__(&name) name;
#define LIBRARY_NAME(name) #name,

/// The members of a table.
#define LIBRARY_MEMBERS(functions) functions(LIBRARY_MEMBER)

/// Returns a new table of a library, or NULL if it is missing or lacks a function.
#define LIBRARY_TABLE(type, functions, soname, mode) \
    ((type *)locwatch_library_table(soname, mode, (const char *const[]){functions(LIBRARY_NAME) NULL}, sizeof(type)))

static inline void *locwatch_library_table(const char *soname, int mode, const char *const *names, size_t size) {
    void *library = dlopen(soname, mode | RTLD_LOCAL);
    if (library == NULL) return NULL;
    void **table = calloc(1, size);
    if (table == NULL) return NULL;
    for (size_t index = 0; names[index] != NULL; index++) {
        table[index] = dlsym(library, names[index]);
        if (table[index] == NULL) {
            free(table);
            return NULL;
        }
    }
    return table;
}

#endif
