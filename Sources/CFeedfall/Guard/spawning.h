// The attributes of a child process, prepared in advance so that starting it allocates no memory.
#pragma once
#include <spawn.h>

struct spawning {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// Prepares a child process with these files (at least three descriptors or GUARD_NULL) from 0 on, no other
/// descriptors, default signal handlers and an empty signal mask. `flags` are those of posix_spawnattr_setflags().
/// Returns 0, or an errno value; then there is nothing to discard.
int spawning_prepare(struct spawning *spawning, const int files[], int count, short flags);
/// Starts argv[0], which is searched in PATH, with this environment. Returns 0, or an errno value.
int spawning_start(const struct spawning *spawning, pid_t *child, char *const argv[], char *const environment[]);
/// Frees the attributes.
void spawning_discard(struct spawning *spawning);
