#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spawning.h"

extern char **environ;

void guard_open_standard_files(void) {
  for (int i = 0; i < 3; i++)
    // The lowest free number is `i`, since those below it are open.
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0) return;
}

void guard_widen_pipe(int descriptor, int byte_count) { fcntl(descriptor, F_SETPIPE_SZ, byte_count); }

static int place(posix_spawn_file_actions_t *actions, int from, int to) {
  if (from == GUARD_KEEP) return 0;
  if (from == GUARD_NULL) return posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_RDWR, 0);
  return posix_spawn_file_actions_adddup2(actions, from, to);
}

int spawning_prepare(struct spawning *spawning, const int files[], int count, short flags) {
  int error = posix_spawn_file_actions_init(&spawning->actions);
  if (error) return error;
  error = posix_spawnattr_init(&spawning->attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&spawning->actions);
    return error;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&spawning->attributes, &none);
  posix_spawnattr_setsigdefault(&spawning->attributes, &all);
  posix_spawnattr_setflags(
      &spawning->attributes, (short)(flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  for (int i = 0; i < count && !error; i++) error = place(&spawning->actions, files[i], i);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(&spawning->actions, count);
#endif
  if (error) spawning_discard(spawning);
  return error;
}

int spawning_start(const struct spawning *spawning, pid_t *child, char *const argv[]) {
  return posix_spawnp(child, argv[0], &spawning->actions, &spawning->attributes, argv, environ);
}

void spawning_discard(struct spawning *spawning) {
  posix_spawnattr_destroy(&spawning->attributes);
  posix_spawn_file_actions_destroy(&spawning->actions);
}

static int spawn(pid_t *child, char *const argv[], const int files[3], short flags) {
  struct spawning spawning;
  int error = spawning_prepare(&spawning, files, 3, flags);
  if (error) return error;
  error = spawning_start(&spawning, child, argv);
  spawning_discard(&spawning);
  return error;
}

// Being asked to end while a child has the terminal: the child is asked too, and we are asked again after it.
static const int ends[] = {SIGTERM, SIGHUP};
enum { end_count = sizeof ends / sizeof *ends };
static _Atomic pid_t waited_for;
static _Atomic int asked_to_end;

static void pass_on(int number) {
  int error = errno;
  atomic_store(&asked_to_end, number);
  kill(atomic_load(&waited_for), number);
  errno = error;
}

// Waits until the child ends or stops, and leaves its status to be taken: so its id stays its own all the while.
static void wait_passing_on(pid_t child) {
  struct sigaction action = {.sa_handler = pass_on}, old[end_count];
  sigset_t set, before;
  sigemptyset(&action.sa_mask);
  sigemptyset(&set);
  atomic_store(&waited_for, child);
  for (int i = 0; i < end_count; i++) {
    sigaction(ends[i], &action, &old[i]);
    sigaddset(&set, ends[i]);
  }
  pthread_sigmask(SIG_UNBLOCK, &set, &before);
  siginfo_t info;
  while (waitid(P_PID, (id_t)child, &info, WEXITED | WSTOPPED | WNOWAIT) < 0 && errno == EINTR) {}
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  for (int i = 0; i < end_count; i++) sigaction(ends[i], &old[i], NULL);
}

int guard_spawn_wait(char *const argv[], int input, int output, int error) {
  pid_t child;
  const int files[3] = {input, output, error};
  int failure = spawn(&child, argv, files, 0);
  if (failure) {
    errno = failure;
    return -1;
  }
  atomic_store(&asked_to_end, 0);
  int status = 0;
  for (;;) {
    wait_passing_on(child);
    pid_t changed = waitpid(child, &status, WUNTRACED);
    if (changed < 0 && errno == EINTR) continue;
    if (changed < 0 || !WIFSTOPPED(status)) break;
    guard_discard(SIGTSTP);
    guard_stop_job();
    kill(child, SIGCONT);
  }
  // ^C and ^Z typed for the child reached us too, blocked.
  guard_discard(SIGINT);
  guard_discard(SIGQUIT);
  guard_discard(SIGTSTP);
  int end = atomic_load(&asked_to_end);
  if (end) pthread_kill(pthread_self(), end);
  return status;
}

static void *wait_for(void *child) {
  while (waitpid((pid_t)(intptr_t)child, NULL, 0) < 0 && errno == EINTR) {}
  return NULL;
}

int guard_spawn_detached(char *const argv[]) {
  pid_t child;
  const int files[3] = {GUARD_NULL, GUARD_NULL, GUARD_NULL};
  int error = spawn(&child, argv, files, POSIX_SPAWN_SETSID);
  if (error) return error;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for, (void *)(intptr_t)child) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return 0;
}
