import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallProgram

extension MarkSynchronizer {
  /// Waits for the present request without a limit.
  fileprivate func end() async {
    await close()?.value
    saveLast()
  }
}

@Suite(.hangLimit) struct MarkSynchronizerTests {
  /// A program with one source on a server of the Google Reader API.
  private final class Program: Sendable {
    let source: PageSource
    let log: UserLog
    let synchronizer: MarkSynchronizer
    private let records: Mutex<UserData>
    private let sink = Sink()

    init(
      _ server: TestServer, folder: String,
      sleep: @escaping @Sendable (Duration) async throws -> Void = skippingShortPauses
    ) throws {
      var options = SourceOptions()
      options.timeoutSeconds = 600
      options.login = SourceLogin(
        user: GoogleReaderAccount.user, passwordCommand: "echo '\(GoogleReaderAccount.password)'")
      source = try FeedSources.open("greader+\(server.origin)", options: options)
      log = UserLog(folder: folder, stateFolder: folder)
      let data = log.load().records
      records = Mutex(data)
      synchronizer = try MarkSynchronizer(
        #require(source.marks), log, on: Worker(), refusalMilliseconds: 0, sleep: sleep
      ) { [sink] in
        sink.add($0)
      }
      synchronizer.start(with: data)
    }

    /// Skips the pauses after refused changes, and not those after failures.
    private static let skippingShortPauses: @Sendable (Duration) async throws -> Void = { pause in
      if pause > .seconds(1) { await untilCancelled() }
    }

    static func untilCancelled() async {
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      for await _ in stream {}
      continuation.finish()
    }

    var events: [AppEvent] { sink.events }

    /// Loads the first page like the runtime does, and returns the keys of its videos.
    func load() async throws -> [VideoKey] {
      let before = events.count
      let page = try await synchronizer.page { await self.source.page(.start, .whileFresh) }.get()
      for case .recordsChanged(let changes) in events[before...] { records.withLock { _ = $0.merge(changes) } }
      return page.videos.map { VideoKey($0) }
    }

    func change(_ key: VideoKey, _ value: UserValue, isWritten: Bool = true) {
      let now = Int(Date().timeIntervalSince1970 * 1_000)
      let events = records.withLock { $0.change(key, [value], at: now) }
      log.add(events)
      #expect(!events.isEmpty)
      if isWritten { #expect(log.write() == nil) }
      synchronizer.observe(events)
    }

    func merge(_ event: UserEvent) { records.withLock { _ = $0.apply(event) } }

    subscript(key: VideoKey) -> UserRecord { records.withLock { $0[key] } }
  }

  private final class Sink: Sendable {
    private let state = Mutex<[AppEvent]>([])
    var events: [AppEvent] { state.withLock { $0 } }
    func add(_ event: AppEvent) { state.withLock { $0.append(event) } }
  }

  private func entries(_ count: Int) -> [GoogleReaderAccount.Entry] {
    (1...count).reversed().map { GoogleReaderAccount.Entry($0) }
  }

  private func withProgram(
    _ account: GoogleReaderAccount, _ body: (TestServer, Program, _ folder: String) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try await withServer(account.answer) { server in
        let program = try Program(server, folder: folder)
        try await body(server, program, folder)
        await program.synchronizer.end()
      }
    }
  }

  private func changes(_ server: TestServer) -> [String] {
    server.requests.filter { $0.path.hasSuffix("edit-tag") }.map { String(decoding: $0.body, as: UTF8.self) }
  }

  @Test func `read entries are watched, starred ones are starred, and nothing is sent`() async throws {
    let account = GoogleReaderAccount(entries(3))
    account.change {
      $0[0].isRead = true
      $0[1].isStarred = true
    }
    try await withProgram(account) { server, program, folder in
      let keys = try await program.load()
      #expect(program[keys[0]].watched == UnixTime(seconds: 1_700_000_003) && !program[keys[0]].has(.starred))
      #expect(program[keys[1]].watched == nil && program[keys[1]].has(.starred))
      #expect(program[keys[2]] == UserRecord())
      let next = try Program(server, folder: folder)
      #expect(next[keys[0]].watched != nil && next[keys[1]].has(.starred))
      _ = try await next.load()
      await next.synchronizer.end()
      #expect(changes(server).isEmpty && next.events.isEmpty)
    }
  }

