#define _GNU_SOURCE
#include "CLocwatchPlatform.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int locwatch_open_path(const char *path) {
    return open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
}

int locwatch_free_loopback_port(uint16_t *port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return errno;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int failure = 0;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0
        || getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        failure = errno;
    } else {
        *port = ntohs(address.sin_port);
    }
    close(listener);
    return failure;
}
