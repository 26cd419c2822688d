#pragma once
#include <stddef.h>

// Files from the folder Resources that are embedded in the program.

/// Returns the bytes of the built-in catalogue, which never change.
const unsigned char *_Nonnull catalogue_bytes(void);
size_t catalogue_byte_count(void);

/// Returns the topics of the manual in their order, with a zero byte between two.
const unsigned char *_Nonnull manual_bytes(void);
size_t manual_byte_count(void);
