/// A prefix that selects how a source is read, such as `yt-dlp:https://site.example/talks`.
///
/// The command line and the configuration accept the same prefixes.
package enum SourcePrefix: String, CaseIterable, Sendable {
  case ytDlp = "yt-dlp:"
  /// A folder on a server that speaks WebDAV.
  case webDAV = "webdav+https://"
  case plainWebDAV = "webdav+http://"
  case davs = "davs://"
  case dav = "dav://"
  case jellyfin = "jellyfin+https://"
  case plainJellyfin = "jellyfin+http://"
  case googleReader = "greader+https://"
  case plainGoogleReader = "greader+http://"

  /// Splits a source into its prefix and the rest; nil for a source without a known prefix.
  package static func split(_ text: String) -> (prefix: SourcePrefix, rest: String)? {
    allCases.first { text.hasPrefix($0.rawValue) }.map { ($0, String(text.dropFirst($0.rawValue.count))) }
  }

  /// The scheme of the requests to the host that follows the prefix; nil if another address follows.
  package var webScheme: String? {
    switch self {
    case .ytDlp: nil
    case .webDAV, .davs, .jellyfin, .googleReader: "https"
    case .plainWebDAV, .dav, .plainJellyfin, .plainGoogleReader: "http"
    }
  }

  /// Returns the address to request for the rest of a source with this prefix; nil if it is invalid.
  package func address(_ rest: String) -> WebAddress? {
    webScheme.map { WebAddress("\($0)://\(rest)") } ?? WebAddress(typed: rest)
  }

  package func accepts(_ rest: String) -> Bool { address(rest) != nil }
}
