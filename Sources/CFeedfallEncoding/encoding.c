#include "encoding.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";
static const size_t replacement_length = sizeof replacement - 1;

long encoding_to_utf8(const char *name, const unsigned char *bytes, size_t count, unsigned char *result,
                      size_t capacity) {
  iconv_t converter = iconv_open("UTF-8", name);
  if (converter == (iconv_t)-1) return -1;
  char *in = (char *)bytes;
  char *out = (char *)result;
  size_t left = count;
  size_t room = capacity;
  while (left > 0) {
    if (iconv(converter, &in, &left, &out, &room) != (size_t)-1) break;
    // Replace one byte of a sequence that is incomplete (EINVAL) or invalid (EILSEQ).
    if (errno == E2BIG || left == 0 || room < replacement_length) break;
    memcpy(out, replacement, replacement_length);
    out += replacement_length;
    room -= replacement_length;
    in++;
    left--;
  }
  // Writes a letter that was held back because the next one could combine with it.
  iconv(converter, NULL, NULL, &out, &room);
  iconv_close(converter);
  return (long)(capacity - room);
}
