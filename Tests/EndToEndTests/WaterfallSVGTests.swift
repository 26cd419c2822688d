import Foundation
import TestSupport
import Testing

/// `waterfall-svg`: reads sizes, prints an SVG picture.
@Suite(.hangLimit) struct WaterfallSVGTests {
  private func draw(_ lines: String, _ arguments: String...) async throws -> Outcome {
    try await run(builtProgram("waterfall-svg"), arguments, input: Array(lines.utf8))
  }

  /// `class x y width height` of each rectangle.
  private func rectangles(_ lines: String, _ arguments: String...) async throws -> [String] {
    let outcome = try await run(builtProgram("waterfall-svg"), arguments, input: Array(lines.utf8))
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    return outcome.output.matches(
      of: #/<rect class="(\w+)" x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)"/>/#
    ).map { "\($0.1) \($0.2) \($0.3) \($0.4) \($0.5)" }
  }

  private let cards = "10 10\n10 30\n10 20\n10 10\n10 10\n"

  @Test func `cards keep their aspect ratio and lie in the shortest column`() async throws {
    let found = try await rectangles(cards, "--width", "320", "--columns", "3", "--spacing", "10", "--inset", "0")
    #expect(
      found == [
        "item 0 0 100 100", "item 110 0 100 300", "item 220 0 100 200", "item 0 110 100 100", "item 220 210 100 100",
      ])
  }

  @Test func `the picture is well-formed XML with the size of the content`() async throws {
    let svg = try await draw(cards, "--width", "320", "--columns", "3", "--spacing", "10", "--inset", "0").output
    #expect(
      svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"320\" height=\"310\" viewBox=\"0 0 320 310\">"))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.matches(of: #/<text/#).count == svg.matches(of: #/</text>/#).count)
    #expect(svg.count < 1000)
  }

  @Test func `a layout places the cards as its name says`() async throws {
    let options = ["--width", "210", "--columns", "2", "--inset", "0"]
    func found(_ layout: String) async throws -> [String] {
      let outcome = try await run(
        builtProgram("waterfall-svg"), ["--layout", layout] + options, input: Array("1 1\n1 2\n1 1\n".utf8))
      return outcome.output.matches(of: #/x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/#).map {
        "\($0.1) \($0.2) \($0.3) \($0.4)"
      }
    }
    #expect(try await found("waterfall") == ["0 0 100 100", "110 0 100 200", "0 110 100 100"])
    #expect(try await found("grid") == ["0 0 100 100", "110 0 100 200", "0 210 100 100"])
    #expect(try await found("list") == ["0 0 210 210", "0 220 210 420", "0 650 210 210"])
  }

  @Test func `the rows of the layout rows fill the width, and their cards keep their shapes`() async throws {
    let found = try await rectangles(
      "2 1\n1 1\n1 1\n1 1\n", "--layout", "rows", "--width", "330", "--row-height", "90", "--spacing", "10", "--inset",
      "0")
    #expect(found == ["item 0 0 155 78", "item 165 0 77 78", "item 252 0 78 78", "item 0 88 90 90"])
  }

  @Test func `the middle card of a carousel is the largest`() async throws {
    let found = try await rectangles(
      "1 1\n1 1\n1 1\n", "--layout", "carousel", "--width", "100", "--viewport", "220", "--offset", "110", "--inset",
      "0")
    #expect(found == ["item 72 12 75 75", "item 170 0 100 100", "item 292 12 75 75"])
  }

  @Test func `orders, columns, mirroring and direction are those of the engine`() async throws {
    let options = ["--width", "320", "--spacing", "10", "--inset", "0"]
    func corners(_ arguments: String...) async throws -> [String] {
      try await run(builtProgram("waterfall-svg"), options + arguments, input: Array(cards.utf8)).output
        .matches(of: #/<rect class="item" x="(\d+)" y="(\d+)"/#).map { "\($0.1),\($0.2)" }
    }
    let shortest = ["0,0", "110,0", "220,0", "0,110", "220,210"]
    #expect(try await corners("--min-column-width", "100") == shortest)
    #expect(try await corners("--columns", "3", "--order", "left-to-right").last == "110,310")
    #expect(try await corners("--columns", "3", "--order", "right-to-left").first == "220,0")
    #expect(try await corners("--columns", "3", "--order", "tolerance=210")[3...] == ["0,110", "110,310"])
    #expect(try await corners("--columns", "3", "--rtl") == ["220,0", "110,0", "0,0", "220,110", "0,210"])
    #expect(try await corners("--columns", "3", "--horizontal").first == "0,0")
  }

  @Test func `a card can span columns, and a section has a header, a background and separators`() async throws {
    #expect(
      try await rectangles(
        "1 1\n2 1 2\n4 1 full\n", "--width", "320", "--columns", "3", "--inset", "0", "--spans", "in-order")
        == ["item 0 0 100 100", "wide 110 0 210 105", "wide 0 115 320 80"])
    #expect(
      try await rectangles(
        "1 1\n1 1\n\n1 1\n", "--layout", "list", "--width", "50", "--inset", "0", "--header", "20", "--footer", "5",
        "--separator", "2", "--background")
        == [
          "background 0 0 50 135", "background 0 135 50 75", "separator 0 74 50 2", "header 0 0 50 20",
          "item 0 20 50 50", "item 0 80 50 50", "footer 0 130 50 5", "header 0 135 50 20", "item 0 155 50 50",
          "footer 0 205 50 5",
        ])
  }

  @Test func `a viewport shows the cards that intersect it, scrolled so that the anchor keeps its row`() async throws {
    let list = String(repeating: "1 1\n", count: 9)
    let options = ["--layout", "list", "--width", "50", "--inset", "0", "--viewport", "100"]
    func drawn(_ arguments: String...) async throws -> String {
      try await run(builtProgram("waterfall-svg"), options + arguments, input: Array(list.utf8)).output
    }
    #expect(try await drawn("--offset", "130").contains("viewBox=\"0 130 50 100\""))
    #expect(try await drawn("--offset", "130").matches(of: #/<rect/#).count == 2)
    #expect(try await drawn("--offset", "99999999").contains("viewBox=\"0 430 50 100\""))
    let anchored = try await drawn("--anchor", "3:20")
    #expect(anchored.contains("viewBox=\"0 160 50 100\""))
    #expect(anchored.contains("<rect class=\"marked\" x=\"0\" y=\"180\""))
  }

  @Test func `empty input prints an empty picture`() async throws {
    #expect(try await rectangles("") == [])
    #expect(try await rectangles("\n\r\n\n") == [])
  }
}

