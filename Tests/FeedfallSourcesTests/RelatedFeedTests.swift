import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// Lists of the videos related to one.
@Suite(.hangLimit, .serialized) struct RelatedFeedTests {
  @Test func `the related videos of Invidious need one request`() async throws {
    try await withServer { request in
      request.target == "/api/v1/videos/aaaaaaaaaaa"
        ? .answer(
          TestAnswer(
            #"{"title":"T","videoId":"aaaaaaaaaaa","formatStreams":[],"recommendedVideos":["#
              + #"{"videoId":"bbbbbbbbbbb","title":"B","lengthSeconds":1}]}"#))
        : .answer(TestAnswer("", status: 404))
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/api/v1/videos/aaaaaaaaaaa#related=aaaaaaaaaaa"))
      #expect(pages.map { $0.videos.map(\.id) } == [["bbbbbbbbbbb"]])
      #expect(pages.map(\.title) == [nil])
      #expect(server.requests.count == 1)
    }
  }

  private static func talk(_ id: String, _ members: String = "") -> String {
    #"{"guid":"\#(id)","title":"\#(id)","frontend_link":"https://t.example/v/\#(id)"\#(members)}"#
  }

  @Test func `related talks are read one by one, without missing ones`() async throws {
    try await withServer { request in
      switch request.path {
      case "/public/events/a":
        .answer(TestAnswer(Self.talk("a", #","related":[{"event_guid":"b"},{"event_guid":"x"},{"event_guid":"c"}]"#)))
      case "/public/events/b": .answer(TestAnswer(Self.talk("b")))
      case "/public/events/c": .answer(TestAnswer(Self.talk("c")))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/public/events/a#related=a"))
      #expect(pages.flatMap(\.videos).map(\.id) == ["b", "c"])
      #expect(server.requests.map(\.path) == ["a", "b", "x", "c"].map { "/public/events/\($0)" })
    }
  }

  @Test func `a mix is listed without its first video, by an address that yt-dlp knows`() async throws {
    let mix = "https://www.youtube.com/watch?v=aaaaaaaaaaa&list=RDaaaaaaaaaaa"
    let page = try await withFolder { folder in
      let path = try writeScript(
        #"""
        read -r url
        case $url in *'#'*) exit 1;; esac
        printf '{"_type":"playlist","title":"Mix","entries":['
        printf '{"ie_key":"Youtube","id":"aaaaaaaaaaa","url":"https://www.youtube.com/watch?v=aaaaaaaaaaa"},'
        printf '{"ie_key":"Youtube","id":"bbbbbbbbbbb","url":"https://www.youtube.com/watch?v=bbbbbbbbbbb"}]}'
        """#, to: "\(folder)/yt-dlp")
      return try await open(mix + "#related=aaaaaaaaaaa", ytDlp: path).page(.start).get()
    }
    #expect(page.videos.map(\.youTubeID) == ["bbbbbbbbbbb"])
    #expect(page.title == nil)
  }
}
