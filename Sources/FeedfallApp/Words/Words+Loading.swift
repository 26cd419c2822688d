import FeedfallFeeds
import FeedfallScreen
import FeedfallText

extension Words {
  func text(for notice: Library.Notice, in library: Library) -> String {
    guard case .held(let source, let time, let continues, let others) = notice else { return "Refreshed just now" }
    let text =
      continues
      ? Self.continues(after: time, otherCount: others)
      : retry(.browse(.refreshOrRetry), after: time, otherCount: others)
    return library.naming(source, text)
  }

  /// `otherCount`: the number of other sources whose servers asked to wait.
  static func continues(after time: Duration, otherCount: Int = 0) -> String {
    "Loading continues in \(TextFormat.wait(time)), as the server asked.\(others(otherCount))"
  }

  private static func others(_ count: Int) -> String {
    count == 0 ? "" : count == 1 ? " 1 other source waits, too." : " \(count) other sources wait, too."
  }

  static let refreshing = "refreshing"

  static func skipped(_ count: Int) -> String { "\(count) skipped" }

  /// `age` is in seconds.
  static func cached(_ age: Int) -> String { "cached \(TextFormat.ago(age))" }

  static func waiting(_ time: Duration) -> String { "waiting \(TextFormat.wait(time)) for the server" }

  static func lookup(of title: String, after time: Duration) -> String {
    "The address of “\(excerpt(of: title, width: 30))” is looked up in \(TextFormat.wait(time)), as the server asked."
  }

  static func waits(_ name: String, _ time: Duration, otherCount: Int) -> String {
    let verb = otherCount == 0 ? "waits" : "and \(otherCount) more wait"
    return "\(excerpt(of: name, width: 20)) \(verb) \(TextFormat.wait(time))"
  }

  private func retry(_ command: Command, after time: Duration, otherCount: Int = 0) -> String {
    "Wait \(TextFormat.wait(time)) for the server" + advice(command, after: ", ") { "then press \($0)" } + "."
      + Self.others(otherCount)
  }

  /// `age` is in seconds.
  func header(for state: RefreshState, spinner: String, age: Int?) -> String {
    let updated = age.map { " · updated \(TextFormat.ago($0))" } ?? ""
    return switch state {
    case .idle: "↓ Pull to refresh\(updated)"
    case .pulling: "↑ Stop pulling to refresh\(updated)"
    case .willRefresh: "Refreshing in a moment"
    case .refreshing: "\(spinner) Refreshing…"
    case .holding(let time): Self.continues(after: time)
    case .failed(hold: nil): "Loading failed." + press(.browse(.refreshOrRetry), "to retry")
    case .failed(let time?): retry(.browse(.refreshOrRetry), after: time)
    case .noMoreData, .paused: ""
    }
  }

  func footer(for state: RefreshState, spinner: String, end: @autoclosure () -> String) -> String {
    switch state {
    case .idle, .pulling: keys.name(of: .cards(.loadMore)).map { "Press \($0) to load more" } ?? ""
    case .willRefresh: "Loading more in a moment"
    case .refreshing: "\(spinner) Loading more…"
    case .holding(let time): Self.continues(after: time)
    case .noMoreData: end()
    case .paused(let pageCount): paused(pageCount)
    case .failed(hold: nil): "Loading failed." + press(.cards(.loadMore), "to retry")
    case .failed(let time?): retry(.cards(.loadMore), after: time)
    }
  }

  func searched(_ count: Int) -> String { "Searched \(Self.videos(count))." + press(.cards(.loadMore), "to continue") }

  /// Pages without new videos.
  func paused(_ pageCount: Int) -> String {
    "Nothing new on \(pageCount) pages" + advice(.cards(.loadMore), after: " · ") { "\($0) to continue" }
  }

  /// Such as `YouTube 20 · PeerTube loading…`, and for each source that has failed `bilibili failed: no answer in 10 s`.
  static func states(of sources: SourceStatuses) -> (summary: String, failures: [String]) {
    var (states, failures) = ([String](), [String]())
    for index in sources.indices {
      let source = sources[source: index]
      var state = source.slots.isEmpty ? nil : TextFormat.count(source.slots.count)
      if case .failed(_, let failure, _, _) = source.loader.phase {
        failures.append("\(source.name) failed: \(failure.reason)")
      } else {
        state = state ?? (source.isLoading ? "loading…" : source.updatedAt == nil ? "waiting" : "0")
      }
      if let state { states.append("\(source.name) \(state)") }
    }
    return (states.joined(separator: " · "), failures)
  }

  static func more(_ count: Int) -> String { "+\(count) more" }

