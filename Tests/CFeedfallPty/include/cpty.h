// Programs in a pseudo terminal, for tests.
#pragma once
#include <sys/types.h>

/// Starts argv[0] (a path) with its own terminal of the given size. `envp` may be NULL for our own environment.
/// Returns the master's descriptor (closed in later children) and the child's id, or -1 with errno.
int pty_spawn(char *const argv[], char *const envp[], int rows, int cols, pid_t *pid);
/// Opens a terminal of the given size without a program. Returns the master's descriptor and the other end, which does
/// not block; both are closed in children; or -1 with errno.
int pty_open(int rows, int cols, int *slave);
/// Sets the terminal's size as a terminal emulator does; the child receives SIGWINCH. Returns 0, or -1 with errno.
int pty_resize(int master, int rows, int cols);
/// Reads at most `capacity` bytes, waiting at most `milliseconds`.
/// Returns their number, 0 after the time limit, -1 once no program uses the terminal. -1 for `milliseconds` waits
/// without a limit.
ssize_t pty_read(int master, void *buffer, size_t capacity, int milliseconds);
/// Returns the number of typed bytes that the program has not read, or -1 with errno.
int pty_unread_count(int master);
/// Whether the terminal echoes and collects lines, as it does for a shell: 1 or 0.
int pty_is_cooked(int master);
/// Starts a child that acquires its terminal and installs the guard like the program, writes `said` to standard error
/// and raises `signal`. The guard's strings are `removal_length` (at most 256 KiB) times `r`, and `restore`. Returns as
/// pty_spawn() does.
int pty_crash(int signal, size_t removal_length, const char *restore, const char *said, pid_t *pid);
/// Starts a child that stores the same crash note repeatedly, until another of its threads aborts it.
/// Returns as pty_spawn() does.
int pty_crash_while_arming(const char *restore, pid_t *pid);
/// Traces a process of this user, so that its parent cannot reap it until pty_untrace() is called on the same thread.
/// Returns 0, or -1 with errno.
int pty_trace(pid_t process);
/// Waits for the end of a traced process.
void pty_untrace(pid_t process);
