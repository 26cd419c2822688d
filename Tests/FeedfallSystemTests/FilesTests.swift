import Foundation
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct FilesTests {
  private func read(_ path: String, limit: Int = 100) -> Result<[UInt8], FileError> {
    Result { () throws(FileError) in try Files.read(path.utf8, limit: limit) }
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a file is read up to its limit`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      try Data(repeating: 7, count: 100).write(to: URL(filePath: path))
      #expect(read(path) == .success([UInt8](repeating: 7, count: 100)))
      #expect(read(path, limit: 99) == .failure(.tooLarge))
      #expect(read(folder + "/other") == .failure(.system(SystemError(ENOENT))))
    }
  }

  @Test func `a missing file differs from one that cannot be read`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      #expect(Files.stored(path.utf8, limit: 9) == .none)
      try Data("1234567890".utf8).write(to: URL(filePath: path))
      #expect(Files.stored(path.utf8, limit: 10).map(\.count) == .value(10))
      #expect(Files.stored(path.utf8, limit: 9) == .unreadable(SystemError(EFBIG)))
      #expect(Files.stored((path + "/x").utf8, limit: 9) == .unreadable(SystemError(ENOTDIR)))
      #expect(Files.stored(folder.utf8, limit: 9) == .unreadable(.notAFile))
    }
  }

  @Test func `setting a damaged file aside replaces no earlier copy`() async throws {
    try await withFolder { folder in
      let path = folder + "/list"
      for (text, target) in [("a", ".damaged"), ("b", ".damaged-2"), ("c", ".damaged-3")] {
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try Files.setAside(path) == path + target)
        #expect(!Files.exists(path))
      }
      for (text, target) in [("a", ".damaged"), ("b", ".damaged-2"), ("c", ".damaged-3")] {
        #expect(try String(contentsOfFile: path + target, encoding: .utf8) == text)
      }
      #expect(throws: SystemError(ENOENT)) { try Files.setAside(path) }
    }
  }

  @Test func `a folder, a pipe and a device are not regular files, and are not waited for`() async throws {
    try await withFolder { folder in
      mkfifo(folder + "/pipe", 0o600)
      for path in [folder, folder + "/pipe", "/dev/zero"] { #expect(read(path) == .failure(.notRegular)) }
    }
  }

  @Test func `an endless stream is read up to its limit`() throws {
    let descriptor = open("/dev/zero", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(throws: FileError.tooLarge) { try Files.read(descriptor: descriptor, limit: 1 << 20) }
  }

  @Test func `a replaced file keeps its permissions`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      try Files.replace(path, with: [1], mode: 0o640)
      #expect(try permissions(path) == 0o640)
      // The umask usually clears some of these for a new file.
      chmod(path, 0o666)
      try Files.replace(path, with: [1, 2], mode: 0o644)
      #expect(read(path) == .success([1, 2]))
      #expect(try permissions(path) == 0o666)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  @Test func `a file replaces a link, and the link's target stays`() async throws {
    try await withFolder { folder in
      let (path, link) = (folder + "/file", folder + "/link")
      try Files.replace(path, with: [1], mode: 0o640)
      for target in ["file", "missing", "/dev/null"] {
        symlink(target, link)
        try Files.replace(link, with: [2], mode: 0o600)
        #expect(!Files.isLink(link) && read(link) == .success([2]) && read(path) == .success([1]))
        #expect(try permissions(link) == 0o600 && !Files.exists(folder + "/missing"))
        unlink(link)
      }
    }
  }

  /// The obstacles that others can put in the place of a file, and the error that names each.
  private static let obstacles: [(SystemError, @Sendable (_ path: String, _ other: String) -> Bool)] = [
    (.isLink, { symlink($1, $0) == 0 }), (.isLink, { path, _ in symlink("/missing", path) == 0 }),
    (.isLink, { path, _ in symlink("/dev/zero", path) == 0 }), (.notAFile, { path, _ in mkfifo(path, 0o666) == 0 }),
    (.notAFile, { path, _ in mknod(path, S_IFCHR | 0o666, 0x105) == 0 }), (.hasOtherName, { link($1, $0) == 0 }),
    (
      .ofAnotherUser,
      { path, _ in
        close(open(path, O_CREAT | O_WRONLY, 0o666))
        return chown(path, 1, 1) == 0
      }
    ),
  ]

  @Test(arguments: obstacles.indices)
  func `no link, pipe or foreign file in place of a file is followed, changed or waited for`(index: Int) async throws {
    let (error, makeObstacle) = Self.obstacles[index]
    try await withFolder { folder in
      let (path, other) = (folder + "/a.part", folder + "/other")
      try Data("mine".utf8).write(to: URL(filePath: other))
      guard makeObstacle(path, other) else { return print("an obstacle is not tested: only root may make it") }
      #expect(throws: error) { try Files.openOwn(path, O_RDWR | O_CREAT, isAlone: true) }
      for flags in [O_RDONLY, O_RDWR | O_APPEND | O_CREAT] where error != .hasOtherName {
        #expect(throws: error) { try Files.openOwn(path, flags) }
        #expect(rename(path, path + ".lock") == 0)
        #expect(throws: error) { try Files.lock(path, attempts: 1) }
        #expect(rename(path + ".lock", path) == 0)
      }
      #expect(read(other) == .success(Array("mine".utf8)) && error.isOfPlace && !error.message.isEmpty)
    }
  }

  @Test func `on a file system with one owner all files are the user's`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      try Data().write(to: URL(filePath: path))
      guard chown(folder, 1, 1) == 0, chown(path, 1, 1) == 0 else {
        return print("another owner is not tested: only root may change one")
      }
      close(try Files.openOwn(path, O_RDWR))
    }
  }

  @Test func `forced permissions replace those of an existing file`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      try Files.replace(path, with: [1], mode: 0o644)
      try Files.replace(path, with: [2], mode: 0o600, forcesMode: true)
      #expect(try permissions(path) == 0o600)
    }
  }

  @Test func `a replacement that fails at its end leaves no temporary file`() async throws {
    try await withFolder { folder in
      mkdir(folder + "/inner", 0o700)
      #expect(throws: SystemError.self) { try Files.replace(folder + "/inner", with: [1], mode: 0o600) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == ["inner"])
    }
  }

  @Test func `a failed replacement leaves the old file and nothing else`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      try Files.replace(path, with: [1], mode: 0o600)
      let obstacle = "\(path).\(getpid()).new"
      mkdir(obstacle, 0o700)
      #expect(throws: SystemError.self) { try Files.replace(path, with: [2], mode: 0o600) }
      #expect(read(path) == .success([1]))
      rmdir(obstacle)
      try Files.replace(path, with: [2], mode: 0o600)
      #expect(read(path) == .success([2]))
    }
  }

  @Test func `the temporary file of a crashed program is no obstacle`() async throws {
    try await withFolder { folder in
      let path = folder + "/file"
      try Data([9]).write(to: URL(filePath: "\(path).\(getpid()).new"))
      try Files.replace(path, with: [1], mode: 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  @Test func `a full device is reported`() {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(throws: SystemError(ENOSPC)) { try Files.write([1], to: descriptor) }
  }

  @Test func `missing folders are created, and a file in their place is reported`() async throws {
    try await withFolder { folder in
      try Files.makeFolder(folder + "/a/b/c", mode: 0o700)
      try Files.makeFolder(folder + "/a/b/c", mode: 0o700)
      #expect(try permissions(folder + "/a/b") == 0o700)
      try Files.replace(folder + "/a/file", with: [], mode: 0o600)
      #expect(throws: SystemError(ENOTDIR)) { try Files.makeFolder(folder + "/a/file", mode: 0o700) }
    }
  }

  @Test func `the first folder that cannot be created is the reason`() async throws {
    try await withFolder { folder in
      // No folder can be made there, by no user.
      #expect(throws: SystemError.self) { try Files.makeFolder("/proc/self/none/a/b", mode: 0o700) }
      guard mount("none", folder, "tmpfs", 0, "size=64k") == 0 else {
        return print("a read-only file system is not tested: this user may not mount any")
      }
      defer { umount2(folder, Int32(MNT_DETACH)) }
      #expect(mount("none", folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
      #expect(throws: SystemError(EROFS)) { try Files.makeFolder(folder + "/a/b/c", mode: 0o700) }
    }
  }
}
