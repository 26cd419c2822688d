/// The address of a video or a picture, on the web or on this machine.
///
/// Only a document that is a file itself, opened by the user, can refer to files: see `init(reference:in:)`.
public enum MediaAddress: Hashable, Sendable, CustomStringConvertible {
  case web(WebAddress)
  case file(FileAddress)
  /// A picture that is yet to be made of a video. Only a source creates it; no text is parsed as one.
  case frame(VideoFrame)

  /// The address: https, http or file; of a frame a name that no address has.
  public var text: String {
    switch self {
    case .web(let address): address.text
    case .file(let address): address.text
    case .frame(let frame): "frame:\(frame.byteCount):\(frame.modified.seconds):\(frame.file.text)"
    }
  }

  /// The address for the user to see: without a password.
  public var description: String {
    switch self {
    case .web(let address): address.description
    case .file(let address): address.text
    case .frame: "a frame of the video"
    }
  }

  /// The web address; nil for a file.
  public var web: WebAddress? {
    if case .web(let address) = self { address } else { nil }
  }

  /// The file; nil for a web address.
  public var file: FileAddress? {
    if case .file(let address) = self { address } else { nil }
  }

  /// The frame of a video; nil for an address.
  public var frame: VideoFrame? {
    if case .frame(let frame) = self { frame } else { nil }
  }

  /// The last part of the path, decoded and cleaned.
  package var name: String? {
    switch self {
    case .web(let address): address.pathSegments.last.map { cleanedLine($0) }.nonEmpty
    case .file(let address): cleanedLine(address.name).nonEmpty
    case .frame(let frame): cleanedLine(frame.file.name).nonEmpty
    }
  }
}

extension MediaAddress {
  /// A web address with `&` in place of the entities that remain in one that was escaped twice.
  package var unescapingAmpersands: MediaAddress { web.map { .web($0.unescapingAmpersands) } ?? self }

  /// How a document spells addresses.
  package enum Spelling {
    /// Percent-encoded.
    case address
    /// As plain paths, which playlists use.
    case path
  }

  /// Resolves a reference that occurs in a document.
  ///
  /// In a document from the web, or of unknown origin, only http and https addresses are valid. A file may also refer to
  /// files, by a path relative to its folder or by a file address. A reference with a character that is invalid in
  /// addresses is a path in any spelling. Backslashes of a path are read as slashes; a Windows path with a drive or a server
  /// is refused.
  package init?(reference text: String, in document: MediaAddress?, _ spelling: Spelling = .address) {
    guard let text = spelling == .path ? Self.withSlashes(text) : text else { return nil }
    switch document {
    case .file(let file):
      if let web = WebAddress(text) {
        self = .web(web)
      } else if let named = Self.file(text, in: file, Self.isPath(text) ? .path : spelling) {
        self = .file(named)
      } else {
        return nil
      }
    case .web, .frame, nil:
      if let web = WebAddress(text) {
        self = .web(web)
      } else if let base = document?.web,
        let web = WebAddress(reference: Self.isPath(text) ? Self.escaped(text) : text, base: base)
      {
        self = .web(web)
      } else {
        return nil
      }
    }
  }

  private static func withSlashes(_ text: String) -> String? {
    guard text.contains(ascii: .backslash), !text.contains(ascii: .slash) else { return text }
    let bytes = Array(text.utf8).trimmingBlanks()
    guard !bytes.starts(with: "\\\\".utf8), bytes[safe: 1] != .colon else { return nil }
    return String(decoding: bytes.map { $0 == .backslash ? .slash : $0 }, as: UTF8.self)
  }

