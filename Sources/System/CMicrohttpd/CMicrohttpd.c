#include "CMicrohttpd.h"

#include "OptionalLibrary.h"

#include <stdlib.h>
#include <string.h>

// Every function that is used.
#define FUNCTIONS(DO) \
    DO(MHD_start_daemon) \
    DO(MHD_stop_daemon) \
    DO(MHD_get_daemon_info) \
    DO(MHD_get_timeout) \
    DO(MHD_run) \
    DO(MHD_add_connection) \
    DO(MHD_get_connection_info) \
    DO(MHD_suspend_connection) \
    DO(MHD_resume_connection) \
    DO(MHD_lookup_connection_value) \
    DO(MHD_create_response_from_buffer) \
    DO(MHD_create_response_from_callback) \
    DO(MHD_add_response_header) \
    DO(MHD_queue_response) \
    DO(MHD_destroy_response)

struct locwatch_microhttpd {
    LIBRARY_MEMBERS(FUNCTIONS)
};

const locwatch_microhttpd *locwatch_microhttpd_open(const char *soname) {
    // Lazily, because the library brings GnuTLS along, of which nothing is used.
    return LIBRARY_TABLE(struct locwatch_microhttpd, FUNCTIONS, soname, RTLD_LAZY);
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

void locwatch_MHD_stop_daemon(const locwatch_microhttpd *library, struct MHD_Daemon *daemon) {
    library->MHD_stop_daemon(daemon);
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

void locwatch_MHD_run(const locwatch_microhttpd *library, struct MHD_Daemon *daemon) {
    library->MHD_run(daemon);
}

int locwatch_MHD_add_connection(
    const locwatch_microhttpd *library, struct MHD_Daemon *daemon, int descriptor, const struct sockaddr *address,
    socklen_t length) {
    return library->MHD_add_connection(daemon, descriptor, address, length) == MHD_YES;
}

int locwatch_MHD_connection_descriptor(const locwatch_microhttpd *library, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        library->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

void locwatch_MHD_suspend_connection(const locwatch_microhttpd *library, struct MHD_Connection *connection) {
    library->MHD_suspend_connection(connection);
}

void locwatch_MHD_resume_connection(const locwatch_microhttpd *library, struct MHD_Connection *connection) {
    library->MHD_resume_connection(connection);
}

const char *locwatch_MHD_header(
    const locwatch_microhttpd *library, struct MHD_Connection *connection, const char *name) {
    return library->MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct MHD_Response *locwatch_MHD_create_response_of_constant(
    const locwatch_microhttpd *library, const void *bytes, size_t count) {
    return library->MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_PERSISTENT);
}

struct MHD_Response *locwatch_MHD_create_response_of_copy(
    const locwatch_microhttpd *library, const void *bytes, size_t count) {
    return library->MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *locwatch_MHD_create_response_from_callback(
    const locwatch_microhttpd *library, uint64_t size, size_t block, MHD_ContentReaderCallback reader, void *context,
    MHD_ContentReaderFreeCallback release) {
    return library->MHD_create_response_from_callback(size, block, reader, context, release);
}

int locwatch_MHD_add_response_header(
    const locwatch_microhttpd *library, struct MHD_Response *response, const char *name, const char *value) {
    return library->MHD_add_response_header(response, name, value) == MHD_YES;
}

enum MHD_Result locwatch_MHD_queue_response(
    const locwatch_microhttpd *library, struct MHD_Connection *connection, unsigned status,
    struct MHD_Response *response) {
    enum MHD_Result result = library->MHD_queue_response(connection, status, response);
    library->MHD_destroy_response(response);
    return result;
}

enum MHD_Result locwatch_MHD_accept(void) {
    return MHD_YES;
}

enum MHD_Result locwatch_MHD_refuse(void) {
    return MHD_NO;
}

int locwatch_MHD_is_start(enum MHD_ConnectionNotificationCode change) {
    return change == MHD_CONNECTION_NOTIFY_STARTED;
}

uint64_t locwatch_MHD_unknown_size(void) {
    return MHD_SIZE_UNKNOWN;
}

ssize_t locwatch_MHD_end_of_stream(void) {
    return MHD_CONTENT_READER_END_OF_STREAM;
}

ssize_t locwatch_MHD_broken_stream(void) {
    return MHD_CONTENT_READER_END_WITH_ERROR;
}
