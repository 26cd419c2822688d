import Foundation
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct LockedFileTests {
  @Test(arguments: [false, true])
  func `a lock ends with its file, although a child still has the descriptor`(isFolder: Bool) async throws {
    try await withFolder { folder in
      let path = isFolder ? folder : folder + "/part"
      var file: LockedFile? = try LockedFile(path, isFolder: isFolder)
      let inherited = dup(try #require(file).descriptor)
      defer { close(inherited) }
      #expect(throws: DownloadFailure.busy) { try LockedFile(path, isFolder: isFolder) }
      file = nil
      #expect(throws: Never.self) { try LockedFile(path, isFolder: isFolder) }
    }
  }

  /// Among them inodes from 2^63 on, as mergerfs has them.
  @Test(arguments: 0..<5) func `parsing a mark's text restores the mark`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var status = stat()
    status.st_mode = S_IFREG
    status.st_ino = random.next()
    status.st_size = Int(random.next() >> 1)
    status.st_mtim = timespec(
      tv_sec: Int(truncatingIfNeeded: random.next()), tv_nsec: Int(random.next() % 1_000_000_000))
    let mark = try #require(StoredFile.Mark(status))
    let read = try #require(StoredFile.Mark(text: mark.text))
    #expect(read == mark && read.text == mark.text)
  }

  @Test(arguments: [
    ("1 100 5 7", "2 100 5 7", true), ("1 100 5 0", "2 100 5 7", true), ("1 100 5 7", "1 101 5 7", false),
    ("1 100 5 7", "1 100 6 7", false), ("1 100 5 7", "1 100 5 8", false),
  ])
  func `a file is known by its size and its time, because some file systems change inodes`(
    one: String, other: String, isSame: Bool
  ) throws {
    #expect((try #require(StoredFile.Mark(text: one)) == #require(StoredFile.Mark(text: other))) == isSame)
  }

  @Test func `a disk of 0 of 0 blocks has an unknown size, and one without free blocks is full`() {
    var status = statvfs()
    (status.f_blocks, status.f_bavail, status.f_frsize) = (0, 0, 4_096)
    #expect(DownloadFolder.Disk(status).freeByteCount == nil)
    status.f_blocks = 10
    #expect(DownloadFolder.Disk(status).freeByteCount == 0)
  }
}
