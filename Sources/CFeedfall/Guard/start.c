#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

#ifdef __GLIBC__
// glibc passes the arguments of main() to constructors. The ones of Swift are a copy of /proc/self/cmdline.
__attribute__((constructor)) static void find_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
}
#endif

char **guard_arguments(int *count) {
  *count = argument_count;
  return arguments;
}

void guard_open_standard_files(void) {
  // A later write to a closed output fails, because /dev/null is open for the other direction.
  static const int modes[] = {O_RDWR, O_RDONLY, O_RDONLY};
  for (int i = 0; i < 3; i++)
    // open() returns `i`, the lowest free number, because all lower ones are open.
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[i]) < 0) return;
}

int guard_has_memory(void) {
  enum { thread_count = 6, heap = 16 << 20 };
  pthread_attr_t attributes;
  size_t stack = 0;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_getstacksize(&attributes, &stack);
  pthread_attr_destroy(&attributes);
  size_t needed = heap + thread_count * stack;
  void *memory = mmap(NULL, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  munmap(memory, needed);
  return 1;
}

void guard_share_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}
