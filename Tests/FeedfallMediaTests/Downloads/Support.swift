import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Foundation
import Synchronization
import TestServer
import TestSupport

@testable import FeedfallMedia

/// A downloader with a folder, and a record of its reports.
final class TestDownloads: Sendable {
  let folder: String
  let downloader: Downloader
  private let list: DownloadList
  private let reports = Mutex<[(key: VideoKey, state: DownloadState?)]>([])
  private let failures = Failures()
  /// The pauses before retries, in seconds.
  let pauses: Pauses
  /// That of the queue, which stands still unless a test moves it.
  let clock = TestClock()

  final class Pauses: Sendable {
    private let seconds = Mutex<[Int]>([])
    var all: [Int] { seconds.withLock { $0 } }
    func append(_ pause: Int) { seconds.withLock { $0.append(pause) } }
  }

  private final class Failures: Sendable {
    let all = Mutex<[FeedFailure]>([])
  }

  /// - Parameter state: the path of the list; nil for one in memory.
  init(in folder: String, state: String? = nil, tools change: (inout DownloadTools) -> Void = { _ in }) {
    self.folder = folder + "/videos"
    let pauses = Pauses()
    self.pauses = pauses
    var tools = DownloadTools(userAgent: "test/1")
    (tools.ytDlp, tools.ffmpegPath) = (YtDlpDirectory(YtDlp(program: "")), nil)
    tools.ffprobePath = nil
    tools.pause = { pauses.append($0) }
    tools.outage = { _ in nil }
    (tools.now, tools.awaitTurn) = ({ [clock] in clock.now }, { [clock] in await clock.pass($0) })
    change(&tools)
    let sink = ReportSink()
    list = DownloadList(path: state)
    downloader = Downloader(
      folder: { folder + "/videos" }, list: list, tools: tools, executor: globalConcurrentExecutor,
      report: { sink.receive($0, $1) },
      reportRemovalFailure: { [failures] _, failure in failures.all.withLock { $0.append(failure) } })
    sink.target.withLock { $0 = { [weak self] key, state in self?.reports.withLock { $0.append((key, state)) } } }
  }

  private final class ReportSink: Sendable {
    let target = Mutex<(@Sendable (VideoKey, DownloadState?) -> Void)?>(nil)
    func receive(_ key: VideoKey, _ state: DownloadState?) { target.withLock { $0 }?(key, state) }
  }

  var states: [DownloadState?] { reports.withLock { $0.map(\.state) } }

  /// The reports of attempts that failed and were retried.
  var interruptions: [DownloadProgress] {
    states.compactMap { state in
      if case .running(let progress)? = state, progress.interruption != nil { progress } else { nil }
    }
  }

  var removalFailures: [FeedFailure] { failures.all.withLock { $0 } }

  /// Waits until a download has ended, or waits for the end of a failure.
  func end(of key: VideoKey) async throws -> DownloadState? {
    var end: DownloadState??
    try await eventually("\(key.text) has ended: \(states)") {
      end = reports.withLock { reports in
        reports.last { $0.key == key }.flatMap { report -> DownloadState?? in
          switch report.state {
          case .waiting, .running: nil
          case .done, .stalled, .failed, nil: .some(report.state)
          }
        }
      }
      return end != nil
    }
    return end ?? nil
  }

  func download(_ request: DownloadRequest) async throws -> DownloadState? {
    downloader.add(request)
    return try await end(of: request.key)
  }

  var isListEmpty: Bool { list.load().states.isEmpty }

  /// The names of all files, hidden ones as well.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  func removal(of key: VideoKey) async throws {
    try await eventually("\(key.text) has been removed") {
      reports.withLock { reports in reports.last { $0.key == key }.map { $0.state == nil } ?? false }
    }
  }

  /// Whether a file has these bytes; a failed comparison of the bytes themselves would print them.
  func has(_ bytes: [UInt8], in name: String) -> Bool { self.bytes(of: name) == bytes }

  func bytes(of name: String) -> [UInt8]? { try? fileBytes(of: folder + "/" + name) }
}

/// A clock in seconds that stands still unless a test moves it.
final class TestClock: Sendable {
  private struct State {
    var now = 0
    var sleepers: [(time: Int, stream: AsyncStream<Never>.Continuation)] = []
  }

  private let state = Mutex(State())

  var now: Int { state.withLock { $0.now } }

  /// Waits until a test has moved the clock so far, or the task is cancelled.
  func pass(_ seconds: Int) async {
    guard seconds > 0 else { return }
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    state.withLock { $0.sleepers.append(($0.now + seconds, continuation)) }
    for await _ in stream {}
  }

  func advance(_ seconds: Int) {
    let due = state.withLock { state in
      state.now += seconds
      let due = state.sleepers.filter { $0.time <= state.now }
      state.sleepers.removeAll { $0.time <= state.now }
      return due
    }
    for sleeper in due { sleeper.stream.finish() }
  }
}

extension DownloadRequest {
  static func of(
    _ address: String, kind: DownloadAddress.Kind = .file, id: String = "films.example film", title: String = "Film",
    cover: String? = nil
  ) throws -> DownloadRequest {
    guard let address = WebAddress(address) else { throw TestFailure("\(address) is no address") }
    return DownloadRequest(
      key: VideoKey(text: id), title: title, addresses: [DownloadAddress(kind, address)],
      cover: cover.flatMap { WebAddress($0) })
  }
}

extension DownloadState? {
  var reason: String? {
    switch self {
    case .failed(let failure), .stalled(let failure): failure.reason
    case .waiting, .running, .done, nil: nil
    }
  }

  var isStalled: Bool { if case .stalled? = self { true } else { false } }

  var path: String? { self?.file.map { String(decoding: $0.address.path, as: UTF8.self) } }
}

/// Bytes that differ from their neighbors, so that a part at the wrong place is noticed.
func film(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}

/// A server of one file, which supports ranges with a validator (RFC 9110, 13 and 14).
func serve(
  _ bytes: [UInt8], tag: String = "\"1\"", type: String = "video/mp4", to request: TestRequest
) -> TestAnswer {
  var request = request
  if let condition = request.headers["if-range"], condition != tag { request.headers["range"] = nil }
  var answer = TestAnswer.media(bytes, type: type, for: request)
  answer.headers["ETag"] = tag
  return answer
}

/// Runs a test with a server and the path of a new folder.
func withServerAndFolder(
  _ answering: @escaping TestServer.Answering, _ body: (TestServer, _ folder: String) async throws -> Void
) async throws {
  try await withFolder { folder in try await withServer(answering) { try await body($0, folder) } }
}

/// The same with a server of one file.
func withServer(of bytes: [UInt8], _ body: (TestServer, _ folder: String) async throws -> Void) async throws {
  try await withServerAndFolder({ .answer(serve(bytes, to: $0)) }, body)
}
