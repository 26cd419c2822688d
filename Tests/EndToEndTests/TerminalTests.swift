import Foundation
import TestSupport
import Testing

/// The program in a terminal, started from a shell.
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

  /// Starts the program from the shell, lets `body` end it, and compares the terminal before and after.
  private func compareTerminal(
    arguments: String = "", status: String = "0", _ body: @escaping @Sendable (Tmux) throws -> Void
  ) async throws {
    // Not the 24 rows that terminfo assumes.
    try await inTerminal(width: 90, height: 33) { tmux in
      try tmux.runInShell("stty -g > \(tmux.folder.path)/before")
      let modes = try tmux.modes()
      try tmux.start(arguments)
      #expect(try tmux.waitUntilIdle().contains("? help"))
      #expect(try tmux.modes() != modes, "the program did not change the terminal's modes")
      try body(tmux)
      try tmux.waitForShell()
      // The status is printed last, so that the file is complete when it is seen.
      try tmux.enter("status=$?; stty -g > \(tmux.folder.path)/after; echo \"ended $status.\"")
      try tmux.waitFor("ended \(status).")
      try tmux.waitUntil("the terminal is as before") { _ in try tmux.modes() == modes }
      func settings(_ name: String) throws -> String {
        try String(contentsOfFile: tmux.folder.path + "/" + name, encoding: .utf8)
      }
      #expect(try settings("after") == settings("before"))
    }
  }

  @Test func `the catalogue loads without a network, to its last page`() async throws {
    try await inTerminal { tmux in
      try tmux.start()
      #expect(try tmux.waitUntilIdle().contains("Elephants Dream"))
      var shown = ""
      for _ in 0..<8 {
        try tmux.press("G")
        shown = try tmux.waitUntilIdle()
      }
      #expect(shown.contains("End of the list · 30 videos") && shown.contains("30 of 30"))
    }
  }

  @Test(arguments: ["q", "C-c"]) func `a key that quits restores the terminal`(key: String) async throws {
    try await compareTerminal { try $0.press(key) }
  }

  @Test(arguments: [(SIGTERM, "143"), (SIGINT, "130"), (SIGHUP, "129"), (SIGQUIT, "131")])
  func `a signal restores the terminal and is the exit status`(signal: Int32, status: String) async throws {
    try await compareTerminal(status: status) { tmux in try send(signal, to: tmux) }
  }

  @Test(arguments: [(SIGSEGV, "139"), (SIGABRT, "134"), (SIGILL, "132"), (SIGTRAP, "133")])
  func `a crash restores the terminal, and its signal is the exit status`(signal: Int32, status: String) async throws {
    try await compareTerminal(status: status) { tmux in try send(signal, to: tmux) }
  }

  @Test func `the program ends when its terminal disappears`() async throws {
    try await onThread {
      let tmux = try Tmux(width: 80, height: 24)
      defer { tmux.close() }
      try tmux.start()
      try tmux.waitUntilIdle()
      let child = try #require(try tmux.child(named: "feedfall"))
      tmux.close()
      try blockUntil("the program has ended") { !isRunning(child) }
    }
  }

  @Test func `after ^Z and fg the screen is the same and the first arrow key works`() async throws {
    try await inTerminal { tmux in
      try tmux.start()
      try tmux.waitUntilIdle()
      try tmux.press("Right")
      let before = try tmux.waitUntilIdle()
      #expect(before.contains("2 of 30"))
      let modes = try tmux.modes()
      try tmux.press("C-z")
      try tmux.waitFor("Stopped")
      #expect(try tmux.modes().contains("alternate=0"))
      try tmux.enter("fg")
      #expect(try tmux.waitUntilIdle() == before)
      #expect(try tmux.modes() == modes)
      try tmux.press("Right")
      #expect(try tmux.waitUntilIdle().contains("3 of 30"))
    }
  }

  @Test func `rapid changes of size leave the same screen`() async throws {
    try await inTerminal { tmux in
      try tmux.start()
      try tmux.waitUntilIdle()
      try tmux.press("j", "l")
      let before = try tmux.waitUntilIdle()
      #expect(before.contains(" of 30") && !before.contains("1 of 30"))
      var seed: UInt64 = 7
      for _ in 0..<60 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        try tmux.resize(width: 1 + Int(seed >> 33) % 300, height: 1 + Int(seed >> 45) % 100)
      }
      try tmux.resize(width: 80, height: 24)
      try tmux.waitUntil("the screen is as before") { $0 == before }
    }
  }

  private func send(_ signal: Int32, to tmux: Tmux) throws {
    kill(try #require(try tmux.child(named: "feedfall")), signal)
  }
}
