enum FactWords {
  static func answer(without facts: String) -> String { "the answer has no \(facts)" }
}
