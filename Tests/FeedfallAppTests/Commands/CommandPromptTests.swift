import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct CommandPromptTests {
  private func scenario(history: [String] = []) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.options = [
      LiveOptions.Word(name: "layout", valueName: "layout", values: ["grid", "list"], help: "the layout of the cards")
    ]
    settings.subscriptions = ["Blender", "Blackbird"].map { Subscription(name: $0, address: "/films/\($0)") }
    settings.commandHistory = history
    return Scenario(settings, width: 100)
  }

  private func typed(_ keys: String, history: [String] = []) -> String? {
    scenario(history: history).typing(":" + keys).state.commandPrompt.prompt?.needle
  }

  @Test(arguments: [
    ("clo<Tab>", "close "), ("lay<Tab><Tab>", "layout grid"), ("layout <Tab><Tab>", "layout list"),
    ("layout <S-Tab>", "layout list"), ("bl<Tab>", "Blender"), ("Bl<Tab><Tab>", "Blackbird"),
    ("Bl<Tab><Tab><Tab>", "Blender"), ("Ble<Tab>", "Blender"), ("zz<Tab>", "zz"), ("Bl<Left><Tab>", "Bl"),
  ])
  func `Tab completes as far as all agree, then shows one completion after the other`(keys: String, text: String) {
    #expect(typed(keys) == text)
  }

  @Test func `the line above shows completions, and the help of a command`() {
    #expect(scenario().typing(":").screen.contains("Type an address"))
    #expect(scenario().typing(":Bl").screen.contains("Blender · Blackbird"))
    #expect(scenario().typing(":layout ").screen.contains("layout grid|list: the layout of the cards"))
  }

  @Test func `the arrows show the commands of earlier sessions and of this one, the last one first`() {
    #expect(typed("<Up>", history: ["close", "where new"]) == "where new")
    #expect(typed("<Up><Up>", history: ["close", "where new"]) == "close")
    #expect(typed("where live<Enter>:<Up>", history: ["close"]) == "where live")
  }

  @Test func `a command is saved, without one that contains a password`() {
    #expect(scenario().typing(":where live<Enter>").effects.contains(.saveCommand("where live")))
    let opening = scenario().typing(":https://anna:secret@a.example/<Enter>")
    #expect(opening.effects.contains { if case .openSource = $0 { true } else { false } })
    #expect(!opening.effects.contains { if case .saveCommand = $0 { true } else { false } })
  }

  @Test func `Escape and an empty text close the prompt and change nothing`() {
    for keys in [":close<Esc>", ":<Enter>", ":<BS>"] {
      let scenario = scenario().typing(keys)
      #expect(scenario.state.commandPrompt.prompt == nil)
      #expect(scenario.screen == self.scenario().screen)
    }
  }

  @Test func `the prompt opens in the details and over the full window`() {
    #expect(Scenario.playing().typing(":").screen.contains("Command: "))
    let window = Scenario.playing().typing("f")
    #expect(window.state.isFullWindow)
    #expect(window.typing(":clo").screen.contains("Command: clo"))
    #expect(window.typing(":clo<Esc>").screen == window.screen)
  }

  @Test func `a paste goes into the prompt`() {
    var scenario = scenario().typing(":")
    scenario.handle(.input(.paste("https://a.example/\nsecond")))
    #expect(scenario.state.commandPrompt.prompt?.needle == "https://a.example/second")
  }
}