@Suite(.hangLimit) struct WaterfallSVGTroubleTests {
  @Test(arguments: [
    ("3\n", "line 1: it has 1 word; write WIDTH HEIGHT [SPAN]"),
    ("1 1\r\n\n3 4 5 6", "line 3: it has 4 words; write WIDTH HEIGHT [SPAN]"),
    ("1 1\n0 5", "line 2: the width is '0'; write a whole number from 1 to 1000000"),
    ("5 -1", "line 1: the height is '-1'; write a whole number from 1 to 1000000"),
    ("5 99999999999999999999", "line 1: the height is '99999999999999999999'; write a whole number from 1 to 1000000"),
    ("5 +5", "line 1: the height is '+5'; write a whole number from 1 to 1000000"),
    ("5 5 0", "line 1: the span is '0'; write a whole number from 1 to 1024 or full"),
    ("\u{1b}[31mé 5", "line 1: the width is '?[31m??'; write a whole number from 1 to 1000000"),
    ("1 1000000", "line 1: 1 × 1000000 scaled to its column is longer than 1000000; narrow the column"),
    (String(repeating: "1 ", count: 60), "line 1: it is longer than 100 bytes; write WIDTH HEIGHT [SPAN]"),
  ])
  func `an invalid line is reported with its number and its correction`(lines: String, sentence: String) async throws {
    let outcome = try await run(builtProgram("waterfall-svg"), [], input: Array(lines.utf8))
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "waterfall-svg: \(sentence)\n")
  }

  @Test(arguments: [
    ("1 1\n", 100_001, "line 100001: there are more than 100000 cards; give fewer lines"),
    ("1 1\n\n", 1001, "line 2001: there are more than 1000 sections; remove empty lines"),
  ])
  func `too many cards or sections are reported`(line: String, count: Int, sentence: String) async throws {
    let input = Array(String(repeating: line, count: count).utf8)
    let outcome = try await run(builtProgram("waterfall-svg"), [], input: input)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "waterfall-svg: \(sentence)\n")
  }

  @Test func `any input prints a picture or one error line`() async throws {
    let alphabet = Array("0123456789 \n\t\r-full\u{0}".utf8) + [0xff, 0x1b]
    var state: UInt64 = 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<15 {
      let bytes = (0..<next(300)).map { _ in alphabet[next(alphabet.count)] }
      let outcome = try await run(builtProgram("waterfall-svg"), [], input: bytes)
      #expect(outcome.status == 0 || outcome.status == 2, "\(bytes)")
      #expect(outcome.errors.filter { $0 == "\n" }.count == (outcome.status == 0 ? 0 : 1))
      #expect(outcome.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }
  }

  @Test(arguments: [
    ["--width", "0"], ["--columns", "1025"], ["--columns", "2", "--min-column-width", "3"],
    ["--order", "tolerance=-1"],
    ["--order", "tolerance=9999999"], ["--spans", "reordering=10"], ["--spacing", "-1"], ["--layout", "spiral"],
    ["--offset", "3"], ["--viewport", "5", "--anchor", "1"], ["--viewport", "5", "--anchor", "-1:3"], ["cards"],
  ])
  func `a usage error is reported with status 2`(arguments: [String]) async throws {
    let outcome = try await run(builtProgram("waterfall-svg"), arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("Usage:"))
  }

  @Test(arguments: ["--help", "--columns 2"])
  func `a failure to write the output is reported`(arguments: String) async throws {
    let outcome = try await run(
      "/bin/sh", ["-c", "echo 1 1 | '\(builtProgram("waterfall-svg"))' \(arguments) > /dev/full"])
    #expect(outcome.status == 1 && outcome.errors.contains("No space left on device"), "\(outcome)")
  }

  @Test func `help describes the format of a line`() async throws {
    let outcome = try await run(builtProgram("waterfall-svg"), ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("WIDTH HEIGHT") && outcome.output.contains("--layout"))
  }
}
