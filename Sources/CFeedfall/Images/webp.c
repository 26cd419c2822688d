#include <string.h>
#include <webp/decode.h>

#include "image.h"
#include "library.h"

#define WEBP_FUNCTIONS(X)                                                                                              \
  X(WebPGetFeaturesInternal) X(WebPInitDecoderConfigInternal) X(WebPIDecode) X(WebPIUpdate) X(WebPIDelete)     \
  X(WebPIDecGetRGB)

LIBRARY(WEBP_FUNCTIONS, "libwebp.so.7")

/// The library decodes all available bytes in one call, and a lossless picture of any size fits into a few bytes. It
/// needs four bytes of memory a pixel.
enum { MAXIMUM_PIXELS = 16 << 20, PIECES = 32, LEAST_PIECE = 2048 };

/// Work for each compressed byte and each pixel.
enum { WORK_PER_BYTE = 13, WORK_PER_PIXEL = 2 };

/// A part of the file with its position in the picture.
struct frame {
  const uint8_t *bytes;
  size_t count;
  int32_t left;
  int32_t top;
};

struct webp {
  WebPDecoderConfig config;
  WebPIDecoder *decoder;
  struct frame frame;
  ImageSize frame_size;
  uint8_t *pixels;
  /// The number of rows that are decoded; a cut file has fewer than the frame.
  int row_count;
};

// ---- The container of an animation: its canvas and its first frame.

static uint32_t number(const uint8_t *bytes, int count) {
  uint32_t value = 0;
  for (int place = count; place-- > 0;) value = value << 8 | bytes[place];
  return value;
}

/// Finds the frame and its position in its chunk; returns false if there is none.
static bool find_first_frame(const Image *image, struct frame *frame) {
  enum { RIFF_HEAD = 12, CHUNK_HEAD = 8, FRAME_HEAD = 16 };
  size_t place = RIFF_HEAD;
  while (place + CHUNK_HEAD + FRAME_HEAD < image->count) {
    const uint8_t *chunk = image->bytes + place;
    size_t length = number(chunk + 4, 4);
    size_t left = image->count - place - CHUNK_HEAD;
    if (memcmp(chunk, "ANMF", 4) == 0) {
      if (length > left) length = left;
      if (length <= FRAME_HEAD) return false;
      frame->bytes = chunk + CHUNK_HEAD + FRAME_HEAD;
      frame->count = length - FRAME_HEAD;
      frame->left = (int32_t)number(chunk + CHUNK_HEAD, 3) * 2;
      frame->top = (int32_t)number(chunk + CHUNK_HEAD + 3, 3) * 2;
      return true;
    }
    if (length > left) return false;
    place += CHUNK_HEAD + length + (length & 1);
  }
  return false;
}

static bool read_size(struct frame frame, WebPBitstreamFeatures *features) {
  return lib.WebPGetFeaturesInternal(frame.bytes, frame.count, features, WEBP_DECODER_ABI_VERSION) == VP8_STATUS_OK;
}

static bool open(Image *image) {
  if (!library_is_there()) return image_fail(image, ImageFaultNoLibrary);
  struct webp *webp = image_allocate_state(image, sizeof *webp);
  if (!webp) return false;
  if (!lib.WebPInitDecoderConfigInternal(&webp->config, WEBP_DECODER_ABI_VERSION)) {
    return image_fail(image, ImageFaultNoLibrary);
  }
  webp->frame = (struct frame){.bytes = image->bytes, .count = image->count};
  WebPBitstreamFeatures features;
  if (!read_size(webp->frame, &features)) return false;
  if (!image_accept_size(image, features.width, features.height)) return false;
  if (features.has_animation && !(find_first_frame(image, &webp->frame) && read_size(webp->frame, &features))) {
    return false;
  }
  webp->frame_size = (ImageSize){.width = features.width, .height = features.height};
  int64_t pixels = (int64_t)features.width * features.height;
  if (pixels > image->limits.max_pixels) return image_fail(image, ImageFaultTooManyPixels);
  return image_spend(image, pixels * WORK_PER_PIXEL);
}

// ---- The pixels.

static int32_t smaller(int32_t one, int32_t other) { return one < other ? one : other; }

/// Lets the library scale a whole picture. A frame that covers only a part keeps its size and position.
static void choose_size(Image *image, ImageSize wanted) {
  struct webp *webp = image->state;
  bool is_whole = webp->frame_size.width == image->size.width && webp->frame_size.height == image->size.height;
  if (!is_whole || (wanted.width >= image->size.width && wanted.height >= image->size.height)) return;
  image->rows.width = smaller(wanted.width, image->size.width);
  image->rows.height = smaller(wanted.height, image->size.height);
  webp->frame_size = image->rows;
  webp->config.options.use_scaling = 1;
  webp->config.options.scaled_width = image->rows.width;
  webp->config.options.scaled_height = image->rows.height;
}

/// Decodes the file piece by piece, so that a picture that needs too much work is abandoned early.
static void decode(Image *image) {
  struct webp *webp = image->state;
  size_t piece = webp->frame.count / PIECES + LEAST_PIECE;
  for (size_t count = 0; count < webp->frame.count;) {
    if (webp->frame.count - count < piece) piece = webp->frame.count - count;
    if (!image_spend(image, (int64_t)piece * WORK_PER_BYTE)) return;
    count += piece;
    if (lib.WebPIUpdate(webp->decoder, webp->frame.bytes, count) != VP8_STATUS_SUSPENDED) return;
  }
}

static bool begin(Image *image, ImageSize wanted) {
  struct webp *webp = image->state;
  choose_size(image, wanted);
  size_t stride = (size_t)webp->frame_size.width * 4;
  size_t count = stride * (size_t)webp->frame_size.height;
  webp->pixels = calloc(count, 1);
  if (!webp->pixels) return image_fail(image, ImageFaultNoMemory);
  webp->config.output.colorspace = MODE_RGBA;
  webp->config.output.is_external_memory = 1;
  webp->config.output.u.RGBA = (WebPRGBABuffer){.rgba = webp->pixels, .stride = (int)stride, .size = count};
  webp->decoder = lib.WebPIDecode(nullptr, 0, &webp->config);
  if (!webp->decoder) return image_fail(image, ImageFaultNoMemory);
  decode(image);
  if (!lib.WebPIDecGetRGB(webp->decoder, &webp->row_count, nullptr, nullptr, nullptr)) webp->row_count = 0;
  return image->fault == ImageFaultNone;
}

static bool read_row(Image *image, uint8_t *row) {
  const struct webp *webp = image->state;
  memset(row, 0, (size_t)image->rows.width * 4);
  int32_t y = image->next_row - webp->frame.top;
  int32_t width = smaller(webp->frame_size.width, image->rows.width - webp->frame.left);
  if (y < 0 || y >= webp->frame_size.height || width <= 0) return true;
  if (y >= webp->row_count) return false;
  size_t first = (size_t)y * (size_t)webp->frame_size.width * 4;
  memcpy(row + (size_t)webp->frame.left * 4, webp->pixels + first, (size_t)width * 4);
  return true;
}

static void close(Image *image) {
  struct webp *webp = image->state;
  if (!webp) return;
  if (webp->decoder) lib.WebPIDelete(webp->decoder);
  free(webp->pixels);
}

const struct decoder webp_decoder = {MAXIMUM_PIXELS, open, begin, read_row, close};
