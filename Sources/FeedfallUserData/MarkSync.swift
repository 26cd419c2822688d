import FeedfallFeeds
import FeedfallText

/// The state of a three-way merge between the user's records and the marks on a server: a read entry is a watched video,
/// a starred one a starred video.
///
/// For each mark of each video it stores the value that both sides had last. A mark of the server that differs was
/// changed by another client, one of the records by the user. A mark has two values, so both changes together are
/// equal. At the first contact there is no such value: then nothing is sent, and the server's marks become events that
/// are older than all others, so that they overwrite nothing.
///
/// If there are too many agreements, the oldest ones on marks that neither side has ever changed are evicted. After the
/// first contact, such a mark counts as not set on either side, so that a later change by the user is still sent. A mark
/// that the user removes nevertheless, or sets again, was set before: then the server's value is unknown, and each change
/// is sent.
///
/// Unsent changes are never evicted. If they leave no room, further marks of the server are ignored until they are sent.
public struct MarkSync: Equatable, Sendable {
  private let scope: FeedScope
  /// The name of this device, which sends only its own changes.
  private let device: String
  private var agreements = Agreements()
  /// The time of the first contact, in milliseconds since 1970, or a later one since which no agreement on a changed mark
  /// was evicted; nil before the first contact.
  private var contact: Int?
  /// The changes that the server lacks.
  private var unsent: [Place: Unsent] = [:]
  /// The part of `unsent` that the server refuses.
  private var refused: Set<Place> = []
  /// The part of `unsent` that is sent one by one, because the server has refused several together.
  private var separate: Set<Place> = []
  private var sending: MarkChange?
  /// The marks that this program has changed; nil after `findUnsent`, whose records may be older.
  private var changed: Set<Place>? = []
  /// Whether marks of the server have been ignored because the limit is reached, and whether this was reported.
  private var (ignoresMarks, hasReported) = (false, false)

  fileprivate struct Place: Hashable {
    /// That of the video within its scope.
    var id: String
    var mark: ServerMark
  }

  /// The value that both sides had last.
  fileprivate struct Agreement: Equatable {
    /// Nil if the server's value is unknown: then no change by the user agrees with it.
    var isSet: Bool?
    /// In milliseconds since 1970.
    var time: Int
  }

  /// Agreements, with the number of those on marks that are not set: many of these can be evicted.
  private struct Agreements: Equatable {
    private(set) var values: [Place: Agreement] = [:]
    private(set) var unsetCount = 0

    subscript(place: Place) -> Agreement? {
      get { values[place] }
      set {
        let old = values[place]
        values[place] = newValue
        unsetCount += (newValue?.isSet == false ? 1 : 0) - (old?.isSet == false ? 1 : 0)
      }
    }

    var setCount: Int { values.count - unsetCount }
  }

  private struct Unsent: Equatable {
    var isSet: Bool
    /// That of the user's change.
    var time: Int
  }

  /// The numbers of agreements, on marks that are not set and on the others, above which `isFull` is true.
  private var (fullUnsetCount, fullSetCount): (Int, Int)
  private let limits: Limits

  /// The maximum numbers of agreements, on marks that neither side has ever changed and on the others.
  struct Limits: Equatable, Sendable {
    var (unchanged, changed) = (10_000, 200_000)

    /// The number of agreements from which on further marks of the server are ignored. Agreements exceed their maximum
    /// numbers until the next eviction, and unsent ones stay.
    var count: Int { 2 * (unchanged + changed) }
    /// The maximum number of lines in a text. Changes by the user need agreements even if the limit is reached.
    fileprivate var lineCount: Int { 2 * count }
  }

  /// In bytes.
  private static let maximumIDLength = 64
  /// The time of the server's events at the first contact.
  private static let earliestTime = 1

  public init(scope: FeedScope, device: String) { self.init(scope: scope, device: device, limits: Limits()) }

  init(scope: FeedScope, device: String, limits: Limits) {
    (self.scope, self.device, self.limits) = (scope, device, limits)
    (fullUnsetCount, fullSetCount) = (limits.unchanged, limits.changed)
  }

  /// Whether there are changes that the server lacks and does not refuse.
  public var hasUnsent: Bool { unsent.keys.contains { !refused.contains($0) } }

