import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// The settings of a simulated slow and unreliable network.
public struct NetworkSimulation: Equatable, Sendable {
  /// The delay of each request.
  public var latencyMilliseconds = 0
  /// The maximum deviation from the delay.
  public var jitterMilliseconds = 0
  /// The probability that a request is lost, 0 to 1.
  public var loss = 0.0
  /// The seed of the random numbers; nil for a random one.
  public var seed: UInt64?

  public init() {}

  /// Parses `latency=800ms,jitter=300ms,loss=0.3,seed=7`. Each field is optional.
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
    String(decoding: Array(text.utf8).trimmingBlanks(), as: UTF8.self)
  }
}

/// An invalid field of a simulated network.
public struct NetworkSimulationError: Error, Equatable, Sendable, CustomStringConvertible {
  public var written: String
  public var expected: String

  public var description: String { "\"\(written)\" is not \(expected)" }
}

final class SimulatedNetwork: Sendable {
  private let simulation: NetworkSimulation
  private let timeoutSeconds: Double
  private let random: Mutex<SplitMix64>

  init(_ simulation: NetworkSimulation, timeoutSeconds: Double) {
    self.simulation = simulation
    self.timeoutSeconds = timeoutSeconds
    random = Mutex(SplitMix64(seed: simulation.seed ?? .random(in: .min ... .max)))
  }

  func nextFate() -> Fate {
    random.withLock { random in
      let shift = (random.nextFraction() * 2 - 1) * Double(simulation.jitterMilliseconds)
      let delay = max(0, simulation.latencyMilliseconds + Int(shift.rounded()))
      return Fate(delayMilliseconds: delay, isLost: random.nextFraction() < simulation.loss)
    }
  }

  struct Fate: Equatable, Sendable {
    var delayMilliseconds: Int
    var isLost: Bool
  }

  private func pass() async throws(FeedFailure) {
    let fate = nextFate()
    do {
      try await Task.sleep(for: .milliseconds(min(Double(fate.delayMilliseconds), timeoutSeconds * 1000)))
    } catch {
      throw .cancelled
    }
    if Double(fate.delayMilliseconds) >= timeoutSeconds * 1000 { throw FeedFailure(.timedOut(seconds: timeoutSeconds)) }
    if fate.isLost { throw FeedFailure(.lostBySimulation) }
  }

  /// Returns the source behind this network. It is not local, because its requests take time.
  func between(_ source: PageSource) -> PageSource {
    var simulated = source.replacing(
      page: { cursor, use throws(FeedFailure) in
        // Cached pages need no network.
        if use != .onlyIfCached { try await self.pass() }
        return try await source.loadPage(cursor, use)
      },
      details: { video throws(FeedFailure) in
        if video.canBeCompleted { try await self.pass() }
        return try await source.loadDetails(video)
      })
    simulated.isLocal = false
    return simulated
  }
}

/// SplitMix64 by Sebastiano Vigna: small, fast, and with the same numbers for the same seed on each platform.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in 0 ..< 1.
  mutating func nextFraction() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
