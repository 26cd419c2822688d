#include <gif_lib.h>
#include <string.h>

#include "image.h"
#include "library.h"

#define GIF_FUNCTIONS(X)                                                                                               \
  X(DGifOpen) X(DGifCloseFile) X(DGifGetRecordType) X(DGifGetImageDesc) X(DGifGetLine) X(DGifGetExtension)             \
  X(DGifGetExtensionNext) X(DGifExtensionToGCB)

LIBRARY(GIF_FUNCTIONS, "libgif.so.7")

/// Work for each pixel, each compressed byte, and each code that clears the decoder's table of 4,096 entries.
enum { WORK_PER_PIXEL = 2, WORK_PER_BYTE = 1, WORK_PER_CLEAR_CODE = 90 };

/// A frame needs a byte of memory a pixel.
enum { MAXIMUM_PIXELS = 16 << 20 };

/// Follows the codes of a frame (GIF89a, appendix F) to count those that clear the table. A file can consist of nothing
/// else, and each such code takes as long as 45 pixels.
struct code_counter {
  int clear_code;
  int next_code;
  int width;
  uint32_t bits;
  int bit_count;
};

struct gif {
  GifFileType *file;
  /// Disabled while `width` is 0.
  struct code_counter codes;
  /// The number of remaining bytes in the current block of the frame.
  int block_rest;
  /// The pixels of the first frame as color numbers; missing rows stay transparent.
  uint8_t *pixels;
  bool *is_row_there;
  /// The number of the transparent color, or -1.
  int transparent;
};

static void clear_table(struct code_counter *codes) {
  codes->next_code = codes->clear_code + 2;
  codes->width = 1;
  while (1 << codes->width <= codes->clear_code) codes->width++;
}

static int count_clear_codes(struct code_counter *codes, const uint8_t *bytes, int count) {
  enum { MAXIMUM_WIDTH = 12, MAXIMUM_CODE = 4096 };
  int found = 0;
  for (int i = 0; i < count; i++) {
    codes->bits |= (uint32_t)bytes[i] << codes->bit_count;
    codes->bit_count += 8;
    while (codes->bit_count >= codes->width) {
      int code = (int)(codes->bits & ((1u << codes->width) - 1));
      codes->bits >>= codes->width;
      codes->bit_count -= codes->width;
      if (code == codes->clear_code) {
        found++;
        clear_table(codes);
      } else if (codes->next_code <= MAXIMUM_CODE && ++codes->next_code > 1 << codes->width &&
                 codes->width < MAXIMUM_WIDTH) {
        codes->width++;
      }
    }
  }
  return found;
}

/// The work of bytes of the frame: blocks that start with their length.
static int64_t work_of_blocks(struct gif *gif, const uint8_t *bytes, int count) {
  int64_t work = 0;
  while (count > 0) {
    if (gif->block_rest == 0) {
      gif->block_rest = *bytes++;
      count--;
    }
    int length = count < gif->block_rest ? count : gif->block_rest;
    work += WORK_PER_CLEAR_CODE * count_clear_codes(&gif->codes, bytes, length);
    gif->block_rest -= length;
    bytes += length;
    count -= length;
  }
  return work;
}

static int read_bytes(GifFileType *file, GifByteType *target, int wanted) {
  Image *image = file->UserData;
  struct gif *gif = image->state;
  int count = (int)image_read_bytes(image, target, (size_t)wanted);
  int64_t work = count * WORK_PER_BYTE;
  if (gif->codes.width > 0) work += work_of_blocks(gif, target, count);
  return image_spend(image, work) ? count : 0;
}

// ---- The head: everything before the first frame.

/// Reads an extension, and the transparent color if it names one.
static bool read_extension(struct gif *gif) {
  int code;
  GifByteType *block;
  if (lib.DGifGetExtension(gif->file, &code, &block) == GIF_ERROR) return false;
  while (block) {
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && lib.DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
      gif->transparent = control.TransparentColor;
    }
    if (lib.DGifGetExtensionNext(gif->file, &block) == GIF_ERROR) return false;
  }
  return true;
}

static bool find_frame(struct gif *gif) {
  GifRecordType record;
  while (lib.DGifGetRecordType(gif->file, &record) == GIF_OK) {
    if (record == IMAGE_DESC_RECORD_TYPE) return lib.DGifGetImageDesc(gif->file) == GIF_OK;
    if (record != EXTENSION_RECORD_TYPE || !read_extension(gif)) return false;
  }
  return false;
}

