#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Parses TOML documents with toml++ into a flat list of values.

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

/// A place in a document. Lines and columns count from 1; columns are in characters.
typedef struct TomlPlace {
  int line;
  int column;
} TomlPlace;

typedef struct TomlText {
  const char *_Nullable bytes;
  size_t count;
} TomlText;

/// A value. The values in a table or an array follow it in the list.
typedef struct TomlNode {
  TomlKind kind;
  TomlPlace place;
  /// The number of direct children.
  size_t child_count;
  /// The key in the enclosing table; empty in an array.
  TomlText key;
  TomlPlace key_place;
  TomlText string;
  int64_t integer;
  double number;
  bool boolean;
} TomlNode;

typedef struct TomlDocument TomlDocument;

/// Parses a document and returns it, never null. The caller frees it with toml_free(), which invalidates all texts.
TomlDocument *_Nonnull toml_read(const char *_Nullable bytes, size_t count);
void toml_free(TomlDocument *_Nonnull document);

/// Returns the place of the fault of a document that is not valid.
TomlPlace toml_fault(const TomlDocument *_Nonnull document);

/// Returns all values, the outermost table first; null if the document is faulty.
const TomlNode *_Nullable toml_nodes(const TomlDocument *_Nonnull document, size_t *_Nonnull count);

#ifdef __cplusplus
}
#endif
