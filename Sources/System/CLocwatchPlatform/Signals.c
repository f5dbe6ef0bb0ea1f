// The signals that end the program, as an event that poll(2) can wait for.

#include "CLocwatchPlatform.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

void locwatch_unblock_signal(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
}

static volatile sig_atomic_t caught;
static _Atomic int64_t caught_at_ms;
static int announcing = -1;
static int announcing_user_signal = -1;

// timeout(1) and shells send a signal to the program and to its group: what follows this soon is the same request.
static const int64_t repetition_ms = 50;

// Async-signal-safe: a second signal of any of the kinds, unless it repeats the first, ends the program at once.
static void announce(int number) {
    int error = errno;
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (caught) {
        if (now_ms - caught_at_ms < repetition_ms) {
            errno = error;
            return;
        }
        locwatch_restore_screen();
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    // Before the number: a second signal can arrive in between.
    caught_at_ms = now_ms;
    caught = number;
    uint64_t one = 1;
    ssize_t written = write(announcing, &one, sizeof one);
    (void)written;
    errno = error;
}

// Async-signal-safe.
static void announce_user_signal(int number) {
    int error = errno;
    (void)number;
    uint64_t one = 1;
    ssize_t written = write(announcing_user_signal, &one, sizeof one);
    (void)written;
    errno = error;
}

void locwatch_catch_user_signal(int event) {
    announcing_user_signal = event;
    struct sigaction action = {.sa_handler = announce_user_signal};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
}

static volatile sig_atomic_t resumptions;

// Async-signal-safe.
static void count_resumption(int number) {
    (void)number;
    resumptions = resumptions + 1;
}

void locwatch_count_resumptions(void) {
    struct sigaction action = {.sa_handler = count_resumption, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, NULL);
}

int locwatch_resumptions(void) { return resumptions; }

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
static const size_t ending_signal_count = sizeof ending_signals / sizeof ending_signals[0];

void locwatch_catch_signals(int event) {
    announcing = event;
    for (size_t index = 0; index < ending_signal_count; index++) {
        struct sigaction before;
        // A signal that was ignored from the start, as under nohup, stays ignored.
        if (sigaction(ending_signals[index], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        struct sigaction action = {.sa_handler = announce};
        sigemptyset(&action.sa_mask);
        // No SA_RESTART, so that a write that waits for a slow reader is interrupted.
        action.sa_flags = SA_NODEFER;
        sigaction(ending_signals[index], &action, NULL);
        locwatch_unblock_signal(ending_signals[index]);
    }
    signal(SIGPIPE, SIG_IGN);
    // Exceeding the file size limit is then an error of write(2), like a full disk.
    signal(SIGXFSZ, SIG_IGN);
}

void locwatch_release_signals(void) {
    for (size_t index = 0; index < ending_signal_count; index++) {
        struct sigaction now;
        int number = ending_signals[index];
        if (sigaction(number, NULL, &now) == 0 && now.sa_handler == announce) signal(number, SIG_DFL);
    }
    // One that has arrived before ends the program now.
    if (caught) locwatch_die_of_signal(caught);
}

int locwatch_caught_signal(void) { return caught; }

void locwatch_die_of_signal(int number) {
    signal(number, SIG_DFL);
    locwatch_unblock_signal(number);
    raise(number);
}
