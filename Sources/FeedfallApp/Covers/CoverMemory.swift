import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

struct CoverKey: Hashable, Sendable {
  var card: CardID
  var size: Size
}

/// The loaded covers and the pending requests for covers.
struct CoverMemory: Equatable, Sendable {
  private static let maximumPending = 24
  /// More than the client sends to one server at a time (6), so that further requests are queued in time.
  private static let maximumPerServer = 8
  /// With the heap fragmentation caused by pictures of many sizes, these use 32 MB.
  static let maximumByteCount = 27 * 1_048_576
  /// In seconds. `CoverLoader` knows which servers must not be requested by then.
  private static let retryTime = 60
  private static let maximumColors = 10_000
  private static let maximumFailures = 10_000
  private static let batchSize = 48

  /// The covers to load, the most urgent first.
  struct Wishes: Equatable, Sendable {
    var visible: [CoverKey] = []
    /// Next in the direction of scrolling.
    var ahead: [CoverKey] = []
    /// Near enough for their pending requests to continue.
    var nearby: [CoverKey] = []
  }

  /// A loaded cover; the same number always stands for the same picture.
  struct Cover: Equatable, Sendable {
    var picture: CoverPicture
    var id: Int
  }

  private struct Entry: Equatable, Sendable {
    var cover: Cover
    var lastUse: Int
    /// When the cover becomes stale, in seconds since 1970; nil for never.
    var freshUntil: Int?

    func isStale(at now: UnixTime) -> Bool { freshUntil.map { $0 <= now.seconds } ?? false }
  }

  private var entries: [CoverKey: Entry] = [:]
  /// The size of each card's cover that arrived last.
  private var sizes: [CardID: Size] = [:]
  private(set) var byteCount = 0
  private var colors: [CardID: RGB] = [:]
  private var requestedColors: Set<CardID> = []
  private var pendingColors: [Ticket: [ColorWish]] = [:]

  /// A card with the addresses of its covers.
  struct ColorWish: Equatable, Sendable {
    let card: CardID
    let addresses: [MediaAddress]
  }

  private var failures: [CardID: FeedFailure] = [:]
  /// The cards whose covers have failed too recently to be requested again.
  private var blocked: Set<CardID> = []
  private var retryPause = Pause()
  /// The covers to request on behalf of the user's last retry.
  private var retried: Set<CoverKey> = []
  /// The number of the user's last retry.
  private var press = 0
  private var pending: [Pending] = []

  private struct Pending: Equatable {
    var ticket: Ticket
    var key: CoverKey
    var server: String?
    var isHeightFree: Bool
    var mayBeStale: Bool

    func mayAnswer(_ wish: CoverKey) -> Bool {
      key == wish || (isHeightFree && key.card == wish.card && key.size.width == wish.size.width)
    }
  }
  /// The covers to request, the most urgent first.
  private var queue: [CoverKey] = []
  /// How many keys at the start of the queue are of servers without room, and the count of pending requests with which
  /// this was found: until it changes, they stay behind.
  private var (heldBackCount, heldBackPendingCount) = (0, 0)
  private var visible: Set<CoverKey> = []
  /// The visible covers and those ahead.
  private var wanted: Set<CoverKey> = []
  private var wantedByteCount = 0
  private var uses = 0
  /// The status line shows this instead of a sign on each cover.
  var isOffline = false
  private var lastID = 0

  subscript(key: CoverKey) -> Cover? { entries[key]?.cover }

  /// A card's cover in another size, as cells, until the one in this size arrives.
  func scaledCover(for key: CoverKey) -> Cover? {
    guard let size = sizes[key.card], let cover = self[CoverKey(card: key.card, size: size)] else { return nil }
    let cells = cover.picture.cells.scaled(to: key.size)
    return Cover(picture: CoverPicture(cells: cells, average: cover.picture.average), id: cover.id)
  }

  func color(of card: CardID) -> RGB? { colors[card] }

  func state(of key: CoverKey) -> CoverView.Placeholder.State {
    if let failure = failures[key.card] {
      return failure.kind == .absent || isOffline && failure.isOffline ? .none : .failed
    }
    let isLoading = !(pending.isEmpty && queue.isEmpty) && wanted.contains(key)
    return isLoading ? .loading : .none
  }

  // MARK: - Requests

  var isLoading: Bool { !queue.isEmpty || !pending.isEmpty }

  mutating func clearQueue() { queue = [] }

