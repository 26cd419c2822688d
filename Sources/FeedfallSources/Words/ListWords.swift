enum ListWords {
  static func cut(count: Int) -> String { "the list has more than \(count) sources. Only the first ones are opened." }
}
