import FeedfallScreen
import TestSupport
import Testing

@Suite(.hangLimit) struct PlaceholderHueTests {
  private let hues = (0..<1_000).map { PlaceholderHue(forID: "video-\($0)") }

  @Test func `an id has the same hue in every run`() {
    #expect(PlaceholderHue(forID: "").number == 5 && PlaceholderHue(forID: "a").number == 4)
    #expect(Set(hues).count == PlaceholderHue.count)
  }

  @Test func `a hue differs from all hues nearby`() {
    var list: [PlaceholderHue] = []
    for number in 0..<1_000 {
      let nearby = list.suffix(PlaceholderHue.nearbyCount)
      // The same id over and over is the hardest case.
      let hue = PlaceholderHue(forID: "\(number % 2)").avoiding(PlaceholderHue.Neighbors(nearby))
      #expect(!nearby.contains(hue))
      list.append(hue)
    }
  }

  @Test func `text on every row of a gradient has a contrast of at least 4.5`() {
    for hue in Set(hues) {
      for height in [1, 2, 8, 9, 40] {
        for row in 0..<height {
          let ground = hue.ground(row: row, of: height)
          #expect((hue.ink.luminance + 0.05) / (ground.luminance + 0.05) >= 4.5, "\(hue) \(row)")
        }
      }
    }
  }

  @Test func `all grounds have nearly the same luminance`() {
    let luminances = Set(hues).flatMap { hue in (0..<8).map { hue.ground(row: $0, of: 8).luminance } }.sorted()
    #expect(luminances[0] > 0.08 && luminances[luminances.count - 1] < 0.12)
  }

  @Test(arguments: [
    (1, [1]), (3, [3]), (8, [3, 3, 2]), (12, [3, 3, 3, 3]), (14, [4, 4, 4, 2]), (40, [10, 10, 10, 10]),
  ])
  func `a gradient has up to four colors of at least three rows`(height: Int, rows: [Int]) {
    let hue = PlaceholderHue(forID: "a")
    let colors = (0..<height).map { hue.ground(row: $0, of: height) }
    let counts = colors.reduce(into: [RGB: Int]()) { $0[$1, default: 0] += 1 }
    #expect(counts.values.sorted() == rows.sorted() && counts.count == rows.count)
  }

  @Test func `rows outside of a gradient have the colors of its ends`() {
    let hue = PlaceholderHue(forID: "a")
    #expect(hue.ground(row: -5, of: 0) == hue.ground(row: 0, of: 8))
    #expect(hue.ground(row: 900, of: 12) == hue.ground(row: 11, of: 12))
  }
}