  // MARK: - Records

  /// Adopts changes that this program has made. Returns whether `text` must be stored so that the next program finds
  /// those that are not sent.
  @discardableResult
  public mutating func handle(_ events: [UserEvent]) -> Bool {
    events.reduce(false) { handle($1) || $0 }
  }

  private mutating func handle(_ event: UserEvent) -> Bool {
    guard let id = id(of: event.key), let (mark, isSet) = ServerMark.change(event.value) else { return false }
    let place = Place(id: id, mark: mark)
    changed?.insert(place)
    guard var agreement = agreement(on: place) else { return false }
    refused.remove(place)
    if agreements[place] == nil, !isSet || event.isRepeated {
      agreement = Agreement(isSet: nil, time: max(0, event.time - 1))
    }
    agreements[place] = agreement
    // While a request is under way, either value may be the server's.
    let isAgreed = agreement.isSet == isSet && !isSending(place)
    unsent[place] = isAgreed ? nil : Unsent(isSet: isSet, time: event.time)
    return agreement.isSet == nil
  }

  /// Finds the changes of this device since the last agreement, which were not sent before the program ended.
  ///
  /// - Parameter data: the user's records. They may be older than the events of `handle`, which take precedence.
  /// - Complexity: O(n) in the known videos and in the records with marks.
  public mutating func findUnsent(in data: UserData) {
    let changed = self.changed ?? []
    self.changed = nil
    let forgotten = ServerMark.allCases.flatMap { mark in
      data.keys(with: mark.field).compactMap { id(of: $0).map { Place(id: $0, mark: mark) } }
    }.filter { agreements[$0] == nil }
    for place in Array(agreements.values.keys) + forgotten where unsent[place] == nil && !changed.contains(place) {
      guard let event = data.lastEvent(of: place.mark.field, key(of: place.id)), event.device == device,
        let agreement = agreement(on: place), event.time >= agreement.time,
        let (_, isSet) = ServerMark.change(event.value), isSet != agreement.isSet
      else { continue }
      unsent[place] = Unsent(isSet: isSet, time: event.time)
      // An eviction makes the time of the first contact later, so that the next program would not find the change.
      if agreements[place] == nil { agreements[place] = Agreement(isSet: nil, time: agreement.time) }
    }
  }

  /// The stored agreement; without one, that the mark is set on neither side. Nil before the first contact.
  private func agreement(on place: Place) -> Agreement? {
    agreements[place] ?? contact.map { Agreement(isSet: false, time: $0) }
  }

  private func id(of key: VideoKey) -> String? {
    let prefix = scope.text + " "
    guard key.text.hasPrefix(prefix) else { return nil }
    let id = String(key.text.dropFirst(prefix.count))
    return isValid(id) ? id : nil
  }

  private func key(of id: String) -> VideoKey { VideoKey(unchecked: "\(scope.text) \(id)") }

  // MARK: - The server's marks

  /// Merges the marks of an answer. Returns the events to store, ordered like the videos. `findUnsent` must precede it.
  ///
  /// - Parameters:
  ///   - start: the time of the request. A mark that was sent later has another value by now.
  ///   - now: in milliseconds since 1970, like `start`.
  public mutating func merge(_ videos: [MarkedVideo], requestedAt start: Int, at now: Int) -> [UserEvent] {
    let own = videos.filter { $0.video.scope == scope && isValid($0.video.id) }
    guard !own.isEmpty else { return [] }
    let events = own.flatMap { marked in
      ServerMark.allCases.flatMap { merge($0, marked.marks.contains($0), of: marked.video, start, now) }
    }
    contact = contact ?? now
    return events
  }

