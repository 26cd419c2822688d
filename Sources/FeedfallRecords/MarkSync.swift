import FeedfallFeeds
import FeedfallText

/// The state of a three-way merge between the user's records and the marks on a server: a read entry is a watched
/// video, a starred one a starred video.
///
/// For each mark of each video it stores the value that both sides had last. A mark of the server that differs was
/// changed by another client, one of the records by the user. A mark has two values, so both changes together are
/// equal. At the first contact there is no such value: then nothing is sent, and the server's marks become events that
/// are older than all others, so that they overwrite nothing. The contact begins before the server's marks are shown,
/// and must be stored by then, because the next program sends only what the user has changed since.
///
/// The order of requests and changes never depends on the clock, which may be wrong: requests are numbered, and an
/// agreement names the last event that it covers. Other events of the device differ from it.
///
/// If there are too many agreements, those on marks without an event are evicted, or else all but those on unsent changes, and
/// the next contact is the first one again. A mark without an agreement counts as not set on either side, so that a
/// later change by the user is still sent. A mark that the user removes nevertheless, or sets again, was set before:
/// then the server's value is unknown, and each change is sent.
///
/// If unsent changes leave no room, further marks of the server are ignored until they are sent. A change stops being
/// unsent once the server has accepted or refused it, or has the same value by itself.
public struct MarkSync: Equatable, Sendable {
  public let scope: FeedScope
  private let prefix: String
  private let batchCount: Int
  /// The name of this device, which sends only its own changes.
  private let device: String
  private var agreements: [Place: Agreement] = [:]
  /// The time of the last event that agreements without an entry cover, in milliseconds since 1970; nil before the
  /// first contact.
  private var contact: Int?
  private var unsent: [Place: Unsent] = [:]
  /// The times of the events that the server has refused, which are not sent again.
  private var refused: [Place: Int] = [:]
  /// The last change that the server has refused, in which at least one video is at fault.
  private var suspect: MarkChange?
  /// The number of changes that the server has refused since it has accepted one.
  private var refusalCount = 0
  private var sending: MarkChange?
  private(set) var requestCount = 0
  /// The lines of a later version, which stay in the text.
  private var otherLines: [String] = []
  /// Whether marks of the server have been ignored because the limit is reached, and whether this was reported.
  private var (ignoresMarks, hasReported) = (false, false)

  private struct Unsent: Equatable {
    var isSet: Bool
    var time: Int
  }

  /// The number of agreements from which on they are evicted before the next merge.
  private let maximumCount: Int
  private static let defaultMaximumCount = 100_000

  /// In bytes.
  private static let maximumIDLength = 64

  /// - Parameter batchCount: the maximum number of marks that the server accepts together.
  public init(scope: FeedScope, device: String, batchCount: Int = MarkChange.maximumCount) {
    self.init(scope: scope, device: device, batchCount: batchCount, maximumCount: Self.defaultMaximumCount)
  }

  init(scope: FeedScope, device: String, batchCount: Int = MarkChange.maximumCount, maximumCount: Int) {
    (self.scope, self.device, self.batchCount, self.maximumCount) = (scope, device, batchCount, maximumCount)
    prefix = scope.text + " "
  }

  public var hasContact: Bool { contact != nil }

  /// Whether there are changes that the server lacks and has not refused.
  public var hasUnsent: Bool { !unsent.isEmpty }

  // MARK: - Records

  /// Adopts changes of the records; those of other devices are left to them. Returns whether `text` must be stored so
  /// that the next program finds the changes that are not sent.
  @discardableResult
  public mutating func handle(_ events: [UserEvent]) -> Bool {
    events.reduce(false) { handle($1) || $0 }
  }

  private mutating func handle(_ event: UserEvent) -> Bool {
    // Another program of this device has adopted marks of the server at those times.
    guard event.device == device, event.time != UserEvent.earliestTime, let (mark, isSet) = event.value.change,
      let id = id(of: event.key)
    else { return false }
    let place = Place(id: id, mark: mark)
    var agreement = agreement(on: place)
    if agreements[place] == nil, !isSet || event.isRepeated { agreement.isSet = nil }
    refused[place] = nil
    // While a request is under way, either value may be the server's.
    let isAgreed = agreement.isSet == isSet && !isSending(place)
    unsent[place] = isAgreed ? nil : Unsent(isSet: isSet, time: event.time)
    // The next program would count the event as covered.
    let isEarly = event.time <= agreement.time && !isAgreed
    if isAgreed { agreement.time = max(agreement.time, event.time) }
    if agreement.isSet == nil || isEarly { agreement.time = max(0, event.time - 1) }
    agreements[place] = agreement
    return agreement.isSet == nil || isEarly
  }

