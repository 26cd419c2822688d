import FeedfallFeeds
import FeedfallText

/// The facts about a video that its record stores, so that it can be shown and played after it has left its feed.
///
/// They are JSON in the vocabulary of `feedfall list --json`, without the secrets of addresses.
public struct StoredVideo: Equatable, Sendable {
  /// The origin of a newer description.
  public struct Origin: Sendable {
    fileprivate let isRounded: Bool
    /// The text of the source's scope; nil if the source is unknown.
    let source: String?
    /// The texts of all open sources.
    fileprivate let openSources: Set<String>

    /// A list, which may round dates and lengths.
    public static func list(of source: String? = nil, among openSources: Set<String> = []) -> Origin {
      Origin(isRounded: true, source: source, openSources: openSources)
    }

    /// The details of one video.
    public static func details(of source: String? = nil, among openSources: Set<String> = []) -> Origin {
      Origin(isRounded: false, source: source, openSources: openSources)
    }
  }

  /// An object without line breaks.
  package let text: String

  /// In bytes; longer ones are not read.
  package static let maximumLength = 4_096
  /// In bytes; longer addresses are not stored.
  private static let maximumAddressLength = 900
  /// In characters.
  private static let maximumTextLength = 200
  /// In seconds, ten days.
  private static let minimumDateTolerance = 10 * 86_400
  /// In milliseconds, a week.
  private static let adoptionPause = 7 * 86_400_000

  package init(unchecked text: String) { self.text = text }

