#define _GNU_SOURCE
#include "request.h"

#include "codings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { HEAD_CAPACITY = 65536 };

/* The lengths of a body for the first and the last call of `inspect`. */
enum { FIRST_INSPECTION = 1024, LAST_INSPECTION = 262144 };

// MARK: - Making and freeing

static void release(request *r, CURLM *multi) {
  if (r->easy) {
    curl.multi_remove_handle(multi, r->easy);
    curl.easy_cleanup(r->easy);
    curl.slist_free_all(r->headers);
  }
  free(r->body);
  free(r->head);
  free(r->url);
  free(r->proxy);
  free(r->method);
  free(r->user_agent);
  free(r->accept);
  free(r->if_none_match);
  free(r->if_modified_since);
  free(r->ca_file);
  free(r->user);
  free(r->password);
  free(r->authorization);
  free(r->depth);
  free(r->sent_body);
  free(r->sent_type);
  free(r->range);
  free(r->if_range);
  free(r->referrer);
  free(r->cookies);
  free(r);
}

/* Sets `*line` to a header line, unless the value is null; returns false if there is no memory. */
static bool make_header(char **line, const char *name, const char *value) {
  if (!value) return true;
  *line = malloc(strlen(name) + strlen(value) + 1);
  if (*line) strcat(strcpy(*line, name), value);
  return *line != nullptr;
}

/* Sets `*copy` to a copy of a text, unless it is null; returns false if there is no memory. */
static bool copy_text(char **copy, const char *text) {
  if (text) *copy = strdup(text);
  return *copy || !text;
}

request *request_make(const FetchOptions *options, FetchDone done, void *context) {
  request *r = calloc(1, sizeof *r);
  if (!r) return nullptr;
  r->done = done;
  r->context = context;
  r->timeout_ms = options->timeout_ms;
  r->total_ms = options->total_ms;
  r->max_bytes = options->max_bytes;
  r->max_media_bytes = options->max_media_bytes;
  r->sink = options->sink;
  r->inspect = options->inspect;
  r->is_medium = options->is_medium;
  r->inspected_length = FIRST_INSPECTION;
  bool has_texts = copy_text(&r->url, options->url) && copy_text(&r->method, options->method)
    && copy_text(&r->user_agent, options->user_agent) && copy_text(&r->ca_file, options->ca_file)
    && copy_text(&r->proxy, options->proxy)
    && copy_text(&r->user, options->user) && copy_text(&r->password, options->password)
    && copy_text(&r->sent_body, options->body);
  bool has_headers = make_header(&r->accept, "Accept: ", options->accept)
    && make_header(&r->if_none_match, "If-None-Match: ", options->if_none_match)
    && make_header(&r->if_modified_since, "If-Modified-Since: ", options->if_modified_since)
    && make_header(&r->authorization, "Authorization: ", options->authorization)
    && make_header(&r->depth, "Depth: ", options->depth)
    && make_header(&r->sent_type, "Content-Type: ", options->body_type)
    && make_header(&r->range, "Range: ", options->range) && make_header(&r->if_range, "If-Range: ", options->if_range)
    && make_header(&r->referrer, "Referer: ", options->referrer)
    && make_header(&r->cookies, "Cookie: ", options->cookies);
  if (has_texts && has_headers) return r;
  release(r, nullptr);
  return nullptr;
}

void request_free(request *r) { release(r, nullptr); }

// MARK: - Time

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void await_more(request *r) { r->silent_until = now_ms() + r->timeout_ms; }

// MARK: - Callbacks

static bool begins(const char *line, size_t length, const char *start) {
  return length >= strlen(start) && strncasecmp(line, start, strlen(start)) == 0;
}

static bool is_medium(request *r) {
  char *type = nullptr;
  long status = 0;
  curl.easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
  if (status / 100 != 2 || curl.easy_getinfo(r->easy, CURLINFO_CONTENT_TYPE, &type) != CURLE_OK || !type) return false;
  return (begins(type, strlen(type), "video/") || begins(type, strlen(type), "audio/"))
    && r->is_medium(r->head ? r->head : "", r->body, r->length);
}

