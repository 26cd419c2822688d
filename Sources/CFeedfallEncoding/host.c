#include "encoding.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

// libidn2, loaded for the first host name beyond ASCII. libcurl needs it too, but would convert by the locale's encoding,
// which only curses sets.

/* IDN2_NFC_INPUT and IDN2_NONTRANSITIONAL. */
enum { FLAGS = 1 | 8 };

static int (*lookup)(const uint8_t *, uint8_t **, int);
static int (*to_unicode)(const char *, char **, int);
static void (*release)(void *);

static void load(void) {
  void *library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  to_unicode = (__typeof__(to_unicode))dlsym(library, "idn2_to_unicode_8z8z");
  release = (__typeof__(release))dlsym(library, "idn2_free");
  lookup = (__typeof__(lookup))dlsym(library, "idn2_lookup_u8");
}

static bool is_loaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return lookup && to_unicode && release;
}

/* Moves a text of libidn2 to `result`; returns its length, or -1 if it does not fit. */
static long move(char *text, unsigned char *result, size_t capacity) {
  size_t length = strlen(text);
  bool fits = length <= capacity;
  if (fits) memcpy(result, text, length);
  release(text);
  return fits ? (long)length : -1;
}

long host_to_ascii(const char *name, unsigned char *result, size_t capacity) {
  uint8_t *text = nullptr;
  if (!is_loaded() || lookup((const uint8_t *)name, &text, FLAGS) != 0 || !text) return -1;
  return move((char *)text, result, capacity);
}

long host_to_unicode(const char *name, unsigned char *result, size_t capacity) {
  char *text = nullptr;
  if (!is_loaded() || to_unicode(name, &text, 0) != 0 || !text) return -1;
  return move(text, result, capacity);
}
