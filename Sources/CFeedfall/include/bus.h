#pragma once
#include <stdint.h>

// libdbus, loaded on first use. It is declared here, so that nothing depends on it when the program is built. Its functions
// end the program if a text is not UTF-8 or a name is not valid.

typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;

/// At least as large as libdbus's own struct.
typedef struct {
  void *_Null_unspecified space[16];
} DBusMessageIter;

/// The types of values and messages in the library's encoding.
static const int BUS_END = 0;
static const int BUS_ARRAY = 'a';
static const int BUS_BOOLEAN = 'b';
static const int BUS_DOUBLE = 'd';
static const int BUS_ENTRY = 'e';
static const int BUS_INT32 = 'i';
static const int BUS_PATH = 'o';
static const int BUS_STRING = 's';
static const int BUS_UINT32 = 'u';
static const int BUS_VARIANT = 'v';
static const int BUS_INT64 = 'x';
static const int BUS_METHOD_CALL = 1;
static const int BUS_METHOD_RETURN = 2;
static const int BUS_ERROR = 3;

// Each row: type of the result, name, parameters.
#define BUS_MESSAGE_FUNCTIONS(X)                                                                               \
  X(DBusMessage *_Nullable, message_new_method_call,                                                           \
    (const char *_Nonnull name, const char *_Nonnull path, const char *_Nonnull interface,                     \
     const char *_Nonnull member))                                                                             \
  X(DBusMessage *_Nullable, message_new_signal,                                                                \
    (const char *_Nonnull path, const char *_Nonnull interface, const char *_Nonnull member))                  \
  X(DBusMessage *_Nullable, message_new_method_return, (DBusMessage *_Nonnull call))                           \
  X(DBusMessage *_Nullable, message_new_error,                                                                 \
    (DBusMessage *_Nonnull call, const char *_Nonnull name, const char *_Nonnull text))                        \
  X(void, message_unref, (DBusMessage *_Nonnull))                                                              \
  X(int, message_get_type, (DBusMessage *_Nonnull))                                                            \
  X(uint32_t, message_get_no_reply, (DBusMessage *_Nonnull))                                                   \
  X(uint32_t, message_get_reply_serial, (DBusMessage *_Nonnull))                                               \
  X(const char *_Nullable, message_get_path, (DBusMessage *_Nonnull))                                          \
  X(const char *_Nullable, message_get_interface, (DBusMessage *_Nonnull))                                     \
  X(const char *_Nullable, message_get_member, (DBusMessage *_Nonnull))                                        \
  X(uint32_t, message_iter_init, (DBusMessage *_Nonnull, DBusMessageIter *_Nonnull))                           \
  X(int, message_iter_get_arg_type, (DBusMessageIter *_Nonnull))                                               \
  X(void, message_iter_get_basic, (DBusMessageIter *_Nonnull, void *_Nonnull value))                           \
  X(void, message_iter_recurse, (DBusMessageIter *_Nonnull, DBusMessageIter *_Nonnull inner))                  \
  X(uint32_t, message_iter_next, (DBusMessageIter *_Nonnull))                                                  \
  X(void, message_iter_init_append, (DBusMessage *_Nonnull, DBusMessageIter *_Nonnull))                        \
  X(uint32_t, message_iter_append_basic, (DBusMessageIter *_Nonnull, int type, const void *_Nonnull value))    \
  X(uint32_t, message_iter_open_container,                                                                     \
    (DBusMessageIter *_Nonnull, int type, const char *_Nullable signature, DBusMessageIter *_Nonnull inner))   \
  X(uint32_t, message_iter_close_container, (DBusMessageIter *_Nonnull, DBusMessageIter *_Nonnull inner))

struct bus_functions {
#define BUS_MEMBER(result, name, parameters) result (*_Nonnull name) parameters;
  BUS_MESSAGE_FUNCTIONS(BUS_MEMBER)
#undef BUS_MEMBER
};

/// Returns the library's functions for messages; null if there is no usable libdbus. Can be called from any thread.
const struct bus_functions *_Nullable bus_functions(void);

/// A connection, to be used by one thread. Large messages end it.
struct bus;

/// Connects to an address and asks for a name of its own; null if that fails.
struct bus *_Nullable bus_open(const char *_Nonnull address);

void bus_close(struct bus *_Nonnull);

/// Waits until data can be exchanged or the other descriptor is readable (-1 for none), at most this time (-1 for any),
/// and exchanges the data. Returns 0 if the connection has ended, otherwise 1.
int bus_wait(struct bus *_Nonnull, int descriptor, int milliseconds);

/// Returns the next message, which the caller releases; null if there is none.
DBusMessage *_Nullable bus_next(struct bus *_Nonnull);

/// Queues a message and releases it. Returns its serial number, or 0 if it is not sent: there is no memory, or the other
/// side does not read.
uint32_t bus_send(struct bus *_Nonnull, DBusMessage *_Nonnull);
