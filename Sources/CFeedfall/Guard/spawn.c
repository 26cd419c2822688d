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

#include "spawning.h"

extern char **environ;

static int place(posix_spawn_file_actions_t *actions, int from, int to) {
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

int spawning_start(const struct spawning *spawning, pid_t *child, char *const argv[], char *const environment[]) {
  return posix_spawnp(child, argv[0], &spawning->actions, &spawning->attributes, argv, environment);
}

void spawning_discard(struct spawning *spawning) {
  posix_spawnattr_destroy(&spawning->attributes);
  posix_spawn_file_actions_destroy(&spawning->actions);
}

static int spawn(pid_t *child, char *const argv[], const int files[3], short flags) {
  struct spawning spawning;
  int error = spawning_prepare(&spawning, files, 3, flags);
  if (error) return error;
  error = spawning_start(&spawning, child, argv, environ);
  spawning_discard(&spawning);
  return error;
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
