import FeedfallApp
import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct SourceReaderTests {
  private func read(_ lines: String, address: String = "https://a.example/") throws -> Configuration.Source? {
    let toml = "[[source]]\nname = \"A\"\naddress = \"\(address)\"\n\(lines)\n"
    return try Configuration(toml: Array(toml.utf8)).sources.first
  }

  private func reason(_ lines: String, address: String = "https://a.example/") -> String? {
    do {
      _ = try read(lines, address: address)
      return nil
    } catch {
      return (error as? ConfigurationError)?.faults.first?.reason
    }
  }

  @Test func `a source can have a user and a password command`() throws {
    let source = try read("user = \"anna\"\npassword-command = \"pass show 'my cloud'\"")
    #expect(source?.user == "anna" && source?.passwordCommand == "pass show 'my cloud'")
    for address in ["davs://a.example/b", "greader+https://a.example/api/greader.php"] {
      #expect(try read("password-command = \"pass\"", address: address)?.passwordCommand == "pass")
    }
  }

  @Test func `an unusable login is a fault`() {
    #expect(reason("user = \"anna\"") == "the source has a user but no password")
    #expect(reason("password-command = \"pass 'x\"") == "the password command is not valid")
    #expect(reason("password-command = \"\"") == "the password command is not valid")
    #expect(reason("user = \"a:b\"\npassword-command = \"pass\"") == "the user is not valid")
    for address in ["/videos", "~/videos", "file:///videos", "yt-dlp:https://a.example/"] {
      #expect(reason("password-command = \"pass\"", address: address) == "the source is not on a server")
    }
  }

  @Test func `sources without a name get different ones, and each has its own fault`() {
    let address = "address = \"https://a.example/\"\n"
    let toml = ["", "", "name = \"A\"\n", "", "name = \"A\"\n"].map { "[[source]]\n\(address)\($0)" }.joined()
    let sources = ConfigurationReading(toml: Array(toml.utf8)).configuration.sources
    let name = "https://a.example/"
    #expect(sources.map(\.name) == [name, "\(name) 2", "A", "\(name) 3", "\(name) 4"])
    let (none, other) = ("the source has no name", "another source has the name \"A\"")
    #expect(sources.map { $0.fault?.reason } == [none, none, nil, none, other])
  }

  @Test(arguments: ["@blender", "UCX6OQ3DkcsbYNE6H8uQQuVA", "@ann@films.example", "yt:aqz-KE-bpKQ"])
  func `a short form is an address`(address: String) throws {
    let source = try #require(try read("", address: address))
    #expect(Configuration.Source.expanded(source.address, home: nil) == TypedAddress.shortForm(address))
    #expect(reason("", address: address + " x") != nil)
  }

  @Test func `a source can have an order`() throws {
    #expect(try read("sort = \"oldest\"")?.query.order == .oldest)
    #expect(try read("sort = \"oldest\"\nwhere = \"-trailer\"")?.query.text == "-trailer sort:oldest")
    #expect(reason("sort = \"oldest\"\nwhere = \"sort:title\"") == "the filter has an order as well")
    #expect(reason("sort = \"up\"") == "\"up\" is not known")
  }

  @Test func `a source can have tags`() throws {
    #expect(try read("tags = [\"science\", \"Talks & more\", \"science\"]")?.tags == ["science", "Talks & more"])
    #expect(try read("tags = []")?.tags == [])
  }

  @Test func `a source can have a time to refresh`() throws {
    #expect(try read("")?.refresh == nil)
    #expect(try read("refresh = \"30m\"")?.refresh == .every(minutes: 30))
    #expect(try read("refresh = \"manual\"")?.refresh == .manual)
    for text in ["\"1m\"", "\"often\"", "30", "true"] { #expect(reason("refresh = \(text)") != nil, "\(text)") }
    let own = try Configuration(toml: Array(try #require(try configuration("refresh = \"2h\"")).toml.utf8))
    #expect(own.sources.first?.refresh == .every(minutes: 120))
  }

  private func configuration(_ lines: String) throws -> Configuration? {
    try read(lines).map { source in
      var configuration = Configuration()
      configuration.sources = [source]
      return configuration
    }
  }

  @Test func `unusable tags are a fault`() {
    #expect(reason("tags = \"science\"") == "\"tags\" cannot be a text")
    #expect(reason("tags = [3]") == "the tag is not valid")
    #expect(reason("tags = [\"\"]") == "the tag is not valid")
    #expect(reason("tags = [\"a\\u001Bb\"]") == "the tag is not valid")
    let tags = (0...20).map { "\"\($0)\"" }.joined(separator: ", ")
    #expect(reason("tags = [\(tags)]") == "there are more than 20 tags")
  }
}
