import FeedfallText

/// A list that a card opens in place of a video.
public struct ListFacts: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case channel, playlist, podcast, series, folder
    /// A list of another kind.
    case list
  }

  public let kind: Kind
  /// The address to open, without a user name and a password: a web address, a file or a folder.
  public let address: MediaAddress
  public let videoCount: Int?
  public let subscriberCount: Int?

  /// The greatest count that may be true.
  private static let maximumCount = 100_000_000_000

  /// A count outside 0...100,000,000,000 counts as unknown.
  package init(_ kind: Kind, at address: MediaAddress, videoCount: Int? = nil, subscriberCount: Int? = nil) {
    func plausible(_ count: Int?) -> Int? { count.flatMap { (0...Self.maximumCount).contains($0) ? $0 : nil } }
    (self.kind, self.address) = (kind, address.web.map { .web($0.withoutUser) } ?? address)
    (self.videoCount, self.subscriberCount) = (plausible(videoCount), plausible(subscriberCount))
  }
}

extension Video {
  /// The card of a list. It is no video: it has no address to play, no length and no record.
  package init(list: ListFacts, title: String?) {
    self.init(
      id: "\(list.kind.rawValue) \(list.address.text)", title: title ?? list.address.name ?? list.address.description,
      playback: .list(list))
    pageURL = list.address.web
  }

  /// The list that the card opens; nil for a video.
  public var list: ListFacts? { if case .list(let list) = playback { list } else { nil } }

  /// Turns a video with a single local file into a card if the file is a list or a folder.
  mutating func becomeList(_ kind: (FileAddress) -> ListFacts.Kind?) {
    guard case .direct(let files) = playback, files.count == 1, let file = files[0].url.file, let kind = kind(file)
    else { return }
    var card = Video(list: ListFacts(kind, at: .file(file)), title: title)
    (card.covers, card.group) = (covers, group)
    self = card
  }
}
