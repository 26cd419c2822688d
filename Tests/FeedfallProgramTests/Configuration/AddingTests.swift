import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct AddingTests {
  private func feed(_ name: String, _ address: String) throws -> SubscriptionList.Feed {
    SubscriptionList.Feed(name: name, address: try #require(WebAddress(address)))
  }

  private func text(_ file: ConfigurationFile) throws -> String {
    try String(contentsOfFile: file.path, encoding: .utf8)
  }

  @Test func `existing text stays byte for byte, and new sources follow`() throws {
    let old = "# mine\r\nlayout   = 'grid'\n\n[[source]] # one\nname = \"One\"\naddress = \"a.example\""
    try withConfiguration(old) { file, _ in
      let addition = try file.add([
        feed("One", "https://b.example/"), feed("", "https://c.example/x"), feed("again", "https://a.example"),
        feed("say \"\\hi\"", "https://d.example/"),
      ])
      #expect(addition.added.map(\.name) == ["One 2", "c.example", "say \"\\hi\""])
      #expect(addition.configuredAddresses == ["https://a.example"])
      #expect(try text(file).hasPrefix(old + "\n\n[[source]]\nname = \"One 2\"\naddress = \"https://b.example/\"\n"))
      #expect(try file.read().sources.map(\.name) == ["One", "One 2", "c.example", "say \"\\hi\""])
    }
  }

  @Test func `a missing file is created with its folders`() throws {
    try withConfiguration(nil) { file, folder in
      _ = try file.add([feed("One", "https://a.example/")])
      #expect(try text(file) == "[[source]]\nname = \"One\"\naddress = \"https://a.example/\"\n")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/feedfall")
      #expect(names.sorted() == ["config.toml", "config.toml.lock"])
    }
  }

  @Test func `tags are written and read back`() throws {
    try withConfiguration(nil) { file, _ in
      var feed = try feed("One", "https://a.example/")
      feed.tags = ["say \"hi\"", "Science"]
      _ = try file.add([feed])
      #expect(try text(file).hasSuffix("tags = [\"say \\\"hi\\\"\", \"Science\"]\n"))
      #expect(try file.read().sources.map(\.tags) == [feed.tags])
    }
  }

  @Test(arguments: ["layout = ", "source = [{name = \"a\", address = \"a.example\"}]"])
  func `a file that cannot be extended stays as it is`(toml: String) throws {
    try withConfiguration(toml) { file, _ in
      let feed = try feed("One", "https://b.example/")
      let error = #expect(throws: ConfigurationError.self) { try file.add([feed]) }
      #expect(error?.faults.first?.place?.line ?? 1 == 1, "the file has one line")
      #expect(try text(file) == toml)
    }
  }

  @Test func `a symbolic link stays one, and permissions stay`() throws {
    try withConfiguration("") { file, folder in
      let target = folder.path + "/real.toml"
      try FileManager.default.removeItem(atPath: file.path)
      try "color = true\n".write(toFile: target, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "../real.toml")
      _ = try file.add([feed("One", "https://b.example/")])
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "../real.toml")
      #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("color = true\n\n[[source]]"))
      let attributes = try FileManager.default.attributesOfItem(atPath: target)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `a folder or a file that is too large is reported`() throws {
    try withConfiguration("") { file, _ in
      try FileManager.default.removeItem(atPath: file.path)
      try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
      let error = #expect(throws: ConfigurationError.self) { try file.read() }
      #expect(error?.faults.first?.reason == "it is not a file")
    }
    try withConfiguration(String(repeating: "#", count: 1 << 20) + "#") { file, _ in
      #expect(throws: ConfigurationError(ConfigurationFault.tooLarge.hidingRest())) { try file.read() }
    }
  }

  @Test func `a file that would become too large stays as it is`() throws {
    let old = String(repeating: "#", count: (1 << 20) - 30) + "\n"
    try withConfiguration(old) { file, _ in
      #expect(throws: ConfigurationError(.tooLarge)) { try file.add([feed("One", "https://b.example/")]) }
      let new = try text(file)
      #expect(new == old)
    }
  }

  @Test func `too many feeds are reported, and none is added`() throws {
    let old = "[[source]]\nname = \"a\"\naddress = \"a.example\"\n"
    try withConfiguration(old) { file, _ in
      let feeds = try (1...500).map { try feed("", "https://\($0).example/") }
      let error = #expect(throws: ConfigurationError.self) { try file.add(feeds) }
      #expect(error?.faults.first?.reason == "it would have 501 sources, more than 500")
      #expect(error?.faults.first?.place == nil)
      #expect(try text(file) == old)
    }
  }

  @Test(arguments: [
    ("media.example", "https://media.example"), ("localhost:9/{page}", "http://localhost:9/{page}"),
    ("http://a.example/x", "http://a.example/x"), ("/a.xml", "/a.xml"), ("file:///a.xml", "file:///a.xml"),
  ])
  func `an imported address has a scheme, so that it cannot name a file`(written: String, whole: String) throws {
    try withConfiguration("[[source]]\nname = \"a\"\naddress = \"\(written)\"\n") { file, _ in
      let address = try file.read().sources[0].address
      #expect(address == whole)
    }
  }

  @Test func `a path that starts with ~/ is expanded`() throws {
    try withConfiguration("[[source]]\nname = \"a\"\naddress = \"~/a.xml\"\n") { file, _ in
      let address = try file.read().sources[0].address
      #expect(address == "/home/anna/a.xml")
    }
  }
}
