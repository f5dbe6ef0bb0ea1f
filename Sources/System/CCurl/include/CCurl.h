#ifndef LOCWATCH_CCURL_H
#define LOCWATCH_CCURL_H

#include <curl/curl.h>
#include <stdint.h>

// libcurl for Swift, opened at run time by its SONAME, so that a program starts without it and runs where it is missing.
//
// Linked, it would cost every start 5 to 9 ms and 9 MB. Its header is needed to build, and only these functions may be called
// from Swift: libcurl's own are not linked, and curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo take arguments of
// any type, which Swift cannot pass. Each function behaves like its namesake in libcurl.

/// A loaded libcurl.
typedef struct locwatch_curl locwatch_curl;

/// Opens the library with a SONAME and initializes it; returns NULL if it is missing or lacks a function.
///
/// The library stays loaded until the process ends: OpenSSL, which comes with it, cannot be unloaded.
const locwatch_curl *locwatch_curl_open(const char *soname);

/// Returns the number of the library's version, such as 0x075801 for 7.88.1.
unsigned locwatch_curl_version(const locwatch_curl *curl);

/// Returns libcurl's text for a result of a transfer.
const char *locwatch_curl_easy_strerror(const locwatch_curl *curl, CURLcode code);

// Transfers.
CURL *locwatch_curl_easy_init(const locwatch_curl *curl);
void locwatch_curl_easy_cleanup(const locwatch_curl *curl, CURL *easy);
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

struct curl_slist *locwatch_curl_slist_append(const locwatch_curl *curl, struct curl_slist *list, const char *text);
void locwatch_curl_slist_free_all(const locwatch_curl *curl, struct curl_slist *list);

// Transfers side by side.
CURLM *locwatch_curl_multi_init(const locwatch_curl *curl);
CURLMcode locwatch_curl_multi_cleanup(const locwatch_curl *curl, CURLM *multi);
CURLMcode locwatch_curl_multi_setopt_long(const locwatch_curl *curl, CURLM *multi, CURLMoption option, long value);
CURLMcode locwatch_curl_multi_add_handle(const locwatch_curl *curl, CURLM *multi, CURL *easy);
CURLMcode locwatch_curl_multi_remove_handle(const locwatch_curl *curl, CURLM *multi, CURL *easy);
CURLMcode locwatch_curl_multi_perform(const locwatch_curl *curl, CURLM *multi);
/// Waits until a transfer can continue, a time limit passes or the wait is woken.
CURLMcode locwatch_curl_multi_poll(const locwatch_curl *curl, CURLM *multi, int milliseconds);
/// Wakes the wait of another thread, or the next one.
CURLMcode locwatch_curl_multi_wakeup(const locwatch_curl *curl, CURLM *multi);
/// Returns the next transfer that has ended, with its result, or NULL.
CURL *locwatch_curl_multi_next_ended(const locwatch_curl *curl, CURLM *multi, CURLcode *result);

#endif