  mutating func setWishes(_ wishes: Wishes, at now: UnixTime? = nil) -> [AppEffect] {
    heldBackCount = 0
    visible = Set(wishes.visible)
    uses += 1
    wanted = visible.union(wishes.ahead)
    wantedByteCount = 0
    for key in wanted {
      entries[key]?.lastUse = uses
      wantedByteCount += entries[key]?.cover.picture.byteCount ?? 0
    }
    // At most 24 requests are pending: looking them up costs less than a set of all wishes.
    let effects = cancel { [wanted] request in
      if wanted.contains(request.key) || wishes.nearby.contains(request.key) { return false }
      guard request.isHeightFree else { return true }
      return !wanted.contains(where: request.mayAnswer) && !wishes.nearby.contains(where: request.mayAnswer)
    }
    let coming = Set(pending.map(\.key))
    let free = pending.filter(\.isHeightFree)
    queue = (wishes.visible + wishes.ahead).filter { key in
      isDue(key, at: now) && !coming.contains(key) && !blocked.contains(key.card)
        && !free.contains { $0.mayAnswer(key) }
    }
    limitQueue()
    return effects
  }

  private func isDue(_ key: CoverKey, at now: UnixTime?) -> Bool {
    guard let entry = entries[key] else { return true }
    return retried.contains(key) || now.map { entry.isStale(at: $0) } ?? false
  }

  /// Drops the covers ahead if memory is short: they would be evicted at once and requested again.
  private mutating func limitQueue() {
    if wantedByteCount > Self.maximumByteCount / 4 * 3 { queue.removeAll { !visible.contains($0) } }
  }

  var nextKeys: ArraySlice<CoverKey> {
    guard pending.count < Self.maximumPending else { return [] }
    return queue.dropFirst(heldBackPendingCount == pending.count ? heldBackCount : 0).prefix(Self.batchSize)
  }

  /// Sends the requests for `nextKeys`; nil stands for a removed card.
  mutating func send(_ requests: [CoverRequest?], _ tickets: inout TicketOffice) -> [AppEffect] {
    var effects: [AppEffect] = []
    var left: [CoverKey] = []
    let keys = nextKeys
    for (key, request) in zip(keys, requests) {
      guard var request else { continue }
      let server = request.addresses.first?.web?.host
      guard pending.count < Self.maximumPending, hasRoom(for: server) else {
        left.append(key)
        continue
      }
      request.use = dequeueUse(of: key)
      let ticket = tickets.next()
      pending.append(
        Pending(
          ticket: ticket, key: key, server: server, isHeightFree: request.freeHeight != nil,
          mayBeStale: request.use == .always))
      effects.append(.requestCover(request, ticket))
    }
    queue.replaceSubrange(keys.indices, with: left)
    (heldBackCount, heldBackPendingCount) = (keys.startIndex + left.count, pending.count)
    return effects
  }

  private mutating func dequeueUse(of key: CoverKey) -> CoverUse {
    if retried.remove(key) != nil { return .retried(press: press) }
    return entries[key] == nil ? .always : .whileFresh
  }

  /// Limits the requests to each server, so that a slow server does not delay the others.
  private func hasRoom(for server: String?) -> Bool {
    server == nil || pending.count { $0.server == server } < Self.maximumPerServer
  }

  private mutating func cancel(_ isIncluded: (Pending) -> Bool) -> [AppEffect] {
    let cancelled = pending.filter(isIncluded)
    pending.removeAll(where: isIncluded)
    return cancelled.map { .cancel($0.ticket) }
  }

  // MARK: - Colors

  func withoutColor(_ keys: [CoverKey]) -> [CoverKey] {
    // Most have been requested a screen before; a copy of all requested ones would grow with scrolling.
    let new = keys.filter { colors[$0.card] == nil && !requestedColors.contains($0.card) }
    guard !new.isEmpty else { return [] }
    var coming = Set(pending.map(\.key.card)).union(queue.map(\.card))
    return new.filter { coming.insert($0.card).inserted }
  }

  mutating func requestColors(_ wishes: [ColorWish], _ tickets: inout TicketOffice) -> [AppEffect] {
    if requestedColors.count >= Self.maximumColors { requestedColors = [] }
    requestedColors.formUnion(wishes.map(\.card))
    guard wishes.contains(where: { !$0.addresses.isEmpty }) else { return [] }
    let ticket = tickets.next()
    pendingColors[ticket] = wishes
    return [.requestCoverColors(wishes.flatMap(\.addresses), ticket)]
  }

