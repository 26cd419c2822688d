import Foundation
import TestSupport
import Testing

/// A fault of a kind that users of such programs report, as a check that the program does not have it.
struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let check: @Sendable () async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable () async throws -> Void) {
    (self.name, self.check) = (name, check)
  }

  var testDescription: String { name }
}

/// All cases by name. Their helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct CaseTable {
  @Test(arguments: walks) func `walks from an address to videos end`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: keys) func `keys and pastes`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: terminals) func `unusual terminals`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: screens) func `what stays on the screen`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: attacks) func `attacks and surroundings`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: configurations) func `configuration files`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: downloads) func `downloads, queue and marks`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: hours) func `a first hour`(_ row: Case) async throws { try await row.check() }

  static let walks: [Case] = []

  static let keys: [Case] = []

  static let terminals: [Case] = []

  static let screens: [Case] = []

  static let attacks: [Case] = []

  static let configurations: [Case] = [
    Case("a theme appended behind the last view is named with its right place") {
      try await ConfiguredProgram.with(
        ConfiguredProgram.film + "[[view]]\nname = \"V\"\nwhere = \"new\"\n\ntheme = \"nord\"\n"
      ) {
        try await $0.listsFilm(saying: ":8:1: \"theme\" is an option, which must stand above the first [[…]]")
      }
    },
    Case("a quotation mark that is not closed costs only its line") {
      try await ConfiguredProgram.with("layout = \"grid\nmouse = false\n" + ConfiguredProgram.film) {
        try await $0.listsFilm(saying: "config.toml:1:15: ")
      }
    },
    Case("a list that is not closed costs only itself") {
      try await ConfiguredProgram.with(
        ConfiguredProgram.film + "tags = [\"a\",\n  \"b\"\n[[view]]\nname = \"V\"\nwhere = \"new\"\n"
      ) {
        try await $0.listsFilm(saying: "config.toml:4:1: the value that begins here is not closed.")
        #expect(try await $0.run("list", "v").errors.contains("no file, folder") == false)
      }
    },
    Case("a text of several lines that never ends costs only its lines") {
      try await ConfiguredProgram.with("layout = \"\"\"grid\n" + ConfiguredProgram.film) {
        try await $0.listsFilm(saying: "config.toml:")
      }
    },
    Case("a key that is defined twice has its first value") {
      try await ConfiguredProgram.with("page-size = 3\npage-size = 4\n" + ConfiguredProgram.film) {
        try await $0.listsFilm(saying: "config.toml:2:13: ")
      }
    },
    Case("values of a wrong type and out of range, one after the other") {
      try await ConfiguredProgram.with(
        "columns = \"x\"\ntimeout = 0\nmouse = 3\nlayout = []\n" + ConfiguredProgram.film
      ) {
        try await $0.listsFilm(saying: "config.toml:1:1: \"columns\"", "3 more; feedfall doctor lists all")
        try await $0.hasFaults("1:1: ", "2:1: ", "3:1: ", "4:10: ")
      }
    },
    Case("a source with a wrong address fails in its tab, and the others load") {
      try await ConfiguredProgram.with(
        "[[source]]\nname = \"B\"\naddress = \"ftp://b.example\"\n" + ConfiguredProgram.film
      ) {
        let screen = try await $0.run("render", "--size", "100x20", "--keys", "<Tab>")
        #expect(screen.status == 0 && screen.output.contains("2 B !") && screen.output.contains("config.toml:3:11:"))
        #expect(try await $0.run("list", "Film").output.hasPrefix("The good film\t"))
      }
    },
    Case("the only source is a file that is gone, and the program starts") {
      try await ConfiguredProgram.with("[[source]]\nname = \"B\"\naddress = \"/no/such/b.xml\"\n") {
        let screen = try await $0.run("render", "--size", "100x20")
        #expect(screen.status == 0 && screen.output.contains("config.toml:3:11: there is no"))
      }
    },
    Case("a mistyped password command is not a request without a password") {
      try await ConfiguredProgram.with(
        "[[source]]\nname = \"B\"\naddress = \"http://127.0.0.1:1/\"\npasword-command = \"pass\"\n"
      ) {
        let outcome = try await $0.run("list", "B")
        #expect(
          outcome.status == 1 && outcome.errors.contains("config.toml:4:1: \"pasword-command\" is not known. Write"))
      }
    },
    Case("a configuration with a byte order mark and line breaks of Windows") {
      try await ConfiguredProgram.with(
        "\u{FEFF}# mine\r\nlayout = \"grid\"\r\n" + ConfiguredProgram.film.replacing("\n", with: "\r\n")
      ) {
        try await $0.listsFilm()
        try await $0.hasFaults()
      }
    },
    Case("a configuration in UTF-16 is named as such") {
      try await ConfiguredProgram.with(bytes: [0xFF, 0xFE] + "layout = 1\n".utf8.flatMap { [$0, 0] }) {
        try await $0.hasFaults("it is not text in UTF-8. Save it as UTF-8")
        #expect(try await $0.run("list").errors.contains("config.toml: it is not text in UTF-8"))
      }
    },
    Case("a folder, a link to nothing and a picture in place of the file") {
      try await ConfiguredProgram.with("") {
        try $0.replaceByFolder()
        #expect(try await $0.run("render").errors.contains("config.toml: it is not a file. Put a file in its place."))
      }
      try await ConfiguredProgram.with("") {
        try $0.replaceByDanglingLink()
        try await $0.hasFaults("it is a symbolic link to a missing file.")
      }
      try await ConfiguredProgram.with(bytes: (0...255).map { UInt8($0) } + [0x89, 0x50, 0x4E, 0x47]) {
        let outcome = try await $0.run("doctor")
        #expect(outcome.status == 1)
      }
    },
    Case("import writes nothing into a file with a syntax fault, or one in a source") {
      try await ConfiguredProgram.with("layout = \"grid\n" + ConfiguredProgram.film) { try await $0.refusesImport() }
      try await ConfiguredProgram.with(ConfiguredProgram.film + "naem = 1\n") { try await $0.refusesImport() }
    },
    Case("a key of a subtable is not ignored") {
      try await ConfiguredProgram.with(ConfiguredProgram.film + "[source.login]\nuser = \"a\"\n[keys]\nquit = \"x\"\n")
      {
        try await $0.hasFaults("4:9: \"login\" is not known", "6:2: \"keys\" is not known")
      }
    },
    Case("a view with a filter, as the program calls it, and an order that is not known") {
      try await ConfiguredProgram.with(
        ConfiguredProgram.film + "[[view]]\nname = \"V\"\nfilter = \"good\"\nsort = \"best\"\n"
      ) {
        try await $0.hasFaults("7:8: \"best\" is not known.")
        #expect(try await $0.run("list", "V").output.hasPrefix("The good film\t"))
      }
    },
    Case("doctor needs no file, and says which one is read") {
      try await ConfiguredProgram.with(ConfiguredProgram.film) {
        let outcome = try await $0.run("doctor")
        #expect(outcome.output.hasSuffix("feedfall/config.toml: no faults\n") && outcome.status == 0)
      }
    },
    Case("the screen shows the fault until the next key") {
      try await onThread {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-\(UUID())")
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent("feedfall"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("layuot = 1\n".utf8).write(to: folder.appendingPathComponent("feedfall/config.toml"))
        let terminal = try ScriptedTerminal(Feedfall.path, environment: ["XDG_CONFIG_HOME": folder.path])
        try terminal.waitFor("layuot")
        terminal.type("q")
        try terminal.waitFor("\u{1B}[?1049l")
      }
    },
  ]

  static let downloads: [Case] = []

  static let hours: [Case] = []
}
