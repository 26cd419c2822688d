#ifndef FEEDFALL_ENCODING_H
#define FEEDFALL_ENCODING_H

#include <stddef.h>

/// Converts a text in the named encoding to UTF-8; invalid bytes become U+FFFD.
///
/// Returns the count of written bytes, at most `capacity`; -1 if the C library does not know the encoding.
long encoding_to_utf8(const char *name, const unsigned char *bytes, size_t count, unsigned char *result,
                      size_t capacity);

/// Converts a host name in UTF-8 to its ASCII form (UTS 46), which may contain other characters than a name, such as
/// slashes.
///
/// Returns the count of written bytes; -1 for an invalid name, without libidn2, or if it exceeds `capacity`.
long host_to_ascii(const char *name, unsigned char *result, size_t capacity);

/// Converts a host name in its ASCII form to UTF-8; the same results.
long host_to_unicode(const char *name, unsigned char *result, size_t capacity);

#endif
