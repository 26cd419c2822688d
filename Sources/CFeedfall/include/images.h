#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes pictures row by row with libraries that are loaded for the first picture of their format.
// A picture can be used by one thread at a time; different pictures by several.

#define IMAGES_CLOSED_ENUM __attribute__((enum_extensibility(closed)))

typedef enum IMAGES_CLOSED_ENUM ImageFormat {
  ImageFormatJPEG,
  ImageFormatPNG,
  ImageFormatWebP,
  ImageFormatGIF,
} ImageFormat;

typedef enum IMAGES_CLOSED_ENUM ImageFault {
  ImageFaultNone,
  /// The format's library is not installed.
  ImageFaultNoLibrary,
  ImageFaultDamaged,
  ImageFaultTooManyPixels,
  ImageFaultTooMuchWork,
  ImageFaultNoMemory,
} ImageFault;

typedef struct ImageLimits {
  /// The number of pixels of the whole picture, before it is scaled.
  int64_t max_pixels;
  /// The work in bytes of samples, as in the rows of a plain PNG; a byte takes about 3.4 ns on a processor of 2020.
  /// Other work counts as the number of bytes that would take as long. Each decoder lists its rates.
  int64_t max_work;
} ImageLimits;

/// In pixels.
typedef struct ImageSize {
  int32_t width;
  int32_t height;
} ImageSize;

typedef struct Image Image;

/// Reads a picture's head. The bytes must stay valid until the picture is closed.
/// Returns null if it cannot be decoded; then `fault` has the reason.
Image *_Nullable image_open(ImageFormat format, const uint8_t *_Nonnull bytes, size_t count, ImageLimits limits,
                            ImageFault *_Nonnull fault);

/// Returns the picture's size: at least one pixel each way, and no more pixels than the limit.
ImageSize image_size(const Image *_Nonnull image);

/// Scales the rows down during decoding if that is less work, but not below `wanted`. Must be called once, before the
/// first row. Returns the size of the rows.
ImageSize image_begin(Image *_Nonnull image, ImageSize wanted, ImageFault *_Nonnull fault);

/// Writes the next row as red, green, blue and opacity of 8 bits each. Returns false after the last row, if the rest is
/// missing or damaged (no fault), or if a limit is reached.
bool image_read_row(Image *_Nonnull image, uint8_t *_Nonnull row, ImageFault *_Nonnull fault);

void image_close(Image *_Nonnull image);

/// Encodes rows of red, green and blue, three bytes a pixel, as a JPEG. `quality` is libjpeg's, 1 to 100.
/// The caller frees the result. Returns null if there is no memory or no library.
uint8_t *_Nullable image_encode_jpeg(const uint8_t *_Nonnull pixels, ImageSize size, int quality,
                                     size_t *_Nonnull count);
