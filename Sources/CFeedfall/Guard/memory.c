#define _GNU_SOURCE
#include "guard.h"
#include <malloc.h>

void guard_share_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}
