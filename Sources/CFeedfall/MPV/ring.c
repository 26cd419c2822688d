#define _GNU_SOURCE
#include "mpvhost.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int mpv_ring_create(size_t byte_count) {
  int file = memfd_create("feedfall-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)byte_count) == 0
      && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return file;
  close(file);
  return -1;
}
