#include "library.h"

#include <dlfcn.h>

struct curl_functions curl;

CURLM *fetch_load_library(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
#define FIND(f)                                                                                                \
  if (!(curl.f = (__typeof__(curl.f))dlsym(library, "curl_" #f))) return nullptr;
  CURL_FUNCTIONS(FIND)
#undef FIND
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return nullptr;
  return curl.multi_init();
}