static size_t pass_to_sink(request *r, const char *bytes, size_t count) {
  long status = 0;
  curl.easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
  r->is_cut = r->sink(r->context, status, r->head ? r->head : "", bytes, count) == FetchSinkEnough;
  // The callback may have waited for the disk.
  await_more(r);
  return r->is_cut ? 0 : count;
}

static void inspect(request *r) {
  long status = 0;
  curl.easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
  bool continues = status / 100 == 2 && r->inspect(r->context, r->body, r->length);
  if (!continues || r->length >= LAST_INSPECTION) r->inspect = nullptr;
  r->inspected_length = r->length * 2;
}

static size_t on_data(char *bytes, size_t size, size_t count, void *context) {
  request *r = context;
  size_t added = size * count;
  await_more(r);
  if (r->sink) return pass_to_sink(r, bytes, added);
  if (!r->is_checked && r->is_medium && r->max_media_bytes > 0 && r->length >= r->max_media_bytes) {
    r->is_checked = true;
    r->is_cut = is_medium(r);
    if (r->is_cut) return 0;
  }
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
  if (r->inspect && r->length >= r->inspected_length) inspect(r);
  return added;
}

/* Called for each header line, also of a proxy's answer and of informational answers, which come first. libcurl reports
   a Retry-After of 0 or of a past time like a missing one. */
static size_t on_header(char *line, size_t size, size_t count, void *context) {
  request *r = context;
  size_t length = size * count;
  // Without a time limit, a server could send headers forever.
  if (r->total_ms > 0) await_more(r);
  if (!r->head) {
    if (!(r->head = malloc(HEAD_CAPACITY))) return 0;
    r->head[0] = 0;
  }
  if (begins(line, length, "HTTP/")) {
    r->head_length = 0;
    r->asks_to_wait = false;
  }
  if (begins(line, length, "Retry-After:")) r->asks_to_wait = true;
  if (length < HEAD_CAPACITY - r->head_length) {
    memcpy(r->head + r->head_length, line, length);
    r->head_length += length;
    r->head[r->head_length] = 0;
  }
  return length;
}

// MARK: - Beginning

