/// Generated documents with items of a realistic structure and length.
enum FeedSample {
  case articles
  case peerTube
  case rss
  case m3u

  func document(of count: Int) -> [UInt8] {
    let items = (0..<count).map(item).joined(separator: separator)
    return Array((start + items + end).utf8)
  }

  private var separator: String {
    switch self {
    case .articles, .peerTube: ","
    case .rss, .m3u: "\n"
    }
  }

  private var start: String {
    switch self {
    case .articles: #"{"data":{"info_list":["#
    case .peerTube: #"{"total":100000,"data":["#
    case .rss:
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
      <channel><title>Films</title>
      """
    case .m3u: "#EXTM3U\n"
    }
  }

  private var end: String {
    switch self {
    case .articles: #"],"end":0}}"#
    case .peerTube: "]}"
    case .rss: "</channel></rss>"
    case .m3u: "\n"
    }
  }

  private func item(_ number: Int) -> String {
    let title = "\(number) A film with a title of usual length"
    let words = "What happens in it, told in the few sentences that a feed has for that. It ends well, mostly. "
    let summary = String(repeating: words, count: 4)
    return switch self {
    case .articles:
      """
      {"cover":"https://films.example/covers/\(number)/large.jpg","title":"\(title)",
       "flv":"https://films.example/videos/\(number)/film.flv?token=abcdef0123456789","duration":"\(number % 60):\(10 + number % 50)",
       "width":1280,"height":\(number % 2 == 0 ? 720 : 960),"channel":"Channel \(number % 40)","end":0}
      """
    case .peerTube:
      """
      {"id":\(number),"uuid":"9c9de5e8-0a1e-484a-b099-\(100_000_000_000 + number)","shortUUID":"k\(number)","name":"\(title)",
       "category":{"id":15,"label":"Science & Technology"},"licence":{"id":1,"label":"Attribution"},"nsfw":false,
       "truncatedDescription":"\(words)","duration":\(60 + number % 4000),"aspectRatio":1.7778,"views":\(number),"isLive":false,
       "thumbnailPath":"/lazy-static/thumbnails/\(number).jpg","previewPath":"/lazy-static/previews/\(number).jpg",
       "url":"https://films.example/videos/watch/9c9de5e8-0a1e-484a-b099-\(100_000_000_000 + number)",
       "publishedAt":"2024-05-01T10:00:00.000Z","originallyPublishedAt":null,
       "account":{"name":"maker","displayName":"The maker","host":"films.example"},
       "channel":{"name":"films","displayName":"Films","host":"films.example"}}
      """
    case .rss:
      """
      <item><guid isPermaLink="false">film-\(number)</guid><title>\(title) &amp; more</title>
      <link>https://films.example/\(number)</link><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate>
      <description>&lt;p&gt;\(summary)&lt;/p&gt;</description><itunes:duration>1:02:03</itunes:duration>
      <media:thumbnail url="https://films.example/covers/\(number).jpg" width="480" height="360"/>
      <enclosure url="https://films.example/\(number).mp4" length="1000000" type="video/mp4"/></item>
      """
    case .m3u:
      """
      #EXTINF:-1 tvg-id="\(number)" tvg-logo="https://films.example/\(number).png" group-title="Films",\(title)
      https://films.example/live/\(number)/index.m3u8
      """
    }
  }
}
