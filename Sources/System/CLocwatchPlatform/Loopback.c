#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

int locwatch_open_path(const char *path) {
    return open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
}

int locwatch_open_folder(const char *path) {
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int locwatch_free_loopback_port(uint16_t *port) {
    // The system gives the ports from 32768 on to outgoing connections, so that one of those is soon taken by another program.
    enum { FIRST = 16384, COUNT = 16384, ATTEMPTS = 64 };
    int failure = EADDRINUSE;
    for (int attempt = 0; attempt < ATTEMPTS && failure == EADDRINUSE; attempt++) {
        uint16_t number;
        if (getrandom(&number, sizeof number, 0) != sizeof number) return errno;
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (listener < 0) return errno;
        *port = FIRST + number % COUNT;
        struct sockaddr_in address = {
            .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        failure = bind(listener, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
        close(listener);
    }
    return failure;
}
