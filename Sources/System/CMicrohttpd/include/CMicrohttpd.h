#ifndef LOCWATCH_CMICROHTTPD_H
#define LOCWATCH_CMICROHTTPD_H

#include <microhttpd.h>

// libmicrohttpd for Swift, opened at run time by its SONAME, so that a program starts without it and runs where it is missing.
//
// Its header is needed to build. libmicrohttpd's own functions are not linked: Swift calls those of the table, and the functions
// below for those that take arguments of any type, which Swift cannot pass.

#define LOCWATCH_MICROHTTPD_FUNCTIONS(DO) \
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

/// The functions of a loaded libmicrohttpd.
typedef struct {
#define LOCWATCH_MICROHTTPD_MEMBER(name) __typeof__(&name) name;
    LOCWATCH_MICROHTTPD_FUNCTIONS(LOCWATCH_MICROHTTPD_MEMBER)
#undef LOCWATCH_MICROHTTPD_MEMBER
} locwatch_microhttpd;

/// Opens the library with a SONAME; returns NULL if it is missing or lacks a function.
const locwatch_microhttpd *locwatch_microhttpd_open(const char *soname);

// Constants, because releases of the header differ in the names that Swift sees.
static const enum MHD_Result locwatch_MHD_yes = MHD_YES;
static const enum MHD_Result locwatch_MHD_no = MHD_NO;
static const enum MHD_ValueKind locwatch_MHD_header = MHD_HEADER_KIND;
static const enum MHD_ConnectionNotificationCode locwatch_MHD_started = MHD_CONNECTION_NOTIFY_STARTED;
/// The size of a response of unknown size.
static const uint64_t locwatch_MHD_unknown_size = MHD_SIZE_UNKNOWN;
/// The answer of a function that delivers the bytes of a response, if there are no more.
static const ssize_t locwatch_MHD_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
/// Its answer if the connection must be closed before the end.
static const ssize_t locwatch_MHD_broken_stream = MHD_CONTENT_READER_END_WITH_ERROR;

/// The settings of a server.
struct locwatch_MHD_settings {
    unsigned connection_limit;
    /// The number of connections of one address, or 0 without a limit.
    unsigned address_limit;
    /// The memory of a connection in bytes, which limits the request line and the headers.
    size_t connection_memory;
    /// The seconds after which a connection that transfers nothing is closed.
    unsigned idle_seconds;
    /// Answers a request; called for the first time when the headers are complete.
    MHD_AccessHandlerCallback answer;
    /// Called when the response to a request was sent, or the connection has ended before.
    MHD_RequestCompletedCallback completed;
    /// Called when a connection starts and when it ends.
    MHD_NotifyConnectionCallback changed;
    void *context;
};

/// Creates a server without a socket of its own, which the caller's loop drives by `MHD_run`.
struct MHD_Daemon *locwatch_MHD_start_daemon(
    const locwatch_microhttpd *library, const struct locwatch_MHD_settings *settings);

/// Returns the descriptor that is readable when there is something to do, or -1.
int locwatch_MHD_descriptor(const locwatch_microhttpd *library, struct MHD_Daemon *daemon);

/// Returns the milliseconds until `MHD_run` must be called without an event, or -1 if it need not.
long long locwatch_MHD_get_timeout(const locwatch_microhttpd *library, struct MHD_Daemon *daemon);

/// Returns the descriptor of a connection, or -1.
int locwatch_MHD_connection_descriptor(const locwatch_microhttpd *library, struct MHD_Connection *connection);

/// Creates a response with bytes that live as long as the program.
struct MHD_Response *locwatch_MHD_create_response_of_constant(
    const locwatch_microhttpd *library, const void *bytes, size_t count);
/// Creates a response with a copy of bytes.
struct MHD_Response *locwatch_MHD_create_response_of_copy(
    const locwatch_microhttpd *library, const void *bytes, size_t count);

#endif
