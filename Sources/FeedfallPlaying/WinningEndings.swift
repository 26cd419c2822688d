import FeedfallFeeds

/// Which ending of addresses was played from a server where another had failed, so that the next film of that server
/// begins with it.
struct WinningEndings: Equatable, Sendable {
  /// More servers are not remembered.
  private static let maximumCount = 100

  private var endings: [String: String] = [:]

  mutating func note(_ winner: PlayCandidate) {
    guard let host = winner.address.web?.host, let ending = Self.ending(of: winner) else { return }
    if endings.count >= Self.maximumCount { endings = [:] }
    endings[host] = ending
  }

  func contains(_ candidate: PlayCandidate) -> Bool {
    guard let host = candidate.address.web?.host, let winner = endings[host] else { return false }
    return Self.ending(of: candidate) == winner
  }

  /// What follows the path's last dot, in lower case.
  private static func ending(of candidate: PlayCandidate) -> String? {
    let path = candidate.address.web?.path ?? ""
    guard let dot = path.lastIndex(of: "."), path[dot...].utf8.count <= 6 else { return nil }
    return path[dot...].lowercased()
  }
}
