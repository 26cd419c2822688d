import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct MediaEndTests {
  /// Whether a file that is no MP4 counts as cut, where a script stands in for ffprobe.
  private func isCut(stated: Int?, byteCount: Int? = nil, _ script: String) async throws -> Bool {
    try await withFolder { folder in
      let path = folder + "/film.mkv"
      try "film".write(toFile: path, atomically: true, encoding: .utf8)
      var tools = DownloadTools(userAgent: "test")
      tools.ffprobePath = try writeScript(script, to: folder + "/ffprobe")
      return await tools.isCut(path, stated: stated, statedByteCount: byteCount)
    }
  }

  @Test(arguments: [
    (stated: 120, measured: "120.0", isCut: false), (120, "115.1", false), (120, "112", true), (120, "2.5", true),
    (120, "N/A", false), (nil, "2.5", false), (10, "7.5", false), (10, "6.5", true), (120, "600", false),
  ])
  func `a file that is shorter than its feed states is cut`(stated: Int?, measured: String, isCut: Bool) async throws {
    #expect(try await self.isCut(stated: stated, "echo \(measured)") == isCut)
  }

  @Test(arguments: [
    (stated: nil, byteCount: 5, measured: "2.5", isCut: true), (nil, 4, "2.5", false), (nil, 3, "2.5", false),
    (120, 5, "N/A", true), (120, 5, "120", false), (120, 4, "60", true),
  ])
  func `the size that the feed states counts if a duration is unknown`(
    stated: Int?, byteCount: Int, measured: String, isCut: Bool
  ) async throws {
    #expect(try await self.isCut(stated: stated, byteCount: byteCount, "echo \(measured)") == isCut)
  }

  @Test func `a file that ffprobe cannot read is cut`() async throws {
    #expect(try await isCut(stated: nil, "exit 1"))
  }
}
