#define _GNU_SOURCE
#include "guard.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void fill(sigset_t *set) {
  static const int read_by_us[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
  sigemptyset(set);
  for (size_t i = 0; i < sizeof read_by_us / sizeof *read_by_us; i++) sigaddset(set, read_by_us[i]);
}

static void set_default(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

int guard_memory_file(void) { return memfd_create("feedfall", MFD_CLOEXEC); }

int guard_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int guard_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void guard_eventfd_post(int descriptor) {
  uint64_t one = 1;
  ssize_t ignored = write(descriptor, &one, sizeof one);
  (void)ignored;  // if the counter is full, the descriptor is already readable
}

void guard_eventfd_drain(int descriptor) {
  uint64_t count;
  ssize_t ignored = read(descriptor, &count, sizeof count);
  (void)ignored;
}

void guard_block_signals(void) {
  sigset_t set;
  fill(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, NULL);
}

int guard_signalfd(void) {
  sigset_t set;
  fill(&set);
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int guard_signalfd_next(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int guard_end_is_pending(void) {
  sigset_t set;
  if (sigpending(&set) != 0) return 0;
  return sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1 || sigismember(&set, SIGHUP) == 1
         || sigismember(&set, SIGQUIT) == 1;
}

void guard_die_by(int number) {
  set_default(number);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  raise(number);
  _exit(128 + number);  // reached if the default action of the signal does not end the program
}

// Discards a blocked pending signal.
static void discard(int number) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigemptyset(&ignore.sa_mask);
  sigaction(number, &ignore, &old);
  sigaction(number, &old, NULL);
}

int guard_is_foreground(int tty) {
  pid_t front = tcgetpgrp(tty);
  return front < 0 || front == getpgrp();
}

static int is_pending(int number) {
  sigset_t set;
  return sigpending(&set) == 0 && sigismember(&set, number) == 1;
}

int guard_await_foreground(int tty) {
  while (!guard_end_is_pending()) {
    if (guard_is_foreground(tty)) return 1;
    discard(SIGCONT);
    kill(0, SIGTTOU);                 // stops here
    if (!is_pending(SIGCONT)) return 1;  // the kernel does not stop an orphaned group
  }
  return 0;
}

void guard_stop_job(void) {
  // Not SIGSTOP, which would stop an orphaned group forever; the kernel discards SIGTSTP there.
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, SIGTSTP);
  struct sigaction action = {.sa_handler = SIG_DFL}, old;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTSTP, &action, &old);
  kill(0, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &one, &before);  // stops here
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGTSTP, &old, NULL);
  discard(SIGCONT);
}
