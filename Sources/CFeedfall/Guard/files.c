#define _GNU_SOURCE
#include "guard.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { NO_REPLACE = 1 };

/* For file systems without RENAME_NOREPLACE, such as NFS. */
static int link_and_unlink(int folder, const char *from, const char *to) {
  if (linkat(folder, from, AT_FDCWD, to, 0) != 0) return -1;
  return unlinkat(folder, from, 0);
}

/* For file systems without links either, such as FAT by FUSE: between the check and the renaming, another program may
   create the file. */
static int check_and_rename(int folder, const char *from, const char *to) {
  if (access(to, F_OK) == 0) {
    errno = EEXIST;
    return -1;
  }
  return renameat(folder, from, AT_FDCWD, to);
}

int guard_rename_new(int folder, const char *from, const char *to) {
  if (syscall(SYS_renameat2, folder, from, AT_FDCWD, to, NO_REPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (link_and_unlink(folder, from, to) == 0) return 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return -1;
  return check_and_rename(folder, from, to);
}

int guard_is_remote(const char *folder) {
  struct statfs system;
  if (statfs(folder, &system) != 0) return 0;
  switch ((uint32_t)system.f_type) {
  case 0x6969:     // NFS
  case 0x517B:     // SMB
  case 0xFF534D42: // CIFS
  case 0xFE534D42: // SMB 2
  case 0x65735546: // FUSE
  case 0x01021997: // 9p
  case 0x00C36400: // Ceph
  case 0x5346414F: // AFS
    return 1;
  default: return 0;
  }
}
