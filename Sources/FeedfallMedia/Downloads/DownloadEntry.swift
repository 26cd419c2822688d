import FeedfallFeeds
import FeedfallRecords
import FeedfallText

struct DownloadEntry: Equatable, Sendable {
  enum State: Equatable, Sendable {
    case waiting
    case done(UnixTime)
    case failed(FeedFailure)
  }

  var request: DownloadRequest
  var folder: String
  var stem: String
  /// The video file, from shortly before it appears.
  var videoFile: StoredFile?
  /// Its cover and its subtitles.
  var companions: [StoredFile] = []
  var state = State.waiting
  /// The identity of the disk of the folder, from the first run on.
  var disk: String?
  var unread = Unread()

  var key: VideoKey { request.key }
  /// Whether it can be stored: an address with a password is not.
  var isStorable: Bool { !request.addresses.contains { $0.address.namesUser } }

  /// The state as of now; nil for a video file that has disappeared.
  func state(in folder: DownloadFolder) -> DownloadState? {
    guard let videoFile, case .done = state else { return listedState }
    guard let mark = folder.mark(of: videoFile.name) else { return nil }
    var current = self
    current.videoFile?.mark = mark
    return current.listedState
  }

  /// The state according to the list, without a look at the disk; nil for a complete download without a video file.
  var listedState: DownloadState? {
    switch state {
    case .waiting: return .waiting
    case .failed(let failure): return .failed(failure)
    case .done(let time):
      guard let videoFile, let address = FileAddress(path: "\(folder)/\(videoFile.name)".utf8) else { return nil }
      return .done(
        DownloadedFile(
          address: address, byteCount: videoFile.mark.byteCount, time: time,
          mayBeIncomplete: videoFile.mayBeIncomplete))
    }
  }
}

extension DownloadEntry {
  private static let maximumCompanionCount = 500
  private static let names: Set<String> = [
    "id", "title", "addresses", "cover", "source", "seconds", "bytes", "quality", "folder", "stem", "disk", "file",
    "fileMark", "incomplete", "companions", "companionMarks", "done", "failure", "advice",
  ]

  /// The data of a later version.
  struct Unread: Equatable, Sendable {
    var members: [[UInt8]] = []
    /// All addresses, if they have more than this version reads.
    var addresses: [UInt8]?
    /// The addresses of which these are the source.
    fileprivate var readAddresses: [UInt8] = []

    fileprivate init() {}

    /// - Parameter addresses: those that this version has read; nil drops the ones that it has not.
    fileprivate init(_ object: JSONObject, addresses: [UInt8]?) {
      members = object.members(except: names).map(Array.init)
      guard let addresses, let source = object["addresses"]?.source, !source.elementsEqual(addresses) else { return }
      (self.addresses, readAddresses) = (Array(source), addresses)
    }
  }

  var line: [UInt8] {
    let addresses = Self.line(request.addresses)
    let isKept = addresses == unread.readAddresses
    var members: [(name: String, value: JSONLine.Value)] = [
      ("id", .text(request.key.text)), ("title", .text(request.title)),
      ("addresses", .raw(isKept ? unread.addresses ?? addresses : addresses)),
      ("cover", .text(request.cover?.storableText)), ("source", .text(request.source)),
      ("seconds", .number(request.duration)), ("bytes", .number(request.byteCount)),
      ("quality", .text(request.quality?.text)),
      ("folder", .text(folder)), ("stem", .text(stem)), ("disk", .text(disk)), ("file", .text(videoFile?.name)),
      ("fileMark", .text(videoFile?.mark.text)),
      ("incomplete", .number(videoFile?.mayBeIncomplete == true ? 1 : nil)),
      ("companions", .texts(companions.map(\.name))),
      ("companionMarks", .texts(companions.map(\.mark.text))),
    ]
    switch state {
    case .waiting: break
    case .done(let time): members.append(("done", .number(time.seconds)))
    case .failed(let failure):
      members += [("failure", .text(failure.reason)), ("advice", .text(failure.advice))]
    }
    let end = unread.members.flatMap { [UInt8(ascii: ",")] + $0 }
    return JSONLine.text(members).utf8.dropLast() + end + [UInt8(ascii: "}")]
  }

  private static func line(_ addresses: [DownloadAddress]) -> [UInt8] {
    Array("[\(addresses.map { line($0) }.joined(separator: ","))]".utf8)
  }

