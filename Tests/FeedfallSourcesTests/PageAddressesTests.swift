import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct PageAddressesTests {
  private func addresses(
    _ text: String, size: Int? = nil, first: Int? = nil, _ pages: Int...
  ) -> [String]? {
    guard let form = PageAddresses(typed: text, pageSize: size, firstPage: first) else { return nil }
    return pages.map { form.address(of: form.first + $0)?.text ?? "none" }
  }

  @Test func `a plain address is requested unchanged first, then with a page number`() {
    #expect(
      addresses("http://a.example/f?x=1", 0, 1) == [
        "http://a.example/f?x=1", "http://a.example/f?x=1&page=1",
      ])
  }

  @Test func `a JSON address has page and size from the start`() {
    #expect(
      addresses("http://a.example/videos.JSON?x=1", 0, 1) == [
        "http://a.example/videos.JSON?x=1&page=0&size=20", "http://a.example/videos.JSON?x=1&page=1&size=20",
      ])
    let plain = PageAddresses(typed: "http://a.example/videos.json")?.withoutAssumption
    #expect(plain?.address(of: 0)?.text == "http://a.example/videos.json")
    #expect(plain?.address(of: 1)?.text == "http://a.example/videos.json?page=1")
    #expect(PageAddresses(typed: "http://a.example/videos.json?page=1")?.withoutAssumption == nil)
  }

  @Test func `an address with a page number starts there, with a page size of 20`() {
    #expect(
      addresses("http://a.example/f?page=3&x=1", 0, 1)
        == ["http://a.example/f?page=3&x=1&size=20", "http://a.example/f?page=4&x=1&size=20"])
  }

  @Test func `an address keeps its own page size`() {
    #expect(addresses("http://a.example/f?page=3&size=7", 1) == ["http://a.example/f?page=4&size=7"])
  }

  @Test func `a template is filled in`() {
    #expect(
      addresses("http://a.example/{page}/f?n={size}", 0, 2) == [
        "http://a.example/0/f?n=20", "http://a.example/2/f?n=20",
      ])
    #expect(addresses("http://a.example/{page}/{size}", size: 5, first: 1, 0) == ["http://a.example/1/5"])
  }

  @Test func `a page size selects pagination by number`() {
    #expect(addresses("http://a.example/f", size: 50, 0) == ["http://a.example/f?page=0&size=50"])
  }

  @Test func `a first page selects pagination by number`() {
    #expect(
      addresses("http://a.example/f", first: 1, 0, 1) == [
        "http://a.example/f?page=1&size=20", "http://a.example/f?page=2&size=20",
      ])
  }

  @Test func `a page that is not a number is ignored`() {
    #expect(addresses("http://a.example/f?page=home", 0) == ["http://a.example/f?page=home"])
  }

  @Test func `numbers out of range are clamped`() throws {
    let pages = try #require(PageAddresses(typed: "http://a.example/f?page=9223372036854775807"))
    #expect(pages.first == PageAddresses.maximumPage)
    #expect(pages.page(after: pages.first) == nil)
  }

  @Test func `invalid addresses are refused`() {
    #expect(addresses("ftp://a.example/", 0) == nil)
    #expect(addresses("", 0) == nil)
  }
}
