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

const locwatch_curl *locwatch_curl_open(const char *soname) {
    locwatch_curl *curl = LIBRARY_TABLE(locwatch_curl, LOCWATCH_CURL_FUNCTIONS, soname, RTLD_NOW);
    if (curl == NULL || curl->curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) return curl;
    free(curl);
    return NULL;
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

CURLMcode locwatch_curl_multi_setopt_long(const locwatch_curl *curl, CURLM *multi, CURLMoption option, long value) {
    return curl->curl_multi_setopt(multi, option, value);
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
