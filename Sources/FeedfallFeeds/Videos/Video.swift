import FeedfallText

/// A video of a feed; all texts are cleaned and all addresses are valid.
public struct Video: Equatable, Sendable, Identifiable {
  /// The identifier, stable within a source; it serves to recognize repeated items.
  public var id: String
  /// The feed within which the ID is unique; nil if the ID is unique on its server or everywhere.
  public var scope: FeedScope?
  public var title: String
  public var duration: VideoDuration?
  // There may be 90,000 videos. Small properties stand where others leave padding, in an order that leaves none.
  /// Whether the source has more details than a list contains.
  public var isPartial = false
  public var flags: VideoFlags = []
  /// The flags that the source states either way.
  var statedFlags: VideoFlags = []
  private var storedSpan: Int8?
  /// Those of the video, in the order of the feed; then those in its text; then that of the channel.
  public var covers: [Cover]
  /// The size of the picture in pixels.
  public var pictureSize: PixelSize?
  /// Width divided by height, if the feed has no size.
  public var aspectRatio: Double?
  private var storedYear: Int16?
  private var storedRows: UInt8?
  public var playback: Playback
  /// 0 for none.
  private var storedLiveEnd: UInt32 = 0
  public var pageURL: WebAddress?
  public var author: String?
  public var channel: String?
  /// The address of the videos of the channel.
  public var channelURL: WebAddress?
  public var published: UnixTime?
  /// The year of publication, 1800 to 2200, if the feed has no date.
  public var year: Int? {
    get { storedYear.map(Int.init) }
    set { storedYear = newValue.flatMap { (1_800...2_200).contains($0) ? Int16($0) : nil } }
  }
  public var views: Int?
  /// The size of the file in bytes.
  public var byteCount: Int?
  public var summary: String?
  /// The languages of the audio, such as `en-US`, for files that state none.
  public var language: String?
  public var licence: String?
  public var licenceURL: WebAddress?
  /// The addresses of web players, for videos without a file or a page.
  public var players: [WebAddress] = []
  var statedLive = LiveState.Statement.unmentioned
  /// In ascending order; empty if the feed states none outside the description.
  public var chapters: [Chapter] = []
  /// The address of the chapters, if they need a request of their own.
  public var chaptersURL: WebAddress?
  private var storedExtras: BoxedExtras?
  /// The name of the group in which the feed lists the video, such as a day or a series.
  public var group: String?
  /// The count of columns that the feed suggests for the card, 1 to 16.
  public var span: Int? {
    get { storedSpan.map(Int.init) }
    set { storedSpan = newValue.flatMap { (1...16).contains($0) ? Int8($0) : nil } }
  }
  /// The position where the user stopped, in seconds, if the source stores positions; 0 for the start.
  public var resumeSeconds: Int? {
    get { storedResumeSeconds.map(Int.init) }
    set { storedResumeSeconds = newValue.flatMap { $0 >= 0 ? Int32(exactly: $0) : nil } }
  }
  /// When the user was at that position, according to the source, to the second; `timeOfStart` for no user.
  public var resumeTime: UnixTime? {
    get { storedResumeTime.map { UnixTime(seconds: Int($0)) } }
    set { storedResumeTime = newValue.flatMap { UInt32(exactly: $0.seconds) } }
  }
  /// The height that the feed suggests for the card, 1 to 200 rows.
  public var rows: Int? {
    get { storedRows.map(Int.init) }
    set { storedRows = newValue.flatMap { (1...200).contains($0) ? UInt8($0) : nil } }
  }
  /// Rare facts.
  public var extras: VideoExtras {
    get { storedExtras.map { $0.extras } ?? VideoExtras() }
    set { storedExtras = newValue == VideoExtras() ? nil : .box(newValue) }
  }
  /// When the live state ends, to the second.
  var liveEnd: UnixTime? {
    get { storedLiveEnd == 0 ? nil : UnixTime(seconds: Int(storedLiveEnd)) }
    set { storedLiveEnd = newValue.flatMap { UInt32(exactly: $0.seconds) } ?? 0 }
  }
  private var storedResumeSeconds: Int32?
  private var storedResumeTime: UInt32?

  /// Extras on the heap, because most of 90,000 videos have none.
  private indirect enum BoxedExtras: Equatable, Sendable {
    case box(VideoExtras)

    var extras: VideoExtras {
      switch self {
      case .box(let extras): extras
      }
    }
  }

  public init(id: String, title: String, playback: Playback) {
    (self.id, self.title, self.playback) = (id, title, playback)
    covers = []
    if case .direct(let files) = playback, files.first?.url.stream != nil { live = .live }
  }

  /// The number of files of a video, best first, and of films of one item, in their order.
  public static let maximumFileCount = 256

