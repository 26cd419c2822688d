import FeedfallText

/// A fault in a filter, with its place and a message for the user.
public struct FilterError: Error, Equatable, Sendable {
  /// The place of the fault in characters, from 1.
  public let column: Int
  /// The reason, as a part of a sentence.
  public let reason: String
  /// What the user can do, as a sentence.
  public let advice: String

  init(at column: Int, _ reason: String, advice: String) {
    self.column = column
    self.reason = cleanedLine(reason, limit: 200)
    self.advice = cleanedLine(advice, limit: 200)
  }

  /// The fault in one line: `column 3: “chanel” is not a known field. Did you mean “channel”?`.
  public var text: String { "column \(column): \(reason). \(advice)" }

  static func unknown(
    _ name: String, _ kind: String, at column: Int, known: [String], otherwise: String
  ) -> FilterError {
    let advice = similarName(to: name, among: known).map { "Did you mean “\($0)”?" } ?? otherwise
    return FilterError(at: column, "“\(name)” is not a known \(kind)", advice: advice)
  }
}
