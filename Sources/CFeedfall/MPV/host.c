#define _GNU_SOURCE
#include "mpvhost.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- The part of libmpv's interface that is used here (mpv's include/mpv/client.h and render.h, client API 2).

typedef struct mpv_handle mpv_handle;
typedef struct mpv_render_context mpv_render_context;

enum {
  MPV_EVENT_SHUTDOWN = 1,
  MPV_EVENT_START_FILE = 6,
  MPV_EVENT_CLIENT_MESSAGE = 16,
  MPV_EVENT_PLAYBACK_RESTART = 21,
};

typedef struct {
  int event_id;
  int error;
  uint64_t reply_userdata;
  void *data;
} mpv_event;

typedef struct {
  int64_t playlist_entry_id;
} mpv_event_start_file;

typedef struct {
  int num_args;
  const char **args;
} mpv_event_client_message;

enum {
  MPV_RENDER_PARAM_INVALID = 0,
  MPV_RENDER_PARAM_API_TYPE = 1,
  MPV_RENDER_PARAM_SKIP_RENDERING = 13,
  MPV_RENDER_PARAM_SW_SIZE = 17,
  MPV_RENDER_PARAM_SW_FORMAT = 18,
  MPV_RENDER_PARAM_SW_STRIDE = 19,
  MPV_RENDER_PARAM_SW_POINTER = 20,
};

typedef struct {
  int type;
  void *data;
} mpv_render_param;

enum { MPV_RENDER_UPDATE_FRAME = 1 };

// Each row: type of the result, name, parameters.
#define LIBRARY_FUNCTIONS(X)                                                                                   \
  X(unsigned long, client_api_version, (void))                                                                 \
  X(mpv_handle *, create, (void))                                                                              \
  X(int, set_option_string, (mpv_handle *, const char *name, const char *value))                               \
  X(int, initialize, (mpv_handle *))                                                                           \
  X(void, terminate_destroy, (mpv_handle *))                                                                   \
  X(mpv_event *, wait_event, (mpv_handle *, double timeout))                                                   \
  X(int, render_context_create, (mpv_render_context **, mpv_handle *, mpv_render_param *))                     \
  X(void, render_context_set_update_callback, (mpv_render_context *, void (*)(void *), void *))                \
  X(uint64_t, render_context_update, (mpv_render_context *))                                                   \
  X(int, render_context_render, (mpv_render_context *, mpv_render_param *))                                    \
  X(void, render_context_free, (mpv_render_context *))

static struct {
#define MEMBER(result, name, parameters) result(*name) parameters;
  LIBRARY_FUNCTIONS(MEMBER)
} mpv;

