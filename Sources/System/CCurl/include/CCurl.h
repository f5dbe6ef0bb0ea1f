#ifndef LOCWATCH_CCURL_H
#define LOCWATCH_CCURL_H

#include <curl/curl.h>
#include <stdint.h>

// libcurl for Swift, opened at run time by its SONAME, so that a program starts without it and runs where it is missing.
//
// Linked, it would cost every start 5 to 9 ms and 9 MB. Its header is needed to build. libcurl's own functions are not linked: Swift
// calls those of the table, and the functions below for those that take arguments of any type, which Swift cannot pass.

#define LOCWATCH_CURL_FUNCTIONS(DO) \
    DO(curl_global_init) \
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

/// The functions of a loaded libcurl.
typedef struct {
#define LOCWATCH_CURL_MEMBER(name) __typeof__(&name) name;
    LOCWATCH_CURL_FUNCTIONS(LOCWATCH_CURL_MEMBER)
#undef LOCWATCH_CURL_MEMBER
} locwatch_curl;

/// Opens the library with a SONAME and initializes it; returns NULL if it is missing or lacks a function.
///
/// The library stays loaded until the process ends: OpenSSL, which comes with it, cannot be unloaded.
const locwatch_curl *locwatch_curl_open(const char *soname);

// Transfers.
CURLcode locwatch_curl_easy_setopt_long(const locwatch_curl *curl, CURL *easy, CURLoption option, long value);
CURLcode locwatch_curl_easy_setopt_offset(const locwatch_curl *curl, CURL *easy, CURLoption option, curl_off_t value);
/// Sets a text, which libcurl copies.
CURLcode locwatch_curl_easy_setopt_text(const locwatch_curl *curl, CURL *easy, CURLoption option, const char *value);
/// Sets an address, which must stay valid until the transfer is cleaned up.
CURLcode locwatch_curl_easy_setopt_pointer(const locwatch_curl *curl, CURL *easy, CURLoption option, void *value);

/// A function that receives bytes; it returns their count, or CURL_WRITEFUNC_ERROR to end the transfer.
typedef size_t (*locwatch_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
/// Sets the functions that receive the headers, line by line, and the body.
CURLcode locwatch_curl_easy_set_receivers(
    const locwatch_curl *curl, CURL *easy, locwatch_curl_receiver headers, locwatch_curl_receiver body, void *context);

/// Sets the functions that are called when a transfer opens a socket and when the socket is to be closed, possibly after the transfer.
CURLcode locwatch_curl_easy_set_sockets(
    const locwatch_curl *curl, CURL *easy, curl_sockopt_callback opened, curl_closesocket_callback closed, void *context);

/// Returns the number of bytes that a TCP socket has received, or 0 if the system does not count them.
uint64_t locwatch_curl_received_bytes(int socket);

CURLcode locwatch_curl_easy_getinfo_long(const locwatch_curl *curl, CURL *easy, CURLINFO info, long *value);
CURLcode locwatch_curl_easy_getinfo_offset(const locwatch_curl *curl, CURL *easy, CURLINFO info, curl_off_t *value);

// Transfers side by side.
CURLMcode locwatch_curl_multi_setopt_long(const locwatch_curl *curl, CURLM *multi, CURLMoption option, long value);
/// Returns the next transfer that has ended, with its result, or NULL.
CURL *locwatch_curl_multi_next_ended(const locwatch_curl *curl, CURLM *multi, CURLcode *result);

#endif
