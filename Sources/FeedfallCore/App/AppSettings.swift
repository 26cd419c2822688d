import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import WaterfallEngine

/// How the cards are laid out.
public enum LayoutKind: String, CaseIterable, Sendable {
  case waterfall
  case grid
  case list
  case carousel

  /// Whether it scrolls to the side.
  var isSideways: Bool { self == .carousel }
  /// The direction of scrolling, toward the end and toward the start.
  var forward: Direction { isSideways ? .right : .down }
  var backward: Direction { isSideways ? .left : .up }
  /// Pulls when there is nothing further toward the start.
  var pullCommand: Command { isSideways ? .moveLeft : .moveUp }
}

/// What belongs together under one header.
public enum Grouping: String, CaseIterable, Sendable {
  /// What the feed itself says belongs together.
  case feed
  /// What was published on one day; in one year where no more is known.
  case day
  /// What is of one channel.
  case channel
  case none

  func group(of video: Video) -> String? {
    switch self {
    case .feed: video.group
    case .day: video.published?.civilDate.description ?? video.year.map { String($0) } ?? "no date"
    case .channel: video.channel ?? video.author ?? "no channel"
    case .none: nil
    }
  }
}

/// How cards are laid out, whatever the layout.
public struct LayoutOptions: Equatable, Sendable {
  public var columns = ColumnRule.minimumWidth(24)
  public var order = ItemOrder.shortest
  public var grouping = Grouping.feed

  public init() {}
}

/// How far ahead of what is seen cards are loaded.
public enum ReadAhead: Equatable, Sendable {
  /// More is asked for when less than this many screens lie below what is seen.
  case screens(Int)
  /// More is asked for when fewer than this many cards lie behind the last one seen.
  case cards(Int)
}

/// What stays the same of a source while the program runs.
public struct SourceSettings: Equatable, Sendable {
  /// What it is called until its feed tells a title.
  public var name: String
  /// What the person calls it, whatever its feed says.
  public var givenName: String?
  public var policy = LoaderPolicy()
  public var readAhead = ReadAhead.screens(1)
  /// Whether it is on this machine, so that its pages are there in a moment; of others, pages may be kept from earlier
  /// to be shown until the new ones are there.
  public var isLocal: Bool

  public init(name: String, isLocal: Bool) {
    self.name = name
    self.isLocal = isLocal
  }
}

/// What stays the same while the program runs, apart from the layout that it starts with.
public struct AppSettings: Equatable, Sendable {
  /// At least one.
  public var sources: [SourceSettings]
  public var layout: LayoutKind
  public var layoutOptions: LayoutOptions
  /// Whether a browser can be started here; where not, addresses are copied instead.
  public var hasBrowser: Bool
  /// Whether the terminal takes what is copied; where not, addresses are only shown.
  public var hasClipboard: Bool
  /// Whether the terminal has colours enough for a video; where not, only its sound is played.
  public var hasColorsForVideo: Bool
  public var playing: PlaySettings
  /// Where videos were left off earlier.
  public var records: ResumeRecords

  public init(sources: [SourceSettings]) {
    self.sources = sources
    layout = .waterfall
    layoutOptions = LayoutOptions()
    hasBrowser = false
    hasClipboard = true
    hasColorsForVideo = true
    playing = PlaySettings()
    records = ResumeRecords()
  }
}
