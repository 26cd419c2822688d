import FeedfallPlaying
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import feedfall

private let ignored: @Sendable (String) -> Void = { _ in }

@Suite(.hangLimit, .serialized) struct ResumeFileTests {
  private func records(_ lines: String) -> ResumeRecords { ResumeRecords(lines: lines) }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `the next run reads the records, from a file that only the user can read`() async throws {
    try await withFolder { folder in
      let path = folder + "/state/feedfall/resume"
      let file = ResumeFile(path: path, notify: ignored)
      file.update(records("60 a\n"))
      file.write()
      #expect(ResumeFile(path: path, notify: ignored).records["a"] == 60)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `two programs keep each other's records`() async throws {
    try await withFolder { folder in
      let path = folder + "/resume"
      let (first, second) = (ResumeFile(path: path, notify: ignored), ResumeFile(path: path, notify: ignored))
      first.update(records("60 a\n"))
      first.write()
      second.update(records("70 b\n"))
      second.write()
      let merged = ResumeFile(path: path, notify: ignored).records
      #expect(merged["a"] == 60 && merged["b"] == 70)
    }
  }

  @Test func `invalid lines are skipped, and the others stay`() async throws {
    try await withFolder { folder in
      let path = folder + "/resume"
      try Data("60 a\nnonsense\n\u{0}\u{1}\n-5 c\n70 b\n".utf8).write(to: URL(filePath: path))
      let file = ResumeFile(path: path, notify: ignored)
      #expect(file.records["a"] == 60 && file.records["b"] == 70)
      #expect(file.records.lines == "60 a\n70 b\n")
    }
  }

  @Test func `a file that is too large is renamed, and positions are saved in a new one`() async throws {
    try await withFolder { folder in
      let path = folder + "/resume"
      try Data("60 a\n".utf8).write(to: URL(filePath: path))
      truncate(path, 1 << 30)
      let notices = Mutex<[String]>([])
      let file = ResumeFile(path: path) { notice in notices.withLock { $0.append(notice) } }
      #expect(file.records == ResumeRecords())
      file.update(records("70 b\n"))
      file.write()
      #expect(try text(path) == "70 b\n")
      var status = stat()
      #expect(stat(path + ".damaged", &status) == 0 && status.st_size == 1 << 30)
      #expect(notices.withLock { $0 }.map { $0.hasSuffix("the old file is \(path).damaged.") } == [true])
    }
  }

  @Test func `a path that cannot be read is not replaced`() async throws {
    try await withFolder { folder in
      let path = folder + "/resume"
      mkdir(path, 0o700)
      let file = ResumeFile(path: path) { _ in Issue.record("nothing is renamed") }
      file.update(records("70 b\n"))
      file.write()
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    }
  }

  @Test func `a file that others may read becomes private`() async throws {
    try await withFolder { folder in
      let path = folder + "/resume"
      try Data("60 a\n".utf8).write(to: URL(filePath: path))
      chmod(path, 0o644)
      let file = ResumeFile(path: path, notify: ignored)
      file.update(records("60 a\n70 b\n"))
      file.write()
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `after a failed replacement the old file is intact, and the next write has all changes`() async throws {
    try await withFolder { folder in
      let path = folder + "/resume"
      let file = ResumeFile(path: path, notify: ignored)
      file.update(records("60 a\n"))
      file.write()
      let obstacle = "\(path).\(getpid()).new"
      mkdir(obstacle, 0o700)
      file.update(records("60 a\n70 b\n"))
      file.write()
      let old = try text(path)
      #expect(old == "60 a\n")
      rmdir(obstacle)
      file.write()
      let new = try text(path)
      #expect(new == "60 a\n70 b\n")
    }
  }

  @Test func `on a full disk the old file stays intact`() async throws {
    try await withFolder { folder in
      let path = folder + "/resume"
      // A file of one page fits, but not a second one beside it.
      guard mount("none", folder, "tmpfs", 0, "size=8k") == 0 else {
        print("the full disk is not tested: this user may not mount file systems")
        return
      }
      defer { umount2(folder, Int32(MNT_DETACH)) }
      let file = ResumeFile(path: path, notify: ignored)
      file.update(records("60 a\n"))
      file.write()
      try Data(repeating: 0, count: 4096).write(to: URL(filePath: folder + "/filler"))
      file.update(records("60 a\n70 b\n"))
      file.write()
      #expect(try text(path) == "60 a\n")
      unlink(folder + "/filler")
      file.write()
      #expect(try text(path) == "60 a\n70 b\n")
    }
  }
}
