import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct SourceNamesTests {
  @Test(arguments: [
    (["https://a.example/feed", "https://b.example/feed"], ["a.example", "b.example"]),
    (["https://a.example/x/rss.xml", "https://a.example/y/rss.xml"], ["x", "y"]),
    (["/home/ann/clips", "/mnt/disk/clips"], ["ann", "disk"]), (["~/one.xml", "~/two.xml"], ["one.xml", "two.xml"]),
    (["https://a.example/", "https://a.example/"], ["1", "2"]), (["", "https://a.example/"], ["1", "2"]),
    (["a/b", "../b"], ["a", ".."]),
  ])
  func `equal names get the part of the address that differs`(addresses: [String], texts: [String]) {
    let sources = addresses.map { (name: "News", address: $0) }
    #expect(Library.SourceNames.distinctions(of: sources + [("Other", "https://a.example/")]) == texts + [nil])
  }

  @Test func `a notice about the sources is shown at the start`() {
    var settings = AppSettings(sources: [SourceSettings(name: "a", isLocal: false)])
    settings.notice = "Opened only the first 500 of 503 feeds."
    var scenario = Scenario(settings, width: 120)
    #expect(scenario.screen.contains("Opened only the first 500 of 503 feeds."))
    scenario.answer(0, sampleVideos(3), title: "News")
    #expect(scenario.screen.contains("Opened only the first 500 of 503 feeds."))
  }

  @Test func `tabs of sources with the same title have different names`() {
    var settings = ["https://a.example/feed", "https://b.example/feed"].map { address in
      var source = SourceSettings(name: address, isLocal: true)
      source.address = address
      return source
    }
    settings.append(SourceSettings(name: "other", isLocal: true))
    var scenario = Scenario(AppSettings(sources: settings), width: 120)
    scenario.answer(0, sampleVideos(3), title: "News")
    #expect(scenario.screen.contains("2 News  3 "))
    scenario.answer(1, sampleVideos(3, from: 5), title: "News")
    #expect(scenario.screen.contains("2 News (a.example)  3 News (b.example)  4 other"))
  }
}
