#pragma once
#include <curl/curl.h>

// libcurl, loaded for the first request: if it were linked, about thirty libraries would load before `main`.

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define CURL_FUNCTIONS(X)                                                                                      \
  X(global_init) X(easy_init) X(easy_setopt) X(easy_cleanup) X(easy_getinfo) X(easy_strerror)                  \
  X(multi_init) X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_poll) X(multi_wakeup)      \
  X(multi_info_read) X(slist_append) X(slist_free_all)

struct curl_functions {
#define DECLARE(f) __typeof__(&curl_##f) f;
  CURL_FUNCTIONS(DECLARE)
#undef DECLARE
};

/// The library's functions, set by `fetch_load_library`.
extern struct curl_functions curl;

/// Loads libcurl unless it is loaded, and creates a handle for many requests; returns null if there is no usable libcurl.
/// At the first success, `at_exit` is registered for the end of the program.
CURLM *fetch_load_library(void (*at_exit)(void));