static bool open(Image *image) {
  if (!library_is_there()) return image_fail(image, ImageFaultNoLibrary);
  struct gif *gif = image_allocate_state(image, sizeof *gif);
  if (!gif) return false;
  gif->transparent = -1;
  int error;
  gif->file = lib.DGifOpen(image, read_bytes, &error);
  if (!gif->file || !find_frame(gif)) return false;
  const GifImageDesc *frame = &gif->file->Image;
  // The last byte is the number of bits of a pixel.
  gif->codes.clear_code = 1 << (image->bytes[image->position - 1] & 15);
  clear_table(&gif->codes);
  // The frame must be within the limits too, but the picture has the size of the screen.
  if (!image_accept_size(image, frame->Width, frame->Height)) return false;
  return image_accept_size(image, gif->file->SWidth, gif->file->SHeight);
}

// ---- The frame.

/// Reads every `step`th row from `first` on; returns false at the end of the frame.
static bool read_rows(Image *image, int first, int step) {
  struct gif *gif = image->state;
  const GifImageDesc *frame = &gif->file->Image;
  for (int y = first; y < frame->Height; y += step) {
    if (!image_spend(image, (int64_t)frame->Width * WORK_PER_PIXEL)) return false;
    uint8_t *row = gif->pixels + (size_t)y * (size_t)frame->Width;
    if (lib.DGifGetLine(gif->file, row, frame->Width) == GIF_ERROR) return false;
    gif->is_row_there[y] = true;
  }
  return true;
}

static void read_frame(Image *image) {
  bool is_interlaced = ((struct gif *)image->state)->file->Image.Interlace;
  if (!is_interlaced) {
    read_rows(image, 0, 1);
  } else if (read_rows(image, 0, 8) && read_rows(image, 4, 8) && read_rows(image, 2, 4)) {
    read_rows(image, 1, 2);
  }
}

static bool begin(Image *image, ImageSize) {
  struct gif *gif = image->state;
  const GifImageDesc *frame = &gif->file->Image;
  gif->pixels = calloc((size_t)frame->Width, (size_t)frame->Height);
  gif->is_row_there = calloc((size_t)frame->Height, sizeof *gif->is_row_there);
  if (!gif->pixels || !gif->is_row_there) return image_fail(image, ImageFaultNoMemory);
  read_frame(image);
  return image->fault == ImageFaultNone;
}

/// Replaces a missing row of an interlaced frame by a row of an earlier pass a little above it. Returns null if there is
/// none, as in all rows below.
static const uint8_t *nearest_row(const struct gif *gif, int y) {
  const GifImageDesc *frame = &gif->file->Image;
  int lowest = frame->Interlace ? y - y % 8 : y;
  for (; y >= lowest; y--) {
    if (gif->is_row_there[y]) return gif->pixels + (size_t)y * (size_t)frame->Width;
  }
  return nullptr;
}

static bool read_row(Image *image, uint8_t *row) {
  struct gif *gif = image->state;
  const GifImageDesc *frame = &gif->file->Image;
  const ColorMapObject *map = frame->ColorMap ? frame->ColorMap : gif->file->SColorMap;
  memset(row, 0, (size_t)image->size.width * 4);
  int y = image->next_row - frame->Top;
  if (!map || y < 0 || y >= frame->Height) return true;
  const uint8_t *numbers = nearest_row(gif, y);
  if (!numbers) return false;
  for (int x = 0; x < frame->Width && x + frame->Left < image->size.width; x++) {
    if (numbers[x] == gif->transparent || numbers[x] >= map->ColorCount) continue;
    GifColorType color = map->Colors[numbers[x]];
    uint8_t *pixel = row + (size_t)(x + frame->Left) * 4;
    pixel[0] = color.Red;
    pixel[1] = color.Green;
    pixel[2] = color.Blue;
    pixel[3] = 255;
  }
  return true;
}

static void close(Image *image) {
  struct gif *gif = image->state;
  if (!gif) return;
  free(gif->pixels);
  free(gif->is_row_there);
  int error;
  if (gif->file) lib.DGifCloseFile(gif->file, &error);
}

const struct decoder gif_decoder = {MAXIMUM_PIXELS, open, begin, read_row, close};
