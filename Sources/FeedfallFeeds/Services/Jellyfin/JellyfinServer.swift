import FeedfallText

/// The requests to a Jellyfin server (api.jellyfin.org, the OpenAPI description of 10.9 and newer).
public struct JellyfinServer: Equatable, Sendable {
  /// The address of the server with a slash at its end, such as `https://host/jellyfin/`.
  public let base: WebAddress

  /// Ignores a query and a fragment of the address, and the address of the web client.
  public init?(_ address: WebAddress) {
    var segments = address.pathSegments
    if segments.last == "index.html" { segments.removeLast() }
    if segments.last == "web" { segments.removeLast() }
    let path = segments.map { PercentCoding.encodeSegment($0) + "/" }.joined()
    guard let base = WebAddress("\(address.origin)/\(path)") else { return nil }
    self.base = base
  }

  /// That of the records of a user. IDs are unique on the server, but positions and marks are those of a user.
  public func scope(ofUser id: JellyfinID) -> FeedScope { FeedScope(base.appending([("user", id.text)])) }

  private func address(_ path: String, _ items: [(name: String, value: String)] = []) -> WebAddress {
    let address = WebAddress(unchecked: base.text + path)
    return items.isEmpty ? address : address.appending(items)
  }

  /// The user of a key that belongs to one (`GetCurrentUser`).
  public var currentUser: WebAddress { address("Users/Me") }

  /// All users, for the key of an administrator (`GetUsers`).
  public var users: WebAddress { address("Users") }

  /// The libraries of a user (`GetUserViews`).
  public func libraries(of user: JellyfinID) -> WebAddress { address("UserViews", [("userId", user.text)]) }

  /// The videos that a user has begun (`GetResumeItems`).
  public func resumable(of user: JellyfinID, count: Int) -> WebAddress {
    address("UserItems/Resume", [("userId", user.text), ("mediaTypes", "Video"), ("limit", "\(count)")] + Self.fields)
  }

  /// The next episode of each series that a user watches (`GetNextUp`).
  public func nextUp(of user: JellyfinID, count: Int) -> WebAddress {
    address(
      "Shows/NextUp", [("userId", user.text), ("enableResumable", "false"), ("limit", "\(count)")] + Self.fields)
  }

  /// The videos in a library, the newest first (`GetItems`).
  public func items(in library: JellyfinID, of user: JellyfinID, start: Int, count: Int) -> WebAddress {
    address(
      "Items",
      [
        ("userId", user.text), ("parentId", library.text), ("recursive", "true"),
        ("includeItemTypes", "Movie,Episode,Video,MusicVideo"), ("excludeLocationTypes", "Virtual"),
        ("sortBy", "DateCreated"), ("sortOrder", "Descending"), ("startIndex", "\(start)"), ("limit", "\(count)"),
      ] + Self.fields)
  }

  private static let fields = [
    (name: "fields", value: "Overview,DateCreated,PrimaryImageAspectRatio,MediaSources"),
    ("enableImageTypes", "Primary"),
  ]

  /// The picture of an item (`GetItemImage`).
  func image(of item: JellyfinID, tag: JellyfinID) -> WebAddress {
    address("Items/\(item.text)/Images/Primary", [("maxWidth", "\(Self.imageWidth)"), ("tag", tag.text)])
  }

  static let imageWidth = 640

  func page(of item: JellyfinID) -> WebAddress { address("web/#/details?id=\(item.text)") }

  /// The unchanged file of a version of a video (`GetVideoStream`).
  func stream(of item: JellyfinID, version: JellyfinID) -> WebAddress {
    address("Videos/\(item.text)/stream", [("static", "true"), ("mediaSourceId", version.text)])
  }

  /// A version of a video, converted to HLS (`GetMasterHlsVideoPlaylist`).
  func convertedStream(of item: JellyfinID, version: JellyfinID) -> WebAddress {
    address(
      "Videos/\(item.text)/master.m3u8",
      [("mediaSourceId", version.text), ("videoCodec", "h264"), ("audioCodec", "aac")])
  }

  /// Returns the version of a video at this address; nil for other addresses.
  public func version(playedFrom address: WebAddress) -> Version? {
    let own = base.pathSegments
    let segments = address.pathSegments
    guard segments.count == own.count + 3, segments[own.count] == "Videos",
      let item = JellyfinID(segments[own.count + 1]),
      let version = address.queryValue("mediaSourceId").flatMap({ JellyfinID($0) })
    else { return nil }
    switch address {
    case stream(of: item, version: version): return Version(item: item, id: version, isConverted: false)
    case convertedStream(of: item, version: version): return Version(item: item, id: version, isConverted: true)
    default: return nil
    }
  }

  /// The address for reports on playback (`ReportPlaybackStart`, `ReportPlaybackProgress`, `ReportPlaybackStopped`).
  public func reports(_ moment: PlaybackReport.Moment) -> WebAddress {
    switch moment {
    case .started: address("Sessions/Playing")
    case .progress: address("Sessions/Playing/Progress")
    case .stopped: address("Sessions/Playing/Stopped")
    }
  }

  /// The address to store facts of a user about an item (`UpdateItemUserData`).
  public func userData(of item: JellyfinID, _ user: JellyfinID) -> WebAddress {
    address("UserItems/\(item.text)/UserData", [("userId", user.text)])
  }
}

extension JellyfinServer {
  /// A version of a video.
  public struct Version: Equatable, Sendable {
    public let item: JellyfinID
    let id: JellyfinID
    /// Whether the server converts the file while sending it.
    let isConverted: Bool
  }

  static let ticksPerSecond = 10_000_000.0

  /// Returns the report for the session of the key's user (`PlaybackProgressInfo`).
  public static func sessionBody(_ report: PlaybackReport, of version: Version) -> String {
    let isPaused = report.moment == .progress(isPaused: true)
    let method = version.isConverted ? "Transcode" : "DirectPlay"
    return #"{"ItemId":"\#(version.item.text)","MediaSourceId":"\#(version.id.text)","#
      + #""PositionTicks":\#(ticks(report.seconds)),"IsPaused":\#(isPaused),"CanSeek":true,"PlayMethod":"\#(method)"}"#
  }

  /// Returns the new position and its time for a user without a session (`UpdateUserItemDataDto`); nil at the start,
  /// where it has not changed.
  public static func userDataBody(_ report: PlaybackReport, at now: UnixTime) -> String? {
    guard report.moment != .started else { return nil }
    let date = #""LastPlayedDate":"\#(now)""#
    guard report.isWatched else { return #"{"PlaybackPositionTicks":\#(ticks(report.seconds)),\#(date)}"# }
    return report.moment == .stopped ? #"{"PlaybackPositionTicks":0,"Played":true,\#(date)}"# : nil
  }

  /// Returns the new value of a mark (`UpdateUserItemDataDto`); nil if it is not exchanged. `MarkPlayedItem` would also
  /// reset the position.
  public static func userDataBody(_ change: MarkChange) -> String? {
    change.mark.row.server.map { #"{"\#($0.jellyfin)":\#(change.isSet)}"# }
  }

  private static func ticks(_ seconds: Double) -> Int {
    Int(exactly: (min(max(seconds.isFinite ? seconds : 0, 0), 1e8) * ticksPerSecond).rounded()) ?? 0
  }
}

/// An identifier of a user, a library, an item or a picture: letters, digits and hyphens, so that it cannot change the
/// rest of an address.
public struct JellyfinID: Hashable, Sendable {
  public let text: String

  public init?(_ text: String) {
    guard (1...64).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.text = text
  }
}
