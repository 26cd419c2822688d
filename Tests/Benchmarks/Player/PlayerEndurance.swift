import FeedfallSystem
import Glibc
import WaterfallEngine

/// Plays and browses with random keys in a terminal with kitty's graphics, and checks every minute that memory, open files
/// and objects of shared memory do not grow.
struct PlayerEndurance {
  private struct State {
    var megabytes: Double
    var files: Int
    var objects: Int
    var images: Int

    init(_ terminal: GraphicsTerminal) {
      let tree = ProcessTree(root: terminal.process)
      (megabytes, files) = (tree.residentMegabytes, tree.fileCount)
      (objects, images) = (tree.sharedFrameCount, terminal.current.images.count)
    }
  }

  /// Keys that neither quit nor start other programs.
  private static let keys = [
    " ", " ", " ", " ", " ", " ", "\r", "P", "p", "f", "f", "h", "j", "k", "l", "g", "G", "\u{1B}[C", "\u{1B}[D", "1",
    "5", "8", "n",
    "r",
    "]", "[", "m", "z", "B", "b", "N", "L", "t", "v", "V", "i", "?", "?", "\u{1B}", "/", "\u{C}", "\t",
  ]
  private static let sizes = [Size(width: 160, height: 45), Size(width: 120, height: 36), Size(width: 80, height: 24)]

  /// Runs with the arguments of the command line. Returns the exit status, or nil if they are for another benchmark.
  static func run(_ arguments: [String]) -> Int32? {
    guard arguments.first == "--endurance", arguments.count == 2, let minutes = Int(arguments[1]), minutes > 0 else {
      return nil
    }
    guard let folder = PlayerClips.longClips(), let program = CoverSessions.program,
      let terminal = GraphicsTerminal([program, folder], kind: .kitty, size: sizes[0])
    else {
      print("feedfall-bench: mpv or ffmpeg is missing, or feedfall is not beside feedfall-bench")
      return 2
    }
    defer { _ = system("rm -rf '\(folder)'") }
    return PlayerEndurance().run(terminal, minutes: minutes) ? 0 : 1
  }

  private func run(_ terminal: GraphicsTerminal, minutes: Int) -> Bool {
    var random = Random(state: 20_260)
    var states: [State] = []
    for minute in 1...minutes {
      press(for: 60, on: terminal, &random)
      guard !terminal.current.hasEnded else { return fail("the program has ended in minute \(minute)") }
      states.append(State(terminal))
      printState(minute, states[states.count - 1], terminal)
    }
    let isRestored = end(terminal)
    return isRestored && hasNoGrowth(states)
  }

  private func press(for seconds: Double, on terminal: GraphicsTerminal, _ random: inout Random) {
    let end = steadyMilliseconds() + seconds * 1000
    while steadyMilliseconds() < end, !terminal.current.hasEnded {
      if random.next(below: 40) == 0 { clearFilters(terminal) }
      terminal.type(Self.keys[random.next(below: Self.keys.count)])
      if random.next(below: 200) == 0 { terminal.resize(to: Self.sizes[random.next(below: Self.sizes.count)]) }
      // Between a burst and a long look.
      usleep(UInt32(random.next(below: 8) == 0 ? 1_500_000 : 20_000 + random.next(below: 200) * 1000))
    }
  }

  /// Closes prompts and clears a search or a filter that leaves no videos.
  private func clearFilters(_ terminal: GraphicsTerminal) {
    for _ in 0..<4 {
      terminal.type("\u{1B}")
      // Otherwise the next key would belong to the escape.
      usleep(100_000)
    }
  }

  private func printState(_ minute: Int, _ state: State, _ terminal: GraphicsTerminal) {
    print(
      "minute \(minute): \(Int(state.megabytes)) MB, \(state.files) files, \(state.objects) objects, \(state.images) images,"
        + " \(terminal.current.frames) frames, \(terminal.current.bytes / 1_000_000) MB written")
    fflush(nil)
  }

  /// Whether the later half needs hardly more than the earlier one; the first minutes fill caches.
  private func hasNoGrowth(_ states: [State]) -> Bool {
    guard states.count >= 4 else { return true }
    let (early, late) = (states[states.count / 4..<states.count / 2], states[(states.count * 3 / 4)...])
    func most(_ part: ArraySlice<State>, _ value: (State) -> Double) -> Double { part.map(value).max() ?? 0 }
    if most(late, \.megabytes) > most(early, \.megabytes) * 1.15 + 10 { return fail("memory grows") }
    if most(late, { Double($0.files) }) > most(early, { Double($0.files) }) + 8 { return fail("open files grow") }
    // At most three frames wait for the terminal.
    if states.contains(where: { $0.objects > 3 }) { return fail("objects of shared memory are left") }
    return true
  }

  /// Ends the program, and checks that the terminal is as before.
  private func end(_ terminal: GraphicsTerminal) -> Bool {
    let tree = ProcessTree(root: terminal.process)
    guard terminal.end() else { return fail("the program did not end with success") }
    let output = String(decoding: terminal.current.tail, as: UTF8.self)
    if !output.contains("\u{1B}[?1049l") { return fail("the screen is not restored") }
    if !terminal.current.images.isEmpty { return fail("\(terminal.current.images.count) images are left") }
    if tree.sharedFrameCount > 0 { return fail("objects of shared memory are left") }
    print("the terminal is restored; no images, objects or processes are left")
    return true
  }

  private func fail(_ reason: String) -> Bool {
    print("failed: \(reason)")
    return false
  }
}

/// The same numbers in each run (xorshift).
struct Random {
  var state: UInt64

  mutating func next(below limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(limit))
  }
}