  /// Finds the changes of this device since the last agreement, which were not sent before the program ended. At the
  /// first contact there are none but those of a clock that was ahead by more than a day, whose times are unknown.
  ///
  /// - Parameter now: in milliseconds since 1970.
  /// - Complexity: O(n) in the known videos and in the records with marks; at the first contact, in all records.
  public mutating func findUnsent(in data: UserData, at now: Int) {
    guard contact != nil else { return beginContact(data) }
    let forgotten = Mark.exchanged.flatMap { mark in
      data.keys(with: UserField(mark)).compactMap { id(of: $0).map { Place(id: $0, mark: mark) } }
    }.filter { agreements[$0] == nil }
    for place in Array(agreements.keys) + forgotten {
      guard let event = data.lastEvent(of: UserField(place.mark), key(of: place.id)),
        let (_, isSet) = event.value.change
      else { continue }
      let agreement = agreement(on: place)
      if isSet == agreement.isSet { agreements[place]?.time = max(agreement.time, event.time) }
      guard isSet != agreement.isSet, event.device == device, event.time != UserEvent.earliestTime,
        !agreement.covers(event, at: now),
        refused[place] != event.time
      else { continue }
      unsent[place] = Unsent(isSet: isSet, time: event.time)
      // An eviction makes the time of the first contact later, so that the next program would not find the change.
      if agreements[place] == nil {
        agreements[place] = Agreement(isSet: nil, time: min(agreement.time, max(0, event.time - 1)))
      }
    }
  }

  /// Remembers the marks from before the first contact, which are neither overwritten nor sent.
  ///
  /// - Complexity: O(n) in the records.
  public mutating func beginContact(_ data: UserData) {
    contact = 0
    for key in data.keys {
      guard let id = id(of: key) else { continue }
      for mark in Mark.exchanged {
        guard let event = data.lastEvent(of: UserField(mark), key) else { continue }
        agreements[Place(id: id, mark: mark)] = Agreement(isSet: nil, time: event.time)
      }
    }
  }

  /// The stored agreement; without one, that the mark is set on neither side.
  private func agreement(on place: Place) -> Agreement {
    agreements[place] ?? Agreement(isSet: false, time: contact ?? 0)
  }

  private func id(of key: VideoKey) -> String? {
    guard key.text.hasPrefix(prefix) else { return nil }
    let id = String(key.text.dropFirst(prefix.count))
    return isValid(id) ? id : nil
  }

  private func key(of id: String) -> VideoKey { VideoKey(unchecked: prefix + id) }

  // MARK: - The server's marks

  /// Call it before a request for marks is sent. Its number, for `merge` of its answer, is greater than all before.
  public mutating func beginRequest(_ number: Int) { requestCount = number }

  /// Merges the marks of an answer. Returns the events to store, ordered like the videos. `findUnsent` must precede it.
  ///
  /// - Parameter request: its number. A mark that was sent after it has another value by now.
  public mutating func merge(
    _ videos: [MarkedVideo], of request: Int, in data: UserData, at now: Int
  ) -> [UserEvent] {
    let own = videos.filter { $0.video.scope == scope && isValid($0.video.id) }
    guard !own.isEmpty else { return [] }
    contact = contact ?? 0
    if agreements.count >= maximumCount { evict(data, at: now) }
    return own.flatMap { marked in
      Mark.exchanged.flatMap { merge($0, marked.marks.contains($0), of: marked.video, request, now) }
    }
  }

  private mutating func merge(
    _ mark: Mark, _ isSet: Bool, of video: Video, _ request: Int, _ now: Int
  ) -> [UserEvent] {
    let place = Place(id: video.id, mark: mark)
    let known = agreements[place]
    if let change = unsent[place] {
      // Another client has made the same change, or an answer to it was lost.
      if change.isSet == isSet, known?.request ?? 0 < request, !isSending(place) { agree(on: isSet, place) }
      return []
    }
    if let known, known.isSet == isSet || known.request >= request { return [] }
    guard known != nil || agreements.count < 2 * maximumCount else {
      ignoresMarks = true
      return []
    }
    // Without a known value, the mark may be older than a change of another device.
    let isKnown = known?.isSet != nil
    let last = known?.time ?? contact ?? 0
    guard isKnown || isSet else {
      agreements[place] = Agreement(isSet: isSet, time: last, request: request)
      return []
    }
    let times = isKnown ? Self.times(after: last, at: now) : [UserEvent.earliestTime]
    agreements[place] = Agreement(isSet: isSet, time: max(last, times[times.count - 1]), request: request)
    let date = isKnown ? UnixTime(seconds: now / 1_000) : video.published ?? UnixTime(seconds: now / 1_000)
    let values = [UserValue(mark, isSet, at: date)] + (isSet ? [.video(StoredVideo(video))] : [])
    return values.filter(\.isValid).flatMap { value in
      times.map { UserEvent(time: $0, device: device, key: key(of: video.id), value: value) }
    }
  }

