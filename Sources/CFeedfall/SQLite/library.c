#include "database.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct sqlite_functions functions;
static const struct sqlite_functions *found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(f)                                                                                                \
  void *f = dlsym(library, "sqlite3_" #f);                                                                     \
  if (!f) return;                                                                                              \
  functions.f = (__typeof__(functions.f))f;
  SQLITE_FUNCTIONS(FIND)
#undef FIND
  found = &functions;
}

void sqlite_close_at_once(sqlite3 *database) {
  functions.db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

const struct sqlite_functions *sqlite_functions(void) {
  pthread_once(&once, load);
  return found;
}
