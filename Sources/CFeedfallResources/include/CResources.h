#pragma once
#include <stddef.h>

// Files of the folder Resources that are part of the program.

/// The built-in catalogue's bytes, which never change.
const unsigned char *_Nonnull catalogue_bytes(void);
/// Their number.
size_t catalogue_byte_count(void);
