import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct RemovingTests {
  private let old = """
    # mine
    layout = "grid" # wide

    [[source]] # first
    name = "One"
    address = "https://one.example"
    tags = [
      "a",  # kept with its table
      "b",
    ]
    # about the second

    [[source]]
    name = "Two"
    address = "~/two.xml"

    [[view]]
    name = "Long"
    where = ">1h"
    # the end

    """

  private func removing(_ name: String, from text: String) throws -> String? {
    try Configuration.removing(from: Array(text.utf8)) { $0.name == name }.map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  @Test func `the table of a source goes, and comments around it stay`() throws {
    let first = try #require(try removing("One", from: old))
    #expect(first.hasPrefix("# mine\nlayout = \"grid\" # wide\n# about the second\n\n[[source]]\nname = \"Two\""))
    #expect(first.hasSuffix("where = \">1h\"\n# the end\n"))
    let second = try #require(try removing("Two", from: old))
    #expect(second.contains("# about the second\n\n[[view]]"))
    #expect(try removing("Three", from: old) == nil)
  }

  @Test(arguments: ["", "# mine\n", "layout = \"grid\"\r\n", "[[source]]\nname = \"Z\"\naddress = \"z.example\"\n"])
  func `removing an added source restores the text`(text: String) throws {
    let added = try Configuration.adding(
      [Configuration.Source(name: "New", address: "new.example")], to: Array(text.utf8))
    #expect(try removing("New", from: String(decoding: added.bytes, as: UTF8.self)) == text)
  }

  @Test(arguments: [
    "source = [{ name = \"A\", address = \"a.example\" }, { name = \"B\", address = \"b.example\" }]",
    "source = [{ name = \"A\", address = \"a.example\" }]",
  ])
  func `a table of another form is not removed`(text: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try removing("A", from: text) }
    #expect(error?.messages("Could not change", "c.toml").first?.hasSuffix("Remove it in an editor.") == true)
  }

  @Test func `a source is not restored if the file would be too large`() throws {
    let removal = try #require(try Configuration.removing(from: Array(old.utf8)) { $0.name == "One" })
    let room = ConfigurationFile.maximumByteCount - removal.bytes.count
    let full = removal.bytes + Array(repeating: UInt8(ascii: "#"), count: room - 1) + [UInt8(ascii: "\n")]
    #expect(throws: ConfigurationError(.tooLarge)) {
      try Configuration.restoring(removal.removed, as: "One", to: full)
    }
  }

  @Test func `a source is found by its address or name, and the file replaced`() throws {
    let (file, folder) = try configurationFile()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try file.add(name: "One", address: "one.example")?.added.count == 1)
    #expect(try file.add(name: "Films", address: "/home/anna/films")?.added.count == 1)
    #expect(try file.add(name: "Films", address: "films") == nil)
    #expect(try file.remove(name: "", address: "https://one.example")?.table.source.name == "One")
    #expect(try file.remove(name: "One", address: "https://one.example") == nil)
    #expect(try file.add(name: "Films", address: "~/films")?.added.isEmpty == true)
    #expect(try file.remove(name: "", address: "~/films")?.table.source.name == "Films")
    #expect(try file.read().sources.isEmpty)
    #expect(try file.add(name: "Films", address: "~/films")?.added.count == 1)
    #expect(try file.remove(name: "", address: "/home/anna/films")?.table.source.name == "Films")
    #expect(try file.remove(name: "", address: "/home/anna/films") == nil)
    #expect(try file.add(name: "One", address: "https://one.example")?.added.count == 1)
    #expect(try file.remove(name: "", address: "one.example")?.table.source.name == "One")
  }

  @Test func `of several sources with one address, the name decides`() throws {
    let (file, folder) = try configurationFile()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try file.add(name: "Three", address: "/three.json")?.added.count == 1)
    let tables = ["Two", "Two late"].map { "[[source]]\nname = \"\($0)\"\naddress = \"/two.json\"\n" }
    try tables.joined().write(toFile: file.path, atomically: false, encoding: .utf8)
    let error = #expect(throws: ConfigurationError.self) { try file.remove(name: "Zwei", address: "/two.json") }
    #expect(error?.faults.first?.reason == "2 sources have this address")
    #expect(try file.remove(name: "Two late", address: "/two.json")?.table.source.name == "Two late")
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == tables[0])
  }

  @Test(arguments: [
    (
      "[[source]]\nname = \"B\"\naddress = \"b.example\"\n", "  [[source]]\n  name = \"A\"\n  address = \"a.example\"\n"
    ),
    ("\u{FEFF}", "[[source]]\nname = \"A\"\naddress = \"a.example\"\n"),
  ])
  func `an indented table and one behind a byte order mark are removed`(rest: String, table: String) throws {
    #expect(try removing("A", from: rest + table) == rest)
  }
}
