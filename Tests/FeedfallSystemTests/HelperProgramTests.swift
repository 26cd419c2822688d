import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct HelperProgramTests {
  private func run(
    _ lines: String, _ words: [String] = [], timeLimitSeconds: Int = 60, maximumByteCount: Int = 1 << 20
  ) async throws -> HelperProgram.End {
    try await withFolder { folder in
      let path = try writeScript(lines, to: "\(folder)/program")
      return await HelperProgram(
        path: path, timeLimitSeconds: timeLimitSeconds, maximumByteCount: maximumByteCount
      ).run(words.map { Array($0.utf8) })
    }
  }

  private func answer(_ lines: String, _ words: [String] = []) async throws -> HelperProgram.Answer {
    let end = try await run(lines, words)
    guard case .ended(let answer) = end else { throw Trouble(end: end) }
    return answer
  }

  private struct Trouble: Error { var end: HelperProgram.End }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `output, error output and status are returned`() async throws {
    let answer = try await answer("echo out; echo wrong >&2; exit 3")
    #expect(text(answer.output) == "out\n")
    #expect(text(answer.errorOutput) == "wrong\n")
    #expect(answer.status == 3)
  }

  @Test(arguments: [true, false]) func `a reader receives the output without a limit, and can end it`(
    accepts: Bool
  ) async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "head -c 300000 /dev/zero; \(accepts ? "" : "exec cat /dev/zero")", to: folder + "/program")
      let count = Atomic(0)
      let end = await HelperProgram(path: path, timeLimitSeconds: 600, maximumByteCount: 1_000).run([]) { piece in
        let total = count.add(piece.count, ordering: .relaxed).newValue
        return accepts || total <= 300_000
      }
      #expect(end == (accepts ? .ended(HelperProgram.Answer(status: 0, output: [], errorOutput: [])) : .cancelled))
      #expect(accepts ? count.load(ordering: .relaxed) == 300_000 : count.load(ordering: .relaxed) > 300_000)
    }
  }

  @Test func `files in memory are inherited in their order`() async throws {
    try await withFolder { folder in
      let path = try writeScript("cat; cat /proc/self/fd/3 /proc/self/fd/4", to: folder + "/program")
      var program = HelperProgram(path: path, timeLimitSeconds: 60, maximumByteCount: 1 << 20)
      program.files = ["first,", "second"].map { Array($0.utf8) }
      guard case .ended(let answer) = program.runAndWait([], input: Array("input,".utf8)) else {
        throw TestFailure("not ended")
      }
      #expect(text(answer.output) == "input,first,second")
    }
  }

  @Test func `a signal that ends the program is its status`() async throws {
    #expect(try await answer("kill -TERM $$").status == 128 + Int(SIGTERM))
  }

  @Test func `arguments are not interpreted by a shell`() async throws {
    let words = ["$HOME `id` ; exit", "", "'\"", "é\n"]
    #expect(text(try await answer(#"printf '<%s>' "$@""#, words).output) == words.map { "<\($0)>" }.joined())
  }

  @Test func `a program has no terminal, no input and no descriptors of the parent`() async throws {
    let answer = try await answer(
      """
      cat; ps -o tty= -p $$; test "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ && echo "own group"
      ls -l /proc/self/fd | grep -cE 'pipe|socket|event|deleted'
      """)
    // Its standard output is a pipe from ls to grep, its standard error a pipe to this process.
    #expect(text(answer.output).split(whereSeparator: \.isNewline) == ["?", "own group", "2"])
  }

  @Test func `a program has default signal handling`() async throws {
    #expect(text(try await answer("grep SigBlk /proc/self/status").output) == "SigBlk:\t0000000000000000\n")
    #expect(try await answer("kill -PIPE $$").status == 128 + Int(SIGPIPE))
  }

  @Test func `a missing program is reported`() async {
    let end = await HelperProgram(path: "/no/such", timeLimitSeconds: 60, maximumByteCount: 1).run([])
    #expect(end == .notStarted(reason: "No such file or directory"))
  }

  @Test func `a hanging program is ended with its children, even if they ignore TERM`() async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "trap '' TERM HUP INT; sleep 1000 & echo $$ $! > \(folder)/ids; sleep 1000", to: "\(folder)/program")
      // On a slow machine the program may end before its first command.
      for timeLimitSeconds in [1, 4, 16, 64] where processIDs("\(folder)/ids").isEmpty {
        let program = HelperProgram(path: path, timeLimitSeconds: timeLimitSeconds, maximumByteCount: 1)
        #expect(await program.run([]) == .timedOut)
      }
      try await expectGone("\(folder)/ids")
    }
  }

  @Test func `a cancelled program is ended with its children`() async throws {
    try await withFolder { folder in
      let path = try writeScript("sleep 1000 & echo $$ $! > \(folder)/ids; wait", to: "\(folder)/program")
      let task = Task {
        await HelperProgram(path: path, timeLimitSeconds: 1000, maximumByteCount: 1).run([])
      }
      try await eventually("the program and its child run") { processIDs("\(folder)/ids").count == 2 }
      task.cancel()
      #expect(await task.value == .cancelled)
      try await expectGone("\(folder)/ids")
    }
  }

  @Test func `a program cancelled before its start does nothing`() async throws {
    try await withFolder { folder in
      let path = try writeScript("sleep 1000", to: "\(folder)/program")
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await HelperProgram(path: path, timeLimitSeconds: 1000, maximumByteCount: 1).run([])
      }
      #expect(await task.value == .cancelled)
    }
  }

  @Test func `a child in another session is also ended`() async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "setsid sh -c 'sleep 1000 & echo $$ $! > \(folder)/ids; wait' & while [ ! -s \(folder)/ids ]; do :; done",
        to: "\(folder)/program")
      _ = await HelperProgram(path: path, timeLimitSeconds: 60, maximumByteCount: 1).run([])
      try await expectGone("\(folder)/ids")
    }
  }

  @Test func `children left behind are ended, and not waited for`() async throws {
    try await withFolder { folder in
      let path = try writeScript("sleep 1000 & echo $! > \(folder)/ids; echo done", to: "\(folder)/program")
      let end = await HelperProgram(path: path, timeLimitSeconds: 1000, maximumByteCount: 99).run([])
      #expect(end == .ended(HelperProgram.Answer(status: 0, output: Array("done\n".utf8), errorOutput: [])))
      try await expectGone("\(folder)/ids")
    }
  }

  @Test func `processes that a user's command leaves behind keep running, and nothing waits for them`() async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "sleep 1000 & group=$!; setsid sleep 1000 & echo $group $! > \(folder)/ids; echo done", to: "\(folder)/program")
      let program = HelperProgram(.userCommand, path: path, timeLimitSeconds: 1000, maximumByteCount: 99)
      #expect(
        await program.run([]) == .ended(HelperProgram.Answer(status: 0, output: Array("done\n".utf8), errorOutput: [])))
      let ids = processIDs("\(folder)/ids")
      #expect(ids.count == 2 && ids.allSatisfy(isRunning))
      for id in ids { kill(id, SIGKILL) }
    }
  }

  @Test func `a cancelled command of the user ends with its group, and without its daemons`() async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "sleep 1000 & group=$!; setsid sleep 1000 & echo $group $! $$ > \(folder)/ids; wait", to: "\(folder)/program")
      let task = Task {
        await HelperProgram(.userCommand, path: path, timeLimitSeconds: 1000, maximumByteCount: 1).run([])
      }
      try await eventually("the command runs") { processIDs("\(folder)/ids").count == 3 }
      let ids = processIDs("\(folder)/ids")
      try await eventually("the daemon has left the group") { getsid(ids[1]) == ids[1] }
      task.cancel()
      #expect(await task.value == .cancelled)
      try await eventually("the group has ended") { !isRunning(ids[0]) && !isRunning(ids[2]) }
      #expect(isRunning(ids[1]))
      kill(ids[1], SIGKILL)
    }
  }

  @Test(arguments: ["yes", "yes >&2"])
  func `a program with endless output is ended`(lines: String) async throws {
    #expect(try await run(lines, timeLimitSeconds: 1000) == .printedTooMuch)
  }

  @Test func `long output is returned in full, and the end of long error output`() async throws {
    let answer = try await answer("head -c 1000000 /dev/zero; head -c 100000 /dev/zero >&2; echo last >&2")
    #expect(answer.output.count == 1_000_000)
    #expect(answer.errorOutput.count == 16 << 10)
    #expect(text(answer.errorOutput.suffix(5)) == "last\n")
  }

  private func processIDs(_ path: String) -> [pid_t] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 100)
    guard fgets(&text, 100, file) != nil else { return [] }
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      .split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
  }

  private func expectGone(_ path: String) async throws {
    let ids = processIDs(path)
    try #require(!ids.isEmpty)
    try await eventually("\(ids) have ended") { !ids.contains(where: isRunning) }
  }

  @Test func `the standard input is a file of any length, read by several readers from its start`() async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "head -c 3; test -f /dev/stdin && cat /dev/stdin | wc -c; tail -c 3 /dev/stdin", to: "\(folder)/program")
      let input = Array("abc".utf8) + Array(repeating: 0x20, count: 3_000_000) + Array("xyz".utf8)
      let end = await HelperProgram(path: path, timeLimitSeconds: 600, maximumByteCount: 999).run([], input: input)
      guard case .ended(let answer) = end else { throw Trouble(end: end) }
      #expect(text(answer.output) == "abc3000006\nxyz")
    }
  }

  @Test func `a decoder has limits on its memory and processor time, other programs have none`() async throws {
    try await withFolder { folder in
      // The limit follows the start.
      let path = try writeScript(
        "until test $# = 0 || grep -q 'cpu time *2 ' /proc/$$/limits; do :; done; grep -E 'data size|cpu time' /proc/$$/limits",
        to: "\(folder)/program")
      for kind in [HelperProgram.Kind.decoder, .worker] {
        let program = HelperProgram(kind, path: path, timeLimitSeconds: 600, maximumByteCount: 999)
        let end = await program.run(kind == .decoder ? [Array("wait".utf8)] : [])
        guard case .ended(let answer) = end else { throw Trouble(end: end) }
        let words = text(answer.output).split(separator: " ")
        #expect(words.contains("268435456") == (kind == .decoder) && words.contains("2") == (kind == .decoder))
      }
    }
  }
}
