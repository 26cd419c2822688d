#pragma once
#include "requests.h"
#include "library.h"

#include <stdatomic.h>

/// A request, from its start to the call of `done`.
typedef struct request {
  struct request *next;
  uint64_t id;
  FetchDone done;
  void *context;
  atomic_bool cancelled;
  /* Only for the thread of the requests from here on. */
  CURL *easy;
  struct curl_slist *headers;
  char *url, *method, *user_agent, *accept, *ca_file, *if_none_match, *if_modified_since;
  char *user, *password, *authorization, *depth, *sent_body, *sent_type;
  char *range, *if_range, *referrer, *cookies;
  FetchSink sink;
  FetchInspection inspect;
  FetchMediumCheck is_medium;
  char *proxy;
  long timeout_ms, total_ms;
  /* The time at which the request ends unless a byte arrives before, as of `now_ms`. */
  int64_t silent_until;
  bool is_silent;
  char *body;
  size_t length, capacity, max_bytes, max_media_bytes;
  /* The length of the body for the next call of `inspect`. */
  size_t inspected_length;
  bool too_large, asks_to_wait;
  /* Whether the rest of the body is not needed. */
  bool is_cut, is_checked;
  /* The header lines of the answer. */
  char *head;
  size_t head_length;
  char message[CURL_ERROR_SIZE];
} request;

/// Milliseconds of a clock that is never set.
int64_t now_ms(void);

/// Creates a request that is not started; returns null if there is no memory.
request *request_make(const FetchOptions *options, FetchDone done, void *context);

/// Frees a request that was never begun.
void request_free(request *r);

/// Passes a request to libcurl; returns false on failure.
bool request_begin(request *r, CURLM *multi);

/// Reports the outcome of a request, and frees it.
void request_end(request *r, CURLM *multi, FetchOutcome outcome, CURLcode code);
