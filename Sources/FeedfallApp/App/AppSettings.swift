import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The layout of the cards; `traits` describes each.
public enum LayoutKind: String, CaseIterable, Sendable {
  case waterfall, grid, list, carousel, justified
}

/// The options of all layouts.
public struct LayoutOptions: Equatable, Sendable {
  public var columns = ColumnRule.minimumWidth(24)
  public var order = ItemOrder.shortest
  public var grouping = Grouping.feed
  public var card = CardStyle.modern
  /// The columns and rows between cards, up to `maximumSpacing`.
  public var spacing = Size(width: 2, height: 1)
  /// The columns and rows around the cards of each section, up to `maximumSpacing`; nil for a column on each side if
  /// the window is wide. The carousel centers its cards instead.
  public var inset: Size?
  /// Whether the carousel moves in several frames, and cards slide to other places where the terminal is fast.
  public var animates = false

  public static let maximumSpacing = 20

  public init() {}

  /// The cards that share a header.
  public enum Grouping: String, CaseIterable, Sendable {
    /// The groups of the feed, in its order: a group may return later.
    case feed
    /// The day of publication in the user's time zone, or the year if only that is known.
    case day
    case channel
    case none

    /// Whether the cards of a group are together, wherever the feed has them.
    var isGathered: Bool { self == .day || self == .channel }

    func group(of video: Video, in zone: LocalZone) -> String? {
      switch self {
      case .feed: video.group
      case .day: video.published.map(zone.day)?.description ?? video.year.map { String($0) } ?? Words.noDate
      case .channel: video.channel ?? video.author ?? Words.noChannelName
      case .none: nil
      }
    }
  }

  /// The look of the cards in the waterfall and the grid.
  public enum CardStyle: String, CaseIterable, Sendable {
    /// A cover, up to two lines of title, and a line with length and channel.
    case modern
    /// A cell 0.8 times as high as wide: 0.85 of it the picture with rounded top corners, 0.04 a gap, 0.11 the centered
    /// title.
    case classic
  }
}

/// The settings of a source.
public struct SourceSettings: Equatable, Sendable {
  /// The name until the feed states a title.
  public var name: String
  /// The address or path as given by the user, which distinguishes sources of one name.
  public var address = ""
  /// The name given by the user, which replaces the feed's title.
  public var givenName: String?
  /// Whether it comes from the configuration or a live list, unlike a search, a list of feeds or an opened address.
  public var isSubscription = false
  /// The name by which a later program finds the source, without a password; nil for a source without one.
  var storedName: String? { givenName ?? (address.isEmpty ? nil : address.hidingPassword) }
  /// The delay of a load-more after the view has come near the end; none while a part of the view is empty.
  public var debounce = Duration.milliseconds(500)
  /// More cards are also loaded when fewer than this number follow the last visible one, even if a screen is left.
  public var readAheadCount = 0
  /// The filter and the order of the source's videos.
  public var query = FilterQuery.empty
  /// The user's categories of the source.
  public var tags: [String] = []
  /// When it is refreshed without the user.
  public var refresh = RefreshRule.start
  /// The feeds of a live list, which has no videos; nil for another source.
  public var list: [SubscriptionList.Feed]?
  /// The name of the live list that it comes from; nil for a source of its own.
  public var listName: String?
  /// Whether the source is on this machine and answers at once. Cached pages of others are shown until they answer.
  public var isLocal: Bool
  /// Whether it is the built-in catalogue.
  public var isCatalogue = false
  /// Whether a tab shows it with others, under its name rather than the feed's title.
  public var isGrouped = false
  /// Whether its videos are the results of a search, whose words are in the name.
  public var isSearch = false

  public init(name: String, isLocal: Bool) { (self.name, self.isLocal) = (name, isLocal) }
}

/// A source of the configuration, which commands open by its name.
public struct Subscription: Equatable, Sendable {
  public var name: String
  public var address: String
  /// The filter and the order of its videos.
  public var query: FilterQuery
  public var tags: [String]
  /// Nil for that of the program.
  public var refresh: RefreshRule?

  public init(
    name: String, address: String, query: FilterQuery = .empty, tags: [String] = [], refresh: RefreshRule? = nil
  ) {
    (self.name, self.address, self.query, self.tags, self.refresh) = (name, address, query, tags, refresh)
  }
}

/// A tab of the videos of all sources that a filter includes. If the filter requires a record, the videos that have
/// left their feeds are included as well.
public struct ViewSettings: Equatable, Sendable {
  public var name: String
  public var query: FilterQuery
  /// Nil for that of the other tabs.
  public var layout: LayoutKind?
  /// The tab is only shown while a record has a value in this field; nil for always.
  var field: UserField?

  public init(name: String, query: FilterQuery, layout: LayoutKind? = nil) {
    (self.name, self.query, self.layout) = (name, query, layout)
  }

  private init(_ name: String, _ query: FilterQuery, of field: UserField) {
    self.init(name: name, query: query)
    self.field = field
  }

  static let queue = ViewSettings(Words.queueTab, .queue, of: .queued)
  static let history = ViewSettings(Words.historyTab, .history, of: .played)
  static let downloads = ViewSettings(Words.downloadsTab, .downloads, of: .download)
}

/// The values of the options that can change while the program runs.
public struct LiveOptions: Equatable, Sendable {
  public var layout: LayoutKind
  public var layoutOptions: LayoutOptions
  public var theme: ThemeSettings
  public var presentation: Presentation.Kind

  public init(
    layout: LayoutKind, layoutOptions: LayoutOptions, theme: ThemeSettings, presentation: Presentation.Kind = .cells
  ) {
    (self.layout, self.layoutOptions, self.theme, self.presentation) = (layout, layoutOptions, theme, presentation)
  }

