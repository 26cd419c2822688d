import FeedfallText

/// A list of videos that stands in a feed in place of a film, such as a channel among the results of a search.
public struct ListLink: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable { case channel, playlist, podcast, folder }

  public let kind: Kind
  /// The address that the list is opened by.
  public let address: MediaAddress
  /// The number of videos in the list, as far as it is known.
  public let videoCount: Int?
  /// The number of subscribers, as far as it is known.
  public let followerCount: Int?

  private static let maximumCount = 100_000_000_000

  /// Numbers outside 0...100,000,000,000 count as unknown.
  public init(_ kind: Kind, _ address: MediaAddress, videoCount: Int? = nil, followerCount: Int? = nil) {
    func plausible(_ count: Int?) -> Int? { count.flatMap { (0...Self.maximumCount).contains($0) ? $0 : nil } }
    (self.kind, self.address) = (kind, address)
    (self.videoCount, self.followerCount) = (plausible(videoCount), plausible(followerCount))
  }
}

extension Video {
  /// The list that the card opens; nil for a film.
  public var list: ListLink? { if case .list(let list) = playback { list } else { nil } }

  /// The address to copy: that of the film or of the list.
  public var address: MediaAddress? { list?.address ?? playbackURL }
}
