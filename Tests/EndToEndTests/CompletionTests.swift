import FeedfallSystem
import Foundation
import TestSupport
import Testing

/// The scripts in `Resources/completions` in real shells.
@Suite(.hangLimit) struct CompletionTests {
  private static let configuration = """
    [[source]]
    name = "Blender"
    address = "https://blender.example/"
    [[source]]
    name = "News: world"
    address = "https://news.example/"
    [[source]]
    name = "Anna's \\"best\\" $HOME"
    address = "https://anna.example/"
    [[source]]
    name = "anna@rss.example"
    address = "https://rss.example/"
    [[view]]
    name = "Long talks"
    where = ">30m"
    """

  /// The typed text before the tabulator, and the line after it.
  private static let lines = [
    ("feedfall --la", "feedfall --layout"), ("feedfall --theme gr", "feedfall --theme gruvbox"),
    ("feedfall --theme=no", "feedfall --theme=nord"), ("feedfall li", "feedfall list"),
    ("feedfall list --pag", "feedfall list --page"), ("feedfall queue re", "feedfall queue remove"),
    ("feedfall help filt", "feedfall help filters"), ("feedfall Ble", "feedfall Blender"),
    ("feedfall check Ble", "feedfall check Blender"), ("feedfall --columns 3 Ble", "feedfall --columns 3 Blender"),
    ("feedfall probe fee", "feedfall probe feed.xml"),
    ("feedfall --state-folder sta", "feedfall --state-folder states/"),
  ]

  @Test(.enabled(if: InstalledPrograms.path(of: "bash") != nil, "bash is not installed"))
  func `bash completes options, commands and names`() async throws {
    try await complete(
      in: "bash --norc --noprofile -i",
      "PS1='ready> '; SUBURL=x; source '\(Self.folder)/feedfall.bash'",
      Self.lines + [
        ("feedfall Lon", "feedfall Long\\ talks"), ("feedfall \"Lon", "feedfall \"Long talks\""),
        ("feedfall New", "feedfall News:\\ world"), ("feedfall News:", "feedfall News:\\ world"),
        ("feedfall News\\:\\ w", "feedfall News:\\ world"), ("feedfall Long\\ t", "feedfall Long\\ talks"),
        ("feedfall Ann", "feedfall Anna\\'s\\ \\\"best\\\"\\ \\$HOME"),
        ("true; feedfall Ble", "true; feedfall Blender"), ("feedfall que\tre", "feedfall queue remove"),
        ("feedfall probe hom\tque\tfi", "feedfall probe home/queue/film.json"),
        ("feedfall probe \"my \tfi", "feedfall probe \"my feeds/film.json\""),
        ("feedfall ann", "feedfall anna@rss.example"),
        ("feedfall --state-folder $SUB", "feedfall --state-folder $SUBURL"),
      ])
  }

  @Test(.enabled(if: InstalledPrograms.path(of: "zsh") != nil, "zsh is not installed"))
  func `zsh completes options, commands and names`() async throws {
    try await complete(
      in: "zsh -f -i",
      "PS1='ready> '; fpath=('\(Self.folder)' $fpath); autoload -U compinit; compinit -D -u",
      Self.lines + [
        ("feedfall Lon", "feedfall Long\\ talks"), ("feedfall \"Lon", "feedfall \"Long talks\""),
        ("feedfall New", "feedfall News:\\ world"), ("feedfall News:", "feedfall News:\\ world"),
        ("feedfall Ann", "feedfall Anna\\'s\\ \\\"best\\\"\\ \\$HOME"),
      ])
  }

  @Test(.enabled(if: InstalledPrograms.path(of: "fish") != nil, "fish is not installed"))
  func `fish completes options, commands and names`() async throws {
    try await complete(
      in: "fish --no-config -i",
      "source '\(Self.folder)/feedfall.fish'; function fish_prompt; echo -n 'ready> '; end",
      Self.lines + [
        ("feedfall Lon", "feedfall Long\\ talks"), ("feedfall New", "feedfall News:\\ world"),
        ("feedfall Ann", "feedfall Anna\\'s\\ \\\"best\\\"\\ \\$HOME"),
      ])
  }

  @Test func `the names are those of the configuration, and none without one`() async throws {
    try await withFolder { folder in
      let environment = try Self.home(in: folder)
      let names = try await run(Feedfall.path, ["__names"], environment: environment)
      #expect(names.output == "Blender\nNews: world\nAnna's \"best\" $HOME\nanna@rss.example\nLong talks\n")
      try FileManager.default.removeItem(atPath: folder + "/feedfall/config.toml")
      for environment in [environment, ["XDG_CONFIG_HOME": "", "HOME": ""]] {
        let outcome = try await run(Feedfall.path, ["__names"], environment: environment)
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
      }
    }
  }

  @Test func `a damaged configuration has the names that can be read, without a message`() async throws {
    try await withFolder { folder in
      let environment = try Self.home(in: folder)
      let damaged = "layout = \n" + Self.configuration.replacing("\"Blender\"", with: "\"Bl\\u001b[31mender\"")
      try damaged.write(toFile: folder + "/feedfall/config.toml", atomically: true, encoding: .utf8)
      let outcome = try await run(Feedfall.path, ["__names"], environment: environment)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.output.contains("Long talks\n") && !outcome.output.contains("\u{1b}"))
    }
  }

  private static let folder = packageRoot + "/Resources/completions"

  private static func home(in folder: String) throws -> [String: String] {
    try FileManager.default.createDirectory(atPath: folder + "/feedfall", withIntermediateDirectories: true)
    try Self.configuration.write(toFile: folder + "/feedfall/config.toml", atomically: true, encoding: .utf8)
    return ["XDG_CONFIG_HOME": folder, "HOME": folder]
  }

  /// Types each text and a tabulator in the shell, and compares the line that it shows.
  private func complete(in shell: String, _ setup: String, _ lines: [(typed: String, line: String)]) async throws {
    try await withFolder { folder in
      let environment = try Self.home(in: folder)
      for name in ["bin", "documents/states", "documents/queue", "documents/home/queue", "documents/my feeds"] {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      }
      for name in ["feed.xml", "home/queue/film.json", "my feeds/film.json"] {
        try "".write(toFile: "\(folder)/documents/\(name)", atomically: true, encoding: .utf8)
      }
      try FileManager.default.createSymbolicLink(atPath: folder + "/bin/feedfall", withDestinationPath: Feedfall.path)
      try await onThread {
        let tmux = try Tmux(width: 100, height: 30, environment: environment)
        defer { tmux.close() }
        try tmux.runInShell("cd '\(folder)/documents'; PATH='\(folder)/bin':$PATH")
        try tmux.enter(shell)
        try tmux.runInShell(setup)
        for (typed, line) in lines {
          try tmux.runInShell("clear")
          try tmux.type(typed)
          try tmux.press("Tab")
          try tmux.waitUntil("\(shell) completes \(typed) to \(line)") { screen in
            screen.split(separator: "\n").contains { $0.hasPrefix("ready> \(line)") }
          }
          try tmux.press("C-u")
        }
      }
    }
  }
}
