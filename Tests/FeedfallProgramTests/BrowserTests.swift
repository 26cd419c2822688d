import FeedfallText
import TestSupport
import Testing

@testable import feedfall

@Suite(.hangLimit) struct BrowserTests {
  @Test func `the browser's arguments contain no password`() throws {
    let address = try #require(WebAddress("https://me:secret@films.example/1"))
    #expect(Browser.arguments(for: address) == ["https://films.example/1"])
  }
}
