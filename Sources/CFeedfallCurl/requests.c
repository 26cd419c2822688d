#define _GNU_SOURCE
#include "request.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* Guards the five variables below. Other threads only insert requests at the head; only the thread of the requests
   removes them, so it can traverse the list from a head that it has read without holding the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static request *requests;
static uint64_t last_id;
static CURLM *multi;
static bool stopping, stopped;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool running;

// MARK: - The thread

static void end(request *r, FetchOutcome outcome, CURLcode code) {
  pthread_mutex_lock(&lock);
  request **place = &requests;
  while (*place != r) place = &(*place)->next;
  *place = r->next;
  pthread_mutex_unlock(&lock);
  request_end(r, multi, outcome, code);
}

/* OpenSSL shuts down at exit, which must not happen during a request. */
static void stop_at_exit(void) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_broadcast(&changed);
  curl.multi_wakeup(multi);
  while (!stopped && pthread_cond_timedwait(&changed, &lock, &limit) == 0) {}
  pthread_mutex_unlock(&lock);
}

static bool is_loaded(void) {
  if (multi) return true;
  CURLM *made = fetch_load_library();
  if (!made) return false;
  pthread_mutex_lock(&lock);
  multi = made;
  pthread_mutex_unlock(&lock);
  atexit(stop_at_exit);
  return true;
}

static bool wait_for_requests(void) {
  pthread_mutex_lock(&lock);
  while (!requests && !stopping) pthread_cond_wait(&changed, &lock);
  bool go_on = !stopping;
  pthread_mutex_unlock(&lock);
  return go_on;
}

static void begin_and_cancel(bool loaded) {
  pthread_mutex_lock(&lock);
  request *r = requests;
  pthread_mutex_unlock(&lock);
  while (r) {
    request *next = r->next;
    if (atomic_load(&r->cancelled)) {
      end(r, FetchOutcomeCancelled, CURLE_OK);
    } else if (!loaded) {
      end(r, FetchOutcomeNoLibrary, CURLE_OK);
    } else if (!r->easy && !request_begin(r, multi)) {
      end(r, FetchOutcomeFailed, CURLE_URL_MALFORMAT);
    }
    r = next;
  }
}

static bool has_requests(void) {
  pthread_mutex_lock(&lock);
  bool any = requests != nullptr && !stopping;
  pthread_mutex_unlock(&lock);
  return any;
}

/* Performs again after every completion: libcurl may have queued transfers to start. */
static void perform(void) {
  bool again = true;
  while (again) {
    again = false;
    int count;
    CURLMsg *message;
    curl.multi_perform(multi, &count);
    while ((message = curl.multi_info_read(multi, &count))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURLcode code = message->data.result;
      char *private = nullptr;
      curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
      request *r = (request *)private;
      if (r->is_cut) code = CURLE_OK;
      FetchOutcome outcome = code == CURLE_OK ? FetchOutcomeAnswered : FetchOutcomeFailed;
      end(r, r->too_large ? FetchOutcomeTooLarge : outcome, code);
      again = true;
    }
  }
}

static void *run(void *unused) {
  (void)unused;
  while (wait_for_requests()) {
    bool loaded = is_loaded();
    begin_and_cancel(loaded);
    if (!loaded) continue;
    perform();
    if (has_requests()) curl.multi_poll(multi, nullptr, 0, 60000, nullptr);
  }
  pthread_mutex_lock(&lock);
  stopped = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return nullptr;
}

/* Blocks all signals on the new thread. */
static void start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  running = pthread_create(&thread, nullptr, run, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (running) pthread_detach(thread);
}

// MARK: - Interface

static void wake_locked(void) {
  pthread_cond_broadcast(&changed);
  if (multi) curl.multi_wakeup(multi);
}

uint64_t fetch_start(const FetchOptions *options, FetchDone done, void *context) {
  pthread_once(&once, start_thread);
  request *r = running ? request_make(options, done, context) : nullptr;
  if (!r) return 0;
  pthread_mutex_lock(&lock);
  uint64_t id = r->id = ++last_id;
  r->next = requests;
  requests = r;
  wake_locked();
  pthread_mutex_unlock(&lock);
  return id;
}

void fetch_cancel(uint64_t id) {
  pthread_mutex_lock(&lock);
  for (request *r = requests; r; r = r->next) {
    if (r->id != id) continue;
    atomic_store(&r->cancelled, true);
    wake_locked();
    break;
  }
  pthread_mutex_unlock(&lock);
}
