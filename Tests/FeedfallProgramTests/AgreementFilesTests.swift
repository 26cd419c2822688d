import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct AgreementFilesTests {
  private static let lines = "contact 5\nread 1 7 000000000000002a\nliked 1 5 07\n"

  private func scope() throws -> FeedScope { FeedScope(try #require(WebAddress("https://rss.example/?user=anna"))) }

  private func withFiles(
    _ records: UserData = UserData(device: ""),
    _ body: (AgreementFiles, _ read: () throws -> AppEvent, _ folder: String) throws -> Void
  ) async throws {
    try await withFolder { folder in
      let scope = try scope()
      var tickets = TicketOffice(number: 0)
      try body(
        AgreementFiles(UserLog(folder: folder, stateFolder: folder)),
        {
          // Another program.
          AgreementFiles(UserLog(folder: folder, stateFolder: folder)).read(scope, of: nil, records, tickets.next())
        }, folder)
    }
  }

  private func agreements(_ files: AgreementFiles, _ text: String) throws -> MarkSync {
    var sync = MarkSync(scope: try scope(), device: files.log.device)
    sync.read(text)
    return sync
  }

  /// The text that was read, and the name of a damaged copy.
  private func stored(_ event: AppEvent) -> (text: String?, copy: String?) {
    guard case .agreementsRead(_, let sync, let copy) = event else { return (nil, nil) }
    return (sync.text, copy)
  }

  /// The path of the only file with marks.
  private func path(in folder: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".marks-") }
    try #require(names.count == 1)
    return "\(folder)/\(names[0])"
  }

  @Test func `agreements are read by the next program, with the lines of a later version`() async throws {
    try await withFiles { files, read, folder in
      #expect(stored(try read()).text == "contact 0\n")
      #expect(files.save(try agreements(files, Self.lines)) == nil)
      #expect(stored(try read()).text == Self.lines)
      let path = try path(in: folder)
      #expect(!path.contains("anna") && path.hasSuffix(".marks-rss.example#" + path.suffix(16)))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `marks from before the first contact are stored as such before the user can set others`() async throws {
    var video = Video(id: "07", title: "Film", playback: .page(try #require(WebAddress("https://a.example/7"))))
    video.scope = try scope()
    var records = UserData(device: "desk")
    _ = records.change(VideoKey(video), [.flag(.starred, true)], at: 9)
    try await withFiles(records) { (_, read, folder) throws in
      let text = "contact 0\nstarred ? 9 07\n"
      let event = stored(try read())
      let file = try String(contentsOfFile: path(in: folder), encoding: .utf8)
      #expect(event.text == text && file == text)
    }
  }

  @Test func `the first contact waits for records that cannot be read, and makes its folder`() async throws {
    try await withFolder { parent in
      let (scope, folder) = (try scope(), parent + "/state/records")
      var tickets = TicketOffice(number: 0)
      let log = UserLog(folder: folder, stateFolder: parent)
      let files = AgreementFiles(log)
      let other = folder + "/other.jsonl"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // Too large, for any user.
      try Data().write(to: URL(filePath: other))
      #expect(truncate(other, 513 << 20) == 0)
      _ = log.load()
      guard case .agreementsUnreadable(_, let reason) = files.read(scope, of: nil, UserData(), tickets.next()) else {
        throw TestFailure("another event")
      }
      #expect(reason.hasPrefix(other))
      try FileManager.default.removeItem(atPath: parent + "/state")
      _ = log.load()
      #expect(stored(files.read(scope, of: nil, UserData(), tickets.next())).text == "contact 0\n")
      #expect(try String(contentsOfFile: path(in: folder), encoding: .utf8) == "contact 0\n")
    }
  }

  @Test func `equal agreements are written once`() async throws {
    try await withFiles { files, _, folder in
      _ = files.save(try agreements(files, Self.lines))
      let path = try path(in: folder)
      try FileManager.default.removeItem(atPath: path)
      _ = files.save(try agreements(files, Self.lines))
      #expect(!FileManager.default.fileExists(atPath: path))
      _ = files.save(try agreements(files, "contact 6\n"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "contact 6\n")
    }
  }

  @Test func `agreements whose events cannot be written are not written before them`() async throws {
    try await withFiles { files, read, folder in
      let log = "\(folder)/\(files.log.device).jsonl"
      try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
      var records = UserData(device: files.log.device)
      files.log.add(records.change(VideoKey(text: "https://a.example"), [.flag(.starred, true)], at: 5))
      #expect(files.save(try agreements(files, Self.lines))?.contains(folder) == true)
      #expect(stored(try read()).text == "contact 0\n")
      #expect(rmdir(log) == 0)
      #expect(files.save(try agreements(files, Self.lines)) == nil)
      #expect(stored(try read()).text == Self.lines && files.log.load().records.count == 1)
    }
  }

  @Test func `a damaged file is kept under another name, and is reported`() async throws {
    try await withFiles { files, read, folder in
      _ = files.save(try agreements(files, Self.lines))
      let path = try path(in: folder)
      for (number, copy) in [(1, path + ".damaged"), (2, path + ".damaged-2")] {
        let bytes = [UInt8](repeating: UInt8(number), count: 99)
        try Data(bytes).write(to: URL(filePath: path))
        let event = stored(try read())
        #expect(event.text == "contact 0\n" && event.copy == copy)
        #expect(try fileBytes(of: copy) == bytes)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "contact 0\n")
      }
    }
  }

  @Test func `a file that cannot be read is reported and stays`() async throws {
    try await withFiles { files, read, folder in
      _ = files.save(try agreements(files, Self.lines))
      let path = try path(in: folder)
      try FileManager.default.removeItem(atPath: path)
      // Not a file: reading fails, also for root.
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      guard case .agreementsUnreadable(_, let reason) = try read() else { throw TestFailure("another event") }
      #expect(reason.hasPrefix(path) && FileManager.default.fileExists(atPath: path))
    }
  }
}
