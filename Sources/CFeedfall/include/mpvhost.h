// Runs mpv as a library in a process of its own and passes its frames on in shared memory. libmpv is loaded at run time,
// so that nothing depends on it when the program is built.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The descriptors of the host process.
enum {
  /// mpv's JSON IPC.
  MPV_HOST_IPC = 3,
  /// The ring: the slots one after another, in a file of fixed size.
  MPV_HOST_RING = 4,
  /// A socket of packets: each frame is a `struct mpv_frame`, and the number of a slot in one byte releases it.
  MPV_HOST_FRAMES = 5,
};

enum { MPV_RING_SLOTS = 3 };

/// Announces a frame in a slot, as rows of red, green and blue. All zero: mpv has started.
struct mpv_frame {
  uint32_t slot;
  /// In pixels.
  uint32_t width, height;
  /// The number of bytes from one row to the next.
  uint32_t stride;
  /// The number of the playlist entry that it belongs to.
  int64_t entry;
};

/// The command with which a client sets the size of frames: `script-message-to main frame-size WIDTH HEIGHT`. Without a
/// size there are no frames.
#define MPV_FRAME_SIZE_MESSAGE "frame-size"

/// Returns a file in memory of this size that nothing can shrink, so that a mapping of it is always readable
/// (close-on-exec), or -1 with errno.
int mpv_ring_create(size_t byte_count);

/// The exit statuses of the host process.
enum {
  MPV_HOST_ENDED = 0,
  /// mpv cannot be started, for example because it does not know an option.
  MPV_HOST_FAILED = 1,
  /// libmpv is not installed, or has another interface.
  MPV_HOST_NO_LIBRARY = 3,
};

/// Whether libmpv is installed with this interface. Loads it, which takes a tenth of a second.
bool mpv_host_is_available(void);

/// Runs mpv with these options, each as `name=value`, until mpv quits, its client closes the connection or the parent
/// process ends. By then the client has received all messages.
_Noreturn void mpv_host_run(const char *const options[], int count);
