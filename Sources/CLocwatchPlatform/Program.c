#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <dlfcn.h>
#include <sys/auxv.h>

int locwatch_is_in_program(const void *address) {
    Dl_info place, program;
    return dladdr(address, &place) != 0 && dladdr((const void *)getauxval(AT_PHDR), &program) != 0 &&
           place.dli_fbase == program.dli_fbase;
}