  /// The times of events that are later than the last one. If that is to come, either the clock was ahead then, and
  /// logs ignore it, or it is behind now, and they ignore `now` once it is right: the event then has both times.
  private static func times(after last: Int, at now: Int) -> [Int] {
    let next = min(last + 1, UserEvent.maximumTime)
    return next <= now ? [now] : next <= now + UserData.maximumClockDifference ? [next] : [now, next]
  }

  private func isValid(_ id: String) -> Bool {
    (1...Self.maximumIDLength).contains(id.utf8.count)
      && id.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
  }

  /// Evicts the agreements on marks that were never set: a mark of the server then becomes an event that is older than
  /// all others, but without others it counts. If too many are left, evicts all but those on unsent changes.
  private mutating func evict(_ data: UserData, at now: Int) {
    let first = contact ?? 0
    agreements = agreements.filter { place, agreement in
      unsent[place] != nil || agreement.isSet != false || agreement.time > first
        || data.lastEvent(of: UserField(place.mark), key(of: place.id)) != nil
    }
    guard agreements.count > maximumCount / 2 else { return }
    // The events that they cover must not be sent as new.
    let covered = agreements.values.map(\.time).filter { $0 <= now }.max() ?? 0
    contact = max(contact ?? 0, covered)
    agreements = agreements.filter { unsent[$0.key] != nil }
    refused = refused.filter { agreements[$0.key] != nil }
  }

  /// Returns true once, after marks from the server were ignored because unsent changes leave no room.
  public mutating func dequeueReport() -> Bool {
    guard ignoresMarks, !hasReported else { return false }
    hasReported = true
    return true
  }

  // MARK: - Sending

  /// Returns the next change to send; nil if there is none. `finish` must follow.
  public mutating func nextChange() -> MarkChange? {
    sending = suspectedChange() ?? otherChange()
    return sending
  }

  /// Halves a refused change. Once the server accepts one half, the other one is at fault, and is not sent as a whole.
  private mutating func suspectedChange() -> MarkChange? {
    guard var change = suspect else { return nil }
    change.ids = change.ids.filter { isSendable(Place(id: $0, mark: change.mark), change.isSet) }
    change.ids = Array(change.ids.prefix((change.ids.count + 1) / 2))
    guard !change.ids.isEmpty else {
      suspect = nil
      return nil
    }
    return change
  }

  private func otherChange() -> MarkChange? {
    for mark in Mark.exchanged {
      for isSet in [true, false] {
        let ids = unsent.keys.filter { $0.mark == mark && isSendable($0, isSet) }.map(\.id).sorted()
        if !ids.isEmpty { return MarkChange(mark, isSet, ids: Array(ids.prefix(batchCount))) }
      }
    }
    return nil
  }

  private func isSendable(_ place: Place, _ isSet: Bool) -> Bool { unsent[place]?.isSet == isSet }

  private func isSending(_ place: Place) -> Bool {
    sending?.mark == place.mark && sending?.ids.contains(place.id) == true
  }

  /// Adopts the result of the change that `nextChange` has returned. Returns whether its only mark is given up.
  @discardableResult
  public mutating func finish(_ result: MarkResult) -> Bool {
    guard let change = sending else { return false }
    sending = nil
    let places = change.ids.map { Place(id: $0, mark: change.mark) }
    switch result {
    case .failed: break
    case .refused:
      refusalCount = min(refusalCount + 1, Self.maximumRefusalCount)
      suspect = places.count > 1 ? change : nil
      // The user may have changed the mark again during the request.
      for place in places where places.count == 1 && isSendable(place, change.isSet) {
        refused[place] = unsent[place]?.time
        unsent[place] = nil
      }
      return places.count == 1
    case .sent:
      refusalCount = 0
      for place in places { agree(on: change.isSet, place) }
    }
    return false
  }

  private mutating func agree(on isSet: Bool, _ place: Place) {
    guard let change = unsent[place] else { return }
    refused[place] = nil
    if change.isSet == isSet { unsent[place] = nil }
    // The user may have changed the mark again during the request. The next program finds that change.
    let time = change.isSet == isSet ? change.time : max(0, change.time - 1)
    agreements[place] = Agreement(isSet: isSet, time: time, request: requestCount)
  }

  /// The pause before a change is sent again: 15 s after the first failure, twice as long after each further one, at
  /// most 30 minutes.
  public static func pause(afterFailures count: Int) -> Duration {
    .seconds(min(1_800, 15 << min(max(count - 1, 0), 10)))
  }

