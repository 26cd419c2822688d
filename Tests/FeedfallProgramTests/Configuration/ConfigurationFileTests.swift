import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct ConfigurationFileTests {
  @Test func `sources that are added at the same time are all stored`() throws {
    try withConfiguration("# mine\n") { file, _ in
      var file = file
      file.lockDeadline = .now + .seconds(3_600)
      let count = 6
      DispatchQueue.concurrentPerform(iterations: count) { [file] thread in
        for number in 0..<count {
          let addition = try? file.add(name: "A", address: "https://\(thread).example/\(number)")
          #expect(addition?.added.count == 1)
        }
      }
      let sources = try file.read().sources
      #expect(sources.count == count * count)
    }
  }

  @Test func `a file that another program has locked does not change, and the lock follows a symbolic link`() throws {
    try withConfiguration("") { file, _ in
      var file = file
      file.lockDeadline = .now
      let target = file.path + ".target"
      try FileManager.default.moveItem(atPath: file.path, toPath: target)
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: target)
      let lock = try Files.lock(target)
      let error = #expect(throws: ConfigurationError.self) { try file.add(name: "A", address: "a.example") }
      #expect(error?.messages("", "f").first == " f: another program is changing it. Try again.")
      #expect(try Data(contentsOf: URL(fileURLWithPath: target)).isEmpty)
      close(lock)
      #expect(try file.add(name: "A", address: "a.example")?.added.count == 1)
    }
  }

  private static func copies(ofDescriptorsOf path: String) -> [Int32] {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let matching = names.filter { (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path }
    return matching.compactMap { Int32($0) }.map { dup($0) }
  }

  @Test func `a change ends its lock even if a started program has inherited the descriptor`() throws {
    try withConfiguration("") { file, _ in
      var file = file
      file.lockDeadline = .now
      var (isFirst, copies): (Bool, [Int32]) = (true, [])
      try file.change { bytes throws(ConfigurationError) in
        // The second attempt holds the lock.
        if isFirst { try? "# new\n".write(toFile: file.path, atomically: true, encoding: .utf8) }
        if !isFirst { copies = Self.copies(ofDescriptorsOf: file.path + ".lock") }
        isFirst = false
        return ((), bytes)
      }
      #expect(copies.count == 1)
      defer { for copy in copies { close(copy) } }
      #expect(try file.add(name: "A", address: "a.example")?.added.count == 1)
    }
  }

  @Test func `a lock that cannot be opened is named in the message`() throws {
    try withConfiguration("") { file, _ in
      try FileManager.default.createDirectory(atPath: file.path + ".lock", withIntermediateDirectories: false)
      let error = #expect(throws: ConfigurationError.self) { try file.add(name: "A", address: "a.example") }
      let message = error?.messages("", "f").first
      #expect(message?.contains("config.toml.lock cannot be opened (Is a directory). Delete the lock.") == true)
    }
  }

  @Test func `a symbolic link to a missing file stays one, and nothing is added`() throws {
    try withConfiguration("") { file, _ in
      try FileManager.default.removeItem(atPath: file.path)
      try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "missing.toml")
      let error = #expect(throws: ConfigurationError.self) { try file.add(name: "A", address: "a.example") }
      #expect(
        error?.messages("", "f").first
          == " f: it is a symbolic link to a missing file. Create the file or delete the link.")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "missing.toml")
    }
  }

  @Test func `the change of an editor during another change is not lost`() throws {
    try withConfiguration("# old\n") { file, _ in
      var seen: [String] = []
      try file.change { bytes throws(ConfigurationError) in
        seen.append(String(decoding: bytes, as: UTF8.self))
        if seen.count == 1 { try? "# new\n".write(toFile: file.path, atomically: true, encoding: .utf8) }
        return ((), bytes + Array("# end\n".utf8))
      }
      #expect(seen == ["# old\n", "# new\n"])
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "# new\n# end\n")
    }
  }

  @Test func `a file that changes again and again stays as it is`() throws {
    try withConfiguration("") { file, _ in
      var count = 0
      #expect(throws: ConfigurationError(.changing)) {
        try file.change { bytes throws(ConfigurationError) in
          count += 1
          try? "# \(count)\n".write(toFile: file.path, atomically: true, encoding: .utf8)
          return ((), [])
        }
      }
      let text = try String(contentsOfFile: file.path, encoding: .utf8)
      #expect(text == "# \(count)\n")
    }
  }
}
