#include "CCurl.h"

#include "OptionalLibrary.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

// The header wraps the variadic functions in macros that check types.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

// Every function that is used.
#define FUNCTIONS(DO) \
    DO(curl_global_init) \
    DO(curl_version_info) \
    DO(curl_easy_strerror) \
    DO(curl_easy_init) \
    DO(curl_easy_cleanup) \
    DO(curl_easy_setopt) \
    DO(curl_easy_getinfo) \
    DO(curl_slist_append) \
    DO(curl_slist_free_all) \
    DO(curl_multi_init) \
    DO(curl_multi_cleanup) \
    DO(curl_multi_setopt) \
    DO(curl_multi_add_handle) \
    DO(curl_multi_remove_handle) \
    DO(curl_multi_perform) \
    DO(curl_multi_poll) \
    DO(curl_multi_wakeup) \
    DO(curl_multi_info_read)

struct locwatch_curl {
    LIBRARY_MEMBERS(FUNCTIONS)
};

const locwatch_curl *locwatch_curl_open(const char *soname) {
    struct locwatch_curl *curl = LIBRARY_TABLE(struct locwatch_curl, FUNCTIONS, soname, RTLD_NOW);
    if (curl == NULL || curl->curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) return curl;
    free(curl);
    return NULL;
}

unsigned locwatch_curl_version(const locwatch_curl *curl) {
    return curl->curl_version_info(CURLVERSION_NOW)->version_num;
}

const char *locwatch_curl_easy_strerror(const locwatch_curl *curl, CURLcode code) {
    return curl->curl_easy_strerror(code);
}

CURL *locwatch_curl_easy_init(const locwatch_curl *curl) {
    return curl->curl_easy_init();
}

void locwatch_curl_easy_cleanup(const locwatch_curl *curl, CURL *easy) {
    curl->curl_easy_cleanup(easy);
}

CURLcode locwatch_curl_easy_setopt_long(const locwatch_curl *curl, CURL *easy, CURLoption option, long value) {
    return curl->curl_easy_setopt(easy, option, value);
}

CURLcode locwatch_curl_easy_setopt_offset(const locwatch_curl *curl, CURL *easy, CURLoption option, curl_off_t value) {
    return curl->curl_easy_setopt(easy, option, value);
}

CURLcode locwatch_curl_easy_setopt_text(const locwatch_curl *curl, CURL *easy, CURLoption option, const char *value) {
    return curl->curl_easy_setopt(easy, option, value);
}

CURLcode locwatch_curl_easy_setopt_pointer(const locwatch_curl *curl, CURL *easy, CURLoption option, void *value) {
    return curl->curl_easy_setopt(easy, option, value);
}

CURLcode locwatch_curl_easy_set_receivers(
    const locwatch_curl *curl, CURL *easy, locwatch_curl_receiver headers, locwatch_curl_receiver body, void *context) {
    CURLcode code = curl->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, headers);
    if (code == CURLE_OK) code = curl->curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl->curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    return code;
}

CURLcode locwatch_curl_easy_set_sockets(
    const locwatch_curl *curl, CURL *easy, curl_sockopt_callback opened, curl_closesocket_callback closed, void *context) {
    CURLcode code = curl->curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, opened);
    if (code == CURLE_OK) code = curl->curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
    if (code == CURLE_OK) code = curl->curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closed);
    if (code == CURLE_OK) code = curl->curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
    return code;
}

uint64_t locwatch_curl_received_bytes(int socket) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_received : 0;
}

CURLcode locwatch_curl_easy_getinfo_long(const locwatch_curl *curl, CURL *easy, CURLINFO info, long *value) {
    return curl->curl_easy_getinfo(easy, info, value);
}

CURLcode locwatch_curl_easy_getinfo_offset(const locwatch_curl *curl, CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl->curl_easy_getinfo(easy, info, value);
}

struct curl_slist *locwatch_curl_slist_append(const locwatch_curl *curl, struct curl_slist *list, const char *text) {
    return curl->curl_slist_append(list, text);
}

void locwatch_curl_slist_free_all(const locwatch_curl *curl, struct curl_slist *list) {
    curl->curl_slist_free_all(list);
}

CURLM *locwatch_curl_multi_init(const locwatch_curl *curl) {
    return curl->curl_multi_init();
}

CURLMcode locwatch_curl_multi_cleanup(const locwatch_curl *curl, CURLM *multi) {
    return curl->curl_multi_cleanup(multi);
}

CURLMcode locwatch_curl_multi_setopt_long(const locwatch_curl *curl, CURLM *multi, CURLMoption option, long value) {
    return curl->curl_multi_setopt(multi, option, value);
}

CURLMcode locwatch_curl_multi_add_handle(const locwatch_curl *curl, CURLM *multi, CURL *easy) {
    return curl->curl_multi_add_handle(multi, easy);
}

CURLMcode locwatch_curl_multi_remove_handle(const locwatch_curl *curl, CURLM *multi, CURL *easy) {
    return curl->curl_multi_remove_handle(multi, easy);
}

CURLMcode locwatch_curl_multi_perform(const locwatch_curl *curl, CURLM *multi) {
    int running = 0;
    return curl->curl_multi_perform(multi, &running);
}

CURLMcode locwatch_curl_multi_poll(const locwatch_curl *curl, CURLM *multi, int milliseconds) {
    return curl->curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode locwatch_curl_multi_wakeup(const locwatch_curl *curl, CURLM *multi) {
    return curl->curl_multi_wakeup(multi);
}

CURL *locwatch_curl_multi_next_ended(const locwatch_curl *curl, CURLM *multi, CURLcode *result) {
    int left = 0;
    const CURLMsg *message;
    while ((message = curl->curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
