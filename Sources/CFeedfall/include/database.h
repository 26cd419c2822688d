#pragma once
#include <sqlite3.h>

// The system's SQLite, loaded on first use: if it were linked, each start would take 0.2 ms longer.

#define SQLITE_FUNCTIONS(X)                                                                                    \
  X(open_v2) X(close_v2) X(busy_timeout) X(exec) X(prepare_v3) X(finalize) X(step) X(reset)                    \
  X(bind_null) X(bind_int64) X(bind_text64) X(bind_blob64)                                                     \
  X(column_type) X(column_int64) X(column_text) X(column_blob) X(column_bytes) X(extended_errcode) X(errmsg)          \
  X(db_config)

struct sqlite_functions {
#define DECLARE(f) __typeof__(&sqlite3_##f) _Nonnull f;
  SQLITE_FUNCTIONS(DECLARE)
#undef DECLARE
};

/// Returns the library's functions; null if there is no usable SQLite. Can be called from any thread.
const struct sqlite_functions *_Nullable sqlite_functions(void);

/// Makes closing the last connection leave the journal unchanged, so that it does not wait for the disk.
void sqlite_close_at_once(sqlite3 *_Nonnull database);

/// Makes SQLite copy a bound value.
static inline sqlite3_destructor_type _Nullable sqlite_copied(void) { return SQLITE_TRANSIENT; }
