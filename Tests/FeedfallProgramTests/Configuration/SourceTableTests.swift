import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct SourceTableTests {
  private static let whole = """
    # mine
    layout = "grid" # wide

    # the best
    [[source]] # first
    name = "One" # mine
    # of all
    address = "~/one.json"
    where = ">1h"
    # about the second

    [[source]]
    name = "Two"
    address = "two.example"
    tags = [
      "a",  # kept
    ]

    [[view]]
    name = "Long"
    where = ">1h"

    [[source]]
    name = "Three"
    address = "three.example"
    """

  private func removing(_ name: String, from text: String) throws -> (Configuration.RemovedSource, rest: String) {
    let removal = try #require(try Configuration.removing(from: Array(text.utf8)) { $0.name == name })
    return (removal.removed, String(decoding: removal.bytes, as: UTF8.self))
  }

  private func restoring(_ removed: Configuration.RemovedSource, as name: String? = nil, to text: String) throws
    -> String?
  {
    try Configuration.restoring(removed, as: name ?? removed.table.source.name, to: Array(text.utf8)).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  @Test(
    arguments: ["One", "Two", "Three"],
    [whole, whole + "\n", "\u{FEFF}" + whole, whole.split(separator: "\n").joined(separator: "\r\n")])
  func `a removed source is restored byte for byte`(name: String, text: String) throws {
    let (removed, rest) = try removing(name, from: text)
    #expect(rest != text)
    #expect(try restoring(removed, to: rest) == text)
  }

  @Test func `all sources are restored in any order`() throws {
    let (one, withoutOne) = try removing("One", from: Self.whole)
    let (two, withoutBoth) = try removing("Two", from: withoutOne)
    #expect(try restoring(one, to: try #require(try restoring(two, to: withoutBoth))) == Self.whole)
    #expect(try restoring(two, to: try #require(try restoring(one, to: withoutBoth))) == Self.whole)
  }

  @Test func `changes by the user in between stay, and the source returns to its place`() throws {
    let (removed, rest) = try removing("Two", from: Self.whole)
    let edited =
      rest.replacing("# mine\nlayout", with: "theme = \"nord\"\nlayout")
      .replacing("name = \"Long\"", with: "name = \"Films\"")
      + "\n\n[[source]]\nname = \"Four\"\naddress = \"four.example\"\n"
    let restored = try #require(try restoring(removed, to: edited))
    let table = "[[source]]\nname = \"Two\"\naddress = \"two.example\"\ntags = [\n  \"a\",  # kept\n]\n\n"
    #expect(restored == edited.replacing("[[view]]", with: table + "[[view]]"))
  }

  @Test(arguments: ["", "layout = \"list\"", "[[source]]\nname = \"Four\"\naddress = \"four.example\"\n"])
  func `without the lines around it, a source returns to the end`(text: String) throws {
    let (removed, _) = try removing("Two", from: Self.whole)
    let restored = try #require(try restoring(removed, to: text))
    let separator = text.isEmpty ? "" : text.hasSuffix("\n") ? "\n" : "\n\n"
    #expect(restored.hasPrefix(text + separator + "[[source]]\nname = \"Two\"\n"))
    #expect(try Configuration(toml: Array(restored.utf8)).sources.last?.tags == ["a"])
  }

  @Test func `a place within a text of several lines is not used`() throws {
    let (removed, _) = try removing(
      "Two", from: "layout = \"grid\"\n[[source]]\nname = \"Two\"\naddress = \"two.example\"\n")
    let text = "layout = \"list\"\ntheme = \'\'\'\nlayout = \"grid\"\n\'\'\'\n"
    let restored = try restoring(removed, to: text)
    #expect(restored == text + "\n[[source]]\nname = \"Two\"\naddress = \"two.example\"\n")
  }

  @Test(arguments: [
    ("name = \"One\" # mine", "name = \"New\" # mine"), ("name = 'O\u{E9}' # é", "name = \"New\" # é"),
    ("name=\"a \\\" b\"#", "name=\"New\"#"), ("name = '''One''' # é", "name = \"New\" # é"),
    ("name = \"\"\"\\\nOne\"\"\"", "name = \"New\""),
  ])
  func `a restored source can have another name`(line: String, renamed: String) throws {
    let text = "[[source]]\naddress = \"a.example\" # é\n\(line)\nwhere = \">1h\"\n"
    let name = try #require(Configuration(toml: Array(text.utf8)).sources.first?.name)
    let (removed, rest) = try removing(name, from: text)
    #expect(try restoring(removed, as: "New", to: rest) == text.replacing(line, with: renamed))
  }

  @Test func `a name that is in use gets a number`() throws {
    let (removed, rest) = try removing("Two", from: Self.whole)
    let restored = try #require(try restoring(removed, to: rest.replacing("\"Three\"", with: "\"Two\"")))
    let sources = try Configuration(toml: Array(restored.utf8)).sources
    #expect(sources.map(\.name) == ["One", "Two 2", "Two"])
    #expect(sources[1].tags == ["a"])
  }

  @Test func `a name in the quotation marks of several lines is replaced`() throws {
    // Up to two quotation marks at the end belong to the name.
    for name in ["One", "One\"", "One\"\""] {
      let written = "\"\"\"\(name)\"\"\""
      let text = "[[source]]\nname = \(written)\naddress = \"a.example\"\n"
      let (removed, rest) = try removing(name, from: text)
      #expect(try restoring(removed, as: "New", to: rest) == text.replacing(written, with: "\"New\""))
      #expect(try restoring(removed, to: rest) == text)
    }
  }

  @Test func `a table with another comment is not the same, without a line break at its end it is`() throws {
    let source = Configuration.Source(name: "A", address: "a.example")
    let text = source.toml(isFirst: true)
    let added = Configuration.SourceTable(added: source)
    let (same, _) = try removing("A", from: String(text.dropLast()))
    #expect(same.table.isSame(as: added))
    let (edited, _) = try removing("A", from: text.replacing("example\"", with: "example\" # mine"))
    #expect(!edited.table.isSame(as: added))
  }
}
