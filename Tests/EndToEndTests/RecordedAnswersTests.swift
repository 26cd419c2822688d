import Foundation
import TestServer
import TestSupport
import Testing

/// Answers of real servers, with their status and headers, replayed by a proxy. The program requests the original
/// addresses and pages to the end.
@Suite(.hangLimit, .serialized, .enabled(if: Recordings.areThere, "the recordings are not beside the package"))
struct RecordedAnswersTests {
  @Test(arguments: [
    ("http://framatube.org/api/v1/accounts/framasoft/videos", 24),
    ("http://framatube.org/api/v1/search/videos?search=fsf", 24),
    ("http://framatube.org/videos/trending", 24),
  ])
  func `a recorded PeerTube list is read to its last page`(address: String, count: Int) async throws {
    let (rows, sent) = try await list(address, "--page-size", "12")
    #expect(rows.count == count)
    #expect(Set(rows.compactMap { $0["id"] as? String }).count == count)
    #expect(rows.allSatisfy { ($0["title"] as? String)?.isEmpty == false && $0["pageURL"] is String })
    #expect(sent.map { $0.query["start"] } == ["0", "12", "24"], "\(sent.map(\.target))")
  }

  @Test(arguments: [
    ("http://media.ccc.de/public/events/search?q=linux", 25, 2),
    ("http://api.media.ccc.de/public/events/recent", 100, 1),
    ("http://api.media.ccc.de/public/conferences/oscal19", 21, 1),
  ])
  func `a recorded list of media.ccc.de is read to its end`(address: String, count: Int, requests: Int) async throws {
    let (rows, sent) = try await list(address)
    #expect(Set(rows.compactMap { $0["id"] as? String }).count == count)
    #expect(rows.allSatisfy { ($0["title"] as? String)?.isEmpty == false })
    #expect(sent.count == requests)
  }

  @Test func `the recorded feed of a YouTube channel is read`() async throws {
    let (rows, sent) = try await list("http://www.youtube.com/feeds/videos.xml?user=Kurzgesagt")
    #expect(rows.count == 15)
    #expect(rows.allSatisfy { ($0["pageURL"] as? String)?.hasPrefix("https://www.youtube.com/") == true })
    #expect(rows.allSatisfy { $0["coverURL"] is String && $0["published"] is String })
    #expect(sent.count == 1)
  }

  @Test func `the page sent for a missing YouTube feed is not parsed as a feed`() async throws {
    let proxy = try Recordings.proxy()
    defer { proxy.stop() }
    let outcome = try await Feedfall.run(
      "list", "http://www.youtube.com/feeds/videos.xml?channel_id=UCTGjY2I-ZUGnwVoWAGRd7XQ",
      environment: ["http_proxy": proxy.origin])
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("404"), "\(outcome.errors)")
  }

  private func list(
    _ address: String, _ options: String...
  ) async throws -> (rows: [[String: Any]], sent: [TestRequest]) {
    let proxy = try Recordings.proxy()
    defer { proxy.stop() }
    let outcome = try await run(
      Feedfall.path, ["list", "--json", "--pages", "50"] + options + [address],
      environment: ["http_proxy": proxy.origin, "no_proxy": ""])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let rows = try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    return (rows, proxy.requests)
  }
}

/// The recorded answers by address.
private enum Recordings {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("../shared/feeds/corpus/TeamNewPipe+NewPipeExtractor").standardized

  static let areThere = FileManager.default.fileExists(atPath: folder.path)

  /// A proxy that replays the recorded answer to an address. After the last recorded page of a list comes an empty one.
  static func proxy() throws -> TestServer {
    let answers = try answers()
    return try TestServer { request in
      let key = Address(request.target)
      if let answer = answers[key] { return .answer(answer) }
      let isListed = answers.keys.contains { $0.host == key.host && $0.path == key.path }
      let nothing = key.host.hasSuffix("ccc.de") ? #"{"events": []}"# : #"{"total": 100000, "data": []}"#
      return .answer(isListed ? TestAnswer(nothing) : TestAnswer("no", status: 404))
    }
  }

  private static func answers() throws -> [Address: TestAnswer] {
    var answers: [Address: TestAnswer] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".meta.json") {
      let meta = try JSONDecoder().decode(Meta.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
      let stem = name.dropLast(".meta.json".count)
      let bodies = [".json", ".xml", ".html"].map { folder.appendingPathComponent(stem + $0) }
      guard let file = bodies.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else { continue }
      answers[Address(meta.request.url)] = TestAnswer(
        [UInt8](try Data(contentsOf: file)), status: meta.status, headers: meta.replayable)
    }
    return answers
  }

  /// An address without its scheme. The order of its query's parts is ignored.
  private struct Address: Hashable {
    let host: String
    let path: String
    let query: Set<String>

    init(_ text: String) {
      let rest = text.split(separator: "://", maxSplits: 1).last ?? ""
      let parts = rest.split(separator: "?", maxSplits: 1)
      let place = parts.first?.split(separator: "/", maxSplits: 1).map(String.init) ?? []
      host = place.first ?? ""
      path = place.count > 1 ? place[1] : ""
      query = Set((parts.count > 1 ? parts[1] : "").split(separator: "&").map(String.init))
    }
  }

  private struct Meta: Decodable {
    struct Request: Decodable { var url: String }
    var request: Request
    var status: Int
    var headers: [String: [String]]

    /// The headers without those of the transfer. Addresses lead to the proxy again.
    var replayable: [String: String] {
      let transferHeaders = ["content-length", "content-encoding", "transfer-encoding", "connection"]
      return headers.filter { !transferHeaders.contains($0.key) }.reduce(into: [:]) { result, header in
        let value = header.value.joined(separator: ", ").replacing("https://", with: "http://")
        let name = header.key == "content-type" ? "Content-Type" : header.key
        result[name] = value
      }
    }
  }
}
