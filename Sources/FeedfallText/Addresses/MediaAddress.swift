/// The address of a video or a picture, on the web or on this machine. Only a document that is a file itself, opened by
/// the user, can refer to files: see `init(reference:in:)`.
public enum MediaAddress: Hashable, Sendable, CustomStringConvertible {
  case web(WebAddress)
  case file(FileAddress)
  /// A live stream that only the player opens: see `init(medium:in:)`.
  case stream(StreamAddress)
  /// A picture that is yet to be made of a video. Only a source creates it; no text is parsed as one.
  indirect case frame(VideoFrame)

  /// The address: https, http or file; of a frame a name that no address has.
  public var text: String {
    switch self {
    case .web(let address): address.text
    case .file(let address): address.text
    case .stream(let address): address.text
    case .frame(let frame): "frame:\(frame.byteCount):\(frame.modified.seconds):\(frame.file.text)"
    }
  }

  /// The address for the user to see: without a password.
  public var description: String {
    switch self {
    case .web(let address): address.description
    case .file(let address): address.text
    case .stream(let address): address.description
    case .frame: "a frame of the video"
    }
  }

  /// The web address; nil for a file.
  public var web: WebAddress? { if case .web(let address) = self { address } else { nil } }

  /// The file; nil for a web address.
  public var file: FileAddress? { if case .file(let address) = self { address } else { nil } }

  /// The live stream; nil for another address.
  public var stream: StreamAddress? { if case .stream(let address) = self { address } else { nil } }

  /// The frame of a video; nil for an address.
  public var frame: VideoFrame? { if case .frame(let frame) = self { frame } else { nil } }

  package var name: String? {
    switch self {
    case .web(let address): address.pathSegments.last.map { cleanedLine($0) }.nonEmpty
    case .file(let address): cleanedLine(address.name).nonEmpty
    case .stream(let address): address.pathSegments.last.map { cleanedLine($0) }.nonEmpty
    case .frame(let frame): cleanedLine(frame.file.name).nonEmpty
    }
  }

  /// A web address with `&` in place of the entities that remain in one that was escaped twice.
  package var unescapingAmpersands: MediaAddress { web.map { .web($0.unescapingAmpersands) } ?? self }

  package enum Spelling {
    /// Percent-encoded.
    case address
    /// As plain paths, which playlists use.
    case path
  }

  /// In a document from the web, or of unknown origin, only http and https addresses are valid. A file may also refer
  /// to files, by a path relative to its folder or by a file address, of which the result has all readings. A reference
  /// with a character that is invalid in addresses is a path in any spelling. Backslashes of a path may be slashes; a
  /// Windows path with a drive or a server is refused.
  package init?(reference text: String, in document: MediaAddress?, _ spelling: Spelling = .address) {
    guard let slashed = spelling == .path ? Self.withSlashes(text) : text else { return nil }
    if let web = WebAddress(slashed) {
      self = .web(web)
      return
    }
    switch document {
    case .file(let file):
      guard let named = FileAddress(reference: text, in: file, Self.isPath(text) ? .path : spelling) else { return nil }
      self = .file(named)
    case .web(let base):
      let reference = Self.isPath(slashed) ? Self.escaped(slashed) : slashed
      guard let web = WebAddress(reference: reference, base: base) else { return nil }
      self = .web(web)
    case .stream, .frame, nil: return nil
    }
  }

  /// Resolves a reference to a medium to play, which may also be a live stream in a document of any origin.
  package init?(medium text: String, in document: MediaAddress?, _ spelling: Spelling = .address) {
    if let stream = StreamAddress(text) {
      self = .stream(stream)
    } else {
      self.init(reference: text, in: document, spelling)
    }
  }

  private static func withSlashes(_ text: String) -> String? {
    guard text.contains(ascii: .backslash), !text.contains(ascii: .slash) else { return text }
    let bytes = Array(text.utf8).trimmingBlanks()
    guard !bytes.starts(with: "\\\\".utf8), bytes[safe: 1] != .colon else { return nil }
    return String(decoding: bytes.map { $0 == .backslash ? .slash : $0 }, as: UTF8.self)
  }

  /// Whether a reference has no scheme, but a character that is invalid in addresses (RFC 3986, 2), such as a blank.
  /// Letters outside ASCII do not count, because they also occur in addresses with escapes.
  private static func isPath(_ text: String) -> Bool {
    let start = text.utf8.first { !($0.isASCIILetter || $0.isASCIIDigit || $0 <= 0x20 || "+-.".utf8.contains($0)) }
    if start == .colon { return false }
    let bytes = Array(text.utf8).trimmingBlanks()
    return bytes.contains(where: isInvalid) || !PercentCoding.isValid(bytes)
      || bytes.count { $0 == UInt8(ascii: "#") } > 1
      || bytes.contains { $0 >= 0x80 } && !bytes.contains(.percent)
  }

