import FeedfallScreen
import FeedfallText
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

/// Covers that are files on this machine.
@Suite(.hangLimit, .serialized) struct PictureRequestsTests {
  private func address(_ path: String) throws -> MediaAddress {
    .file(try #require(FileAddress(path: Array(path.utf8))))
  }

  @Test func `a cover that is a file is read each time, and not stored`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      mkdir(world.folder, 0o700)
      let path = world.folder + "/a b.jpg"
      let loader = world.loader()
      #expect(await loader.cover([try address(path)]).failure?.reason == "there is no a b.jpg")
      try Data(Sample.blueJPEG).write(to: URL(filePath: path))
      #expect(await loader.cover([try address(path)]).average?.isNear(Sample.blue) == true)
      #expect(await loader.averages(of: [try address(path)]).isEmpty)
      #expect(world.server.requests.isEmpty)
    }
  }

  @Test func `a pipe, a folder and a file that is too large are refused`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      mkdir(world.folder, 0o700)
      mkfifo(world.folder + "/pipe", 0o600)
      mkdir(world.folder + "/folder", 0o700)
      let large = world.folder + "/large"
      try Data(Sample.blueJPEG).write(to: URL(filePath: large))
      truncate(large, 1 << 40)
      let reasons = try await ["/pipe", "/folder", "/large"].asyncMap { name in
        try #require(await world.loader().cover([try address(world.folder + name)]).failure?.reason)
      }
      #expect(
        reasons == ["pipe is not a regular file", "folder is not a regular file", "large is larger than 24 MB"])
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