  /// Plays these files, the preferred one first; a stream that only the player opens is live.
  package mutating func play(_ files: [MediaFile]) {
    playback = .direct(Array(files.prefix(Self.maximumFileCount)))
    if files.count > Self.maximumFileCount { flags.insert(.filesLeftOut) }
    if files.first?.url.stream != nil { live = .live }
  }

  /// Returns the smallest cover that fills a frame in pixels, preferring covers in the shape of the picture. O(n).
  ///
  /// If no size is known, the first cover is used for a small frame and the last one for a large frame, because feeds
  /// list small covers first. Of pictures on this machine, the first one is that of the video, not of its folder.
  /// Pictures in the text are used in their order if the video has none, and that of the channel last.
  ///
  /// - Parameter covers: those to consider; nil for all.
  public func cover(fitting frame: PixelSize, among covers: [Cover]? = nil) -> Cover? {
    let covers = (covers ?? self.covers).best
    guard covers.count > 1, covers.first?.origin == .video else { return covers.first }
    let shaped = covers.filter { $0.isLandscape == nil || $0.isLandscape == isLandscape }
    let candidates = shaped.isEmpty ? covers[...] : shaped[...]
    let known = candidates.compactMap { cover in cover.area.map { (cover: cover, area: $0) } }
    let large = known.filter { $0.cover.fills(frame) }.min { $0.area < $1.area }
    let unknown = candidates.filter { $0.area == nil }
    let isSmall = frame.width <= Self.smallWidth || unknown.first?.url.file != nil
    return large?.cover ?? (isSmall ? unknown.first : unknown.last)
      ?? known.max { $0.area < $1.area }?.cover
  }

  /// The cover for a whole screen.
  public var largeCover: Cover? { Self.screen.flatMap { cover(fitting: $0) } }

  /// The address of the cover to copy; nil if the video has none, or one that is yet to be made.
  public var coverAddress: MediaAddress? { largeCover.flatMap { $0.url.frame == nil ? $0.url : nil } }

  /// In pixels.
  private static let smallWidth = 320
  private static let screen = PixelSize(width: 1_280, height: 720)

  /// Whether the picture is wider than high; true if its size is unknown, because most pictures are.
  private var isLandscape: Bool { pictureSize.map { $0.width >= $0.height } ?? aspectRatio.map { $0 >= 1 } ?? true }

  private static let usualAspect = 16.0 / 9.0

  /// Whether it is a film on this machine with a picture beside it, such as a poster. The card shows this picture, so
  /// the size of the film, which ffprobe may find at any time, holds only until that of the picture is known.
  public var hasPictureBeside: Bool { covers.first?.url.file != nil && playbackURL?.file != nil }

  /// Width divided by height of its picture according to the feed; nil if this names no size.
  public var namedAspect: Double? {
    if covers.best.contains(where: \.hasBars) { return Self.usualAspect }
    let ratio = aspectRatio.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    return (hasPictureBeside ? nil : pictureSize?.aspect) ?? ratio ?? covers.best.firstNonNil { $0.namedSize?.aspect }
  }

  /// Width divided by height of its picture as an earlier request for it has shown; nil if the feed names a size.
  public var learnedAspect: Double? { covers.best.firstNonNil { $0.learnedSize?.aspect } }

  /// Width divided by height of its picture: according to the feed, or else to the picture, or else that of its film or
  /// of most videos.
  public var aspect: Double { namedAspect ?? learnedAspect ?? pictureSize?.aspect ?? Self.usualAspect }

  /// Returns this video completed with the values of its details. The details can also state that a fact is absent,
  /// such as a live state; see `LiveState.Statement`.
  public func completed(by details: Video) -> Video {
    var video = self
    if details.title != Video.untitled { video.title = details.title }
    video.duration = details.duration ?? duration
    video.covers = details.covers.isEmpty ? covers : details.covers
    video.pictureSize = details.pictureSize ?? pictureSize
    video.aspectRatio = details.aspectRatio ?? aspectRatio
    if details.playback != .unknown { video.playback = details.playback }
    video.pageURL = details.pageURL ?? pageURL
    video.author = details.author ?? author
    video.channel = details.channel ?? channel
    video.channelURL = details.channelURL ?? channelURL
    video.published = details.published.flatMap { published?.isExactForm(of: $0) == true ? published : $0 } ?? published
    video.year = details.year ?? year
    video.views = details.views ?? views
    video.byteCount = details.byteCount ?? byteCount
    video.summary = details.summary ?? summary
    video.language = details.language ?? language
    video.licence = details.licence ?? licence
    video.licenceURL = details.licenceURL ?? licenceURL
    if !details.players.isEmpty { video.players = details.players }
    video.chapters = details.chapters.isEmpty ? chapters : details.chapters
    video.chaptersURL = details.chaptersURL ?? chaptersURL
    if details.resumeSeconds != nil {
      (video.resumeSeconds, video.resumeTime) = (details.resumeSeconds, details.resumeTime)
    }
    video.replaceStatements(by: details)
    if details.storedExtras != nil { video.extras.merge(details.extras) }
    return video
  }

