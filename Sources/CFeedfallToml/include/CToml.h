#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// TOML documents by toml++, as a list of what is in them.

#ifdef __cplusplus
extern "C" {
#endif

#define TOML_CLOSED_ENUM __attribute__((enum_extensibility(closed)))

typedef enum TOML_CLOSED_ENUM TomlKind {
  TomlKindTable,
  TomlKindArray,
  TomlKindString,
  TomlKindInteger,
  TomlKindFloat,
  TomlKindBoolean,
  /// A date or a time.
  TomlKindMoment,
} TomlKind;

/// A place in a document; both count from 1, columns in characters.
typedef struct TomlPlace {
  int line;
  int column;
} TomlPlace;

typedef struct TomlText {
  const char *_Nullable bytes;
  size_t count;
} TomlText;

/// A value. What a table or an array holds follows it in the list.
typedef struct TomlNode {
  TomlKind kind;
  TomlPlace place;
  /// How many values it holds itself.
  size_t child_count;
  /// Under which key it stands in its table; empty in an array.
  TomlText key;
  TomlPlace key_place;
  TomlText string;
  int64_t integer;
  double number;
  bool boolean;
} TomlNode;

typedef struct TomlDocument TomlDocument;

/// Reads a document; never null. Whoever calls it frees it; all texts live as long as the document.
TomlDocument *_Nonnull toml_read(const char *_Nullable bytes, size_t count);
void toml_free(TomlDocument *_Nonnull document);

/// What is wrong with the document, and where; an empty text where nothing is.
TomlText toml_fault(const TomlDocument *_Nonnull document, TomlPlace *_Nonnull place);

/// All values, the outermost table first; null where the document is faulty.
const TomlNode *_Nullable toml_nodes(const TomlDocument *_Nonnull document, size_t *_Nonnull count);

#ifdef __cplusplus
}
#endif
