#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <dlfcn.h>
#include <sys/auxv.h>

static int argument_count;
static char **arguments;

// The C library passes the arguments of main to each constructor.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    arguments = words;
}

char **locwatch_arguments(int *count) {
    *count = argument_count;
    return arguments;
}

int locwatch_is_in_program(const void *address) {
    Dl_info place, program;
    return dladdr(address, &place) != 0 && dladdr((const void *)getauxval(AT_PHDR), &program) != 0 &&
           place.dli_fbase == program.dli_fbase;
}
