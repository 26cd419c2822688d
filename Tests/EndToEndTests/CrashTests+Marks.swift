import FeedfallFeeds
import FeedfallRecords
import FeedfallSources
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallProgram

/// Crashes while marks are exchanged with a server of the Google Reader API.
extension CrashTests {
  /// A run of the program: what the server has before and after it.
  private struct Exchange {
    var before: [GoogleReaderAccount.Entry]
    var after: [GoogleReaderAccount.Entry]
    var changes: [String]
  }

  /// After each crash, the next program and the server agree: on each mark in the log, and on each mark of the server.
  @Test func `no exchanged mark is lost by a kill or a power cut at any change of a file`() async throws {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(2), GoogleReaderAccount.Entry(1)])
    account.change { $0[1].isStarred = true }
    try await withFolder { folder in
      let (home, early) = (folder + "/home", Sink())
      try await withServer({ request in
        // Another mark may be sent although this one is agreed: after a crash between the log and the agreements, a
        // mark that was adopted from the server is sent back to it. That sets it again, which `checkNext` shows to
        // change nothing.
        let body = String(decoding: request.body, as: UTF8.self)
        if request.path.hasSuffix("edit-tag"), body.contains("starred"), Self.isAgreed(inFilesOf: home) {
          early.messages.withLock { $0.append("the star was agreed before the server had it: \(body)") }
        }
        return account.answer(request)
      }) { server in
        let start = Self.start(server.origin)
        try start.write(to: home)
        var disk = RecordedDisk(start, in: home)
        let typed = try await exchange(account, home, folder + "/record-1") { terminal in
          terminal.type("*")
          try blockUntil("the mark is sent") { account.entries[0].isStarred }
        }
        account.change { $0[0].isRead = true }
        let adopted = try await exchange(account, home, folder + "/record-2") { _ in
          try blockUntil("the server's mark is stored") {
            Self.log(in: home).load().records.keys(with: .watched).count == 1
          }
        }
        var known: Set<[String: Data?]> = []
        for run in [typed, adopted] {
          for line in run.changes {
            try disk.apply(line)
            for crash in RecordedDisk.Crash.allCases {
              let content = disk.content(after: crash)
              guard known.insert(content).inserted else { continue }
              // Without an agreement, the request may have reached the server or not.
              for entries in Self.isAgreed(content) ? [run.after] : [run.before, run.after] {
                try content.write(to: home)
                disk.setTimes(in: home)
                account.change { $0 = entries }
                try await checkNext(account, server, home, "\(crash), after \(line.prefix(200))")
              }
            }
          }
        }
        #expect(early.messages.withLock { $0 } == [])
        #expect(typed.changes.count > 5 && !adopted.changes.isEmpty)
      }
    }
  }

  private static func start(_ origin: String) -> [String: Data?] {
    let source = """
      [[source]]
      name = "Account"
      address = "greader+\(origin)"
      user = "\(GoogleReaderAccount.user)"
      password-command = "echo '\(GoogleReaderAccount.password)'"
      """
    return [".config": nil, ".config/feedfall": nil, ".config/feedfall/config.toml": Data(source.utf8)]
  }

  /// Whether a file of agreements says that the server has the star.
  private static func isAgreed(_ content: [String: Data?]) -> Bool {
    content.contains { path, bytes in
      path.contains(".marks-") && String(decoding: bytes ?? Data(), as: UTF8.self).contains(/starred 1 \d+ 0*2\n/)
    }
  }

  private static func isAgreed(inFilesOf home: String) -> Bool {
    let folder = stateFolder(of: home)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // A crash leaves files that were to replace others.
    let names = all.filter { !$0.hasSuffix(".new") }
    return isAgreed(
      Dictionary(names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)")) }) { first, _ in first })
  }

  private static func stateFolder(of home: String) -> String { home + "/.local/state/feedfall" }

  private static func log(in home: String) -> UserLog {
    UserLog(folder: stateFolder(of: home), stateFolder: stateFolder(of: home))
  }

  /// Runs the program until it has shown the videos and `act` has returned.
  private func exchange(
    _ account: GoogleReaderAccount, _ home: String, _ record: String,
    _ act: @escaping @Sendable (ScriptedTerminal) throws -> Void
  ) async throws -> Exchange {
    let before = account.entries
    try await onThread {
      let terminal = try ScriptedTerminal(
        Feedfall.path, "--images", "none",
        environment: [
          "HOME": home, "XDG_STATE_HOME": home + "/.local/state", "XDG_CONFIG_HOME": home + "/.config",
          "LD_PRELOAD": Self.recorder, "RECORD_ROOT": home, "RECORD_FILE": record,
        ])
      try terminal.waitFor("Film 1")
      try act(terminal)
      terminal.type("q")
      var status: Int32 = 0
      try blockUntil("the program has ended") {
        _ = terminal.drain()
        return waitpid(terminal.process, &status, WNOHANG) != 0
      }
    }
    let changes = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map(String.init)
    return Exchange(before: before, after: account.entries, changes: changes)
  }

  private final class Sink: Sendable {
    let messages = Mutex<[String]>([])
  }

  /// Lets the next program exchange its marks, and checks that none is lost on either side.
  private func checkNext(
    _ account: GoogleReaderAccount, _ server: TestServer, _ home: String, _ crash: String
  ) async throws {
    let before = account.entries
    let stored = Self.log(in: home).load()
    #expect(stored.message == nil, "\(crash)")
    let (screen, keys) = try await MarkProgram(.reader(on: server), in: Self.stateFolder(of: home)).run()
    try #require(keys.count == 2)
    let isStarred = (0...1).map { before[$0].isStarred || stored.records[keys[$0]].has(.starred) }
    #expect(account.entries.map(\.isStarred) == isStarred, "\(crash)")
    #expect(!screen.contains("Could not"), "\(crash)")
    #expect(account.entries.map(\.isRead) == before.map(\.isRead), "\(crash)")
    let records = Self.log(in: home).load().records
    #expect(keys.map { records[$0].has(.starred) } == isStarred, "\(crash)")
    #expect((records[keys[0]].watched != nil) == before[0].isRead, "\(crash)")
  }
}
