import FeedfallScreen
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  @Suite(.serialized) struct VideoFrameTests {
    private let frame = Rect(x: 2, y: 1, width: 12, height: 5)
    private let size = Size(width: 20, height: 8)

    private func parts() throws -> OutputParts {
      var canvas = Canvas(size: size)
      canvas.reserve(frame)
      canvas.fill(Rect(x: 6, y: 2, width: 3, height: 2), style: Style(.alert))
      var random = SeededGenerator(seed: 9)
      let bytes = (0..<12 * 10 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
      var painter = VideoPainter()
      painter.setRegion(canvas.video)
      painter.setPicture(PixelBuffer(size: Size(width: 12, height: 10), bytes: bytes))
      setenv("TERM", "xterm-256color", 1)
      let screen = try ScreenPainter(usesColor: true)
      defer { screen.close() }
      screen.resize(to: size)
      return painter.paint(.tolerant, on: &screen.shown, screen.writer, blocks: .quarters)
    }

    @Test func `a frame cut at any byte ends at the end of a row`() throws {
      let parts = try parts()
      #expect(parts.rows.count == 7)
      let (head, tail) = (Array("\u{1B}7".utf8), Array("\u{1B}8\u{1B}[5n".utf8))
      let bytes = head + parts.bytes + tail
      let frame = FrameSender.Frame(parts, head: head.count, tail: tail.count)
      var whole = ScreenModel(size: size)
      whole.process(bytes)
      for written in 0...bytes.count {
        guard let cut = frame.cut(heldByteCount: bytes.count - written) else {
          #expect(written > bytes.count - tail.count - (parts.ends[6] - parts.ends[5]))
          continue
        }
        #expect(cut.hasBegun == (written > 0))
        #expect(bytes.count - cut.droppedByteCount >= written)
        var model = ScreenModel(size: size)
        model.process(Array(bytes.dropLast(cut.droppedByteCount)))
        #expect(!model.isWithinSequence && model.faults == [])
        for row in parts.rows {
          let isSame = row.columns.allSatisfy { model[$0, row.y] == whole[$0, row.y] }
          #expect(isSame == !cut.lostRows.contains(row))
        }
      }
    }

    @Test(arguments: [true, false])
    func `an interrupted frame that is cut ends its transmission`(replaces: Bool) throws {
      let graphics = KittyGraphics()
      let pixels = try #require(
        PixelBuffer(size: Size(width: 64, height: 64), bytes: .init(repeating: 7, count: 64 * 64 * 3)))
      let parts = graphics.frame(pixels, number: 1, replaces: replaces)
      let (head, tail) = (TerminalProfile.saveCursor, TerminalProfile.restoreCursor)
      let bytes = head + parts.bytes + tail
      let firstEnd = head.count + parts.ends[0]
      for first in [head.count - 1, head.count, head.count + 1, firstEnd - 1, firstEnd, firstEnd + 1] {
        for second in 0...head.count + 1 {
          var frame = FrameSender.Frame(parts, head: head.count, tail: tail.count)
          let interrupted = frame.interrupt(heldByteCount: bytes.count - first, newHead: head.count)
          let rest = try #require(interrupted)
          #expect(rest.needsHead)
          let restBytes = head + bytes.suffix(rest.byteCount)
          let cut = try #require(frame.cut(heldByteCount: restBytes.count - second))
          #expect(restBytes.count - cut.droppedByteCount >= second)
          var model = ScreenModel(size: size)
          if replaces { model.process(graphics.transmission(of: pixels, number: 1).bytes) }
          model.process(Array(bytes.dropLast(rest.byteCount)))
          model.process(Array(restBytes.dropLast(cut.droppedByteCount)))
          if cut.hasBegun { model.process(cut.ending + tail) }
          #expect(!model.isWithinSequence && model.faults == [])
          #expect(!model.kitty.isWithinTransmission && model.kitty.faults == [])
        }
      }
    }
  }
}
