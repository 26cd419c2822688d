import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct MediaCCCTests {
  private static let origin = "https://api.talks.example/public"

  @Test func `a talk without recordings is opened by its page`() throws {
    let page = "https://talks.example/v/a"
    let body = #"{"guid":"a","title":"A","frontend_link":"\#(page)","recordings":[]}"#
    let document = try decode(body, from: Self.origin + "/events/a")
    #expect(document.videos.map(\.playback) == [.page(try #require(WebAddress(page)))])
  }

  private let conferences = #"""
    {"conferences":[
    {"acronym":"old","slug":"congress/2001","url":"/public/conferences/old","event_last_released_at":"2002-01-01T00:00:00Z"},
    {"acronym":"none","slug":"congress/2030","url":"/public/conferences/none","event_last_released_at":null},
    {"acronym":"new","slug":"congress/2023","url":"/public/conferences/new","event_last_released_at":"2024-01-01T00:00:00Z"},
    {"acronym":"other","slug":"congressional","url":"/public/conferences/other","event_last_released_at":"2023-01-01T00:00:00Z"}
    ]}
    """#

  @Test(arguments: [
    ("", ["new", "other", "old"]), ("#congress", ["new", "old"]), ("#congress/2001", ["old"]),
  ])
  func `a folder has its conferences with talks, newest first`(folder: String, names: [String]) throws {
    let document = try decode(conferences, from: Self.origin + "/conferences" + folder)
    #expect(document.videos.isEmpty && document.kind == .mediaCCC)
    #expect(document.parts.map(\.text) == names.map { "\(Self.origin)/conferences/\($0)" })
  }

  @Test func `a folder without conferences is a failure`() throws {
    #expect(throws: FeedFailure.self) { try decode(conferences, from: Self.origin + "/conferences#nowhere") }
  }
}
