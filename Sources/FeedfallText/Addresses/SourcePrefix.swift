/// A prefix that selects how a source is read, such as `yt-dlp:https://site.example/talks`.
///
/// The command line and the configuration accept the same prefixes.
package enum SourcePrefix: String, CaseIterable, Sendable {
  /// A page for yt-dlp.
  case ytDlp = "yt-dlp:"

  /// Splits a source into its prefix and the rest; nil for a source without a known prefix.
  package static func split(_ text: String) -> (prefix: SourcePrefix, rest: String)? {
    allCases.first { text.hasPrefix($0.rawValue) }.map { ($0, String(text.dropFirst($0.rawValue.count))) }
  }

  /// Whether the rest of a source with this prefix is valid.
  package func accepts(_ rest: String) -> Bool {
    switch self {
    case .ytDlp: WebAddress(typed: rest) != nil
    }
  }
}
