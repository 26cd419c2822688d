#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

struct curl_functions curl;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;

static bool load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
#define FIND(f)                                                                                                \
  if (!(curl.f = (__typeof__(curl.f))dlsym(library, "curl_" #f))) return false;
  CURL_FUNCTIONS(FIND)
#undef FIND
  return curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

CURLM *fetch_load_library(void (*at_exit)(void)) {
  pthread_mutex_lock(&lock);
  // No function can be registered once the process has begun to end.
  if (!is_loaded) is_loaded = load() && atexit(at_exit) == 0;
  CURLM *multi = is_loaded ? curl.multi_init() : nullptr;
  pthread_mutex_unlock(&lock);
  return multi;
}
