#include <stdio.h>

#include "image.h"
#include "library.h"
// After the others, because it needs their types.
#include <jerror.h>
#include <jpeglib.h>

#define JPEG_FUNCTIONS(X)                                                                                              \
  X(jpeg_std_error) X(jpeg_resync_to_restart)                                                                          \
  X(jpeg_CreateDecompress) X(jpeg_read_header) X(jpeg_has_multiple_scans) X(jpeg_start_decompress)                      \
  X(jpeg_consume_input) X(jpeg_start_output) X(jpeg_read_scanlines) X(jpeg_destroy_decompress)                         \
  X(jpeg_CreateCompress) X(jpeg_mem_dest) X(jpeg_set_defaults) X(jpeg_set_quality) X(jpeg_start_compress)              \
  X(jpeg_write_scanlines) X(jpeg_finish_compress) X(jpeg_destroy_compress)

// libjpeg-turbo has two layouts of its structures, each with its own file name.
#if JPEG_LIB_VERSION >= 80
LIBRARY(JPEG_FUNCTIONS, "libjpeg.so.8")
#else
LIBRARY(JPEG_FUNCTIONS, "libjpeg.so.62")
#endif

/// Work for each compressed byte, by its coding.
enum { WORK_PER_HUFFMAN_BYTE = 2, WORK_PER_PROGRESSIVE_BYTE = 10, WORK_PER_ARITHMETIC_BYTE = 40 };

/// Most pictures are scaled down while they are read, which needs memory for some rows only. One with several scans is
/// held whole, in coefficients of two bytes: 11 million pixels with full colors, 22 million with colors at half the size.
enum { MAXIMUM_PIXELS = 100 << 20, MAXIMUM_COEFFICIENT_BYTES = 64 << 20 };

struct errors {
  struct jpeg_error_mgr manager;
  jmp_buf escape;
};

struct jpeg {
  struct jpeg_decompress_struct decompress;
  struct errors errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  /// Whether rows are decoded while the file is read, so that none is decoded after its end.
  bool is_sequential;
  /// Whether the bytes have ended, and an end marker was inserted.
  bool is_at_end;
  /// Whether the picture is incomplete after the scans so far.
  bool is_cut;
};

// ---- Errors: libjpeg's own handler would end the program.

static void leave(j_common_ptr info) { longjmp(((struct errors *)info->err)->escape, 1); }

static void ignore(j_common_ptr, int) {}

static void note(j_common_ptr info, int level) {
  Image *image = info->client_data;
  struct jpeg *jpeg = image->state;
  if (level < 0 && jpeg->is_at_end && info->err->msg_code == JWRN_HIT_MARKER) jpeg->is_cut = true;
}

static struct jpeg_error_mgr *silent(struct errors *errors) {
  lib.jpeg_std_error(&errors->manager);
  errors->manager.error_exit = leave;
  errors->manager.emit_message = ignore;
  return &errors->manager;
}

static int work_per_byte(const struct jpeg_decompress_struct *info) {
  if (info->arith_code) return WORK_PER_ARITHMETIC_BYTE;
  return info->progressive_mode ? WORK_PER_PROGRESSIVE_BYTE : WORK_PER_HUFFMAN_BYTE;
}

static size_t position_of(const Image *image) {
  const struct jpeg *jpeg = image->state;
  return jpeg->is_at_end ? image->count : image->count - jpeg->source.bytes_in_buffer;
}

/// Adds the work of the bytes read since the last call.
static bool spend_bytes(Image *image) {
  struct jpeg *jpeg = image->state;
  size_t position = position_of(image);
  int64_t count = (int64_t)(position - image->position);
  image->position = position;
  return image_spend(image, count * work_per_byte(&jpeg->decompress));
}

static void watch(j_common_ptr info) {
  if (!spend_bytes(info->client_data)) leave(info);
}

// ---- Reading bytes, and the substitute for missing ones.

