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

  @Test func `each file whose name is not UTF-8 has checks and marks of its own, which the next run finds`()
    async throws
  {
    try await withFolder { folder in
      let outcome = try await shell(
        """
        HOME=$1/home; XDG_STATE_HOME=$1/state; export HOME XDG_STATE_HOME; cd "$1"
        for name in "$(printf 'a\\351')" "$(printf 'b\\351')"; do
          echo '[{"id": "1", "title": "F", "url": "https://v.example/1.mp4"}]' > "$name.json"
          touch "$name.mp4"; "$0" check "$name.json"; "$0" queue add "$name.mp4"
        done
        "$0" queue
        """, folder)
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
      let parts = outcome.output.split(separator: "\n")
      #expect(
        parts.count == 4 && parts.prefix(2).allSatisfy { $0.hasSuffix("\u{FFFD}.json: first check, 1 video") },
        "\(outcome)")
      for name in ["/a%E9.mp4", "/b%E9.mp4"] { #expect(parts.suffix(2).contains { $0.contains(name) }, "\(outcome)") }
    }
  }

  @Test func `a program is found although a folder of PATH is not UTF-8`() async throws {
    try await withFolder { folder in
      let outcome = try await shell(
        """
        bin=$1/$(printf 'b\\351'); mkdir "$bin"; printf '#!/bin/sh\\necho 1\\n' > "$bin/gate"; chmod +x "$bin/gate"
        HOME=$1; XDG_STATE_HOME=$1/state; XDG_CONFIG_HOME=$1/config; PATH=$bin:$PATH
        export HOME XDG_STATE_HOME XDG_CONFIG_HOME PATH; mkdir -p "$1/config/feedfall"
        printf '[[source]]\\nname = "a"\\naddress = "http://127.0.0.1:1/f"\\npassword-command = "gate"\\n' \\
          > "$1/config/feedfall/config.toml"
        "$0" list a
        """, folder)
      #expect(outcome.errors.contains("127.0.0.1") && !outcome.errors.contains("not installed"), "\(outcome)")
    }
  }

  @Test func `marks are stored in a home folder that is not UTF-8, and in no other one`() async throws {
    try await withFolder { folder in
      let outcome = try await shell(
        """
        unset XDG_STATE_HOME XDG_CONFIG_HOME
        HOME=$1/$(printf 'Andr\\351'); export HOME; mkdir "$HOME"
        "$0" queue add http://127.0.0.1:1/a.mp4 && "$0" queue && ls "$HOME/.local/state/feedfall/device"
        ! "$0" find x 2>&1 | grep sqlite
        """, folder)
      #expect(outcome.status == 0 && outcome.output.contains("127.0.0.1:1/a") && outcome.errors == "", "\(outcome)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "cache" }
      #expect(names.count == 1)
    }
  }
}
