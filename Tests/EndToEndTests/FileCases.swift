import FeedfallFeeds
import FeedfallText
import Foundation
import TestSupport
import Testing

/// Helpers of the cases about files on this machine and the paths that name them.
enum FileCases {
  private struct Row: Decodable { var media: [String] }

  /// Runs `list` for a playlist, or for one on standard input, in a folder with some files, and checks the paths of the
  /// listed media relative to the folder.
  static func expect(
    _ lines: String..., with files: [String], in subfolder: String = "", input: Bool = false, are paths: [String]
  ) async throws {
    try await withFolder { folder in
      let root = folder + subfolder
      for file in files {
        let url = URL(fileURLWithPath: "\(root)/\(file)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("\u{0}film".utf8).write(to: url)
      }
      let text = "#EXTM3U\n" + lines.map { $0.replacing("ROOT", with: root) + "\n" }.joined()
      try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/list.m3u"))
      let command =
        input ? "cat list.m3u | '\(Feedfall.path)' list --json -" : "'\(Feedfall.path)' list --json list.m3u"
      let end = try await run("/bin/sh", ["-c", "cd '\(root)' && \(command)"])
      let media = try end.output.split(separator: "\n").map { line in
        try JSONDecoder().decode(Row.self, from: Data(line.utf8)).media.map { address in
          let path = address.removingPercentEncoding ?? address
          return path.hasPrefix("file://\(root)/") ? String(path.dropFirst("file://\(root)/".count)) : path
        }
      }
      #expect(media == paths.map { [$0] }, "\(end)")
    }
  }

  @Sendable static func queued() async throws {
    try await DownloadHome.use { home in
      try Data("\u{0}".utf8).write(to: URL(fileURLWithPath: home.folder + "/a film.mp3"))
      let end = try await home.run("queue", "add", "file:\(home.folder)/a%20film.mp3")
      #expect(end.status == 0, "\(end)")
      #expect(try await home.ids("queue") == ["file://\(home.folder)/a%20film.mp3"])
    }
  }

  /// No reference of a document from a server, or from nowhere, is a file.
  @Sendable static func serverNamesNoFile() throws {
    let web = try #require(WebAddress("https://a.example/l/list.m3u"))
    for reference in [
      "file:/etc/passwd", "FILE:%2Fetc/passwd", "file:%2F%2F/etc/passwd", "..\\..\\etc\\passwd", "%2Fetc%2Fpasswd",
      "file:\\\\/etc/passwd", "\\etc\\passwd", "file://localhost/etc/passwd",
    ] {
      for (document, spelling) in [(MediaAddress.web(web), MediaAddress.Spelling.path), (.web(web), .address)] {
        #expect(MediaAddress(reference: reference, in: document, spelling)?.file == nil)
        #expect(MediaAddress(reference: reference, in: nil, spelling) == nil)
      }
    }
  }

  /// An output with many streams and absurd numbers is read to its end.
  @Sendable static func absurdProbe() throws {
    let number = "99999999999999999999999999999999"
    let absurd =
      #"{"codec_type": "video", "width": \#(number), "height": -1e999, "disposition": {"attached_pic": \#(number)}"#
      + #", "sample_aspect_ratio": "\#(number):\#(number)", "duration": "-\#(number)", "side_data_list": [{"rotation": 1e400}]}"#
    let streams = [String](repeating: absurd, count: 20_000).joined(separator: ",")
    let output = Array(#"{"format": {"duration": "\#(number)"}, "streams": [\#(streams)]}"#.utf8)
    let film = try FileFacts(output).completing(Video(id: "1", title: "1", playback: .unknown))
    #expect(film.duration == nil && film.pictureSize == nil)
    #expect(try FileFacts(output).picture == .video(stream: 0, nil))
  }
}
