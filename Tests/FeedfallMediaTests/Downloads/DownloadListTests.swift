import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct DownloadListTests {
  private let mark = StoredFile.Mark(text: "1 2 3 4")!

  private func entry(_ number: Int) throws -> DownloadEntry {
    var request = try DownloadRequest.of(
      "https://films.example/\(number).mp4?a=\"\\", id: "films.example \(number)", title: "Film “\(number)” \"\\",
      cover: "https://films.example/\(number).jpg")
    request.addresses.append(
      DownloadAddress(
        .page, try #require(WebAddress("https://films.example/page")),
        headers: RequestHeaders(userAgent: "x/1", referrer: "https://films.example/")))
    return DownloadEntry(request: request, folder: "/videos", stem: "Film \(number)")
  }

  @Test func `entries survive a program`() async throws {
    try await withFolder { folder in
      var (done, failed) = (try entry(2), try entry(3))
      done.videoFile = StoredFile(name: "a.mp4", mark: mark)
      done.companions = [StoredFile(name: "a.jpg", mark: mark), StoredFile(name: "a.en.vtt", mark: mark)]
      done.state = .done(UnixTime(seconds: 5))
      failed.state = .failed(FeedFailure(.temporary, "no answer", advice: "retry later"))
      (done.request.quality, failed.request.quality) = (.audio, .height(720))
      let all = [try entry(1), done, failed]
      let path = folder + "/state/downloads.json"
      try DownloadList(path: path).update { $0 = all }
      #expect(try DownloadList(path: path).entries() == all)
    }
  }

  @Test func `a second entry of a removed download does not return`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      let (one, two) = (try entry(1), try entry(2))
      try DownloadList(path: path).update { $0 = [one, two] }
      let line = String(decoding: one.line, as: UTF8.self)
      let text = String(decoding: try fileBytes(of: path), as: UTF8.self).replacing(line, with: "\(line),\n\(line)")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(try DownloadList(path: path).entries() == [one, two])
      try DownloadList(path: path).update { $0.removeAll { $0.key == one.key } }
      #expect(try DownloadList(path: path).entries() == [two])
    }
  }

  @Test func `a damaged list is set aside and replaced`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      try Data("{\"downloads\": [tor".utf8).write(to: URL(fileURLWithPath: path))
      let list = DownloadList(path: path)
      #expect(try list.entries() == [])
      let entry = try entry(1)
      try list.update { $0.append(entry) }
      #expect(try list.entries().count == 1)
      #expect((try? fileBytes(of: path + ".damaged")) == Array("{\"downloads\": [tor".utf8))
    }
  }

  @Test func `a list that cannot be read is not replaced`() async throws {
    try await withFolder { folder in
      let (loop, long) = (folder + "/loop.json", folder + "/long.json")
      try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
      // A file with a hole takes no room on the disk.
      try Data("{".utf8).write(to: URL(fileURLWithPath: long))
      #expect(truncate(long, 33 << 20) == 0)
      let entry = try entry(1)
      for path in [loop, long] {
        #expect(throws: DownloadFailure.self) { try DownloadList(path: path).update { $0.append(entry) } }
      }
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: loop)) == loop)
      #expect(try FileManager.default.attributesOfItem(atPath: long)[.size] as? Int == 33 << 20)
    }
  }

  @Test(arguments: [
    #""stem": "../x""#, #""stem": "a/b""#, #""stem": "", "x": 1"#, #""folder": "videos""#, #""folder": 1"#,
    #""addresses": []"#, #""addresses": [{"kind": "file", "url": "file:///etc/passwd"}]"#,
    #""addresses": [{"kind": "shell", "url": "https://a.example"}]"#, #""id": """#,
  ])
  func `an entry that leads elsewhere is ignored`(member: String) async throws {
    try await withFolder { folder in
      let usual = [
        "id": #""a""#, "title": #""A""#, "addresses": #"[{"kind": "file", "url": "https://a.example/"}]"#,
        "folder": #""/videos""#, "stem": #""a""#,
      ]
      let path = folder + "/downloads.json"
      func count(_ member: String?) throws -> Int {
        let others = usual.filter { member?.hasPrefix("\"\($0.key)\"") != true }.map { "\"\($0.key)\": \($0.value)" }
        let text = "{\"downloads\": [{\((others + [member].compactMap(\.self)).joined(separator: ","))}]}"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return try DownloadList(path: path).entries().count
      }
      let counts = [try count(nil), try count(member)]
      #expect(counts == [1, 0])
    }
  }

  @Test(arguments: [
    ("https://a.example/a.jpg?w=640", "https://a.example/a.jpg?w=640"),
    ("https://a.example/a.jpg?w=640#secret", "https://a.example/a.jpg?w=640"),
    ("https://a.example/a.jpg?w=640&token=secret", nil), ("https://anna@a.example/a.jpg?w=640", nil),
    ("https://anna:secret@a.example/a.jpg", nil),
  ])
  func `a cover is stored with its query unless it has a secret`(address: String, stored: String?) throws {
    var entry = try entry(1)
    entry.request.cover = WebAddress(address)
    let read = try #require(JSONObject(document: entry.line).flatMap(DownloadEntry.init))
    #expect(read.request.cover?.text == stored)
  }

  @Test func `the names of files that lead elsewhere are ignored`() throws {
    var entry = try entry(1)
    entry.videoFile = StoredFile(name: "../a.mp4", mark: mark)
    entry.companions = ["../b", "c.vtt", "/d"].map { StoredFile(name: $0, mark: mark) }
    let bytes = entry.line
    let read = try #require(JSONObject(document: bytes).flatMap(DownloadEntry.init))
    #expect(read.videoFile == nil && read.companions == [StoredFile(name: "c.vtt", mark: mark)])
  }

  @Test func `programs that change the list at the same time lose nothing`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          let entry = try entry(number)
          group.addTask { try await onThread { try DownloadList(path: path).update { $0.append(entry) } } }
        }
        try await group.waitForAll()
      }
      #expect(try Set(DownloadList(path: path).entries().map(\.stem)).count == 20)
    }
  }

  @Test func `a folder without write permission is reported`() async throws {
    #expect(throws: DownloadFailure.self) { try DownloadList(path: "/proc/x/downloads.json").update { $0 = [] } }
  }

  // MARK: - Other versions, damage

  /// Entries of this version, of a later one, invalid ones, and a second one with the same key, with unknown members.
  private static let foreign = [
    #"{"id":"b 1","title":"B","addresses":[{"kind":"torrent","url":"https://a.example/1"}],"folder":"/v","stem":"B"}"#,
    #"{"id":"a 1", "title":"Twin","addresses":[{"kind":"file","url":"https://a.example/2"}],"folder":"/v","stem":"C"}"#,
    #"{"id":"","x":[1,{"y":"]}"}]}"#, "17", #"{"id":"d 1","addresses":[],"folder":"relative","stem":"../x"}"#,
  ]
  private static let known =
    #"{"id":"a 1","title":"A","addresses":[{"kind":"file","url":"https://a.example/1","hash":"ab"},{"kind":"torrent"}],"#
    + #""folder":"/v","stem":"A","priority":5}"#

  private func write(_ elements: [String], to path: String) throws {
    try "{\"version\":2,\"downloads\":[\(elements.joined(separator: ",\n"))]}".write(
      toFile: path, atomically: true, encoding: .utf8)
  }

  private func text(_ path: String) throws -> String { String(decoding: try fileBytes(of: path), as: UTF8.self) }

  @Test func `entries and members of a later version are kept byte for byte`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      try write([Self.known] + Self.foreign, to: path)
      let (list, entry) = (DownloadList(path: path), try entry(1))
      #expect(try list.entries().map(\.stem) == ["A"])
      try list.update { $0.append(entry) }
      for line in [Self.known] + Self.foreign + [#""version":2"#] {
        #expect(try text(path).contains(line), "\(line)")
      }
      // Of a changed entry, the members that this version does not read.
      try list.update { $0[0].state = .done(UnixTime(seconds: 5)) }
      for line in Self.foreign + [
        #""version":2"#, #""priority":5"#, #""hash":"ab"},{"kind":"torrent"}]"#, #""done":5"#,
      ] {
        #expect(try text(path).contains(line), "\(line)")
      }
      #expect(try list.entries().map(\.stem) == ["A", "Film 1"])
    }
  }

  @Test func `a damaged list that cannot be replaced stays where it is`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      let all = try (0..<3).map { try entry($0) }
      try DownloadList(path: path).update { $0 = all }
      let bytes = Array(try fileBytes(of: path).dropLast(4))
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      // In the place of the new file.
      let obstacle = "\(path).\(getpid()).new"
      try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
      for _ in 0..<3 {
        #expect(DownloadList(path: path).load().fault == .list(SystemError(EEXIST)))
        #expect(try fileBytes(of: path) == bytes)
      }
      #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
      try FileManager.default.removeItem(atPath: obstacle)
      let loaded = DownloadList(path: path).load()
      #expect(loaded.states.count == 3 && loaded.fault == .damagedList(path: path + ".damaged"))
      #expect(try fileBytes(of: path + ".damaged") == bytes)
      #expect(DownloadList(path: path).load().states.count == 3)
    }
  }

  /// Damages a list of eight entries at various places, by a cut or a run of zeros, and reads the rest.
  @Test(arguments: [true, false]) func `as much of a damaged list as parses is kept`(isCut: Bool) async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      let all = try (0..<8).map { try entry($0) }
      try DownloadList(path: path).update { $0 = all }
      let whole = try fileBytes(of: path)
      for place in stride(from: 20, to: whole.count - 3, by: 97) {
        var bytes = whole
        if isCut {
          bytes.removeLast(bytes.count - place)
        } else {
          bytes.replaceSubrange(place..<min(place + 200, bytes.count), with: [UInt8](repeating: 0, count: 1))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let complete = isCut ? whole.prefix(place).count { $0 == UInt8(ascii: "\n") } - 1 : 8 - 3
        let loaded = DownloadList(path: path).load()
        #expect(loaded.states.count >= complete, "\(place)")
        guard case .damagedList(let aside) = loaded.fault else {
          // A hole within a text leaves a list.
          #expect(!isCut && loaded.fault == nil, "\(place): \(String(describing: loaded.fault))")
          continue
        }
        #expect(try fileBytes(of: aside) == bytes)
        #expect(DownloadList(path: path).load().fault == nil)
      }
    }
  }

  @Test func `the members before the cut end of the last entry suffice`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      let last = try entry(1)
      try DownloadList(path: path).update { $0 = [last] }
      try Data(try fileBytes(of: path).dropLast(10)).write(to: URL(fileURLWithPath: path))
      #expect(try DownloadList(path: path).entries().map(\.key) == [last.key])
    }
  }

  @Test func `a list that cannot be read has a fault and no states`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let loaded = DownloadList(path: path).load()
      #expect(loaded.fault == .unreadableList(.notAFile, path: path) && loaded.states.isEmpty)
      #expect(DownloadList(path: folder + "/none.json").load().fault == nil)
    }
  }

  @Test func `more entries than are allowed are kept`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      let count = DownloadList.maximumEntryCount + 1
      try write((0..<count).map { #"{"id":"a \#($0)","x":1}"# } + [Self.known], to: path)
      try DownloadList(path: path).update { $0[0].state = .done(UnixTime(seconds: 5)) }
      let rest = try text(path)
      #expect(rest.split(separator: "\n").count == count + 3 && rest.contains("\"a \(count - 1)\""))
    }
  }

  @Test func `a secret that an earlier version has stored is gone after the next change`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      let address = "https://films.example/1.mp4?token=s3"
      try write(
        [#"{"id":"a 1","title":"A","addresses":[{"kind":"file","url":"\#(address)"}],"folder":"/v","stem":"A"}"#],
        to: path)
      try DownloadList(path: path).update { $0[0].state = .done(UnixTime(seconds: 5)) }
      #expect(try !text(path).contains("s3"))
    }
  }

  @Test func `the line of a download has no secret, and its source has to name its address again`() throws {
    let request = try DownloadRequest.of("https://films.example/1.mp4?token=s3&x=1")
    var entry = DownloadEntry(request: request, folder: "/films", stem: "Film")
    for _ in 0..<2 {
      #expect(!String(decoding: entry.line, as: UTF8.self).contains("s3"))
      entry = try #require(JSONObject(document: entry.line).flatMap { DownloadEntry($0) })
      #expect(entry.state == .waiting && entry.request.awaitsAddress && entry.request.awaitedVideo == nil)
    }
    entry.state = .done(UnixTime(seconds: 1))
    #expect(JSONObject(document: entry.line).flatMap { DownloadEntry($0) }?.state == entry.state)
  }
}