  /// Selects the facts of a video. The source is the text of the scope of the source that lists it.
  public init(_ video: Video, of source: String? = nil) {
    var text = ""
    func add(_ name: String, _ json: String?, upTo maximumLength: Int = .max) {
      guard let json else { return }
      let member = "\(text.isEmpty ? "{" : ",")\"\(name)\":\(json)"
      // The closing brace is one more byte.
      if text.utf8.count + member.utf8.count < maximumLength { text += member }
    }
    func line(_ text: String) -> String { cleanedLine(text, limit: Self.maximumTextLength).quoted }
    func address(_ address: String?) -> String? {
      address.flatMap { $0.utf8.count <= Self.maximumAddressLength ? $0.quoted : nil }
    }
    add("title", line(video.title))
    add("channel", (video.channel ?? video.author).map(line))
    add("pageURL", address(Self.page(of: video)?.forStorage.text))
    add("published", video.published?.description.quoted)
    add("durationSeconds", video.duration?.seconds.map { "\($0)" })
    add("width", video.pictureSize.map { "\($0.width)" })
    add("height", video.pictureSize.map { "\($0.height)" })
    add("sourceScope", source?.quoted)
    // Titles of four-byte characters leave no room for all addresses.
    add("playbackURL", address(Self.file(of: video)?.forStorage.text), upTo: Self.maximumLength)
    let cover = video.covers.isEmpty ? nil : video.coverAddress?.web
    add("coverURL", address(cover?.forStorage.text), upTo: Self.maximumLength)
    add("channelURL", address(video.channelURL?.forStorage.text), upTo: Self.maximumLength)
    let author = video.channel == nil || video.author == video.channel ? nil : video.author
    add("author", author.map(line), upTo: Self.maximumLength)
    self.text = text + "}"
  }

  private static func page(of video: Video) -> WebAddress? {
    switch video.playback {
    case .page(let page), .details(_, let page?): page
    case .direct, .details, .list, .unknown: video.pageURL ?? video.players.first
    }
  }

  /// Without the headers of the source and without a secret. Others are found again by the key, in the open source.
  private static func file(of video: Video) -> MediaAddress? {
    guard case .direct(let files) = video.playback else { return nil }
    return files.first { $0.headers == nil && $0.url.frame == nil && !$0.url.text.hasSecretParameter }?.url
  }

  /// Returns the video of a record. A file of this machine is only played if it is the key itself, so that a log of
  /// another device cannot choose one. Returns nil if the text is invalid. O(n) in the length of the text.
  public func video(_ key: VideoKey) -> Video? {
    JSONObject(document: Array(text.utf8)).flatMap { Self.video(key, $0) }
  }

  /// Returns the video with the ID and the scope of which its key consists, so that it has the same keys as when it was
  /// listed. O(n) in the length of the text.
  public func identifiedVideo(_ key: VideoKey) -> Video? {
    guard let stored = self.video(key) else { return nil }
    guard let blank = key.text.firstIndex(of: " ") else { return stored }
    var video = stored
    video.id = String(key.text[key.text.index(after: blank)...])
    video.scope = FeedScope(text: String(key.text[..<blank]))
    return VideoKey(video) == key ? video : stored
  }

  /// Whether the facts are those of a video rather than of another one with its ID.
  func isOf(_ video: Video, _ key: VideoKey) -> Bool {
    guard let own = self.video(key), let other = StoredVideo(video).video(key) else { return false }
    return own.title == other.title && own.pageURL?.text.withoutQuery == other.pageURL?.text.withoutQuery
      && own.playsSameMedium(as: other)
  }

  func hasFile(of video: Video, _ key: VideoKey) -> Bool {
    guard let own = self.video(key), let other = StoredVideo(video).video(key) else { return false }
    return own.hasFile && own.playsSameMedium(as: other)
  }

  /// Whether the facts contradict those of a video with the same ID: neither the title nor any address agrees. The home
  /// page of a feed does not count: all its videos may have it.
  func isOfOther(than video: Video, _ key: VideoKey) -> Bool {
    // The usual case, without parsing.
    if text.utf8.starts(with: "{\"title\":\(video.title.quoted)".utf8) { return false }
    let facts = StoredVideo(video)
    guard let own = self.video(key), let other = facts.video(key), own.title != other.title else { return false }
    let pages = [own.pageURL, other.pageURL].compactMap { page in
      page.flatMap { $0.pathSegments.isEmpty ? nil : $0.text.withoutQuery }
    }
    let media = [own, other].compactMap { $0.hasFile ? $0.playbackURL?.text.withoutQuery : nil }
    let pairs = [pages, media].filter { $0.count == 2 }
    return !pairs.isEmpty && pairs.allSatisfy { $0[0] != $0[1] }
  }

  private static func video(_ key: VideoKey, _ object: JSONObject) -> Video? {
    guard let title = line(object["title"]) else { return nil }
    let page = object.address("pageURL", base: nil)
    var video = Video(id: key.text, title: title, playback: page.map(Playback.page) ?? .unknown)
    if let file = object["playbackURL"]?.string.flatMap({ file($0, key) }) {
      video.play([MediaFile(url: file)])
    }
    video.pageURL = page
    video.channel = line(object["channel"])
    video.author = line(object["author"])
    video.channelURL = object.address("channelURL", base: nil)
    video.covers = object.address("coverURL", base: nil).map { [Cover(url: $0)] } ?? []
    video.published = object["published"]?.string.flatMap { UnixTime(rfc3339: $0) }
    video.duration = object.count("durationSeconds").flatMap { VideoDuration(seconds: Double($0)) }
    video.pictureSize = object.count("width").flatMap { width in
      object.count("height").flatMap { PixelSize(width: width, height: $0) }
    }
    return video
  }

  /// Returns the facts as a newer description changes them; nil if it changes none.
  ///
  /// Facts that name a source change only through it. Another one adds missing facts: otherwise two sources with
  /// different titles would overwrite each other's facts at every refresh. Facts of a source that is no longer open are
  /// replaced after a week, so that programs with different sources overwrite each other's facts at most once a week.
  ///
  /// Facts that the description lacks stay, and so do those that a list only rounds: it may say "2 weeks ago" where the
  /// details have a date. Another query of an address is no change, because servers sign addresses in it, and neither
  /// is another cover or another address of the channel: each page might be followed by an event.
  /// Both times are in milliseconds since 1970.
  func updated(by newer: Video, _ key: VideoKey, from origin: Origin, storedAt: Int, at now: Int) -> StoredVideo? {
    let facts = StoredVideo(newer, of: origin.source)
    guard facts != self, let new = facts.video(key) else { return nil }
    guard let object = JSONObject(document: Array(text.utf8)), let old = Self.video(key, object) else { return facts }
    let source = object["sourceScope"]?.string
    let mayReplace = source.map { Self.mayReplace($0, storedAt: storedAt, origin, at: now) } ?? true
    // Addresses without room were left out in both.
    let merged =
      mayReplace
      ? StoredVideo(Self.replaced(old, by: new, from: origin, at: now), of: origin.source ?? source)
      : StoredVideo(old.completed(by: new), of: source)
    guard merged != self, let stored = merged.video(key), !stored.hasSameFacts(as: old) else { return nil }
    return merged
  }

  private static func mayReplace(_ source: String, storedAt: Int, _ origin: Origin, at now: Int) -> Bool {
    guard let newer = origin.source, newer != source else { return origin.source == source }
    let (age, overflow) = now.subtractingReportingOverflow(storedAt)
    // A time to come is that of a clock that was ahead, so the age is unknown.
    let mayBeOld = age >= adoptionPause || age < -UserData.maximumClockDifference
    return !overflow && mayBeOld && !origin.openSources.contains(source)
  }

  private static func replaced(_ old: Video, by newer: Video, from origin: Origin, at now: Int) -> Video {
    var new = newer
    let (dateTolerance, lengthTolerance) = origin.isRounded ? (dateTolerance(of: old.published, at: now), 1) : (0, 0)
    if isAbout(new.published?.seconds, old.published?.seconds, within: dateTolerance) { new.published = old.published }
    if isAbout(new.duration?.seconds, old.duration?.seconds, within: lengthTolerance) { new.duration = old.duration }
    return new.completed(by: old)
  }

  /// In seconds. Grows with the age, because "1 year ago" may be nearly two years ago.
  private static func dateTolerance(of published: UnixTime?, at now: Int) -> Int {
    guard let published else { return minimumDateTolerance }
    let (age, overflow) = (now / 1_000).subtractingReportingOverflow(published.seconds)
    return overflow ? minimumDateTolerance : max(minimumDateTolerance, age / 2)
  }

  /// Whether a number of seconds is missing or about the old one.
  private static func isAbout(_ new: Int?, _ old: Int?, within tolerance: Int) -> Bool {
    guard let new, let old else { return new == nil }
    let (difference, overflow) = new.subtractingReportingOverflow(old)
    return !overflow && difference.magnitude <= tolerance
  }

  package static let fileMember = "\"playbackURL\":\""
  package static let pageMember = "\"pageURL\":\""

  /// They contain no escapes. Quotes within other texts are escaped, so that none looks like a member.
  var fileAddress: String? { value(of: Self.fileMember) }
  var pageAddress: String? { value(of: Self.pageMember) }

  private func value(of member: String) -> String? {
    text.firstRange(of: member).map { String(text[$0.upperBound...].prefix { $0 != "\"" }) }
  }

  /// Parses a line of `feedfall list --json`; nil if it is no video. Only lists have a kind.
  public static func listed(_ line: [UInt8]) -> (key: VideoKey, video: Video)? {
    guard let object = JSONObject(document: line), object["kind"] == nil,
      let key = (object["recordID"] ?? object["id"])?.string.map({ VideoKey(text: $0) }), key.isValid,
      let video = StoredVideo(unchecked: String(decoding: line, as: UTF8.self)).video(key)
    else { return nil }
    return (key, video)
  }

  private static func line(_ value: JSONValue?) -> String? {
    value?.string.map { cleanedLine($0, limit: maximumTextLength) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func file(_ text: String, _ key: VideoKey) -> MediaAddress? {
    let folder = text == key.text ? FileAddress(path: "/".utf8) : nil
    return MediaAddress(medium: text, in: folder.map(MediaAddress.file))
  }
}

extension Video {
  fileprivate var hasFile: Bool { if case .direct = playback { true } else { false } }

  fileprivate func completed(by other: Video) -> Video {
    var video = self
    video.channel = channel ?? other.channel
    video.author = author ?? other.author
    video.channelURL = channelURL ?? other.channelURL
    video.published = published ?? other.published
    video.duration = duration ?? other.duration
    video.pictureSize = pictureSize ?? other.pictureSize
    video.pageURL = pageURL ?? other.pageURL
    if covers.isEmpty { video.covers = other.covers }
    if case .direct = other.playback, playbackURL == nil { video.playback = other.playback }
    return video
  }

  fileprivate func hasSameFacts(as other: Video) -> Bool {
    title == other.title && channel == other.channel && published == other.published && duration == other.duration
      && pictureSize == other.pictureSize && covers.isEmpty == other.covers.isEmpty
      && (channelURL == nil) == (other.channelURL == nil)
      && pageURL?.text.withoutQuery == other.pageURL?.text.withoutQuery && playsSameMedium(as: other)
  }

  fileprivate func playsSameMedium(as other: Video) -> Bool {
    playbackURL?.text.withoutQuery == other.playbackURL?.text.withoutQuery
  }
}

extension String {
  fileprivate var withoutQuery: Substring { prefix { $0 != "?" && $0 != "#" } }
}

/// Finds the video of each address. A page that several videos share names none of them.
package struct AddressOwners<Owner: Equatable> {
  private let addresses: Set<String>
  private var files: [String: [Owner]] = [:]
  private var pages: [String: [Owner]] = [:]

  /// - Parameter addresses: without secrets.
  package init(_ addresses: Set<String>) { self.addresses = addresses }

  package mutating func add(_ owner: Owner, file: String?, page: String?) {
    if let file, addresses.contains(file) { Self.add(owner, to: &files[file, default: []]) }
    if let page, page != file, addresses.contains(page) { Self.add(owner, to: &pages[page, default: []]) }
  }

  /// At most two: enough to know that an address is not unique.
  private static func add(_ owner: Owner, to owners: inout [Owner]) {
    if owners.count < 2, !owners.contains(owner) { owners.append(owner) }
  }

  /// The owner of each address that has exactly one. A file takes precedence over a page.
  package var unique: [String: Owner] {
    pages.merging(files) { $1 }.filter { $0.value.count == 1 }.mapValues { $0[0] }
  }
}
