#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The data of the crash handler. It is static and complete before `armed` points to it. There are two: one stays valid
// for a crash in another thread while the other is being written.
struct restoration {
  struct termios modes;
  int tty;
  size_t length;
  // Room for the removal of all pictures and of as many earlier ones, wrapped for tmux.
  char bytes[64 * 1024];
};
static struct restoration restorations[2];
static struct restoration *_Atomic armed;

static _Atomic int held_file = -1;    // the memory file that receives standard error while it is held
static _Atomic int true_stderr = -1;  // the original standard error

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
enum { crash_signal_count = sizeof crash_signals / sizeof *crash_signals };
// The other signals that end a process by default, without those that the program reads or ignores. The real-time
// signals belong to them too.
static const int ending_signals[] = {SIGUSR1, SIGUSR2, SIGALRM,   SIGVTALRM, SIGPROF, SIGXCPU,
                                     SIGXFSZ, SIGSYS,  SIGSTKFLT, SIGIO,     SIGPWR};
enum { ending_signal_count = sizeof ending_signals / sizeof *ending_signals };
static struct sigaction previous[NSIG];
static int chains_to_backtracer;

int guard_arm(
    int tty, const struct termios *modes, const char *removal, size_t removal_length, const char *restore,
    size_t length) {
  static int last;
  if (length > sizeof restorations->bytes) return -1;
  if (removal_length > sizeof restorations->bytes - length) removal_length = 0;
  last = !last;
  struct restoration *restoration = &restorations[last];
  if (removal_length > 0) memcpy(restoration->bytes, removal, removal_length);
  if (length > 0) memcpy(restoration->bytes + removal_length, restore, length);
  restoration->length = removal_length + length;
  restoration->modes = *modes;
  restoration->tty = tty;
  atomic_store(&armed, restoration);
  return 0;
}

void guard_disarm(void) { atomic_store(&armed, NULL); }

// Restores the terminal and disarms the handler. Async-signal-safe.
static void restore_terminal(void) {
  struct restoration *restoration = atomic_exchange(&armed, NULL);
  if (!restoration) return;
  int error = errno;
  size_t done = 0;
  while (done < restoration->length) {
    ssize_t count = write(restoration->tty, restoration->bytes + done, restoration->length - done);
    struct pollfd room = {.fd = restoration->tty, .events = POLLOUT};
    if (count > 0) done += (size_t)count;
    else if (count < 0 && errno == EINTR) continue;
    else if (count == 0 || errno != EAGAIN || poll(&room, 1, 500) <= 0) break;
  }
  // TCSANOW, because TCSADRAIN would block on a terminal that accepts no output. In the background, tcsetattr() would
  // stop this process, and the modes belong to the foreground job.
  if (guard_is_foreground(restoration->tty)) tcsetattr(restoration->tty, TCSANOW, &restoration->modes);
  errno = error;
}

int guard_hold_stderr(void) {
  if (atomic_load(&held_file) >= 0) return 0;
  if (!isatty(2)) return -1;
  int file = guard_memory_file();
  if (file < 0) return -1;
  int before = fcntl(2, F_DUPFD_CLOEXEC, 3);
  if (before < 0 || dup2(file, 2) < 0) {
    if (before >= 0) close(before);
    close(file);
    return -1;
  }
  atomic_store(&true_stderr, before);
  atomic_store(&held_file, file);
  return 0;
}

// Async-signal-safe: lseek, pread, write and dup2 only. Returns the descriptor that held the text, or -1.
static int replay_stderr(void) {
  int file = atomic_exchange(&held_file, -1);
  if (file < 0) return -1;
  int before = atomic_load(&true_stderr);
  dup2(before, 2);
  enum { replayed = 64 * 1024 };
  off_t end = lseek(file, 0, SEEK_END);
  off_t position = end > replayed ? end - replayed : 0;
  char buffer[4096];
  ssize_t count;
  while ((count = pread(file, buffer, sizeof buffer, position)) > 0) {
    position += count;
    if (write(2, buffer, (size_t)count) < 0) break;
  }
  return file;
}

void guard_release_stderr(void) {
  int file = replay_stderr();
  if (file < 0) return;
  close(file);
  close(atomic_exchange(&true_stderr, -1));
}

static void on_crash(int number, siginfo_t *info, void *context) {
  // A second crashing thread must not end the program while the first one restores the terminal.
  static _Atomic pid_t crashing;
  pid_t self = gettid(), first = 0;
  if (!atomic_compare_exchange_strong(&crashing, &first, self) && first != self)
    for (;;) pause();
  restore_terminal();
  replay_stderr();
  struct sigaction *old = &previous[number];
  if (chains_to_backtracer && (old->sa_flags & SA_SIGINFO) && old->sa_sigaction) {
    sigaction(number, old, NULL);
    old->sa_sigaction(number, info, context);
  }
  // The previous handler may return and expect the fault to repeat. A signal sent by kill() does not repeat.
  guard_die_by(number);
}

// Handles a signal that would end the program. One that the parent has set to be ignored stays ignored, and a blocked
// one stays blocked.
static void handle_ending(int number, const struct sigaction *action) {
  struct sigaction *old = &previous[number];
  if (sigaction(number, NULL, old) == 0 && old->sa_handler == SIG_DFL) sigaction(number, action, old);
}

int guard_install(void) {
  static int installed;
  static char stack[64 * 1024];
  if (installed) return 0;
  chains_to_backtracer = getenv("SWIFT_BACKTRACE") != NULL;
  stack_t current;
  if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) {
    stack_t ours = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&ours, NULL);
  }
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigset_t crashes;
  sigemptyset(&crashes);
  for (size_t i = 0; i < crash_signal_count; i++) {
    if (sigaction(crash_signals[i], &action, &previous[crash_signals[i]]) != 0) return -1;
    sigaddset(&crashes, crash_signals[i]);
  }
  for (size_t i = 0; i < ending_signal_count; i++) handle_ending(ending_signals[i], &action);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) handle_ending(number, &action);
  // The parent may have blocked the signals of a crash. A crash would then end the program without running the handler.
  pthread_sigmask(SIG_UNBLOCK, &crashes, NULL);
  installed = 1;
  return 0;
}
