import FeedfallScreen
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  @Suite(.serialized) struct KittyVideoTests {
    private let frame = Rect(x: 30, y: 3, width: 24, height: 9)
    private let alert = Rect(x: 20, y: 8, width: 20, height: 3)
    private let pixels = Size(width: 192, height: 144)

    private func canvas(_ frame: Rect?, alert: Rect? = nil, brightness: Int = 50, size: Size? = nil)
      -> Canvas
    {
      var canvas = Canvas(size: size ?? Size(width: 60, height: 20))
      canvas.write("text around the video", at: .zero, style: .plain)
      if let frame { canvas.reserve(frame, brightness: brightness) }
      if let alert { canvas.fill(alert, style: Style(.alert)) }
      return canvas
    }

    @Test func `a terminal that does not answer shows cells`() throws {
      let shown = try kittyTerminal { $0.answer = nil }
      #expect(shown.terminal.videoCapability == .cells)
      shown.terminal.close()
      #expect(sharedObjects() == [])
    }

    @Test(arguments: ["EBADF: no such object", "OK"])
    func `a terminal on another machine gets pixels as text`(answer: String) throws {
      let shown = try kittyTerminal {
        $0.readsObjects = false
        $0.answer = answer
      }
      #expect(shown.terminal.videoCapability == .encodedPixels)
      shown.paint(canvas(frame))
      for level: UInt8 in 1...3 {
        show(level, on: shown)
        #expect(showsPicture(level, shown))
      }
      #expect(shown.model.kitty.replacementCount == 2)
      #expect(shown.model.kitty.faults == [] && shown.model.faults == [] && sharedObjects() == [])
    }

    @Test(arguments: ["ghostty 1.3.1", "Konsole 22.12.3", "WezTerm 20240203-110809-5046fc22"], [true, false])
    func `a terminal that cannot replace pixels gets a new image for each frame`(name: String, isShared: Bool) throws {
      let shown = try kittyTerminal(name) {
        $0.replacesPixels = false
        $0.readsObjects = isShared
      }
      #expect(shown.terminal.videoCapability == (isShared ? .pixels : .encodedPixels))
      shown.paint(canvas(frame))
      for level: UInt8 in 1...20 {
        show(level, on: shown)
        #expect(showsPicture(level, shown))
      }
      shown.terminal.close()
      shown.read()
      #expect(shown.model.kitty.images.isEmpty && shown.model.kitty.faults == [] && sharedObjects() == [])
    }

    @Test(arguments: ["kitty(0.26.5)", "ghostty 1.3.1"], [0, 2000, 9000])
    func `a key is answered before the rest of a frame`(name: String, readByteCount: Int) throws {
      let shown = try kittyTerminal(name) { $0.readsObjects = false }
      shown.paint(canvas(frame))
      show(1, on: shown)
      shown.show(testPicture(2))
      #expect(shown.terminal.device.heldByteCount > 90_000)
      shown.read(atMost: readByteCount)
      shown.terminal.continueVideo()
      _ = shown.drainByteCount()
      try shown.readingMeanwhile { shown.paint(canvas(frame, alert: alert)) }
      #expect(shown.model[20, 8].isReversed || shown.model[20, 8].background != [])
      shown.settle()
      // The first part of the frame was written, if only to the device's buffer.
      #expect(shown.model.kitty.droppedCount == 1)
      show(3, on: shown)
      #expect(showsPicture(3, shown))
      #expect(shown.model.kitty.faults == [] && shown.model.faults == [])
    }

    @Test(arguments: ["kitty(0.26.5)", "ghostty 1.3.1"])
    func `a terminal that reads slowly shows complete frames while the text around them changes`(name: String) throws {
      let shown = try kittyTerminal(name) {
        $0.readsObjects = false
        $0.replacesPixels = name.hasPrefix("kitty")
      }
      shown.paint(canvas(frame))
      show(1, on: shown)
      for level: UInt8 in 2...5 {
        shown.show(testPicture(level))
        #expect(shown.terminal.device.heldByteCount > 90_000)
        shown.read(atMost: 3000 * Int(level - 2))
        shown.terminal.continueVideo()
        var changed = canvas(frame)
        changed.write("0:0\(level)", at: Point(x: 0, y: 1), style: .plain)
        try shown.readingMeanwhile { shown.paint(changed) }
        #expect(shown.model[3, 1].text == "\(level)")
        shown.settle()
        #expect(shown.model.kitty.droppedCount == 0 && showsPicture(level, shown))
      }
      #expect(shown.model.kitty.faults == [] && shown.model.faults == [])
    }

    @Test(arguments: ["kitty(0.26.5)", "ghostty 1.3.1"], [true, false])
    func `after a crash within a frame as text, the terminal keeps no image and waits for no pixels`(
      name: String, isFirst: Bool
    ) throws {
      let shown = try kittyTerminal(name) {
        $0.readsObjects = false
        $0.replacesPixels = name.hasPrefix("kitty")
      }
      shown.paint(canvas(frame))
      if !isFirst { show(1, on: shown) }
      shown.show(testPicture(2))
      #expect(shown.terminal.device.heldByteCount > 90_000)
      for count in [3000, 4000, 5000] {
        shown.read(atMost: count)
        var model = shown.model
        model.process(shown.terminal.restoration.bytes)
        #expect(!model.kitty.isWithinTransmission && model.kitty.images.isEmpty)
        #expect(model.faults == [] && !model.isWithinSequence)
        #expect(model.kitty.faults.allSatisfy { $0.hasPrefix("deletion of the unknown image") })
      }
    }

    @Test func `a program that ends within a frame as text and a canvas leaves no image and no open transmission`()
      throws
    {
      let shown = try kittyTerminal { $0.readsObjects = false }
      shown.paint(canvas(frame))
      show(1, on: shown)
      shown.show(testPicture(2))
      shown.read(atMost: 1000)
      shown.terminal.continueVideo()
      var changed = canvas(frame)
      // How much room the device has after a read differs from time to time.
      for number in 0..<20_000 where !shown.terminal.isHoldingCanvas {
        changed.write("line of text \(number)", at: Point(x: 0, y: 1), style: .plain)
        shown.paint(changed)
      }
      try #require(shown.terminal.isHoldingCanvas)
      try shown.readingMeanwhile { shown.terminal.close() }
      #expect(!shown.model.kitty.isWithinTransmission && shown.model.kitty.images.isEmpty)
      #expect(shown.model.kitty.faults == [] && shown.model.faults == [])
    }

    @Test func `an unknown terminal gets no graphics query`() throws {
      let shown = try ModelTerminal(pictures: .auto)
      shown.type("\u{1B}P>|XTerm(379)\u{1B}\\")
      shown.settle()
      #expect(!shown.terminal.videoCapability.hasPixels)
      #expect(shown.model.kitty.faults == [] && shown.model.faults == [])
    }

    @Test func `frames replace the pixels of one image`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      shown.show(testPicture(1))
      shown.settle()
      let first = try #require(shown.model.kitty.images.first)
      let whole = Rect(origin: .zero, size: pixels)
      #expect(first.value.bytes == testPicture(1).bytes)
      #expect(first.value.placements == [1: .init(source: whole, cells: frame)])
      for level: UInt8 in 2...9 {
        _ = shown.drainByteCount()
        shown.show(testPicture(level))
        shown.settle()
        #expect(shown.drainByteCount() < 200)
        #expect(
          shown.model.kitty.images.keys.first == first.key && shown.model.kitty.images.count == 1)
        #expect(shown.model.kitty.images.first?.value.bytes == testPicture(level).bytes)
      }
      #expect(shown.model.kitty.replacementCount == 8)
      #expect(shown.model.kitty.faults == [] && sharedObjects() == [])
    }

    @Test func `cells over the video are no part of the image, and the image is not sent again`()
      throws
    {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      shown.show(testPicture(1))
      shown.settle()
      for covering in [alert, nil, frame.inset(by: Insets(top: 6)), alert, nil] {
        let shownCanvas = canvas(frame, alert: covering)
        shown.paint(shownCanvas)
        shown.settle()
        let image = try #require(shown.model.kitty.images.first?.value)
        let parts = try #require(shownCanvas.video).parts
        #expect(Set(image.placements.values.map(\.cells)) == Set(parts))
        for placement in image.placements.values {
          // Eight by sixteen pixels for each cell.
          #expect(placement.source.minX == (placement.cells.minX - frame.minX) * 8)
          #expect(placement.source.minY == (placement.cells.minY - frame.minY) * 16)
          #expect(placement.source.width == placement.cells.width * 8)
          #expect(placement.source.height == placement.cells.height * 16)
        }
      }
      #expect(shown.model.kitty.faults == [])
    }

    @Test func `a moved region takes its image along, and a resized one gets a new image`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      shown.show(testPicture(1))
      let moved = Rect(x: 2, y: 5, width: 24, height: 9)
      shown.paint(canvas(moved))
      shown.settle()
      #expect(
        shown.model.kitty.images.values.flatMap { $0.placements.values }.map(\.cells) == [moved])
      let small = Rect(x: 2, y: 5, width: 20, height: 6)
      shown.paint(canvas(small))
      shown.show(testPicture(2, size: Size(width: 160, height: 96)))
      shown.settle()
      #expect(shown.model.kitty.images.values.map(\.size) == [Size(width: 160, height: 96)])
      #expect(
        shown.model.kitty.images.values.flatMap { $0.placements.values }.map(\.cells) == [small])
      #expect(shown.model.kitty.faults == [])
    }

    @Test func `a growing region shows the pixels of the small one until a new frame`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(Rect(x: 2, y: 2, width: 8, height: 3)))
      shown.show(testPicture(1, size: Size(width: 24, height: 20)))
      shown.settle()
      let large = Rect(x: 2, y: 2, width: 40, height: 12)
      shown.paint(canvas(large))
      shown.settle()
      #expect(shown.model.kitty.images.values.flatMap { $0.placements.values }.map(\.cells) == [large])
      #expect(shown.model.kitty.faults == [])
    }

    @Test func `a coarse frame replaces the image by cells`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      shown.show(testPicture(1))
      shown.show(testPicture(1, size: Size(width: 24, height: 18)))
      #expect(try shown.faults() == [])
      #expect(shown.model.kitty.images.isEmpty && shown.model.kitty.faults == [])
    }

    @Test func `the brightness applies to the pixels`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame, brightness: 0))
      shown.show(testPicture(1))
      shown.settle()
      #expect(shown.model.kitty.images.first?.value.bytes.allSatisfy { $0 == 0 } == true)
    }

    @Test func `a letterbox has the background that the terminal has reported`() throws {
      let shown = try kittyTerminal()
      shown.type("\u{1B}]11;rgb:ffff/eeee/dddd\u{1B}\\")
      shown.paint(canvas(frame))
      var boxed = PixelBuffer(size: pixels, bytes: .init(repeating: 0, count: 192 * 144 * 3))!
      boxed.setContent(Rect(x: 0, y: 10, width: 192, height: 100))
      shown.show(boxed)
      shown.settle()
      let bytes = try #require(shown.model.kitty.images.first?.value.bytes)
      #expect(bytes[..<3] == [255, 238, 221] && bytes.suffix(3) == [255, 238, 221])
      #expect(bytes[192 * 3 * 60] == 0)
    }

    @Test func `at most three frames wait in shared memory, and none after the end`() throws {
      let shown = try kittyTerminal()
      shown.changeKitty { $0.readsObjects = false }
      shown.paint(canvas(frame))
      for level: UInt8 in 1...9 { shown.show(testPicture(level)) }
      #expect(sharedObjects().count == 3)
      shown.terminal.close()
      #expect(sharedObjects() == [])
    }

    /// Shows a frame; paints the canvas as the main loop does when the terminal reports a change.
    private func show(_ level: UInt8, on shown: ModelTerminal) {
      shown.show(testPicture(level))
      shown.settle()
      shown.paint(canvas(frame))
      shown.settle()
    }

    private func showsPicture(_ level: UInt8, _ shown: ModelTerminal) -> Bool {
      let images = shown.model.kitty.images.values
      let whole = Rect(origin: .zero, size: pixels)
      return images.map(\.bytes) == [testPicture(level).bytes]
        && images.map(\.placements) == [[1: .init(source: whole, cells: frame)]]
    }

    @Test(arguments: [true, false]) func `a lost image is transmitted again`(reportsErrors: Bool) throws {
      let shown = try kittyTerminal { $0.reportsErrors = reportsErrors }
      shown.paint(canvas(frame))
      show(1, on: shown)
      shown.changeKitty { $0.loseImages() }
      for level: UInt8 in 2...3 { show(level, on: shown) }
      #expect(showsPicture(3, shown) && sharedObjects() == [])
      #expect(shown.terminal.videoCapability.hasPixels && shown.model.kitty.faults == [])
      for level: UInt8 in 4...100 { show(level, on: shown) }
      shown.changeKitty { $0.loseImages() }
      for level: UInt8 in 101...102 { show(level, on: shown) }
      #expect(showsPicture(102, shown) && shown.terminal.videoCapability.hasPixels && sharedObjects() == [])
    }

    @Test func `an image that is lost twice is replaced by cells until the screen is repainted`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      for level: UInt8 in 1...2 {
        show(level, on: shown)
        shown.changeKitty { $0.loseImages() }
        #expect(shown.terminal.videoCapability.hasPixels)
      }
      show(3, on: shown)
      #expect(!shown.terminal.videoCapability.hasPixels && shown.model.kitty.images.isEmpty && sharedObjects() == [])
      shown.show(testPicture(1, size: Size(width: 24, height: 18)))
      #expect(try shown.faults() == [])
      shown.terminal.repaintAll()
      shown.paint(canvas(frame))
      #expect(shown.terminal.videoCapability.hasPixels)
      show(4, on: shown)
      #expect(showsPicture(4, shown) && shown.model.kitty.faults == [])
    }

    /// Sends the answer to the query at the end of a frame. Returns whether the screen must be drawn again.
    private func answer(_ shown: ModelTerminal) -> Bool { shown.type("\u{1B}[0n") }

    /// Runs a test while the next objects of this process cannot be created, because their names are in use.
    private func withoutMemory(_ body: () throws -> Void) throws {
      let names = (1...100).map { "/feedfall-\(getpid())-\($0)" }
      for name in names { close(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)) }
      defer { for name in names { shm_unlink(name) } }
      try body()
    }

    @Test func `without shared memory the frames are sent as text, and after a repaint in shared memory again`() throws
    {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      show(1, on: shown)
      try withoutMemory {
        shown.show(testPicture(2))
        #expect(shown.terminal.pendingInputTimeout == 0)
        #expect(shown.terminal.readInput().isAppearanceChanged)
        #expect(shown.terminal.videoCapability == .encodedPixels)
        show(3, on: shown)
        #expect(showsPicture(3, shown))
      }
      shown.terminal.repaintAll()
      shown.paint(canvas(frame))
      #expect(shown.terminal.videoCapability == .pixels)
      show(4, on: shown)
      #expect(showsPicture(4, shown))
      #expect(shown.model.kitty.faults == [] && shown.model.faults == [] && sharedObjects() == [])
    }

    @Test func `a terminal is queried also without shared memory`() throws {
      try withoutMemory {
        let shown = try kittyTerminal { $0.readsObjects = false }
        #expect(shown.terminal.videoCapability == .encodedPixels)
      }
    }

    @Test func `late answers to earlier frames lose no image`() throws {
      let shown = try kittyTerminal(answers: false)
      shown.paint(canvas(frame))
      shown.show(testPicture(1))
      shown.settle()
      #expect(!answer(shown))
      for level: UInt8 in 2...3 { shown.show(testPicture(level)) }
      shown.read()
      shown.show(testPicture(4))
      #expect(!answer(shown) && !answer(shown))
      shown.read()
      #expect(!answer(shown))
      #expect(showsPicture(4, shown) && shown.model.kitty.replacementCount == 3)
      #expect(shown.model.kitty.faults == [] && sharedObjects() == [])
    }

    @Test func `late answers after a resize lose no image`() throws {
      let shown = try kittyTerminal(answers: false)
      shown.paint(canvas(frame))
      for level: UInt8 in 1...2 { shown.show(testPicture(level)) }
      let size = Size(width: 70, height: 24)
      shown.resize(to: size)
      shown.paint(canvas(frame, size: size))
      shown.show(testPicture(3))
      #expect(!answer(shown) && !answer(shown))
      shown.read()
      #expect(!answer(shown))
      #expect(showsPicture(3, shown) && shown.model.kitty.faults == [] && sharedObjects() == [])
    }

    @Test func `an image whose frames fail does not stay`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      show(1, on: shown)
      shown.changeKitty { $0.readsObjects = false }
      for level: UInt8 in 2...3 { show(level, on: shown) }
      #expect(shown.model.kitty.images.isEmpty)
      #expect(shown.model.kitty.faults == [])
    }

    @Test func `frames that the terminal is too slow for use no image numbers`() throws {
      let shown = try kittyTerminal("ghostty 1.3.1") { $0.replacesPixels = false }
      shown.paint(canvas(frame))
      show(1, on: shown)
      // Three frames wait in shared memory. The next seven cannot, and the terminal's answers cause one more.
      for level: UInt8 in 2...11 { shown.show(testPicture(level)) }
      shown.settle()
      #expect(showsPicture(11, shown) && shown.model.kitty.faults == [] && sharedObjects() == [])
    }

    @Test func `an image without placements is placed again`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      show(1, on: shown)
      shown.changeKitty { $0.clear() }
      for level: UInt8 in 2...40 { show(level, on: shown) }
      #expect(showsPicture(40, shown) && shown.model.kitty.faults == [])
    }

    @Test func `a resized screen leaves no unread frames behind`() throws {
      let shown = try kittyTerminal()
      shown.changeKitty { $0.readsObjects = false }
      shown.paint(canvas(frame))
      for level: UInt8 in 1...3 { shown.show(testPicture(level)) }
      #expect(sharedObjects().count == 3)
      shown.resize(to: Size(width: 70, height: 24))
      #expect(sharedObjects() == [])
    }

    @Test func `frames that the terminal was too slow for are shown when it has read the earlier ones`() throws {
      let shown = try kittyTerminal()
      shown.paint(canvas(frame))
      for level: UInt8 in 1...5 { shown.terminal.paintVideo(testPicture(level)) }
      // The terminal reads three frames and answers; the answers alone cause the last one.
      shown.read()
      shown.read()
      #expect(showsPicture(5, shown) && shown.model.kitty.faults == [] && sharedObjects() == [])
    }
  }
}
