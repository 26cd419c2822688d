import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct TitleInitialTests {
  private func text(_ title: String) -> [String] {
    TitleInitial(of: title, TextWidths()).block.map { run in
      var canvas = Canvas(size: Size(width: run.width, height: 1))
      canvas.write(run, at: .zero, style: .plain)
      return canvas.text
    }
  }

  @Test func `a letter is drawn with half blocks`() {
    #expect(text("alpha") == ["▄▀▀▀▄", "█▄▄▄█", "█   █", "▀   ▀"])
    #expect(text("  “2001”") == ["▄▀▀▀▄", "   ▄▀", " ▄▀", "▀▀▀▀▀"])
  }

  @Test func `every letter and digit has its own sign of the same size`() {
    let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".map { text(String($0)) }
    #expect(Set(signs).count == 36)
    for character in "AZ09" {
      let block = TitleInitial(of: String(character), TextWidths()).block
      #expect(block.count == TitleInitial.blockSize.height)
      #expect(Set(block.map(\.width)) == [TitleInitial.blockSize.width])
    }
  }

  @Test(arguments: [("Éric", 1), ("中文", 2), ("ßa", 2), ("…", 1), ("", 0), ("👍🏽", 2)])
  func `other characters stay characters`(title: String, width: Int) {
    let initial = TitleInitial(of: title, TextWidths())
    #expect(initial.block.isEmpty && initial.character.width == width)
  }
}
