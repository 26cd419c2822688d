// The part of libmpv's interface that is used here (mpv's include/mpv/client.h and render.h, client API 2).
#pragma once
#include <stddef.h>
#include <stdint.h>

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

struct library {
  unsigned long (*client_api_version)(void);
  mpv_handle *(*create)(void);
  int (*set_option_string)(mpv_handle *, const char *name, const char *value);
  int (*initialize)(mpv_handle *);
  void (*terminate_destroy)(mpv_handle *);
  mpv_event *(*wait_event)(mpv_handle *, double timeout);
  int (*render_context_create)(mpv_render_context **, mpv_handle *, mpv_render_param *);
  void (*render_context_set_update_callback)(mpv_render_context *, void (*)(void *), void *);
  uint64_t (*render_context_update)(mpv_render_context *);
  int (*render_context_render)(mpv_render_context *, mpv_render_param *);
  void (*render_context_free)(mpv_render_context *);
};

// Loads libmpv. Returns 0, or -1 if it is missing or has another interface.
int library_load(struct library *library);
