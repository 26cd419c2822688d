#ifndef FEEDFALL_ENCODING_H
#define FEEDFALL_ENCODING_H

#include <stddef.h>

/// Writes the bytes of a text in the named encoding as UTF-8; what means nothing there becomes U+FFFD.
///
/// Returns how many bytes were written, at most `capacity`; -1 where the system knows no such encoding.
long encoding_to_utf8(const char *name, const unsigned char *bytes, size_t count, unsigned char *result,
                      size_t capacity);

#endif
