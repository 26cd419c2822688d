import Glibc
import Synchronization
import TestServer

/// Feeds that grow, and fail at random: 500, 429, cut answers, silence, and empty lists. Their videos can be played.
final class SoakServer: Sendable {
  static let sourceCount = 3
  /// The playlist of all videos that the second program marks.
  static let secondPlaylist = "second.m3u"
  static let secondVideoCount = 40

  private struct State {
    var random: Heights
    /// The number of the newest video of each source.
    var newest = Array(repeating: 40, count: SoakServer.sourceCount)
    var isHealthy = false
  }

  private let state: Mutex<State>
  private let clip: [UInt8]

  private static let pageCount = 20
  private static let maximumNewest = 120

  init(seed: Int, clip: [UInt8]) {
    state = Mutex(State(random: Heights(seed: UInt64(seed) + 1)))
    self.clip = clip
  }

  /// Ends all faults.
  func heal() { state.withLock { $0.isHealthy = true } }

  func publish(source: Int) {
    state.withLock { $0.newest[source] = min($0.newest[source] + 1, Self.maximumNewest) }
  }

  /// The title of a video, which is in no other title.
  static func token(_ source: Int, _ number: Int) -> String { "x\(source)n\(1_000 + number)x" }

  /// The path of a video that only the second program marks.
  static func secondVideo(_ number: Int) -> String { "/second/\(1_000 + number).mp4" }

  static func tokens(in text: [UInt8]) -> [String] {
    let length = token(0, 0).utf8.count
    return text.indices.dropLast(length - 1).compactMap { start in
      let word = text[start..<start + length]
      let isToken = zip(word, "x#n####x".utf8).allSatisfy { byte, form in
        form == UInt8(ascii: "#") ? (0x30...0x39).contains(byte) : byte == form
      }
      return isToken ? String(decoding: word, as: UTF8.self) : nil
    }
  }

  func answer(_ request: TestRequest) -> TestBehaviour {
    if request.path == "/" + Self.secondPlaylist {
      let lines = (0..<Self.secondVideoCount).map { "#EXTINF:-1,\($0)\n\(Self.secondVideo($0))\n" }
      return .answer(TestAnswer("#EXTM3U\n" + lines.joined()))
    }
    let (chance, newest, isHealthy) = state.withLock { ($0.random.next(below: 100), $0.newest, $0.isHealthy) }
    guard request.path.hasSuffix(".xml"), let source = request.path.dropFirst().first?.wholeNumberValue,
      newest.indices.contains(source)
    else {
      guard request.path.hasSuffix(".mp4") else { return .answer(TestAnswer("no", status: 404)) }
      let media = TestAnswer.media(clip, type: "video/mp4", for: request)
      return !isHealthy && chance < 10 ? .cut(media, after: media.body.count / 2) : .answer(media)
    }
    let page = max(1, request.query["p"].flatMap { Int($0) } ?? 1)
    let feed = feed(source, page: page, newest: newest[source])
    guard !isHealthy else { return .answer(feed) }
    switch chance {
    case 0..<10: return .answer(TestAnswer("no", status: 500))
    case 10..<18: return .answer(TestAnswer("no", status: 429, headers: ["Retry-After": "1"]))
    case 18..<28: return .cut(feed, after: feed.body.count / 2)
    case 28..<33: return .silence
    case 33..<38: return .answer(TestAnswer("<rss><channel><title>Empty</title></channel></rss>"))
    default: return .answer(feed)
    }
  }

  private func feed(_ source: Int, page: Int, newest: Int) -> TestAnswer {
    let numbers = (1...newest).reversed().dropFirst(Self.pageCount * (page - 1))
    let items = numbers.prefix(Self.pageCount).map { number in
      let day = "2026-\(10 + number / 28 % 3)-\(10 + number % 18)T0\(source):00:00Z"
      return """
        <item><guid isPermaLink='false'>\(source)-\(number)</guid><title>\(Self.token(source, number))</title>
        <dc:date xmlns:dc='http://purl.org/dc/elements/1.1/'>\(day)</dc:date>
        <enclosure url='/\(source)/\(number).mp4' type='video/mp4' length='\(clip.count)'/></item>
        """
    }
    let next =
      numbers.count > Self.pageCount ? ["Link": "</\(source).xml?p=\(page + 1)>; rel=\"next\""] : [String: String]()
    return TestAnswer("<rss><channel><title>S\(source)</title>\(items.joined())</channel></rss>", headers: next)
  }
}
