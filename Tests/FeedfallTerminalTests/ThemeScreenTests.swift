import FeedfallScreen
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  /// The golden screens in the colors of each theme, as a terminal shows them.
  @Suite(.serialized) struct ThemeScreenTests {
    private struct Setting {
      var name: String
      var theme = ThemeChoice.auto
      var terminal = "xterm-256color"
      var hasColors = true
    }

    private static let settings =
      ThemeChoice.allCases.map { Setting(name: $0.rawValue, theme: $0) } + [
        Setting(name: "eight colors", terminal: "xterm"), Setting(name: "no color", hasColors: false),
      ]

    @Test func `each role has its recorded look on every screen`() throws {
      let screens = try GoldenScreen.all()
      #expect(screens.count >= 28)
      let tables = try Self.settings.map { "[\($0.name)]\n" + (try table(of: $0, screens)) }
      let text = tables.joined(separator: "\n")
      if ProcessInfo.processInfo.environment["RECORD"] != nil {
        try text.write(to: GoldenScreen.themes, atomically: true, encoding: .utf8)
      }
      #expect(try text == String(contentsOf: GoldenScreen.themes, encoding: .utf8))
    }

    /// Paints all screens one after another, each over the last one, and returns the roles with their looks.
    private func table(of setting: Setting, _ screens: [GoldenScreen]) throws -> String {
      let shown = try ModelTerminal(
        size: GoldenScreen.size, hasDirectColors: setting.terminal == "xterm-256color", usesColor: setting.hasColors,
        theme: setting.theme, name: setting.terminal)
      var looks: [Role: Set<SeenLook>] = [:]
      for screen in screens where screen.hasColors == setting.hasColors {
        shown.paint(screen.canvas)
        shown.settle()
        for (cell, seen) in zip(screen.canvas.cells, shown.model.cells) {
          #expect(
            seen.text == String(Character(UnicodeScalar(cell.glyph.base) ?? " ")), "\(screen.name), \(setting.name)")
          if cell.glyph == .blank {
            // The terminal may have any color of text for a blank.
            guard let look = looks[cell.style.role]?.first else { continue }
            #expect(SeenLook(seen).ground == look.ground, "\(cell.style.role), \(screen.name), \(setting.name)")
          } else {
            looks[cell.style.role, default: []].insert(SeenLook(seen))
          }
        }
      }
      return Role.allCases.compactMap { role in
        looks[role].map { looks in "\(role): \(looks.map(\.description).sorted().joined(separator: " or "))\n" }
      }.joined()
    }
  }
}

/// The attributes and the colors of a cell of the terminal.
private struct SeenLook: Hashable, CustomStringConvertible {
  var text: [Int]
  var background: [Int]
  var attributes: Set<Int>

  init(_ cell: ScreenModel.Cell) {
    (text, background, attributes) = (cell.foreground, cell.background, cell.attributes)
    if cell.isReversed { attributes.insert(7) }
  }

  /// The background that the user sees.
  var ground: [Int] { attributes.contains(7) ? text : background }

  private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  var description: String {
    let styles = [(1, "bold"), (2, "dim"), (4, "underlined"), (7, "reversed")].filter { attributes.contains($0.0) }
    let ground = background.isEmpty ? [] : ["on \(Self.name(background))"]
    return (styles.map(\.1) + [text.isEmpty ? "default" : Self.name(text)] + ground).joined(separator: " ")
  }

  /// Returns the name of a color by its parameters of SGR.
  private static func name(_ color: [Int]) -> String {
    if color.count == 1 { return names[color[0] % 10] + (color[0] >= 90 ? " (bright)" : "") }
    if color.first == 5 { return "color \(color[1])" }
    return "#" + color.dropFirst().map { String($0 + 256, radix: 16).dropFirst() }.joined()
  }
}

/// A screen of the golden files: one letter for each wide character, and no colors of its own.
private struct GoldenScreen {
  var name: String
  var canvas: Canvas

  static let size = Size(width: 80, height: 24)
  private static let folder =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "FeedfallAppTests/Golden")
  static let themes = folder.appending(path: "themes.txt")

  var hasColors: Bool { !name.contains("no-color") }

  static func all() throws -> [GoldenScreen] {
    let states = folder.appending(path: "states")
    return try FileManager.default.contentsOfDirectory(atPath: states.path).sorted()
      .filter { $0.contains("-80x24") }
      .map { name in
        GoldenScreen(name, try String(contentsOf: states.appending(path: name), encoding: .utf8))
      }
  }

  init(_ name: String, _ text: String) {
    self.name = name
    canvas = Canvas(size: Self.size)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let roles = Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0.letter, $0) })
    for y in 0..<Self.size.height {
      let glyphs = lines[y].flatMap { character in
        let base = character.unicodeScalars.first ?? " "
        return TextWidths().width(of: String(character)) == 2 ? [Glyph("#"), Glyph("#")] : [Glyph(base)]
      }
      for (x, letter) in lines[Self.size.height + 1 + y].enumerated() {
        canvas[x, y] = Cell(x < glyphs.count ? glyphs[x] : .blank, Style(roles[letter] ?? .plain))
      }
    }
  }
}
