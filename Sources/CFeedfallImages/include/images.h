#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Pictures, a row at a time, by libraries that are loaded when the first picture of their format is opened.
// Each picture is used by one thread at a time; different ones by as many as there are.

#define IMAGES_CLOSED_ENUM __attribute__((enum_extensibility(closed)))

typedef enum IMAGES_CLOSED_ENUM ImageFormat {
  ImageFormatJPEG,
  ImageFormatPNG,
  ImageFormatWebP,
  ImageFormatGIF,
} ImageFormat;

typedef enum IMAGES_CLOSED_ENUM ImageFault {
  ImageFaultNone,
  /// The format's library is not on this system.
  ImageFaultNoLibrary,
  ImageFaultDamaged,
  ImageFaultTooManyPixels,
  ImageFaultTooMuchWork,
  ImageFaultNoMemory,
} ImageFault;

typedef struct ImageLimits {
  /// Of the whole picture, before it is scaled.
  int64_t max_pixels;
  /// In bytes of samples, as a plain PNG row has them: one takes about 3.4 ns on a processor of 2020. Everything else
  /// that takes time counts as the number of such bytes that would take as long; each decoder lists its own rates.
  int64_t max_work;
} ImageLimits;

/// In pixels.
typedef struct ImageSize {
  int32_t width;
  int32_t height;
} ImageSize;

/// A picture that is being decoded.
typedef struct Image Image;

/// Reads a picture's head. The bytes must stay where they are until the picture is closed.
/// Null if it cannot be decoded; then `fault` says why.
Image *_Nullable image_open(ImageFormat format, const uint8_t *_Nonnull bytes, size_t count, ImageLimits limits,
                            ImageFault *_Nonnull fault);

/// How large the picture is: at least a pixel each way, and no more pixels than the limit.
ImageSize image_size(const Image *_Nonnull image);

/// Has the rows come smaller, where that makes less work, but in no direction smaller than `wanted` (or than the
/// picture is). Called once, before the first row; answers the size of the rows to come.
ImageSize image_begin(Image *_Nonnull image, ImageSize wanted, ImageFault *_Nonnull fault);

/// Writes the next row as red, green, blue and opacity of 8 bits each. False if there is no other: after the last
/// one, or where the rest is missing or damaged (no fault), or where a limit is reached.
bool image_read_row(Image *_Nonnull image, uint8_t *_Nonnull row, ImageFault *_Nonnull fault);

void image_close(Image *_Nonnull image);

/// Makes a JPEG of rows of red, green and blue, three bytes a pixel; `quality` is libjpeg's, 1 to 100.
/// The result is to be freed. Null if there is no memory or no library.
uint8_t *_Nullable image_encode_jpeg(const uint8_t *_Nonnull pixels, ImageSize size, int quality,
                                     size_t *_Nonnull count);
