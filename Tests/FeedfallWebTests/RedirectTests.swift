import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct RedirectTests {
  private func next(_ from: String, _ to: String, hop: Int = 1) -> String? {
    guard let address = WebAddress(from) else { return nil }
    return try? Redirect.next(from: address, to: to, hop: hop).text
  }

  @Test func `http may become https`() {
    #expect(next("http://a.example/", "https://b.example/x") == "https://b.example/x")
  }

  @Test func `https never becomes http`() {
    #expect(next("https://a.example/", "http://a.example/") == nil)
    #expect(next("https://a.example/", "HTTP://a.example/") == nil)
  }

  @Test func `the eleventh redirect is not followed`() {
    #expect(next("http://a.example/", "http://b.example/", hop: 10) != nil)
    #expect(next("http://a.example/", "http://b.example/", hop: 11) == nil)
  }

  @Test func `only five statuses redirect`() {
    #expect((300...399).filter(Redirect.isAnnounced) == [301, 302, 303, 307, 308])
  }
}
