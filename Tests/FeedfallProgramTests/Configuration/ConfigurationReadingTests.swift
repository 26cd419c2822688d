import FeedfallFilters
import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct ConfigurationReadingTests {
  private func reading(_ toml: String) -> ConfigurationReading { reading(Array(toml.utf8)) }

  private func reading(_ bytes: [UInt8]) -> ConfigurationReading {
    ConfigurationReading(toml: bytes) { ["layout", "theme", "mouse", "proxy", "timeout"].contains($0) }
  }

  private func lines(_ reading: ConfigurationReading) -> [String] {
    reading.faults.isEmpty ? [] : ConfigurationError(reading.faults).lines
  }

  private static let source = "[[source]]\nname = \"A\"\naddress = \"a.example\"\n"

  // MARK: - Syntax

  @Test(arguments: [
    ("layout = grid", ["2:10: the value"]), ("layout = ", ["2:1"]), ("layout", ["2:7: "]),
    ("layout = \"grid", ["2:15: a text contains a line break"]), ("layout = 'grid", ["2:15: a text"]),
    ("mouse = false\nmouse = true", ["3:9: \"mouse\" is already defined"]), ("layout = \"\\q\"", ["2:12: "]),
    ("tags = [\"a\",\n  \"b\",", ["2:1: the value that begins here is not closed"]),
    ("  text = \"\"\"a", ["2:3: the value that begins here is not closed"]), ("a = 1 b = 2", ["2:7: "]),
    ("# \u{0} a comment", ["2:3: "]), ("[theme]\naccent = red", ["3:10: the value"]), ("[[[", ["2:3: "]),
    ("[theme\naccent = \"red\"", ["2:7: "]), ("x = {a = 1", ["2:11: "]), ("= 3\n= 4", ["2:1: ", "3:1: "]),
  ])
  func `the rest of a document is read after a syntax fault`(start: String, starts: [String]) {
    let result = reading("timeout = 3\n" + start + "\n" + Self.source)
    #expect(result.configuration.sources.map(\.name) == ["A"])
    #expect(result.configuration.options.first?.name == "timeout")
    let found = lines(result)
    #expect(found.count == starts.count)
    for (line, start) in zip(found, starts) {
      #expect(line.hasPrefix(start), "\(line)")
    }
  }

  @Test func `a table with a faulty header is skipped, not merged into the one before`() {
    let result = reading(
      Self.source + "[[source]\nname = \"B\"\nwhere = \"new\"\n[[view]]\nname = \"V\"\nwhere = \"new\"")
    #expect(result.configuration.sources == [Configuration.Source(name: "A", address: "a.example")])
    #expect(result.configuration.views.map(\.name) == ["V"] && lines(result).count == 1)
  }

  @Test(arguments: [true, false]) func `a source in single brackets affects no other source`(isFirst: Bool) {
    let single = "[source]\nname = \"B\"\naddress = \"b.example\"\n"
    let result = reading(isFirst ? single + Self.source : Self.source + single)
    #expect(result.configuration.sources.map(\.name) == ["A"])
    #expect(
      lines(result) == [
        "\(isFirst ? 1 : 4):2: \"source\" is not a list of tables. Write [[source]] with double brackets."
      ])
  }

  @Test func `a list of sources in brackets is read beside a faulty line`() {
    let result = reading(
      """
      layout = grid
      source = [
        {name = "A", address = "a.example"}, # first
        {name = "B", address = "b.example"},
      ]
      view = []
      """)
    #expect(result.configuration.sources.map(\.name) == ["A", "B"])
    #expect(result.faults.map(\.place?.line) == [1])
  }

  @Test func `a document with too many faults is read up to the last one`() {
    let most = TomlReading.maximumFaultCount
    let faulty = String(repeating: "x\n", count: most + 5)
    let result = reading("mouse = true\n" + faulty + Self.source)
    #expect(result.configuration.options.map(\.name) == ["mouse"] && result.configuration.sources.isEmpty)
    #expect(lines(result).count == most + 1)
    #expect(lines(result).last?.contains("too many faults to read the rest") == true)
    #expect(reading(String(repeating: "x\n", count: most - 1) + Self.source).configuration.sources.count == 1)
  }

  @Test(arguments: [[0xFF, 0xFE, 0x6C, 0], [0xFE, 0xFF, 0, 0x6C], [0x6C, 0, 0x61, 0]] as [[UInt8]])
  func `a file in UTF-16 has one fault`(bytes: [UInt8]) {
    #expect(lines(reading(bytes)) == ["it is not text in UTF-8. Save it as UTF-8 in an editor."])
  }

  @Test func `a line in another encoding is skipped`() {
    let bytes = Array("mouse = true\nlayout = \"".utf8) + [0xE9] + Array("\"\n\(Self.source)".utf8)
    let result = reading(bytes)
    #expect(result.configuration.sources.count == 1 && result.configuration.options.map(\.name) == ["mouse"])
    #expect(lines(result).count == 1 && lines(result)[0].hasPrefix("2:"))
  }

  @Test(arguments: [
    ("layout = grid", "1:10: the value is not valid. Write a text in quotation marks, a number, true or false."),
    ("layout = ", "1:10: the value is missing"),
    ("layout = “grid”", "1:10: the text is in curly quotation marks"), ("a = 012", "1:8: the value is not valid"),
    ("a = 2024-13-01", "1:12: the value is not valid"), ("a = True", "1:5: the value is not valid"),
    ("layout", "1:7: \"=\" is missing after the key"), ("layout: grid", "1:7: \"=\" is missing"),
    ("= 3", "1:1: the key before \"=\" is missing"), ("é = 1", "1:1: the key is not valid"),
    ("my key = 1", "1:4: the key is not valid"), ("a = 1 b = 2", "1:7: more text follows the value"),
    ("a = \"b\" c", "1:9: more text follows"),
    ("a = \"b", "1:7: a text contains a line break or a control character. Close its quotation marks"),
    ("a = \"b\u{1}\"", "1:7: a text contains a line break or a control character"),
    ("# \u{1}", "1:3: the line contains a control character"), ("a = \u{1}", "1:5: the line contains a control"),
    ("a = \"\\q\"", "1:7: \"\\\" does not begin an escape"), ("a = \"\\u12G4\"", "1:10: \"\\\" does not begin"),
    ("a = [1,,2]", "1:8: the list is not valid"), ("a = [\"b\" \"c\"]", "1:10: the list is not valid"),
    ("a = [b]", "1:6: the value is not valid"), ("a = [\n1,\n2", "1:1: the value that begins here is not closed"),
    ("  a = \"\"\"b\nc", "1:3: the value that begins here"), ("a = {b = 1", "1:11: the table in braces"),
    ("a = {b = 1, b = 2}", "1:17: the table in braces is not valid"), ("[[source]", "1:10: the header is not valid"),
    ("[theme] x", "1:9: the header is not valid"), ("[]", "1:2: the header is not valid"),
    ("a = 1\na = 2", "2:5: \"a\" is already defined"), ("[theme]\n[theme]", "2:1: \"theme\" is already defined"),
    ("a = {b = 1}\n[a]", "2:1: \"a\" is already defined"), ("source = 3", "1:1: \"source\" is not a list of tables"),
    ("a.b = 1\na.b.c = 2", "2:3: \"a.b.c\" is already defined"),
  ])
  func `a syntax fault names the mistake at its place`(toml: String, start: String) throws {
    let found = lines(reading(toml)).filter { !$0.contains("not known") }
    #expect(found.first?.hasPrefix(start) == true, "\(found)")
  }

  @Test func `a mistake at any place of any bytes has words of its own`() {
    var random = SeededGenerator(seed: 3)
    let pieces = [
      "a", "=", " ", "\"", "'", "\\", "[", "]", "{", "}", ",", "#", "\n", "\r", "é", "“", "\u{1}", "\"\"\"", "1",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let place = TextPlace(line: Int.random(in: 1...4, using: &random), column: Int.random(in: 1...20, using: &random))
      let mistake = TomlMistake(in: Array(text.joined().utf8), at: place)
      #expect(!mistake.reason.isEmpty && mistake.advice.hasSuffix("."))
    }
  }

  @Test(arguments: [
    "a = [\n", "a = [[[[\n", "a = \"\"\"x\n", "k = 1\n", "1 = [\n", "source.a = 1\n", "[[source]\n", "[\n",
  ])
  func `a large document of faults is read in a bounded number of steps`(line: String) {
    let toml = String(repeating: line, count: (1 << 20) / line.utf8.count)
    #expect((1...2 * TomlReading.maximumFaultCount + 2).contains(reading(toml).faults.count))
  }

  @Test(arguments: [
    ("[[source]\nname = \"A\"", true), ("[source\nname = \"A\"", true), ("[source]\nname = \"A\"", true),
    ("[[]]\nname = \"A\"", true), ("{{source}}\nname = \"A\"", true), ("source:\n", true), ("[[sorce]]", true),
    ("[[channel]\nname = \"A\"", true), ("[[channel]]\nname = \"A\"", true), ("[Source]\n", true),
    ("source = \"a.example\"", true), ("sources = [\"a.example\"]", true), ("x =\n[[source]", true),
    (String(repeating: "x\n", count: 30), true),
    ("source = 1\n[[source]]\nname = \"A\"\naddress = \"a.example\"", true),
    ("[[view]\nname = \"A\"", false), ("[theme\n", false), ("layout = grid", false), ("[keys]\nquit = 1", false),
    ("# [[source]\n\u{1}", false), ("[[view]]\nname = \"A\"", false), ("layout = 3\nlayout = 4", false), ("", false),
    (source + "naem = 1", false), (source + "where = \"(\"", false), (source + "[[veiw]\n", false),
  ])
  func `a fault hides sources if one may be in the lines that were not read`(toml: String, hides: Bool) {
    let faults = reading(toml).faults
    #expect(!faults.isEmpty && ConfigurationError(faults).hidesSources == hides || faults.isEmpty && !hides, "\(toml)")
  }

  @Test func `the keys below a header without its brackets belong to no other source`() throws {
    for header in ["{{source}}", "source:", "(source)", "source"] {
      let result = reading(Self.source + header + "\nname = \"B\"\npassword-command = \"pass b\"\nuser = \"b\"\n")
      #expect(result.configuration.sources == [Configuration.Source(name: "A", address: "a.example")], "\(header)")
    }
  }

  /// Statements of a document that are valid in any order within their tables.
  private static let damages: [@Sendable (String) -> String] = [
    { String($0.dropLast()) }, { $0.replacing("=", with: "") }, { $0.replacing("=", with: "= \"\"\"") },
    { $0.replacing("=", with: "= [") }, { $0.replacing("=", with: "= {") }, { $0 + "]" }, { "\u{1}" + $0 },
    { $0 + "\n" + $0 },
  ]

  @Test func `a damaged line affects no other table`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let names = (0..<Int.random(in: 1...6, using: &random)).map { "S\($0)" }
      var tables = names.map { ["[[source]]", "name = \"\($0)\"", "address = \"a.example/\($0)\"", "tags = [\"t\"]"] }
      let table = tables.indices.randomElement(using: &random) ?? 0
      let line = Int.random(in: 1...3, using: &random)
      tables[table][line] = (Self.damages.randomElement(using: &random) ?? { $0 })(tables[table][line])
      let toml = tables.joined().joined(separator: "\n") + "\n"
      let result = reading(toml)
      var kept = names
      kept.remove(at: table)
      let sources = result.configuration.sources
      #expect(Set(kept).isSubset(of: sources.map(\.name)), "\(toml)")
      #expect(sources.filter { kept.contains($0.name) }.allSatisfy { $0.fault == nil && $0.tags == ["t"] }, "\(toml)")
      let firstLine = 4 * table + 1
      #expect(result.faults.contains { ($0.place?.line ?? 0) >= firstLine }, "\(toml)")
    }
  }

  @Test func `any bytes can be read, and strict reading agrees about faults`() {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "[[source]]\n", "[theme]\n", "a = ", "\"x\"", "\n", "[", "]", "\"\"\"", "'''", "#", "{", "=", "\u{0}", "\\", "é",
      "name = \"n\"\n",
    ]
    for _ in 0..<500 {
      let toml = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let bytes = Array(toml.joined().utf8)
      let result = reading(bytes)
      #expect(result.faults.count <= TomlReading.maximumFaultCount + 200)
      #expect((try? TomlValue.document(bytes)) != nil || !result.faults.isEmpty)
    }
  }

  // MARK: - Lines of sources, views and themes

  @Test(arguments: [
    ("tags = \"a\"", "4:8"), ("naem2 = 1", "4:1"), ("shorts = 3", "4:10"), ("where = \"(\"", "4:"),
    ("sort = \"x\"", "4:8"),
    ("theme = \"nord\"", "4:1"), ("tags = [a]", "4:9"), ("whree = \"new\"", "4:1"), ("[source.more]\nx = 1", "4:"),
  ])
  func `a source is read without a faulty line`(line: String, place: String) {
    let result = reading(Self.source + line)
    #expect(result.configuration.sources == [Configuration.Source(name: "A", address: "a.example")])
    #expect(lines(result).count == 1 && lines(result)[0].hasPrefix(place), "\(lines(result))")
  }

  @Test(arguments: [
    ("proxy = \"ftp://x\"", "4:9"), ("proxy = none", "4:"), ("proxi = \"none\"", "4:1"), ("user = \"a\"", "4:1"),
    ("password-command = \"\"", "4:20"), ("pasword-command = \"pass\"", "4:1"), ("user = anna", "4:8"), ("proxy", "4:"),
    ("tags = [\"t\"] proxy = \"http://p.example\"", "4:"), ("sort = \"new\"\ruser = \"anna\"", "4:"),
  ])
  func `a source that lacks its proxy or login has the fault, and is not loaded`(line: String, place: String) throws {
    let result = reading(Self.source + line + "\n" + "[[source]]\nname = \"B\"\naddress = \"b.example\"")
    let sources = result.configuration.sources
    #expect(sources.map(\.name) == ["A", "B"] && sources[1].fault == nil)
    #expect(try #require(sources[0].fault).failure(in: "c").reason.hasPrefix("c:\(place)"))
    #expect(lines(result).count == 1)
  }

  @Test func `a source is not loaded if the rest of its table was not read`() {
    let faults = String(repeating: "a =\n", count: TomlReading.maximumFaultCount)
    let result = reading("[[source]]\nname = \"B\"\naddress = \"b.example\"\n" + Self.source + faults + "proxy = \"p\"")
    #expect(result.configuration.sources.map { $0.fault == nil } == [true, false])
  }

  @Test(arguments: [
    ("[[source]]\naddress = \"a.example\"", ["a.example"], 1), ("[[source]]\nname = \"A\"", ["A"], 1),
    ("[[source]]\nname = \"A\"\naddress = \"ftp://a.example\"", ["A"], 1), ("[[source]]", ["source"], 2),
    ("[[source]]\nname = \"A\"\naddress = https://a.example", ["A"], 1),
    ("[[source]]\n[[source]]", ["source", "source 2"], 4),
    (
      "[[source]]\nname = \"A\"\naddress = \"a.example\"\n[[source]]\nname = \"A\"\naddress = \"b.example\"",
      ["A", "b.example"], 1
    ),
  ])
  func `a source without a valid name or address keeps its tab`(toml: String, names: [String], faultCount: Int) {
    let result = reading(toml)
    #expect(result.configuration.sources.map(\.name) == names && lines(result).count == faultCount)
    #expect(result.configuration.sources.last?.fault != nil)
  }

  @Test func `the failure of a source is one sentence with a remedy`() throws {
    let fault = try #require(
      reading("[[source]]\nname = \"A\"\nadress = \"a.example\"").configuration.sources.first?.fault)
    let failure = fault.failure(in: "config.toml")
    #expect(failure.reason == "config.toml:3:1: \"adress\" is not known" && failure.advice == "write \"address\"")
  }

  @Test(arguments: ["source", "view"]) func `an option below a list is reported`(table: String) {
    let result = reading("[[\(table)]]\nname = \"A\"\naddress = \"a.example\"\nwhere = \"new\"\ntheme = \"nord\"")
    #expect(
      lines(result).last == "5:1: \"theme\" is an option, which must be above the first [[…]]. Move the line up.")
    let theme = reading("[theme]\naccent = \"red\"\nmouse = false")
    #expect(lines(theme) == ["3:1: \"mouse\" is an option, which must be above [theme]. Move the line up."])
    #expect(theme.configuration.theme == ThemeSettings(colors: [.accent: .terminal(1)]))
  }

  @Test(arguments: ["source", "view"]) func `filter means where, but not beside it`(table: String) throws {
    let start = "[[\(table)]]\nname = \"A\"\n" + (table == "source" ? "address = \"a.example\"\n" : "")
    let result = reading(start + "filter = \"new\"")
    let query = result.configuration.views.first?.query ?? result.configuration.sources.first?.query
    #expect(result.faults.isEmpty)
    #expect(try query == FilterQuery("new"))
    #expect(lines(reading(start + "filter = \"new\"\nwhere = \"live\"")).count == 1)
  }

  @Test func `a view is read without a faulty line, but not without its filter`() {
    let result = reading(
      "[[view]]\nname = \"A\"\nwhere = \"new\"\nsort = \"x\"\n[[view]]\nname = \"B\"\nwhere = \"(\"\n[[view]]\nname = \"C\"\nwhere = new"
    )
    #expect(result.configuration.views.map(\.name) == ["A"])
    #expect(lines(result).map { $0.prefix { $0 != ":" } } == ["4", "7", "10"])
  }

  @Test func `only the excess sources or views are dropped`() {
    let sources = (0...20_000).map { "[[source]]\nname = \"\($0)\"\naddress = \"a.example\"\n" }.joined()
    #expect(reading(sources).configuration.sources.count == 20_000)
    #expect(reading(sources).faults.map(\.reason) == ["there are more than 20000 sources"])
    let views = (0...50).map { "[[view]]\nname = \"\($0)\"\nwhere = \"new\"\n" }.joined()
    #expect(reading(views).configuration.views.count == 50 && reading(views).faults.count == 1)
  }
}