  mutating func insert(_ known: [MediaAddress: RGB], for ticket: Ticket) {
    for wish in pendingColors.removeValue(forKey: ticket) ?? [] where colors[wish.card] == nil {
      insert(wish.addresses.firstNonNil { known[$0] }, of: wish.card)
    }
  }

  private mutating func insert(_ color: RGB?, of card: CardID) {
    guard let color else { return }
    if colors.count >= Self.maximumColors { colors = [:] }
    colors[card] = color
  }

  // MARK: - Answers

  @discardableResult
  mutating func insert(
    _ picture: CoverPicture, for ticket: Ticket, at now: UnixTime? = nil
  ) -> (card: CardID, hasWantedSize: Bool)? {
    guard let request = removePending(ticket) else { return nil }
    var key = request.key
    if request.isHeightFree { key.size = picture.cells.size }
    // A picture that chooses its height may replace one of the same size, and a new one replaces a stale one.
    let old = entries[key]?.cover
    let replaced = old?.picture.byteCount ?? 0
    var entry = Entry(cover: shown(picture, insteadOf: old), lastUse: uses, freshUntil: picture.freshness?.upperBound)
    if let now, entry.isStale(at: now) {
      if request.mayBeStale {
        if wanted.contains(key) { queue.append(key) }
      } else {
        // The clock of the answer differs.
        entry.freshUntil = now.seconds + Self.retryTime
      }
    }
    entries[key] = entry
    sizes[key.card] = key.size
    byteCount += picture.byteCount - replaced
    failures[key.card] = nil
    blocked.remove(key.card)
    insert(picture.average, of: key.card)
    if wanted.contains(key) { wantedByteCount += picture.byteCount - replaced }
    limitQueue()
    if byteCount > Self.maximumByteCount { evict() }
    return (key.card, !request.isHeightFree || wanted.contains(key))
  }

  /// A picture that looks as before keeps its number, so that the terminal need not receive it again.
  private mutating func shown(_ picture: CoverPicture, insteadOf old: Cover?) -> Cover {
    if let old, old.picture.looksEqual(to: picture) { return Cover(picture: picture, id: old.id) }
    lastID += 1
    return Cover(picture: picture, id: lastID)
  }

  func failure(of card: CardID) -> FeedFailure? { failures[card] }
  var failureCount: Int { failures.count }

  mutating func coverFailed(_ failure: FeedFailure, for ticket: Ticket, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard let key = removePending(ticket)?.key else { return [] }
    if failures.count >= Self.maximumFailures { failures = [:] }
    // An old cover stays.
    if entries[key] == nil { failures[key.card] = failure }
    blocked.insert(key.card)
    guard !retryPause.isRunning, failure.kind != .absent else { return [] }
    return retryPause.begin(.seconds(Self.retryTime), &tickets, Wait.covers)
  }

  /// Failed covers are requested again at the next movement: the timer alone sends no request.
  mutating func waitElapsed(_ ticket: Ticket) {
    if retryPause.end(ticket) { blocked = blocked.filter { failures[$0]?.kind == .absent } }
  }

  mutating func retry(at now: UnixTime?) {
    (failures, blocked) = ([:], [])
    press += 1
    retried = wanted.filter { key in
      guard let entry = entries[key] else { return !pending.contains { $0.key == key } }
      guard let now, let freshness = entry.cover.picture.freshness else { return false }
      return freshness.lowerBound <= now.seconds
    }
  }

  mutating func removeAll() -> [AppEffect] {
    let effects = cancel { _ in true }
    let old = self
    self = CoverMemory()
    press = old.press
    // The terminal may still have pictures with the old numbers.
    (lastID, colors, requestedColors, pendingColors) = (old.lastID, old.colors, old.requestedColors, old.pendingColors)
    return effects
  }

  func card(ofRequest ticket: Ticket) -> CardID? { pending.first { $0.ticket == ticket }?.key.card }

  private mutating func removePending(_ ticket: Ticket) -> Pending? {
    pending.firstIndex { $0.ticket == ticket }.map { pending.remove(at: $0) }
  }

  /// Evicts an eighth more than necessary, so that not every arrival evicts.
  private mutating func evict() {
    let unseen = entries.filter { !visible.contains($0.key) }.sorted { $0.value.lastUse < $1.value.lastUse }
    for (key, entry) in unseen where byteCount > Self.maximumByteCount / 8 * 7 {
      byteCount -= entry.cover.picture.byteCount
      entries[key] = nil
      if sizes[key.card] == key.size { sizes[key.card] = nil }
    }
  }
}
