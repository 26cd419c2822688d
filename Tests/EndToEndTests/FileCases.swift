import FeedfallFeeds
import FeedfallText
import Foundation
import TestSupport
import Testing

/// Helpers of the cases about files on this machine and the paths that name them.
enum FileCases {
  private struct Row: Decodable {
    var id: String
    var media: [String]
  }

  /// Runs `list` for a playlist, or for one on standard input, in a folder with some files.
  ///
  /// - Returns: the listed videos, with paths relative to the folder as their IDs and media.
  private static func listed(
    _ lines: [String], files: [String], in subfolder: String = "", input: Bool = false
  ) async throws -> [Row] {
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
      func relative(_ address: String) -> String {
        let path = address.removingPercentEncoding ?? address
        return path.hasPrefix("file://\(root)/") ? String(path.dropFirst("file://\(root)/".count)) : path
      }
      return try end.output.split(separator: "\n").map { line -> Row in
        let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
        return Row(id: relative(row.id), media: row.media.map(relative))
      }
    }
  }

  static func expect(
    _ lines: String..., with files: [String], in subfolder: String = "", input: Bool = false, are paths: [String]
  ) async throws {
    let rows = try await listed(lines, files: files, in: subfolder, input: input)
    #expect(rows.map(\.media) == paths.map { [$0] }, "\(rows)")
  }

  @Sendable static func sameIDs() async throws {
    let rows = try await listed(["my%20film.mp4", "sub\\other.mp4"], files: ["my film.mp4", "sub/other.mp4"])
    #expect(rows.map(\.id) == ["my film.mp4", "sub/other.mp4"])
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

  /// Lists a file with these bytes; the end of the first line is that of the file's address.
  static func expectCard(_ name: String, _ bytes: [UInt8]) async throws {
    try await withFolder { folder in
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      let end = try await Feedfall.run("list", "\(folder)/\(name)")
      #expect(end.status == 0 && end.output.contains("/\(name)\n"), "\(end)")
    }
  }

  static func expectRefusal(_ name: String, _ bytes: [UInt8]) async throws {
    try await withFolder { folder in
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      let end = try await Feedfall.run("list", "\(folder)/\(name)")
      #expect(end.status == 1 && end.errors.split(separator: "\n").count == 1, "\(end)")
    }
  }

  /// Frames of AAC as a web radio sends them.
  static let radio: [UInt8] = {
    let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x40, 0x1D, 0x5F] + [UInt8](repeating: 0x21, count: 228)
    return [[UInt8]](repeating: frame, count: 8).flatMap(\.self)
  }()

  /// Packets of a camera, with a time before each.
  static let camera: [UInt8] = {
    let packet: [UInt8] = [0, 0, 3, 7, 0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
    return [[UInt8]](repeating: packet, count: 500).flatMap(\.self)
  }()

  @Sendable static func folderOfCode() async throws {
    try await withFolder { folder in
      let code = Data("export const x = 1;\n".utf8)
      for (name, data) in [
        ("small.ts", code), ("big.ts", Data((0..<9_000).flatMap { _ in code })), ("tape.mts", Data(camera)),
      ] { try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
      let end = try await Feedfall.run("list", folder)
      #expect(end.output.split(separator: "\n").count == 1 && end.output.contains("/tape.mts\n"), "\(end)")
    }
  }

  /// The size that the output of ffprobe for a stream means.
  private static func size(_ members: String) throws -> [Int] {
    let output = #"{"format": {}, "streams": [{"codec_type": "video", \#(members)}]}"#
    let video = Video(id: "1", title: "1", playback: .unknown)
    let size = try FileFacts(Array(output.utf8)).completing(video).pictureSize
    return size.map { [$0.width, $0.height] } ?? []
  }

  @Sendable static func squarePixels() throws {
    let (dvd, turned) = (#""width": 720, "height": 576, "sample_aspect_ratio": "#, #""side_data_list": [{"rotation": "#)
    for (members, expected) in [
      (#""64:45""#, [1024, 576]), (#""64:45", \#(turned)-90}]"#, [576, 1024]),
      (#""64:45", \#(turned)180}]"#, [1024, 576]),
      (#""64:45", \#(turned)30}]"#, [1024, 576]), (#""0:1""#, [720, 576]), (#""1000:1""#, [720, 576]),
    ] { #expect(try size(dvd + members) == expected, "\(members)") }
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
