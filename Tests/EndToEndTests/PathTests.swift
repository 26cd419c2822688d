import Foundation
import TestSupport
import Testing

/// Paths that are not UTF-8.
@Suite(.hangLimit) struct PathTests {
  private func shell(_ script: String, _ folder: String) async throws -> Outcome {
    try await run("/bin/sh", ["-c", script, Feedfall.path, folder], environment: ["XDG_CACHE_HOME": folder + "/cache"])
  }

  @Test func `a file whose name is not UTF-8 is opened`() async throws {
    try await withFolder { folder in
      let feed = "[{\"id\": \"1\", \"title\": \"Film\", \"url\": \"https://v.example/1.mp4\"}]"
      let outcome = try await shell(
        "file=$1/$(printf 'caf\\351.json'); echo '\(feed)' > \"$file\"; \"$0\" list \"$file\"", folder)
      #expect(outcome.status == 0 && outcome.output.contains("Film"), "\(outcome)")
    }
  }

  @Test func `a home folder that is not UTF-8 is reported, and no other folder is written to`() async throws {
    try await withFolder { folder in
      let outcome = try await shell(
        """
        unset XDG_STATE_HOME XDG_CONFIG_HOME
        HOME=$1/$(printf 'Andr\\351'); export HOME; mkdir "$HOME"; "$0" watched http://127.0.0.1:1/a
        """, folder)
      #expect(outcome.status != 0)
      #expect(outcome.errors.contains("neither HOME nor XDG_STATE_HOME"), "\(outcome)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "cache" }
      #expect(names.count == 1)
    }
  }
}
