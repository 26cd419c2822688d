#define _GNU_SOURCE
#include "request.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* A thread with its requests. Other threads only insert requests at the head of the list; only the thread itself removes
   them, so it can traverse the list from a head that it has read without holding the lock. */
typedef struct fetcher {
  /* Guards all that follows. */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  request *requests;
  CURLM *multi;
  bool is_started, is_running, stopping, stopped;
} fetcher;

enum { FETCHER_COUNT = 2 };

/* The second one is for requests with a sink. */
static fetcher fetchers[FETCHER_COUNT] = {
  {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER},
  {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER},
};
static _Atomic uint64_t last_number;

// MARK: - The thread

static void end(fetcher *f, request *r, FetchOutcome outcome, CURLcode code) {
  pthread_mutex_lock(&f->lock);
  request **place = &f->requests;
  while (*place != r) place = &(*place)->next;
  *place = r->next;
  pthread_mutex_unlock(&f->lock);
  request_end(r, f->multi, outcome, code);
}

static void wake_locked(fetcher *f) {
  pthread_cond_broadcast(&f->changed);
  if (f->multi) curl.multi_wakeup(f->multi);
}

/* The thread may be loading the library, so that it has no handle yet, or may not be started. No request begins after
   this. */
static void stop(fetcher *f, const struct timespec *limit) {
  pthread_mutex_lock(&f->lock);
  f->stopping = true;
  wake_locked(f);
  while (f->is_running && !f->stopped && pthread_cond_timedwait(&f->changed, &f->lock, limit) == 0) {}
  pthread_mutex_unlock(&f->lock);
}

/* OpenSSL shuts down at exit, which must not happen during a request. */
static void stop_at_exit(void) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  for (int i = 0; i < FETCHER_COUNT; i++) stop(&fetchers[i], &limit);
}

static bool is_loaded(fetcher *f) {
  if (f->multi) return true;
  CURLM *made = fetch_load_library(stop_at_exit);
  if (!made) return false;
  pthread_mutex_lock(&f->lock);
  f->multi = made;
  pthread_mutex_unlock(&f->lock);
  return true;
}

static bool wait_for_requests(fetcher *f) {
  pthread_mutex_lock(&f->lock);
  while (!f->requests && !f->stopping) pthread_cond_wait(&f->changed, &f->lock);
  bool go_on = !f->stopping;
  pthread_mutex_unlock(&f->lock);
  return go_on;
}

static void begin_and_cancel(fetcher *f, bool loaded) {
  pthread_mutex_lock(&f->lock);
  request *r = f->requests;
  pthread_mutex_unlock(&f->lock);
  while (r) {
    request *next = r->next;
    if (atomic_load(&r->cancelled)) {
      end(f, r, FetchOutcomeCancelled, CURLE_OK);
    } else if (!loaded) {
      end(f, r, FetchOutcomeNoLibrary, CURLE_OK);
    } else if (!r->easy && !request_begin(r, f->multi)) {
      end(f, r, FetchOutcomeFailed, CURLE_URL_MALFORMAT);
    }
    r = next;
  }
}

static bool has_requests(fetcher *f) {
  pthread_mutex_lock(&f->lock);
  bool any = f->requests != nullptr && !f->stopping;
  pthread_mutex_unlock(&f->lock);
  return any;
}

static bool is_stopping(fetcher *f) {
  pthread_mutex_lock(&f->lock);
  bool stopping = f->stopping;
  pthread_mutex_unlock(&f->lock);
  return stopping;
}

/* Performs again after every completion: libcurl may have queued transfers to start. */
static void perform(fetcher *f) {
  bool again = true;
  while (again) {
    again = false;
    int count;
    CURLMsg *message;
    curl.multi_perform(f->multi, &count);
    while ((message = curl.multi_info_read(f->multi, &count))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURLcode code = message->data.result;
      char *private = nullptr;
      curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
      request *r = (request *)private;
      if (r->is_cut) code = CURLE_OK;
      FetchOutcome outcome = code == CURLE_OK ? FetchOutcomeAnswered : FetchOutcomeFailed;
      end(f, r, r->too_large ? FetchOutcomeTooLarge : outcome, code);
      again = true;
    }
  }
}

/* Ends the requests without a byte for their time-out at `now`. Returns the time until the next one would end, in
   milliseconds. `perform` has read all that had arrived by then, but not what arrived while a sink waited for the disk. */
static int end_silent(fetcher *f, int64_t now) {
  pthread_mutex_lock(&f->lock);
  request *r = f->requests;
  pthread_mutex_unlock(&f->lock);
  int64_t nearest = now + 60000;
  while (r) {
    request *next = r->next;
    if (r->easy && r->silent_until <= now) {
      r->is_silent = true;
      end(f, r, FetchOutcomeFailed, CURLE_OPERATION_TIMEDOUT);
    } else if (r->easy && r->silent_until < nearest) {
      nearest = r->silent_until;
    }
    r = next;
  }
  return (int)(nearest - now);
}

static void *run(void *context) {
  fetcher *f = context;
  while (wait_for_requests(f)) {
    bool loaded = is_loaded(f);
    if (is_stopping(f)) break;
    begin_and_cancel(f, loaded);
    if (!loaded) continue;
    int64_t now = now_ms();
    perform(f);
    int pause_ms = end_silent(f, now);
    if (has_requests(f)) curl.multi_poll(f->multi, nullptr, 0, pause_ms, nullptr);
  }
  pthread_mutex_lock(&f->lock);
  f->stopped = true;
  pthread_cond_broadcast(&f->changed);
  pthread_mutex_unlock(&f->lock);
  return nullptr;
}

/* Blocks all signals on the new thread. The lock is held. */
static void start_thread(fetcher *f) {
  f->is_started = true;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  f->is_running = pthread_create(&thread, nullptr, run, f) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (f->is_running) pthread_detach(thread);
}

// MARK: - Interface

static uint64_t insert(fetcher *f, request *r) {
  pthread_mutex_lock(&f->lock);
  if (!f->is_started && !f->stopping) start_thread(f);
  uint64_t id = f->is_running && !f->stopping ? r->id : 0;
  if (id != 0) {
    r->next = f->requests;
    f->requests = r;
    wake_locked(f);
  }
  pthread_mutex_unlock(&f->lock);
  return id;
}

uint64_t fetch_start(const FetchOptions *options, FetchDone done, void *context) {
  request *r = request_make(options, done, context);
  if (!r) return 0;
  int index = options->sink ? 1 : 0;
  // The ID determines the thread.
  r->id = (atomic_fetch_add(&last_number, 1) + 1) * FETCHER_COUNT + index;
  uint64_t id = insert(&fetchers[index], r);
  if (id == 0) request_free(r);
  return id;
}

void fetch_cancel(uint64_t id) {
  fetcher *f = &fetchers[id % FETCHER_COUNT];
  pthread_mutex_lock(&f->lock);
  for (request *r = f->requests; r; r = r->next) {
    if (r->id != id) continue;
    atomic_store(&r->cancelled, true);
    wake_locked(f);
    break;
  }
  pthread_mutex_unlock(&f->lock);
}
