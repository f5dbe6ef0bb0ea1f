// Starts a program to which the kernel refuses system calls, as one does that does not have them: "refuse landlock_add_rule=1 … --
// PROGRAM ARGUMENT...", with the errno of each call. The call "filter" stands for taking a filter of system calls.

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned number;
} calls[] = {
    {"landlock_create_ruleset", 444},
    {"landlock_add_rule", 445},
    {"landlock_restrict_self", 446},
    {"filter", SYS_prctl},
};

int main(int count, char **arguments) {
    struct sock_filter code[64] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned length = 1;
    int next = 1;
    for (; next < count && strcmp(arguments[next], "--") != 0; next += 1) {
        const char *equals = strchr(arguments[next], '=');
        for (size_t index = 0; equals != NULL && index < sizeof calls / sizeof calls[0]; index += 1) {
            if (strncmp(arguments[next], calls[index].name, (size_t)(equals - arguments[next])) != 0) continue;
            int is_filter = calls[index].number == SYS_prctl;
            struct sock_filter part[] = {
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[index].number, 0, is_filter ? 4 : 1),
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(equals + 1)),
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            };
            for (size_t place = 0; place < 5; place += 1) {
                if (is_filter || place == 0 || place == 3) code[length++] = part[place];
            }
        }
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
    if (next + 1 >= count || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("refuse");
        return 2;
    }
    execvp(arguments[next + 1], arguments + next + 1);
    perror(arguments[next + 1]);
    return 127;
}
