import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite("Playlists", .hangLimit)
struct PlaylistTests {
  @Test func `A list of stations is read`() throws {
    let document = try decode(
      """
      #EXTM3U
      #PLAYLIST:Stations
      #EXTINF:-1 tvg-id="a" tvg-logo="http://l.example/a.png" group-title="News, talk",Station A (1080p)
      #EXTVLCOPT:http-user-agent=x
      http://s.example/a.m3u8
      #EXTINF:61.5,Film

      film.mp4
      #EXTINF:5,Not on the web
      rtsp://s.example/x
      https://s.example/plain.mp4
      """)
    #expect(document.kind == .playlist)
    #expect(document.title == "Stations")
    #expect(document.videos.map(\.title) == ["Station A (1080p)", "Film", "plain.mp4"])
    #expect(document.videos.first?.covers.map(\.url.text) == ["http://l.example/a.png"])
    #expect(document.videos.first?.group == "News, talk")
    #expect(document.videos.map(\.duration) == [nil, .seconds(61), nil])
    #expect(addresses(document.videos[1]) == ["https://feed.example/film.mp4"])
  }

  @Test func `The pieces of a stream are one video`() throws {
    let document = try decode("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.ts\n#EXTINF:10,\nb.ts\n")
    #expect(document.videos.map { addresses($0) } == [["https://feed.example/list?page=1"]])
  }

  @Test func `A shared playlist is read`() throws {
    let document = try decode(
      """
      <?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>List</title><trackList>
      <track><location>http://a.example/1.ogv</location><title>One</title><duration>61000</duration>
      <image>http://a.example/1.jpg</image><creator>Ann</creator><info>http://a.example/1</info></track>
      <track><location>file:///etc/passwd</location></track>
      <track><location>http://a.example/two%20words.mp4</location></track></trackList></playlist>
      """)
    #expect(document.kind == .playlist)
    #expect(document.title == "List")
    #expect(document.videos.map(\.title) == ["One", "two words.mp4"])
    #expect(document.videos.first?.duration == .seconds(61))
    #expect(document.videos.first?.author == "Ann")
    #expect(document.videos.first?.pageURL?.text == "http://a.example/1")
  }

  @Test func `a track whose identifier is nothing that is seen is known by its address`() throws {
    let track = "<track><identifier>&#8203;</identifier><location>https://a.example/1.mp4</location></track>"
    let document = try decode("<playlist><trackList>\(track)</trackList></playlist>")
    #expect(document.videos.map(\.id) == ["https://a.example/1.mp4"])
  }
}
