#include <gif_lib.h>
#include <string.h>

#include "image.h"
#include "library.h"

#define GIF_FUNCTIONS(X)                                                                                               \
  X(DGifOpen) X(DGifCloseFile) X(DGifGetRecordType) X(DGifGetImageDesc) X(DGifGetLine) X(DGifGetExtension)             \
  X(DGifGetExtensionNext) X(DGifExtensionToGCB)

LIBRARY(GIF_FUNCTIONS, "libgif.so.7")

struct gif {
  GifFileType *file;
  /// The first frame's pixels as numbers of its colours; rows that are not there are left transparent.
  uint8_t *pixels;
  /// Which rows are there.
  bool *is_row_there;
  /// The number of the colour that nothing is drawn for, or -1.
  int transparent;
};

static int take(GifFileType *file, GifByteType *target, int count) {
  return (int)image_take_bytes(file->UserData, target, (size_t)count);
}

// ---- The head: all that comes before the first frame.

/// Reads an extension, and which colour is transparent where it says so.
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
  struct gif *gif = image_make_state(image, sizeof *gif);
  if (!gif) return false;
  gif->transparent = -1;
  int error;
  gif->file = lib.DGifOpen(image, take, &error);
  if (!gif->file || !find_frame(gif)) return false;
  const GifImageDesc *frame = &gif->file->Image;
  // The frame must be within the limits as well; the size of the whole is what counts in the end.
  if (!image_take_size(image, frame->Width, frame->Height)) return false;
  return image_take_size(image, gif->file->SWidth, gif->file->SHeight);
}

// ---- The frame.

/// Reads every `step`th row from `first` on; false where there is no more of the frame.
static bool read_rows(Image *image, int first, int step) {
  struct gif *gif = image->state;
  const GifImageDesc *frame = &gif->file->Image;
  for (int y = first; y < frame->Height; y += step) {
    if (!image_has_time_for_row(image, frame->Width)) return false;
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

/// Where the row is missing, an interlaced frame has one of an earlier pass a little above.
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
  const uint8_t *numbers = map && y >= 0 && y < frame->Height ? nearest_row(gif, y) : nullptr;
  if (!numbers) return true;
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

const struct decoder gif_decoder = {open, begin, read_row, close};
