import FeedfallText

/// A file that a feed or service offers for a video, with the properties that determine the preferred one.
struct OfferedFile: Equatable {
  var url: MediaAddress
  /// The type in lower case, without parameters.
  private(set) var mimeType: String?
  var kind: MediaKind
  /// The title of the file itself. Files of an item with different titles are different films.
  var title: String?
  /// The languages of the audio in the spelling of the service.
  var language: String?
  /// In pixels.
  var width: Int?
  /// In pixels; 0 means that there is only audio.
  var height: Int?
  var byteCount: Int?
  var duration: VideoDuration?
  /// Whether it is only an extract, such as a trailer.
  var isSample = false
  /// Whether it precedes others of the same kind and language.
  var isDefault = false
  /// Whether most players have a decoder for the file; it precedes one of greater height that few have.
  var isWidelySupported = true
  /// The order among files of the same height, the smallest first.
  var rank = 0

  /// The type of a playlist for HTTP Live Streaming.
  static let hls = "application/vnd.apple.mpegurl"

  init(_ url: MediaAddress, type: String?, medium: String? = nil) {
    self.url = url
    mimeType = Self.cleaned(type)
    kind = MediaKind(type: mimeType, medium: medium, address: url)
    rank = isOggVideo ? 1 : 0
  }

  init(_ url: WebAddress, type: String?, medium: String? = nil) { self.init(.web(url), type: type, medium: medium) }

  /// Returns nil unless the address of a page names a media file, and not a page about one such as
  /// `/wiki/File:Film.webm`. The page of a shared file is replaced by the file.
  init?(page: WebAddress?) {
    guard let page, let kind = MediaKind(pathOf: page), [.stream, .video, .audio].contains(kind),
      page.pathSegments.last?.contains(":") == false
    else { return nil }
    self.init(KnownSite.file(ofPage: page) ?? page, type: nil)
  }

  var size: PixelSize? {
    get { width.flatMap { width in height.flatMap { PixelSize(width: width, height: $0) } } }
    set { (width, height) = (newValue?.width, newValue?.height) }
  }

  mutating func setType(_ text: String) {
    mimeType = Self.cleaned(text) ?? mimeType
    kind = MediaKind(type: mimeType, address: url)
    rank = isOggVideo ? 1 : 0
  }

  /// Whether it is a video in Ogg, whose codecs are the oldest of those that feeds offer.
  private var isOggVideo: Bool {
    kind == .video && (mimeType?.hasSuffix("ogg") ?? url.text.utf8.suffix(4).elementsEqual(".ogv".utf8))
  }

  mutating func merge(_ other: OfferedFile) {
    let isBetter =
      kind == .unknown
      ? other.isPlayable : other.kindOrder < kindOrder && (other.kind != .unknown || !isPlayable)
    if isBetter { (kind, mimeType) = (other.kind, other.mimeType ?? mimeType) }
    if size == nil { (width, height) = (other.width ?? width, other.height ?? height) }
    title = title ?? other.title
    language = language ?? other.language
    byteCount = byteCount ?? other.byteCount
    duration = duration ?? other.duration
    isSample = isSample || other.isSample
    isDefault = isDefault || other.isDefault
  }

  var isPlayable: Bool { kindOrder < 4 }

  /// Whether it is a stream with a length: no broadcast but another form of the film, which few servers still send.
  fileprivate var isRecordedStream: Bool { url.stream != nil && duration != nil }

  fileprivate var traits: FileTraits {
    FileTraits(kind: kind, height: height, language: language, isSample: isSample)
  }

  /// Streams, which contain all heights, come before files, and unknown kinds may be of a film.
  var kindOrder: Int {
    switch kind {
    case .stream: 0
    case .video: 1
    case .unknown: 2
    case .audio: 3
    case .picture, .player, .unusable: 4
    }
  }

