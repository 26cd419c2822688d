import FeedfallPlayer
import Glibc

/// Prints one JSON line per figure: `{"name":…,"value":…,"unit":…}`.
private func report(_ name: String, _ value: Double, _ unit: String) {
  let rounded = (value * 1000).rounded() / 1000
  print("{\"name\":\"\(name)\",\"value\":\(rounded),\"unit\":\"\(unit)\"}")
  fflush(nil)
}

let suites: [(name: String, run: ((String, Double, String) -> Void) -> Void)] = [
  ("search", { SearchBenchmarks.run($0) }),
  ("start", { StartBenchmarks.run($0) }),
  ("covers", { CoverBenchmarks.run($0) }),
  ("sync", { PlayerSync.run($0) }),
  ("inbox", { InboxBenchmarks.run($0) }),
]

let wanted = CommandLine.arguments.dropFirst()
if wanted.first == MPVHost.word { MPVHost.run(wanted.dropFirst()) }
if wanted.first == "soak" { exit(Soak.run(Array(wanted.dropFirst()))) }
if wanted.first == "count" { exit(CountedWork.run(Array(wanted.dropFirst()))) }
if Array(wanted.prefix(2)) == ["engine", "--verify"] {
  exit(EngineVerification.run(layouts: wanted.dropFirst(2).first.flatMap { Int($0) } ?? 100_000))
}
if Array(wanted) == ["engine", "--table"] { exit(EngineTable.run()) }
if Array(wanted.prefix(2)) == ["feeds", "--files"] {
  exit(FeedFiles.run(rounds: wanted.dropFirst(2).first.flatMap { Int($0) } ?? 5))
}
if Array(wanted.prefix(2)) == ["feeds", "--damage"] { exit(FeedDamage.run(files: Array(wanted.dropFirst(2)))) }
if Array(wanted.prefix(2)) == ["covers", "--damage"] { exit(CoverDamage.run(files: Array(wanted.dropFirst(2)))) }
if Array(wanted) == ["player", "--table"] { exit(PlayerTable.run()) }
guard wanted.allSatisfy({ name in suites.contains { $0.name == name } }) else {
  let names = suites.map(\.name).joined(separator: ", ")
  print("feedfall-bench: unknown suite; choose from \(names), or pass none to run all")
  exit(2)
}
for suite in suites where wanted.isEmpty || wanted.contains(suite.name) { suite.run(report) }
