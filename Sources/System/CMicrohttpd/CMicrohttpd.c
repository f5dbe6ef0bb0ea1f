#include "CMicrohttpd.h"

#include "OptionalLibrary.h"

#include <string.h>

const locwatch_microhttpd *locwatch_microhttpd_open(const char *soname) {
    // Lazily, because the library brings GnuTLS along, of which nothing is used.
    return LIBRARY_TABLE(locwatch_microhttpd, LOCWATCH_MICROHTTPD_FUNCTIONS, soname, RTLD_LAZY);
}

/// Leaves a path as the client has sent it, because the names of paths have no escapes; %00 would end it.
static size_t leave(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

struct MHD_Daemon *locwatch_MHD_start_daemon(
    const locwatch_microhttpd *library, const struct locwatch_MHD_settings *settings) {
    // Without a thread of its own the server runs where MHD_run is called; without a listening socket it gets its
    // connections by MHD_add_connection.
    unsigned flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;
    return library->MHD_start_daemon(
        flags, 0, NULL, NULL, settings->answer, settings->context,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->address_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)1024,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, leave, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->changed, settings->context,
        MHD_OPTION_END);
}

int locwatch_MHD_descriptor(const locwatch_microhttpd *library, struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = library->MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

long long locwatch_MHD_get_timeout(const locwatch_microhttpd *library, struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    if (library->MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
    return milliseconds > 3600000 ? 3600000 : (long long)milliseconds;
}

int locwatch_MHD_connection_descriptor(const locwatch_microhttpd *library, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        library->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

struct MHD_Response *locwatch_MHD_create_response_of_constant(
    const locwatch_microhttpd *library, const void *bytes, size_t count) {
    return library->MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_PERSISTENT);
}

struct MHD_Response *locwatch_MHD_create_response_of_copy(
    const locwatch_microhttpd *library, const void *bytes, size_t count) {
    return library->MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
