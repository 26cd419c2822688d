import FeedfallFeeds
import FeedfallText

/// A list of feeds at an address. The program has a source for each feed while the list has it.
///
/// An answer without most of the sources may be a fault of the server. It is adopted only once the user agrees; until
/// then, the missing sources stay, and new ones are opened as well.
struct LiveList: Equatable, Sendable {
  typealias Feed = SubscriptionList.Feed

  struct Question: Equatable, Sendable {
    var droppedCount: Int
    var count: Int
  }

  /// The feeds of the last adopted answer.
  private(set) var followed: [Feed]
  /// The feeds of an answer that waits for the user.
  private var doubtful: [Feed]?
  private(set) var question: Question?
  /// Whether the user has refused; the question is not repeated in this session.
  private var isRefused = false

  static let maximumCount = 20_000

  init(_ followed: [Feed] = []) { self.followed = followed }

  /// Without duplicates. O(n).
  var feeds: [Feed] {
    let known = Set(followed.map(\.address))
    let added = (doubtful ?? []).filter { !known.contains($0.address) }
    return Array((followed + added).prefix(Self.maximumCount))
  }

  /// Adopts an answer without duplicates, or asks the user first. O(n).
  mutating func handle(_ answer: [Feed]) {
    let listed = Set(answer.map(\.address))
    let droppedCount = followed.count { !listed.contains($0.address) }
    guard droppedCount > 0, answer.isEmpty || droppedCount >= 2 && droppedCount * 2 > followed.count else {
      (followed, doubtful, question) = (answer, nil, nil)
      return
    }
    doubtful = answer
    question = isRefused ? nil : Question(droppedCount: droppedCount, count: followed.count)
  }

  /// Adopts the answer that waits for the user.
  mutating func follow() {
    if let doubtful { followed = doubtful }
    (doubtful, question) = (nil, nil)
  }

  /// Keeps the sources that the answer drops until the program ends.
  mutating func refuse() { (question, isRefused) = (nil, true) }

  /// Returns the feeds to open, and those of the open addresses to close: a source stays while one of the lists has it.
  /// The sources of the configuration belong to no list. O(n).
  func difference(
    from open: Set<String>, among lists: some Sequence<LiveList>, configured: Set<String>
  ) -> (added: [Feed], dropped: Set<String>) {
    let listed = Set(lists.flatMap { $0.feeds.map(\.address.text) })
    let added = feeds.filter { !open.contains($0.address.text) && !configured.contains($0.address.text) }
    return (added, open.subtracting(listed).subtracting(configured))
  }
}

/// The sources that a live list opens and closes while the program runs.
public struct LiveListChange: Equatable, Sendable {
  /// The name and the address of the list.
  public var name: String
  public var address: String
  public var opened: [SourceID: SubscriptionList.Feed] = [:]
  public var closed: [SourceID] = []
  /// The feeds for the next start; nil if they are unchanged.
  public var followed: [SubscriptionList.Feed]?

  public init(name: String, address: String) { (self.name, self.address) = (name, address) }
}
