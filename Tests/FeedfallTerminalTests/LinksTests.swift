import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  @Suite(.serialized) struct LinksTests {
    private static let address = "https://films.example/a/very/long/way/to/0.mp4"
    private static let shownText = "https://films…/0.mp4"

    private func canvas(_ address: String?, alert: Rect? = nil, firstRow: Int = 3) -> Canvas {
      var canvas = Canvas(size: Size(width: 60, height: 20))
      canvas.write("Playback", at: Point(x: 2, y: firstRow), style: Style(.dim))
      let start = Point(x: 12, y: firstRow)
      let width = canvas.write(Self.shownText, at: start, style: Style(.link))
      canvas.write("y copy", at: Point(x: start.x + width + 2, y: firstRow), style: Style(.key))
      if let address { canvas.link(Rect(origin: start, size: Size(width: width, height: 1)), to: address) }
      if let alert { canvas.fill(alert, style: Style(.alert)) }
      return canvas
    }

    /// The linked cells of the screen as text, and their addresses.
    private func links(_ shown: ModelTerminal) throws -> (text: String, addresses: Set<String>) {
      shown.settle()
      let linked = shown.model.cells.filter { $0.link != nil }
      return (
        linked.map(\.text).joined(), Set(linked.compactMap { $0.link?.split(separator: ";").last.map(String.init) })
      )
    }

    @Test func `the text of a link carries its whole address`() throws {
      let shown = try ModelTerminal()
      shown.paint(canvas(Self.address))
      let found = try links(shown)
      #expect(found.text == Self.shownText && found.addresses == [Self.address])
      #expect(shown.model[12, 3].link?.hasPrefix("id=") == true)
      #expect(shown.model[12, 3].foreground != [] && shown.model.faults == [])
      _ = shown.drainByteCount()
      shown.paint(canvas(Self.address))
      shown.settle()
      #expect(shown.drainByteCount() == 0)
      #expect(try shown.faults() == [])
    }

    @Test(arguments: [
      "javascript:alert(1)", "https://films.example/\u{1B}]52;c;AAAA\u{7}", "https://films.example/a b",
      "https://films.example/\u{9C}x", "https://films.example/" + String(repeating: "a", count: 2048), "",
    ])
    func `other addresses are no link`(address: String) throws {
      let shown = try ModelTerminal()
      shown.paint(canvas(address))
      #expect(try links(shown).text == "")
      #expect(try shown.faults() == [])
    }

    @Test func `GNU Screen gets neither links nor copies`() throws {
      let shown = try ModelTerminal(hasDirectColors: false, isIdentified: false)
      shown.paint(canvas(Self.address))
      #expect(shown.terminal.hasClipboard)
      shown.type("\u{1B}[>83;40900;0c\u{1B}[?1;2c")
      shown.paint(canvas(Self.address))
      #expect(try links(shown).text == "")
      shown.terminal.copyToClipboard("text")
      #expect(!shown.terminal.hasClipboard && !shown.output().contains("\u{1B}]52"))
    }

    @Test func `the Linux console gets no links`() throws {
      let shown = try ModelTerminal(hasDirectColors: false, isIdentified: false, name: "linux")
      shown.paint(canvas(Self.address))
      #expect(try links(shown).text == "")
    }
  }
}
