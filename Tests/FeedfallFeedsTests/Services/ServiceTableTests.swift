import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallFeeds

/// All rows of the table of services together; `Tests/Documents` has their documents and the expected videos.
@Suite(.hangLimit) struct ServiceTableTests {
  private static let folder = packageRoot + "/Tests/Documents/"
  private static let folders = [
    "archive", "catalogue", "dailymotion", "invidious", "jsonfeed", "media-ccc", "mediawiki", "peertube", "piped",
    "podcasts", "yt-dlp",
  ]

  /// Values of wrong types, huge, deep and long ones, and texts that would control a terminal.
  private static let hostileValues = [
    "null", "-1", "1e400", "99999999999999999999", "true", "[]", "{}", #""""#, #""\u001b[31m\u202e\n""#,
    #""javascript:alert(1)""#, #""file:///etc/passwd""#, #""https://h.example/%00?\u0000""#,
    String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
    "\"" + String(repeating: "é", count: 9_000) + "\"",
  ]

  @Test(arguments: folders)
  func `hostile values in the place of any others leave clean videos`(service: String) throws {
    var random = SeededGenerator(seed: 36)
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder + service).sorted()
    let documents = names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".expected.json") }
    #expect(!documents.isEmpty)
    var videoCount = 0
    for name in documents.prefix(12) {
      let bytes = try Data(contentsOf: URL(filePath: Self.folder + service + "/" + name))
      guard let root = try? JSONSerialization.jsonObject(with: bytes) else { continue }
      for hostile in Self.hostileValues {
        let changed = try JSONSerialization.data(withJSONObject: Self.changed(root, &random))
        let text = String(decoding: changed, as: UTF8.self).replacing("\"@@\"", with: hostile)
        for video in (try? decode(text, from: "https://h.example/api/v1/list").videos) ?? [] {
          videoCount += 1
          Self.check(video)
        }
      }
    }
    #expect(videoCount > 0)
  }

  /// Replaces a tenth of the values by a mark, and removes some.
  private static func changed(_ value: Any, _ random: inout SeededGenerator) -> Any {
    switch value {
    case let object as [String: Any]:
      return object.sorted { $0.key < $1.key }.reduce(into: [String: Any]()) { result, member in
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: result[member.key] = "@@"
        case 2: break
        default: result[member.key] = changed(member.value, &random)
        }
      }
    case let list as [Any]: return list.map { changed($0, &random) }
    default: return value
    }
  }

  private static func check(_ video: Video) {
    #expect(!video.id.isEmpty && video.id == cleanedLine(video.id, limit: 20_000))
    let lines = [video.title, video.author, video.channel, video.licence, video.group, video.language].compactMap(
      \.self)
    for line in lines { #expect(!line.isEmpty && line == cleanedLine(line, limit: 2_000)) }
    let addresses = [video.pageURL, video.channelURL, video.licenceURL, video.detailsURL, video.chaptersURL]
    for address in addresses.compactMap(\.self) + video.covers.compactMap(\.url.web) {
      #expect(WebAddress(address.text) == address)
    }
    #expect(video.covers.allSatisfy { $0.url.file == nil } && video.playbackURL?.file == nil)
    #expect(video.duration?.seconds ?? 1 > 0 && video.views ?? 0 >= 0 && video.byteCount ?? 0 >= 0)
    #expect(video.aspect.isFinite && video.aspect > 0)
  }

  @Test func `no two rows have a list of the same name`() {
    let names = Service.all.filter { $0.parent == nil }.compactMap(\.list)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: [
    ("https://www.dailymotion.com/ann", "/user/ann/videos?fields="),
    ("https://www.dailymotion.com/user/ann/videos", "/user/ann/videos?fields="),
    ("https://dailymotion.com/playlist/x5abc", "/playlist/x5abc/videos?fields="),
    ("https://www.dailymotion.com/search/rain%20%26%20town/videos", "/videos?search=rain%20%26%20town&fields="),
    ("https://api.dailymotion.com/videos?search=a", "/videos?search=a&fields="),
    ("https://api.dailymotion.com/user/ann/videos?fields=id&sort=recent", "/user/ann/videos?fields=id&sort=recent"),
    ("https://www.dailymotion.com/video/x8aaaaa", nil), ("https://www.dailymotion.com/", nil),
    ("https://geo.dailymotion.com/player.html", nil),
  ])
  func `a page of Dailymotion maps to its list`(page: String, start: String?) throws {
    let address = try #require(WebAddress(page))
    let request = KnownSite.request(for: address, count: 500)
    #expect(
      request.map { start != nil && $0.text.hasPrefix("https://api.dailymotion.com" + (start ?? "")) } ?? (start == nil)
    )
    #expect(request?.queryValue("limit") == (start == nil ? nil : "100"))
    // Its API may refuse some lists that its pages show.
    #expect(KnownSite.mayNeedYtDlp(address) == (start != nil))
  }
}
