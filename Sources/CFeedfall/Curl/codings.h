#pragma once
#include "requests.h"

/// The codings that can be decoded, for an Accept-Encoding header. libcurl must be loaded.
const char *fetch_codings(void);