  @Test func `an answer that does not confirm a change leaves it unsent`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withFolder { folder in
      try await withServer({ request in
        request.path.hasSuffix("edit-tag") ? TestBehaviour.answer(.html("Please log in")) : account.answer(request)
      }) { server in
        let program = try Program(server, folder: folder)
        let keys = try await program.load()
        program.change(keys[0], .watched(UnixTime(seconds: 9)))
        try await eventually("the failure is reported") { !program.events.isEmpty }
        _ = try await program.load()
        await program.synchronizer.end()
        #expect(program[keys[0]].watched == UnixTime(seconds: 9))
      }
    }
  }

  @Test func `marks made before the first contact are neither overwritten nor sent`() async throws {
    let account = GoogleReaderAccount(entries(2))
    account.change { $0[0].isRead = true }
    try await withFolder { folder in
      try await withServer(account.answer) { server in
        let first = try Program(server, folder: folder + "/other")
        let keys = try await first.load()
        let program = try Program(server, folder: folder)
        program.change(keys[0], .watched(UnixTime(seconds: 5)))
        program.change(keys[0], .watched(nil))
        program.change(keys[1], .watched(UnixTime(seconds: 5)))
        _ = try await program.load()
        await program.synchronizer.end()
        let next = try Program(server, folder: folder)
        #expect(next[keys[0]].watched == nil && next[keys[1]].watched == UnixTime(seconds: 5))
        #expect(program[keys[0]].watched == nil && program[keys[1]].watched == UnixTime(seconds: 5))
        #expect(changes(server).isEmpty && account.entries.map(\.isRead) == [true, false])
      }
    }
  }

  @Test func `a mark is sent, and one of another client is adopted`() async throws {
    let account = GoogleReaderAccount(entries(2))
    try await withProgram(account) { _, program, _ in
      let keys = try await program.load()
      program.change(keys[0], .watched(UnixTime(seconds: 9)))
      program.change(keys[1], .flag(.starred, true))
      try await eventually("both marks are sent") { account.entries[0].isRead && account.entries[1].isStarred }
      await program.synchronizer.end()
      account.change {
        $0[0].isRead = false
        $0[1].isRead = true
      }
      _ = try await program.load()
      #expect(program[keys[0]].watched == nil && program[keys[1]].watched != nil && program[keys[1]].has(.starred))
    }
  }

  @Test func `a mark that the server did not take is sent by the next program`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { server, program, folder in
      let key = try #require(try await program.load().first)
      account.answerChanges(with: [503, 503, 503])
      program.change(key, .watched(UnixTime(seconds: 9)))
      try await eventually("the failure is reported") { !program.events.isEmpty }
      guard case .sendingMarksFailed(let failure) = try #require(program.events.last) else {
        throw TestFailure("another event")
      }
      #expect(failure.reason == "the server answered 503 Service Unavailable")
      await program.synchronizer.end()
      #expect(!account.entries[0].isRead)
      account.answerChanges(with: [])
      let next = try Program(server, folder: folder)
      try await eventually("the mark is sent") { account.entries[0].isRead }
      await next.synchronizer.end()
      #expect(changes(server).count == 2)
    }
  }

  @Test func `the marks of a page are merged once the changes that were not sent are known`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { server, program, folder in
      _ = try await program.load()
      account.change { $0.insert(GoogleReaderAccount.Entry(2), at: 0) }
      let key = try #require(try await Program(server, folder: folder + "/other").load().first)
      let log = UserLog(folder: folder, stateFolder: folder)
      var records = log.load().records
      log.add(records.change(key, [.flag(.starred, true)], at: SystemClock.milliseconds))
      #expect(log.write() == nil)
      let gate = Gate()
      let next = try MarkSynchronizer(#require(program.source.marks), log, on: Worker()) { _ in }
      next.start(
        with: {
          gate.pass()
          return log.records()
        }())
      _ = await next.page {
        defer { gate.open() }
        return await program.source.page(.start, .revalidated)
      }
      try await eventually("the mark is sent") { account.entries[0].isStarred }
      await next.end()
    }
  }

  @Test func `a removed mark of another device is sent by the next program`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { server, program, folder in
      _ = try await program.load()
      account.change { $0.insert(GoogleReaderAccount.Entry(2), at: 0) }
      account.change { $0[0].isStarred = true }
      let other = try Program(server, folder: folder + "/other")
      let key = try #require(try await other.load().first)
      await other.synchronizer.end()
      program.merge(UserEvent(time: 1, device: "laptop", key: key, value: .flag(.starred, true)))
      account.answerChanges(with: [503, 503, 503])
      program.change(key, .flag(.starred, false))
      await program.synchronizer.end()
      #expect(account.entries[0].isStarred)
      account.answerChanges(with: [])
      let next = try Program(server, folder: folder)
      try await eventually("the removal is sent") { !account.entries[0].isStarred }
      await next.synchronizer.end()
    }
  }

  @Test func `a removal without an agreement is stored at once, after its event`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { server, program, folder in
      _ = try await program.load()
      account.change { $0.insert(GoogleReaderAccount.Entry(2), at: 0) }
      let other = try Program(server, folder: folder + "/other")
      let key = try #require(try await other.load().first)
      await other.synchronizer.end()
      program.merge(UserEvent(time: 1, device: "laptop", key: key, value: .flag(.starred, true)))
      account.answerChanges(with: [503, 503, 503])
      program.change(key, .flag(.starred, false), isWritten: false)
      // Both files are written before the program ends, because it may be killed.
      try await eventually("the agreement is stored") {
        marks(in: folder).contains { $0.hasPrefix("starred ? ") && $0.hasSuffix("0000000000000002") }
      }
      #expect(program.log.pendingCount == 0)
    }
  }

  /// The lines of the only file with marks; none without a file.
  private func marks(in folder: String) -> [Substring] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let name = names.first { $0.contains(".marks-") && !$0.hasSuffix(".new") }
    let text = name.flatMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    return (text ?? "").split(separator: "\n")
  }

  @Test func `marks whose events cannot be written are adopted again by the next program`() async throws {
    let account = GoogleReaderAccount(entries(1))
    account.change { $0[0].isRead = true }
    try await withProgram(account) { server, program, folder in
      let path = "\(folder)/\(program.log.device).jsonl"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let key = try #require(try await program.load().first)
      #expect(program[key].watched != nil && program.log.pendingCount > 0)
      await program.synchronizer.end()
      #expect(marks(in: folder) == [])
      #expect(rmdir(path) == 0)
      let next = try Program(server, folder: folder)
      _ = try await next.load()
      #expect(next[key].watched != nil && next.log.records()[key].watched != nil && marks(in: folder).count == 3)
      await next.synchronizer.end()
    }
  }

  @Test func `a page that loads ends the pause after a failure`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { _, program, _ in
      let key = try #require(try await program.load().first)
      account.answerChanges(with: [500])
      program.change(key, .watched(UnixTime(seconds: 9)))
      try await eventually("the failure is reported") { !program.events.isEmpty }
      _ = try await program.load()
      try await eventually("the mark is sent") { account.entries[0].isRead }
      #expect(program[key].watched == UnixTime(seconds: 9))
    }
  }

  @Test func `a server that refuses logins is asked again only after a page`() async throws {
    let account = GoogleReaderAccount(entries(2))
    try await withProgram(account) { server, program, _ in
      let keys = try await program.load()
      account.answerChanges(with: [401, 401])
      program.change(keys[0], .watched(UnixTime(seconds: 9)))
      try await eventually("the failure is reported") { !program.events.isEmpty }
      let count = server.requests.count
      program.change(keys[1], .watched(UnixTime(seconds: 9)))
      await program.synchronizer.end()
      #expect(server.requests.count == count)
    }
  }

  @Test func `after a refused login, the next page sends the marks`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { _, program, _ in
      let key = try #require(try await program.load().first)
      account.answerChanges(with: [401, 401])
      program.change(key, .watched(UnixTime(seconds: 9)))
      try await eventually("the failure is reported") { !program.events.isEmpty }
      account.answerChanges(with: [])
      _ = try await program.load()
      try await eventually("the mark is sent") { account.entries[0].isRead }
    }
  }

  // MARK: - Refusals

  @Test func `a refused mark is not sent again by the next program, and others are sent`() async throws {
    let account = GoogleReaderAccount(entries(40))
    let fault = "0000000000000007"
    try await withFolder { folder in
      try await withServer({ request in
        let isRefused =
          request.path.hasSuffix("edit-tag") && String(decoding: request.body, as: UTF8.self).contains(fault)
        return isRefused ? .answer(TestAnswer("", status: 400)) : account.answer(request)
      }) { server in
        let pauses = Mutex<[Duration]>([])
        let program = try Program(server, folder: folder) { pause in pauses.withLock { $0.append(pause) } }
        for key in try await program.load() { program.change(key, .watched(UnixTime(seconds: 9))) }
        try await eventually("all others are sent") { account.entries.filter(\.isRead).count == 39 }
        try await eventually("the refusal is stored") { marks(in: folder).contains { $0.hasPrefix("refused read ") } }
        await program.synchronizer.end()
        #expect(!pauses.withLock { $0.isEmpty } && pauses.withLock { $0.allSatisfy { $0 == .seconds(1) } })
        let count = changes(server).count
        let next = try Program(server, folder: folder)
        _ = try await next.load()
        await next.synchronizer.end()
        #expect(changes(server).count == count && next.events.isEmpty)
      }
    }
  }

  @Test func `a change that fails for good although pages load is given up after three requests`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withFolder { folder in
      try await withServer({ request in
        request.path.hasSuffix("edit-tag") ? .answer(TestAnswer("", status: 403)) : account.answer(request)
      }) { server in
        let program = try Program(server, folder: folder)
        let keys = try await program.load()
        program.change(keys[0], .watched(UnixTime(seconds: 9)))
        for _ in 1...1_000 where changes(server).count < 3 { _ = try await program.load() }
        try await eventually("the refusal is stored") { marks(in: folder).contains { $0.hasPrefix("refused read ") } }
        #expect(program.events.count == 2, "\(program.events)")
        _ = try await program.load()
        await program.synchronizer.end()
        #expect(changes(server).count == 3)
      }
    }
  }

  @Test func `a page does not shorten the pause after a refused change, and the end of the program does`() async throws
  {
    let account = GoogleReaderAccount(entries(2))
    try await withFolder { folder in
      try await withServer({ request in
        request.path.hasSuffix("edit-tag") ? .answer(TestAnswer("", status: 400)) : account.answer(request)
      }) { server in
        let isCancelled = Mutex(false)
        let program = try Program(server, folder: folder) { _ in
          await Program.untilCancelled()
          isCancelled.withLock { $0 = true }
        }
        let keys = try await program.load()
        program.change(keys[0], .watched(UnixTime(seconds: 9)))
        try await eventually("the mark is refused") { !program.events.isEmpty }
        for _ in 1...3 { _ = try await program.load() }
        program.change(keys[1], .watched(UnixTime(seconds: 9)))
        #expect(changes(server).count == 1 && !isCancelled.withLock { $0 })
        await program.synchronizer.end()
        try await eventually("the pause ends") { isCancelled.withLock { $0 } }
      }
    }
  }

  // MARK: - The file

  /// The path of the only file with marks.
  private func path(in folder: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".marks-") }
    return try "\(folder)/\(#require(names.first))"
  }

  @Test func `a file that cannot be read is reported once and stays, and marks are exchanged once it can be`()
    async throws
  {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { server, program, folder in
      let key = try #require(try await program.load().first)
      await program.synchronizer.end()
      let path = try path(in: folder)
      try FileManager.default.moveItem(atPath: path, toPath: folder + "/kept")
      // Not a file: reading fails, also for root.
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let events = Sink()
      let synchronizers = MarkSynchronizers(program.log, on: Worker()) { events.add($0) }
      let marks = program.source.marks
      account.change { $0[0].isRead = true }
      for _ in 1...2 {
        _ = await synchronizers.page(from: marks) { await program.source.page(.start, .revalidated) }
      }
      #expect(events.events.count == 1 && FileManager.default.fileExists(atPath: path))
      guard case .marksUnreadable(let reason) = try #require(events.events.first) else {
        throw TestFailure("another event")
      }
      #expect(reason.contains(path))
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: folder + "/kept", toPath: path)
      _ = await synchronizers.page(from: marks) { await program.source.page(.start, .revalidated) }
      #expect(program.log.records()[key].watched != nil)
      for task in synchronizers.close() { await task.value }
    }
  }

  @Test func `a damaged file is kept under another name, and is reported`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { server, program, folder in
      _ = try await program.load()
      let path = try path(in: folder)
      for number in 1...2 {
        try Data(repeating: UInt8(number), count: 99).write(to: URL(filePath: path))
        let next = try Program(server, folder: folder)
        let copy = path + (number == 1 ? ".damaged" : ".damaged-2")
        guard case .marksDamaged(copy) = try #require(next.events.first) else { throw TestFailure("another event") }
        #expect(try fileBytes(of: copy) == [UInt8](repeating: UInt8(number), count: 99))
        _ = try await next.load()
        await next.synchronizer.end()
      }
    }
  }

  @Test func `lines of a later version stay in the file`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withProgram(account) { server, program, folder in
      _ = try await program.load()
      let path = try path(in: folder)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try (text + "liked 1 5 0000000000000001\n").write(toFile: path, atomically: true, encoding: .utf8)
      let next = try Program(server, folder: folder)
      next.change(try #require(try await next.load().first), .flag(.starred, true))
      try await eventually("the mark is sent") { account.entries[0].isStarred }
      await next.synchronizer.end()
      #expect(marks(in: folder).contains("liked 1 5 0000000000000001") && marks(in: folder).count == 4)
    }
  }

  @Test func `the file has no secret and is only for the user`() async throws {
    let account = GoogleReaderAccount(entries(2))
    try await withProgram(account) { _, program, folder in
      _ = try await program.load()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".marks-") }
      let path = try "\(folder)/\(#require(names.first))"
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 5 && lines[0].wholeMatch(of: /contact \d+/) != nil)
      #expect(lines.dropFirst().allSatisfy { $0.wholeMatch(of: /(read|starred) [01] \d+ [0-9a-f]{16}/) != nil })
      #expect(!names[0].contains(GoogleReaderAccount.user))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }
}
