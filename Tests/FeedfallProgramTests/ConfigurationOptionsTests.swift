import FeedfallCore
import FeedfallSources
import FeedfallSystem
import Foundation
import TestSupport
import Testing

@testable import FeedfallConfiguration
@testable import feedfall

@Suite(.hangLimit) struct ConfigurationOptionsTests {
  private func configuration(_ toml: String) throws -> Configuration { try Configuration(toml: Array(toml.utf8)) }

  @Test func `options that the configuration does not name keep their defaults`() throws {
    let options = ViewOptions(try configuration(""), Environment([:]))
    let usual = ViewOptions()
    #expect(options.layout == usual.layout && options.terminal == usual.terminal)
    #expect(!ViewOptions(try configuration(""), Environment(["NO_COLOR": "1"])).terminal.usesColor)
    #expect(ViewOptions(try configuration("color = true"), Environment(["NO_COLOR": "1"])).terminal.usesColor)
    let feed = SourceOptions(try configuration(""))
    #expect(feed.timeoutSeconds == 10 && feed.pageSize == nil)
  }

  @Test func `the configuration's options replace the defaults`() throws {
    let configuration = try configuration("layout = \"list\"\nmouse = false\ncolor = false\ntimeout = 3\n")
    let options = ViewOptions(configuration)
    #expect(options.layout == .list && !options.terminal.usesMouse && options.terminal.usesColor == false)
    #expect(SourceOptions(configuration).timeoutSeconds == 3)
  }

  @Test func `an argument is the name of a source, a list of feeds, or a source itself`() async throws {
    let configuration = try configuration("[[source]]\nname = \"talks\"\naddress = \"https://a.example/\"\n")
    #expect(configuration.sources(named: ["talks"]) == [NamedSource(name: "talks", argument: "https://a.example/")])
    #expect(configuration.sources(named: []) == [NamedSource(name: "talks", argument: "https://a.example/")])
    #expect(configuration.sources(named: ["x.example"]) == [NamedSource(argument: "x.example")])
    #expect(Configuration().sources(named: []) == [NamedSource()])
    try await withFolder { folder in
      let path = folder + "/feeds.opml"
      let opml = "<opml version='2.0'><body><outline text='A' xmlUrl='https://b.example/feed'/></body></opml>"
      try Data(opml.utf8).write(to: URL(filePath: path))
      #expect(configuration.sources(named: [path]) == [NamedSource(name: "A", argument: "https://b.example/feed")])
    }
  }
}
