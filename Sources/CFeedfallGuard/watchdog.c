#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spawning.h"

// The last message of the watchdog.
struct watched_end {
  int start_error;
  int status;
};

static void wake(int number) { (void)number; }

// Moves the lifeline to descriptor 3, closes all descriptors above it and returns 3. The watchdog must not inherit open
// files, especially not the other ends of the lifelines of other watchdogs.
static int close_others(int lifeline) {
  enum { place = 3 };
  if (lifeline != place && dup2(lifeline, place) < 0) _exit(127);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  closefrom(place + 1);
#else
  for (int i = place + 1, limit = (int)sysconf(_SC_OPEN_MAX); i < limit; i++) close(i);
#endif
  return place;
}

// Waits until the program has ended or the lifeline is closed. Does not reap the program, so that the ID of its group
// is not reused.
static void await_end(pid_t child, int lifeline, const sigset_t *waking) {
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid == child) return;
    struct pollfd end = {.fd = lifeline, .events = POLLIN};
    // Nothing is ever written to the watchdog, so a readable lifeline means end of file.
    if (ppoll(&end, 1, NULL, waking) > 0) return;
  }
}

// Kills descendants of the program that left its process group, for example by setsid(). The watchdog is their subreaper,
// so orphans become its children.
static void end_orphans(void) {
  for (;;) {
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    char list[1024];
    int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, list, sizeof list);
    if (file >= 0) close(file);
    if (length <= 0) return;
    pid_t orphan = 0;
    for (ssize_t i = 0; i < length; i++) {
      if (list[i] >= '0' && list[i] <= '9') {
        orphan = orphan * 10 + (list[i] - '0');
      } else {
        // A number cut off by the end of the buffer has no space after it. The next iteration handles it.
        if (orphan > 1) kill(orphan, SIGKILL);
        orphan = 0;
      }
    }
    if (waitpid(-1, NULL, 0) < 0 && errno != EINTR) return;
  }
}

// The watchdog process. At the fork, other threads may hold any lock, so it calls only async-signal-safe functions.
static _Noreturn void watch(
    struct spawning *spawning, char *const argv[], char *const environment[], int lifeline) {
  guard_disarm();
  sigset_t all, waking;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  struct sigaction action = {.sa_handler = wake};
  sigfillset(&action.sa_mask);
  sigaction(SIGCHLD, &action, NULL);
  sigfillset(&waking);
  sigdelset(&waking, SIGCHLD);
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  pid_t child;
  struct watched_end end = {.start_error = spawning_start(spawning, &child, argv, environment)};
  if (!end.start_error) {
    for (int i = 0; i < 3; i++) close(i);
    lifeline = close_others(lifeline);
    await_end(child, lifeline, &waking);
    kill(-child, SIGKILL);
    while (waitpid(child, &end.status, 0) < 0 && errno == EINTR) {}
    end_orphans();
  }
  send(lifeline, &end, sizeof end, MSG_NOSIGNAL);
  _exit(0);
}

int guard_spawn_watched(
    char *const argv[], char *const environment[], const int files[], int count, pid_t *watchdog) {
  struct spawning spawning;
  int ends[2];
  errno = spawning_prepare(&spawning, files, count, POSIX_SPAWN_SETPGROUP);
  if (errno) return -1;
  int made = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
  pid_t child = made < 0 ? -1 : fork();
  if (child == 0) watch(&spawning, argv, environment ? environment : environ, ends[1]);
  int trouble = errno;
  spawning_discard(&spawning);
  if (made == 0) close(ends[1]);
  if (made == 0 && child < 0) close(ends[0]);
  errno = trouble;
  if (child < 0) return -1;
  *watchdog = child;
  return ends[0];
}

int guard_await_watched(int descriptor, pid_t watchdog) {
  // If the descriptor was shut down, the message of the watchdog is lost, and the program was killed.
  struct watched_end end = {.start_error = 0, .status = SIGKILL};
  ssize_t count;
  while ((count = recv(descriptor, &end, sizeof end, MSG_WAITALL)) < 0 && errno == EINTR) {}
  while (waitpid(watchdog, NULL, 0) < 0 && errno == EINTR) {}
  close(descriptor);
  if (count == (ssize_t)sizeof end && end.start_error) {
    errno = end.start_error;
    return -1;
  }
  return end.status;
}