static void nothing(j_decompress_ptr) {}

static boolean make_up_end(j_decompress_ptr info) {
  static const JOCTET end[] = {0xFF, JPEG_EOI};
  Image *image = info->client_data;
  ((struct jpeg *)image->state)->is_at_end = true;
  info->src->next_input_byte = end;
  info->src->bytes_in_buffer = sizeof end;
  return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
  if (count <= 0) return;
  size_t left = info->src->bytes_in_buffer;
  if ((size_t)count > left) {
    make_up_end(info);
  } else {
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= (size_t)count;
  }
}

static int64_t coefficient_bytes(const struct jpeg_decompress_struct *info) {
  int64_t blocks = 0;
  for (int i = 0; i < info->num_components; i++) {
    blocks += (int64_t)info->comp_info[i].width_in_blocks * info->comp_info[i].height_in_blocks;
  }
  return blocks * (int64_t)sizeof(JBLOCK);
}

static bool read_head(Image *image) {
  struct jpeg *jpeg = image->state;
  j_decompress_ptr info = &jpeg->decompress;
  if (setjmp(jpeg->errors.escape)) return false;
  lib.jpeg_CreateDecompress(info, JPEG_LIB_VERSION, sizeof *info);
  info->client_data = image;
  jpeg->errors.manager.emit_message = note;
  jpeg->progress.progress_monitor = watch;
  info->progress = &jpeg->progress;
  jpeg->source = (struct jpeg_source_mgr){
      .next_input_byte = image->bytes,
      .bytes_in_buffer = image->count,
      .init_source = nothing,
      .fill_input_buffer = make_up_end,
      .skip_input_data = skip,
      .resync_to_restart = lib.jpeg_resync_to_restart,
      .term_source = nothing,
  };
  info->src = &jpeg->source;
  lib.jpeg_read_header(info, TRUE);
  // Metadata is skipped, which costs nothing.
  image->position = position_of(image);
  if (!image_accept_size(image, info->image_width, info->image_height)) return false;
  bool is_held = lib.jpeg_has_multiple_scans(info);
  return !is_held || coefficient_bytes(info) <= MAXIMUM_COEFFICIENT_BYTES ||
         image_fail(image, ImageFaultTooManyPixels);
}

static bool open(Image *image) {
  if (!library_is_there()) return image_fail(image, ImageFaultNoLibrary);
  struct jpeg *jpeg = image_allocate_state(image, sizeof *jpeg);
  if (!jpeg) return false;
  jpeg->decompress.err = silent(&jpeg->errors);
  return read_head(image);
}

// ---- Scaling and scans.

/// Returns the denominator of a scale that is faster than decoding the whole picture.
static int denominator(ImageSize size, ImageSize wanted) {
  for (int denominator = 8; denominator > 1; denominator /= 2) {
    bool is_wide_enough = (size.width + denominator - 1) / denominator >= wanted.width;
    if (is_wide_enough && (size.height + denominator - 1) / denominator >= wanted.height) return denominator;
  }
  return 1;
}

/// Reads scans up to the last one, or until half of the work is spent. A file can have any number of scans, and after
/// some of them the picture is complete, though less sharp.
static bool read_scans(Image *image, j_decompress_ptr info) {
  // A pass over eight pixels costs as much as one byte of samples.
  int64_t work_per_row = (int64_t)image->size.width * info->max_v_samp_factor;
  while (image->work < image->limits.max_work / 2) {
    int result = lib.jpeg_consume_input(info);
    if (result == JPEG_REACHED_EOI || result == JPEG_SUSPENDED) break;
    if (!spend_bytes(image)) return false;
    if (result == JPEG_ROW_COMPLETED && !image_spend(image, work_per_row)) return false;
  }
  return true;
}

