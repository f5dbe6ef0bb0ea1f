// A library for LD_PRELOAD that sets a variable while the program is being loaded, as libfaketime does.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// The standard library of Swift calls this function in its constructor.
FILE *fopen(const char *path, const char *mode) {
    setenv("SET_BEFORE_MAIN", "1", 1);
    FILE *(*original)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    return original(path, mode);
}
