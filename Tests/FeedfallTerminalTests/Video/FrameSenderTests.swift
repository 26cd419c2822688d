import FeedfallScreen
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  /// Frames for which the terminal has no room yet, and the answers to them.
  @Suite(.serialized) struct FrameSenderTests {
    /// What follows a frame of which only the last part is unwritten.
    enum Follower: CaseIterable { case copy, canvas, query }

    @Test(arguments: Follower.allCases)
    func `bytes that follow the last part of a frame stay complete`(follower: Follower) throws {
      var random = SeededGenerator(seed: 11)
      let size = Size(width: 900, height: 12)
      let large = Rect(x: 0, y: 0, width: 900, height: 11)
      let shown = try ModelTerminal(size: size, answers: false)
      shown.type("\u{1B}[6;16;8t")
      shown.paint(videoCanvas(large, size: size))
      shown.settle()
      shown.show(randomPicture(Size(width: 900, height: 22), &random))
      while shown.terminal.device.heldByteCount > 20_000 {
        shown.read(atMost: 500)
        shown.terminal.continueVideo()
      }
      try #require(shown.terminal.device.isHoldingBytes)
      let copies = ["A", "B"].map { String(repeating: $0, count: 9000) }
      switch follower {
      case .copy: shown.terminal.copyToClipboard(copies[0])
      case .canvas: shown.paint(videoCanvas(large, lines: 1, alert: Rect(x: 2, y: 1, width: 90, height: 9), size: size))
      case .query: shown.terminal.updateSize()
      }
      shown.terminal.copyToClipboard(copies[1])
      shown.terminal.updateSize()
      shown.paint(videoCanvas(nil, lines: 2, size: size))
      #expect(try shown.faults() == [])
      let output = shown.output()
      for copy in follower == .copy ? copies : [copies[1]] {
        #expect(output.contains("\u{1B}]52;c;\(Data(copy.utf8).base64EncodedString())\u{1B}\\"))
      }
      if follower == .canvas { #expect(output.contains("an alert")) }
    }

    @Test(arguments: 0..<8)
    func `a slow terminal finally shows the right screen`(seed: Int) throws {
      let shown = try showOnSlowTerminal(seed: seed, frameInterval: 0)
      let faults = try shown.faults()
      #expect(shown.terminal.videoPace.quality == .full)
      #expect(faults == [], "\(faults.count): \(faults.first ?? "")")
    }

    @Test(arguments: 0..<4)
    func `slow frames lower the quality, and the screen is finally right`(seed: Int) throws {
      let shown = try showOnSlowTerminal(seed: seed, frameInterval: 400)
      let faults = try shown.faults(tolerance: VideoPace.Quality.tolerant.tolerance)
      #expect(shown.terminal.videoPace.quality < .full)
      #expect(faults == [], "\(faults.count): \(faults.first ?? "")")
    }

    /// Shows a frame every `frameInterval` milliseconds, and canvases in between; the terminal reads only a part of
    /// each.
    private func showOnSlowTerminal(seed: Int, frameInterval: Int) throws -> ModelTerminal {
      var random = SeededGenerator(seed: UInt64(seed) + 500)
      let size = Size(width: 120, height: 40)
      let large = Rect(x: 0, y: 1, width: 118, height: 38)
      let shown = try ModelTerminal(size: size, answers: seed.isMultiple(of: 2))
      shown.paint(videoCanvas(large, size: size))
      shown.settle()
      for _ in 0..<12 {
        shown.show(randomPicture(Size(width: 118, height: 76), &random))
        shown.clock.advance(by: frameInterval)
        shown.read(atMost: .random(in: 0..<40_000, using: &random))
        shown.terminal.continueVideo()
        guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
        let hasAlert = Bool.random(using: &random)
        try shown.readingMeanwhile {
          shown.paint(videoCanvas(large, alert: hasAlert ? Rect(x: 9, y: 5, width: 40, height: 9) : nil, size: size))
        }
      }
      return shown
    }

    @Test func `a new size drops an unwritten frame of the old size`() throws {
      var random = SeededGenerator(seed: 9)
      let size = Size(width: 200, height: 60)
      let shown = try ModelTerminal(size: size, answers: false)
      shown.paint(videoCanvas(Rect(x: 0, y: 0, width: 200, height: 59), size: size))
      shown.settle()
      shown.show(randomPicture(Size(width: 200, height: 118), &random))
      #expect(shown.terminal.device.heldByteCount > 100_000)
      let new = Size(width: 100, height: 30)
      shown.resize(to: new)
      #expect(shown.terminal.device.heldByteCount < 20_000)
      try shown.readingMeanwhile { shown.paint(videoCanvas(Rect(x: 0, y: 0, width: 90, height: 29), size: new)) }
      shown.show(randomPicture(Size(width: 90, height: 58), &random))
      #expect(try shown.faults() == [])
    }

    @Test(arguments: 0..<6)
    func `after a storm of sizes while a film plays, the screen is right`(seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed) + 900)
      let shown = try ModelTerminal(size: Size(width: 120, height: 40), answers: seed.isMultiple(of: 2))
      for step in 0..<30 {
        let size = Size(width: .random(in: 1..<160, using: &random), height: .random(in: 2..<50, using: &random))
        shown.resize(to: size)
        let area = Rect(x: 0, y: 0, width: max(1, size.width - 4), height: size.height - 1)
        shown.paint(videoCanvas(area, lines: step, size: size))
        shown.show(randomPicture(Size(width: area.width, height: area.height * 2), &random))
        shown.read(atMost: .random(in: 0..<20_000, using: &random))
        shown.terminal.continueVideo()
      }
      // What was written for a larger screen.
      let faults = try shown.faults().filter { !$0.hasPrefix("the cursor goes to") }
      #expect(faults == [], "\(faults.count): \(faults.first ?? "")")
    }

    @Test func `an answer in two pieces is not typed`() throws {
      var random = SeededGenerator(seed: 10)
      let shown = try ModelTerminal()
      shown.paint(videoCanvas(Rect(x: 30, y: 3, width: 24, height: 9)))
      let pixels = Size(width: 24, height: 18)
      shown.show(randomPicture(pixels, &random))
      shown.settle()
      shown.show(randomPicture(pixels, &random))
      shown.type("\u{1B}")
      // Longer than the time-out of Escape.
      shown.clock.advance(by: 40)
      shown.type("")
      shown.type("[0n")
      #expect(shown.events == [])
      // All queries are answered now.
      shown.settle()
      shown.type("\u{1B}")
      shown.clock.advance(by: 24)
      shown.type("")
      #expect(shown.events == [])
      shown.clock.advance(by: 1)
      shown.type("")
      #expect(shown.events == [.key(.escape)])
    }

    @Test func `close restores the terminal while a frame waits for room`() throws {
      var random = SeededGenerator(seed: 8)
      let size = Size(width: 200, height: 60)
      let shown = try ModelTerminal(size: size, answers: false)
      shown.paint(videoCanvas(Rect(x: 0, y: 0, width: 200, height: 59), size: size))
      shown.settle()
      shown.show(randomPicture(Size(width: 200, height: 118), &random))
      #expect(shown.terminal.videoOutput != nil)
      try shown.readingMeanwhile { shown.terminal.close() }
      #expect(shown.model.faults == [])
      #expect(!shown.model.isWithinSequence)
    }
  }
}
