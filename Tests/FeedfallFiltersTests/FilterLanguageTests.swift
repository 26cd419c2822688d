import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct FilterLanguageTests {
  @Test func `states that have a name are those of their rows`() {
    let words: [(VideoStates, String?)] = [
      (.new, "new"), (.begun, "begun"), (.download, nil), (.live, "live"), (.short, "short"),
      (.played, "played"),
    ]
    for (state, word) in words { #expect(VideoStates.all.first { $0.state == state }?.row.word == word) }
    #expect(VideoStates.all.count == Set(VideoStates.all.map(\.state)).count && VideoStates.all.count <= 32)
  }

  @Test(arguments: FilterLanguage.examples.map(\.text))
  func `each example is a valid filter`(text: String) throws { #expect(try FilterQuery(text).text == text) }

  @Test(arguments: [
    ("len", "", ["length:"]), ("anna so", "anna ", ["sort:", "source:"]), ("-(wat", "-(", ["watched"]),
    ("a -unw", "a ", ["unwatched"]), ("since:", "", ["since:2w"]), ("x sort:ol", "x ", ["sort:oldest"]),
    ("sort:lo", "", ["sort:longest"]),
  ])
  func `a word that may become a keyword is unfinished`(text: String, rest: String, completions: [String]) throws {
    let word = try #require(FilterLanguage.UnfinishedKeyword(endOf: text))
    #expect(word.rest == rest && word.completions == completions)
  }

  @Test(arguments: [
    "", "anna", "watched", "sort:longest", "len ", "\"len", "title:x", "sort:x", "lenx", "since:2", "-",
  ])
  func `other texts end with no unfinished keyword`(text: String) {
    #expect(FilterLanguage.UnfinishedKeyword(endOf: text) == nil)
  }

  @Test(arguments: [
    ("unwatched sort:longest", "unwatched sort:title"), ("sort:\"longest\" a", "sort:title a"),
    ("a | sort:longest b", "a | sort:title b"), ("anna", nil),
  ])
  func `an order in a text is replaced`(text: String, replaced: String?) throws {
    #expect(try FilterQuery(text).ordered(by: .title)?.text == replaced)
  }
}
