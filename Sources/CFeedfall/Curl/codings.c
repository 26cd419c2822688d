#define _GNU_SOURCE
#include "codings.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* The libraries are those that libcurl has loaded, so nothing is loaded for them. Their headers are not needed: the
   functions are part of their stable interfaces. */

enum { PIECE = 65536 };

typedef struct brotli {
  void *(*create)(void *allocate, void *release, void *context);
  int (*decode)(void *, size_t *in_count, const uint8_t **in, size_t *out_count, uint8_t **out, size_t *total);
  void (*destroy)(void *);
} brotli;

typedef struct zstd_buffer {
  void *bytes;
  size_t size, position;
} zstd_buffer;

typedef struct zstd {
  void *(*create)(void);
  size_t (*set)(void *, int parameter, int value);
  size_t (*decode)(void *, zstd_buffer *out, zstd_buffer *in);
  unsigned (*is_error)(size_t);
  size_t (*destroy)(void *);
} zstd;

static brotli brotli_functions;
static zstd zstd_functions;
/* Set before the first request is sent. */
static bool has_brotli, has_zstd;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void) {
  void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_NOLOAD);
#define FIND(target, name) (target = (__typeof__(target))dlsym(library, name))
  brotli *b = &brotli_functions;
  has_brotli = library && FIND(b->create, "BrotliDecoderCreateInstance")
    && FIND(b->decode, "BrotliDecoderDecompressStream") && FIND(b->destroy, "BrotliDecoderDestroyInstance");
  library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_NOLOAD);
  zstd *z = &zstd_functions;
  has_zstd = library && FIND(z->create, "ZSTD_createDCtx") && FIND(z->set, "ZSTD_DCtx_setParameter")
    && FIND(z->decode, "ZSTD_decompressStream") && FIND(z->is_error, "ZSTD_isError")
    && FIND(z->destroy, "ZSTD_freeDCtx");
#undef FIND
}

const char *fetch_codings(void) {
  pthread_once(&once, find);
  if (has_brotli && has_zstd) return "gzip, deflate, br, zstd";
  return has_brotli ? "gzip, deflate, br" : has_zstd ? "gzip, deflate, zstd" : "gzip, deflate";
}

/* The state of a decoder between two pieces. */
typedef struct state {
  FetchCoding coding;
  void *decoder;
  const uint8_t *in;
  size_t in_count;
  /* Whether other data may follow, because a whole frame of Zstandard has been read. */
  bool has_frame;
} state;

/* Fills a piece; sets `*count` to its length. `FetchDecodingTooLarge` means that more follows. */
static FetchDecoding next_brotli(state *s, uint8_t *piece, size_t *count) {
  enum { FAILURE, SUCCESS, NEEDS_INPUT };
  size_t room = PIECE;
  uint8_t *out = piece;
  int result = brotli_functions.decode(s->decoder, &s->in_count, &s->in, &room, &out, nullptr);
  *count = PIECE - room;
  switch (result) {
    case FAILURE: return FetchDecodingDamaged;
    case SUCCESS: return s->in_count > 0 ? FetchDecodingFollowed : FetchDecodingWhole;
    case NEEDS_INPUT: return FetchDecodingCut;
    default: return FetchDecodingTooLarge;
  }
}

/* As `next_brotli`. Several frames may follow each other. */
static FetchDecoding next_zstd(state *s, uint8_t *piece, size_t *count) {
  zstd_buffer in = {.bytes = (void *)s->in, .size = s->in_count};
  zstd_buffer out = {.bytes = piece, .size = PIECE};
  size_t result = zstd_functions.decode(s->decoder, &out, &in);
  *count = out.position;
  s->in += in.position;
  s->in_count -= in.position;
  if (zstd_functions.is_error(result)) return s->has_frame ? FetchDecodingWhole : FetchDecodingDamaged;
  s->has_frame |= result == 0;
  if (s->in_count > 0 && (in.position > 0 || out.position > 0)) return FetchDecodingTooLarge;
  if (result == 0) return FetchDecodingWhole;
  return out.position == PIECE ? FetchDecodingTooLarge : FetchDecodingCut;
}

static FetchDecoding decode(state *s, size_t limit, FetchContent content, void *context) {
  uint8_t *piece = malloc(PIECE);
  if (!piece) return FetchDecodingImpossible;
  FetchDecoding result = FetchDecodingTooLarge;
  size_t total = 0;
  while (result == FetchDecodingTooLarge) {
    size_t count = 0;
    result = s->coding == FetchCodingBrotli ? next_brotli(s, piece, &count) : next_zstd(s, piece, &count);
    if (count > limit - total) {
      result = FetchDecodingTooLarge;
      break;
    }
    if (count > 0) content(context, piece, count);
    total += count;
  }
  free(piece);
  return result;
}

FetchDecoding fetch_decode(
  FetchCoding coding, const uint8_t *bytes, size_t length, size_t limit, FetchContent content, void *context) {
  state s = {.coding = coding, .in = bytes, .in_count = length};
  FetchDecoding result = FetchDecodingImpossible;
  if (coding == FetchCodingBrotli && has_brotli) {
    s.decoder = brotli_functions.create(nullptr, nullptr, nullptr);
    if (s.decoder) {
      result = decode(&s, limit, content, context);
      brotli_functions.destroy(s.decoder);
    }
  } else if (coding == FetchCodingZstandard && has_zstd) {
    s.decoder = zstd_functions.create();
    if (s.decoder) {
      // The window that clients must support (RFC 9659): 8 MB.
      enum { WINDOW_LOG_MAX = 100, EIGHT_MEGABYTES = 23 };
      zstd_functions.set(s.decoder, WINDOW_LOG_MAX, EIGHT_MEGABYTES);
      result = decode(&s, limit, content, context);
      zstd_functions.destroy(s.decoder);
    }
  }
  return result;
}
