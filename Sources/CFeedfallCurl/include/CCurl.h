#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// HTTP requests by libcurl, which is loaded when the first request is made; one thread makes them all.

#define FETCH_CLOSED_ENUM __attribute__((enum_extensibility(closed)))

/// How a request ended.
typedef enum FETCH_CLOSED_ENUM FetchOutcome {
  FetchOutcomeAnswered,
  FetchOutcomeFailed,
  FetchOutcomeCancelled,
  /// The answer went on after the allowed number of bytes.
  FetchOutcomeTooLarge,
  /// No usable libcurl on this system.
  FetchOutcomeNoLibrary,
} FetchOutcome;

/// Why a request failed.
typedef enum FETCH_CLOSED_ENUM FetchFault {
  FetchFaultNone,
  FetchFaultNameNotFound,
  FetchFaultProxyNotFound,
  /// The proxy is there but lets the request not through.
  FetchFaultProxyRefused,
  FetchFaultNoConnection,
  FetchFaultTimeout,
  /// The server's certificate is not one to trust.
  FetchFaultCertificate,
  /// No encrypted connection came about.
  FetchFaultEncryption,
  /// The file of certificates to trust could not be read.
  FetchFaultCertificateFile,
  /// The connection ended before the answer did.
  FetchFaultCut,
  /// What came is not HTTP, or is encoded wrongly.
  FetchFaultGarbage,
  FetchFaultAddress,
  FetchFaultOther,
} FetchFault;

typedef struct FetchOptions {
  const char *_Nonnull url;
  const char *_Nonnull user_agent;
  /// The value of the Accept header.
  const char *_Nonnull accept;
  /// The ETag and the Last-Modified of an answer that is kept, as its server sent them; null if there is none.
  const char *_Nullable if_none_match;
  const char *_Nullable if_modified_since;
  /// A file of certificates to trust instead of the system's; may be null.
  const char *_Nullable ca_file;
  /// Asks the host itself, whatever proxies the environment names.
  bool is_direct;
  /// For the whole request, from the name to the last byte.
  long timeout_ms;
  /// Counted after decompression.
  size_t max_bytes;
} FetchOptions;

typedef struct FetchReply {
  FetchOutcome outcome;
  FetchFault fault;
  /// libcurl's words for the fault; never null.
  const char *_Nonnull message;
  /// errno of the failed system call, where there was one.
  long system_error;
  long status;
  /// What the proxy answered to the wish for a connection; 0 if it was not asked for one.
  long proxy_status;
  const char *_Nullable body;
  size_t body_length;
  const char *_Nonnull content_type;
  /// The headers of the answer, a line each with its CR LF, as far as they fit into 64 KB; never null.
  const char *_Nonnull headers;
  /// The absolute address a redirect points to, of any scheme; null if there is none.
  const char *_Nullable redirect;
  /// Seconds, from either form of Retry-After and at least 1; 0 if there is none.
  int64_t retry_after;
} FetchReply;

/// Called exactly once for a started request, on the thread of the requests; the reply is valid during the call.
typedef void (*FetchDone)(void *_Nonnull context, const FetchReply *_Nonnull reply);

/// Starts a GET request without following redirects. All texts are copied. 0 when there is no memory or no
/// thread for it: then `done` is not called.
uint64_t fetch_start(const FetchOptions *_Nonnull options, FetchDone _Nonnull done, void *_Nonnull context);

/// Ends a request, from any thread, at any time; one that has ended already is left alone.
void fetch_cancel(uint64_t id);
