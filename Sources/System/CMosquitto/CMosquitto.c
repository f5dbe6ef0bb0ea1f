#include "CMosquitto.h"

#include "OptionalLibrary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

const locwatch_mosquitto *locwatch_mosquitto_open(const char *soname) {
    locwatch_mosquitto *library = LIBRARY_TABLE(locwatch_mosquitto, LOCWATCH_MOSQUITTO_FUNCTIONS, soname, RTLD_NOW);
    if (library == NULL) return NULL;
    void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    *(void **)&library->SSL_get_verify_result = dlsym(handle, "SSL_get_verify_result");
    *(void **)&library->X509_get_default_cert_dir = dlsym(handle, "X509_get_default_cert_dir");
    if (library->mosquitto_lib_init() == MOSQ_ERR_SUCCESS) return library;
    free(library);
    return NULL;
}

// MARK: SIGPIPE

// A thread that keeps SIGPIPE pending instead of receiving it.
struct silence {
    sigset_t before;
    bool was_pending;
};

static bool is_pending(void) {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

static struct silence begin_silence(void) {
    struct silence silence;
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    silence.was_pending = is_pending();
    pthread_sigmask(SIG_BLOCK, &pipe, &silence.before);
    return silence;
}

static void end_silence(struct silence silence) {
    int error = errno;
    if (!silence.was_pending && is_pending()) {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        const struct timespec now = {0, 0};
        while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &silence.before, NULL);
    errno = error;
}

// Evaluates a call without SIGPIPE and leaves its errno in place.
#define SILENTLY(call) \
    ({ \
        struct silence silence = begin_silence(); \
        errno = 0; \
        int code = (call); \
        end_silence(silence); \
        code; \
    })

// MARK: Clients

struct mosquitto *locwatch_mosquitto_new(
    const locwatch_mosquitto *library, const char *identifier, int version, void *context,
    const locwatch_mosquitto_callbacks *callbacks) {
    struct mosquitto *client = library->mosquitto_new(identifier, true, context);
    if (client == NULL) return NULL;
    library->mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version);
    library->mosquitto_connect_v5_callback_set(client, callbacks->connected);
    library->mosquitto_disconnect_v5_callback_set(client, callbacks->disconnected);
    library->mosquitto_publish_v5_callback_set(client, callbacks->published);
    library->mosquitto_subscribe_v5_callback_set(client, callbacks->subscribed);
    library->mosquitto_message_callback_set(client, callbacks->received);
    if (callbacks->logged != NULL) library->mosquitto_log_callback_set(client, callbacks->logged);
    // The owner limits the messages in flight. A second limit would let messages wait here; that of a broker with MQTT 5 does.
    library->mosquitto_max_inflight_messages_set(client, 0);
    return client;
}

void locwatch_mosquitto_destroy(const locwatch_mosquitto *library, struct mosquitto *client) {
    // OpenSSL writes its goodbye.
    (void)SILENTLY((library->mosquitto_destroy(client), 0));
}

// Without this function OpenSSL would ask for the password of a key on the terminal.
static int no_password(char *buffer, int size, int is_writing, void *context) {
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return 0;
}

int locwatch_mosquitto_encrypt(
    const locwatch_mosquitto *library, struct mosquitto *client, const char *authorities, const char *certificate, const char *key) {
    const char *folder = NULL;
    if (authorities == NULL) {
        // The system's file of certificates, and its folder, without which libmosquitto takes no certificate of the client.
        int code = library->mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
        if (code != MOSQ_ERR_SUCCESS) return code;
        folder = library->X509_get_default_cert_dir == NULL ? "/etc/ssl/certs" : library->X509_get_default_cert_dir();
    }
    return library->mosquitto_tls_set(client, authorities, folder, certificate, key, no_password);
}

// MARK: Connection

int locwatch_mosquitto_connect(
    const locwatch_mosquitto *library, struct mosquitto *client, const char *host, int port, int keep_alive,
    const char *bind_address, int *error) {
    int code = SILENTLY(library->mosquitto_connect_bind_async(client, host, port, keep_alive, bind_address));
    *error = errno;
    int descriptor = library->mosquitto_socket(client);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return code;
}

int locwatch_mosquitto_disconnect(const locwatch_mosquitto *library, struct mosquitto *client) {
    return SILENTLY(library->mosquitto_disconnect(client));
}

int locwatch_mosquitto_loop_read(const locwatch_mosquitto *library, struct mosquitto *client, int *error) {
    int code = SILENTLY(library->mosquitto_loop_read(client, 1));
    *error = errno;
    return code;
}

int locwatch_mosquitto_loop_write(const locwatch_mosquitto *library, struct mosquitto *client, int *error) {
    int code = SILENTLY(library->mosquitto_loop_write(client, 1));
    *error = errno;
    return code;
}

int locwatch_mosquitto_loop_misc(const locwatch_mosquitto *library, struct mosquitto *client, int *error) {
    int code = SILENTLY(library->mosquitto_loop_misc(client));
    *error = errno;
    return code;
}

long locwatch_mosquitto_verification(const locwatch_mosquitto *library, struct mosquitto *client) {
    const void *ssl = library->mosquitto_ssl_get(client);
    if (ssl == NULL || library->SSL_get_verify_result == NULL) return -1;
    return library->SSL_get_verify_result(ssl);
}

// MARK: Messages

int locwatch_mosquitto_publish(
    const locwatch_mosquitto *library, struct mosquitto *client, int *identifier, const char *topic, int length,
    const void *payload, int quality, bool is_retained) {
    return SILENTLY(library->mosquitto_publish(client, identifier, topic, length, payload, quality, is_retained));
}

int locwatch_mosquitto_subscribe(
    const locwatch_mosquitto *library, struct mosquitto *client, int *identifier, int count, char *const *filters, int quality) {
    return SILENTLY(library->mosquitto_subscribe_multiple(client, identifier, count, filters, quality, 0, NULL));
}
