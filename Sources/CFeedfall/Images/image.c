#include "image.h"

#include <string.h>

static const struct decoder *decoder_of(ImageFormat format) {
  switch (format) {
    case ImageFormatJPEG: return &jpeg_decoder;
    case ImageFormatPNG: return &png_decoder;
    case ImageFormatWebP: return &webp_decoder;
    case ImageFormatGIF: return &gif_decoder;
  }
}

Image *image_open(ImageFormat format, const uint8_t *bytes, size_t count, ImageLimits limits, ImageFault *fault) {
  Image *image = calloc(1, sizeof *image);
  *fault = ImageFaultNoMemory;
  if (!image) return nullptr;
  image->decoder = decoder_of(format);
  image->bytes = bytes;
  image->count = count;
  image->limits = limits;
  if (limits.max_pixels > image->decoder->max_pixels) image->limits.max_pixels = image->decoder->max_pixels;
  if (!image->decoder->open(image)) {
    *fault = image->fault ? image->fault : ImageFaultDamaged;
    image_close(image);
    return nullptr;
  }
  *fault = ImageFaultNone;
  return image;
}

ImageSize image_size(const Image *image) { return image->size; }

ImageSize image_begin(Image *image, ImageSize wanted, ImageFault *fault) {
  image->rows = image->size;
  bool has_begun = image->decoder->begin(image, wanted);
  *fault = has_begun ? ImageFaultNone : image->fault ? image->fault : ImageFaultDamaged;
  return image->rows;
}

bool image_read_row(Image *image, uint8_t *row, ImageFault *fault) {
  bool is_read = image->next_row < image->rows.height && image->decoder->read_row(image, row);
  if (is_read) image->next_row++;
  *fault = image->fault;
  return is_read;
}

void image_close(Image *image) {
  image->decoder->close(image);
  free(image->state);
  free(image);
}

bool image_fail(Image *image, ImageFault fault) {
  image->fault = fault;
  return false;
}

bool image_accept_size(Image *image, int64_t width, int64_t height) {
  if (width < 1 || height < 1) return image_fail(image, ImageFaultDamaged);
  if (width > 65535 || height > 65535 || width * height > image->limits.max_pixels) {
    return image_fail(image, ImageFaultTooManyPixels);
  }
  image->size = (ImageSize){.width = (int32_t)width, .height = (int32_t)height};
  return true;
}

bool image_spend(Image *image, int64_t work) {
  image->work += work;
  return image->work <= image->limits.max_work || image_fail(image, ImageFaultTooMuchWork);
}

size_t image_read_bytes(Image *image, void *target, size_t count) {
  size_t left = image->count - image->position;
  if (count > left) count = left;
  memcpy(target, image->bytes + image->position, count);
  image->position += count;
  return count;
}

void *image_allocate_state(Image *image, size_t count) {
  image->state = calloc(1, count);
  if (!image->state) image->fault = ImageFaultNoMemory;
  return image->state;
}
