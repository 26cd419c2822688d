/// A text that is compared by its bytes. `String` ignores Unicode normalization, so that two IDs of a feed could be
/// equal.
package struct ExactText: Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }
}

extension ExactText: Hashable {
  // The hash may stay that of the text: equal bytes have equal hashes.
  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension String {
  /// Whether both have the same bytes; `==` ignores Unicode normalization.
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable {
        UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer($0))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
