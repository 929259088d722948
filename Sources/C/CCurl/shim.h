#pragma once
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one typed function for each kind. */
static inline CURLcode curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_write(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode curl_set_ssl_context(
    CURL *handle, CURLcode (*value)(CURL *, void *, void *)) {
  return curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, value);
}
static inline CURLcode curl_set_progress(
    CURL *handle,
    int (*value)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode curl_get_string(CURL *handle, CURLINFO info, char **value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode curl_get_list(CURL *handle, CURLINFO info, struct curl_slist **value) {
  return curl_easy_getinfo(handle, info, value);
}
