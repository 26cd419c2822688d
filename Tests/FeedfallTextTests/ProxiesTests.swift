import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct ProxiesTests {
  private func proxy(_ address: String, _ variables: [String: String]) throws -> String? {
    Proxies { variables[$0] }.proxy(for: try #require(WebAddress(address)))?.text
  }

  @Test(
    arguments: [
      ("http://a.example/", ["http_proxy": "p:1"], "http://p:1"),
      ("https://a.example/", ["http_proxy": "p:1"], nil), ("http://a.example/", ["HTTP_PROXY": "p:1"], nil),
      ("https://a.example/", ["HTTPS_PROXY": "http://p:1/"], "http://p:1"),
      ("https://a.example/", ["https_proxy": "p:1", "HTTPS_PROXY": "q:1", "all_proxy": "r:1"], "http://p:1"),
      ("http://a.example/", ["all_proxy": "socks5h://ann:pw@p"], "socks5h://ann:pw@p:1080"),
      ("http://a.example/", ["ALL_PROXY": "https://p"], "https://p:443"),
      ("http://a.example/", ["http_proxy": ""], "http://invalid.invalid:1"),
      ("http://a.example/", ["http_proxy": "ftp://p"], "http://invalid.invalid:1"),
    ] as [(String, [String: String], String?)])
  func `the environment names the proxy`(address: String, variables: [String: String], text: String?) throws {
    #expect(try proxy(address, variables) == text)
  }

  @Test(arguments: [
    ("http://a.example/", "a.example", true), ("http://b.a.example/", "a.example", true),
    ("http://b.a.example/", ".a.example", true), ("http://b.a.example/", "x, *.A.EXAMPLE", true),
    ("http://ba.example/", "a.example", false), ("http://a.example./", "a.example", true),
    ("http://a.example:81/", "a.example:81", true), ("http://a.example/", "a.example:81", false),
    ("http://a.example/", "*", true), ("http://10.1.2.3/", "10.0.0.0/8", true),
    ("http://11.1.2.3/", "10.0.0.0/8", false),
    ("http://10.1.2.3/", "10.1.2.3", true), ("http://10.1.2.3/", "10.1.2.3/33", false),
    ("http://[fd00::1]/", "fd00::/8", true), ("http://[fe80::1]/", "fd00::/8", false),
    ("http://[fd00::1]:81/", "[fd00::1]:81", true), ("http://[fd00::1]/", "fd00:0:0::1", true),
    ("http://[::ffff:10.1.2.3]/", "10.0.0.0/8", true), ("http://a.example/", "", false),
    ("http://a.example/", ",,/", false), ("http://bücher.example/", "bücher.example", true),
    ("http://xn--bcher-kva.example/", "*.Bücher.example", true), ("http://bücher.example/", "bucher.example", false),
  ])
  func `no_proxy names exceptions`(address: String, exceptions: String, isDirect: Bool) throws {
    #expect(try (proxy(address, ["all_proxy": "p:1", "no_proxy": exceptions]) == nil) == isDirect)
    #expect(try (proxy(address, ["all_proxy": "p:1", "NO_PROXY": exceptions]) == nil) == isDirect)
  }

  @Test(arguments: [
    "http://localhost:80/", "http://127.0.0.1/", "http://127.9.9.9:1/", "http://[::1]:8080/", "http://0.0.0.0/",
    "http://films.localhost/", "https://localhost./", "http://[::ffff:127.0.0.1]/",
  ])
  func `this machine is never requested by a proxy`(address: String) throws {
    #expect(try #require(WebAddress(address)).isThisMachine)
    #expect(try proxy(address, ["all_proxy": "p:1", "http_proxy": "p:1", "https_proxy": "p:1"]) == nil)
  }

  @Test(arguments: [
    "http://localhost.example/", "http://a.example/127.0.0.1", "http://128.0.0.1/", "http://127.evil.example/",
    "http://[::2]/",
  ])
  func `every other machine is requested by the proxy`(address: String) throws {
    #expect(try proxy(address, ["http_proxy": "p:1"]) == "http://p:1")
  }

  @Test(arguments: ["", "ftp://p", "http://", "http://p/x", "http://p?x", "p q", "http://p:99999", "socks5://"])
  func `an invalid proxy is refused`(text: String) { #expect(ProxyAddress(text, setting: "proxy") == nil) }

  @Test func `a setting replaces the environment, but not its exceptions`() throws {
    let given = Proxies { ["http_proxy": "p:1", "no_proxy": "b.example"][$0] }
    let (one, other) = (try #require(WebAddress("https://a.example/")), try #require(WebAddress("http://b.example/")))
    let replaced = given.replacing(ProxyAddress("http://ann:pw@q:2", setting: "proxy"))
    #expect(replaced.proxy(for: one)?.text == "http://ann:pw@q:2" && replaced.proxy(for: other) == nil)
    #expect(replaced.proxy(for: one)?.description == "q:2")
    #expect(replaced.option(for: one) == "http://ann:pw@q:2" && replaced.option(for: other) == "none")
    #expect(replaced.variables(for: other)["no_proxy"] == "localhost,127.0.0.1,::1,b.example,b.example")
    #expect(replaced.variablesForFFmpeg(for: one)["http_proxy"] == "http://ann:pw@q:2")
    #expect(replaced.variablesForFFmpeg(for: other)["http_proxy"] == "")
    let direct = given.replacing(nil)
    #expect(direct.option(for: one) == "none" && direct.variables(for: one)["http_proxy"] == "")
    #expect(Proxies().option(for: one) == nil && Proxies().variables(for: one).isEmpty)
  }

  @Test(arguments: 0..<300)
  func `any environment decides`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "a.example", "10.0.0.0", "/", "8", ":", "1", "[", "]", "::", "*", ",", " ", ".", "http://", "@", "%", "é",
    ]
    let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "NO_PROXY"]
    var variables: [String: String] = [:]
    for name in names {
      let count = Int.random(in: 0...9, using: &random)
      variables[name] = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    let proxies = Proxies { variables[$0] }
    for text in ["http://a.example/", "https://10.1.2.3:81/", "http://[fd00::1]/"] {
      let address = try #require(WebAddress(text))
      #expect(proxies.option(for: address) ?? "none" == proxies.proxy(for: address)?.text ?? "none")
    }
    #expect(proxies.proxy(for: try #require(WebAddress("http://127.0.0.1/"))) == nil)
  }
}
