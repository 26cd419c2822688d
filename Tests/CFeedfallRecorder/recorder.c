#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count;

/* The original function with this name. */
#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The path below the root in `relative`; returns 0 for another path. */
static int is_recorded(int folder, const char *path, char relative[PATH_MAX]) {
  const char *root = getenv("RECORD_ROOT");
  char whole[2 * PATH_MAX] = "";
  if (root == NULL || getenv("RECORD_FILE") == NULL) return 0;
  if (path == NULL || (path[0] != '/' && folder != AT_FDCWD)) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, whole, PATH_MAX);
    if (length < 0) return 0;
    whole[length] = 0;
    if (path != NULL) {
      strcat(whole, "/");
      strncat(whole, path, PATH_MAX - 2);
    }
  } else {
    strncat(whole, path, PATH_MAX - 1);
  }
  size_t length = strlen(root);
  if (strncmp(whole, root, length) != 0 || (whole[length] != '/' && whole[length] != 0)) return 0;
  snprintf(relative, PATH_MAX, "%s", whole[length] == 0 ? "" : whole + length + 1);
  return 1;
}

static void record(const char *line, size_t length) {
  int file = (int)syscall(SYS_openat, AT_FDCWD, getenv("RECORD_FILE"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) abort();
  if (syscall(SYS_write, file, line, length) != (long)length) abort();
  syscall(SYS_close, file);
}

static void record_text(const char *format, ...) {
  char line[3 * PATH_MAX];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  record(line, (size_t)length);
}

/* The error of the fault for the next change; -1 if it does not fail. */
static int next_fault(void) {
  const char *fault = getenv("RECORD_FAULT");
  int number = atomic_fetch_add(&count, 1), at, error;
  if (fault == NULL || sscanf(fault, "%d:%d", &at, &error) != 2) return -1;
  if (error == 0 && number == at + 1) return ENOSPC;
  return number == at ? error : -1;
}

#define FAIL_IF_DUE()                                                                                                  \
  do {                                                                                                                 \
    int fault = next_fault();                                                                                          \
    if (fault > 0) {                                                                                                   \
      errno = fault;                                                                                                   \
      return -1;                                                                                                       \
    }                                                                                                                  \
  } while (0)

static unsigned long inode(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

static int open_recorded(int folder, const char *path, int flags, mode_t mode) {
  char name[PATH_MAX];
  struct stat status;
  int may_change = (flags & (O_CREAT | O_TRUNC)) != 0 && is_recorded(folder, path, name);
  int is_new = may_change && fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0;
  if (is_new && (flags & O_CREAT)) FAIL_IF_DUE();
  int file = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (file < 0 || !may_change) return file;
  if (is_new) record_text("create\t%lu\t%s\n", inode(file), name);
  if (!is_new && (flags & O_TRUNC)) record_text("truncate\t%lu\t0\n", inode(file));
  return file;
}

#define MODE()                                                                                                         \
  mode_t mode = 0;                                                                                                     \
  if (flags & (O_CREAT | O_TMPFILE)) {                                                                                 \
    va_list arguments;                                                                                                 \
    va_start(arguments, flags);                                                                                        \
    mode = va_arg(arguments, mode_t);                                                                                  \
    va_end(arguments);                                                                                                 \
  }

int open(const char *path, int flags, ...) {
  MODE();
  return open_recorded(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE();
  return open_recorded(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE();
  return open_recorded(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE();
  return open_recorded(folder, path, flags, mode);
}

static ssize_t write_recorded(int file, const void *bytes, size_t size, off_t offset, int is_placed) {
  char name[PATH_MAX];
  int changes = size > 0 && is_recorded(file, NULL, name);
  if (changes) {
    int fault = next_fault();
    if (fault > 0) {
      errno = fault;
      return -1;
    }
    if (fault == 0 && size > 1) size /= 2;
  }
  long written = is_placed ? syscall(SYS_pwrite64, file, bytes, size, offset) : syscall(SYS_write, file, bytes, size);
  if (!changes || written <= 0) return written;
  off_t end = is_placed ? offset + written : lseek(file, 0, SEEK_CUR);
  char *line = malloc((size_t)written * 2 + 100);
  if (line == NULL) abort();
  int length = sprintf(line, "write\t%lu\t%ld\t", inode(file), (long)(end - written));
  for (long index = 0; index < written; index++) {
    static const char digits[] = "0123456789abcdef";
    unsigned char byte = ((const unsigned char *)bytes)[index];
    line[length++] = digits[byte >> 4];
    line[length++] = digits[byte & 15];
  }
  struct stat status;
  if (fstat(file, &status) != 0) abort();
  length += sprintf(line + length, "\t%ld\t%ld\n", (long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  record(line, (size_t)length);
  free(line);
  return written;
}

ssize_t write(int file, const void *bytes, size_t size) { return write_recorded(file, bytes, size, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return write_recorded(file, bytes, size, offset, 1);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
  return write_recorded(file, bytes, size, offset, 1);
}

static int synchronize(int file, int (*original)(int)) {
  char name[PATH_MAX];
  struct stat status;
  if (!is_recorded(file, NULL, name)) return original(file);
  FAIL_IF_DUE();
  int result = original(file);
  int is_folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  if (result == 0 && is_folder) record_text("syncfolder\t%s\n", name);
  if (result == 0 && !is_folder) record_text("sync\t%lu\n", inode(file));
  return result;
}
int fsync(int file) { return synchronize(file, ORIGINAL(fsync)); }
int fdatasync(int file) { return synchronize(file, ORIGINAL(fdatasync)); }

static int truncate_recorded(int file, off_t size) {
  char name[PATH_MAX];
  int changes = is_recorded(file, NULL, name);
  if (changes) FAIL_IF_DUE();
  int result = (int)syscall(SYS_ftruncate, file, size);
  struct stat status;
  if (result == 0 && changes && fstat(file, &status) == 0)
    record_text(
        "truncate\t%lu\t%ld\t%ld\t%ld\n", inode(file), (long)size, (long)status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec);
  return result;
}
int ftruncate(int file, off_t size) { return truncate_recorded(file, size); }
int ftruncate64(int file, off_t size) { return truncate_recorded(file, size); }

static int rename_recorded(int folder, const char *from, int target, const char *to, unsigned flags) {
  char names[2][PATH_MAX];
  int changes = is_recorded(folder, from, names[0]) && is_recorded(target, to, names[1]);
  if (changes) FAIL_IF_DUE();
  int result = (int)ORIGINAL(syscall)(SYS_renameat2, folder, from, target, to, flags);
  if (result == 0 && changes) record_text("rename\t%s\t%s\n", names[0], names[1]);
  return result;
}
int rename(const char *from, const char *to) { return rename_recorded(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int folder, const char *from, int target, const char *to) {
  return rename_recorded(folder, from, target, to, 0);
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (int index = 0; index < 6; index++) words[index] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2) {
    return rename_recorded(
        (int)words[0], (const char *)words[1], (int)words[2], (const char *)words[3], (unsigned)words[4]);
  }
  return ORIGINAL(syscall)(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

static int link_recorded(int folder, const char *from, int target, const char *to, int flags) {
  char names[2][PATH_MAX];
  int changes = is_recorded(folder, from, names[0]) && is_recorded(target, to, names[1]);
  if (changes) FAIL_IF_DUE();
  int result = (int)syscall(SYS_linkat, folder, from, target, to, flags);
  if (result == 0 && changes) record_text("link\t%s\t%s\n", names[0], names[1]);
  return result;
}
int link(const char *from, const char *to) { return link_recorded(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int folder, const char *from, int target, const char *to, int flags) {
  return link_recorded(folder, from, target, to, flags);
}

static int remove_recorded(int folder, const char *path, int flags) {
  char name[PATH_MAX];
  struct stat status;
  int changes = is_recorded(folder, path, name) && fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (changes) FAIL_IF_DUE();
  int result = (int)syscall(SYS_unlinkat, folder, path, flags);
  if (result == 0 && changes) record_text("unlink\t%s\n", name);
  return result;
}
int unlink(const char *path) { return remove_recorded(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return remove_recorded(folder, path, flags); }
int rmdir(const char *path) { return remove_recorded(AT_FDCWD, path, AT_REMOVEDIR); }

static int make_recorded(int folder, const char *path, mode_t mode) {
  char name[PATH_MAX];
  struct stat status;
  int changes = is_recorded(folder, path, name) && fstatat(folder, path, &status, 0) != 0;
  if (changes) FAIL_IF_DUE();
  int result = (int)syscall(SYS_mkdirat, folder, path, mode);
  if (result == 0 && changes) record_text("mkdir\t%s\n", name);
  return result;
}
int mkdir(const char *path, mode_t mode) { return make_recorded(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return make_recorded(folder, path, mode); }
