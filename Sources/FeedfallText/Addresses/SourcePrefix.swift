/// A prefix that selects how a source is read, on the command line and in the configuration.
package enum SourcePrefix: String, CaseIterable, Sendable {
  case ytDlp = "yt-dlp:"
  case webDAV = "webdav+https://"
  case plainWebDAV = "webdav+http://"
  case davs = "davs://"
  case dav = "dav://"
  case jellyfin = "jellyfin+https://"
  case plainJellyfin = "jellyfin+http://"
  case googleReader = "greader+https://"
  case plainGoogleReader = "greader+http://"

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

  package func address(_ rest: String) -> WebAddress? {
    webScheme.map { WebAddress("\($0)://\(rest)") } ?? WebAddress(typed: rest)
  }
}
