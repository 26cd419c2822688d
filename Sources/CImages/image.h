#pragma once
#include <setjmp.h>
#include <stdlib.h>
#include <time.h>

#include "include/images.h"

// What the decoders of all formats share.

/// A format's own part: each function may use `image->fault` and `image->limits`.
struct decoder {
  /// Reads the head and sets `image->size`; false where there is a fault.
  bool (*open)(Image *image);
  /// Sets `image->rows`, the size in which the rows come; false where there is a fault.
  bool (*begin)(Image *image, ImageSize wanted);
  /// False where there is no other row, for whatever reason.
  bool (*read_row)(Image *image, uint8_t *row);
  /// Must be right after whatever failed.
  void (*close)(Image *image);
};

struct Image {
  const struct decoder *decoder;
  const uint8_t *bytes;
  size_t count;
  /// How many of the bytes the library has taken.
  size_t position;
  ImageLimits limits;
  int64_t start;
  ImageSize size;
  ImageSize rows;
  int32_t next_row;
  int32_t unchecked_pixels;
  ImageFault fault;
  /// The format's own.
  void *state;
};

extern const struct decoder jpeg_decoder;
extern const struct decoder png_decoder;
extern const struct decoder webp_decoder;
extern const struct decoder gif_decoder;

/// Sets the fault and answers false.
bool image_fail(Image *image, ImageFault fault);

/// Keeps a size that is within the limits; otherwise sets the fault and answers false.
bool image_take_size(Image *image, int64_t width, int64_t height);

/// Sets the fault and answers false where the time is up.
bool image_has_time(Image *image);

/// As `image_has_time`, but looks at the clock only once in some ten thousand pixels.
bool image_has_time_for_row(Image *image, int32_t width);

/// How much of the processor this picture has taken, in nanoseconds.
int64_t image_time_used(const Image *image);

/// Takes up to `count` of the bytes that are left, and answers how many there were.
size_t image_take_bytes(Image *image, void *target, size_t count);

/// `count` bytes of zeros for the format's own part, kept in `state`; sets the fault where there is no memory.
void *image_make_state(Image *image, size_t count);
