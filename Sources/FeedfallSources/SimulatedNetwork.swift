import FeedfallText
import Synchronization

/// Delays and loses the requests of a source as a `NetworkSimulation` says.
final class SimulatedNetwork: Sendable {
  private let simulation: NetworkSimulation
  private let timeoutSeconds: Double
  private let chances: Mutex<SplitMix64>

  /// Nobody waits longer for it than `timeoutSeconds`.
  init(_ simulation: NetworkSimulation, timeoutSeconds: Double) {
    self.simulation = simulation
    self.timeoutSeconds = timeoutSeconds
    chances = Mutex(SplitMix64(seed: simulation.seed ?? .random(in: .min ... .max)))
  }

  /// What the next request meets.
  func nextFate() -> Fate {
    chances.withLock { chances in
      let shift = (chances.nextFraction() * 2 - 1) * Double(simulation.jitterMilliseconds)
      let delay = max(0, simulation.latencyMilliseconds + Int(shift.rounded()))
      return Fate(delayMilliseconds: delay, isLost: chances.nextFraction() < simulation.loss)
    }
  }

  struct Fate: Equatable, Sendable {
    var delayMilliseconds: Int
    var isLost: Bool
  }

  private func pass<Value: Sendable>(
    _ request: @Sendable () async -> Result<Value, FeedFailure>
  ) async -> Result<Value, FeedFailure> {
    let fate = nextFate()
    do {
      try await Task.sleep(for: .milliseconds(min(Double(fate.delayMilliseconds), timeoutSeconds * 1000)))
    } catch {
      return .failure(.cancelled)
    }
    if Double(fate.delayMilliseconds) >= timeoutSeconds * 1000 { return .failure(.noAnswer(inSeconds: timeoutSeconds)) }
    if fate.isLost { return .failure(FeedFailure(.temporary, "the simulated network lost the request")) }
    return await request()
  }

  /// The same source behind this network: no longer one whose pages cost nothing.
  func between(_ source: PageSource) -> PageSource {
    PageSource(
      name: source.name, isLocal: false, timeLimitSeconds: source.timeLimitSeconds,
      page: { cursor, use in
        // What is kept needs no network.
        if use == .onlyIfCached { return await source.page(cursor, use) }
        return await self.pass { await source.page(cursor, use) }
      },
      details: { video in
        guard video.canBeCompleted else { return .success(video) }
        return await self.pass { await source.details(video) }
      })
  }
}
