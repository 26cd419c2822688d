import FeedfallFeeds
import FeedfallText
import FoundationEssentials
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// Replays recorded answers of real servers, which lie beside the package.
@Suite(.hangLimit, .serialized, .needsRecordings)
struct RecordedServicesTests {
  @Test func `a recorded account of two pages is read to its second page`() async throws {
    try await withServer { request in
      let start = request.query["start"] ?? ""
      return Recording("framatube.org_api_v1_accounts_framasoft_videos_start=\(start)&count=12").behaviour()
    } _: { server in
      let source = try open(server.origin + "/accounts/framasoft/videos?", pageSize: 12)
      let listed = try open(server.origin + "/api/v1/accounts/framasoft/videos", pageSize: 12)
      let first = try await listed.page(.start).get()
      #expect(first.videos.count == 12)
      #expect(first.next == .offset(12))
      let second = try await listed.page(.offset(12)).get()
      #expect(Set(first.videos.map(\.id)).isDisjoint(with: second.videos.map(\.id)))
      #expect(source.name.contains("framasoft"))
    }
  }

  @Test func `a recorded search of two pages is read to its end`() async throws {
    let pages = try await withServer { request in
      let start = request.query["start"] ?? ""
      let recording = Recording("framatube.org_api_v1_search_videos_search=fsf&start=\(start)&count=12")
      return recording.isThere ? recording.behaviour() : .answer(TestAnswer(peerTubeList(0..<0, total: 24)))
    } _: { server in
      try await allPages(of: open(server.origin + "/api/v1/search/videos?search=fsf", pageSize: 12), limit: 3)
    }
    #expect(pages.count >= 2)
    #expect(pages[0].videos.count == 12)
    #expect(!pages[1].videos.isEmpty)
  }