  /// O(n) if a source has delivered lists.
  static func end(of cards: CardList, in store: CardStore) -> String {
    let (count, listCount) = (cards.count, store.hasLists ? cards.slots.count { store[$0].isList } : 0)
    let number = TextFormat.count(count)
    let entries = listCount < count ? "\(number) entries" : count == 1 ? "1 list" : "\(number) lists"
    return "End of the list · \(listCount == 0 ? videos(count) : entries)"
  }

  /// The advice of a failure as a sentence that follows others.
  static func advice(of failure: FeedFailure) -> String { failure.advice.map { " \(sentence($0))." } ?? "" }

  /// `purpose` is the awaited one of the failed request, if any.
  func detailsNote(_ failure: FeedFailure, after purpose: DetailsRequest.Purpose?) -> String {
    purpose.map { addressFailed(failure, $0) }
      ?? "Could not load the details: \(reason(of: failure, retry: .browse(.refreshOrRetry)))"
  }

  /// Nil if there is no cover to load, or if the details failed for the same reason.
  func coverNote(_ failure: FeedFailure, beside details: FeedFailure?) -> String? {
    guard failure.kind != .absent, failure.reason != details?.reason else { return nil }
    let retry: Command? = failure.kind == .permanent ? nil : .browse(.refreshOrRetry)
    return "Could not load the cover: \(reason(of: failure, retry: retry))"
  }

  static func loadingDetails(spinner: String) -> String { "\(spinner) Loading the details…" }

  func addressFailed(_ failure: FeedFailure, _ purpose: DetailsRequest.Purpose) -> String {
    "Could not load \(Self.object(of: purpose)): \(reason(of: failure, retry: .browse(purpose.command)))"
  }

  /// - Parameter retry: nil if no retry can succeed.
  func reason(of failure: FeedFailure, retry: Command?) -> String {
    if case .wait(let seconds) = failure.kind, let retry {
      let time = TextFormat.wait(.seconds(seconds))
      return "\(failure.reason)." + press(retry, "to retry after \(time)")
    }
    return "\(failure.reason).\(Self.advice(of: failure))" + (retry.map { press($0, "to retry") } ?? "")
  }
}

extension FailureText {
  private static let maximumNames = 4

  private static func short(_ name: String) -> String { excerpt(of: name, width: 30) }

  private static func list(_ names: [String], of count: Int) -> String {
    names.joined(separator: ", ") + (count > names.count ? " and \(count - names.count) more" : "")
  }

  /// Several failures at once are reported by the names of their sources. `isNamed`: whether one is as well.
  init?(for sources: SourceStatuses, isNamed: Bool) {
    let failed = sources.indices.filter { sources[$0].hasShownFailure }
    guard let first = failed.first else { return nil }
    if failed.count == 1 {
      self.init(of: sources[source: first], isNamed: isNamed)
      return
    }
    let names = failed.prefix(Self.maximumNames).map { Self.short(sources[source: $0].name) }
    self.init(
      what: "Could not load \(failed.count) of \(sources.count) sources", why: Self.list(names, of: failed.count))
  }

  private init?(of source: SourceState, isNamed: Bool) {
    guard let failure = source.loader.shownFailure else { return nil }
    let videos = failure.request.purpose == .replace ? "the videos" : "more videos"
    let subject = isNamed ? "\(videos) of \(Self.short(source.name))" : videos
    self.init(
      what: "Could not load \(subject)", why: failure.failure.reason,
      advice: Self.advice(failure.failure, failure.hold?.duration))
  }

  /// Several failures show the reason of the last one; nil for none.
  init?(for addresses: [DetailsRequest.FailedAddress]) {
    guard let last = addresses.last else { return nil }
    let hold: Duration? = if case .wait(let seconds) = last.failure.kind { .seconds(seconds) } else { nil }
    let titles = addresses.suffix(Self.maximumNames).map { "“\(Self.short($0.card.video.title))”" }
    self.init(
      what:
        "Could not load the playback address\(addresses.count == 1 ? "" : "es") of \(Self.list(titles, of: addresses.count))",
      why: last.failure.reason, advice: Self.advice(last.failure, hold))
  }

  static func line(for failed: DetailsRequest.FailedAddress, inTabOf source: String) -> String {
    var text = FailureText(for: [failed])
    text?.advice = "Open the tab “\(Self.short(source))” to retry."
    return text?.line ?? ""
  }

  private static func advice(_ failure: FeedFailure, _ hold: Duration?) -> String? {
    hold.map { "The server asked to wait \(TextFormat.wait($0))." } ?? failure.advice.map { "\(Words.sentence($0))." }
  }
}
