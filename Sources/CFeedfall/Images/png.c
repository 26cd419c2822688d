#include <string.h>

#include "image.h"
#include "library.h"
// After the others, because it needs their types.
#include <png.h>

#define PNG_FUNCTIONS(X)                                                                                               \
  X(png_create_read_struct) X(png_create_info_struct) X(png_destroy_read_struct) X(png_set_read_fn) X(png_get_io_ptr)  \
  X(png_get_error_ptr) X(png_set_crc_action) X(png_set_option) X(png_set_benign_errors) X(png_set_user_limits)         \
  X(png_set_keep_unknown_chunks) X(png_error) X(png_read_info) X(png_get_image_width) X(png_get_image_height)          \
  X(png_set_expand) X(png_set_scale_16) X(png_set_gray_to_rgb) X(png_set_add_alpha)          \
  X(png_set_interlace_handling) X(png_read_update_info) X(png_read_row) X(png_get_rowbytes)                          \
  X(png_set_compression_buffer_size) X(png_get_interlace_type) X(png_get_current_row_number)

LIBRARY(PNG_FUNCTIONS, "libpng16.so.16")

/// Work for each compressed byte, and for combining each pixel of an interlaced picture in all passes.
enum { WORK_PER_BYTE = 3, WORK_PER_INTERLACED_PIXEL = 2 };

/// An interlaced picture is held whole, in four bytes of memory a pixel.
enum { MAXIMUM_INTERLACED_PIXELS = 16 << 20 };

/// The number of compressed bytes that the library requests at once.
enum { LARGEST_PIECE = 8192 };

struct png {
  png_structp reader;
  png_infop info;
  jmp_buf escape;
  /// The work of one stored row.
  int64_t row_work;
  /// Whether the file may end early.
  bool is_cut;
  /// The whole interlaced picture, refined in seven passes; null for others.
  uint8_t *pixels;
  /// The number of rows of the interlaced picture that are decoded, at least at low resolution.
  int32_t row_count;
};

static void leave(png_structp reader, png_const_charp) {
  Image *image = lib.png_get_error_ptr(reader);
  longjmp(((struct png *)image->state)->escape, 1);
}

static void ignore(png_structp, png_const_charp) {}

static void read_bytes(png_structp reader, png_bytep target, size_t count) {
  Image *image = lib.png_get_io_ptr(reader);
  if (!image_spend(image, (int64_t)count * WORK_PER_BYTE)) lib.png_error(reader, "too much work");
  if (image_read_bytes(image, target, count) < count) lib.png_error(reader, "cut off");
  // The library drops a piece of compressed bytes that is not complete. The last ones are read one by one.
  bool is_near_end = image->count - image->position < LARGEST_PIECE;
  if (is_near_end && ((struct png *)image->state)->is_cut) lib.png_set_compression_buffer_size(reader, 1);
}