  /// Whether a reference is a path, and not part of an address: it has no scheme, but a character that is invalid in
  /// addresses (RFC 3986, 2), such as a blank or a percent sign without digits. Letters outside ASCII do not count, because
  /// they also occur in addresses with escapes.
  private static func isPath(_ text: String) -> Bool {
    let start = text.utf8.first { !($0.isASCIILetter || $0.isASCIIDigit || $0 <= 0x20 || "+-.".utf8.contains($0)) }
    if start == .colon { return false }
    let bytes = Array(text.utf8).trimmingBlanks()
    var (hasLetters, hasEscapes, hasFragment) = (false, false, false)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0x80...: hasLetters = true
      case .percent:
        guard isEscape(bytes, index) else { return true }
        hasEscapes = true
      case UInt8(ascii: "#"):
        if hasFragment { return true }
        hasFragment = true
      case .space, .quote, .backslash, .openBrace, .closeBrace, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"),
        UInt8(ascii: "`"), UInt8(ascii: "|"):
        return true
      default: continue
      }
    }
    return hasLetters && !hasEscapes
  }

  private static func isEscape(_ bytes: [UInt8], _ index: Int) -> Bool {
    bytes[safe: index + 1]?.hexDigitValue != nil && bytes[safe: index + 2]?.hexDigitValue != nil
  }

  /// Escapes characters of a path from the web that are invalid in an address: `#`, and a percent sign without digits. A `?`
  /// begins the query, because unescaped blanks in addresses are more common there than question marks in names.
  private static func escaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "#") || byte == .percent && !isEscape(bytes, index) {
        PercentCoding.append(byte, to: &result)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func file(_ text: String, in document: FileAddress, _ spelling: Spelling) -> FileAddress? {
    let bytes = Array(text.utf8).trimmingBlanks()
    let schemes = ["file://localhost/", "file:///"]
    if let scheme = schemes.first(where: { bytes.prefix($0.utf8.count).map(\.lowercased).elementsEqual($0.utf8) }) {
      return document.file(at: PercentCoding.decodedBytes(bytes.dropFirst(scheme.utf8.count - 1), plusIsBlank: false))
    }
    guard !bytes.starts(with: "//".utf8) else { return nil }
    switch spelling {
    case .address:
      guard !AddressSyntax.hasScheme(bytes), !AddressSyntax.isPlaceholder(text) else { return nil }
      let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      return document.file(at: PercentCoding.decodedBytes(path, plusIsBlank: false))
    case .path:
      // `Film: 2.mp4` is a file name, `rtsp://…` is not.
      guard !bytes.contains(sequence: "://".utf8) else { return nil }
      return document.file(at: bytes)
    }
  }
}

/// A frame of a video file on this machine; a changed file has another one.
public struct VideoFrame: Hashable, Sendable {
  public let file: FileAddress
  public let byteCount: Int
  public let modified: UnixTime

  public init(of file: FileAddress, byteCount: Int, modified: UnixTime) {
    self.file = file
    self.byteCount = byteCount
    self.modified = modified
  }
}

/// A file on this machine, as an address that is safe to show and to pass to a player: `file:///a%20b.mp4`.
///
/// Paths are bytes without a known encoding, so all but plain ASCII is percent-encoded.
public struct FileAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address, in ASCII.
  public let text: String

  /// The length of the longest path that Linux accepts, in bytes.
  public static let maximumPathByteCount = 4_095

  private static let start = "file://"

  /// Returns nil for a relative path, a path that is too long or one that contains a zero byte.
  public init?(path: some Collection<UInt8>) {
    guard path.first == .slash, path.count <= Self.maximumPathByteCount, !path.contains(0) else { return nil }
    var bytes = Array(Self.start.utf8)
    for byte in path {
      if byte.isASCIILetter || byte.isASCIIDigit || "-._~/+,=@:".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        PercentCoding.append(byte, to: &bytes)
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The path in the bytes of the file system.
  public var path: [UInt8] {
    PercentCoding.decodedBytes(text.utf8.dropFirst(Self.start.utf8.count), plusIsBlank: false)
  }

  /// The last part of the path; invalid UTF-8 is replaced.
  public var name: String { String(decoding: path.split(separator: .slash).last ?? [], as: UTF8.self) }

  /// Returns the file at a path that is absolute or relative to the folder of this file.
  func file(at path: [UInt8]) -> FileAddress? {
    guard let first = path.first else { return nil }
    if first == .slash { return FileAddress(path: path) }
    let own = self.path
    let folder = own[...(own.lastIndex(of: .slash) ?? 0)]
    return FileAddress(path: folder + path)
  }

  public var description: String { text }
}
