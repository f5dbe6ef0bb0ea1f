// Passes a line to gps_unpack and exits with 0 if that returns within a second of processor time; otherwise the system
// kills it.

#include "oracle.h"

#include <sys/resource.h>

int main(int count, char **arguments) {
    if (count != 2) return 64;
    // A timer would not do, because the parent process may have blocked its signal.
    const struct rlimit limit = {.rlim_cur = 1, .rlim_max = 1};
    if (setrlimit(RLIMIT_CPU, &limit) != 0) return 71;
    locwatch_oracle *oracle = locwatch_oracle_create();
    if (oracle == NULL) return 70;
    locwatch_oracle_read(oracle, arguments[1]);
    locwatch_oracle_destroy(oracle);
    return 0;
}
