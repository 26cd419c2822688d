#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

static struct library functions;
static const struct library *found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *file = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!file) return;
#define FIND(place, name)                                                                                      \
  place.name = (__typeof__(place.name))dlsym(file, "dbus_" #name);                                             \
  if (!place.name) return;
#define FIND_MESSAGE_FUNCTION(result, name, parameters) FIND(functions.messages, name)
#define FIND_CONNECTION_FUNCTION(result, name, parameters) FIND(functions, name)
  BUS_MESSAGE_FUNCTIONS(FIND_MESSAGE_FUNCTION)
  CONNECTION_FUNCTIONS(FIND_CONNECTION_FUNCTION)
  // The program handles signals itself, and the library's sockets send none.
  functions.connection_set_change_sigpipe(0);
  found = &functions;
}

const struct library *library(void) {
  pthread_once(&once, load);
  return found;
}

const struct bus_functions *bus_functions(void) { return library() ? &found->messages : nullptr; }