/// Accepts damaged pixels, and ignores chunks without pixels.
static void be_lenient(png_structp reader) {
  static const png_byte others[] =
      "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
  lib.png_set_keep_unknown_chunks(reader, PNG_HANDLE_CHUNK_NEVER, others, sizeof others / 5);
  lib.png_set_crc_action(reader, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  lib.png_set_option(reader, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
  lib.png_set_benign_errors(reader, 1);
  lib.png_set_user_limits(reader, 65535, 65535);
}

/// Whether the file does not end with its last chunk: it is cut, or further bytes follow.
static bool lacks_end(const Image *image) {
  static const uint8_t name[] = "IEND";
  enum { CHUNK_END = 8 };
  return image->count < CHUNK_END || memcmp(image->bytes + image->count - CHUNK_END, name, CHUNK_END / 2) != 0;
}

static bool open(Image *image) {
  if (!library_is_there()) return image_fail(image, ImageFaultNoLibrary);
  struct png *png = image_allocate_state(image, sizeof *png);
  if (!png) return false;
  if (setjmp(png->escape)) return false;
  png->reader = lib.png_create_read_struct(PNG_LIBPNG_VER_STRING, image, leave, ignore);
  if (!png->reader) return image_fail(image, ImageFaultNoLibrary);
  png->info = lib.png_create_info_struct(png->reader);
  if (!png->info) return image_fail(image, ImageFaultNoMemory);
  png->is_cut = lacks_end(image);
  lib.png_set_compression_buffer_size(png->reader, LARGEST_PIECE);
  be_lenient(png->reader);
  lib.png_set_read_fn(png->reader, image, read_bytes);
  lib.png_read_info(png->reader, png->info);
  int64_t width = lib.png_get_image_width(png->reader, png->info);
  if (!image_accept_size(image, width, lib.png_get_image_height(png->reader, png->info))) return false;
  bool is_held = lib.png_get_interlace_type(png->reader, png->info) != PNG_INTERLACE_NONE;
  if (is_held && width * image->size.height > MAXIMUM_INTERLACED_PIXELS) {
    return image_fail(image, ImageFaultTooManyPixels);
  }
  // A pixel of less than a byte becomes four bytes too.
  png->row_work = (int64_t)lib.png_get_rowbytes(png->reader, png->info);
  if (png->row_work < width) png->row_work = width;
  bool is_bounded = png->row_work * image->size.height <= image->limits.max_work;
  return is_bounded || image_fail(image, ImageFaultTooMuchWork);
}

// ---- Rows.

static uint8_t *whole_row(const Image *image, int32_t y) {
  const struct png *png = image->state;
  return png->pixels + (size_t)y * (size_t)image->size.width * 4;
}

/// Reads all passes. A truncated picture stays as far as it was read: the first pass covers all of it at low
/// resolution.
static void read_passes(Image *image, int passes) {
  struct png *png = image->state;
  if (setjmp(png->escape)) return;
  // The file has each pixel once, in one of the passes.
  int64_t work = (png->row_work + (int64_t)image->size.width * WORK_PER_INTERLACED_PIXEL) / passes;
  for (int pass = 0; pass < passes; pass++) {
    for (int32_t y = 0; y < image->size.height; y++) {
      if (!image_spend(image, work)) return;
      lib.png_read_row(png->reader, nullptr, whole_row(image, y));
      if (pass == 0) png->row_count = y + 1;
    }
  }
}

static bool begin(Image *image, ImageSize) {
  struct png *png = image->state;
  if (setjmp(png->escape)) return false;
  lib.png_set_expand(png->reader);
  lib.png_set_scale_16(png->reader);
  lib.png_set_gray_to_rgb(png->reader);
  lib.png_set_add_alpha(png->reader, 255, PNG_FILLER_AFTER);
  int passes = lib.png_set_interlace_handling(png->reader);
  lib.png_read_update_info(png->reader, png->info);
  if (passes == 1) return true;
  png->pixels = calloc((size_t)image->size.width * (size_t)image->size.height, 4);
  if (!png->pixels) return image_fail(image, ImageFaultNoMemory);
  read_passes(image, passes);
  return image->fault == ImageFaultNone;
}

static bool read_row(Image *image, uint8_t *row) {
  struct png *png = image->state;
  if (png->pixels) {
    if (image->next_row >= png->row_count) return false;
    memcpy(row, whole_row(image, image->next_row), (size_t)image->size.width * 4);
    return true;
  }
  if (!image_spend(image, png->row_work)) return false;
  // The last row is complete even if only the end of the compressed data is missing.
  if (setjmp(png->escape)) return lib.png_get_current_row_number(png->reader) > (png_uint_32)image->next_row;
  lib.png_read_row(png->reader, row, nullptr);
  return true;
}

static void close(Image *image) {
  struct png *png = image->state;
  if (!png) return;
  free(png->pixels);
  if (png->reader) lib.png_destroy_read_struct(&png->reader, &png->info, nullptr);
}

const struct decoder png_decoder = {INT64_MAX, open, begin, read_row, close};
