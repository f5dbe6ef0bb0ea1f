// The filter of system calls: the program for the kernel that the table of calls gives, and the report of a call that is refused.

#define _GNU_SOURCE
#include "Purposes.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/fsverity.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "CLocwatchPlatform.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#define SECOND(context) ((context)->uc_mcontext.gregs[REG_RSI])
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#define SECOND(context) ((context)->uc_mcontext.regs[1])
#endif

#ifdef ARCHITECTURE

#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

#include "CallTable.h"

enum { CALL_COUNT = sizeof calls / sizeof calls[0], MOST_INSTRUCTIONS = 1024, NONE = -1 };

// MARK: The program

struct filter {
    struct sock_filter code[MOST_INSTRUCTIONS];
    unsigned count;
    /// The answer to what no row mentions.
    uint32_t unlisted;
    /// The first row of each number, and the row of the same number after each row.
    int16_t first[NEWEST_CALL + 1], next[CALL_COUNT];
};

static void append(struct filter *filter, uint16_t code, uint32_t value, uint8_t on_true, uint8_t on_false) {
    if (filter->count < MOST_INSTRUCTIONS) filter->code[filter->count] = (struct sock_filter){code, on_true, on_false, value};
    filter->count += 1;
}

static void append_answer(struct filter *filter, uint32_t answer) { append(filter, BPF_RET | BPF_K, answer, 0, 0); }

static uint32_t answer_of(const struct call *row) {
    return row->answer == 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | row->answer;
}

/// Appends the answers to a call: that of the first row whose conditions all hold, or that to what no row mentions.
static void append_rows(struct filter *filter, int index) {
    for (; index != NONE; index = filter->next[index]) {
        const struct call *row = &calls[index];
        unsigned count = 0;
        while (count < MOST_CONDITIONS && row->conditions[count].mask != 0) count += 1;
        for (unsigned place = 0; place < count; place += 1) {
            const struct condition *condition = &row->conditions[place];
            uint32_t value = condition->value == OWN_PROCESS ? (uint32_t)getpid() : condition->value;
            uint32_t half = condition->argument >= 6 ? 4 : 0;
            uint32_t word = offsetof(struct seccomp_data, args) + 8 * (condition->argument % 6) + half;
            append(filter, BPF_LD | BPF_W | BPF_ABS, word, 0, 0);
            append(filter, BPF_ALU | BPF_AND | BPF_K, condition->mask, 0, 0);
            append(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, (uint8_t)(3 * (count - place - 1) + 1));
        }
        append_answer(filter, answer_of(row));
        if (count == 0) return;
    }
    append_answer(filter, filter->unlisted);
}

/// Returns whether two numbers have the same answer, whatever their arguments are.
static int are_alike(const struct filter *filter, int one, int other) {
    const int rows[2] = {filter->first[one], filter->first[other]};
    uint32_t answers[2];
    for (int place = 0; place < 2; place += 1) {
        if (rows[place] != NONE && calls[rows[place]].conditions[0].mask != 0) return 0;
        answers[place] = rows[place] == NONE ? filter->unlisted : answer_of(&calls[rows[place]]);
    }
    return answers[0] == answers[1];
}

/// Appends the answers to the calls of a range, whose number is in the accumulator.
///
/// The kernel tries each number when it takes the filter, and remembers those that are always allowed. A search by halves takes it a
/// tenth of the steps of a list.
static void append_range(struct filter *filter, int low, int end) {
    // The border of two answers that is nearest to the middle.
    int middle = low + (end - low) / 2, border = 0;
    for (int distance = 0; border == 0 && distance <= end - low; distance += 1) {
        int before = middle - distance, after = middle + distance;
        if (before > low && !are_alike(filter, before - 1, before)) border = before;
        else if (after > low && after < end && !are_alike(filter, after - 1, after)) border = after;
    }
    if (border == 0) return append_rows(filter, filter->first[low]);
    unsigned jump = filter->count;
    append(filter, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)border, 0, 0);
    append_range(filter, low, border);
    unsigned length = filter->count - jump - 1;
    if (filter->count >= MOST_INSTRUCTIONS) return;
    if (length <= UINT8_MAX) {
        filter->code[jump].jt = (uint8_t)length;
    } else {
        // A condition leads only so far.
        filter->code[jump].jf = 1;
        memmove(&filter->code[jump + 2], &filter->code[jump + 1], length * sizeof filter->code[0]);
        filter->code[jump + 1] = (struct sock_filter){BPF_JMP | BPF_JA, 0, 0, length};
        filter->count += 1;
    }
    append_range(filter, border, end);
}