  /// One of the 62 pages was recorded. The others are copies with other ids, sent with the recorded headers.
  @Test func `a recorded search of media.ccc.de is read to its last page`() async throws {
    let recording = Recording("media.ccc.de_public_events_search_q=linux")
    try await withServer { request in
      let page = Int(request.query["page"] ?? "1") ?? 0
      let host = request.headers["host"] ?? ""
      let link = recording.header("link").replacing("https://media.ccc.de", with: "http://" + host)
        .replacing("page=2&", with: "page=\(page + 1)&")
      let body = String(decoding: recording.body, as: UTF8.self).replacing(#""guid":""#, with: #""guid":"\#(page)-"#)
      let isLast = page == 62
      return .answer(TestAnswer(Array(body.utf8), headers: isLast ? [:] : ["Link": link]))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/public/events/search?q=linux"), limit: 100)
      #expect(pages.count == 62)
      #expect(Set(pages.flatMap(\.videos).map(\.id)).count == 62 * 25)
      #expect(pages.allSatisfy { $0.skippedCount == 0 })
    }
  }

  @Test(arguments: [
    ("api.media.ccc.de_public_events_recent", 100), ("api.media.ccc.de_public_conferences_oscal19", 21),
    ("streaming.media.ccc.de_streams_v2.json", 0),
    ("api.media.ccc.de_public_events_gpn18-105-tmux-warum-ein-schwarzes-fenster-am-bildschirm-reicht", 1),
  ])
  func `a recorded answer of media.ccc.de is one page`(name: String, count: Int) async throws {
    try await withServer { _ in
      Recording(name).behaviour()
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/public"))
      #expect(pages.map(\.videos.count) == [count])
      #expect(pages[0].videos.allSatisfy { !$0.covers.isEmpty && $0.duration != nil && $0.channel != nil })
    }
  }

  @Test func `recorded details of media.ccc.de complete a talk`() async throws {
    let name = "gpn18-105-tmux-warum-ein-schwarzes-fenster-am-bildschirm-reicht"
    try await withServer { _ in
      Recording("api.media.ccc.de_public_events_\(name)").behaviour()
    } _: { server in
      var talk = Video(id: "8afc16c2-d76a-53f6-85e4-90494665835d", title: "tmux", playback: .unknown)
      talk.playback = .details(try #require(WebAddress(server.origin + "/public/events/" + name)), page: nil)
      let completed = try await open(server.origin).details(talk).get()
      #expect(completed.playbackURL?.web?.path.hasSuffix("_hd.mp4") == true)
      #expect(completed.pictureSize == PixelSize(width: 1_920, height: 1_080))
      #expect(completed.flags == [])
    }
  }

  @Test func `YouTube's recorded feed is one page, and its recorded failure is reported`() async throws {
    try await withServer { request in
      request.query["user"] == nil
        ? Recording("www.youtube.com_feeds_videos.xml_channel_id=UCTGjY2I-ZUGnwVoWAGRd7XQ", "html").behaviour()
        : Recording("www.youtube.com_feeds_videos.xml_user=Kurzgesagt", "xml").behaviour()
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feeds/videos.xml?user=Kurzgesagt"))
      #expect(pages.map(\.videos.count) == [15])
      #expect(pages[0].videos.allSatisfy { !$0.covers.isEmpty && $0.views != nil && $0.pageURL != nil })
      let failure = try await open(server.origin + "/feeds/videos.xml?channel_id=x").page(.start).failure
      #expect(failure?.reason.contains("404") == true)
    }
  }

  @Test func `a recorded search of the Internet Archive returns only its videos`() async throws {
    try await withServer { _ in
      Recording("advanced_search_response", folder: "jjjake+internetarchive/tests/data").behaviour()
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/advancedsearch.php?q=collection:nasa&rows=50"))
      #expect(pages.map(\.videos.count) == [14])
      #expect(pages[0].total == nil && pages[0].skippedCount == 0)
      #expect(pages[0].videos.allSatisfy { $0.detailsURL != nil && $0.title != $0.id })
    }
  }

  @Test func `recorded metadata of a collection lead to its search`() async throws {
    try await withServer { request in
      request.path == "/metadata/nasa"
        ? Recording("nasa", folder: "jjjake+internetarchive/tests/data/metadata").behaviour()
        : Recording("advanced_search_response", folder: "jjjake+internetarchive/tests/data").behaviour()
    } _: { server in
      let page = try await open(server.origin + "/metadata/nasa").page(.start).get()
      #expect(page.title == "NASA Images" && page.videos.count == 14)
      #expect(server.requests.last?.target.contains("q=collection:nasa") == true)
    }
  }

  @Test func `a recorded file of Commons is one video`() async throws {
    try await withServer { _ in
      Recording("videoinfo-Big_Buck_Bunny_4K", folder: "wikimedia-commons (transcribed)").behaviour()
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/w/api.php?titles=File:Big_Buck_Bunny_4K.webm"))
      #expect(pages.flatMap(\.videos).map(\.title) == ["Big Buck Bunny 4K"])
      #expect(pages[0].videos[0].playbackURL?.web?.path.hasSuffix("1080p.vp9.webm") == true)
    }
  }
}

/// An answer of a real server.
private struct Recording {
  private let path: String
  private let ending: String

  init(_ name: String, _ ending: String = "json", folder: String = "TeamNewPipe+NewPipeExtractor") {
    path = corpusFolder + "/" + folder + "/" + name
    self.ending = ending
  }

  private struct Meta: Decodable {
    var status: Int
    var headers: [String: [String]]
  }

  private var meta: Meta? {
    FileManager.default.contents(atPath: path + ".meta.json").flatMap { try? JSONDecoder().decode(Meta.self, from: $0) }
  }

  var isThere: Bool { FileManager.default.fileExists(atPath: "\(path).\(ending)") }
  var body: [UInt8] { FileManager.default.contents(atPath: "\(path).\(ending)").map(Array.init) ?? [] }

  func header(_ name: String) -> String { meta?.headers[name]?.joined(separator: ", ") ?? "" }

  /// The answer with the recorded status and headers.
  func behaviour() -> TestBehaviour {
    guard isThere else { return .answer(TestAnswer("", status: 404)) }
    let hidden = ["content-length", "content-encoding", "transfer-encoding", "connection"]
    let headers = (meta?.headers ?? [:]).filter { !hidden.contains($0.key) }.mapValues { $0.joined(separator: ", ") }
    return .answer(TestAnswer(body, status: meta?.status ?? 200, headers: headers))
  }
}
