import FeedfallText
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct NetworkSimulationTests {
  @Test func `all fields are parsed`() throws {
    let simulation = try NetworkSimulation(parsing: "latency=800ms, jitter=0.3s,loss=0.3,seed=7")
    var expected = NetworkSimulation()
    expected.latencyMilliseconds = 800
    expected.jitterMilliseconds = 300
    expected.loss = 0.3
    expected.seed = 7
    #expect(simulation == expected)
  }

  @Test func `each field is optional`() throws {
    #expect(try NetworkSimulation(parsing: "seed=1").latencyMilliseconds == 0)
  }

  @Test(arguments: [
    ("latency=800", #""latency=800" is not a time up to 60s, as in 800ms or 1.5s"#),
    ("latency=-1ms", #""latency=-1ms" is not a time up to 60s, as in 800ms or 1.5s"#),
    ("jitter=nans", #""jitter=nans" is not a time up to 60s, as in 800ms or 1.5s"#),
    ("latency=61s", #""latency=61s" is not a time up to 60s, as in 800ms or 1.5s"#),
    ("loss=1.1", #""loss=1.1" is not a number from 0 to 1, as in loss=0.3"#),
    ("seed=x", #""seed=x" is not a whole number, as in seed=7"#),
    ("speed=1", #""speed=1" is not parts like latency=800ms, jitter=300ms, loss=0.3, seed=7"#),
    ("", #""" is not parts like latency=800ms, jitter=300ms, loss=0.3, seed=7"#),
  ])
  func `an error quotes the invalid field and names the expected ones`(text: String, message: String) {
    do {
      _ = try NetworkSimulation(parsing: text)
      Issue.record("no error")
    } catch {
      #expect(error.description == message)
    }
  }

  private func fates(_ text: String, count: Int = 1000) throws -> [SimulatedNetwork.Fate] {
    let network = SimulatedNetwork(try NetworkSimulation(parsing: text), timeoutSeconds: 10)
    return (0..<count).map { _ in network.nextFate() }
  }

  @Test func `the same seed simulates the same network`() throws {
    let text = "latency=800ms,jitter=300ms,loss=0.3,seed="
    #expect(try fates(text + "7") == fates(text + "7"))
    #expect(try fates(text + "7") != fates(text + "8"))
  }

  @Test func `delays and losses match the settings`() throws {
    let fates = try fates("latency=800ms,jitter=300ms,loss=0.3,seed=1")
    #expect(fates.allSatisfy { (500...1100).contains($0.delayMilliseconds) })
    #expect((250...350).contains(fates.count { $0.isLost }))
    #expect(Set(fates.map(\.delayMilliseconds)).count > 100)
  }

  @Test func `jitter never makes a delay negative`() throws {
    #expect(try fates("jitter=300ms,seed=1").allSatisfy { $0.delayMilliseconds >= 0 })
  }

  private func catalogue(_ text: String, timeoutSeconds: Double = 100) throws -> PageSource {
    var options = SourceOptions()
    options.timeoutSeconds = timeoutSeconds
    options.simulation = try NetworkSimulation(parsing: text)
    return try FeedSources.open(nil, options: options)
  }

  @Test func `a lost request is a temporary failure`() async throws {
    #expect(
      try await catalogue("loss=1").page(.start).failure
        == FeedFailure(.temporary, "the simulated network lost the request"))
  }

  @Test func `a network without loss returns all pages`() async throws {
    let source = try catalogue("latency=1ms")
    #expect(!source.isLocal)
    #expect(try await source.page(.start).get().videos.count == 12)
  }

  @Test func `a request delayed beyond the time-out fails`() async throws {
    #expect(
      try await catalogue("latency=60s", timeoutSeconds: 0.1).page(.start).failure?.reason == "no answer in 0.1 s")
  }

  @Test func `a delayed request ends at once when cancelled`() async throws {
    let source = try catalogue("latency=60s")
    let task = Task { await source.page(.start) }
    task.cancel()
    #expect(await task.value.failure == .cancelled)
  }

  @Test func `the random numbers are those of SplitMix64`() {
    var numbers = SplitMix64(seed: 1_234_567)
    #expect(numbers.next() == 6_457_827_717_110_365_317)
    #expect(numbers.next() == 3_203_168_211_198_807_973)
  }
}
