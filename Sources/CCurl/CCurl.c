#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define CURL_FUNCTIONS(X)                                                                                      \
  X(global_init) X(easy_init) X(easy_setopt) X(easy_cleanup) X(easy_getinfo) X(easy_strerror)                  \
  X(multi_init) X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_poll) X(multi_wakeup)      \
  X(multi_info_read) X(slist_append) X(slist_free_all)

/* The library's functions, set once by the thread of the requests before `multi` is. */
static struct {
#define DECLARE(f) __typeof__(&curl_##f) f;
  CURL_FUNCTIONS(DECLARE)
#undef DECLARE
} curl;

typedef struct request {
  struct request *next;
  uint64_t id;
  FetchDone done;
  void *context;
  atomic_bool cancelled;
  /* From here on for the thread of the requests alone. */
  CURL *easy;
  struct curl_slist *headers;
  char *url, *user_agent, *accept, *ca_file;
  bool is_direct;
  long timeout_ms;
  char *body;
  size_t length, capacity, max_bytes;
  bool too_large;
  char message[CURL_ERROR_SIZE];
} request;

/* Guards the five variables below it. Others only put requests in front; the thread alone takes them out, so it
   may walk the list from a head it has read without holding the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static request *requests;
static uint64_t last_id;
static CURLM *multi;
static bool stopping, stopped;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool running;

// MARK: one request

static size_t on_data(char *bytes, size_t size, size_t count, void *context) {
  request *r = context;
  size_t added = size * count;
  if (added > r->max_bytes - r->length) {
    r->too_large = true;
    return 0;
  }
  if (r->length + added > r->capacity) {
    size_t capacity = r->capacity ? r->capacity * 2 : 16384;
    while (capacity < r->length + added) capacity *= 2;
    char *body = realloc(r->body, capacity);
    if (!body) return 0;
    r->body = body;
    r->capacity = capacity;
  }
  memcpy(r->body + r->length, bytes, added);
  r->length += added;
  return added;
}

static FetchFault fault_of(CURLcode code) {
  switch (code) {
    case CURLE_OK: return FetchFaultNone;
    case CURLE_COULDNT_RESOLVE_HOST: return FetchFaultNameNotFound;
    case CURLE_COULDNT_RESOLVE_PROXY: return FetchFaultProxyNotFound;
    case CURLE_COULDNT_CONNECT: return FetchFaultNoConnection;
    case CURLE_OPERATION_TIMEDOUT: return FetchFaultTimeout;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS: return FetchFaultCertificate;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CRL_BADFILE: return FetchFaultEncryption;
    case CURLE_SSL_CACERT_BADFILE: return FetchFaultCertificateFile;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return FetchFaultCut;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_WRITE_ERROR:
    case CURLE_BAD_CONTENT_ENCODING: return FetchFaultGarbage;
    case CURLE_URL_MALFORMAT: return FetchFaultAddress;
    default: return FetchFaultOther;
  }
}

static void release(request *r) {
  if (r->easy) {
    curl.multi_remove_handle(multi, r->easy);
    curl.easy_cleanup(r->easy);
    curl.slist_free_all(r->headers);
  }
  free(r->body);
  free(r->url);
  free(r->user_agent);
  free(r->accept);
  free(r->ca_file);
  free(r);
}

static void unlink_request(request *r) {
  pthread_mutex_lock(&lock);
  request **place = &requests;
  while (*place != r) place = &(*place)->next;
  *place = r->next;
  pthread_mutex_unlock(&lock);
}

static void finish(request *r, FetchOutcome outcome, CURLcode code) {
  FetchReply reply = {.outcome = outcome, .fault = fault_of(code), .message = "", .content_type = ""};
  if (r->easy) {
    char *text = nullptr;
    curl_off_t seconds = 0;
    curl.easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &reply.status);
    curl.easy_getinfo(r->easy, CURLINFO_OS_ERRNO, &reply.system_error);
    if (curl.easy_getinfo(r->easy, CURLINFO_CONTENT_TYPE, &text) == CURLE_OK && text) reply.content_type = text;
    text = nullptr;
    if (curl.easy_getinfo(r->easy, CURLINFO_REDIRECT_URL, &text) == CURLE_OK) reply.redirect = text;
    if (curl.easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK) reply.retry_after = seconds;
    if (code != CURLE_OK) reply.message = r->message[0] ? r->message : curl.easy_strerror(code);
  }
  if (outcome == FetchOutcomeAnswered) {
    reply.body = r->body;
    reply.body_length = r->length;
  }
  unlink_request(r);
  r->done(r->context, &reply);
  release(r);
}

/* An old libcurl doesn't know the texts, a new one may not know the bits. */
static CURLcode allow_http_alone(CURL *easy) {
  CURLcode code = curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  if (code != CURLE_UNKNOWN_OPTION) return code;
  return curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

static bool begin(request *r) {
  CURL *easy = r->easy = curl.easy_init();
  if (!easy) return false;
  r->headers = curl.slist_append(nullptr, r->accept);
  if (!r->headers || allow_http_alone(easy) != CURLE_OK) return false;
#define SET(option, value) curl.easy_setopt(easy, CURLOPT_##option, value)
  if (SET(URL, r->url) != CURLE_OK) return false;
  SET(PRIVATE, r);
  SET(USERAGENT, r->user_agent);
  SET(HTTPHEADER, r->headers);
  SET(TIMEOUT_MS, r->timeout_ms);
  SET(CONNECTTIMEOUT_MS, r->timeout_ms);
  SET(NOSIGNAL, 1L);
  SET(FOLLOWLOCATION, 0L);
  SET(ACCEPT_ENCODING, "");
  SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  SET(ERRORBUFFER, r->message);
  SET(WRITEFUNCTION, on_data);
  SET(WRITEDATA, r);
  if (r->is_direct) SET(PROXY, "");
  if (r->ca_file) SET(CAINFO, r->ca_file);
#if LIBCURL_VERSION_NUM >= 0x075700
  /* Else ending a request whose name is being looked up waits for the look-up, and all others wait with it. */
  SET(QUICK_EXIT, 1L);
#endif
#undef SET
  return curl.multi_add_handle(multi, easy) == CURLM_OK;
}

// MARK: the thread

/* OpenSSL takes itself down at exit, which must not happen under a running request. */
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

static CURLM *load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
#define FIND(f)                                                                                                \
  if (!(curl.f = (__typeof__(curl.f))dlsym(library, "curl_" #f))) return nullptr;
  CURL_FUNCTIONS(FIND)
#undef FIND
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return nullptr;
  return curl.multi_init();
}

static bool is_loaded(void) {
  if (multi) return true;
  CURLM *made = load();
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
      finish(r, FetchOutcomeCancelled, CURLE_OK);
    } else if (!loaded) {
      finish(r, FetchOutcomeNoLibrary, CURLE_OK);
    } else if (!r->easy && !begin(r)) {
      finish(r, FetchOutcomeFailed, CURLE_URL_MALFORMAT);
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
      FetchOutcome outcome = code == CURLE_OK ? FetchOutcomeAnswered : FetchOutcomeFailed;
      finish(r, r->too_large ? FetchOutcomeTooLarge : outcome, code);
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

/* Signals belong to the thread that asks for them. */
static void start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  running = pthread_create(&thread, nullptr, run, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (running) pthread_detach(thread);
}

// MARK: for everyone

static void wake_locked(void) {
  pthread_cond_broadcast(&changed);
  if (multi) curl.multi_wakeup(multi);
}

static char *accept_header(const char *value) {
  static const char name[] = "Accept: ";
  char *line = malloc(sizeof name + strlen(value));
  if (line) strcat(strcpy(line, name), value);
  return line;
}

uint64_t fetch_start(const FetchOptions *options, FetchDone done, void *context) {
  pthread_once(&once, start_thread);
  request *r = running ? calloc(1, sizeof *r) : nullptr;
  if (!r) return 0;
  r->done = done;
  r->context = context;
  r->is_direct = options->is_direct;
  r->timeout_ms = options->timeout_ms;
  r->max_bytes = options->max_bytes;
  r->url = strdup(options->url);
  r->user_agent = strdup(options->user_agent);
  r->accept = accept_header(options->accept);
  r->ca_file = options->ca_file ? strdup(options->ca_file) : nullptr;
  if (!r->url || !r->user_agent || !r->accept || (options->ca_file && !r->ca_file)) {
    release(r);
    return 0;
  }
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
