import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import Glibc
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// A player whose reports are kept, and waited for.
final class Watched: Sendable {
  let player: MPVProcess
  /// What its mpv is called.
  private let name: String
  private static let count = Atomic(0)
  private let heard: Heard

  private final class Heard: Sendable {
    let reports = Mutex<[PlayerReport]>([])
  }

  init(_ change: (inout MPVOptions) -> Void = { _ in }) {
    name = "mpv-\(Self.count.add(1, ordering: .relaxed).newValue)"
    var options = MPVOptions()
    options.mpvPath = Clips.mpv(named: name)
    options.soundOutput = "null"
    options.windowSystem = nil
    change(&options)
    let heard = Heard()
    self.heard = heard
    player = MPVProcess(options) { report in heard.reports.withLock { $0.append(report) } }
  }

  deinit {
    player.shutDown()
  }

  /// Its mpv, while it runs.
  var program: pid_t? { descendants(of: getpid(), named: name).first }

  var reports: [PlayerReport] { heard.reports.withLock { $0 } }

  func news(_ id: Int) -> [PlayNews] {
    reports.compactMap { report in
      if case .playing(PlayID(id), let news) = report { news } else { nil }
    }
  }

  func end(_ id: Int) -> PlayEnd? {
    news(id).lazy.compactMap { if case .ended(let end) = $0 { end } else { nil } }.first
  }

  /// Waits until a condition holds.
  func until(_ what: String = #function, line: Int = #line, _ isSo: (Watched) throws -> Bool) async throws {
    try await eventually("\(what), line \(line); reports: \(reports.suffix(20))") { try isSo(self) }
  }

  func expectEnd(_ id: Int, _ end: PlayEnd, line: Int = #line) async throws {
    try await until(line: line) {
      $0.end(id) != nil || $0.reports.contains { if case .gone = $0 { true } else { false } }
    }
    #expect(self.end(id) == end)
  }

  func ready(_ id: Int, line: Int = #line) async throws {
    try await until(line: line) { $0.news(id).contains(.ready) || $0.end(id) != nil }
    try #require(news(id).contains(.ready))
  }

  func time(_ id: Int) -> Double? {
    news(id).lazy.compactMap { if case .time(let seconds) = $0 { seconds } else { nil } }.last
  }

  /// A picture of this size, that is not all of one colour.
  func picture(_ size: Size, line: Int = #line) async throws -> PixelBuffer {
    var found: PixelBuffer?
    try await until(line: line) { watched in
      found = watched.player.takeFrame() ?? found
      return found?.size == Size(width: size.width, height: size.height * 2)
    }
    return try #require(found)
  }

  func load(_ id: Int, _ address: String, _ change: (inout PlayRequest) -> Void = { _ in }) throws {
    let place: MediaAddress
    if address.hasPrefix("/") {
      place = .file(try #require(FileAddress(path: address.utf8)))
    } else {
      place = .web(try #require(WebAddress(address)))
    }
    var request = PlayRequest(id: PlayID(id), address: place, title: "A film")
    change(&request)
    player.perform(.load(request))
  }
}
