#pragma once
#include "bus.h"

typedef struct DBusWatch DBusWatch;

enum { DBUS_WATCH_READABLE = 1, DBUS_WATCH_WRITABLE = 2, DBUS_WATCH_ERROR = 4, DBUS_WATCH_HANGUP = 8 };

enum { DBUS_DISPATCH_DATA_REMAINS = 0 };

#define CONNECTION_FUNCTIONS(X)                                                                                \
  X(DBusConnection *, connection_open_private, (const char *address, void *error))                             \
  X(void, connection_close, (DBusConnection *))                                                                \
  X(void, connection_unref, (DBusConnection *))                                                                \
  X(uint32_t, connection_get_is_connected, (DBusConnection *))                                                 \
  X(void, connection_set_change_sigpipe, (uint32_t))                                                           \
  X(void, connection_set_max_message_size, (DBusConnection *, long bytes))                                     \
  X(void, connection_set_max_received_size, (DBusConnection *, long bytes))                                    \
  X(void, connection_set_max_message_unix_fds, (DBusConnection *, long count))                                 \
  X(void, connection_set_max_received_unix_fds, (DBusConnection *, long count))                                \
  X(long, connection_get_outgoing_size, (DBusConnection *))                                                    \
  X(uint32_t, connection_set_watch_functions,                                                                  \
    (DBusConnection *, uint32_t (*add)(DBusWatch *, void *), void (*remove)(DBusWatch *, void *),              \
     void (*toggled)(DBusWatch *, void *), void *data, void (*release)(void *)))                               \
  X(int, connection_get_dispatch_status, (DBusConnection *))                                                   \
  X(DBusMessage *, connection_pop_message, (DBusConnection *))                                                 \
  X(uint32_t, connection_send, (DBusConnection *, DBusMessage *, uint32_t *serial))                            \
  X(int, watch_get_unix_fd, (DBusWatch *))                                                                     \
  X(unsigned, watch_get_flags, (DBusWatch *))                                                                  \
  X(uint32_t, watch_get_enabled, (DBusWatch *))                                                                \
  X(uint32_t, watch_handle, (DBusWatch *, unsigned flags))

struct library {
  struct bus_functions messages;
#define MEMBER(result, name, parameters) result(*name) parameters;
  CONNECTION_FUNCTIONS(MEMBER)
#undef MEMBER
};

// Returns the library; null if it is missing.
const struct library *library(void);
