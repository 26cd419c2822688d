import FeedfallApp
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

/// A player that records its reports, so that tests can wait for them.
final class TestPlayer: Sendable {
  private let player: MPVPlayer
  /// The name of its mpv process.
  private let name: String
  private static let count = Atomic(0)
  private let recorder = Recorder()

  private final class Recorder: Sendable {
    let reports = Mutex<[PlayerReport]>([])
  }

  init(
    _ form: MPVConfiguration.Form = .library, _ change: (inout MPVOptions) -> Void = { _ in },
    ytDlp: YtDlp = YtDlp(), routes: RouteRequest? = nil
  ) {
    name = "mpv-\(Self.count.add(1, ordering: .relaxed).newValue)"
    var options = MPVOptions()
    options.mpvPath = form == .program ? Clips.mpv(named: name) : nil
    options.hostPath = form == .library ? Clips.host(named: name) : nil
    options.ownPath = builtProgram("feedfall")
    options.soundOutput = "null"
    options.windowSystem = nil
    change(&options)
    let report = { @Sendable [recorder] (report: PlayerReport) in recorder.reports.withLock { $0.append(report) } }
    player = MPVPlayer(options, ytDlp: { _ in ytDlp }, routes: routes, report: report)
  }

  deinit {
    player.shutDown()
  }

  var processID: pid_t? { descendants(of: getpid(), named: name).first }

  var reports: [PlayerReport] { recorder.reports.withLock { $0 } }

  func events(_ id: Int) -> [PlayEvent] {
    reports.compactMap { report in
      if case .event(PlayID(id), let events) = report { events } else { nil }
    }
  }

  func end(_ id: Int) -> PlayEvent.EndReason? {
    events(id).lazy.compactMap { if case .ended(let end) = $0 { end } else { nil } }.first
  }

  func perform(_ order: PlayerOrder) { player.perform(order) }

  func dequeueFrame() -> PixelBuffer? { player.dequeueFrame() }

  func shutDown() { player.shutDown() }

  func waitUntil(
    _ description: String = #function, line: Int = #line, _ holds: (TestPlayer) throws -> Bool
  ) async throws {
    try await eventually("\(description), line \(line); reports: \(reports.suffix(20))") { try holds(self) }
  }

  func expectEnd(_ id: Int, _ end: PlayEvent.EndReason, line: Int = #line) async throws {
    try await waitUntil(line: line) {
      $0.end(id) != nil || $0.reports.contains { if case .unavailable = $0 { true } else { false } }
    }
    #expect(self.end(id) == end)
  }

  func waitUntilReady(_ id: Int, line: Int = #line) async throws {
    try await waitUntil(line: line) { $0.events(id).contains(.ready) || $0.end(id) != nil }
    try #require(events(id).contains(.ready))
  }

  func time(_ id: Int) -> Double? {
    events(id).lazy.compactMap { if case .time(let seconds) = $0 { seconds } else { nil } }.last
  }

  /// Waits until a frame of the same size, or this one, declares exactly the black bars as letterbox.
  func waitUntilContentIsExact(_ frame: PixelBuffer, line: Int = #line) async throws {
    var newest = frame
    try await waitUntil(line: line) { player in
      newest = player.dequeueFrame() ?? newest
      return newest.size == frame.size && newest.hasExactContent
    }
  }

  /// Waits for a frame of this size in cells.
  func frame(_ size: Size, line: Int = #line) async throws -> PixelBuffer {
    try await frame(pixels: Size(width: size.width * 2, height: size.height * 2), line: line)
  }

  func frame(pixels size: Size, line: Int = #line) async throws -> PixelBuffer {
    var found: PixelBuffer?
    try await waitUntil(line: line) { player in
      found = player.dequeueFrame() ?? found
      return found?.size == size
    }
    return try #require(found)
  }

  func load(_ id: Int, _ address: String, _ change: (inout PlayRequest) -> Void = { _ in }) throws {
    let mediaAddress: MediaAddress
    if address.hasPrefix("/") {
      mediaAddress = .file(try #require(FileAddress(path: address.utf8)))
    } else {
      mediaAddress = .web(try #require(WebAddress(address)))
    }
    var request = PlayRequest(id: PlayID(id), address: mediaAddress, title: "A video")
    change(&request)
    player.perform(.load(request))
  }
}

extension PixelBuffer {
  /// Whether all pixels of the letterbox are black and no edge of the content is.
  fileprivate var hasExactContent: Bool {
    func isBlack(_ rect: Rect) -> Bool {
      (rect.minY..<rect.maxY).allSatisfy { y in (rect.minX..<rect.maxX).allSatisfy { self[$0, y] == .black } }
    }
    func rows(_ rows: Range<Int>) -> Rect { Rect(x: 0, y: rows.lowerBound, width: size.width, height: rows.count) }
    func columns(_ columns: Range<Int>) -> Rect {
      Rect(x: columns.lowerBound, y: 0, width: columns.count, height: size.height)
    }
    let letterbox = [
      rows(0..<content.minY), rows(content.maxY..<size.height), columns(0..<content.minX),
      columns(content.maxX..<size.width),
    ]
    let edges = [
      rows(content.minY..<content.minY + 1), rows(content.maxY - 1..<content.maxY),
      columns(content.minX..<content.minX + 1), columns(content.maxX - 1..<content.maxX),
    ]
    return letterbox.allSatisfy(isBlack) && !edges.contains(where: isBlack)
  }
}
