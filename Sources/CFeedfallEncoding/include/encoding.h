#ifndef FEEDFALL_ENCODING_H
#define FEEDFALL_ENCODING_H

#include <stddef.h>

/// Converts a text in the named encoding to UTF-8; invalid bytes become U+FFFD.
///
/// Returns the count of written bytes, at most `capacity`; -1 if the C library does not know the encoding.
long encoding_to_utf8(const char *name, const unsigned char *bytes, size_t count, unsigned char *result,
                      size_t capacity);

#endif