  private mutating func merge(
    _ mark: ServerMark, _ isSet: Bool, of video: Video, _ start: Int, _ now: Int
  ) -> [UserEvent] {
    let place = Place(id: video.id, mark: mark)
    guard unsent[place] == nil else { return [] }
    let known = agreements[place]
    if let known, known.isSet == isSet || known.time >= start { return [] }
    guard known != nil || agreements.values.count < limits.count else {
      ignoresMarks = true
      return []
    }
    agreements[place] = Agreement(isSet: isSet, time: now)
    // Without a known value, the mark may be older than a change of another device.
    let isKnown = known?.isSet != nil
    guard isKnown || isSet else { return [] }
    let time = isKnown ? now : Self.earliestTime
    let date = isKnown ? UnixTime(seconds: now / 1_000) : video.published ?? UnixTime(seconds: now / 1_000)
    let values = [mark.value(isSet, at: date)] + (isSet ? [.video(StoredVideo(video))] : [])
    return values.filter(\.isValid).map { UserEvent(time: time, device: device, key: key(of: video.id), value: $0) }
  }

  private func isValid(_ id: String) -> Bool {
    (1...Self.maximumIDLength).contains(id.utf8.count) && id.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
  }

  // MARK: - Evicting

  /// Whether the number of agreements exceeds the limit, so that `evict` should be called.
  public var isFull: Bool { agreements.unsetCount > fullUnsetCount || agreements.setCount > fullSetCount }

  /// Returns true once, after marks from the server were ignored because the limit is reached.
  public mutating func dequeueReport() -> Bool {
    guard ignoresMarks, !hasReported else { return false }
    hasReported = true
    return true
  }

  /// Agreements to evict.
  public struct Eviction: Sendable {
    fileprivate var agreements: [(Place, Agreement)] = []
    /// Whether one of them is on a changed mark.
    fileprivate var hasChanged = false
  }

  /// Selects the oldest agreements on marks that are not set and that `data` has no event about, if there are too many;
  /// from a much higher limit on, the oldest others too. Unsent ones stay.
  ///
  /// - Parameter data: the user's records, after the events of the last `merge`.
  /// - Complexity: O(n log n) in the agreements.
  public func eviction(_ data: UserData) -> Eviction {
    var (unchanged, changed): ([(Place, Agreement)], [(Place, Agreement)]) = ([], [])
    for (place, agreement) in agreements.values where unsent[place] == nil {
      let isUnchanged = agreement.isSet == false && data.lastEvent(of: place.mark.field, key(of: place.id)) == nil
      if isUnchanged { unchanged.append((place, agreement)) } else { changed.append((place, agreement)) }
    }
    // The next program finds changes without a stored agreement by the time of the first contact, which must then stay.
    let isStorable = agreements.values.count <= limits.lineCount
    let oldChanged = isStorable ? Self.oldest(of: changed, beyond: limits.changed) : []
    return Eviction(
      agreements: Self.oldest(of: unchanged, beyond: limits.unchanged) + oldChanged,
      hasChanged: !oldChanged.isEmpty)
  }

  /// Evicts the selected agreements, except those that have changed since. The next contact is the first one again.
  ///
  /// - Complexity: O(n) in the selected agreements.
  public mutating func evict(_ eviction: Eviction, at now: Int) {
    for (place, agreement) in eviction.agreements where unsent[place] == nil && agreements[place] == agreement {
      agreements[place] = nil
    }
    // An earlier change must not be sent as new.
    if eviction.hasChanged { contact = now }
    fullUnsetCount = max(limits.unchanged, agreements.unsetCount + limits.unchanged / 4)
    fullSetCount = max(limits.changed, agreements.setCount + limits.changed / 4)
  }

  /// Returns the oldest agreements if there are more than `maximum`, so that a quarter is free without them.
  private static func oldest(
    of agreements: [(place: Place, agreement: Agreement)], beyond maximum: Int
  ) -> [(Place, Agreement)] {
    guard agreements.count > maximum else { return [] }
    let sorted = agreements.sorted { ($0.agreement.time, $0.place.id) < ($1.agreement.time, $1.place.id) }
    return sorted.dropLast(maximum * 3 / 4)
  }

  // MARK: - Sending

  /// Returns the next change to send; nil if there is none. `finish` must follow.
  public mutating func nextChange() -> MarkChange? {
    for mark in ServerMark.allCases {
      for isSet in [true, false] {
        let places = unsent.filter { $0.key.mark == mark && $0.value.isSet == isSet && !refused.contains($0.key) }.keys
        let together = places.filter { !separate.contains($0) }
        let ids = together.isEmpty ? places.map(\.id).sorted().prefix(1) : together.map(\.id).sorted()[...]
        guard !ids.isEmpty else { continue }
        sending = MarkChange(mark, isSet, ids: Array(ids.prefix(MarkChange.maximumCount)))
        return sending
      }
    }
    return nil
  }

