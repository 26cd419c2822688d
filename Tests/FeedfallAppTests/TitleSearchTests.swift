import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct TitleSearchTests {
  @Test(arguments: [
    ("sin", "Sintel", "Sin"), ("SIN", "a sintel", "sin"), ("ö", "SCHÖN", "Ö"), ("l", "Käpt'n Olé", "l"),
    ("e", "Cafe\u{301} e", "e"), ("视频", "中文视频 学习", "视频"), ("el 2", "Sintel 2", "el 2"), ("[", "a [b]", "["),
  ])
  func `search ignores case`(needle: String, title: String, found: String) throws {
    let match = try #require(TitleSearch(needle)?.match(in: title))
    #expect(title[match] == found)
  }

  @Test func `search finds the first match`() throws {
    let text = "abcabc"
    let match = try #require(TitleSearch("bc")?.match(in: text))
    #expect(text.distance(from: text.startIndex, to: match.lowerBound) == 1)
  }

  @Test(arguments: [("é", "Cafe"), ("sintels", "Sintel"), ("{", "["), ("@", "`"), ("a", "")])
  func `a title without the needle does not match`(needle: String, title: String) throws {
    let search = try #require(TitleSearch(needle))
    #expect(search.match(in: title) == nil)
  }

  @Test func `an empty needle is no search`() { #expect(TitleSearch("") == nil) }

  @Test func `a search without a match says so`() {
    let searched = Scenario.showing().typing("/zebra<Enter>")
    #expect(searched.status.contains("No match for “zebra”"))
    #expect(searched.state.cards.selection == 0)
    #expect(searched.typing("n").status.contains("No match for “zebra”"))
  }

  @Test func `the prompt counts the matches while the text is typed`() {
    let typed = Scenario.showing().typing("jj/sprin")
    #expect(typed.status.contains("  Search: sprin▏  1 of 2  "))
    #expect(typed.typing("<Enter>n/spring").status.contains("  Search: spring▏  2 of 2  "))
    #expect(typed.typing("x").status.contains("  Search: sprinx▏  No match  "))
    #expect(Scenario.showing().typing("/").status.contains("  Search: ▏        "))
  }

  @Test(arguments: ["spring", "s", "sprin<BS><BS>in"])
  func `typing letter by letter finds the same matches as pasting`(keys: String) {
    let typed = Scenario.showing(sampleVideos(30)).typing("jj/").typing(keys)
    var pasted = Scenario.showing(sampleVideos(30)).typing("jj/")
    pasted.handle(.input(.paste(typed.state.cards.needle)))
    #expect(typed.status == pasted.status)
    #expect(typed.state.cards.selection == pasted.state.cards.selection)
  }

  @Test func `videos that arrive while the text is typed are counted`() {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing("m/spring")
    #expect(scenario.status.contains("1 of 2"))
    scenario.answer(FeedPage(videos: sampleVideos(7, from: 20)))
    #expect(scenario.status.contains("1 of 3"))
  }

  @Test func `all matches in a title are marked`() {
    var video = sampleVideo(0)
    video.title = "spring in Spring"
    let roles = Scenario.showing([video]).typing("/spring").state.draw().roles
    #expect(roles.split(separator: "\n").contains { $0.contains("mmmmmm") && $0.split(separator: "mmmmmm").count > 2 })
  }

  @Test func `n without a search says how to search`() {
    #expect(Scenario.showing().typing("n").screen.contains("Press / to search titles"))
  }

  @Test func `n wraps around and Esc ends the search`() {
    let found = Scenario.showing().typing("/spring<Enter>nn")
    #expect(found.state.cards.selection == 6)
    #expect(found.typing("<Esc>n").state.cards.selection == 6)
  }

  @Test func `Esc after the first card of the search has gone keeps the selected one`() {
    var scenario = Scenario.showing(sampleVideos(9), layout: .list).typing("rjjj/spring")
    #expect(scenario.state.cards.selection == 6)
    scenario.answer(FeedPage(videos: sampleVideos(9).filter { $0.id != "film-3" }))
    #expect(scenario.state.selectedVideo?.id == "film-6")
    #expect(scenario.typing("<Esc>").state.selectedVideo?.id == "film-6")
  }

  @Test func `deleting the last letter closes the prompt`() {
    let typed = Scenario.showing().typing("/sp<BS>")
    #expect(typed.state.cards.prompt?.needle == "s")
    #expect(typed.typing("<BS><BS>").state.cards.prompt == nil)
    #expect(typed.typing("<C-u>").state.cards.prompt?.needle == "")
  }
}

@Suite(.hangLimit) struct TextFormatTests {
  @Test(arguments: [
    (Duration.milliseconds(100), "0.1 s"), (.milliseconds(1501), "1.6 s"), (.milliseconds(1950), "2 s"),
    (.seconds(7), "7 s"), (.milliseconds(10_500), "11 s"), (.seconds(119), "119 s"), (.seconds(120), "2 min"),
    (.seconds(121), "3 min"), (.seconds(7200), "2 h"), (.seconds(7201), "3 h"),
  ])
  func `a wait is rounded up`(duration: Duration, text: String) { #expect(TextFormat.wait(duration) == text) }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
  func `counts have commas`(count: Int, text: String) { #expect(TextFormat.count(count) == text) }

  @Test(arguments: [(0, "0 B"), (999, "999 B"), (1400, "1.4 kB"), (700_000, "700 kB"), (1_400_000_000, "1.4 GB")])
  func `sizes have units`(count: Int, text: String) { #expect(count.asByteCount == text) }

  @Test func `a kept search is in the status line with the number of the match`() {
    let kept = Scenario.showing(width: 100).typing("/sprin<Enter>")
    #expect(kept.status.hasPrefix("   7 of 20 · films.example · /sprin 1 of 2  "))
    #expect(kept.typing("n").status.contains("/sprin 2 of 2"))
    #expect(kept.typing("j").status.contains("/sprin 2 matches"))
    #expect(!kept.typing("<Esc>").status.contains("/sprin"))
  }
}
