#ifndef LOCWATCH_CMICROHTTPD_H
#define LOCWATCH_CMICROHTTPD_H

#include <microhttpd.h>

// libmicrohttpd for Swift, opened at run time by its SONAME, so that a program starts without it and runs where it is missing.
//
// Its header is needed to build, and only these functions may be called from Swift: libmicrohttpd's own are not linked, and
// some take arguments of any type, which Swift cannot pass. Each function behaves like its namesake in
// libmicrohttpd.

/// A loaded libmicrohttpd.
typedef struct locwatch_microhttpd locwatch_microhttpd;

/// Opens the library with a SONAME; returns NULL if it is missing or lacks a function.
const locwatch_microhttpd *locwatch_microhttpd_open(const char *soname);

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

/// Creates a server without a socket of its own, which the caller's loop drives by `locwatch_MHD_run`.
struct MHD_Daemon *locwatch_MHD_start_daemon(
    const locwatch_microhttpd *library, const struct locwatch_MHD_settings *settings);
void locwatch_MHD_stop_daemon(const locwatch_microhttpd *library, struct MHD_Daemon *daemon);

/// Returns the descriptor that is readable when there is something to do, or -1.
int locwatch_MHD_descriptor(const locwatch_microhttpd *library, struct MHD_Daemon *daemon);

/// Returns the milliseconds until `locwatch_MHD_run` must be called without an event, or -1 if it need not.
long long locwatch_MHD_get_timeout(const locwatch_microhttpd *library, struct MHD_Daemon *daemon);

/// Does what the connections can do without waiting.
void locwatch_MHD_run(const locwatch_microhttpd *library, struct MHD_Daemon *daemon);

/// Hands over a connected socket; returns 0 after closing it, if there is no room for it.
int locwatch_MHD_add_connection(
    const locwatch_microhttpd *library, struct MHD_Daemon *daemon, int descriptor, const struct sockaddr *address,
    socklen_t length);

/// Returns the descriptor of a connection, or -1.
int locwatch_MHD_connection_descriptor(const locwatch_microhttpd *library, struct MHD_Connection *connection);

void locwatch_MHD_suspend_connection(const locwatch_microhttpd *library, struct MHD_Connection *connection);
void locwatch_MHD_resume_connection(const locwatch_microhttpd *library, struct MHD_Connection *connection);

/// Returns the value of a header of the request, or NULL.
const char *locwatch_MHD_header(
    const locwatch_microhttpd *library, struct MHD_Connection *connection, const char *name);

/// Creates a response with bytes that live as long as the program.
struct MHD_Response *locwatch_MHD_create_response_of_constant(
    const locwatch_microhttpd *library, const void *bytes, size_t count);
/// Creates a response with a copy of bytes.
struct MHD_Response *locwatch_MHD_create_response_of_copy(
    const locwatch_microhttpd *library, const void *bytes, size_t count);
/// Creates a response whose bytes a function delivers in blocks of at most `block` bytes; its size may be unknown.
struct MHD_Response *locwatch_MHD_create_response_from_callback(
    const locwatch_microhttpd *library, uint64_t size, size_t block, MHD_ContentReaderCallback reader, void *context,
    MHD_ContentReaderFreeCallback release);
/// Adds a header; returns 0 if that is not possible.
int locwatch_MHD_add_response_header(
    const locwatch_microhttpd *library, struct MHD_Response *response, const char *name, const char *value);
/// Queues a response and releases it; returns what the function that answers a request must return.
enum MHD_Result locwatch_MHD_queue_response(
    const locwatch_microhttpd *library, struct MHD_Connection *connection, unsigned status,
    struct MHD_Response *response);

/// Returns the answer of a function that wants to be called again for a request.
enum MHD_Result locwatch_MHD_accept(void);
/// Returns the answer with which a request is refused by closing its connection.
enum MHD_Result locwatch_MHD_refuse(void);
/// Returns 1 if a change of a connection is its start, and 0 if it is its end.
int locwatch_MHD_is_start(enum MHD_ConnectionNotificationCode change);

/// Returns the size of a response of unknown size.
uint64_t locwatch_MHD_unknown_size(void);
/// Returns the answer of a function that delivers the bytes of a response, if there are no more.
ssize_t locwatch_MHD_end_of_stream(void);
/// Returns its answer if the connection must be closed before the end.
ssize_t locwatch_MHD_broken_stream(void);

#endif
