/* The reference for the decoder: gps_unpack of libgps on every line of a file. Prints what `locwatch-dev bench-decode` prints. */
#include <gps.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    /* gps_data_t is large and its size differs between releases, so allocate it once on the heap. */
    struct gps_data_t *data = calloc(1, sizeof *data);
    if (file == NULL || data == NULL) {
        perror(argc == 2 ? argv[1] : "usage: unpack FILE");
        return 74;
    }
    static char line[65536 + 1];
    long count = 0;
    clock_t before = clock();
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        count += gps_unpack(line, data) >= 0;
    }
    printf("{\"bytes\":%ld,\"count\":%ld,\"seconds\":%.6f}\n", ftell(file), count, (double)(clock() - before) / CLOCKS_PER_SEC);
    return 0;
}
