import FeedfallMedia
import FeedfallScreen
import Foundation
import TestServer
import TestSupport
import Testing
import WaterfallEngine

/// Covers on the cards, in a terminal with 24-bit colors.
@Suite(.hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"))
struct CoverTests {
  private static let count = 60

  /// A server with a list of videos, each with its own cover.
  private func server() throws -> TestServer {
    try TestServer { request in
      let origin = "http://\(request.headers["host"] ?? "")"
      guard let number = Int(request.path.dropFirst("/cover/".count)) else {
        return .answer(TestAnswer(Self.feed(origin), headers: ["Content-Type": "application/feed+json"]))
      }
      return .answer(TestAnswer(Self.picture(number)))
    }
  }

  private static func feed(_ origin: String) -> String {
    let items = (0..<count).map { number in
      """
      {"id": "\(number)", "title": "Film \(number)", "url": "\(origin)/film/\(number)",
       "image": "\(origin)/cover/\(number)",
       "attachments": [{"url": "\(origin)/\(number).mp4", "mime_type": "video/mp4"}]}
      """
    }
    return
      #"{"version": "https://jsonfeed.org/version/1.1", "title": "Films", "items": [\#(items.joined(separator: ","))]}"#
  }

  private static func picture(_ number: Int) -> [UInt8] {
    let size = Size(width: 64, height: 36)
    let bytes = (0..<size.width * size.height).flatMap { pixel -> [UInt8] in
      let (x, y) = (pixel % size.width, pixel / size.width)
      return [UInt8(x * 4 & 255), UInt8(y * 7 & 255), UInt8(number * 37 & 255)]
    }
    return PixelBuffer(size: size, bytes: bytes)?.jpeg(quality: 90) ?? []
  }

  private func inTerminal(_ body: @escaping @Sendable (Tmux) throws -> Void) async throws {
    try await onThread {
      let tmux = try Tmux(width: 120, height: 40, environment: ["COLORTERM": "truecolor"])
      defer { tmux.close() }
      try body(tmux)
    }
  }

  @Test func `every card shows its cover, which is requested once, and not at all in the next run`() async throws {
    let server = try server()
    defer { server.stop() }
    try await inTerminal { tmux in
      try tmux.start("\(server.origin)/feed")
      #expect(try tmux.waitUntilIdle().hasBlocks)
      try tmux.press("G")
      let end = try tmux.waitUntilIdle()
      #expect(end.contains("Film \(Self.count - 1)") && end.hasBlocks)
      try tmux.press("q")
      try tmux.waitForShell()
      let requests = server.requests.map(\.path).filter { $0.hasPrefix("/cover/") }
      #expect(!requests.isEmpty && Set(requests).count == requests.count)
      server.stop()
      try tmux.start("\(server.origin)/feed")
      let cached = try tmux.waitUntilIdle()
      #expect(cached.contains("Film 1") && cached.hasBlocks)
    }
  }

  @Test func `after scrolling and navigation the screen equals a full repaint`() async throws {
    let server = try server()
    defer { server.stop() }
    try await inTerminal { tmux in
      try tmux.start("\(server.origin)/feed")
      #expect(try tmux.waitUntilIdle().hasBlocks)
      for keys in [
        ["j", "j", "j"], ["C-d", "k"], ["G"], ["k", "k", "k", "k"], ["Enter"], ["l", "l"], ["Escape"], ["v", "j"],
      ] {
        for key in keys { try tmux.press(key) }
        let moved = try tmux.idleScreen()
        try tmux.press("C-l")
        let repainted = try tmux.idleScreen()
        #expect(repainted == moved, "after \(keys): \(zip(moved, repainted).filter { $0 != $1 })")
      }
    }
  }
}

extension String {
  /// Whether it has block characters, as covers in cells do.
  fileprivate var hasBlocks: Bool { unicodeScalars.contains { ("\u{2580}"..."\u{259F}").contains($0) } }
}

extension Tmux {
  /// The visible contents of each cell, once the program is idle.
  fileprivate func idleScreen() throws -> [[String]] {
    try waitUntilIdle()
    var look = (ink: "", ground: "", others: Set<Substring>())
    return try coloredScreen().split(separator: "\n", omittingEmptySubsequences: false).map { line in
      visibleCells(in: line, from: &look)
    }
  }

  /// The visible contents of each cell of a line. The foreground of a blank cell is ignored. tmux writes only changes,
  /// also at the beginning of a line.
  private func visibleCells(
    in line: Substring, from look: inout (ink: String, ground: String, others: Set<Substring>)
  ) -> [String] {
    var cells: [String] = []
    var (ink, ground, others) = look
    defer { look = (ink, ground, others) }
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        let visible = scalar == " " ? others.intersection(["4", "7"]) : others
        cells.append("\(scalar) \(ground) \(scalar == " " && visible.isEmpty ? "" : ink) \(visible.sorted())")
        continue
      }
      let sequence = String(String.UnicodeScalarView(rest.prefix { $0 != "m" }.dropFirst()))
      rest = rest.drop { $0 != "m" }.dropFirst()
      switch sequence {
      case "0", "": (ink, ground, others) = ("", "", [])
      case "39": ink = ""
      case "49": ground = ""
      default:
        if sequence.hasPrefix("38;") || sequence.count == 2 && sequence.hasPrefix("3") {
          ink = sequence
        } else if sequence.hasPrefix("48;") || sequence.count == 2 && sequence.hasPrefix("4") {
          ground = sequence
        } else {
          for number in sequence.split(separator: ";") {
            if number == "0" { (ink, ground, others) = ("", "", []) } else { others.insert(number) }
          }
        }
      }
    }
    while cells.last == "    []" { cells.removeLast() }
    return cells
  }
}
