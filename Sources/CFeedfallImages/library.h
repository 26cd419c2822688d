#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <threads.h>

// Libraries that are found when they are first needed: linked, they would cost every start a tenth of its time.

/// A function of a library, of the type that its header gives it.
#define LIBRARY_DECLARE(f) __typeof__(&f) f;
/// Finds a function for the table `lib`; ends the loading without it.
#define LIBRARY_FIND(f)                                                                                                \
  if (!(lib.f = (__typeof__(lib.f))dlsym(library, #f))) return;

/// Defines the table `lib` and `library_is_there()`, which loads the library once, in whatever thread.
#define LIBRARY(functions, name)                                                                                       \
  static struct {                                                                                                      \
    functions(LIBRARY_DECLARE)                                                                                         \
  } lib;                                                                                                               \
  static bool library_is_complete = false;                                                                             \
  static void library_load(void) {                                                                                     \
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);                                                               \
    if (!library) return;                                                                                              \
    functions(LIBRARY_FIND) library_is_complete = true;                                                                \
  }                                                                                                                    \
  static bool library_is_there(void) {                                                                                 \
    static once_flag once = ONCE_FLAG_INIT;                                                                            \
    call_once(&once, library_load);                                                                                    \
    return library_is_complete;                                                                                        \
  }
