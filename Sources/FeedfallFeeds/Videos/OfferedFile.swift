import FeedfallText

/// A file that a feed or service offers for a video, with the properties that determine the preferred one.
struct OfferedFile {
  var url: WebAddress
  /// The type in lower case, without parameters.
  var mimeType: String?
  var kind: MediaKind
  /// The languages of the audio in the spelling of the service.
  var language: String?
  var size: PixelSize?
  var byteCount: Int?
  var duration: VideoDuration?
  /// Whether most players have a decoder for the file; it precedes one of greater height that few have.
  var isWidelySupported = true
  /// The order among files of the same height, the smallest first.
  var rank = 0

  init(_ url: WebAddress, type: String?) {
    self.url = url
    mimeType = type.map { String($0.prefix { $0 != ";" }).lowercased() }.map { cleanedLine($0, limit: 100) }.nonEmpty
    kind = MediaKind(type: mimeType, medium: nil, address: url)
  }

  /// The largest height that suits most screens.
  private static let usualHeight = 1_080

  /// Video comes before audio, and streams, which contain all heights, before files. Of the heights, `usualHeight` comes
  /// first, then smaller ones, then larger ones.
  fileprivate func isPreferred(to other: OfferedFile) -> Bool { order.lexicographicallyPrecedes(other.order) }

  private var order: [Int] {
    let height = size?.height ?? 0
    let isTooHigh = height > Self.usualHeight
    return [kindOrder, isWidelySupported ? 0 : 1, isTooHigh ? 1 : 0, isTooHigh ? height : -height, rank]
  }

  private var kindOrder: Int {
    switch kind {
    case .stream: 0
    case .video: 1
    case .unknown: 2
    case .audio: 3
    case .picture, .player, .unusable: 4
    }
  }

  fileprivate var isPlayable: Bool { kindOrder < 4 }
}

extension Video {
  /// Adopts the playable files, best first, with the size and duration of the best one; no change if none is playable.
  mutating func adopt(_ offers: [OfferedFile]) {
    let usable = offers.filter(\.isPlayable).enumerated().sorted {
      $0.element.isPreferred(to: $1.element)
        || (!$1.element.isPreferred(to: $0.element) && $0.offset < $1.offset)
    }.map(\.element)
    guard let best = usable.first else { return }
    playback = .direct(
      usable.map { MediaFile(url: $0.url, mimeType: $0.mimeType, height: $0.size?.height, language: $0.language) })
    pictureSize = best.size ?? pictureSize
    byteCount = best.byteCount ?? byteCount
    duration = duration ?? best.duration
    if best.kind == .audio { flags.insert(.audioOnly) }
  }
}

extension MediaKind {
  /// Determines the kind by MIME type, then file extension, then medium; PeerTube sends `audio/mp4` with
  /// `medium="video"`.
  init(type: String?, medium: String?, address: WebAddress) {
    if let kind = type.flatMap({ MediaKind(mimeType: $0, address: address) }) ?? MediaKind(pathOf: address) {
      self = kind
      return
    }
    switch medium {
    case "video": self = .video
    case "audio": self = .audio
    case "image": self = .picture
    case "document", "executable": self = .unusable
    default: self = type == nil || type == "application/octet-stream" ? .unknown : .unusable
    }
  }
}
