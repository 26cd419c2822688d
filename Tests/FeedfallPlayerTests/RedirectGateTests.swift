import FeedfallApp
import FeedfallText
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct RedirectGateTests {
  private let start = SuspendingClock.now

  private func request(_ id: Int, _ text: String = "https://films.example/a.mp4") throws -> PlayRequest {
    PlayRequest(id: PlayID(id), address: .web(try #require(WebAddress(text))), title: "A video")
  }

  private func redirect() throws -> UnencryptedRedirect {
    UnencryptedRedirect(
      from: try #require(WebAddress("https://films.example/a.mp4")), to: try #require(WebAddress("http://b.example/")))
  }

  @Test func `only https addresses of files that may not leave https are asked for`() throws {
    var gate = RedirectGate()
    #expect(gate.begin(try request(1), at: start) == WebAddress("https://films.example/a.mp4"))
    #expect(gate.isHolding && gate.due == start + .seconds(2))
    var page = try request(2)
    page.isPage = true
    var allowed = try request(3)
    allowed.allowsHTTP = true
    for other in [try request(4, "http://films.example/a.mp4"), page, allowed] {
      #expect(gate.begin(other, at: start) == nil && !gate.isHolding)
    }
    let login = try Authorization.other(#require(HeaderValue("Bearer secret")))
    allowed.headers = RequestHeaders(nil, authorization: login)
    #expect(gate.begin(allowed, at: start) != nil)
    #expect(gate.handle(.leavesHTTPS(try redirect()), for: PlayID(3)) == .loginLeavesHTTPS(try redirect()))
  }

  @Test func `a server that sends a film itself is asked once, and one that redirects for each film`() throws {
    var gate = RedirectGate()
    for (number, route) in [FileRoute.other, .leavesHTTPS(try redirect()), .direct].enumerated() {
      #expect(gate.begin(try request(number), at: start) != nil)
      #expect((gate.handle(route, for: PlayID(number)) == nil) == (number != 1))
    }
    #expect(gate.begin(try request(3, "https://films.example/b.mp4"), at: start) == nil)
    #expect(gate.begin(try request(4, "https://films.example:444/b.mp4"), at: start) != nil)
  }

  @Test func `a hundred servers are remembered`() throws {
    var gate = RedirectGate()
    for number in 0...RedirectGate.maximumServerCount {
      #expect(gate.begin(try request(number, "https://\(number).example/"), at: start) != nil)
      #expect(gate.handle(.direct, for: PlayID(number)) == nil)
    }
    #expect(gate.begin(try request(1_000, "https://1.example/"), at: start) == nil)
    #expect(gate.begin(try request(1_001, "https://0.example/"), at: start) != nil)
  }

  /// Answers, time-outs, stops and new loads in any order.
  @Test(arguments: 0..<100) func `a load is refused only by its own answer in time, and waits no longer`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var gate = RedirectGate()
    var now = start
    var asked: (id: Int, since: SuspendingClock.Instant, hasLogin: Bool)?
    let login = try RequestHeaders(nil, authorization: .other(#require(HeaderValue("Bearer secret"))))
    let leaves = FileRoute.leavesHTTPS(try redirect())
    for id in 0..<200 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let host = Int.random(in: 0..<3, using: &random)
        var request = try request(id, "https://\(host).example/")
        if host == 2 { request.headers = login }
        asked = gate.begin(request, at: now) == nil ? nil : (id, now, host == 2)
        // A server that sends one film itself may redirect the next one with the password.
        #expect(asked != nil || host != 2)
      case 1:
        gate.cancel()
        asked = nil
      case 2:
        now += .milliseconds(Int.random(in: -500...1_500, using: &random))
        let refused = gate.expire(at: now)
        let isLate = asked.map { now - $0.since >= .seconds($0.hasLogin ? 10 : 2) } == true
        #expect(refused?.id == (isLate && asked?.hasLogin == true ? asked.map { PlayID($0.id) } : nil))
        if isLate { asked = nil }
      default:
        let answered = random.chance(1, in: 3) ? asked?.id ?? id : Int.random(in: 0...id, using: &random)
        let route = [FileRoute.direct, .other, leaves].randomElement(using: &random) ?? .other
        let failure = gate.handle(route, for: PlayID(answered))
        #expect((failure != nil) == (answered == asked?.id && route == leaves))
        if answered == asked?.id { asked = nil }
      }
      #expect(gate.isHolding == (asked != nil))
    }
  }
}

/// Films whose servers are asked before mpv gets their addresses.
@Suite(.hangLimit, .withMPV, .withLibrary, .serialized) struct MPVPlayerRedirectTests {
  /// The addresses asked for, and the answers that tests give.
  private final class Answers: Sendable {
    private struct Waiting {
      let address: String
      let answer: CheckedContinuation<FileRoute, Never>
    }

    private let waiting = Mutex<[Waiting]>([])

    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    var routes: RouteRequest {
      { [self] address, _, answer in
        Task {
          let route = await withCheckedContinuation { answer in
            waiting.withLock { $0.append(Waiting(address: address.text, answer: answer)) }
          }
          if !Task.isCancelled { answer(route) }
        }
      }
    }

    /// Waits for a question about an address, and answers it.
    func answer(_ address: String, _ route: FileRoute) async throws {
      try await eventually("a question about \(address)") {
        waiting.withLock { waiting in
          guard let place = waiting.firstIndex(where: { $0.address == address }) else { return false }
          waiting.remove(at: place).answer.resume(returning: route)
          return true
        }
      }
    }
  }

  private func makePlayer(_ answers: Answers, time: Duration = .seconds(3_600)) -> TestPlayer {
    TestPlayer(.library, { $0.routeTime = time }, routes: answers.routes)
  }

  private func redirect() throws -> UnencryptedRedirect {
    UnencryptedRedirect(
      from: try #require(WebAddress("https://a.example/1.mp4")), to: try #require(WebAddress("http://b.example/")))
  }

  @Test func `a film that leaves https is not loaded, and the next one plays`() async throws {
    let answers = Answers()
    let player = makePlayer(answers)
    try player.load(1, "https://a.example/1.mp4")
    player.perform(.pause)
    try await answers.answer("https://a.example/1.mp4", .leavesHTTPS(try redirect()))
    try await player.expectEnd(1, .failed(.leavesHTTPS(try redirect())))
    #expect(player.events(1).count == 1)
    try player.load(2, Clips.wide)
    try await player.expectEnd(2, .reachedEnd)
  }

  @Test func `the last film pauses while the server of the next one is asked`() async throws {
    let answers = Answers()
    let player = makePlayer(answers)
    try player.load(1, Clips.long)
    try await player.waitUntilReady(1)
    try player.load(2, "https://a.example/1.mp4")
    try await player.waitUntil { $0.events(1).contains(.paused(true)) }
    player.perform(.stop)
    try await player.expectEnd(2, .stopped)
    try await player.expectEnd(1, .stopped)
    try await answers.answer("https://a.example/1.mp4", .other)
    try player.load(3, Clips.wide)
    try await player.expectEnd(3, .reachedEnd)
    #expect(player.events(2) == [.ended(.stopped)])
  }

  @Test func `only the answer about the last of several films counts`() async throws {
    // The server has no encryption, so that mpv fails at once.
    let server = try TestServer { _ in .answer(TestAnswer("")) }
    defer { server.stop() }
    let address = server.origin.replacing("http:", with: "https:")
    let answers = Answers()
    let player = makePlayer(answers)
    for id in 1...3 { try player.load(id, "\(address)/\(id).mp4") }
    try await answers.answer("\(address)/1.mp4", .leavesHTTPS(try redirect()))
    try await answers.answer("\(address)/3.mp4", .direct)
    try await player.waitUntil { $0.end(3) != nil }
    #expect(player.events(1).isEmpty && player.events(2).isEmpty)
    #expect(player.end(3) != .failed(.leavesHTTPS(try redirect())))
    try player.load(4, "\(address)/4.mp4")
    try await player.waitUntil { $0.end(4) != nil }
    try await answers.answer("\(address)/2.mp4", .other)
    #expect(answers.isEmpty)
  }

  @Test func `a player that ends while a server is asked waits for nothing`() async throws {
    let answers = Answers()
    let player = makePlayer(answers)
    try player.load(1, "https://a.example/1.mp4")
    try await eventually("a question") { !answers.isEmpty }
    player.shutDown()
    #expect(player.processID == nil)
    try await answers.answer("https://a.example/1.mp4", .direct)
    #expect(player.end(1) == nil)
  }

  @Test func `a film whose server does not answer in time is played`() async throws {
    let answers = Answers()
    let player = makePlayer(answers, time: .zero)
    try player.load(1, "https://127.0.0.1:1/1.mp4")
    try await player.waitUntil { $0.end(1) != nil }
    #expect(player.end(1) != .failed(.leavesHTTPS(try redirect())))
    try await answers.answer("https://127.0.0.1:1/1.mp4", .leavesHTTPS(try redirect()))
    try player.load(2, Clips.wide)
    try await player.expectEnd(2, .reachedEnd)
  }
}
