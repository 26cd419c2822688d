import FeedfallFeeds
import FeedfallSources
import FeedfallSystem
import FeedfallWeb
import TestSupport
import Testing

@testable import FeedfallProgram

/// The arguments of `feedfall search` and `feedfall play`.
@Suite(.hangLimit) struct WrittenSearchTests {
  private func selection(
    _ words: String..., usual: SearchService? = nil
  ) throws -> UserConfiguration.Selection {
    var view = ViewOptions()
    view.search = usual
    var feed = SourceOptions()
    feed.ytDlp = YtDlpDirectory(YtDlp(program: ""))
    return try WrittenSearch(words).selection(view, feed)
  }

  private func fault(_ words: String...) -> String? {
    do {
      _ = try PlayNowCommand.parse(words)
      return nil
    } catch { return PlayNowCommand.message(for: error) }
  }

  @Test func `words are searched on their service, or on the user's`() throws {
    #expect(try selection("ccc", "rain").sources.map(\.argument) == ["https://media.ccc.de/search?q=rain"])
    #expect(try selection("rain", usual: .archive).sources.map(\.name) == ["rain · Internet Archive"])
    #expect(try selection("rain").sources.map(\.name) == ["rain · PeerTube"])
    #expect(try selection("rain").group == nil)
    #expect(try selection("rain").sources.allSatisfy { !$0.isSubscription })
    #expect(try selection("rain").isSearch)
  }

  @Test func `a search everywhere is one group, with conditions for each service`() throws {
    for selection in [try selection("everywhere", "rain", ">20m"), try selection("rain", ">20m", usual: .everywhere)] {
      #expect(selection.sources.count == 6 && selection.sources.allSatisfy { $0.name == nil })
      #expect(selection.sources.allSatisfy { $0.query.text == ">20m" })
      #expect(selection.group?.name == "rain · everywhere" && selection.group?.sourceNames.last == "Podcasts")
    }
  }

  @Test func `play needs an address or words`() {
    #expect(fault() != nil && fault("since:1m")?.contains("There is no word to search for") == true)
    #expect(fault("cats", "len:x>") == nil && fault("cats", "since:x") != nil)
    #expect(fault("https://v.example/1") == nil && fault("youtube", "cats") == nil && fault("/folder") == nil)
  }

  @Test func `an address among words is refused, and not sent to a service`() {
    for words in [["cats", "https://ann:secret@v.example/"], ["/home/ann/a.mp4", "/home/ann/b.mp4"]] {
      let fault = fault(words[0], words[1])
      #expect(fault?.contains("is an address, and only one can be played. Write it alone.") == true)
      #expect(fault?.contains("secret") == false)
    }
  }
}
