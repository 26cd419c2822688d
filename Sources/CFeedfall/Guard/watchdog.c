#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spawning.h"

// How long the watchdog waits for killed processes, in milliseconds. One that waits for a dead file server cannot die.
enum { reaping_limit = 3000 };

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

// Waits until the program has ended or the lifeline is closed; returns whether it has ended. Does not reap the program,
// so that the ID of its group is not reused.
static int await_end(pid_t child, int lifeline, const sigset_t *waking) {
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid == child) return 1;
    struct pollfd end = {.fd = lifeline, .events = POLLIN};
    // Nothing is ever written to the watchdog, so a readable lifeline means end of file.
    if (ppoll(&end, 1, NULL, waking) > 0) return 0;
  }
}

static struct timespec deadline(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  time.tv_sec += reaping_limit / 1000;
  time.tv_nsec += reaping_limit % 1000 * 1000000L;
  return time;
}

// Waits until a child has ended or the deadline is over; returns whether there is time left. All signals are blocked
// otherwise, so that the end of a child before the call ends the wait as well.
static int await_any(const struct timespec *deadline, const sigset_t *waking) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long left = (deadline->tv_sec - now.tv_sec) * 1000000000LL + (deadline->tv_nsec - now.tv_nsec);
  if (left <= 0) return 0;
  struct timespec rest = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
  ppoll(NULL, 0, &rest, waking);
  return 1;
}

// Reaps a program that has ended or was killed. Leaves one that does not die to the system.
static void reap(pid_t child, int *status, const struct timespec *deadline, const sigset_t *waking) {
  for (;;) {
    pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return;
    if (!await_any(deadline, waking)) return;
  }
}

// Kills descendants of a worker that left its process group, for example by setsid(). The watchdog is their subreaper,
// so orphans become its children. Leaves those that do not die to the system.
static void end_orphans(const struct timespec *deadline, const sigset_t *waking) {
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
    if (!await_any(deadline, waking)) return;
  }
}

// The watchdog process. At the fork, other threads may hold any lock, so it calls only async-signal-safe functions.
static _Noreturn void watch(
    struct spawning *spawning, char *const argv[], char *const environment[], enum guard_child kind, int lifeline) {
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
  int is_worker = kind != GUARD_COMMAND;
  if (is_worker) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  pid_t child;
  // The status of a program that was killed and does not die.
  struct watched_end end = {
      .start_error = spawning_start(spawning, &child, argv, environment), .status = SIGKILL};
  if (!end.start_error) {
    // Not before the start: the watchdog itself may already have more memory, as a copy of its parent.
    struct rlimit memory = {GUARD_DECODER_BYTES, GUARD_DECODER_BYTES};
    struct rlimit time = {GUARD_DECODER_SECONDS, GUARD_DECODER_SECONDS};
    if (kind == GUARD_DECODER) {
      prlimit(child, RLIMIT_DATA, &memory, NULL);
      prlimit(child, RLIMIT_CPU, &time, NULL);
    }
    for (int i = 0; i < 3; i++) close(i);
    lifeline = close_others(lifeline);
    int has_ended = await_end(child, lifeline, &waking);
    if (is_worker || !has_ended) kill(-child, SIGKILL);
    struct timespec limit = deadline();
    reap(child, &end.status, &limit, &waking);
    if (is_worker) end_orphans(&limit, &waking);
  }
  send(lifeline, &end, sizeof end, MSG_NOSIGNAL);
  _exit(0);
}

int guard_spawn_watched(
    char *const argv[], char *const environment[], const int files[], int count, enum guard_child kind,
    pid_t *watchdog) {
  struct spawning spawning;
  int ends[2];
  errno = spawning_prepare(&spawning, files, count, POSIX_SPAWN_SETPGROUP);
  if (errno) return -1;
  int made = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
  pid_t child = made < 0 ? -1 : fork();
  if (child == 0) watch(&spawning, argv, environment ? environment : environ, kind, ends[1]);
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
