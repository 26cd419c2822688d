#define _GNU_SOURCE
#include "bus.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

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

static struct library functions;
static const struct library *found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *file = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!file) return;
#define FIND(place, name)                                                                                      \
  place.name = (__typeof__(place.name))dlsym(file, "dbus_" #name);                                             \
  if (!place.name) return;
#define FIND_MESSAGE_FUNCTION(result, name, parameters) FIND(functions.messages, name)
#define FIND_CONNECTION_FUNCTION(result, name, parameters) FIND(functions, name)
  BUS_MESSAGE_FUNCTIONS(FIND_MESSAGE_FUNCTION)
  CONNECTION_FUNCTIONS(FIND_CONNECTION_FUNCTION)
  // The program handles signals itself, and the library's sockets send none.
  functions.connection_set_change_sigpipe(0);
  found = &functions;
}

// Returns the library; null if it is missing.
static const struct library *library(void) {
  pthread_once(&once, load);
  return found;
}

const struct bus_functions *bus_functions(void) { return library() ? &found->messages : nullptr; }

// The library has one watch for reading and one for writing.
enum { WATCH_COUNT = 4 };

// In bytes. A call of a media player has fewer than one hundred.
static const long maximum_message_size = 256 * 1024;
static const long maximum_received_size = 1024 * 1024;
static const long maximum_unsent_size = 1024 * 1024;
static const long maximum_descriptor_count = 4;

struct bus {
  const struct library *library;
  DBusConnection *connection;
  DBusWatch *watches[WATCH_COUNT];
};

static uint32_t add_watch(DBusWatch *watch, void *data) {
  struct bus *bus = data;
  for (int i = 0; i < WATCH_COUNT; i++) {
    if (bus->watches[i]) continue;
    bus->watches[i] = watch;
    return 1;
  }
  return 0;
}

static void remove_watch(DBusWatch *watch, void *data) {
  struct bus *bus = data;
  for (int i = 0; i < WATCH_COUNT; i++)
    if (bus->watches[i] == watch) bus->watches[i] = nullptr;
}

// Each wait asks which watches are enabled.
static void toggle_watch(DBusWatch *, void *) {}

static uint32_t send_hello(struct bus *bus) {
  const char *name = "org.freedesktop.DBus";
  DBusMessage *hello =
      bus->library->messages.message_new_method_call(name, "/org/freedesktop/DBus", name, "Hello");
  return hello ? bus_send(bus, hello) : 0;
}

struct bus *bus_open(const char *address) {
  const struct library *functions = library();
  if (!functions) return nullptr;
  struct bus *bus = calloc(1, sizeof *bus);
  if (!bus) return nullptr;
  bus->library = functions;
  bus->connection = functions->connection_open_private(address, nullptr);
  if (!bus->connection) {
    free(bus);
    return nullptr;
  }
  functions->connection_set_max_message_size(bus->connection, maximum_message_size);
  functions->connection_set_max_received_size(bus->connection, maximum_received_size);
  functions->connection_set_max_message_unix_fds(bus->connection, maximum_descriptor_count);
  functions->connection_set_max_received_unix_fds(bus->connection, maximum_descriptor_count);
  uint32_t is_ready = functions->connection_set_watch_functions(
      bus->connection, add_watch, remove_watch, toggle_watch, bus, nullptr);
  if (is_ready && send_hello(bus)) return bus;
  bus_close(bus);
  return nullptr;
}

void bus_close(struct bus *bus) {
  bus->library->connection_close(bus->connection);
  // Releasing the last reference removes the watches.
  bus->library->connection_unref(bus->connection);
  free(bus);
}

static short polled_events(unsigned flags) {
  return (short)((flags & DBUS_WATCH_READABLE ? POLLIN : 0) | (flags & DBUS_WATCH_WRITABLE ? POLLOUT : 0));
}

static unsigned watch_flags(short events) {
  return (events & POLLIN ? DBUS_WATCH_READABLE : 0) | (events & POLLOUT ? DBUS_WATCH_WRITABLE : 0)
         | (events & POLLERR ? DBUS_WATCH_ERROR : 0) | (events & POLLHUP ? DBUS_WATCH_HANGUP : 0);
}

int bus_wait(struct bus *bus, int descriptor, int milliseconds) {
  const struct library *functions = bus->library;
  if (!functions->connection_get_is_connected(bus->connection)) return 0;
  struct pollfd polled[WATCH_COUNT + 1] = {};
  for (int i = 0; i < WATCH_COUNT; i++) {
    DBusWatch *watch = bus->watches[i];
    bool is_enabled = watch && functions->watch_get_enabled(watch);
    polled[i].fd = is_enabled ? functions->watch_get_unix_fd(watch) : -1;
    if (is_enabled) polled[i].events = polled_events(functions->watch_get_flags(watch));
  }
  polled[WATCH_COUNT] = (struct pollfd){.fd = descriptor, .events = POLLIN};
  if (poll(polled, WATCH_COUNT + 1, milliseconds) <= 0) return 1;
  for (int i = 0; i < WATCH_COUNT; i++) {
    // Handling one watch may have removed or disabled another one.
    DBusWatch *watch = bus->watches[i];
    if (!polled[i].revents || !watch || !functions->watch_get_enabled(watch)) continue;
    functions->watch_handle(watch, watch_flags(polled[i].revents));
  }
  return functions->connection_get_is_connected(bus->connection) != 0;
}

DBusMessage *bus_next(struct bus *bus) {
  // Asking for the status moves the received messages into the queue.
  if (bus->library->connection_get_dispatch_status(bus->connection) != DBUS_DISPATCH_DATA_REMAINS) return nullptr;
  return bus->library->connection_pop_message(bus->connection);
}

uint32_t bus_send(struct bus *bus, DBusMessage *message) {
  uint32_t serial = 0;
  if (bus->library->connection_get_outgoing_size(bus->connection) < maximum_unsent_size)
    bus->library->connection_send(bus->connection, message, &serial);
  bus->library->messages.message_unref(message);
  return serial;
}
