#define _GNU_SOURCE
#include "cpty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "guard.h"

extern char **environ;

static int fork_terminal(int rows, int cols, pid_t *pid) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  int master = -1;
  *pid = forkpty(&master, NULL, NULL, &size);
  if (*pid < 0) return -1;
  if (*pid == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return 0;
  }
  fcntl(master, F_SETFD, FD_CLOEXEC);
  return master;
}

int pty_spawn(char *const argv[], char *const envp[], int rows, int cols, pid_t *pid) {
  int master = fork_terminal(rows, cols, pid);
  if (*pid == 0) {
    execve(argv[0], argv, envp ? envp : environ);
    _exit(127);
  }
  return master;
}

int pty_open(int rows, int cols, int *slave) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  int master = -1;
  if (openpty(&master, slave, NULL, NULL, &size) != 0) return -1;
  fcntl(master, F_SETFD, FD_CLOEXEC);
  fcntl(*slave, F_SETFD, FD_CLOEXEC);
  fcntl(*slave, F_SETFL, O_RDWR | O_NONBLOCK);
  return master;
}

int pty_resize(int master, int rows, int cols) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  return ioctl(master, TIOCSWINSZ, &size);
}

ssize_t pty_read(int master, void *buffer, size_t capacity, int milliseconds) {
  struct pollfd one = {.fd = master, .events = POLLIN};
  int ready = poll(&one, 1, milliseconds);
  if (ready <= 0) return ready == 0 || errno == EINTR ? 0 : -1;
  ssize_t count = read(master, buffer, capacity);
  return count > 0 ? count : -1;
}

int pty_unread_count(int master) {
  int slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (slave < 0) return -1;
  int count = -1;
  if (ioctl(slave, FIONREAD, &count) != 0) count = -1;
  close(slave);
  return count;
}

int pty_is_cooked(int master) {
  struct termios modes;
  if (tcgetattr(master, &modes) != 0) return 0;
  return (modes.c_lflag & (ECHO | ICANON)) == (ECHO | ICANON);
}

int pty_crash(int number, size_t removal_length, const char *restore, const char *said, pid_t *pid) {
  static char removal[256 * 1024];
  memset(removal, 'r', removal_length);
  int master = fork_terminal(24, 80, pid);
  if (*pid != 0) return master;
  // Between fork and the end of this child only calls that a signal handler may make.
  struct termios modes;
  if (tcgetattr(0, &modes) != 0 || guard_install() != 0) _exit(1);
  struct termios raw = modes;
  cfmakeraw(&raw);
  tcsetattr(0, TCSANOW, &raw);
  if (guard_hold_stderr() != 0) _exit(2);
  if (guard_arm(0, &modes, removal, removal_length, restore, strlen(restore)) != 0) _exit(2);
  if (write(2, said, strlen(said)) < 0 || write(1, "drawn", 5) < 0) _exit(3);
  raise(number);
  _exit(4);
}

static atomic_uint arm_count;

static void *crash_while_arming(void *unused) {
  (void)unused;
  while (atomic_load(&arm_count) < 100) sched_yield();
  abort();
}

int pty_crash_while_arming(const char *restore, pid_t *pid) {
  int master = fork_terminal(24, 80, pid);
  if (*pid != 0) return master;
  // The child of a fork has this one thread, and others again as soon as it starts them.
  struct termios modes;
  pthread_t thread;
  if (tcgetattr(0, &modes) != 0 || guard_install() != 0) _exit(1);
  if (guard_arm(0, &modes, NULL, 0, restore, strlen(restore)) != 0) _exit(2);
  if (pthread_create(&thread, NULL, crash_while_arming, NULL) != 0) _exit(3);
  for (;;) {
    guard_arm(0, &modes, NULL, 0, restore, strlen(restore));
    atomic_fetch_add(&arm_count, 1);
  }
}

int pty_trace(pid_t process) { return ptrace(PTRACE_SEIZE, process, NULL, NULL) == 0 ? 0 : -1; }

void pty_untrace(pid_t process) {
  while (waitpid(process, NULL, __WALL) < 0 && errno == EINTR) {}
}
