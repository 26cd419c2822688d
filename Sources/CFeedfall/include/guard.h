// The parts that require C: restoring the terminal after a crash, signals and wake-ups as descriptors, child processes.
// All Linux-specific calls are in this target, so that a port changes only this target.
#pragma once
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

// ---- The start of the program.

/// The arguments of main() with the program's name, which the system shows to all users; changing them changes that.
/// Null if the C library does not pass them on.
char **guard_arguments(int *count);
/// Opens /dev/null for each closed descriptor of 0, 1 and 2, so that no other file gets that number; writes to such an
/// output fail. Call it first in the program.
void guard_open_standard_files(void);
/// Returns 1 if the limits of the process leave memory for the threads that draw, and their stacks; else 0.
int guard_has_memory(void);

// ---- The crash guard. While it is armed, a crash writes the restore string and restores the terminal modes.

/// Installs handlers that restore the terminal and die by the same signal: for SEGV, BUS, ILL, TRAP, ABRT and FPE, and
/// for all other signals that end a process by default, except for those that guard_block_signals() blocks or ignores.
/// Idempotent. Returns 0, or -1 with errno.
int guard_install(void);
/// Arms the crash handler: it will write `removal` and `restore` (at most 64 KiB) to `tty` and set `modes`. `removal` is
/// left out if both together are longer. `tty` must stay open until guard_disarm(). Returns 0, or -1 if `restore` alone
/// is longer: then the handler stays as it was.
int guard_arm(
    int tty, const struct termios *modes, const char *removal, size_t removal_length, const char *restore,
    size_t length);
void guard_disarm(void);

/// Redirects standard error to memory while the screen is in use, if it is a terminal.
/// Returns 0 if standard error is redirected, or -1.
int guard_hold_stderr(void);
/// Ends guard_hold_stderr(): restores standard error and writes the last 64 KiB of the held text to it.
void guard_release_stderr(void);

// ---- Wake-ups: an eventfd. Any thread may post, which makes the descriptor readable for poll().

/// Returns a new wake-up descriptor (non-blocking, close-on-exec), or -1 with errno.
int guard_eventfd(void);
/// Makes the descriptor readable. Never blocks.
void guard_eventfd_post(int descriptor);
/// Makes the descriptor unreadable until the next post.
void guard_eventfd_drain(int descriptor);

// ---- Signals as a descriptor: INT TERM HUP QUIT WINCH TSTP CONT.

/// Blocks these signals in this thread and in all threads that it starts later, and ignores SIGPIPE.
/// Call it before any other thread exists.
void guard_block_signals(void);
/// Returns a descriptor that is readable while one of these signals is pending (non-blocking), or -1 with errno.
int guard_signalfd(void);
/// Returns the number of the next signal, or 0 if none is pending.
int guard_signalfd_next(int descriptor);
/// Returns whether a signal that ends the program (INT TERM HUP QUIT) is pending.
int guard_end_is_pending(void);
/// Ends the program by the default action of the signal, so that the parent sees the correct wait status.
_Noreturn void guard_die_by(int signal);
/// Stops the whole job by the default action of SIGTSTP. Returns when the job continues (at once in an orphaned group).
void guard_stop_job(void);
/// Returns 1 if this job is in the foreground of the terminal or if that is unknown, else 0. Async-signal-safe.
int guard_is_foreground(int tty);
/// Stops the job until it is in the foreground. Returns 1 when it is (at once in an orphaned group), or 0 if a signal
/// that ends the program arrives first.
int guard_await_foreground(int tty);

// ---- Files.

/// Moves a file out of an open folder, or out of AT_FDCWD, unless there is one with the new name. Returns 0, or -1 with
/// errno: EEXIST if there is one.
int guard_rename_new(int folder, const char *from, const char *to);

/// Whether other computers or programs may change the files of a folder without an event of inotify.
int guard_is_remote(const char *folder);

// ---- Child processes. They get default signal handlers, an empty signal mask and only the listed descriptors.

/// Stands for /dev/null in the list of a child's files.
enum { GUARD_NULL = -2 };
/// Starts argv[0] in its own session with /dev/null as its standard files. Does not wait; the child is reaped when it
/// ends. Returns 0, or an errno value.
int guard_spawn_detached(char *const argv[]);
/// The limits on the private memory of a decoder, in bytes, and on its processor time, in seconds.
enum { GUARD_DECODER_BYTES = 256 << 20, GUARD_DECODER_SECONDS = 2 };
/// The processes that end with a watched program.
enum guard_child {
  /// Everything: the group is killed when the program has ended, and so are all other descendants.
  GUARD_WORKER,
  /// The same for a program that decodes data of a stranger, with limits.
  GUARD_DECODER,
  /// A command of the user, which may start daemons such as gpg-agent: none. Its group is killed only if it is ended
  /// early.
  GUARD_COMMAND,
};
/// Starts argv[0] in its own process group, in a session without a terminal. `files[i]` becomes descriptor i of the
/// child: GUARD_NULL or a descriptor of this process. A descriptor must not equal an earlier index, because that entry
/// has already replaced it.
/// A second child, the watchdog, kills the whole group with SIGKILL when the returned descriptor is shut down or closed
/// everywhere. Therefore the group also ends if this process crashes or is killed. The watchdog waits at most three
/// seconds for killed processes.
/// Returns the descriptor (close-on-exec), which is readable when the program has ended, or -1 with errno.
/// `environment` is that of the program; null for that of this process.
int guard_spawn_watched(
    char *const argv[], char *const environment[], const int files[], int count, enum guard_child kind,
    pid_t *watchdog);
/// Waits until the watchdog has ended, and closes the descriptor. Returns the wait status of the program, or -1 with
/// errno if the program could not be started.
int guard_await_watched(int descriptor, pid_t watchdog);

// ---- Memory.

/// Makes all threads share one heap. Few threads allocate at the same time, and separate heaps need more memory.
void guard_share_heap(void);

/// Returns the descriptor of an unnamed file in memory (close-on-exec), or -1 with errno.
int guard_memory_file(void);
/// Creates a pipe whose ends no child inherits. Returns 0, or -1 with errno.
int guard_pipe(int ends[2]);