  private func isSending(_ place: Place) -> Bool {
    sending?.mark == place.mark && sending?.ids.contains(place.id) == true
  }

  /// Adopts the result of the change that `nextChange` has returned.
  public mutating func finish(_ result: MarkResult, at now: Int) {
    guard let change = sending else { return }
    sending = nil
    let places = change.ids.map { Place(id: $0, mark: change.mark) }
    switch result {
    case .failed: break
    // One of several may be at fault.
    case .refused where places.count > 1: separate.formUnion(places)
    case .refused: refused.formUnion(places)
    case .sent: for place in places { agree(on: change.isSet, place, at: now) }
    }
  }

  private mutating func agree(on isSet: Bool, _ place: Place, at now: Int) {
    separate.remove(place)
    if unsent[place]?.isSet == isSet { unsent[place] = nil }
    // A change that was sent may be evicted.
    fullSetCount = limits.changed
    // The user may have changed the mark again during the request. The next program finds that change in the log,
    // because it is later than the agreement.
    let time = unsent[place].map { min($0.time - 1, now) } ?? now
    agreements[place] = Agreement(isSet: isSet, time: max(time, 0))
  }

  /// The pause before a change is sent again: 15 s after the first failure, twice as long after each further one, at
  /// most 30 minutes.
  public static func pause(afterFailures count: Int) -> Duration {
    .seconds(min(1_800, 15 << min(max(count - 1, 0), 10)))
  }
}

// MARK: - Lines

extension MarkSync {
  private static let (contactWord, unknownWord) = ("contact", "?")

  private static func word(_ isSet: Bool?) -> String { isSet.map { $0 ? "1" : "0" } ?? unknownWord }

  /// The agreements as lines, such as `read 1 1763855000000 000000000000002a`, after the time of the first contact. The
  /// second word is `?` if the server's value is unknown.
  public var text: String {
    let lines = agreements.values.map { place, agreement in
      "\(place.mark.rawValue) \(Self.word(agreement.isSet)) \(agreement.time) \(place.id)\n"
    }
    return (contact.map { "\(Self.contactWord) \($0)\n" } ?? "") + lines.sorted().joined()
  }

  /// In bytes; longer texts have been changed by others.
  public static let maximumTextLength = Limits().lineCount * 100

  /// Adopts the lines of `text`. Invalid ones are skipped. Earlier versions wrote no time of the first contact: then it is
  /// that of the last agreement.
  public mutating func read(_ text: String) {
    for line in text.split(separator: "\n").prefix(limits.lineCount) {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2, words[0] == Self.contactWord { contact = Self.time(words[1]) }
      guard words.count == 4, let mark = ServerMark(rawValue: words[0]),
        ["0", "1", Self.unknownWord].contains(words[1]),
        let time = Self.time(words[2]), isValid(words[3])
      else { continue }
      agreements[Place(id: words[3], mark: mark)] = Agreement(
        isSet: words[1] == Self.unknownWord ? nil : words[1] == "1", time: time)
    }
    contact = contact ?? agreements.values.values.map(\.time).max()
  }

  private static func time(_ word: String) -> Int? {
    Int(word).flatMap { (0...UserEvent.maximumTime).contains($0) ? $0 : nil }
  }
}

extension ServerMark {
  /// The field of a record that has the same meaning.
  fileprivate var field: UserField {
    switch self {
    case .read: .watched
    case .starred: .starred
    }
  }

  /// The value of the field.
  fileprivate func value(_ isSet: Bool, at time: UnixTime) -> UserValue {
    switch self {
    case .read: .watched(isSet ? time : nil)
    case .starred: .starred(isSet)
    }
  }

  /// The mark that a value means, and whether it is set; nil for the values of other fields.
  fileprivate static func change(_ value: UserValue) -> (ServerMark, isSet: Bool)? {
    switch value {
    case .watched(let time): (.read, time != nil)
    case .starred(let isStarred): (.starred, isStarred)
    case .position, .duration, .queued, .hidden, .downloaded, .video: nil
    }
  }
}
