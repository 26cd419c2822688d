#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int place(posix_spawn_file_actions_t *actions, int from, int to) {
  if (from == GUARD_KEEP) return 0;
  if (from == GUARD_NULL) return posix_spawn_file_actions_addopen(actions, to, "/dev/null", O_RDWR, 0);
  return posix_spawn_file_actions_adddup2(actions, from, to);
}

static int spawn(pid_t *child, char *const argv[], const int files[3], short flags) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, (short)(flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  for (int i = 0; i < 3 && !error; i++) error = place(&actions, files[i], i);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
  if (!error) error = posix_spawnp(child, argv[0], &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// ^C and ^Z typed for the child reach us too, blocked; ignoring a signal for a moment takes it away.
static void discard(int number) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigemptyset(&ignore.sa_mask);
  sigaction(number, &ignore, &old);
  sigaction(number, &old, NULL);
}

int guard_spawn_wait(char *const argv[], int input, int output, int error) {
  pid_t child;
  const int files[3] = {input, output, error};
  int failure = spawn(&child, argv, files, 0);
  if (failure) {
    errno = failure;
    return -1;
  }
  int status = 0;
  for (;;) {
    pid_t changed = waitpid(child, &status, WUNTRACED);
    if (changed < 0 && errno == EINTR) continue;
    if (changed < 0 || !WIFSTOPPED(status)) break;
    discard(SIGTSTP);
    guard_stop_job();
    kill(child, SIGCONT);
  }
  discard(SIGINT);
  discard(SIGQUIT);
  discard(SIGTSTP);
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
