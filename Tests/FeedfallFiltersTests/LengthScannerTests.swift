import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct LengthScannerTests {
  private func length(_ text: String) -> (FilterParser.LengthScanner.Length?, rest: String) {
    var scanner = FilterParser.LengthScanner(Array(text), at: 0)
    let length = scanner.length()
    return (length, String(text.dropFirst(scanner.position)))
  }

  @Test(arguments: [
    ("90s", 90, ""), ("90 sec", 90, ""), ("10min", 600, ""), ("1h30m", 5_400, ""), ("1h 30m", 5_400, ""),
    ("1h 30 minutes 5s", 5_405, ""), ("1h30", 5_400, ""), ("2m30", 150, ""), ("1:02:03", 3_723, ""), ("2:03", 123, ""),
    ("1.5h", 5_400, ""), ("0,25 hours", 900, ""), ("1.0005s", 1, ""), ("2d", 172_800, ""), ("30m1h", 5_400, ""),
    ("1h 30m blender", 5_400, " blender"), ("1h 2h", 3_600, " 2h"), ("10m 20", 600, " 20"),
    ("10m 5 films", 600, " 5 films"),
    ("1h|2h", 3_600, "|2h"), ("10m..20m", 600, "..20m"), ("10m-20m", 600, "-20m"), ("366d", 31_622_400, ""),
    ("1H 5MIN", 3_900, ""), ("1h 30m-trailer", 5_400, "-trailer"),
  ])
  func `a duration ends with its last unit`(text: String, seconds: Int, rest: String) {
    #expect(length(text) == (.seconds(seconds), rest))
  }

  @Test(arguments: ["10", "10..20m", "10-20m", "10 films", "1.5 x"])
  func `a number may take the unit of another one`(text: String) {
    #expect(length(text).0 == .thousandths(text.hasPrefix("1.5") ? 1_500 : 10_000))
  }

  @Test(arguments: [
    "", "x", "m", "10x", "10mx", "1:2:3:4", "1:", "1:234", "1.5:00", "367d", "1h.", "ten", "1e3s", "-1m", "10m/2",
    "1..",
    "٣m", String(repeating: "9", count: 10_000) + "s", String(repeating: "1m", count: 10_000) + "x",
    "1." + String(repeating: "9", count: 10_000) + "h",
  ])
  func `other text is not a duration and is not consumed`(text: String) {
    let (length, rest) = length(text)
    #expect(length == (text == "1.." ? .thousandths(1_000) : nil) && (length != nil || rest == text))
  }

  @Test func `all forms of a duration have the same seconds`() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<1_000 {
      let parts = [
        (Int.random(in: 0...300, using: &random), ["d", " day", " days"], 86_400),
        (Int.random(in: 0...23, using: &random), ["h", "hr", " hours"], 3_600),
        (Int.random(in: 0...59, using: &random), ["m", "min", " minutes"], 60),
        (Int.random(in: 0...59, using: &random), ["s", "sec", " seconds"], 1),
      ].filter { _ in Bool.random(using: &random) }
      guard !parts.isEmpty else { continue }
      let text = parts.map { "\($0.0)\($0.1.randomElement(using: &random) ?? "")" }.joined(
        separator: Bool.random(using: &random) ? " " : "  ")
      #expect(length(text + " | x") == (.seconds(parts.reduce(0) { $0 + $1.0 * $1.2 }), " | x"), "\(text)")
    }
  }

  @Test func `no text reads beyond its end or counts more than a year`() {
    var random = SeededGenerator(seed: 11)
    let signs = Array("0123456789..,,:: hmsdin-|()x")
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in signs.randomElement(using: &random) })
      var scanner = FilterParser.LengthScanner(Array(text), at: 0)
      let length = scanner.length()
      #expect((0...text.count).contains(scanner.position) && (length != nil) == (scanner.position > 0))
      if case .seconds(let seconds) = length {
        #expect((0...FilterParser.LengthScanner.maximumSeconds).contains(seconds), "\(text)")
      }
    }
  }
}
