// Moves the civil clock of one program: preloaded, it adds an offset to CLOCK_REALTIME and leaves the other clocks alone.
//
// The file that LOCWATCH_SOAK_CLOCK names holds the offset in nanoseconds, and can change at any moment. libfaketime does the
// same, but sets a variable of the environment before `main`, after which Swift no longer finds the arguments, and leaves
// files in /dev/shm behind a killed program.
#define _GNU_SOURCE
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { second = 1000000000 };

static const long long none;
static const volatile long long *offset = &none;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("LOCWATCH_SOAK_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) offset = page;
    close(file);
}

static struct timespec moved(struct timespec time, long long by) {
    long long total = time.tv_sec * (long long)second + time.tv_nsec + by;
    return (struct timespec){.tv_sec = total / second, .tv_nsec = total % second};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) *time = moved(*time, *offset);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *copy) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (copy) *copy = now.tv_sec;
    return now.tv_sec;
}

// The system waits by its own clock.
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    struct timespec own = moved(*deadline, -*offset);
    return sem_clockwait(semaphore, CLOCK_REALTIME, &own);
}
