import FeedfallText
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct ThisMachineTests {
  @Test func `only the machine itself is asked without a proxy`() throws {
    for text in ["http://localhost:80/", "http://127.0.0.1/", "http://127.9.9.9:1/", "http://[::1]:8080/"] {
      #expect(try #require(WebAddress(text)).isThisMachine)
    }
    for text in [
      "http://localhost.example/", "http://a.example/127.0.0.1", "http://128.0.0.1/",
      "http://127.evil.example/",
    ] {
      #expect(try #require(WebAddress(text)).isThisMachine == false)
    }
  }
}