/* Old versions of libcurl do not know the texts; new ones may not know the bits. */
static CURLcode allow_http_alone(CURL *easy) {
  CURLcode code = curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  if (code != CURLE_UNKNOWN_OPTION) return code;
  return curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

static bool append_headers(request *r) {
  const char *lines[] = {
    r->accept, r->if_none_match, r->if_modified_since, r->authorization, r->depth,
    r->sent_type, r->range, r->if_range, r->referrer, r->cookies,
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (!lines[i]) continue;
    struct curl_slist *longer = curl.slist_append(r->headers, lines[i]);
    if (!longer) return false;
    r->headers = longer;
  }
  return true;
}

bool request_begin(request *r, CURLM *multi) {
  CURL *easy = r->easy = curl.easy_init();
  if (!easy) return false;
  if (!append_headers(r) || allow_http_alone(easy) != CURLE_OK) return false;
  if (curl.easy_setopt(easy, CURLOPT_URL, r->url) != CURLE_OK) return false;
  // Options that a version of libcurl does not know are left out; a proxy or a login must not be, without memory.
  bool has_memory = true;
#define SET(option, value) has_memory &= curl.easy_setopt(easy, CURLOPT_##option, value) != CURLE_OUT_OF_MEMORY
  SET(PRIVATE, r);
  SET(USERAGENT, r->user_agent);
  SET(HTTPHEADER, r->headers);
  // Decoded by the caller: libcurl refuses the whole answer for an unknown coding. The ranges of files are of coded bytes.
  SET(ACCEPT_ENCODING, r->sink ? "identity" : fetch_codings());
  SET(HTTP_CONTENT_DECODING, 0L);
  if (r->total_ms > 0) SET(TIMEOUT_MS, r->total_ms);
  SET(CONNECTTIMEOUT_MS, r->timeout_ms);
  SET(NOSIGNAL, 1L);
  SET(FOLLOWLOCATION, 0L);
  SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  SET(ERRORBUFFER, r->message);
  SET(WRITEFUNCTION, on_data);
  SET(WRITEDATA, r);
  SET(HEADERFUNCTION, on_header);
  SET(HEADERDATA, r);
  SET(PROXY, r->proxy);
  SET(NOPROXY, "");
  if (r->sent_body) SET(POSTFIELDS, r->sent_body);
  if (r->method) SET(CUSTOMREQUEST, r->method);
  if (r->user) {
    SET(HTTPAUTH, (long)CURLAUTH_BASIC);
    SET(USERNAME, r->user);
    SET(PASSWORD, r->password ? r->password : "");
  }
  if (r->ca_file) SET(CAINFO, r->ca_file);
#if LIBCURL_VERSION_NUM >= 0x075700
  /* Otherwise cancelling a request during its name lookup would block it and all others until the lookup ends. */
  SET(QUICK_EXIT, 1L);
#endif
#undef SET
  if (!has_memory) return false;
  await_more(r);
  return curl.multi_add_handle(multi, easy) == CURLM_OK;
}

// MARK: - Ending

static FetchFault fault_of(CURLcode code) {
  switch (code) {
    case CURLE_OK: return FetchFaultNone;
    case CURLE_COULDNT_RESOLVE_HOST: return FetchFaultNameNotFound;
    case CURLE_COULDNT_RESOLVE_PROXY: return FetchFaultProxyNotFound;
    case CURLE_PROXY: return FetchFaultProxyRefused;
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
    case CURLE_BAD_CONTENT_ENCODING: return FetchFaultUnreadable;
    case CURLE_URL_MALFORMAT: return FetchFaultAddress;
    default: return FetchFaultOther;
  }
}

/* Copies the results of the easy handle, which owns the texts. */
static void fill_in(FetchReply *reply, const request *r, CURLcode code) {
  char *text = nullptr;
  curl_off_t seconds = 0;
  curl.easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &reply->status);
  curl.easy_getinfo(r->easy, CURLINFO_HTTP_CONNECTCODE, &reply->proxy_status);
  curl.easy_getinfo(r->easy, CURLINFO_OS_ERRNO, &reply->system_error);
  if (curl.easy_getinfo(r->easy, CURLINFO_CONTENT_TYPE, &text) == CURLE_OK && text) reply->content_type = text;
  text = nullptr;
  if (curl.easy_getinfo(r->easy, CURLINFO_REDIRECT_URL, &text) == CURLE_OK) reply->redirect = text;
  if (r->asks_to_wait && curl.easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK) {
    reply->retry_after = seconds > 0 ? seconds : 1;
  }
  if (code == CURLE_OK) return;
  reply->message = r->message[0] ? r->message : curl.easy_strerror(code);
  if (reply->proxy_status != 0 && reply->proxy_status / 100 != 2) reply->fault = FetchFaultProxyRefused;
}

void request_end(request *r, CURLM *multi, FetchOutcome outcome, CURLcode code) {
  FetchReply reply = {.outcome = outcome, .fault = fault_of(code), .message = "", .content_type = "", .headers = ""};
  if (reply.fault == FetchFaultTimeout && r->head && !r->is_silent) reply.fault = FetchFaultSlow;
  if (r->easy) fill_in(&reply, r, code);
  if (outcome == FetchOutcomeAnswered) {
    reply.body = r->body;
    reply.body_length = r->length;
    if (r->head) reply.headers = r->head;
  }
  r->done(r->context, &reply);
  release(r, multi);
}
