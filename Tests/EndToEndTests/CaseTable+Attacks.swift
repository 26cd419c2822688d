import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp
@testable import FeedfallScreen
@testable import FeedfallTerminal

extension CaseTable {
  static let attacks: [Case] = [
    Case("a link in place of the metadata of a part keeps its target") {
      try await partAttack { try $0.link($0.facts) }
    },
    Case("a link in place of a part keeps its target") { try await partAttack { try $0.link($0.part) } },
    Case("a pipe in place of the metadata of a part does not block") {
      try await partAttack { #expect(mkfifo($0.facts, 0o600) == 0) }
    },
    Case("a hard link in place of a part keeps its content") {
      try await partAttack { #expect(link($0.victim, $0.part) == 0) }
    },
    Case("links among the parts of a program keep their targets") { try await partsFolderAttack() },
    Case("an etag with a line break in stored facts adds no header") { try await headerInjection() },
    Case("a pipe in place of the log is reported and does not block") {
      try await stateAttack("mark", "watched", "http://127.0.0.1:1/a", at: "a-12345678.jsonl", kind: .pipe, status: 1)
    },
    Case("a link in place of the log keeps its target") {
      try await stateAttack("mark", "watched", "http://127.0.0.1:1/a", at: "a-12345678.jsonl", kind: .link, status: 1)
    },
    Case("a link in place of the list of checks keeps its target") {
      try await stateAttack("check", feedPath, at: "checked", kind: .link)
    },
    Case("a pipe in place of a lock is reported and does not block") {
      try await stateAttack("check", feedPath, at: "checked.lock", kind: .pipe, status: 1)
    },
    Case("a link in place of the list of downloads keeps its target") {
      try await stateAttack("download", "--queue", at: "downloads.json", kind: .link, status: nil)
    },
    Case("a linked folder for the state is used") { try await linkedStateFolder() },
    Case("the arguments of a running program show no secrets") { try await hiddenArguments() },
    Case("a memory limit is reported or has no effect") { try await memoryLimits() },
    Case("arguments are read without /proc") { try await withoutProc() },
    Case("a closed standard output is a failure") { try await closedOutputs() },
    Case("no file of the program gets the number of a closed standard file") { try await closedStandardFiles() },
    Case("the greatest proportions of a picture have a place in the frame") { extremeProportions() },
    Case("a title that looks like an option or controls the terminal is a plain line") { try await hostileTitles() },
    Case("a web document names no local file for a download") { try await localFileDownload() },
  ]

  static let configurations: [Case] = [
    Case("values of a wrong type or out of range are each reported") {
      try await ConfiguredProgram.with(
        "columns = \"x\"\ntimeout = 0\nmouse = 3\nlayout = []\n" + ConfiguredProgram.film
      ) {
        try await $0.listsFilm(saying: "config.toml:1:1: \"columns\"", "3 more: feedfall doctor lists all")
        try await $0.hasFaults("1:1: ", "2:1: ", "3:1: ", "4:10: ")
      }
    },
    Case("a configuration with a byte order mark and Windows line breaks is read") {
      try await ConfiguredProgram.with(
        "\u{FEFF}# mine\r\nlayout = \"grid\"\r\n" + ConfiguredProgram.film.replacing("\n", with: "\r\n")
      ) {
        try await $0.listsFilm()
        try await $0.hasFaults()
      }
    },
    Case("a folder, a dangling link or a picture in place of the file is reported") {
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
    Case("no video is queued in another folder than the one of a faulty line, and an export of a part fails") {
      try await ConfiguredProgram.with("state-folder = 5\n" + ConfiguredProgram.film) {
        let outcome = try await $0.run("queue", "add", "https://a.example/1.mp4")
        #expect(outcome.status == 2 && outcome.errors.contains("Could not save the changes: state-folder could not be"))
        #expect(try await $0.run("export").status == 1)
      }
    },
    Case("doctor names what own.toml replaces, and reports its damage") {
      try await ConfiguredProgram.with(ConfiguredProgram.film) {
        try $0.writeOwn(ConfiguredProgram.film + "[[source]")
        let outcome = try await $0.run("doctor")
        #expect(outcome.status == 1 && outcome.output.contains("feedfall/config.toml: no faults\nSaved changes "))
        #expect(outcome.output.contains("own.toml: 1 fault\n  4:10: the header"))
        #expect(outcome.output.contains("  \"Film\" is in config.toml too. This one counts.\n"))
        try await $0.listsFilm(saying: "own.toml:4:10: ")
      }
    },
    Case("doctor shows the option that yt-dlp refuses in its own configuration, and the cure") {
      try await ConfiguredProgram.with("[yt-dlp]\nprogram = \"FOLDER/yt-dlp\"\n") {
        let script = """
          [ "$1" = --version ] && { echo 2026.10.26; exit; }
          case " $* " in *' --ignore-config '*) exit ;; esac
          echo 'yt-dlp: error: no such option: --bogus' >&2; exit 2
          """
        _ = try writeScript(script, to: $0.folder + "/yt-dlp")
        let outcome = try await $0.run("doctor")
        let fault = "configuration: yt-dlp refuses its own: no such option: --bogus. Correct it, or write configuration"
        #expect(outcome.status == 1 && outcome.output.contains("\nyt-dlp: 1 fault\n  \(fault)"), "\(outcome.output)")
      }
    },
    Case("doctor does not call runtimes too old that give no answer or no version") {
      try await ConfiguredProgram.with("[yt-dlp]\nprogram = \"FOLDER/yt-dlp\"\n") {
        _ = try writeScript("echo 2026.10.26", to: $0.folder + "/yt-dlp")
        let deno = try writeScript("exec sleep 600", to: $0.folder + "/deno")
        let node = try writeScript("echo hello", to: $0.folder + "/node")
        let environment = ["XDG_CONFIG_HOME": $0.folder, "PATH": $0.folder + ":/usr/bin:/bin"]
        let outcome = try await Feedfall.run("doctor", environment: environment)
        #expect(outcome.output.contains("  runtime: deno, \(deno), gave no answer in 5 s. "), "\(outcome.output)")
        #expect(outcome.output.contains("  runtime: node, \(node), which does not say its version\n"))
      }
    },
    Case("a runtime outside of PATH is shown by doctor, and yt-dlp gets its path") {
      try await ConfiguredProgram.with("[yt-dlp]\nprogram = \"FOLDER/yt-dlp\"\n") {
        let (folder, deno) = ($0.folder, $0.folder + "/.deno/bin/deno")
        try FileManager.default.createDirectory(atPath: folder + "/.deno/bin", withIntermediateDirectories: true)
        _ = try writeScript("echo 'deno 2.9.0 (stable)'", to: deno)
        let script = """
          [ "$1" = --version ] && { echo 2026.10.26; exit; }
          while read -r line; do echo "$line"; done < /proc/self/fd/3 > "${0%/*}/options"
          """
        _ = try writeScript(script, to: folder + "/yt-dlp")
        let environment = ["XDG_CONFIG_HOME": folder, "HOME": folder, "PATH": "/nowhere"]
        let outcome = try await run(Feedfall.path, ["doctor"], environment: environment)
        #expect(outcome.output.contains("  runtime: deno 2.9.0, \(deno)\n"), "\(outcome.output)")
        let options = try String(contentsOfFile: folder + "/options", encoding: .utf8)
        #expect(options.hasPrefix("'--js-runtimes'\n'deno:\(deno)'\n"))
      }
    },
    Case("doctor shows the path of the configuration") {
      try await ConfiguredProgram.with(ConfiguredProgram.film) {
        let outcome = try await $0.run("doctor")
        #expect(outcome.output.contains("feedfall/config.toml: no faults\n") && outcome.status == 0)
        #expect(outcome.output.contains("\nTerminal: no faults\n  no terminal. Run feedfall doctor"))
        #expect(outcome.output.contains("\nPlayer: no faults\n  pictures: "))
      }
    },
    Case("list fails if the only source has a faulty header, and the browser shows the catalogue") {
      try await ConfiguredProgram.with(ConfiguredProgram.film.replacing("[[source]]", with: "[[source]")) {
        let outcome = try await $0.run("list")
        #expect(outcome.status == 1 && outcome.output == "" && outcome.errors.contains("config.toml:1:10: the header"))
        #expect(try await $0.run().status == 1)
        let screen = try await $0.run("render", "--size", "100x20")
        #expect(screen.status == 0 && screen.errors.contains("config.toml:1:10: the header is not valid."))
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
}
