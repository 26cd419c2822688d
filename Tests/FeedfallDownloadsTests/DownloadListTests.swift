import FeedfallDocuments
import FeedfallFeeds
import FeedfallText
import FeedfallUserData
import Foundation
import TestSupport
import Testing

@testable import FeedfallDownloads

@Suite(.hangLimit) struct DownloadListTests {
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
      done.videoFile = StoredFile(name: "a.mp4", mark: FileMark(text: "1 2 3 4"))
      done.companions = [StoredFile(name: "a.jpg"), StoredFile(name: "a.en.vtt", mark: FileMark(text: "5 6 7 8"))]
      done.state = .done(UnixTime(seconds: 5))
      failed.state = .failed(FeedFailure(.temporary, "no answer", advice: "retry later"))
      let all = [try entry(1), done, failed]
      let path = folder + "/state/downloads.json"
      try DownloadList(path: path).update { $0 = all }
      #expect(DownloadList(path: path).entries() == all)
    }
  }

  @Test func `a damaged list is set aside and replaced`() async throws {
    try await withFolder { folder in
      let path = folder + "/downloads.json"
      try Data("{\"downloads\": [tor".utf8).write(to: URL(fileURLWithPath: path))
      let list = DownloadList(path: path)
      #expect(list.entries() == [])
      let entry = try entry(1)
      try list.update { $0.append(entry) }
      #expect(list.entries().count == 1)
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
        return DownloadList(path: path).entries().count
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
    let read = try #require(JSONObject(document: Array(entry.line.text.utf8)).flatMap(DownloadEntry.init))
    #expect(read.request.cover?.text == stored)
  }

  @Test func `the names of files that lead elsewhere are ignored`() throws {
    var entry = try entry(1)
    entry.videoFile = StoredFile(name: "../a.mp4")
    entry.companions = ["../b", "c.vtt", "/d"].map { StoredFile(name: $0) }
    let bytes = Array(entry.line.text.utf8)
    let read = try #require(JSONObject(document: bytes).flatMap(DownloadEntry.init))
    #expect(read.videoFile == nil && read.companions == [StoredFile(name: "c.vtt")])
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
      #expect(Set(DownloadList(path: path).entries().map(\.stem)).count == 20)
    }
  }

  @Test func `a folder without write permission is reported`() async throws {
    #expect(throws: DownloadFailure.self) { try DownloadList(path: "/proc/x/downloads.json").update { $0 = [] } }
  }

  @Test func `the line of a download has no secret, and fails in the next program`() throws {
    let request = try DownloadRequest.of("https://films.example/1.mp4?token=s3&x=1")
    var entry = DownloadEntry(request: request, folder: "/films", stem: "Film")
    #expect(!entry.line.text.contains("s3"))
    func read() throws -> DownloadEntry {
      try #require(JSONObject(document: Array(entry.line.text.utf8)).flatMap { DownloadEntry($0) })
    }
    guard case .failed(let failure) = try read().state else { throw TestFailure("it waits") }
    #expect(failure.advice == "download it again in the tab of its source")
    entry.state = .done(UnixTime(seconds: 1))
    #expect(try read().state == entry.state)
  }
}
