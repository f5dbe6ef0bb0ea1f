// The terminal of a full-screen program, restored however the program ends.

#include "CLocwatchConfinement.h"
#include "CLocwatchPlatform.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t shown;
static volatile sig_atomic_t changes;
static int screen = -1;
static int notified = -1;
static struct termios before;
static struct termios drawing;
static const char *entering;
static const char *leaving;

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGQUIT};
enum { FAULT_COUNT = sizeof faults / sizeof faults[0] };
static struct sigaction actions_before[FAULT_COUNT];

// The functions up to `resume` are async-signal-safe.

static void put(const char *text) {
    size_t length = strlen(text);
    if (write(screen, text, length) == (ssize_t)length) return;
    // A terminal that does not read must not keep its modes: what it has not read yet is dropped.
    // TCOON alone does not undo Ctrl-S.
    tcflow(screen, TCOOFF);
    tcflow(screen, TCOON);
    tcflush(screen, TCOFLUSH);
    ssize_t written = write(screen, text, length);
    (void)written;
}

static void notify(int change) {
    changes |= change;
    uint64_t one = 1;
    ssize_t written = write(notified, &one, sizeof one);
    (void)written;
}

void locwatch_restore_screen(void) {
    if (!shown) return;
    int error = errno;
    shown = 0;
    put(leaving);
    tcsetattr(screen, TCSANOW, &before);
    errno = error;
}

int locwatch_screen_is_shown(void) { return shown; }

static void fault(int number, siginfo_t *info, void *context) {
    locwatch_restore_screen();
    for (size_t index = 0; index < FAULT_COUNT; index++) {
        const struct sigaction *earlier = &actions_before[index];
        if (faults[index] != number || earlier->sa_handler == SIG_DFL || earlier->sa_handler == SIG_IGN) continue;
        // A handler from before, such as one that prints a backtrace.
        if (earlier->sa_flags & SA_SIGINFO) earlier->sa_sigaction(number, info, context);
        else earlier->sa_handler(number);
    }
    signal(number, SIG_DFL);
    // Delivered when this handler returns.
    raise(number);
}

static void resize(int number) {
    (void)number;
    int error = errno;
    notify(LOCWATCH_SCREEN_RESIZED);
    errno = error;
}

static void resume(int number) {
    (void)number;
    int error = errno;
    shown = 1;
    // In the background this stops the program again, until it is in the foreground.
    tcsetattr(screen, TCSANOW, &drawing);
    put(entering);
    notify(LOCWATCH_SCREEN_RESUMED);
    errno = error;
}

static void suspend(int number);

static void handle(int number, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    locwatch_unblock_signal(number);
}

static void handle_fault(int number) {
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    locwatch_unblock_signal(number);
}

static void suspend(int number) {
    int error = errno;
    locwatch_restore_screen();
    signal(number, SIG_DFL);
    raise(number);
    // The program stops here, and continues after `resume` has run. Without a shell that could resume it, it does not
    // stop at all.
    locwatch_unblock_signal(number);
    handle(number, suspend, SA_RESTART);
    if (!shown) resume(SIGCONT);
    errno = error;
}

int locwatch_enter_screen(int descriptor, int event, const char *enter, const char *leave) {
    if (tcgetattr(descriptor, &before) != 0) return errno;
    drawing = before;
    // Signals of the keyboard and flow control stay as they are.
    drawing.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    drawing.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP);
    drawing.c_oflag &= ~(tcflag_t)OPOST;
    drawing.c_cc[VMIN] = 1;
    drawing.c_cc[VTIME] = 0;
    screen = descriptor;
    notified = event;
    entering = enter;
    leaving = leave;
    changes = 0;
    static char stack[32768];
    // A stack overflow leaves no room for the handler on the stack itself.
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    for (size_t index = 0; index < FAULT_COUNT; index++) {
        sigaction(faults[index], NULL, &actions_before[index]);
        handle_fault(faults[index]);
    }
    handle(SIGWINCH, resize, SA_RESTART);
    handle(SIGTSTP, suspend, SA_RESTART);
    handle(SIGCONT, resume, SA_RESTART);
    static int registered;
    if (!registered) registered = atexit(locwatch_restore_screen) == 0;
    if (tcsetattr(descriptor, TCSANOW, &drawing) != 0) {
        int failure = errno;
        locwatch_leave_screen();
        return failure;
    }
    shown = 1;
    put(enter);
    return 0;
}

void locwatch_leave_screen(void) {
    signal(SIGWINCH, SIG_DFL);
    signal(SIGTSTP, SIG_DFL);
    signal(SIGCONT, SIG_DFL);
    locwatch_restore_screen();
    for (size_t index = 0; index < FAULT_COUNT; index++) sigaction(faults[index], &actions_before[index], NULL);
    locwatch_say_refused_call();
}

int locwatch_take_screen_changes(void) {
    sigset_t both;
    sigset_t mask;
    sigemptyset(&both);
    sigaddset(&both, SIGWINCH);
    sigaddset(&both, SIGCONT);
    pthread_sigmask(SIG_BLOCK, &both, &mask);
    int taken = changes;
    changes = 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return taken;
}
