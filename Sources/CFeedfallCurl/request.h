#pragma once
#include "CCurl.h"
#include "library.h"

#include <stdatomic.h>

/// One request, from its start to the call that tells how it ended.
typedef struct request {
  struct request *next;
  uint64_t id;
  FetchDone done;
  void *context;
  atomic_bool cancelled;
  /* From here on for the thread of the requests alone. */
  CURL *easy;
  struct curl_slist *headers;
  char *url, *user_agent, *accept, *ca_file, *if_none_match, *if_modified_since;
  bool is_direct;
  long timeout_ms;
  char *body;
  size_t length, capacity, max_bytes;
  bool too_large, asks_to_wait;
  /* The lines of the answer's head. */
  char *head;
  size_t head_length;
  char message[CURL_ERROR_SIZE];
} request;

/// A request that has not begun; null when there is no memory for it.
request *request_make(const FetchOptions *options, FetchDone done, void *context);

/// Hands a request to libcurl; false when it can't be done.
bool request_begin(request *r, CURLM *multi);

/// Tells how a request ended, and frees it.
void request_end(request *r, CURLM *multi, FetchOutcome outcome, CURLcode code);
