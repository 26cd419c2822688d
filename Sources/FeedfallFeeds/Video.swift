import FeedfallText

/// A video as a feed tells it; every text is clean and every address checked.
public struct Video: Equatable, Sendable, Identifiable {
  /// Stable within its source; the key by which repeated items are recognised.
  public var id: String
  public var title: String
  public var duration: VideoDuration?
  /// The covers that the feed offers, in the feed's order.
  public var covers: [Cover]
  /// The picture's width and height in pixels, where the feed says both.
  public var pictureSize: PixelSize?
  /// Width divided by height, where the feed says only that.
  public var aspectRatio: Double?
  public var playback: Playback
  public var pageURL: WebAddress?
  public var author: String?
  public var channel: String?
  public var published: UnixTime?
  /// The year in which it came out, where the feed tells no day.
  public var year: Int? {
    get { storedYear.map(Int.init) }
    set { storedYear = newValue.flatMap(Int16.init(exactly:)) }
  }
  public var views: Int?
  /// The size of the file in bytes.
  public var byteCount: Int?
  public var summary: String?
  public var licence: String?
  public var licenceURL: WebAddress?
  /// Web players that show it, for where there is neither a file nor a page.
  public var players: [WebAddress] = []
  public var live: LiveState?
  public var flags: VideoFlags = []
  /// What the feed puts it under, such as a day or a programme.
  public var group: String?
  /// How many columns the feed wants it to take, 1 to 16.
  public var span: Int? {
    get { storedSpan.map(Int.init) }
    set { storedSpan = newValue.flatMap { (1...16).contains($0) ? Int8($0) : nil } }
  }
  /// Whether its source knows more of it than was worth finding out for a list.
  public var isPartial = false
  private var storedSpan: Int8?
  private var storedYear: Int16?

  public init(id: String, title: String, playback: Playback) {
    self.id = id
    self.title = title
    self.playback = playback
    covers = []
  }
}

extension Video {
  /// What stands for a title where the feed tells none.
  package static let untitled = "(untitled)"

  /// The address that a player is given and a person copies: the preferred media file, else the page.
  public var playbackURL: MediaAddress? {
    switch playback {
    case .direct(let files): files.first?.url
    case .page(let page): .web(page)
    case .details(_, let page): page.map(MediaAddress.web)
    case .unknown: nil
    }
  }

  /// The request that must come before this video can be played, where its feed needs one.
  public var detailsURL: WebAddress? {
    if case .details(let request, _) = playback { request } else { nil }
  }

  /// Whether its source can be asked for more of it.
  public var canBeCompleted: Bool { isPartial || detailsURL != nil }
}
