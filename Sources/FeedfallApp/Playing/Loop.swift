public enum LoopMode: Equatable, Sendable, CaseIterable {
  case off
  case video
  /// Continues with the first video after the last one.
  case list

  var next: LoopMode {
    switch self {
    case .off: .video
    case .video: .list
    case .list: .off
    }
  }
}

/// The marks that the user sets for a repeated part: its start, then its end.
public enum LoopMarks: Equatable, Sendable {
  case none
  /// In seconds from the beginning.
  case start(Double)
  case part(Part)

  var part: Part? { if case .part(let part) = self { part } else { nil } }

  func adding(_ seconds: Double) -> LoopMarks {
    switch self {
    case .none: .start(seconds)
    case .start(let start): Part(start, seconds).map(LoopMarks.part) ?? .none
    case .part: .none
    }
  }

  /// A part of a video that the player repeats, in seconds from the beginning.
  public struct Part: Equatable, Sendable {
    public let start: Double
    public let end: Double

    /// In seconds; a shorter part could not be watched.
    private static let shortest = 0.5

    /// Returns nil if the positions are too close; their order does not matter.
    public init?(_ first: Double, _ second: Double) {
      guard abs(first - second) >= Self.shortest else { return nil }
      (start, end) = (min(first, second), max(first, second))
    }
  }
}