  private static func cleaned(_ type: String?) -> String? {
    let bytes = type.map { $0.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != .comma }.map(\.lowercased) }
    guard let bytes = bytes?.trimmingBlanks(), !bytes.isEmpty, bytes.count <= 100,
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Video {
  /// The largest height that suits most screens.
  private static let usualHeight = 1_080

  /// Best first. Of the heights, `usualHeight` comes first, then smaller ones, then unknown ones, then greater ones.
  mutating func adopt(_ offers: [OfferedFile]) {
    let hasPage = if case .page = playback { true } else { false }
    let usable = ranked(offers.filter { $0.isPlayable && !(hasPage && $0.isRecordedStream) })
    guard let best = usable.first else { return }
    play(usable.map { MediaFile(url: $0.url, mimeType: $0.mimeType, $0.traits) })
    pictureSize = (best.kind == .audio ? nil : best.size) ?? pictureSize
    byteCount = best.byteCount ?? byteCount
    if !best.isSample { duration = duration ?? best.duration }
    if best.kind == .audio { flags.insert(.audioOnly) }
  }

  private func ranked(_ files: [OfferedFile]) -> [OfferedFile] {
    guard files.count > 1 else { return files }
    let traits = files.map { file in
      var traits = file.traits
      traits.language = traits.language ?? language
      return traits
    }
    let preferred = FileTraits.language(of: traits, preferring: language)
    let ranks = files.indices.map { index in
      let (file, traits) = (files[index], traits[index])
      return (
        traits.group(preferring: preferred), file.kindOrder,
        (file.isRecordedStream ? 4 : 0) + (file.isDefault ? 0 : 2) + (file.isWidelySupported ? 0 : 1),
        traits.distance(from: Self.usualHeight), file.rank, index
      )
    }
    return ranks.sorted { $0 < $1 }.map { files[$0.5] }
  }

  /// Returns the videos of an item with these files: this one, or one for each film if the files are different films.
  ///
  /// Whole films with different titles are different films; each is a video with the title of its files, in a group
  /// with the title of the item. Files with the same title, or without one, are copies.
  func films(_ files: [OfferedFile]) -> [Video] {
    let titles = Self.titles(of: files)
    guard titles.count > 1 else {
      var video = self
      video.adopt(files)
      return [video]
    }
    let files = Dictionary(grouping: files, by: \.title)
    return titles.prefix(Self.maximumFileCount).map { title in
      var video = self
      video.group = self.title
      if titles.count > Self.maximumFileCount { video.flags.insert(.filesLeftOut) }
      if let title {
        // With an ID by its place, a film would change its ID when the feed inserts another one.
        (video.id, video.title) = ("\(id)/\(title)", title)
        (video.chapters, video.chaptersURL) = ([], nil)
      }
      video.adopt(files[title] ?? [])
      return video
    }
  }

  /// The titles of the films in their order, nil for films without a title, then those of extracts without a film; only
  /// nil for a single film.
  private static func titles(of files: [OfferedFile]) -> [String?] {
    guard files.count > 1 else { return [nil] }
    var known: Set<String?> = []
    let playable = files.filter(\.isPlayable)
    let films = playable.filter { !$0.isSample }.map(\.title).filter { known.insert($0).inserted }
    guard films.count(where: { $0 != nil }) > 1, !films.compactMap(\.self).allSatisfy(namesQuality) else {
      return [nil]
    }
    return films + playable.filter(\.isSample).map(\.title).filter { $0 != nil && known.insert($0).inserted }
  }

  private static let qualityWords: Set<Substring> = [
    "4k", "8k", "audio", "avi", "aac", "definition", "flac", "flv", "full", "fullhd", "hd", "high", "hls", "hq", "kbps",
    "large", "low", "lq", "m4a", "m4v", "medium", "mkv", "mobile", "mov", "mp3", "mp4", "ogg", "ogv", "opus",
    "original",
    "quality", "resolution", "sd", "small", "stream", "uhd", "version", "video", "wav", "webm",
  ]

  /// Whether a title consists of a quality or a format alone, such as `HD (1080p)` or `MP4`: then the files are copies.
  private static func namesQuality(_ title: String) -> Bool {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    return !words.isEmpty
      && words.allSatisfy { word in
        let digits = word.prefix { $0.isNumber }
        return qualityWords.contains(word)
          || digits.count >= 3 && ["", "p", "i", "k", "kbps"].contains(word[digits.endIndex...])
          || word.split(separator: "x").count == 2 && word.allSatisfy { $0 == "x" || $0.isNumber }
      }
  }
}

/// The traits by which the files of a video are ranked for playing, downloading and display.
public struct FileTraits: Equatable, Sendable {
  package var kind: MediaKind
  /// In pixels; 0 means that there is only audio.
  public var height: Int?
  /// The languages of the audio as the feed writes them, such as `deu-eng`.
  public var language: String?
  /// Whether it is only an extract, such as a trailer.
  public var isSample: Bool

  package init(kind: MediaKind, height: Int? = nil, language: String? = nil, isSample: Bool = false) {
    self.height = kind == .audio ? 0 : height
    (self.kind, self.language, self.isSample) = (kind, language, isSample)
  }

  package mutating func merge(_ other: FileTraits) {
    if kind == .unknown { kind = other.kind }
    height = height ?? other.height
    language = language ?? other.language
    isSample = isSample || other.isSample
  }

  package var isSound: Bool { height == 0 || kind == .audio }

  /// Returns the first part of the rank, lower for a better file: whole films before extracts, then pictures before
  /// sound, then files in a language before others.
  package func group(preferring language: String?) -> Int {
    (isSample ? 4 : 0) + (isSound ? 2 : 0) + (isIn(language) ? 0 : 1)
  }

  /// Returns the second part of the rank, lower for a better file: streams, which contain all heights, then the nearest
  /// height up to the maximum, then unknown heights, then greater ones. All are equal without a maximum.
  package func distance(from maximum: Int?) -> Int {
    guard let maximum, kind != .stream, !isSound else { return 0 }
    guard let height else { return PixelSize.maximum }
    return height <= maximum ? maximum - height : PixelSize.maximum + height
  }

  /// Returns the preferred language of these files: that of the video if a file has it, otherwise that of the best file
  /// by `group(preferring:)`, the first one among equals.
  package static func language(of files: [FileTraits], preferring language: String? = nil) -> String? {
    if let language, files.contains(where: { $0.isIn(language) }) { return language }
    return files.min { $0.group(preferring: $0.language) < $1.group(preferring: $1.language) }?.language
  }

  /// Whether both lists have a language in common, regardless of its region. An unknown language equals only itself.
  private func isIn(_ other: String?) -> Bool {
    guard let language, let other, language != other else { return self.language == other }
    let codes = Self.codes(other)
    return Self.codes(language).contains { codes.contains($0) }
  }

  /// Both codes of `deu-eng`, only the first one of `pt-BR`.
  private static func codes(_ list: String) -> [String] {
    let parts = list.lowercased().split { !$0.isLetter }.map(String.init)
    let isList = parts.allSatisfy { $0.utf8.count == 3 }
    return isList ? parts : Array(parts.prefix(1))
  }
}