  /// The pause after a refused change: 1 s, as long as the search for one fault in a change may take; then twice as
  /// long after each further one, at most 30 minutes. A server that accepts nothing is therefore soon left alone.
  public var pauseAfterRefusal: Duration { .seconds(min(1_800, 1 << max(refusalCount - Self.searchLength, 0))) }

  /// The number of requests that find one fault among `MarkChange.maximumCount`.
  private static let searchLength = 8
  private static let maximumRefusalCount = 30
}

// MARK: - Lines

extension MarkSync {
  private static let (contactWord, unknownWord) = ("contact", "?")
  private static let (refusedWord, refusalsWord) = ("refused", "refusals")

  private static func word(_ mark: Mark) -> String { mark.row.server?.name ?? "" }

  private func mark(_ word: String) -> Mark? { Mark.exchanged.first { Self.word($0) == word } }

  private static func word(_ isSet: Bool?) -> String { isSet.map { $0 ? "1" : "0" } ?? unknownWord }

  /// The agreements as lines, such as `read 1 1763855000000 000000000000002a`, after the time of the first contact;
  /// empty before that. The second word is `?` if the server's value is unknown. Events that the server has refused
  /// follow as `refused read 1763855000000 000000000000002a`, the number of refusals as `refusals 1`, then other lines.
  public var text: String {
    guard let contact else { return "" }
    let lines = agreements.map { place, agreement in
      "\(Self.word(place.mark)) \(Self.word(agreement.isSet)) \(agreement.time) \(place.id)\n"
    }
    let refusals = refused.map { place, time in
      "\(Self.refusedWord) \(Self.word(place.mark)) \(time) \(place.id)\n"
    }
    return "\(Self.contactWord) \(contact)\n" + (refusalCount > 0 ? "\(Self.refusalsWord) \(refusalCount)\n" : "")
      + (lines.sorted() + refusals.sorted()).joined() + otherLines.map { $0 + "\n" }.joined()
  }

  /// In bytes; longer texts have been changed by others.
  public static let maximumTextLength = 400 * defaultMaximumCount

  /// Adopts the lines of `text`. Others stay as they are. Without a valid time of the first contact, it is that of the
  /// last agreement. Returns false if there are only others.
  @discardableResult public mutating func read(_ text: String) -> Bool {
    let lines = text.split(separator: "\n")
    let others = lines.filter { !read(line: $0.split(separator: " ").map(String.init)) }
    otherLines += others.map(String.init)
    contact = contact ?? agreements.values.map(\.time).max()
    return others.isEmpty || others.count < lines.count
  }

  private mutating func read(line words: [String]) -> Bool {
    switch (words.first, words.count) {
    case (Self.contactWord, 2):
      guard let time = Self.time(words[1]) else { return false }
      contact = time
    case (Self.refusalsWord, 2):
      guard let count = Int(words[1]), (0...Self.maximumRefusalCount).contains(count) else { return false }
      refusalCount = count
    case (Self.refusedWord, 4):
      guard let mark = mark(words[1]), let time = Self.time(words[2]), isValid(words[3]) else {
        return false
      }
      refused[Place(id: words[3], mark: mark)] = time
    default: return read(agreement: words)
    }
    return true
  }

  private mutating func read(agreement words: [String]) -> Bool {
    guard words.count == 4, let mark = mark(words[0]),
      ["0", "1", Self.unknownWord].contains(words[1]),
      let time = Self.time(words[2]), isValid(words[3])
    else { return false }
    agreements[Place(id: words[3], mark: mark)] = Agreement(
      isSet: words[1] == Self.unknownWord ? nil : words[1] == "1", time: time)
    return true
  }

  private static func time(_ word: String) -> Int? {
    Int(word).flatMap { (0...UserEvent.maximumTime).contains($0) ? $0 : nil }
  }
}

extension MarkSync {
  struct Place: Hashable {
    var id: String
    var mark: Mark
  }

  struct Agreement: Equatable {
    /// Nil if the server's value is unknown: then no change by the user agrees with it.
    var isSet: Bool?
    /// That of the last event that it covers, in milliseconds since 1970.
    var time: Int
    /// The number of the last request whose answer may be older than the agreement.
    var request = 0

    /// Whether both sides knew an event when they agreed. A time to come is that of a clock that was ahead, and says
    /// nothing about other events. Logs replace such times by 0.
    func covers(_ event: UserEvent, at now: Int) -> Bool {
      event.time > 0 && (event.time == time || (event.time < time && time <= now))
    }
  }
}

extension UserValue {
  /// The exchanged mark that the value means, and whether it is set; nil for other values.
  var change: (mark: Mark, isSet: Bool)? {
    switch field {
    case .watched: (.watched, isSet)
    case .flag(let mark) where mark.row.server != nil: (mark, isSet)
    default: nil
    }
  }
}
