#ifndef LOCWATCH_CMOSQUITTO_H
#define LOCWATCH_CMOSQUITTO_H

#include <mosquitto.h>
#include <stdbool.h>
#include <stdint.h>

// libmosquitto for Swift, opened at run time by its SONAME, so that a program starts without it and runs where it is missing.
//
// Its header is needed to build. libmosquitto's own functions are not linked: Swift calls those of the table. Those that can write
// to a socket it calls only by the functions below, which keep SIGPIPE from the process: OpenSSL writes without MSG_NOSIGNAL.

#define LOCWATCH_MOSQUITTO_FUNCTIONS(DO) \
    DO(mosquitto_lib_init) \
    DO(mosquitto_strerror) \
    DO(mosquitto_new) \
    DO(mosquitto_destroy) \
    DO(mosquitto_connect_v5_callback_set) \
    DO(mosquitto_disconnect_v5_callback_set) \
    DO(mosquitto_publish_v5_callback_set) \
    DO(mosquitto_subscribe_v5_callback_set) \
    DO(mosquitto_message_callback_set) \
    DO(mosquitto_log_callback_set) \
    DO(mosquitto_username_pw_set) \
    DO(mosquitto_will_set) \
    DO(mosquitto_tls_set) \
    DO(mosquitto_int_option) \
    DO(mosquitto_max_inflight_messages_set) \
    DO(mosquitto_connect_bind_async) \
    DO(mosquitto_disconnect) \
    DO(mosquitto_socket) \
    DO(mosquitto_want_write) \
    DO(mosquitto_loop_read) \
    DO(mosquitto_loop_write) \
    DO(mosquitto_loop_misc) \
    DO(mosquitto_ssl_get) \
    DO(mosquitto_publish) \
    DO(mosquitto_subscribe_multiple)

/// The functions of a loaded libmosquitto.
typedef struct {
#define LOCWATCH_MOSQUITTO_MEMBER(name) __typeof__(&name) name;
    LOCWATCH_MOSQUITTO_FUNCTIONS(LOCWATCH_MOSQUITTO_MEMBER)
#undef LOCWATCH_MOSQUITTO_MEMBER
    // Functions of OpenSSL, which libmosquitto brings along. Without them faults of certificates are less precise.
    long (*SSL_get_verify_result)(const void *);
    const char *(*X509_get_default_cert_dir)(void);
} locwatch_mosquitto;

/// Opens the library with a SONAME and initializes it; returns NULL if it is missing or lacks a function.
///
/// The library stays loaded until the process ends: OpenSSL, which comes with it, cannot be unloaded.
const locwatch_mosquitto *locwatch_mosquitto_open(const char *soname);

/// The functions that a client calls, always within a call of one of the functions below, with the context of the client.
///
/// Reasons are those of MQTT 5, and 0 over MQTT 3.1.1.
typedef struct {
    void (*connected)(struct mosquitto *client, void *context, int code, int flags, const mosquitto_property *properties);
    /// Receives the reason of the broker, or an error of libmosquitto, which is below 128.
    void (*disconnected)(struct mosquitto *client, void *context, int reason, const mosquitto_property *properties);
    void (*published)(
        struct mosquitto *client, void *context, int identifier, int reason, const mosquitto_property *properties);
    void (*subscribed)(
        struct mosquitto *client, void *context, int identifier, int count, const int *granted,
        const mosquitto_property *properties);
    void (*received)(struct mosquitto *client, void *context, const struct mosquitto_message *message);
    /// Receives log messages of every level, or is NULL.
    void (*logged)(struct mosquitto *client, void *context, int level, const char *text);
} locwatch_mosquitto_callbacks;

/// Creates a client with a clean session that is never used by two threads at a time; returns NULL without memory.
///
/// The version is 4 for MQTT 3.1.1, and 5.
struct mosquitto *locwatch_mosquitto_new(
    const locwatch_mosquitto *library, const char *identifier, int version, void *context,
    const locwatch_mosquitto_callbacks *callbacks);
void locwatch_mosquitto_destroy(const locwatch_mosquitto *library, struct mosquitto *client);

/// Encrypts the connection and verifies the chain and the name of the broker's certificate.
///
/// Without a file of authorities the system's are used. A key that is encrypted with a password is refused, because OpenSSL
/// would ask for the password on the terminal.
int locwatch_mosquitto_encrypt(
    const locwatch_mosquitto *library, struct mosquitto *client, const char *authorities, const char *certificate, const char *key);

// Connection. The errno of a failed call is stored in `error`, and EAGAIN if a call has done all that is possible now.
/// Resolves the host, which blocks, and begins to connect to its first address of the family of `bind_address`.
int locwatch_mosquitto_connect(
    const locwatch_mosquitto *library, struct mosquitto *client, const char *host, int port, int keep_alive,
    const char *bind_address, int *error);
int locwatch_mosquitto_disconnect(const locwatch_mosquitto *library, struct mosquitto *client);
int locwatch_mosquitto_loop_read(const locwatch_mosquitto *library, struct mosquitto *client, int *error);
int locwatch_mosquitto_loop_write(const locwatch_mosquitto *library, struct mosquitto *client, int *error);
int locwatch_mosquitto_loop_misc(const locwatch_mosquitto *library, struct mosquitto *client, int *error);
/// Returns OpenSSL's result of the verification of the broker's certificate (x509_vfy.h), or -1 if it is not known.
long locwatch_mosquitto_verification(const locwatch_mosquitto *library, struct mosquitto *client);

/// Returns the number of bytes that were read from a TCP socket since it was connected, or 0 if the system does not know it.
uint64_t locwatch_mosquitto_bytes_read(int descriptor);

// Messages.
int locwatch_mosquitto_publish(
    const locwatch_mosquitto *library, struct mosquitto *client, int *identifier, const char *topic, int length,
    const void *payload, int quality, bool is_retained);
int locwatch_mosquitto_subscribe(
    const locwatch_mosquitto *library, struct mosquitto *client, int *identifier, int count, char *const *filters, int quality);

#endif
