// How a child program is to begin, prepared in advance: starting it then allocates nothing.
#pragma once
#include <spawn.h>

struct spawning {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// Prepares a program with these files (descriptors, or GUARD_NULL) from 0 on, at least three, default signal
/// handlers, an empty mask and no other descriptors. `flags` are of posix_spawnattr_setflags. Returns 0, or an errno value and nothing to discard.
int spawning_prepare(struct spawning *spawning, const int files[], int count, short flags);
/// Starts argv[0], found by PATH. Returns 0, or an errno value.
int spawning_start(const struct spawning *spawning, pid_t *child, char *const argv[]);
/// Ends what spawning_prepare() began.
void spawning_discard(struct spawning *spawning);
