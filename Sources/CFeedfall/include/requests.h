#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// HTTP requests by libcurl, which is loaded for the first request. One thread performs all of them, except those with a
// sink: their thread may wait for the disk.

#define FETCH_CLOSED_ENUM __attribute__((enum_extensibility(closed)))

typedef enum FETCH_CLOSED_ENUM FetchOutcome {
  FetchOutcomeAnswered,
  FetchOutcomeFailed,
  FetchOutcomeCancelled,
  FetchOutcomeTooLarge,
  /// No usable libcurl is installed.
  FetchOutcomeNoLibrary,
} FetchOutcome;

typedef enum FETCH_CLOSED_ENUM FetchFault {
  FetchFaultNone,
  FetchFaultNameNotFound,
  FetchFaultProxyNotFound,
  /// The proxy answered, but refused the request.
  FetchFaultProxyRefused,
  FetchFaultNoConnection,
  /// Nothing arrived within the time-out.
  FetchFaultTimeout,
  /// The answer was not complete within its time limit.
  FetchFaultSlow,
  /// The server's certificate is not trusted.
  FetchFaultCertificate,
  FetchFaultEncryption,
  /// The file of trusted certificates could not be read.
  FetchFaultCertificateFile,
  /// The connection closed before the end of the answer.
  FetchFaultCut,
  /// The answer is not HTTP, or its encoding is invalid.
  FetchFaultUnreadable,
  FetchFaultAddress,
  FetchFaultOther,
} FetchFault;

/// The reaction of a sink to a piece of the body.
typedef enum FETCH_CLOSED_ENUM FetchSinkStep {
  FetchSinkContinue,
  /// Ends the request as a proper answer; the rest of the body is not needed.
  FetchSinkEnough,
} FetchSinkStep;

/// Receives a piece of the body on the thread of the requests, with the header lines of the answer.
typedef FetchSinkStep (*FetchSink)(
  void *_Nonnull context, long status, const char *_Nonnull headers, const char *_Nonnull bytes, size_t length);

/// Inspects the beginning of the body of a successful answer, on the thread of the requests. Returns whether to call it again
/// with a longer beginning.
typedef bool (*FetchInspection)(void *_Nonnull context, const char *_Nonnull bytes, size_t length);

/// Returns whether the body of a video or a sound, by its content type, is one, as playlists have such types, too. Receives
/// its beginning with the header lines of the answer, on the thread of the requests.
typedef bool (*FetchMediumCheck)(const char *_Nonnull headers, const char *_Nonnull bytes, size_t length);

typedef struct FetchOptions {
  const char *_Nonnull url;
  /// The method; null for GET.
  const char *_Nullable method;
  const char *_Nonnull user_agent;
  const char *_Nonnull accept;
  /// The ETag and the Last-Modified of a cached answer as its server sent them; null if there is none.
  const char *_Nullable if_none_match;
  const char *_Nullable if_modified_since;
  /// The user and the password for basic authorization (RFC 7617); null for none.
  const char *_Nullable user;
  const char *_Nullable password;
  /// The value of the Authorization header of another kind; null for none.
  const char *_Nullable authorization;
  /// The value of the Depth header (RFC 4918); null for none.
  const char *_Nullable depth;
  /// The body to send and its type; null for none.
  const char *_Nullable body;
  const char *_Nullable body_type;
  /// A file of trusted certificates to use instead of the system's; may be null.
  const char *_Nullable ca_file;
  /// The proxy, whatever the environment names; empty for a direct connection.
  const char *_Nonnull proxy;
  /// The longest time without any byte of an answer, from the name lookup on.
  long timeout_ms;
  /// The time limit of the whole request; 0 for none.
  long total_ms;
  /// The maximum size of the body as it is sent.
  size_t max_bytes;
  /// The count of bytes after which a body that passes `is_medium` ends as a proper answer; 0 for no such end.
  size_t max_media_bytes;
  FetchMediumCheck _Nullable is_medium;
  /// Receives the body of any status, as it is sent, instead of the reply. Null to collect the body. With a sink there is no
  /// limit on the size.
  FetchSink _Nullable sink;
  /// Called after about 1 KB of a collected body, and after each doubling up to 256 KB. Null for none.
  FetchInspection _Nullable inspect;
  /// The value of the Range header; null for the whole file. `if_range` is the validator of the known part.
  const char *_Nullable range;
  const char *_Nullable if_range;
  /// The value of the Referer header; null for none.
  const char *_Nullable referrer;
  /// The value of the Cookie header; null for none.
  const char *_Nullable cookies;
} FetchOptions;

typedef struct FetchReply {
  FetchOutcome outcome;
  FetchFault fault;
  /// libcurl's message about the fault; never null.
  const char *_Nonnull message;
  /// errno of the failed system call, if any.
  long system_error;
  long status;
  /// The proxy's status for CONNECT; 0 if none was sent.
  long proxy_status;
  /// As it was sent, with its codings.
  const char *_Nullable body;
  size_t body_length;
  const char *_Nonnull content_type;
  /// The header lines of the answer, each with its CR LF, as far as they fit into 64 KB; never null.
  const char *_Nonnull headers;
  /// The absolute target of a redirect, of any scheme; null if there is none.
  const char *_Nullable redirect;
  /// The seconds in Retry-After, in either form, at least 1; 0 if there is none.
  int64_t retry_after;
} FetchReply;

/// Called exactly once for a started request, on the thread of the requests. The reply is valid during the call.
typedef void (*FetchDone)(void *_Nonnull context, const FetchReply *_Nonnull reply);

/// Starts a request without following redirects. All texts are copied. Returns its ID, or 0 if there is no memory
/// or no thread for it: then `done` is not called.
uint64_t fetch_start(const FetchOptions *_Nonnull options, FetchDone _Nonnull done, void *_Nonnull context);

/// Cancels a request, from any thread. Has no effect on a request that has ended.
void fetch_cancel(uint64_t id);

// MARK: - Codings

typedef enum FETCH_CLOSED_ENUM FetchCoding { FetchCodingBrotli, FetchCodingZstandard } FetchCoding;

typedef enum FETCH_CLOSED_ENUM FetchDecoding {
  FetchDecodingWhole,
  /// Bytes that were not read follow the whole content.
  FetchDecodingFollowed,
  /// The data end before their content does.
  FetchDecodingCut,
  FetchDecodingDamaged,
  FetchDecodingTooLarge,
  /// There is no memory, or libcurl has not loaded the library.
  FetchDecodingImpossible,
} FetchDecoding;

typedef void (*FetchContent)(void *_Nonnull context, const uint8_t *_Nonnull bytes, size_t length);

/// Decodes a body of at most `limit` bytes with one of the libraries that libcurl itself uses.
FetchDecoding fetch_decode(
  FetchCoding coding, const uint8_t *_Nonnull bytes, size_t length, size_t limit, FetchContent _Nonnull content,
  void *_Nonnull context);
