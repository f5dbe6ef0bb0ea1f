/* The reference for the decoder: gps_unpack of libgps on every line of a file. Prints what `locwatch-dev bench-decode` prints. */
#include <fcntl.h>
#include <gps.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>


static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct stat status;
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &status) != 0) {
        perror(argc == 2 ? argv[1] : "usage: unpack FILE");
        return 74;
    }
    const char *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    /* gps_data_t is large and its size differs between releases, so allocate it once on the heap. */
    struct gps_data_t *data = calloc(1, sizeof *data);
    static char line[65536 + 1];
    if (text == MAP_FAILED || data == NULL)
        return 74;

    long count = 0;
    double before = cpu_seconds();
    for (const char *rest = text, *end = text + status.st_size; rest < end;) {
        const char *newline = memchr(rest, '\n', (size_t)(end - rest));
        size_t length = (size_t)((newline ? newline : end) - rest);
        if (length < sizeof line) {
            memcpy(line, rest, length);
            line[length] = '\0';
            count += gps_unpack(line, data) >= 0;
        }
        rest += length + 1;
    }
    printf("{\"bytes\":%lld,\"count\":%ld,\"seconds\":%.6f}\n", (long long)status.st_size, count, cpu_seconds() - before);
    return 0;
}
