/// Generated documents with items of a realistic structure and length.
enum FeedSample: String, CaseIterable {
  case articles
  case peerTube
  case jsonFeed
  case rss
  case atom
  case m3u
  case xspf

  func document(of count: Int) -> [UInt8] {
    let items = (0..<count).map(item).joined(separator: separator)
    return Array((start + items + end).utf8)
  }

  private var separator: String {
    switch self {
    case .articles, .peerTube, .jsonFeed: ","
    case .rss, .atom, .m3u, .xspf: "\n"
    }
  }

  private var start: String {
    switch self {
    case .articles: #"{"data":{"info_list":["#
    case .peerTube: #"{"total":100000,"data":["#
    case .jsonFeed: #"{"version":"https://jsonfeed.org/version/1.1","title":"Films","items":["#
    case .rss:
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
      <channel><title>Films</title>
      """
    case .atom:
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>Films</title>
      """
    case .m3u: "#EXTM3U\n"
    case .xspf: #"<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>"#
    }
  }

  private var end: String {
    switch self {
    case .articles: #"],"end":0}}"#
    case .peerTube, .jsonFeed: "]}"
    case .rss: "</channel></rss>"
    case .atom: "</feed>"
    case .m3u: "\n"
    case .xspf: "</trackList></playlist>"
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
    case .jsonFeed:
      """
      {"id":"\(number)","url":"https://films.example/\(number)","title":"\(title)","summary":"\(summary)",
       "image":"https://films.example/covers/\(number).jpg","date_published":"2024-05-01T10:00:00Z",
       "attachments":[{"url":"https://films.example/\(number).mp4","mime_type":"video/mp4","duration_in_seconds":\(60 + number)}]}
      """
    case .rss:
      """
      <item><guid isPermaLink="false">film-\(number)</guid><title>\(title) &amp; more</title>
      <link>https://films.example/\(number)</link><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate>
      <description>&lt;p&gt;\(summary)&lt;/p&gt;</description><itunes:duration>1:02:03</itunes:duration>
      <media:thumbnail url="https://films.example/covers/\(number).jpg" width="480" height="360"/>
      <enclosure url="https://films.example/\(number).mp4" length="1000000" type="video/mp4"/></item>
      """
    case .atom:
      """
      <entry><id>tag:films.example,2024:\(number)</id><title>\(title)</title>
      <link rel="alternate" href="https://films.example/\(number)"/><published>2024-05-01T10:00:00+00:00</published>
      <author><name>The maker</name></author><media:group><media:title>\(title)</media:title>
      <media:thumbnail url="https://films.example/covers/\(number).jpg" width="480" height="360"/>
      <media:description>\(summary)</media:description></media:group></entry>
      """
    case .m3u:
      """
      #EXTINF:-1 tvg-id="\(number)" tvg-logo="https://films.example/\(number).png" group-title="Films",\(title)
      https://films.example/live/\(number)/index.m3u8
      """
    case .xspf:
      """
      <track><location>https://films.example/\(number).mp4</location><title>\(title)</title><creator>The maker</creator>
      <duration>\(60_000 + number)</duration><image>https://films.example/covers/\(number).jpg</image></track>
      """
    }
  }
}
