import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct ConfigurationFileTests {
  @Test func `a folder or a file that is too large is reported`() throws {
    try withConfiguration("") { file, _ in
      try FileManager.default.removeItem(atPath: file.path)
      try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
      let error = #expect(throws: ConfigurationError.self) { try file.read() }
      #expect(error?.faults.first?.reason == "it is not a file")
    }
    try withConfiguration(String(repeating: "#", count: ConfigurationFile.maximumByteCount) + "#") { file, _ in
      #expect(throws: ConfigurationError(ConfigurationFault.tooLarge.hidingRest())) { try file.read() }
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
