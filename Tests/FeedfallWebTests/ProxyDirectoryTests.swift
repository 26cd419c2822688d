import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct ProxyDirectoryTests {
  private func addresses(_ page: Int) throws -> [WebAddress] {
    try (0..<1_000).map { try #require(WebAddress("https://films.example/\(page)/\($0)")) }
  }

  @Test func `the addresses of the last pages keep the proxy of their source, however many there are`() throws {
    let own = Proxies { $0 == "https_proxy" ? "http://127.0.0.1:9" : nil }
    let directory = ProxyDirectory(Proxies { _ in nil })
    let count = 2 * ProxyDirectory.generationSize / 1_000 + 5
    for page in 0..<count {
      let addresses = try addresses(page)
      directory.assign(own, to: addresses)
      let recent = try self.addresses(max(0, page - 50))
      #expect(recent.allSatisfy { directory.rules(for: $0) == own }, "page \(page)")
    }
    let (first, other) = (try addresses(0)[0], try addresses(count)[0])
    #expect(directory.rules(for: first) == directory.common && directory.rules(for: other) == directory.common)
  }
}
