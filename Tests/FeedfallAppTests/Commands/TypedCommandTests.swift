import FeedfallFilters
import FeedfallRecords
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct TypedCommandTests {
  private let layout = LiveOptions.Word(
    name: "layout", valueName: "layout", values: ["grid", "list"], help: "the layout")

  private var vocabulary: CommandVocabulary {
    CommandVocabulary(options: [layout], tabs: [(3, "Long talks")], configuredNames: ["Blender", "long talks"])
  }

  @Test(arguments: [
    ("https://a.example/feed.xml", TypedCommand.open("https://a.example/feed.xml")), ("a.example", .open("a.example")),
    ("  ~/films ", .open("~/films")), ("yt-dlp:a.example/talks", .open("yt-dlp:a.example/talks")),
    ("open films", .open("films")), ("blender", .open("Blender")), ("LONG talks", .showTab(3)), ("close", .close),
    ("layout  list", .setOption(name: "layout", value: "list")), ("quit", .quit), ("download", .download(nil)),
    ("download audio", .download(.audio)), ("download  720P", .download(.height(720))),
    ("download 480", .download(.height(480))),
  ])
  func `a text is a command, an option, a name or an address`(text: String, command: TypedCommand) throws {
    #expect(try vocabulary.command(text) == command)
  }

  @Test func `a name has precedence over a short form`() throws {
    var named = vocabulary
    #expect(try named.command("@blender") == .open("@blender"))
    #expect(try named.command("PL0123456789ABCDEF") == .open("PL0123456789ABCDEF"))
    #expect(throws: CommandVocabulary.Fault.self) { try named.command("PLfoo") }
    named.tabs.append((5, "@Blender"))
    #expect(try named.command("@blender") == .showTab(5))
    named.tabs.removeLast()
    named.configuredNames.append("@Blender")
    #expect(try named.command("@blender") == .open("@Blender"))
  }

  @Test func `a tab may be called like a command with an unknown argument`() throws {
    var named = vocabulary
    named.tabs.append((5, "Channel 4"))
    #expect(try named.command("channel 4") == .showTab(5))
    #expect(try named.command("channel live") == .list(.live))
    #expect(throws: CommandVocabulary.Fault.list("5")) { try named.command("channel 5") }
  }

  @Test(arguments: ["720x", "p", "99p", "-720p", "12345678901234567890p", "audio 720p", "７２０p"])
  func `a download in an unknown quality is refused`(quality: String) {
    #expect(throws: CommandVocabulary.Fault.quality(quality)) { try vocabulary.command("download \(quality)") }
  }

  @Test func `where has a filter, or none`() throws {
    #expect(try vocabulary.command("where blender >10m") == .filter(FilterQuery("blender >10m")))
    #expect(try vocabulary.command("where") == .filter(.empty))
    #expect(throws: CommandVocabulary.Fault.self) { try vocabulary.command("where chanel:x") }
  }

  @Test(arguments: [
    ("clsoe", "Unknown command: “clsoe”. Did you mean “close”?"),
    ("layuot grid", "Unknown command: “layuot grid”. Did you mean “layout”?"),
    ("blendr", "Unknown command: “blendr”. Did you mean “blender”?"),
    ("zzz", "Unknown command: “zzz”. Press :, then Tab for all commands."),
    ("close it", "Unknown command: “close it”. Type only “close”."),
    ("open", "Incomplete command: open needs an argument. Type “open ADDRESS”."),
    ("layout", "Could not set layout: the value is missing. Type “layout grid|list”."),
  ])
  func `a text that is no command has a message in one line`(text: String, message: String) {
    let error = #expect(throws: CommandVocabulary.Fault.self) { try vocabulary.command(text) }
    #expect(error.map(Words(keys: .standard).text) == message)
  }

  @Test func `completions are commands, options, their values and the names of sources`() {
    #expect(vocabulary.completions(of: "lo") == ["Long talks"])
    #expect(vocabulary.completions(of: "l") == ["layout", "Long talks"])
    #expect(vocabulary.completions(of: "layout ") == ["layout grid", "layout list"])
    #expect(vocabulary.completions(of: "B") == ["Blender"])
    #expect(vocabulary.completions(of: "where x").isEmpty)
  }
}
