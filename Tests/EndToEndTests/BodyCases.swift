import FeedfallText
import FeedfallWeb
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallMedia

/// Bodies in the codings of HTTP, and downloads from servers that name their files in unusual ways.
enum BodyCases {
  static let feed: [UInt8] = {
    let items = (1...3).map { number in
      "<item><title>Film \(number)</title><guid>\(number)</guid>"
        + #"<enclosure url="https://a.example/\#(number).mp4" type="video/mp4"/></item>"#
    }
    let start = #"<?xml version="1.0"?><rss version="2.0"><channel><title>Films</title>"#
    return Array((start + items.joined() + "</channel></rss>").utf8)
  }()

  static let mp4: [UInt8] = {
    let head: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8)
    return head + (0..<300_000).map { (index: Int) -> UInt8 in UInt8(truncatingIfNeeded: index * index >> 5) }
  }()

  private static func withHome<Value>(_ body: (DownloadHome) async throws -> Value) async throws -> Value {
    try await withFolder { try await body(DownloadHome(folder: $0)) }
  }

  /// The lines that `list` prints for an answer, and its messages.
  static func list(
    _ body: [UInt8], coding: String?, type: String = "application/rss+xml"
  ) async throws -> (lines: [String], errors: String) {
    try await withHome { home in
      var answer = TestAnswer(body, headers: ["Content-Type": type])
      answer.headers["Content-Encoding"] = coding
      return try await list(from: { [answer] _ in .answer(answer) }, home)
    }
  }

  static func list(
    from answering: @escaping TestServer.Answering, _ home: DownloadHome, times: Int = 1
  ) async throws -> (lines: [String], errors: String) {
    try await withServer(answering) { server in
      var end = Outcome(status: 0, output: "", errors: "")
      for _ in 0..<times { end = try await home.run("list", server.origin + "/feed") }
      return (end.output.split(separator: "\n").map(String.init), end.errors)
    }
  }

  @Sendable static func cutPlaylist() async throws {
    let entries = (1...200).map { "#EXTINF:\($0),Film \($0)\nhttps://films.example/\($0 &* 7_919).mp4\n" }.joined()
    let packed = Array(PackedBytes.gzip(Array("#EXTM3U\n\(entries)".utf8)).dropLast(200))
    try await withHome { home in
      let (lines, errors) = try await list(
        from: { request in
          guard request.headers["if-none-match"] == nil else { return .answer(TestAnswer("", status: 304)) }
          let headers = ["Content-Type": "audio/x-mpegurl", "Content-Encoding": "gzip", "ETag": "\"1\""]
          return .answer(TestAnswer(packed, headers: headers))
        }, home, times: 2)
      #expect((1..<200).contains(lines.count) && errors.contains("The feed is incomplete"), "\(lines.count): \(errors)")
    }
  }

  static func expectFilms(
    _ body: [UInt8], coding: String?, type: String = "application/rss+xml",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (lines, errors) = try await list(body, coding: coding, type: type)
    #expect(
      lines.count == 3 && lines[0].contains("Film 1"), "\(coding ?? "none"): \(errors)", sourceLocation: sourceLocation)
  }

  /// Fetches a picture as the loader of covers does.
  static func picture(_ body: [UInt8], coding: String?) async throws -> [UInt8] {
    var answer = TestAnswer(body, headers: ["Content-Type": "image/jpeg"])
    answer.headers["Content-Encoding"] = coding
    return try await withServer { [answer] _ in
      .answer(answer)
    } _: { server in
      let requests = PictureRequests(cache: AnswerCache(), userAgent: "test/1")
      let address = try #require(WebAddress(server.origin + "/cover.jpg"))
      let bytes = try await requests.bytes(of: .web(address)).bytes
      return try #require(bytes)
    }
  }

  /// The name and the bytes of the file that a download stores.
  static func download(
    path: String = "/film", _ answering: @escaping TestServer.Answering
  ) async throws -> (name: String, bytes: [UInt8]) {
    try await withHome { home in
      try await withServer(answering) { server in
        let end = try await home.run(
          "download", "--download-folder", home.folder + "/videos", server.origin + path)
        let name = try #require(try home.names(in: "videos").first, "\(end)")
        #expect(try home.names(in: "videos").count == 1)
        return (name, try fileBytes(of: "\(home.folder)/videos/\(name)"))
      }
    }
  }

  static func expectExtension(
    _ expected: String, path: String = "/film", headers: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let headers = ["Content-Type": "application/octet-stream"].merging(headers) { $1 }
    let (name, bytes) = try await download(path: path) { request in
      let isMoved = request.path == "/film" && headers["Location"] != nil
      return .answer(TestAnswer(isMoved ? [] : mp4, status: isMoved ? 302 : 200, headers: headers))
    }
    #expect(name.hasSuffix(expected), "\(name)", sourceLocation: sourceLocation)
    #expect(bytes == mp4, sourceLocation: sourceLocation)
  }
}
