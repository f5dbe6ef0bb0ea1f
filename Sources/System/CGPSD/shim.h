// libgps for Swift: wrappers for what Swift cannot import, and for differences between releases of libgps.
//
// The layout of struct gps_data_t changes between releases that share an API number and an SONAME, so Swift sees
// only an incomplete type, and all code that accesses a field is here. Compiles with gps.h of API 9 … 16.
//
// SwiftPM does not notice a change of this file: touch a Swift file that imports the module, or run `make clean`.

#ifndef LOCWATCH_CGPSD_SHIM_H
#define LOCWATCH_CGPSD_SHIM_H

#include <errno.h>
#include <gps.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#if GPSD_API_MAJOR_VERSION < 9
#error "locwatch needs libgps 3.20 (API 9) or later"
#endif

#ifdef __clang__
#define LOCWATCH_CLOSED_ENUM __attribute__((enum_extensibility(closed)))
#else
#define LOCWATCH_CLOSED_ENUM
#endif

/// The reason why a session could not be opened.
typedef enum LOCWATCH_CLOSED_ENUM locwatch_gps_cause {
    locwatch_gps_cause_unknown_service,
    locwatch_gps_cause_unknown_host,
    /// Host or service: libgps 3.27 does not distinguish them.
    locwatch_gps_cause_unknown_name,
    locwatch_gps_cause_no_socket,
    locwatch_gps_cause_cannot_connect,
    locwatch_gps_cause_out_of_memory,
} locwatch_gps_cause;

/// A failed open: the cause, and the system's error number if libgps kept it, else 0.
typedef struct locwatch_gps_failure {
    locwatch_gps_cause cause;
    int system_error;
} locwatch_gps_failure;

/// One session. Never completed, so that Swift imports it as an opaque pointer.
typedef struct locwatch_gps locwatch_gps;

struct locwatch_gps_storage {
    struct gps_data_t data;
    // From 3.25 on libgps keeps the pointers that gps_open was given and reads them at later calls.
    char *host;
    char *port;
};

static inline struct locwatch_gps_storage *locwatch_gps_storage_of(const locwatch_gps *session) {
    return (struct locwatch_gps_storage *)(void *)session;
}

static inline void locwatch_gps_free(struct locwatch_gps_storage *storage) {
    if (storage != NULL) {
        free(storage->host);
        free(storage->port);
        free(storage);
    }
}

/// Converts errno after a failed gps_open, whose result is always −1. Up to 3.25 errno is a negative number of libgps,
/// since 3.27 the system's number, or 0 for a name that does not resolve.
static inline locwatch_gps_failure locwatch_gps_failure_of(int error) {
    locwatch_gps_failure failure = {locwatch_gps_cause_cannot_connect, error > 0 ? error : 0};
    switch (error) {
    case 0: failure.cause = locwatch_gps_cause_unknown_name; break;
    case -1: failure.cause = locwatch_gps_cause_unknown_service; break;
    case -2: failure.cause = locwatch_gps_cause_unknown_host; break;
    case -3:  // no such protocol
    case -4:  // no socket
    case -5:  // no socket option
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case EAFNOSUPPORT: failure.cause = locwatch_gps_cause_no_socket; break;
    case ENOMEM: failure.cause = locwatch_gps_cause_out_of_memory; break;
    default: break;
    }
    return failure;
}

/// Connects to a gpsd, or returns NULL and sets `failure`. Blocks without a limit, so call it on a separate thread.
static inline locwatch_gps *locwatch_gps_open(const char *host, const char *port, locwatch_gps_failure *failure) {
    // These hosts would make libgps attach to shared memory, D-Bus or a file. No real host has a space.
    if (strchr(host, ' ') != NULL) {
        failure->cause = locwatch_gps_cause_unknown_host;
        failure->system_error = 0;
        return NULL;
    }
    struct locwatch_gps_storage *storage = (struct locwatch_gps_storage *)calloc(1, sizeof *storage);
    if (storage != NULL) {
        storage->host = strdup(host);
        storage->port = strdup(port);
    }
    if (storage == NULL || storage->host == NULL || storage->port == NULL) {
        *failure = locwatch_gps_failure_of(ENOMEM);
        locwatch_gps_free(storage);
        return NULL;
    }
    errno = 0;
    if (gps_open(storage->host, storage->port, &storage->data) != 0) {
        *failure = locwatch_gps_failure_of(errno);
        // No gps_close here: after a failed open it crashes in 3.22.
        locwatch_gps_free(storage);
        return NULL;
    }
    return (locwatch_gps *)(void *)storage;
}

/// Returns the socket, which libgps has made non-blocking; the name of its type differs between releases.
static inline int locwatch_gps_descriptor(const locwatch_gps *session) {
    return (int)locwatch_gps_storage_of(session)->data.gps_fd;
}

/// Sends a command, line end included, in one piece over a connection, and returns 0 or an error number.
///
/// gps_send is not used because it cuts at 8 KiB and raises SIGPIPE when the daemon is gone, and gps_stream cuts the
/// path of a device after some 40 bytes. A partial send is an error, because gpsd misreads a command in pieces.
static inline int locwatch_gps_send(int descriptor, const char *text, size_t length) {
    ssize_t sent;
    do {
        sent = send(descriptor, text, length, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) return errno;
    return (size_t)sent == length ? 0 : EMSGSIZE;
}

/// Ends the session and frees it; must be called exactly once for each successful open.
static inline void locwatch_gps_close(locwatch_gps *session) {
    struct locwatch_gps_storage *storage = locwatch_gps_storage_of(session);
    gps_close(&storage->data);
    locwatch_gps_free(storage);
}

// Exported by the library, declared in no public header; weak, so that a release without it still links.
extern const char *gpsd_version __attribute__((weak));

/// Returns the release of the loaded library (`3.22`), or NULL if the library does not export it.
static inline const char *locwatch_gps_library_release(void) { return &gpsd_version != NULL ? gpsd_version : NULL; }

#endif
