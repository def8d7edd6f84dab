/* SPDX-License-Identifier: MIT
 * libcurl, and the things of it that Swift cannot import by itself: functions with variable arguments, of which there is
 * one here for every type of argument, and a union. The parentheses keep the type-checking macros of <curl/curl.h> away,
 * which want the option as a constant. */
#pragma once
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "todayd needs libcurl 7.85 or later: CURLOPT_PROTOCOLS_STR, and the headers of an answer as curl_easy_nextheader(3) gives them"
#endif

/* CURL_GLOBAL_DEFAULT is a macro made of macros. Thread-safe where libcurl says so, and called once anyway. */
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

/* curl_easy_setopt(3): the type of the argument is the option's, which its name cannot tell a compiler. */
static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_bytes(CURL *handle, CURLoption option, const void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(handle, option, value);
}

/* Where libcurl writes an error in words: CURL_ERROR_SIZE bytes. */
static inline CURLcode ccurl_set_error_buffer(CURL *handle, char *buffer) {
    return (curl_easy_setopt)(handle, CURLOPT_ERRORBUFFER, buffer);
}

/* Who takes the header lines and the body, both with the same context. */
static inline CURLcode ccurl_set_receivers(
    CURL *handle, curl_write_callback header, curl_write_callback body, void *context) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, context);
    return code;
}

/* The only protocols ever used. */
static inline CURLcode ccurl_set_protocols(CURL *handle, int plain_too) {
    return (curl_easy_setopt)(handle, CURLOPT_PROTOCOLS_STR, plain_too ? "http,https" : "https");
}

/* curl_easy_getinfo(3), as above. */
static inline CURLcode ccurl_get_number(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode ccurl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode ccurl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return (curl_easy_getinfo)(handle, info, value);
}

/* Whether a transfer has ended, and how: the result is in a union, for CURLMSG_DONE only. */
static inline int ccurl_next_result(CURLM *transfers, CURLcode *result, CURL **transfer) {
    int left = 0;
    const CURLMsg *message = curl_multi_info_read(transfers, &left);
    if (!message || message->msg != CURLMSG_DONE) return 0;
    *result = message->data.result;
    *transfer = message->easy_handle;
    return 1;
}

/* Who is told which descriptors to watch, and when to call again, both with the same context. */
static inline void ccurl_set_watchers(
    CURLM *transfers, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
    (curl_multi_setopt)(transfers, CURLMOPT_SOCKETFUNCTION, socket);
    (curl_multi_setopt)(transfers, CURLMOPT_SOCKETDATA, context);
    (curl_multi_setopt)(transfers, CURLMOPT_TIMERFUNCTION, timer);
    (curl_multi_setopt)(transfers, CURLMOPT_TIMERDATA, context);
}