  private static func line(_ address: DownloadAddress) -> String {
    JSONLine.text([
      ("kind", .text(address.kind.rawValue)), ("url", .text(address.address.forStorage.text)),
      ("lacks", .text(address.lacksSecret || address.address.hasSecret ? "secret" : nil)),
      ("userAgent", .text(address.headers?.userAgent)),
      ("referrer", .text(address.headers?.referrer?.textWithoutSecrets)),
      ("login", .number(address.needsLogin ? 1 : nil)),
    ])
  }

  /// Returns nil for an entry that is not valid, or would lead out of its folder.
  init?(_ object: JSONObject) {
    let addresses = object.objects("addresses", limit: DownloadRequest.maximumAddressCount).compactMap(Self.address)
    guard let id = object["id"]?.string, let title = object["title"]?.string.map({ cleanedLine($0) }),
      !addresses.isEmpty, let folder = object["folder"]?.string, folder.hasPrefix("/"), !folder.utf8.contains(0),
      let stem = object["stem"]?.string, DownloadName.isPlain(stem)
    else { return nil }
    let key = VideoKey(text: id)
    guard key.isValid else { return nil }
    request = DownloadRequest(
      key: key, title: title, addresses: addresses,
      cover: object["cover"]?.string.flatMap { WebAddress($0) }, source: object.line("source", limit: 500))
    request.duration = object.count("seconds")
    request.byteCount = object.count("bytes")
    request.quality = object["quality"]?.string.flatMap { DownloadQuality($0) }
    (self.folder, self.stem) = (folder, stem)
    disk = object.line("disk")
    videoFile = object["file"]?.string.flatMap { Self.file($0, object["fileMark"]?.string) }
    videoFile?.mayBeIncomplete = object.count("incomplete") == 1
    let marks = object.texts("companionMarks", limit: Self.maximumCompanionCount)
    companions = zip(object.texts("companions", limit: Self.maximumCompanionCount), marks).compactMap(Self.file)
    state = Self.state(object)
    // The secrets that earlier versions have stored are not kept.
    let hasSecret = addresses.contains { $0.address.hasSecret }
    unread = Unread(object, addresses: hasSecret ? nil : Self.line(addresses))
  }

  private static func state(_ object: JSONObject) -> State {
    if let seconds = object.count("done") {
      return .done(UnixTime(seconds: min(seconds, UserEvent.maximumTime / 1_000)))
    }
    guard let reason = object.line("failure", limit: 500) else { return .waiting }
    return .failed(FeedFailure(.temporary, reason, advice: object.line("advice", limit: 500)))
  }

  private static func file(_ name: String, _ mark: String?) -> StoredFile? {
    guard DownloadName.isPlain(name), let mark = mark.flatMap({ StoredFile.Mark(text: $0) }) else { return nil }
    return StoredFile(name: name, mark: mark)
  }

  private static func address(_ object: JSONObject) -> DownloadAddress? {
    guard let kind = object["kind"]?.string.flatMap(DownloadAddress.Kind.init),
      let address = object["url"]?.string.flatMap({ WebAddress($0) })
    else { return nil }
    let headers = RequestHeaders(userAgent: object["userAgent"]?.string, referrer: object["referrer"]?.string)
    var result = DownloadAddress(kind, address, headers: headers)
    result.lacksLogin = object.count("login") == 1
    result.lacksSecret = object["lacks"]?.string == "secret"
    return result
  }
}

extension WebAddress {
  /// Without a user, a query and a fragment, which may contain passwords and tokens.
  var textWithoutSecrets: String { String(withoutUser.text.prefix { $0 != "?" && $0 != "#" }) }

  /// The text without a fragment; nil if it has a user, or a parameter that messages hide.
  fileprivate var storableText: String? {
    namesUser || text.hidingPassword != text ? nil : String(text.prefix { $0 != "#" })
  }
}

/// A JSON object on one line, whose members have a fixed order. Members without a value are omitted.
enum JSONLine {
  enum Value {
    case text(String?)
    case number(Int?)
    /// A value in JSON.
    case raw([UInt8])
    case texts([String])

    fileprivate var json: String? {
      switch self {
      case .text(let text): text?.quoted
      case .number(let number): number.map { "\($0)" }
      case .raw(let bytes): String(decoding: bytes, as: UTF8.self)
      case .texts(let texts): "[" + texts.map(\.quoted).joined(separator: ",") + "]"
      }
    }
  }

  static func text(_ members: [(name: String, value: Value)]) -> String {
    "{" + members.compactMap { name, value in value.json.map { "\(name.quoted):\($0)" } }.joined(separator: ",") + "}"
  }
}
