import FeedfallFeeds
import FeedfallSystem
import FeedfallText

extension [NamedSource] {
  /// Appends the stored sources of live lists, except those that are sources already.
  mutating func appendLists(_ stored: (_ address: String) -> [SubscriptionList.Feed]) {
    guard contains(where: { $0.list != nil }) else { return }
    var known = Set(compactMap { $0.argument.map { WebAddress(typed: $0)?.text ?? $0 } })
    for index in indices where self[index].list != nil && self[index].fault == nil {
      let feeds = stored(self[index].argument ?? "")
      self[index].list = feeds
      let room = Swift.max(0, Configuration.maximumSourceCount - count)
      let (list, new) = (self[index], feeds.filter { known.insert($0.address.text).inserted })
      self += named(new).prefix(room).map { NamedSource($0, of: list) }
    }
  }

  /// Gives each feed a name of its own. The source of a live list keeps its name.
  func named(_ feeds: [SubscriptionList.Feed]) -> [SubscriptionList.Feed] {
    var names = Configuration.UniqueNames(compactMap(\.name))
    var known: [String: String] = [:]
    for source in self where source.listName != nil { known[source.argument ?? ""] = source.name }
    return feeds.map { feed in
      var feed = feed
      feed.name = known[feed.address.text] ?? names.add(feed.name.isEmpty ? feed.address.shownHost : feed.name)
      return feed
    }
  }
}

extension NamedSource {
  /// A source of a live list. Its server receives neither the login nor the cookies of the list.
  init(_ feed: SubscriptionList.Feed, of list: NamedSource) {
    self.init(name: feed.name, argument: feed.address.text)
    (tags, listName) = (Configuration.Source(feed).tags, list.name)
    (query, proxy, includesShorts) = (list.query, list.proxy, list.includesShorts)
  }
}

/// The feeds of live lists for the next start, in a file for each list. Those whose addresses have secrets are not
/// stored; their sources are opened once the list has been loaded.
struct StoredLists {
  let folder: String

  /// The limit of `import`.
  private static let maximumByteCount = 32 << 20

  static var ofUser: StoredLists? {
    Environment.process.stateFolder.map { StoredLists(folder: $0 + "/feedfall/lists") }
  }

  /// Returns none if the file is missing or damaged.
  func feeds(at address: String) -> [SubscriptionList.Feed] {
    guard let bytes = try? Files.readOwn(path(of: address), limit: Self.maximumByteCount) else { return [] }
    return (try? SubscriptionList(opml: bytes))?.feeds ?? []
  }

  func write(_ feeds: [SubscriptionList.Feed], at address: String) {
    let bytes = Array(SubscriptionList(feeds.filter { !$0.address.hasSecret }).opml.utf8)
    guard bytes.count <= Self.maximumByteCount else { return }
    _ = try? Files.makeFolder(folder, mode: 0o700)
    try? Files.replace(path(of: address), with: bytes, mode: 0o600)
  }

  /// The address may contain a secret.
  private func path(of address: String) -> String {
    "\(folder)/\(SHA256.hash(Array(address.utf8)).map { $0.hexadecimal(digitCount: 2) }.joined()).opml"
  }
}
