import FeedfallText

/// A file that a service offers for a video, with what tells which one to prefer.
struct OfferedFile {
  var url: WebAddress
  /// Without its parameters, in lower case.
  var mimeType: String?
  var kind: MediaOffer.Kind
  /// The languages of its sound, as the service writes them.
  var language: String?
  var size: PixelSize?
  var byteCount: Int?
  var duration: VideoDuration?
  /// Among files of the same height the one with the least comes first.
  var rank = 0

  init(_ url: WebAddress, type: String?) {
    self.url = url
    mimeType = type.map { String($0.prefix { $0 != ";" }).lowercased() }.map { cleanedLine($0, limit: 100) }.nonEmpty
    kind = MediaOffer.kind(type: mimeType, medium: nil, url: url)
  }

  /// What more than this many rows costs is seldom worth it.
  private static let usualHeight = 1_080

  /// Pictures before sound; streams, which hold all heights, before files; the height that suits most screens first,
  /// then smaller ones, then larger ones.
  fileprivate func isPreferred(to other: OfferedFile) -> Bool { order.lexicographicallyPrecedes(other.order) }

  private var order: [Int] {
    let height = size?.height ?? 0
    let isTooHigh = height > Self.usualHeight
    return [kindOrder, isTooHigh ? 1 : 0, isTooHigh ? height : -height, rank]
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
  /// Plays the best of these files, and is as large, as heavy and as long as that one; stays as it is where none can be
  /// played.
  mutating func play(_ offers: [OfferedFile]) {
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