  private static func isInvalid(_ byte: UInt8) -> Bool {
    switch byte {
    case .space, .quote, .backslash, .openBrace, .closeBrace, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "|"):
      true
    default: false
    }
  }

  /// Escapes characters of a path from the web that are invalid in an address: `#`, and a percent sign without digits.
  /// A `?` begins the query, because unescaped blanks in addresses are more common there than question marks in names.
  private static func escaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "#") || byte == .percent && !PercentCoding.isEscape(at: index, in: bytes) {
        PercentCoding.append(byte, to: &result)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// A frame of a video file on this machine; a changed file has another one.
public struct VideoFrame: Hashable, Sendable {
  public let file: FileAddress
  public let byteCount: Int
  public let modified: UnixTime

  public init(of file: FileAddress, byteCount: Int, modified: UnixTime) {
    (self.file, self.byteCount, self.modified) = (file, byteCount, modified)
  }
}

/// A file on this machine, as an address that is safe to show and to pass to a player: `file:///a%20b.mp4`. Paths are
/// bytes without a known encoding, so all but plain ASCII is percent-encoded.
public struct FileAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address, in ASCII.
  public let text: String
  /// The files that the reference to this one may mean instead, the likelier ones first: programs differ in whether
  /// they encode the paths that they write. They do not count for equality.
  package private(set) var otherReadings: [FileAddress] = []

  /// The length of the longest path that Linux accepts, in bytes.
  public static let maximumPathByteCount = 4_095

  private static let scheme = "file:"
  private static let start = scheme + "//"

  /// Returns nil for a relative path, a path that is too long or one that contains a zero byte.
  public init?(path: some Collection<UInt8>) {
    guard path.first == .slash, path.count <= Self.maximumPathByteCount, !path.contains(0) else { return nil }
    text = Self.start + PercentCoding.encode(path, except: "-._~/+,=@:")
  }

  /// The path in the bytes of the file system.
  public var path: [UInt8] {
    PercentCoding.decodedBytes(text.utf8.dropFirst(Self.start.utf8.count), plusIsBlank: false)
  }

  /// The last part of the path; invalid UTF-8 is replaced.
  public var name: String { String(decoding: path.split(separator: .slash).last ?? [], as: UTF8.self) }

  public var description: String { text }

  public static func == (left: FileAddress, right: FileAddress) -> Bool { left.text == right.text }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The first reading that exists, else the likeliest one; without the others.
  package func resolved(_ exists: (FileAddress) -> Bool) -> FileAddress {
    var found = self
    if !otherReadings.isEmpty, !exists(self) { found = otherReadings.first(where: exists) ?? self }
    found.otherReadings = []
    return found
  }

  /// The possible paths in a file address (RFC 8089), the likeliest one first: `file:///a`, `file:/a` or
  /// `file://localhost/a`. Empty for a file on another machine; nil for a text that is not a file address.
  package static func paths(inAddress text: some Collection<UInt8>) -> [[UInt8]]? {
    guard text.prefix(scheme.utf8.count).map(\.lowercased).elementsEqual(scheme.utf8) else { return nil }
    var path = Array(text.dropFirst(scheme.utf8.count))
    if path.starts(with: "//".utf8) {
      let host = path.dropFirst(2).prefix { $0 != .slash }
      guard host.isEmpty || host.map(\.lowercased).elementsEqual("localhost".utf8) else { return [] }
      path = Array(path.dropFirst(2 + host.count))
    }
    guard path.first == .slash else { return nil }
    guard !isWindowsPath(path.dropFirst()) else { return [] }
    return withBackslashesRead(distinct([decoded(path), path, decoded(withoutQuery(path))]), of: path)
  }

  fileprivate init?(reference text: String, in document: FileAddress, _ spelling: MediaAddress.Spelling) {
    let bytes = Array(text.utf8).trimmingBlanks()
    let paths = Self.paths(inAddress: bytes) ?? Self.paths(bytes, spelling)
    var readings = Self.distinct(paths.compactMap(document.file(at:))).makeIterator()
    guard let first = readings.next() else { return nil }
    self = first
    otherReadings = Array(readings)
  }

  private static func paths(_ bytes: [UInt8], _ spelling: MediaAddress.Spelling) -> [[UInt8]] {
    guard !bytes.starts(with: "//".utf8), !isWindowsPath(bytes[...]) else { return [] }
    switch spelling {
    case .address:
      let path = withoutQuery(bytes)
      guard !path.isEmpty, !WebAddress.Syntax.hasScheme(bytes),
        !WebAddress.Syntax.isPlaceholder(String(decoding: bytes, as: UTF8.self))
      else { return [] }
      return withBackslashesRead(distinct([decoded(path), decoded(bytes), bytes]), of: bytes)
    case .path:
      // `Film: 2.mp4` is a file name, `rtsp://…` is not.
      guard !bytes.contains(sequence: "://".utf8) else { return [] }
      return withBackslashesRead(distinct([bytes, decoded(bytes)]), of: bytes)
    }
  }

  /// Adds the readings with slashes for backslashes; they are the likelier ones if the path has no slash.
  private static func withBackslashesRead(_ paths: [[UInt8]], of written: [UInt8]) -> [[UInt8]] {
    guard written.contains(.backslash) else { return paths }
    let slashed = paths.map { $0.map { $0 == .backslash ? .slash : $0 } }
    return distinct(written.contains(.slash) ? paths + slashed : slashed + paths)
  }

  /// Whether a path begins with a drive, as in `C:\films`, or with a server.
  private static func isWindowsPath(_ path: ArraySlice<UInt8>) -> Bool {
    let start = Array(path.prefix(3))
    if start.starts(with: "\\\\".utf8) { return true }
    return start.count == 3 && start[0].isASCIILetter && start[1] == .colon && [.slash, .backslash].contains(start[2])
  }

  private static func decoded(_ path: [UInt8]) -> [UInt8] {
    path.contains(.percent) ? PercentCoding.decodedBytes(path, plusIsBlank: false) : path
  }

  private static func withoutQuery(_ path: [UInt8]) -> [UInt8] {
    Array(path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  private static func distinct<Value: Equatable>(_ values: [Value]) -> [Value] {
    values.enumerated().filter { !values[..<$0.offset].contains($0.element) }.map(\.element)
  }

  private func file(at path: [UInt8]) -> FileAddress? {
    guard let first = path.first else { return nil }
    if first == .slash { return FileAddress(path: path) }
    let own = self.path
    let folder = own[...(own.lastIndex(of: .slash) ?? 0)]
    return FileAddress(path: folder + path)
  }
}

/// An absolute address of a live stream that only the player opens, such as `udp://@239.0.0.1:1234`. It is as safe as a
/// `WebAddress`, which it equals after its scheme; no request is sent to it.
public struct StreamAddress: Hashable, Sendable, CustomStringConvertible {
  /// The protocols that mpv and FFmpeg can open. Others, such as `file`, `concat` and `lavfi`, could read files of this
  /// machine.
  public enum Scheme: String, CaseIterable, Sendable {
    case rtsp, rtsps, rtmp, rtmps, rtmpt, rtmpts, rtmpe, rtmpte, srt, rist, udp, rtp, mms, mmsh, mmst

    /// Some programs write RTSP over TCP or UDP as a scheme of its own, which the player negotiates.
    fileprivate init?(named name: String) { self.init(rawValue: ["rtspt", "rtspu"].contains(name) ? "rtsp" : name) }
  }

  public let scheme: Scheme
  /// The address: scheme and host are in lower case, everything after the host is ASCII.
  public var text: String { scheme.rawValue + rest }
  /// The address after the scheme, from its colon on.
  private let rest: String

  private static func isInitial(_ letter: UInt8) -> Bool {
    letter == UInt8(ascii: "r") || letter == UInt8(ascii: "s") || letter == UInt8(ascii: "u")
      || letter == UInt8(ascii: "m")
  }

  /// Returns nil for another scheme and where a `WebAddress` would be invalid. Only udp and rtp can do without a host:
  /// they then receive on any address of this machine.
  public init?(_ text: String) {
    // Most addresses are http or https, and are dismissed by their first letter.
    guard let first = text.utf8.first, first <= .space || Self.isInitial(first | 0x20),
      text.utf8.count <= WebAddress.maximumByteCount
    else { return nil }
    let bytes = Array(text.utf8).trimmingBlanks()
    guard let colon = bytes.prefix(Self.longestScheme + 1).firstIndex(of: .colon),
      let scheme = Scheme(named: String(decoding: bytes[..<colon].map(\.lowercased), as: UTF8.self)),
      bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    self.scheme = scheme
    // Players write `udp://@239.0.0.1:1234` with an empty user.
    let hasEmptyUser = bytes[colon...].starts(with: "://@".utf8)
    let start = "://" + String(decoding: bytes[(colon + (hasEmptyUser ? 4 : 3))...], as: UTF8.self)
    if let address = WebAddress("http" + start) {
      rest = String(address.text.dropFirst("http".count))
    } else if [.udp, .rtp].contains(scheme), let rest = Self.withoutHost(start) {
      self.rest = rest
    } else {
      return nil
    }
  }

  /// Returns `://:1234?fifo_size=9` if the text has this form; nil otherwise.
  private static func withoutHost(_ text: String) -> String? {
    let start = "://:"
    guard text.hasPrefix(start), let address = WebAddress("http://any:" + text.dropFirst(start.count)),
      address.port != nil
    else { return nil }
    return start + address.text.dropFirst("http://any:".count)
  }

  private static let longestScheme = 6

  private var web: WebAddress { WebAddress(unchecked: "http" + rest) }

  package var server: String { String(web.origin.dropFirst("http://".count)) }
  package var pathSegments: [String] { web.pathSegments }
  var forStorage: StreamAddress { StreamAddress(scheme, rest: String(web.text.removingSecrets.dropFirst(4))) }
  var hasSecret: Bool { web.hasSecret }

  private init(_ scheme: Scheme, rest: String) { (self.scheme, self.rest) = (scheme, rest) }

  /// The address for the user to see: without its secrets.
  public var description: String { text.hidingPassword }
}
