// What must be C: giving the terminal back after a crash, signals and wake-ups as descriptors, child programs.
// Only this target knows Linux's own calls, so that another system is one place.
#pragma once
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

// ---- The crash guard. While it is armed, a crash writes the restore string and puts the terminal's modes back.

/// Installs handlers for SEGV, BUS, ILL, TRAP, ABRT and FPE that give the terminal back and die by the same signal.
/// Safe to call again. Returns 0, or -1 with errno.
int guard_install(void);
/// Prepares the work of the crash handler: write `restore` (at most 16 KiB) to `tty` and set `modes`.
/// `tty` must stay open until guard_disarm(). Returns 0, or -1 when the string is too long.
int guard_arm(int tty, const struct termios *modes, const char *restore, size_t length);
/// Ends what guard_arm() began.
void guard_disarm(void);
/// Gives the terminal back now, once; async-signal-safe.
void guard_restore(void);

/// Holds standard error in memory while the screen is in use, if it would go to a terminal.
/// Returns 0 when it does so now, -1 when it does not.
int guard_hold_stderr(void);
/// Ends guard_hold_stderr(): standard error is as before, and the last 64 KiB that were held are written to it.
void guard_release_stderr(void);

// ---- Wake-ups: a counter as a descriptor. Any thread may post; poll() sees it readable.

/// A new wake-up descriptor (non-blocking, closed in children), or -1 with errno.
int guard_eventfd(void);
/// Makes the descriptor readable; never blocks.
void guard_eventfd_post(int descriptor);
/// Makes the descriptor unreadable again until the next post.
void guard_eventfd_drain(int descriptor);

// ---- Signals as a descriptor: INT TERM HUP QUIT WINCH TSTP CONT.

/// Blocks these signals in this thread and in all that it starts from now on, and ignores SIGPIPE.
/// Call it first in the program, before another thread exists.
void guard_block_signals(void);
/// A descriptor that poll() sees readable when one of these signals is there (non-blocking), or -1 with errno.
int guard_signalfd(void);
/// The number of the next signal, or 0 when there is none.
int guard_signalfd_next(int descriptor);
/// Whether a signal that ends the program (INT TERM HUP QUIT) is waiting to be read.
int guard_end_is_pending(void);
/// Ends the program by the signal's default action, so that the parent sees the true reason.
_Noreturn void guard_die_by(int signal);
/// Discards a blocked, pending signal.
void guard_discard(int signal);
/// Stops the whole job by SIGTSTP's default action; returns when it goes on (at once in an orphaned group).
void guard_stop_job(void);
/// Whether our job is in the terminal's foreground, or that cannot be determined; async-signal-safe.
int guard_is_foreground(int tty);
/// Stops the job until it is in the foreground. Returns 1 then (in an orphaned group at once), and 0 when a signal
/// that ends the program comes first.
int guard_await_foreground(int tty);

// ---- Descriptors.

/// Opens /dev/null in the place of each of the descriptors 0, 1 and 2 that is closed, so that no other file gets its
/// number. Call it first in the program.
void guard_open_standard_files(void);

/// Lets a pipe hold up to this many bytes, where the system grants it.
void guard_widen_pipe(int descriptor, int byte_count);

// ---- Child programs. They get default signal handlers, an empty mask, and no descriptors but those named.

/// Stands for /dev/null among a child's files.
enum { GUARD_NULL = -2 };
/// Starts argv[0] in a session of its own with /dev/null as its files, and does not wait; nothing is left behind
/// when it ends. Returns 0, or an errno value.
int guard_spawn_detached(char *const argv[]);
/// Starts argv[0] in a process group of its own in a session without a terminal, with three or four files as its
/// descriptors from 0 on, and no others; each is one of ours from 3 on, or GUARD_NULL.
/// A second child, its keeper, ends that whole group by SIGKILL as soon as the program has ended, or the returned
/// descriptor is shut down or closed everywhere: so by whatever way our process ends.
/// Returns the descriptor (closed in children), which is readable when the program has ended; or -1 with errno.
int guard_spawn_kept(char *const argv[], const int files[], int count, pid_t *keeper);
/// Waits until the keeper has ended, takes over the descriptor and answers the program's wait status; -1 with errno
/// when the program could not be started.
int guard_await_kept(int descriptor, pid_t keeper);

// ---- Memory.

/// Makes all threads use one heap: few of ours allocate at a time, and each heap of its own costs memory.
void guard_share_heap(void);

/// An unnamed file in memory (closed in children), or -1 with errno.
int guard_memory_file(void);
