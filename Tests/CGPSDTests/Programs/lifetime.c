// Uses every function of the shim as locwatch does, under valgrind: failed opens, strings that are freed right after
// the open, a send to a closed peer, the end of the session, a decoded line.

#include "oracle.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <unistd.h>

static void require(bool truth, const char *what) {
    if (!truth) {
        fprintf(stderr, "failed: %s\n", what);
        exit(2);
    }
}

static locwatch_gps *open_with_passing_strings(const char *host, const char *port, locwatch_gps_failure *failure) {
    char *passing_host = strdup(host), *passing_port = strdup(port);
    locwatch_gps *session = locwatch_gps_open(passing_host, passing_port, failure);
    memset(passing_host, 'x', strlen(host));
    memset(passing_port, 'x', strlen(port));
    free(passing_host);
    free(passing_port);
    return session;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    require(bind(listener, (struct sockaddr *)&address, length) == 0, "the listener is bound");
    require(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "the listener has a port");
    char port[8];
    snprintf(port, sizeof port, "%u", (unsigned)ntohs(address.sin_port));

    locwatch_gps_failure failure;
    require(open_with_passing_strings("127.0.0.1", port, &failure) == NULL, "the listener does not listen yet");
    require(failure.cause == locwatch_gps_cause_cannot_connect, "the connection was refused");
    require(open_with_passing_strings("no-such-host.invalid", port, &failure) == NULL, "the host does not exist");
    require(open_with_passing_strings("shared memory", port, &failure) == NULL, "shared memory is not a host");

    require(listen(listener, 1) == 0, "the listener listens");
    locwatch_gps *session = open_with_passing_strings("127.0.0.1", port, &failure);
    require(session != NULL, "the session is open");
    const int peer = accept(listener, NULL, NULL);

    const char command[] = "?VERSION;\n";
    char received[sizeof command] = "";
    require(locwatch_gps_send(locwatch_gps_descriptor(session), command, strlen(command)) == 0, "the command is sent");
    require(recv(peer, received, strlen(command), MSG_WAITALL) == (ssize_t)strlen(command), "the command arrives");
    require(strcmp(command, received) == 0, "the command arrives as it was sent");

    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(peer);
    // The first error is the reset; the sends after it are those that raise SIGPIPE.
    while (locwatch_gps_send(locwatch_gps_descriptor(session), command, strlen(command)) != EPIPE) usleep(1000);

    locwatch_gps_close(session);
    close(listener);

    locwatch_oracle *oracle = locwatch_oracle_create();
    require(oracle != NULL, "the oracle is created");
    require(!locwatch_oracle_read(oracle, "{\"class\":\"POLL\"}"), "the oracle does not know POLL");
    require(locwatch_oracle_read(oracle, "{\"class\":\"TPV\",\"mode\":3}"), "the oracle reads a line");
    require(locwatch_oracle_fix_of(oracle).mode == 3, "the oracle knows the mode");
    require(locwatch_oracle_sky_of(oracle).used == 0, "the oracle has no satellite");
    require(locwatch_oracle_satellite_at(oracle, 0).prn == 0, "the oracle has no satellite's number");
    require(locwatch_oracle_device_of(oracle).path[0] == 0, "the oracle has no device");
    locwatch_oracle_destroy(oracle);
    return 0;
}