  /// A video that is known only by the address of its file.
  package init(single address: MediaAddress) {
    let stem = address.name.map { name in name.lastIndex(of: ".").map { String(name[..<$0]) }.nonEmpty ?? name }
    self.init(
      id: address.text, title: stem ?? address.stream?.server ?? Video.untitled,
      playback: .direct([MediaFile(url: address)]))
    dropFragment()
  }

  /// Drops the fragment of an ID that is the address of the file: it names a part of the same file.
  mutating func dropFragment() {
    guard case .direct(let files) = playback, let file = files.first?.url.web, file.text == id else { return }
    let end = id.utf8.withContiguousStorageIfAvailable { bytes in bytes.firstIndex(of: UInt8(ascii: "#")) }
    if let end = end ?? nil { id = String(decoding: id.utf8.prefix(end), as: UTF8.self) }
  }

  /// The time of the position at which the address of a video says that it starts. It is before all positions of users.
  package static let timeOfStart = UnixTime(seconds: 0)

  /// Adopts, of each reference to files with several readings, the first that exists. The ID and the title follow if
  /// they were made of the file.
  mutating func resolveFiles(_ exists: (FileAddress) -> Bool) {
    func resolved(_ address: MediaAddress) -> MediaAddress? {
      guard let file = address.file, !file.otherReadings.isEmpty else { return nil }
      return .file(file.resolved(exists))
    }
    for index in covers.indices {
      if let url = resolved(covers[index].url) { covers[index].url = url }
    }
    guard case .direct(var files) = playback, files.contains(where: { $0.url.file?.otherReadings.isEmpty == false })
    else { return }
    let old = files[0].url
    for index in files.indices {
      if let url = resolved(files[index].url) { files[index].url = url }
    }
    playback = .direct(files)
    if id == old.text { id = files[0].url.text }
    if title == old.name, let name = files[0].url.name { title = name }
  }

  /// In characters.
  static let maximumLanguageLength = 40

  package static let untitled = "(untitled)"

  /// In characters.
  private static let longestOpening = 80

  /// Returns the first words of a text, which serve as the title of a video without one; `untitled` without any.
  static func opening(of text: String?) -> String {
    guard let text, let line = text.split(whereSeparator: \.isNewline).first else { return untitled }
    let start = line.prefix(longestOpening + 1)
    guard start.count > longestOpening else { return String(line) }
    let words = start.lastIndex(of: " ").map { start[..<$0] } ?? start.dropLast()
    return words + "…"
  }

  /// The address to play and to copy: the preferred media file, or the page.
  public var playbackURL: MediaAddress? {
    switch playback {
    case .direct(let files): files.first?.url
    case .page(let page): .web(page)
    case .details(_, let page): page.map(MediaAddress.web)
    case .list, .unknown: nil
    }
  }

  /// The address of the details request that must precede playing.
  public var detailsURL: WebAddress? {
    if case .details(let request, _) = playback { request } else { nil }
  }

  /// Whether the source can provide more details. Those of a list are its videos.
  public var canBeCompleted: Bool { list == nil && (isPartial || detailsURL != nil || chaptersURL != nil) }
}

extension Cover {
  fileprivate var area: Int? { namedSize.map { $0.width * $0.height } }

  fileprivate var isLandscape: Bool? { namedSize.map { $0.width > $0.height } }

  fileprivate func fills(_ frame: PixelSize) -> Bool {
    namedSize.map { $0.width >= frame.width || $0.height >= frame.height } ?? false
  }
}

extension UnixTime {
  private static let day = 86_400
  /// The distance of the first second of a day in any zone from that in UTC.
  private static let zones = -14 * 3_600...12 * 3_600

  /// Whether the other time is the first second of a year, a month or a day that has this time.
  ///
  /// A day is not that of a month or a year if this is a time of day. Then it is one that a list has computed from
  /// words such as "2 weeks ago", and the other time is exact.
  fileprivate func isExactForm(of other: UnixTime) -> Bool {
    guard other.seconds % Self.day == 0 else { return false }
    let (own, start) = (civilDate, other.civilDate)
    if seconds % Self.day == 0, start.day == 1, own.year == start.year, start.month == 1 || start.month == own.month {
      return true
    }
    let (distance, isTooFar) = seconds.subtractingReportingOverflow(other.seconds)
    return !isTooFar && (Self.zones.lowerBound..<Self.zones.upperBound + Self.day).contains(distance)
  }
}

extension [Video] {
  package func inGroup(_ name: String?) -> [Video] {
    map { video in
      var video = video
      video.group = name
      return video
    }
  }
}
