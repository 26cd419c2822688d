import FeedfallDocuments
import FeedfallFeeds
import FeedfallText
import FeedfallUserData

/// A download in the list: its request, its place and its state.
struct DownloadEntry: Equatable, Sendable {
  enum State: Equatable, Sendable {
    case waiting
    case done(UnixTime)
    case failed(FeedFailure)
  }

  var request: DownloadRequest
  /// The absolute path of its folder.
  var folder: String
  /// The name of its files without extension.
  var stem: String
  /// The video file, from shortly before it appears.
  var videoFile: StoredFile?
  /// Its cover and its subtitles.
  var companions: [StoredFile] = []
  var state = State.waiting

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
      return .done(DownloadedFile(address: address, byteCount: videoFile.mark?.byteCount ?? 0, time: time))
    }
  }
}

// MARK: - JSON

extension DownloadEntry {
  private static let maximumCompanionCount = 500

  var line: JSONLine {
    var members: [(name: String, value: JSONLine.Value)] = [
      ("id", .text(request.key.text)), ("title", .text(request.title)),
      ("addresses", .objects(request.addresses.map(Self.line))),
      ("cover", .text(request.cover?.storableText)),
      ("folder", .text(folder)), ("stem", .text(stem)), ("file", .text(videoFile?.name)),
      ("fileMark", .text(videoFile?.mark?.text)), ("companions", .texts(companions.map(\.name))),
      ("companionMarks", .texts(companions.map { $0.mark?.text ?? "-" })),
    ]
    switch state {
    case .waiting: break
    case .done(let time): members.append(("done", .number(time.seconds)))
    case .failed(let failure):
      members += [("failure", .text(failure.reason)), ("advice", .text(failure.advice))]
    }
    return JSONLine(members)
  }

  private static func line(_ address: DownloadAddress) -> JSONLine {
    JSONLine([
      ("kind", .text(address.kind.rawValue)), ("url", .text(address.address.forStorage.text)),
      ("lacks", .text(address.address.hasSecret ? "secret" : nil)),
      ("userAgent", .text(address.headers?.userAgent)),
      ("referrer", .text(address.headers?.referrer?.withoutSecrets.text)),
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
      cover: object["cover"]?.string.flatMap { WebAddress($0) })
    self.folder = folder
    self.stem = stem
    videoFile = object["file"]?.string.flatMap { Self.file($0, object["fileMark"]?.string) }
    let marks = object.texts("companionMarks", limit: Self.maximumCompanionCount)
    companions = object.texts("companions", limit: Self.maximumCompanionCount).enumerated().compactMap { index, name in
      Self.file(name, index < marks.count ? marks[index] : nil)
    }
    if let seconds = object.count("done") {
      state = .done(UnixTime(seconds: min(seconds, UserEvent.maximumTime / 1_000)))
    } else if let reason = object.line("failure", limit: 500) {
      state = .failed(FeedFailure(.temporary, reason, advice: object.line("advice", limit: 500)))
    } else if object.objects("addresses", limit: DownloadRequest.maximumAddressCount).contains(where: Self.lacksSecret)
    {
      state = .failed(.withoutSecret)
    }
  }

  private static func file(_ name: String, _ mark: String?) -> StoredFile? {
    DownloadName.isPlain(name) ? StoredFile(name: name, mark: mark.flatMap { FileMark(text: $0) }) : nil
  }

  private static func lacksSecret(_ object: JSONObject) -> Bool { object["lacks"]?.string == "secret" }

  private static func address(_ object: JSONObject) -> DownloadAddress? {
    guard let kind = object["kind"]?.string.flatMap(DownloadAddress.Kind.init),
      let address = object["url"]?.string.flatMap({ WebAddress($0) })
    else { return nil }
    let headers = RequestHeaders(userAgent: object["userAgent"]?.string, referrer: object["referrer"]?.string)
    return DownloadAddress(kind, address, headers: headers)
  }
}

extension FeedFailure {
  /// The failure of a waiting download of another run, whose address was stored without its secret.
  fileprivate static let withoutSecret = FeedFailure(
    .temporary, "its address has a secret, which is not stored", advice: "download it again in the tab of its source")
}

extension WebAddress {
  /// Without a user, a query and a fragment, which may contain passwords and tokens.
  fileprivate var withoutSecrets: WebAddress {
    let plain = withoutUser
    return WebAddress(String(plain.text.prefix { $0 != "?" && $0 != "#" })) ?? plain
  }

  /// The text without a fragment; nil if it has a user, or a parameter that messages hide.
  fileprivate var storableText: String? {
    namesUser || text.hidingPassword != text ? nil : String(text.prefix { $0 != "#" })
  }
}
