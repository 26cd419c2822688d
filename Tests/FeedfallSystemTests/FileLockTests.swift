import Foundation
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct FileLockTests {
  @Test func `a lock excludes other openings of the file until it is released`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      let files = (0..<2).map { _ in open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
      defer { for file in files { close(file) } }
      #expect(Files.tryLock(files[0], of: path) == .held)
      #expect(Files.tryLock(files[1], of: path) == .busy)
      #expect(throws: SystemError(EWOULDBLOCK)) { try Files.lock(files[1], of: path, attempts: 2) }
      Files.release(files[0])
      let lock = try Files.lock(files[1], of: path, attempts: 1)
      #expect(lock == .held)
    }
  }

  @Test func `a file that cannot be locked is used without a lock`() {
    #expect(Files.tryLock(-1, of: "no file") == .unsupported)
    #expect(Files.unlockedPath != nil)
  }

  @Test func `a file that cannot be synchronized is written nevertheless`() throws {
    // A pipe cannot be synchronized (EINVAL), as files on some network folders.
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(throws: Never.self) { try Files.synchronize(ends[1]) }
    #expect(throws: SystemError(EBADF)) { try Files.synchronize(-1) }
  }

  @Test func `a last line without a newline is torn`() async throws {
    try await withFolder { folder in
      for (text, isTorn) in [("", false), ("a\n", false), ("a", true), ("a\n{", true)] {
        try Files.replace(folder + "/file", with: Array(text.utf8), mode: 0o600)
        let descriptor = open(folder + "/file", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let result = try Files.hasTornLine(descriptor)
        #expect(result == isTorn)
      }
    }
  }

  @Test func `the names in a folder differ from a missing and an unreadable folder`() async throws {
    try await withFolder { folder in
      for name in ["b", ".a"] { try Files.replace("\(folder)/\(name)", with: [], mode: 0o600) }
      #expect(Files.names(in: folder) == .value([".a", "b"]))
      #expect(Files.names(in: folder + "/c") == .none)
      #expect(Files.names(in: folder + "/b") == .unreadable(SystemError(ENOTDIR)))
    }
  }
}
