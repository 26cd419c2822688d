#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>

int library_load(struct library *library) {
  // To resolve all symbols of its more than 200 libraries at once would take an eighth longer.
  void *file = dlopen("libmpv.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!file) return -1;
  struct {
    const char *name;
    void *place;
  } const functions[] = {
      {"mpv_client_api_version", &library->client_api_version},
      {"mpv_create", &library->create},
      {"mpv_set_option_string", &library->set_option_string},
      {"mpv_initialize", &library->initialize},
      {"mpv_wait_event", &library->wait_event},
      {"mpv_terminate_destroy", &library->terminate_destroy},
      {"mpv_render_context_create", &library->render_context_create},
      {"mpv_render_context_set_update_callback", &library->render_context_set_update_callback},
      {"mpv_render_context_update", &library->render_context_update},
      {"mpv_render_context_render", &library->render_context_render},
      {"mpv_render_context_free", &library->render_context_free},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(file, functions[i].name);
    if (!function) return -1;
    *(void **)functions[i].place = function;
  }
  return library->client_api_version() >> 16 == 2 ? 0 : -1;
}
