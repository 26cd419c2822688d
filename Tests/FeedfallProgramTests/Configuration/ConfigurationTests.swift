import FeedfallScreen
import FeedfallSystem
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct ConfigurationTests {
  private func read(_ toml: String) throws -> Configuration { try Configuration(toml: Array(toml.utf8)) }

  @Test func `options are arguments of the command line`() throws {
    let configuration = try read(
      """
      layout = "grid"   # a remark
      page-size = 50
      timeout = 2.5
      mouse = false
      color = true

      [[source]]
      name = "Blender"
      address = "https://video.blender.org"

      [[source]]
      name = "Talks"
      address = "~/talks.xml"
      """)
    #expect(
      configuration.options.map(\.argument) == [
        "--layout=grid", "--page-size=50", "--timeout=2.5", "--no-mouse", "--color",
      ])
    #expect(
      configuration.sources == [
        Configuration.Source(name: "Blender", address: "https://video.blender.org"),
        Configuration.Source(name: "Talks", address: "~/talks.xml"),
      ])
    #expect(configuration.source(named: "Talks")?.address == "~/talks.xml")
    #expect(try read("") == Configuration())
  }

  @Test func `the table of yt-dlp applies as a whole or not at all`() throws {
    let configuration = try read(
      """
      [yt-dlp]
      program = "~/.local/bin/yt-dlp"
      configuration = false
      cookies-from-browser = "firefox"
      cookies = "~/cookies.txt"
      arguments = ["--proxy", "socks5://127.0.0.1:9050"]
      """)
    let ytDlp = configuration.ytDlp.expanded(home: "/home/anna")
    #expect(ytDlp.program == "/home/anna/.local/bin/yt-dlp" && ytDlp.cookies == "/home/anna/cookies.txt")
    #expect(!ytDlp.readsConfiguration && ytDlp.cookiesFromBrowser == "firefox" && !ytDlp.isFaulty)
    #expect(ytDlp.arguments == ["--proxy", "socks5://127.0.0.1:9050"])
    let faulty = ConfigurationReading(toml: Array("[yt-dlp]\narguments = [\"-J\"]\n".utf8))
    #expect(faulty.faults.count == 1 && faulty.configuration.ytDlp.isFaulty)
  }

  @Test(arguments: [
    ("mouse = 1979-05-27", "1:9: \"mouse\" cannot be a date. Write a text in quotation marks, a number, true or"),
    ("columns = [2]", "1:11: \"columns\" cannot be a list. Write a text"),
    ("[source]\nname = \"a\"", "1:2: \"source\" is not a list of tables. Write [[source]]"),
    ("[[source]]\naddress = \"a.example\"", "1:1: the source has no name"),
    ("[[source]]\nname = \"a\"", "1:1: the source has no address"),
    ("[[source]]\nname = \"a\"\naddress = \"ftp://a.example\"", "3:11: \"ftp://a.example\" is not an address. Write"),
    ("[[source]]\nname = \"a\"\naddress = \"films\"", "3:11: \"films\" is not an address"),
    ("[[source]]\nname = \"a\"\naddress = \"talks.xml\"", "3:11: \"talks.xml\" is not an address"),
    ("[[source]]\nname = \"a\"\naddress = \"../talks.xml\"", "3:11: \"../talks.xml\" is not an address"),
    ("[[source]]\nname = \"a\"\naddress = 3", "3:11: \"address\" cannot be a whole number. Write a text"),
    ("[[source]]\nname = \"\"\naddress = \"a.example\"", "2:8: the name is not valid"),
    ("[[source]]\nname = \"a\\u001bb\"\naddress = \"a.example\"", "2:8: the name is not valid"),
    ("[[source]]\nnaem = \"a\"", "2:1: \"naem\" is not known. Did you mean \"name\"?"),
    ("[[source]]\nname=\"a\"\naddress=\"a.example\"\n[[source]]\nname=\"a\"\naddress=\"b.example\"", "5:6: another"),
    ("[yt-dlp]\nprogramm = \"/a\"", "2:1: \"programm\" is not known. Did you mean \"program\"?"),
    ("[yt-dlp]\nprogram = \"yt-dlp\"", "2:11: the path is not valid. Write a path that begins with / or ~/."),
    ("[yt-dlp]\narguments = [\"-4\", \"--exec\", \"rm\"]", "2:20: --exec would change what feedfall reads from"),
    ("[yt-dlp]\narguments = [\"--cookies\"]", "2:14: cookies have lines of their own. Write cookies-from"),
    ("[yt-dlp]\narguments = [\"a\"]", "2:14: the argument belongs to no option."),
    ("[yt-dlp]\narguments = \"-4\"", "2:13: \"arguments\" cannot be a text. Write a list such as"),
    ("[yt-dlp]\ncookies-from-browser = \"\"", "2:24: the browser is not valid. Write its name, such as"),
    ("[=", "1:2: "), ("[[[", "1:3: "),
    ("[theme]\naccnt = \"red\"", "2:1: \"accnt\" is not known. Did you mean \"accent\"?"),
    ("[theme]\nlink-background = \"red\"", "2:1: \"link-background\" is not known. Did you mean"),
    ("[theme]\nzzzzzzzzzz = \"red\"", "2:1: \"zzzzzzzzzz\" is not known. Write one of inherit, accent, text, text-b"),
    ("[theme]\naccent = \"#7aa2f\"", "2:10: \"accent\" cannot be \"#7aa2f\". Write a color such as \"#7aa2f7\","),
    ("[theme]\naccent = \"#+aa2f7\"", "2:10: \"accent\" cannot be \"#+aa2f7\". Write a color"),
    ("[theme]\ndim = 8", "2:7: \"dim\" cannot be a whole number. Write a text"),
    ("[theme]\ninherit = \"nrod\"", "2:11: \"inherit\" cannot be \"nrod\". Write one of auto, dark, light"),
    ("[theme]\ninherit = true", "2:11: \"inherit\" cannot be true or false. Write a text"),
    ("a.b.c = 1", "1:1: \"a\" is not known. Write [[source]], [[view]], [theme], [yt-dlp] or an option such as"),
    ("[[sources]]\nname = \"a\"", "1:3: \"sources\" is not known. Did you mean [[source]]?"),
    ("[[veiw]]\nname = \"a\"", "1:3: \"veiw\" is not known. Did you mean [[view]]?"),
    ("[Theme]\ntext = \"red\"", "1:2: \"Theme\" is not known. Did you mean [theme]?"),
    ("layout = [\"grid\"]", "1:10: \"layout\" cannot be a list. Write a text in quotation marks"),
    ("theme = \"nord\"\n[theme]\ntext = \"red\"", "2:1: \"theme\" is both an option and a table. Remove theme ="),
    ("[theme]\ntext = \"red\"\n[theme]", "3:1: \"theme\" is already defined. Remove one of them."),
    ("[[source]]\nname=\"a\"\naddress=\"a.example\"\nwhere = \"new chanel:x\"", "4:14: “chanel” is not a known"),
    ("[[view]]\nname = \"a\"\nwhere = \"(b\"", "3:10: this “(” is not closed. Write “)” at its end."),
    ("[[view]]\nname = \"a\"\nwhere = \"new sort:title\"\nsort = \"newest\"", "4:1: the filter has an order as well."),
    ("[[view]]\nname = \"a\"\nwhere = \"new\"\nsort = \"newst\"", "4:8: \"newst\" is not known. Did you mean"),
    ("[[view]]\nname = \"a\"", "1:1: the view has no filter. Write where = \"…\"."),
    ("[[view]]\nwhere = \"new\"", "1:1: the view has no name. Write name = \"…\"."),
    ("[view]\nname = \"a\"", "1:2: \"view\" is not a list of tables. Write [[view]] with double brackets."),
    ("[[view]]\nname = \"a\"\nwhen = \"new\"", "3:1: \"when\" is not known. Did you mean \"where\"?"),
    ("[[view]]\nname=\"a\"\nwhere=\"\"\n[[view]]\nname=\"a\"\nwhere=\"\"", "5:6: another view has the name \"a\""),
    ("layout = \"grid\"\nlayout = \"list\"", "2:"),
  ])
  func `a fault names its place and its correction`(toml: String, words: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try read(toml) }
    let messages = try #require(error).messages("Could not read", "config.toml")
    #expect(messages.count == 1)
    #expect(messages[0].hasPrefix("Could not read config.toml:" + words))
    #expect(!messages[0].contains("\n") && !messages[0].contains("\u{1B}"))
  }

  @Test func `a theme has colors of roles and inherits the others`() throws {
    let theme = try read(
      """
      [theme]
      inherit = "nord"
      accent = "#7AA2f7"
      text = "default"
      selected-tab-background = "bright-red"
      """
    ).theme
    #expect(
      theme
        == ThemeSettings(
          .nord,
          colors: [
            .accent: .fixed(RGB(0x7AA2F7)), .text(.plain): .standard, .background(.selectedTab): .terminal(9),
          ]))
    #expect(try read("theme = \"nord\"").theme == nil)
    #expect(try read("theme = \"nord\"").options.map(\.argument) == ["--theme=nord"])
  }

  @Test func `all faults are reported, in the order of the document`() throws {
    let toml = """
      layuot = "grid"
      mouse = [1]
      [[source]]
      naem = "a"
      [[source]]
      name = "b"
      """
    let error = #expect(throws: ConfigurationError.self) { try read(toml) }
    let messages = try #require(error).messages("Could not read", "c")
    #expect(
      messages == [
        "Could not read c:2:9: \"mouse\" cannot be a list. Write a text in quotation marks, a number, true or false.",
        "Could not read c:4:1: \"naem\" is not known. Did you mean \"name\"?",
        "Could not read c:5:1: the source has no address. Write address = \"https://…\".",
      ])
  }

  @Test func `at most ten faults are listed, and the others are counted`() throws {
    let toml = (1...500).map { _ in "[[source]]\nnaem = 1\n" }.joined()
    let error = #expect(throws: ConfigurationError.self) { try read(toml) }
    let messages = try #require(error).messages("Could not read", "c")
    #expect(messages.count == 11)
    #expect(messages.last == "c has 490 more faults. Correct the ones above first.")
  }

  @Test(arguments: [
    [0xFF, 0xFE, 0x00], [UInt8](repeating: UInt8(ascii: "["), count: 100_000), Array("a = \"\u{0}\"".utf8),
    Array(String(repeating: "a.", count: 100_000).utf8),
    Array(("a = " + String(repeating: "[", count: 100_000)).utf8),
    Array(("a = " + String(repeating: "{a=", count: 100_000)).utf8),
  ])
  func `hostile input is an error`(bytes: [UInt8]) {
    #expect(throws: ConfigurationError.self) { try Configuration(toml: bytes) }
  }

  @Test func `the path of the file follows from the environment`() {
    #expect(ConfigurationFile(Environment(["XDG_CONFIG_HOME": "/etc/x"]))?.path == "/etc/x/feedfall/config.toml")
    #expect(
      ConfigurationFile(Environment(["XDG_CONFIG_HOME": "x", "HOME": "/home/a"]))?.path
        == "/home/a/.config/feedfall/config.toml")
    #expect(ConfigurationFile(Environment([:])) == nil)
  }
}