  /// An option that can change while the program runs, for the completion of commands.
  public struct Word: Equatable, Sendable {
    public var name: String
    /// The name of the value, such as `n`.
    public var valueName: String
    /// The values to choose from; empty for a number or a size.
    public var values: [String]
    public var help: String

    public init(name: String, valueName: String, values: [String] = [], help: String) {
      (self.name, self.valueName, self.values, self.help) = (name, valueName, values, help)
    }

    var usage: String { "\(name) \(values.isEmpty ? valueName.uppercased() : values.joined(separator: "|"))" }
  }
}

/// The settings of the program, and the layout that it starts with.
public struct AppSettings: Equatable, Sendable {
  /// At least one.
  public var sources: [SourceSettings]
  /// The name of the one tab that shows all sources by rank; nil if each has a tab.
  public var group: String?
  /// The tabs behind those of the sources. The queue, the history and the downloads follow them.
  public var views: [ViewSettings] = []
  /// Whether a source has a tab only while it is selected.
  public var hidesSourceTabs = false
  /// Whether the first view is shown first, rather than the first tab.
  public var startsWithView = false
  /// When sources without a rule of their own are refreshed.
  public var refresh = RefreshRule.start
  /// Whether the first video plays at once, and the program quits when it ends.
  public var playsFirst = false
  public var layout = LayoutKind.waterfall
  public var layoutOptions = LayoutOptions()
  /// Whether a browser can be started; if not, addresses are copied.
  public var hasBrowser = false
  /// How the terminal can show videos, as far as it is known. Without a way, only the sound is played.
  public var videoOutput = VideoOutput.cells
  public var previews = PreviewSettings()
  public var playing = PlaySettings()
  /// Whether the segments of videos on YouTube are requested.
  public var requestsSegments = false
  /// Whether better titles of videos on YouTube are requested.
  public var requestsTitles = false
  /// The time zone in which days begin.
  public var zone = LocalZone.utc
  /// Determines the random order of cards and the shuffled one of playback.
  public var shuffleSeed: UInt64 = 0
  /// The user's records of videos.
  public var userData = UserData()
  /// Whether watched videos are hidden, except those that are watched while the program runs.
  public var hidesWatched = false
  /// The number of videos of a new source that do not count as watched; nil for all.
  public var newSourceCount: Int?
  /// Whether marks are exchanged with the servers of sources.
  public var exchangesMarks = false
  /// The commands that the user has typed before, the last one at the end.
  public var commandHistory: [String] = []
  public static let maximumCommandCount = 500
  /// The options that can change while the program runs.
  public var options: [LiveOptions.Word] = []
  public var keys = Keymaps.standard
  /// Whether yt-dlp is installed.
  public var hasYtDlp = false
  /// Where `s` searches in a tab whose server has no search.
  public var searchService = SearchService.peertube
  /// The sources of the configuration.
  public var subscriptions: [Subscription] = []
  /// The sources whose videos may leave https, by their names or addresses (`storedName`).
  public var sourcesAllowingHTTP: Set<String> = []
  /// The stored files that could not be read; the status line names them until the program ends.
  public var unreadable: [UnreadableFile] = []
  /// The downloads on this device.
  public var downloads: [VideoKey: DownloadState] = [:]
  /// The requests of the downloads in the order of the list.
  public var downloadRequests: [DownloadRequest] = []
  /// Downloads of earlier sessions that wait for the addresses of their videos.
  public var awaitedDownloads: [DownloadRequest] = []
  /// The place of the last session, which is shown again.
  public var place: ShownPlace?
  /// Whether the place is stored at the end.
  public var storesPlace = false
  /// A message about the configuration and the sources, shown from the start until the next key.
  public var notice: String?

  public init(sources: [SourceSettings]) { self.sources = sources }

  var allViews: [ViewSettings] { views + [.queue, .history, .downloads] }

  /// A stored file that could not be read, and is therefore not replaced, or one that cannot be written.
  public struct UnreadableFile: Equatable, Sendable {
    public enum Fault: Equatable, Sendable { case notRead, notSaved }

    /// The name of its content, such as `marks`.
    public var contents: String
    public var fault: Fault
    public var message: String

    public init(contents: String, _ fault: Fault = .notRead, message: String) {
      (self.contents, self.fault, self.message) = (contents, fault, message)
    }
  }
}

/// When a source on a server is refreshed without the user.
public enum RefreshRule: Equatable, Sendable {
  case start
  /// At the start, and each time this many minutes have passed.
  case every(minutes: Int)
  case manual

  private static let units: [(letter: Character, minutes: Int)] = [("m", 1), ("h", 60), ("d", 1_440)]
  /// From five minutes to thirty days.
  private static let limits = 5...43_200

  /// Parses `start`, `manual` or a time such as `30m`, `2h` or `1d`.
  public init?(_ text: String) {
    switch text {
    case "start": self = .start
    case "manual": self = .manual
    default:
      guard let unit = Self.units.first(where: { $0.letter == text.last }),
        let count = Int(text.dropLast()), text.first?.isNumber == true, (1...Self.limits.upperBound).contains(count)
      else { return nil }
      let minutes = count * unit.minutes
      guard Self.limits.contains(minutes) else { return nil }
      self = .every(minutes: minutes)
    }
  }

  public var text: String {
    switch self {
    case .start: "start"
    case .manual: "manual"
    case .every(let minutes): "\(minutes)m"
    }
  }

  /// Nil if the source is not refreshed by time.
  var interval: Duration? { if case .every(let minutes) = self { .seconds(minutes * 60) } else { nil } }
}
