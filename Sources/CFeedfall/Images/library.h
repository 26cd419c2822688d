#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <threads.h>

// Libraries are loaded on first use: if they were linked, each start would take a tenth longer.

/// Declares a pointer to a library function, with the type in its header.
#define LIBRARY_DECLARE(f) __typeof__(&f) f;
/// Looks up a function for the table `lib`; a missing one ends loading.
#define LIBRARY_FIND(f)                                                                                                \
  if (!(lib.f = (__typeof__(lib.f))dlsym(library, #f))) return;

/// Defines the table `lib` and `library_is_there()`, which loads the library once, from any thread.
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