static bool begin(Image *image, ImageSize wanted) {
  struct jpeg *jpeg = image->state;
  j_decompress_ptr info = &jpeg->decompress;
  if (setjmp(jpeg->errors.escape)) return false;
  info->scale_num = 1;
  info->scale_denom = (unsigned)denominator(image->size, wanted);
  bool has_four_inks = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
  info->out_color_space = has_four_inks ? JCS_CMYK : JCS_EXT_RGBA;
  // A picture that is scaled down needs no smooth edges between colors.
  info->do_fancy_upsampling = FALSE;
  jpeg->is_sequential = !lib.jpeg_has_multiple_scans(info);
  info->buffered_image = !jpeg->is_sequential;
  lib.jpeg_start_decompress(info);
  image->rows = (ImageSize){.width = (int32_t)info->output_width, .height = (int32_t)info->output_height};
  if (!jpeg->is_sequential) {
    if (!read_scans(image, info)) return false;
    lib.jpeg_start_output(info, info->input_scan_number);
  }
  return true;
}

/// Converts CMYK. Adobe's programs store the inks inverted, and mark that; others store them as they are.
static void mix_inks(uint8_t *row, int32_t width, bool is_light) {
  uint8_t flip = is_light ? 0 : 255;
  for (uint8_t *pixel = row; pixel < row + (size_t)width * 4; pixel += 4) {
    int black = pixel[3] ^ flip;
    for (int channel = 0; channel < 3; channel++) pixel[channel] = (uint8_t)((pixel[channel] ^ flip) * black / 255);
    pixel[3] = 255;
  }
}

static bool read_row(Image *image, uint8_t *row) {
  struct jpeg *jpeg = image->state;
  j_decompress_ptr info = &jpeg->decompress;
  // A byte of samples is as much work as two pixels, or as 2, 4 or 8 by the denominator if the picture is scaled down.
  if (!image_spend(image, (int64_t)image->size.width / (info->scale_denom == 1 ? 2 : 1))) return false;
  if (setjmp(jpeg->errors.escape)) return false;
  if (lib.jpeg_read_scanlines(info, &row, 1) != 1) return false;
  if (jpeg->is_cut && jpeg->is_sequential) return false;
  if (info->out_color_space == JCS_CMYK) mix_inks(row, image->rows.width, info->saw_Adobe_marker);
  return true;
}

static void close(Image *image) {
  struct jpeg *jpeg = image->state;
  if (jpeg) lib.jpeg_destroy_decompress(&jpeg->decompress);
}

const struct decoder jpeg_decoder = {MAXIMUM_PIXELS, open, begin, read_row, close};

// ---- Writing.

uint8_t *image_encode_jpeg(const uint8_t *pixels, ImageSize size, int quality, size_t *count) {
  // More than a picture of ordinary quality needs. libjpeg allocates more for others.
  unsigned long capacity = (unsigned long)size.width * (unsigned long)size.height * 2 + 4096;
  unsigned char *const buffer = library_is_there() ? malloc(capacity) : nullptr;
  if (!buffer) return nullptr;
  unsigned char *result = buffer;
  unsigned long length = capacity;
  struct errors errors;
  struct jpeg_compress_struct info = {.err = silent(&errors)};
  if (setjmp(errors.escape)) {
    lib.jpeg_destroy_compress(&info);
    free(buffer);
    return nullptr;
  }
  lib.jpeg_CreateCompress(&info, JPEG_LIB_VERSION, sizeof info);
  lib.jpeg_mem_dest(&info, &result, &length);
  info.image_width = (JDIMENSION)size.width;
  info.image_height = (JDIMENSION)size.height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  lib.jpeg_set_defaults(&info);
  lib.jpeg_set_quality(&info, quality, TRUE);
  lib.jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = (JSAMPROW)pixels + (size_t)info.next_scanline * (size_t)size.width * 3;
    lib.jpeg_write_scanlines(&info, &row, 1);
  }
  lib.jpeg_finish_compress(&info);
  lib.jpeg_destroy_compress(&info);
  if (result != buffer) free(buffer);
  *count = length;
  return result;
}