static void fill(struct filter *filter, uint32_t purposes) {
    memset(filter->first, NONE, sizeof filter->first);
    for (int index = CALL_COUNT - 1; index >= 0; index -= 1) {
        if (!(calls[index].purposes & purposes)) continue;
        filter->next[index] = filter->first[calls[index].number];
        filter->first[calls[index].number] = (int16_t)index;
    }
    // Calls of another architecture, such as those of 32 bits, have other numbers.
    append(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    append(filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    append_answer(filter, purposes & OPEN ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_PROCESS);
    append(filter, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
    append(filter, BPF_JMP | BPF_JGE | BPF_K, NEWEST_CALL + 1, 0, 3);
    // The numbers of x32 are those of x86_64 and this bit.
    append(filter, BPF_JMP | BPF_JSET | BPF_K, 0x40000000, 0, 1);
    append_answer(filter, filter->unlisted);
    uint32_t action = filter->unlisted & SECCOMP_RET_ACTION_FULL;
    append_answer(filter, action == SECCOMP_RET_TRAP ? SECCOMP_RET_TRAP | ENOSYS : filter->unlisted);
    append_range(filter, 0, NEWEST_CALL + 1);
}

// MARK: What is refused

/// The calls that were said.
static atomic_uint_least64_t said[NEWEST_CALL / 64 + 2];
/// The call that was not said, because a full screen was shown: its number and its second argument, which can be a command.
static atomic_uint_least64_t unsaid;

static char *put(char *next, const char *text) {
    size_t length = strlen(text);
    memcpy(next, text, length);
    return next + length;
}

static char *put_number(char *next, uint32_t number) {
    char digits[12];
    int count = 0;
    for (; number > 0 || count == 0; number /= 10) digits[count++] = (char)('0' + number % 10);
    while (count > 0) *next++ = digits[--count];
    return next;
}

static void say(uint32_t number, uint32_t second) {
    char text[256];
    char *next = put(text, "locwatch: the confinement of this program has refused the system call ");
    next = put_number(next, number);
    next = put(next, " (");
    next = put_number(next, second);
    next = put(next, "), which it did not expect: please report the numbers, with the output of 'ldd --version'\n");
    ssize_t written = write(STDERR_FILENO, text, (size_t)(next - text));
    (void)written;
}

/// Answers a call that no row mentions with its error, and says its number once; async-signal-safe.
static void on_refusal(int number, siginfo_t *info, void *context) {
    if (info->si_code != SYS_SECCOMP) {
        // Another process has sent the signal.
        locwatch_restore_screen();
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    int before = errno;
    int call = info->si_syscall;
    uint32_t second = (uint32_t)SECOND((ucontext_t *)context);
    // All numbers beyond the table are one.
    unsigned place = call >= 0 && call <= NEWEST_CALL ? (unsigned)call : NEWEST_CALL + 1;
    uint64_t bit = 1ULL << place % 64;
    if (!(atomic_fetch_or(&said[place / 64], bit) & bit)) {
        uint64_t none = 0;
        uint64_t told = 1ULL << 63 | (uint64_t)(uint32_t)call << 32 | second;
        if (!locwatch_screen_is_shown()) say((uint32_t)call, second);
        else atomic_compare_exchange_strong(&unsaid, &none, told);
    }
    RESULT((ucontext_t *)context) = -info->si_errno;
    errno = before;
}

void locwatch_say_refused_call(void) {
    uint64_t call = atomic_exchange(&unsaid, 0);
    if (call != 0) say((uint32_t)(call >> 32) & INT32_MAX, (uint32_t)call);
}

int locwatch_filter_calls(uint32_t purposes, int traps_unlisted) {
    struct filter filter = {.count = 0, .unlisted = SECCOMP_RET_ERRNO | ENOSYS};
    if (purposes & OPEN) filter.unlisted = SECCOMP_RET_ALLOW;
    else if (purposes & RUNS) purposes |= DECODER | LOG;
    else if (purposes & OWN) filter.unlisted = SECCOMP_RET_TRAP | EPERM;
    else if (traps_unlisted) filter.unlisted = SECCOMP_RET_TRAP;
    fill(&filter, purposes);
    if (filter.count > MOST_INSTRUCTIONS) return E2BIG;
    if (purposes & OWN && !(purposes & RUNS)) {
        struct sigaction action = {.sa_sigaction = on_refusal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};
        if (sigaction(SIGSYS, &action, NULL) != 0) return errno;
        locwatch_unblock_signal(SIGSYS);
    }
    struct sock_fprog program = {.len = (unsigned short)filter.count, .filter = filter.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

#else

int locwatch_filter_calls(uint32_t purposes, int traps_unlisted) {
    (void)purposes;
    (void)traps_unlisted;
    return ENOSYS;
}

void locwatch_say_refused_call(void) {}

#endif
