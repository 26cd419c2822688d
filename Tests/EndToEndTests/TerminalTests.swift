import Foundation
import TestSupport
import Testing

/// The program in a terminal, under a shell, as a person has it.
@Suite(.hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"))
struct TerminalTests {
  private func inTerminal(
    width: Int = 80, height: Int = 24, _ body: @escaping @Sendable (Tmux) throws -> Void
  ) async throws {
    try await onThread {
      let tmux = try Tmux(width: width, height: height)
      defer { tmux.close() }
      try body(tmux)
    }
  }

  /// Starts the program from the shell, lets `body` use it to its end, and compares the terminal before and after.
  private func compareTerminal(
    arguments: String = "", status: String = "0", _ body: @escaping @Sendable (Tmux) throws -> Void
  ) async throws {
    // Not the 24 rows that terminfo takes for granted.
    try await inTerminal(width: 90, height: 33) { tmux in
      try tmux.enter("stty -g > \(tmux.folder.path)/before; clear")
      try tmux.waitUntil("the shell is ready") { $0.hasPrefix("ready>") }
      let modes = try tmux.modes()
      try tmux.enter("\(Feedfall.path) \(arguments)")
      try tmux.waitFor("? help")
      #expect(try tmux.modes() != modes, "the program did not take the terminal")
      try body(tmux)
      try tmux.waitUntil("the shell is back") { shown in
        shown.split(separator: "\n").last?.hasPrefix("ready>") ?? false
      }
      try tmux.enter("echo \"ended $?.\"; stty -g > \(tmux.folder.path)/after")
      try tmux.waitFor("ended \(status).")
      try tmux.waitUntil("the terminal is as before") { _ in try tmux.modes() == modes }
      let before = try String(contentsOfFile: tmux.folder.path + "/before", encoding: .utf8)
      try tmux.waitUntil("the settings are as before") { _ in
        try String(contentsOfFile: tmux.folder.path + "/after", encoding: .utf8) == before
      }
    }
  }

  @Test func `the catalogue shows without a network and pages to its end`() async throws {
    try await inTerminal { tmux in
      try tmux.enter(Feedfall.path)
      try tmux.waitFor("Elephants Dream")
      try tmux.waitFor("1/")
      for _ in 0..<8 { try tmux.press("G") }
      try tmux.waitFor("all 30 videos are shown")
      try tmux.waitFor("30/30")
    }
  }

  @Test func `q gives the terminal back`() async throws {
    try await compareTerminal { try $0.press("q") }
  }

  @Test func `^C gives the terminal back`() async throws {
    try await compareTerminal { try $0.press("C-c") }
  }

  @Test(arguments: [(SIGTERM, "143"), (SIGINT, "130"), (SIGHUP, "129"), (SIGQUIT, "131")])
  func `a signal gives the terminal back and is died of`(signal: Int32, status: String) async throws {
    try await compareTerminal(status: status) { tmux in try send(signal, to: tmux) }
  }

  @Test(arguments: [(SIGSEGV, "139"), (SIGABRT, "134"), (SIGILL, "132"), (SIGTRAP, "133")])
  func `a crash gives the terminal back and is died of`(signal: Int32, status: String) async throws {
    try await compareTerminal(status: status) { tmux in try send(signal, to: tmux) }
  }

  @Test func `a terminal that goes away ends the program`() async throws {
    try await onThread {
      let tmux = try Tmux(width: 80, height: 24)
      try tmux.enter(Feedfall.path)
      try tmux.waitFor("1/")
      let child = try #require(try tmux.child(named: "feedfall"))
      tmux.close()
      try blockUntil("the program has ended") { !isRunning(child) }
    }
  }

  @Test func `^Z and fg come back to the same screen and the first arrow counts`() async throws {
    try await inTerminal { tmux in
      try tmux.enter(Feedfall.path)
      try tmux.waitFor("1/")
      try tmux.press("Right")
      let before = try tmux.waitFor("2/30")
      let modes = try tmux.modes()
      try tmux.press("C-z")
      try tmux.waitFor("Stopped")
      #expect(try tmux.modes().contains("alternate=0"))
      try tmux.enter("fg")
      try tmux.waitUntil("the screen is the same") { $0 == before }
      #expect(try tmux.modes() == modes)
      try tmux.press("Right")
      try tmux.waitFor("3/")
    }
  }

  @Test func `a storm of sizes leaves the same screen`() async throws {
    try await inTerminal { tmux in
      try tmux.enter(Feedfall.path)
      try tmux.waitFor("1/")
      try tmux.press("j", "l")
      let before = try tmux.waitUntil("the selection has moved and all is loaded") {
        !$0.contains("1/") && $0.contains("/30")
      }
      var seed: UInt64 = 7
      for _ in 0..<60 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        try tmux.resize(width: 1 + Int(seed >> 33) % 300, height: 1 + Int(seed >> 45) % 100)
      }
      try tmux.resize(width: 80, height: 24)
      try tmux.waitUntil("the screen is as before") { $0 == before }
    }
  }

  @Test func `pulling past the top refreshes`() async throws {
    try await inTerminal { tmux in
      try tmux.enter("\(Feedfall.path) --simulate-network latency=700ms")
      try tmux.waitFor("refreshing")
      try tmux.waitFor("1/")
      try tmux.press("k", "k", "k")
      try tmux.waitFor("release to refresh")
      try tmux.waitFor("refreshing")
      try tmux.waitUntil("it has refreshed") { !$0.contains("refreshing") && $0.contains("1/") }
    }
  }

  @Test func `a failure is told, keeps the cards and can be retried`() async throws {
    try await inTerminal { tmux in
      try tmux.enter("\(Feedfall.path) --simulate-network loss=0.5,seed=4")
      for _ in 0..<20 {
        let shown = try tmux.waitUntil("something came") { $0.contains("1/") || $0.contains("Press r to retry") }
        if shown.contains("30/30") || shown.contains("1/30") { break }
        try tmux.press(shown.contains("Press r to retry") ? "r" : "m")
      }
      try tmux.press("G")
      try tmux.waitFor("30/30")
    }
  }

  private func send(_ signal: Int32, to tmux: Tmux) throws {
    kill(try #require(try tmux.child(named: "feedfall")), signal)
  }
}
