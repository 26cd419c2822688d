/// A slow and unreliable network to play instead of the one there is.
public struct NetworkSimulation: Equatable, Sendable {
  /// How long every request takes longer.
  public var latencyMilliseconds = 0
  /// By how much at most a request takes longer or shorter than that.
  public var jitterMilliseconds = 0
  /// Which part of the requests gets lost, 0 ... 1.
  public var loss = 0.0
  /// Where the chances begin; nil for others each time.
  public var seed: UInt64?

  public init() {}

  /// Reads `latency=800ms,jitter=300ms,loss=0.3,seed=7`; every part may be missing.
  public init(parsing text: String) throws(NetworkSimulationError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
      guard pair.count == 2 else {
        throw NetworkSimulationError(written: Self.trimmed(part), expected: Self.expectedParts)
      }
      try set(pair[0], to: pair[1])
    }
  }

  private static let expectedParts = "parts like latency=800ms, jitter=300ms, loss=0.3, seed=7"

  private mutating func set(_ name: String, to value: String) throws(NetworkSimulationError) {
    let written = "\(name)=\(value)"
    switch name {
    case "latency": latencyMilliseconds = try Self.milliseconds(value, written: written)
    case "jitter": jitterMilliseconds = try Self.milliseconds(value, written: written)
    case "loss":
      guard let part = Double(value), (0...1).contains(part) else {
        throw NetworkSimulationError(written: written, expected: "a number from 0 to 1, as in loss=0.3")
      }
      loss = part
    case "seed":
      guard let number = UInt64(value) else {
        throw NetworkSimulationError(written: written, expected: "a whole number, as in seed=7")
      }
      seed = number
    default:
      throw NetworkSimulationError(written: written, expected: Self.expectedParts)
    }
  }

  private static func milliseconds(
    _ value: String, written: String
  ) throws(NetworkSimulationError) -> Int {
    let inMilliseconds = value.hasSuffix("ms")
    let number = Double(value.dropLast(inMilliseconds ? 2 : value.hasSuffix("s") ? 1 : 0))
    let hasUnit = inMilliseconds || value.hasSuffix("s")
    guard hasUnit, let number, (0...60_000).contains(inMilliseconds ? number : number * 1000) else {
      throw NetworkSimulationError(written: written, expected: "a time up to 60s, as in 800ms or 1.5s")
    }
    return Int(inMilliseconds ? number : number * 1000)
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " }
    let end = text.lastIndex { !isSpace($0) }.map(text.index(after:)) ?? text.startIndex
    return String(text[..<end].drop(while: isSpace))
  }
}

/// What was written for a simulated network, and what belongs there.
public struct NetworkSimulationError: Error, Equatable, Sendable, CustomStringConvertible {
  public var written: String
  public var expected: String

  public var description: String { "\"\(written)\" is not \(expected)" }
}
