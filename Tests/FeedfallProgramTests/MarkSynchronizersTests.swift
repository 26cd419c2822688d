import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct MarkSynchronizersTests {
  private static let id = SourceID(3)

  private func reader(_ server: TestServer) -> NamedSource {
    var source = NamedSource(name: "News", argument: "greader+\(server.origin)")
    source.login = SourceLogin(
      user: GoogleReaderAccount.user, passwordCommand: "echo '\(GoogleReaderAccount.password)'")
    return source
  }

  private func end(_ synchronizers: MarkSynchronizers) async {
    for task in synchronizers.close() { await task.value }
    synchronizers.saveLast()
  }

  private func sources(_ configured: [NamedSource], _ request: SourceRequest) -> RunningSources {
    var options = SourceOptions()
    options.timeoutSeconds = 600
    let sources = RunningSources([], configured: configured, options: options)
    sources.open(Self.id, request)
    return sources
  }

  @Test func `a configured reader that is opened by its name exchanges marks`() async throws {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(2), GoogleReaderAccount.Entry(1)])
    account.change { $0[1].isRead = true }
    try await withFolder { folder in
      try await withServer(account.answer) { server in
        let log = UserLog(folder: folder, stateFolder: folder)
        var records = log.load().records
        let events = Mutex<[AppEvent]>([])
        let synchronizers = MarkSynchronizers(log, on: Worker()) { event in events.withLock { $0.append(event) } }
        let sources = sources([reader(server)], .configured(name: "News"))
        let page = try await synchronizers.page(from: sources.marks(of: Self.id)) {
          await sources.page(Self.id, .start, .whileFresh)
        }.get()
        for case .recordsChanged(let changed) in events.withLock({ $0 }) { records.merge(changed) }
        let keys = page.videos.map { VideoKey($0) }
        #expect(keys.map { records[$0].watched != nil } == [false, true])
        synchronizers.observe(records.change(keys[0], [.flag(.starred, true)], at: 1_900_000_000_000))
        try await eventually("the mark is sent") { account.entries[0].isStarred }
        await end(synchronizers)
      }
    }
  }

  @Test func `a change before the first page, which is not written yet, is sent with that page`() async throws {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(1)])
    try await withFolder { folder in
      try await withServer(account.answer) { server in
        let sources = sources([reader(server)], .configured(name: "News"))
        func page(_ synchronizers: MarkSynchronizers) async throws -> FeedPage {
          try await synchronizers.page(from: sources.marks(of: Self.id)) {
            await sources.page(Self.id, .start, .whileFresh)
          }.get()
        }
        let first = MarkSynchronizers(UserLog(folder: folder, stateFolder: folder), on: Worker()) { _ in }
        let key = VideoKey(try #require(try await page(first).videos.first))
        await end(first)
        let log = UserLog(folder: folder, stateFolder: folder)
        let synchronizers = MarkSynchronizers(log, on: Worker()) { _ in }
        var records = log.load().records
        let events = records.change(key, [.flag(.starred, true)], at: SystemClock.milliseconds)
        log.add(events)
        synchronizers.observe(events)
        _ = try await page(synchronizers)
        try await eventually("the mark is sent") { account.entries[0].isStarred }
        await end(synchronizers)
      }
    }
  }

  @Test func `a reader opened by its address has no password, and exchanges no marks`() async throws {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(1)])
    try await withServer(account.answer) { server in
      let sources = sources([reader(server)], .address("greader+\(server.origin)"))
      #expect(sources.marks(of: Self.id) == nil)
      let failure = await #expect(throws: FeedFailure.self) {
        try await sources.page(Self.id, .start, .whileFresh).get()
      }
      #expect(failure?.reason == "the server requires a user and a password")
      #expect(server.requests.isEmpty)
    }
  }
}
