import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallProgram

@Suite(.hangLimit) struct UserConfigurationTests {
  private func reading(_ toml: String) -> UserConfiguration {
    UserConfiguration(ConfigurationReading(toml: Array(toml.utf8), isOption: UserConfiguration.isOption))
  }

  /// Reads a configuration without faults.
  private func configuration(_ toml: String) throws -> UserConfiguration {
    let configuration = reading(toml)
    if let faults = configuration.faults { throw faults }
    return configuration
  }

  @Test func `options that the configuration does not name have their defaults`() throws {
    let options = try configuration("").viewOptions(Environment([:]))
    let defaults = ViewOptions()
    #expect(options.layout == defaults.layout && options.terminal == defaults.terminal)
    #expect(!(try configuration("").viewOptions(Environment(["NO_COLOR": "1"])).terminal.usesColor))
    #expect(try configuration("color = true").viewOptions(Environment(["NO_COLOR": "1"])).terminal.usesColor)
    let feed = try configuration("").sourceOptions()
    #expect(feed.timeoutSeconds == 10 && feed.pageSize == nil)
  }

  @Test(arguments: [
    "[yt-dlp]\narguments = [\"--proxy\" \"socks5://127.0.0.1:9050\"]", "[yt-dlp\narguments = [\"-4\"]",
    "[yt_dlp]\narguments = [\"-4\"]", "[[yt-dlp]]\narguments = [\"-4\"]", "[yt-dlp]\nargumnts = [\"-4\"]",
  ])
  func `a fault that may hide settings of yt-dlp prevents its calls`(toml: String) {
    let configuration = reading(toml)
    #expect(configuration.faults != nil && configuration.sourceOptions().ytDlp.common.isFaulty)
    #expect(!reading("layot = \"grid\"\n").sourceOptions().ytDlp.common.isFaulty)
    #expect(
      UserConfiguration(ConfigurationReading(ConfigurationError(.tooLarge))).sourceOptions().ytDlp.common.isFaulty)
  }

  @Test func `every option can be configured`() throws {
    let configuration = try configuration(
      """
      layout = "grid"
      order = "tolerance=4"
      group = "day"
      min-column-width = 30
      card = "classic"
      spacing = "3x0"
      inset = "4x2"
      page-size = 50
      first-page = 1
      timeout = 2.5
      mouse = false
      color = false
      images = "symbols"
      video-output = "off"
      theme = "nord"
      video-height = 480
      autoplay = true
      mpv-config = true
      player = "window"
      preview = "selected"
      preview-limit = 3
      sponsorblock = "skip"
      sponsorblock-categories = "sponsor, music_offtopic"
      sponsorblock-server = "https://sponsors.example/mirror"
      dearrow = "titles"
      """)
    let view = configuration.viewOptions()
    #expect(view.layout == .grid)
    #expect(view.cards.columns == .minimumWidth(30) && view.cards.order == .tolerance(4))
    #expect(view.cards.grouping == .day && view.cards.card == .classic)
    #expect(view.cards.spacing == Size(width: 3, height: 0) && view.cards.inset == Size(width: 4, height: 2))
    #expect(!view.terminal.usesMouse && !view.terminal.usesColor && view.terminal.pictures == .symbols)
    #expect(view.terminal.video == .off)
    #expect(view.terminal.theme == ThemeSettings(.nord))
    #expect(view.playing.maximumHeight == 480 && view.playing.autoplays && view.usesPlayerConfiguration)
    #expect(view.playing.presentation == .window)
    #expect(view.preview == .selected && view.previewMegabytes == 3)
    #expect(view.segments == .skip && view.sponsorBlock.categories == [.sponsor, .withoutMusic])
    #expect(view.deArrow == .titles)
    #expect(view.sponsorBlock.server.text == "https://sponsors.example/mirror")
    let feed = configuration.sourceOptions()
    #expect(feed.pageSize == 50 && feed.firstPage == 1 && feed.timeoutSeconds == 2.5)
  }

  @Test func `a command fails without the built-in catalogue if sources may be missing`() {
    var listed: [[NamedSource]] = []
    func status(_ toml: String, _ arguments: [String] = []) -> Int32 {
      reading(toml).selection(named: arguments).run { sources in
        listed.append(sources)
        return ExitStatus.success
      }
    }
    let source = "[[source]]\nname = \"A\"\naddress = \"a.example\"\n"
    #expect(status("[[source]\nname = \"A\"\n") == ExitStatus.failure && listed.isEmpty)
    #expect(status("name = \"A\"\naddress = \"a.example\"\n") == ExitStatus.failure && listed.isEmpty)
    #expect(status(source + "[[source]\n") == ExitStatus.failure && listed.count == 1)
    #expect(status(source + "[[source]\n", ["a"]) == ExitStatus.success && listed[1].map(\.name) == ["A"])
    #expect(status("colour = 1\n") == ExitStatus.success && listed[2] == [NamedSource()])
    #expect(reading("[[source]\n").selection(named: []).sources == [NamedSource()])
  }

  @Test func `of many unknown options, the first 200 are reported and the others count as not read`() {
    let toml = (0..<20_000).map { "k\($0) = 1\n" }.joined()
    let configuration = reading(toml)
    #expect(configuration.faults?.lines.count == 201)
    #expect(configuration.lacksStateFolder && configuration.faults?.hidesSources == true)
  }

  @Test func `by default there are no previews over SSH, and a choice wins`() {
    func policy(_ choice: ViewOptions.Preview?, _ variables: [String: String]) -> PreviewSettings.Policy {
      PreviewSettings(choice, Environment(variables)).policy
    }
    #expect(policy(nil, [:]) == .ifCheap && policy(.off, [:]) == .off && policy(.selected, [:]) == .always)
    for name in ["SSH_CONNECTION", "SSH_TTY"] {
      #expect(policy(nil, [name: "x"]) == .off && policy(.selected, [name: "x"]) == .always)
    }
  }

  @Test func `arguments win over the configuration`() throws {
    let configuration = try configuration("columns = 3\nmouse = true\npage-size = 50\ntimeout = 3\n")
    let arguments = try OptionArguments.parse(["--min-column-width", "30", "--no-mouse", "--page-size", "7"])
    let view = configuration.viewOptions(change: arguments.apply(to:))
    #expect(view.cards.columns == .minimumWidth(30) && !view.terminal.usesMouse)
    let theme = try self.configuration("[theme]\naccent = \"red\"")
    #expect(theme.viewOptions().terminal.theme == ThemeSettings(colors: [.accent: .terminal(1)]))
    let dark = try OptionArguments.parse(["--theme", "dark"])
    #expect(theme.viewOptions(change: dark.apply(to:)).terminal.theme == ThemeSettings(.dark))
    let feed = configuration.sourceOptions(arguments.feed)
    #expect(feed.pageSize == 7 && feed.timeoutSeconds == 3)
  }

  @Test(arguments: [
    ("layuot = \"grid\"", ["1:1: \"layuot\" is not known. Did you mean \"layout\"?"]),
    ("film-height = 480", ["1:1: \"film-height\" is not known. Did you mean \"video-height\"?"]),
    ("video_heigth = 480", ["1:1: \"video_heigth\" is not known. Did you mean \"video-height\"?"]),
    ("\n  colour = true", ["2:3: \"colour\" is not known. Did you mean \"color\"?"]),
    ("zzzzzzzz = 1", ["1:1: \"zzzzzzzz\" is not known. feedfall --help lists all options."]),
    ("help = true", ["1:1: \"help\" is not known. feedfall --help lists all options."]),
    ("generate-completion-script = \"bash\"", ["1:1: \"generate-completion-script\" is not known. feedfall --help"]),
    ("\"\" = 1", ["1:1: "]), ("\"a b\" = \"\\u001B[31m\"", ["1:1: "]),
    ("layout = \"spiral\"", ["1:1: \"layout\" cannot be \"spiral\". Write waterfall, grid, list, carousel or"]),
    ("theme = \"nrod\"", ["1:1: \"theme\" cannot be \"nrod\". Write auto, dark, light, terminal, gruvbox, nord,"]),
    ("sponsorblock-categories = \"sponsor,adverts\"", ["1:1: \"sponsorblock-categories\" cannot be"]),
    ("sponsorblock-server = \"nowhere\"", ["1:1: \"sponsorblock-server\" cannot be \"nowhere\". Write a web address"]),
    ("columns = 0", ["1:1: \"columns\" cannot be 0. Write a whole number from 1 to 100."]),
    ("columns = 2.5", ["1:1: \"columns\" cannot be 2.5. Write a whole number from 1 to 100."]),
    ("spacing = \"21x0\"", ["1:1: \"spacing\" cannot be \"21x0\". Write columns and rows such as 2x1, from 0x0"]),
    ("columns = true", ["1:1: \"columns\" cannot be true. Write one of its values, which feedfall --help lists."]),
    ("timeout = nan", ["1:1: \"timeout\" cannot be nan. Write a number from 0.1 to 3600."]),
    ("mouse = \"yes\"", ["1:1: \"mouse\" cannot be \"yes\". Write true or false."]),
    ("order = \"tolerance=-1\"", ["1:1: \"order\" cannot be \"tolerance=-1\". Write a whole number from 0 to 1000."]),
    ("columns = 2\nmin-column-width = 20", ["2:1: columns and min-column-width exclude each other. Remove one of"]),
    (
      "layuot = 1\ncolumns = 3\ntimeout = 0\n[[source]]\nnaem = \"a\"",
      ["1:1: \"layuot\"", "3:1: \"timeout\"", "5:1: \"naem\""]
    ),
  ])
  func `each fault names its place and its correction`(toml: String, words: [String]) throws {
    let error = #expect(throws: ConfigurationError.self) { try configuration(toml) }
    let messages = try #require(error).messages("Could not read", "config.toml")
    #expect(messages.count == words.count)
    for (message, words) in zip(messages, words) {
      #expect(message.hasPrefix("Could not read config.toml:" + words))
      #expect(!message.contains("\n") && !message.contains("\u{1B}"))
    }
  }

  @Test func `an option with a fault is left out, and the others apply`() {
    let mixed = reading("layuot = \"list\"\ncolumns = 0\nlayout = \"grid\"\nmouse = \"no\"\npage-size = 7")
    #expect(mixed.viewOptions().layout == .grid && mixed.sourceOptions().pageSize == 7)
    let both = reading("columns = 3\nmin-column-width = 30\npage-size = 7\nlayout = \"grid\"")
    #expect(both.faults?.lines.map { $0.prefix(4) } == ["2:1:"] && both.viewOptions().cards.columns == .count(3))
    #expect(both.viewOptions().layout == .grid && both.sourceOptions().pageSize == 7)
  }

  @Test func `any order of valid and faulty options leaves the valid ones`() {
    var random = SeededGenerator(seed: 3)
    let valid = ["layout = \"grid\"", "page-size = 7", "mouse = false", "video-height = 480", "autoplay = true"]
    let faulty = ["layuot = 1", "columns = 0", "theme = nord", "card = \"x\"", "timeout = \"\"", "x", "a.b = 1"]
    for _ in 0..<5 {
      let wrong = faulty.shuffled(using: &random).prefix(Int.random(in: 1...7, using: &random))
      let result = reading((valid + wrong).shuffled(using: &random).joined(separator: "\n"))
      let view = result.viewOptions()
      #expect(view.layout == .grid && !view.terminal.usesMouse && view.playing.autoplays)
      #expect(view.playing.maximumHeight == 480 && result.sourceOptions().pageSize == 7)
      #expect(result.faults?.lines.count == wrong.count)
    }
  }

  @Test(arguments: ["name", "address", "where", "filter", "tags", "sort"])
  func `a key of a table above the first one says where it belongs`(key: String) {
    #expect(
      reading("\(key) = \"x\"").faults?.lines == [
        "1:1: \"\(key)\" is not an option. Write it below a [[source]] or a [[view]]."
      ])
  }

  @Test(arguments: [
    "proxy = none", "prxy = \"http://127.0.0.1:1\"", "[[view]]\nproxy = \"http://127.0.0.1:1\"", "proxy",
    "proxy = \"ftp://x\"", "proxy = [\"x\"]", "theme = \"nord\" proxy = \"http://127.0.0.1:1\"",
    "mouse = true\rproxy = \"http://127.0.0.1:1\"", "theme = [\"nord\" \"proxy\" = 1",
    String(repeating: "a =\n", count: 30) + "proxy = \"http://127.0.0.1:1\"",
    "\u{0}p\u{0}r\u{0}o\u{0}x\u{0}y",
  ])
  func `nothing is requested if the proxy setting is faulty`(toml: String) throws {
    let address = try #require(WebAddress("https://a.example/"))
    let options = reading(toml).sourceOptions()
    #expect(options.proxies.common.proxy(for: address)?.description == "in the configuration")
    let arguments = try OptionArguments.parse(["--proxy=none"])
    #expect(reading(toml).sourceOptions(arguments.feed).proxies.common.proxy(for: address) == nil)
  }

  @Test(arguments: [
    "preview = 3", "[[source]]\nname = \"A\"\naddress = \"a.example\"\nproxy = 3", "download-folder = 1",
  ])
  func `other faults do not concern the proxy or the folder for marks`(toml: String) throws {
    let address = try #require(WebAddress("https://a.example/"))
    #expect(reading(toml).faults != nil && !reading(toml).lacksStateFolder)
    #expect(reading(toml).sourceOptions().proxies.common.proxy(for: address)?.description != "in the configuration")
    #expect(reading("state-folder = 3").lacksStateFolder && reading("state-foldr = \"/a\"").lacksStateFolder)
  }

  @Test(arguments: ["state-folder = \"/a\"", "state-foldr = \"/a\"", "state-folder = ~/a"])
  func `a folder for marks below a source is a faulty one`(line: String) {
    let source = "[[source]]\nname = \"A\"\naddress = \"a.example\"\n"
    #expect(reading(source + line).lacksStateFolder)
    #expect(!reading(source + "prxy = \"none\"").lacksStateFolder)
  }

  @Test func `an unreadable configuration may name a proxy and a folder for marks`() throws {
    let address = try #require(WebAddress("https://a.example/"))
    let result = UserConfiguration(ConfigurationReading(ConfigurationError(.tooLarge)))
    #expect(result.lacksStateFolder)
    #expect(result.sourceOptions().proxies.common.proxy(for: address)?.description == "in the configuration")
    // All options stand above the first table.
    let cut = reading("[[view]]\n" + String(repeating: "a =\n", count: 30))
    #expect(!cut.lacksStateFolder && cut.sourceOptions().proxies.common.proxy(for: address) == nil)
  }

  @Test func `several faults are reported in one line with their number`() {
    #expect(
      reading("x = 1").faults?.notice("c")
        == "Could not read c:1:1: \"x\" is not known. feedfall --help lists all options.")
    let notice = reading("layuot = 1\ncolumns = 0\nmouse = 3").faults?.notice("c")
    #expect(
      notice
        == "Could not read c:1:1: \"layuot\" is not known. Did you mean \"layout\"? 2 more: feedfall doctor lists all.")
  }

  @Test func `names are found regardless of case, and a view by its name`() throws {
    let configuration = try configuration(
      """
      [[source]]
      name = "Talks"
      address = "https://a.example/"
      [[source]]
      name = "Films"
      address = "https://b.example/"
      [[view]]
      name = "Long talks"
      where = ">30m"
      [[view]]
      name = "New"
      where = "new"
      """)
    #expect(configuration.selection(named: ["talks"]).sources.map(\.name) == ["Talks"])
    let all = configuration.selection(named: [])
    #expect(all.sources.count == 2 && all.views.count == 2 && all.firstView == nil)
    let view = configuration.selection(named: ["long Talks"])
    #expect(view.sources.count == 2 && view.firstView?.name == "Long talks" && view.views.count == 1)
    let both = configuration.selection(named: ["Films", "New"])
    #expect(both.sources.map(\.name) == ["Films"] && both.views.map(\.name) == ["New"] && both.firstView == nil)
    #expect(configuration.selection(named: ["Talks"]).views.isEmpty)
    #expect(configuration.selection(named: ["talsk"]).sources.first?.similarName == "Talks")
    #expect(configuration.selection(named: ["something"]).sources.first?.similarName == nil)
  }

  @Test func `an argument is the name of a source, a list of feeds, or a source itself`() async throws {
    let configuration = try configuration("[[source]]\nname = \"talks\"\naddress = \"https://a.example/\"\n")
    var talks = NamedSource(name: "talks", argument: "https://a.example/")
    talks.origin = "config.toml:3:11"
    #expect(configuration.selection(named: ["talks"]).sources == [talks])
    #expect(configuration.selection(named: []).sources == [talks])
    #expect(configuration.selection(named: ["x.example"]).sources == [NamedSource(argument: "x.example")])
    #expect(try self.configuration("").selection(named: []).sources == [NamedSource()])
    try await withFolder { folder in
      let path = folder + "/feeds.opml"
      let opml = "<opml version='2.0'><body><outline text='A' xmlUrl='https://b.example/feed'/></body></opml>"
      try Data(opml.utf8).write(to: URL(filePath: path))
      #expect(
        configuration.selection(named: [path]).sources == [NamedSource(name: "A", argument: "https://b.example/feed")])
    }
  }
}
