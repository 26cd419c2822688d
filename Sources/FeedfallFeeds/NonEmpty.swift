extension String {
  /// Nil in place of the empty text.
  package var nonEmpty: String? { isEmpty ? nil : self }
}

extension String? {
  /// Nil in place of the empty text.
  package var nonEmpty: String? { flatMap(\.nonEmpty) }
}
