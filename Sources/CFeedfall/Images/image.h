#pragma once
#include <setjmp.h>
#include <stdlib.h>

#include "images.h"

// The interface of the decoders of all formats.

/// The functions of a format. Each can use `image->fault` and `image->limits`.
struct decoder {
  /// The format's own limit, by the memory or the work that a picture needs whatever its bytes are.
  int64_t max_pixels;
  /// Reads the head and sets `image->size`; returns false on a fault.
  bool (*open)(Image *image);
  /// Sets `image->rows`, the size of the rows; returns false on a fault.
  bool (*begin)(Image *image, ImageSize wanted);
  /// Reads the next row; returns false if there is none, for any reason.
  bool (*read_row)(Image *image, uint8_t *row);
  /// Must work after any failure.
  void (*close)(Image *image);
};

struct Image {
  const struct decoder *decoder;
  const uint8_t *bytes;
  size_t count;
  /// The number of bytes that the library has read.
  size_t position;
  ImageLimits limits;
  /// The work done so far; see `ImageLimits`.
  int64_t work;
  ImageSize size;
  ImageSize rows;
  int32_t next_row;
  ImageFault fault;
  void *state;
};

extern const struct decoder jpeg_decoder;
extern const struct decoder png_decoder;
extern const struct decoder webp_decoder;
extern const struct decoder gif_decoder;

/// Sets the fault and returns false.
bool image_fail(Image *image, ImageFault fault);

/// Stores a size that is within the limits; otherwise sets the fault and returns false.
bool image_accept_size(Image *image, int64_t width, int64_t height);

/// Adds to the work done; sets the fault and returns false if that exceeds the limit.
bool image_spend(Image *image, int64_t work);

/// Copies up to `count` of the remaining bytes; returns their number.
size_t image_read_bytes(Image *image, void *target, size_t count);

/// Allocates `count` zero bytes for the format's own `state`; sets the fault if there is no memory.
void *image_allocate_state(Image *image, size_t count);
