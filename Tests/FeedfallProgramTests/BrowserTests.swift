import FeedfallText
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct BrowserTests {
  @Test func `the browser's arguments contain no secret`() throws {
    let address = try #require(WebAddress("https://me:secret@films.example/1?token=secret&v=1"))
    #expect(Browser.arguments(for: address) == ["https://films.example/1?v=1"])
  }
}
