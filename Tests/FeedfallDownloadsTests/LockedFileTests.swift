import Foundation
import TestSupport
import Testing

@testable import FeedfallDownloads

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
}
