import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallProgram
@testable import FeedfallSources

extension LoopBoundTests {
  /// The user's marks and positions on a server.
  static let marks: [LoopBound] = [
    LoopBound("marks for a server that fails for a day", atMost: 60) { try await pauses(whileChangesFailWith: 503) },
    LoopBound("marks for a server that asks to wait for a day", atMost: 60) {
      try await pauses(whileChangesFailWith: 429)
    },
  ]

  /// A clock of pauses that end at once.
  private final class Day: Sendable {
    private let state = Mutex((rest: Duration.seconds(86_400), count: 0))

    var isOver: Bool { state.withLock { $0.rest <= .zero } }
    var pauseCount: Int { state.withLock { $0.count } }

    /// Throws at the end of the day. Stops a loop that never pauses, too.
    func pause(for time: Duration) throws {
      try state.withLock { state in
        state = (state.rest - time, state.count + 1)
        if state.count >= 10_000 { state.rest = .zero }
        if state.rest <= .zero { throw CancellationError() }
      }
    }
  }

  /// Sends a mark to a server that answers each change with a status. Returns the number of pauses within a day.
  private static func pauses(whileChangesFailWith status: Int) async throws -> Int {
    let account = GoogleReaderAccount([GoogleReaderAccount.Entry(1)])
    account.answerChanges(with: [Int](repeating: status, count: 20_000))
    return try await withFolder { folder in
      try await withServer(account.answer) { server in
        let source = try source("greader+\(server.origin)", login: .ofTestAccount)
        let (log, day) = (UserLog(folder: folder, stateFolder: folder), Day())
        var records = log.load().records
        let synchronizer = try MarkSynchronizer(
          #require(source.marks), log, on: Worker(), sleep: { try day.pause(for: $0) }, report: { _ in })
        synchronizer.start(with: log.records())
        let page = try await synchronizer.page { await source.page(.start, .whileFresh) }.get()
        let video = try #require(page.videos.first)
        let events = records.change(VideoKey(video), [.flag(.starred, true)], at: SystemClock.milliseconds)
        log.add(events)
        synchronizer.observe(events)
        try await eventually("a day has passed") { day.isOver }
        return day.pauseCount
      }
    }
  }
}

extension SourceLogin {
  /// That of `GoogleReaderAccount`.
  static var ofTestAccount: SourceLogin {
    SourceLogin(user: GoogleReaderAccount.user, passwordCommand: "echo '\(GoogleReaderAccount.password)'")
  }
}