// Loads libmpv. Returns 0, or -1 if it is missing or has another interface.
static int load_library(void) {
  // To resolve all symbols of its more than 200 libraries at once would take an eighth longer.
  void *file = dlopen("libmpv.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!file) return -1;
#define FIND(result, name, parameters)                                                                         \
  mpv.name = (__typeof__(mpv.name))dlsym(file, "mpv_" #name);                                                  \
  if (!mpv.name) return -1;
  LIBRARY_FUNCTIONS(FIND)
  return mpv.client_api_version() >> 16 == 2 ? 0 : -1;
}

bool mpv_host_is_available(void) { return load_library() == 0; }

// ---- The ring.

int mpv_ring_create(size_t byte_count) {
  int file = memfd_create("feedfall-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)byte_count) == 0
      && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return file;
  close(file);
  return -1;
}

// ---- The host.

// libmpv requires rows of whole pixels, and converts colors faster if rows begin at multiples of 64 bytes.
enum { bytes_per_pixel = 3, stride_alignment = 64 * bytes_per_pixel };

static mpv_render_context *renderer;
static int wake_up;

// The ring, which only the render thread uses.
static unsigned char *ring;
static size_t slot_size;
static unsigned free_slots = (1u << MPV_RING_SLOTS) - 1;

// Written by the thread of events, read by the render thread.
struct request {
  int width, height;
  // The file that frames belong to; 0 between the start of a file and its first frame, when the renderer may still have a
  // frame of the previous one.
  int64_t entry;
  // How often playback began or jumped.
  unsigned restarts;
  // Whether the render thread must end.
  int is_over;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct request request;

static void post(void *unused) {
  (void)unused;
  uint64_t one = 1;
  ssize_t ignored = write(wake_up, &one, sizeof one);
  (void)ignored;
}

// ---- The render thread.

static void send_frame(const struct mpv_frame *frame) {
  while (send(MPV_HOST_FRAMES, frame, sizeof *frame, MSG_NOSIGNAL) < 0)
    if (errno != EINTR) _exit(MPV_HOST_ENDED);  // the parent process has ended
}

static void await_work(void) {
  struct pollfd polled[] = {{.fd = wake_up, .events = POLLIN}, {.fd = MPV_HOST_FRAMES, .events = POLLIN}};
  while (poll(polled, 2, -1) < 0 && errno == EINTR) {}
  uint64_t count;
  if (polled[0].revents && read(wake_up, &count, sizeof count) < 0 && errno != EAGAIN) _exit(MPV_HOST_FAILED);
  unsigned char slot;
  ssize_t length;
  while ((length = recv(MPV_HOST_FRAMES, &slot, 1, MSG_DONTWAIT)) == 1)
    if (slot < MPV_RING_SLOTS) free_slots |= 1u << slot;
  if (length == 0) _exit(MPV_HOST_ENDED);
}

static void skip_frame(void) {
  mpv_render_param params[] = {{MPV_RENDER_PARAM_SKIP_RENDERING, &(int){1}}, {MPV_RENDER_PARAM_INVALID, NULL}};
  mpv.render_context_render(renderer, params);
}

static size_t stride_of(int width) {
  size_t length = (size_t)width * bytes_per_pixel;
  return (length + stride_alignment - 1) / stride_alignment * stride_alignment;
}

// Blocks until the time of the frame.
static void render_frame(const struct request *request) {
  int slot = __builtin_ctz(free_slots);
  size_t stride = stride_of(request->width);
  mpv_render_param params[] = {
      {MPV_RENDER_PARAM_SW_SIZE, (int[]){request->width, request->height}},
      {MPV_RENDER_PARAM_SW_FORMAT, "rgb24"},
      {MPV_RENDER_PARAM_SW_STRIDE, &stride},
      {MPV_RENDER_PARAM_SW_POINTER, ring + (size_t)slot * slot_size},
      {MPV_RENDER_PARAM_INVALID, NULL},
  };
  if (mpv.render_context_render(renderer, params) < 0) return;
  free_slots &= ~(1u << slot);
  send_frame(&(struct mpv_frame){
      .slot = (uint32_t)slot, .width = (uint32_t)request->width, .height = (uint32_t)request->height,
      .stride = (uint32_t)stride, .entry = request->entry});
}

static struct request current_request(void) {
  pthread_mutex_lock(&lock);
  struct request now = request;
  pthread_mutex_unlock(&lock);
  return now;
}

// Whether a request needs a frame even if the renderer reports none: it does not report the frames that this thread was
// too late for, and while mpv is paused, no other follows.
static int needs_frame(const struct request *now, const struct request *sent) {
  return now->restarts != sent->restarts || now->width != sent->width || now->height != sent->height;
}

static void *render(void *unused) {
  struct request sent = {0};
  int is_due = 0;  // whether the renderer has a frame that was not sent
  for (;;) {
    await_work();
    struct request now = current_request();
    if (now.is_over) break;
    int is_new = (mpv.render_context_update(renderer) & MPV_RENDER_UPDATE_FRAME) != 0;
    if (is_new || needs_frame(&now, &sent)) is_due = 1;
    if (is_due && now.entry && now.width && free_slots) {
      render_frame(&now);
      sent = now;
      is_due = 0;
    } else if (is_new) {
      skip_frame();
    }
  }
  return unused;
}

// ---- The thread of events.

static void end_rendering(pthread_t thread) {
  pthread_mutex_lock(&lock);
  request.is_over = 1;
  pthread_mutex_unlock(&lock);
  post(NULL);
  pthread_join(thread, NULL);
  mpv.render_context_free(renderer);
}

static void set_size(const char *width_text, const char *height_text) {
  long width = strtol(width_text, NULL, 10), height = strtol(height_text, NULL, 10);
  int fits = width > 0 && height > 0 && width <= 16384 && height <= 16384
             && stride_of((int)width) * (size_t)height <= slot_size;
  pthread_mutex_lock(&lock);
  request.width = fits ? (int)width : 0;
  request.height = fits ? (int)height : 0;
  pthread_mutex_unlock(&lock);
  post(NULL);
}

static void set_entry(int64_t entry) {
  pthread_mutex_lock(&lock);
  request.entry = entry;
  request.restarts += entry != 0;
  pthread_mutex_unlock(&lock);
  post(NULL);
}

// Returns when mpv quits.
static void handle_events(mpv_handle *handle) {
  int64_t entry = 0;
  for (;;) {
    mpv_event *event = mpv.wait_event(handle, -1);
    switch (event->event_id) {
      case MPV_EVENT_SHUTDOWN: return;
      case MPV_EVENT_START_FILE:
        entry = ((mpv_event_start_file *)event->data)->playlist_entry_id;
        set_entry(0);
        break;
      case MPV_EVENT_PLAYBACK_RESTART: set_entry(entry); break;
      case MPV_EVENT_CLIENT_MESSAGE: {
        mpv_event_client_message *message = event->data;
        if (message->num_args == 3 && strcmp(message->args[0], MPV_FRAME_SIZE_MESSAGE) == 0)
          set_size(message->args[1], message->args[2]);
        break;
      }
      default: break;
    }
  }
}

// ---- The start.

static int map_ring(void) {
  struct stat facts;
  if (fstat(MPV_HOST_RING, &facts) != 0) return -1;
  slot_size = (size_t)facts.st_size / MPV_RING_SLOTS;
  ring = mmap(NULL, (size_t)facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, MPV_HOST_RING, 0);
  return ring == MAP_FAILED ? -1 : 0;
}

static int set_option(mpv_handle *handle, const char *option) {
  const char *equals = strchr(option, '=');
  char *name = equals ? strndup(option, (size_t)(equals - option)) : NULL;
  int result = name ? mpv.set_option_string(handle, name, equals + 1) : -1;
  free(name);
  return result;
}

static mpv_handle *start(const char *const options[], int count) {
  wake_up = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_up < 0 || map_ring() < 0) return NULL;
  mpv_handle *handle = mpv.create();
  if (!handle) return NULL;
  for (int i = 0; i < count; i++)
    if (set_option(handle, options[i]) < 0) return NULL;
  if (mpv.initialize(handle) < 0) return NULL;
  mpv_render_param params[] = {{MPV_RENDER_PARAM_API_TYPE, "sw"}, {MPV_RENDER_PARAM_INVALID, NULL}};
  if (mpv.render_context_create(&renderer, handle, params) < 0) return NULL;
  mpv.render_context_set_update_callback(renderer, post, NULL);
  return handle;
}

// mpv starts other programs, such as yt-dlp, which must not inherit the connections.
static void protect_descriptors(void) {
  for (int i = MPV_HOST_IPC; i <= MPV_HOST_FRAMES; i++) fcntl(i, F_SETFD, FD_CLOEXEC);
}

void mpv_host_run(const char *const options[], int count) {
  prctl(PR_SET_NAME, "feedfall-mpv");
  protect_descriptors();
  if (load_library() < 0) _exit(MPV_HOST_NO_LIBRARY);
  mpv_handle *handle = start(options, count);
  pthread_t thread;
  if (!handle || pthread_create(&thread, NULL, render, NULL) != 0) _exit(MPV_HOST_FAILED);
  send_frame(&(struct mpv_frame){0});
  handle_events(handle);
  end_rendering(thread);
  // Waits for the thread of the JSON IPC, which may have messages left to send.
  mpv.terminate_destroy(handle);
  _exit(MPV_HOST_ENDED);
}
