import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// The meaning of an argument: an existing or apparent path is a file or a folder, anything else an address.
enum SourceArgument: Equatable {
  case file(path: String)
  case prefixed(SourcePrefix, rest: String)
  case web
  case stream(StreamAddress)
  case search(YtDlpSearch)
  /// An address that cannot be opened; `kind` says what it is.
  case unsupported(scheme: String, kind: String)

  init(_ text: String, exists: (String) -> Bool = Self.exists) {
    if let (prefix, rest) = SourcePrefix.split(text), !exists(text) {
      self = .prefixed(prefix, rest: rest)
    } else if let paths = FileAddress.paths(inAddress: text.utf8), !exists(text) {
      self = Self.file(atAnyOf: paths, exists)
    } else if let stream = StreamAddress(text), !exists(text) {
      self = .stream(stream)
    } else if let search = YtDlpSearch(text), !exists(text) {
      self = .search(search)
    } else if let row = Self.unsupportedRow(text), !exists(text) {
      self = .unsupported(scheme: row.scheme, kind: row.kind)
    } else if text.contains("://") {
      self = .web
    } else if exists(text) || Self.isPath(text) || WebAddress(typed: text) == nil {
      self = .file(path: text)
    } else {
      self = .web
    }
  }

  /// Returns the address that a text stands for; that of an existing file unchanged.
  static func expanded(_ text: String) -> String { exists(text) ? text : TypedAddress.expanded(text) }

  private static let unsupportedRows: [(schemes: [String], kind: String)] = [
    (["magnet"], "a BitTorrent link"), (["javascript", "data", "blob"], "a part of a web page"),
    (["ftp", "ftps", "sftp"], "a file server"), (["smb", "nfs"], "a network share"),
  ]

  private static func unsupportedRow(_ text: String) -> (scheme: String, kind: String)? {
    guard let (scheme, _) = split(text) else { return nil }
    return unsupportedRows.first { $0.schemes.contains(scheme) }.map { (scheme, $0.kind) }
  }

  private static func split(_ text: String) -> (scheme: String, rest: String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    return (text[..<colon].lowercased(), String(text[text.index(after: colon)...]))
  }

  /// Also with the extension of a feed's file: a mistyped `films.m3u` is a missing file, not a host.
  private static func isPath(_ text: String) -> Bool {
    let starts = ["/", "./", "../", "~"]
    return text.isEmpty || starts.contains(where: text.hasPrefix) || FileExtension.isDocumentName(text)
  }

  /// - Parameter paths: the readings of a file address; empty for a file on another machine.
  private static func file(atAnyOf paths: [[UInt8]], _ exists: (String) -> Bool) -> SourceArgument {
    // A zero byte would end the path for the system.
    let paths = paths.filter { !$0.contains(0) }.map { PathAlias.path($0[...]) ?? String(decoding: $0, as: UTF8.self) }
    let path = paths.first(where: exists) ?? paths.first
    return path.map { .file(path: $0) } ?? .unsupported(scheme: "file", kind: "a file on another machine")
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether a text names a source rather than words to search for.
  static func isSource(_ text: String) -> Bool {
    guard text != "-", case .file(let path) = SourceArgument(expanded(text)) else { return true }
    return exists(path) || isPath(path)
  }

  /// Whether a text is an address or a path by its form alone, unlike `node.js` and the name of a file.
  static func isWrittenAddress(_ text: String) -> Bool {
    text.contains("://") || SourcePrefix.split(text) != nil || ["/", "./", "../", "~/"].contains(where: text.hasPrefix)
  }
}
