import FeedfallFeeds

/// Sentences about cards that open lists.
extension Words {
  func isList(_ list: ListFacts, _ title: String) -> String {
    "“\(excerpt(of: title, width: 30))” is a \(list.kind.rawValue), not a video."
      + advice(.cards(.openDetails)) { "Press \($0) to open it." }
  }

  static func listSign(_ kind: ListFacts.Kind) -> String { "≡ \(kind.rawValue)" }

  /// Such as `120 videos` and `3.4k subscribers`.
  static func counts(of list: ListFacts) -> [String] {
    [
      list.videoCount.map(videos),
      list.subscriberCount.map { $0 == 1 ? "1 subscriber" : "\(TextFormat.shortCount($0)) subscribers" },
    ].compactMap(\.self)
  }

  static func noChannelList(_ list: ChannelList) -> String {
    "Could not open the channel's \(list.rawValue): neither the tab nor the card names a channel with this list."
  }

  static let nothingToGoBackTo = "Nothing to go back to: this tab was not opened from another, or that one is closed"
}
