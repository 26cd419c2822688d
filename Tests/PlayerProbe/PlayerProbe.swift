import FeedfallPlayer
import FeedfallPlaying
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// Plays the films that it is given, one after another, and says after its own number how many files it has open
/// with each; then waits to be killed.
@main enum PlayerProbe {
  static func main() {
    var options = MPVOptions()
    options.soundOutput = "null"
    let ready = Ready()
    let player = MPVProcess(options) { report in
      if case .playing(let id, .ready) = report { ready.number.store(id.number, ordering: .relaxed) }
    }
    say("\(getpid())")
    player.perform(.setPresentation(.cells(Size(width: 20, height: 6), .whole)))
    for (number, path) in CommandLine.arguments.dropFirst().enumerated() {
      guard let file = FileAddress(path: path.utf8) else { continue }
      player.perform(.load(PlayRequest(id: PlayID(number), address: .file(file), title: path)))
      while ready.number.load(ordering: .relaxed) != number || player.takeFrame() == nil { usleep(1_000) }
      say("\(number) \(descriptorCount())")
    }
    while true { pause() }
  }

  private final class Ready: Sendable {
    let number = Atomic(-1)
  }

  private static func say(_ words: String) {
    let line = Array("\(words)\n".utf8)
    write(STDOUT_FILENO, line, line.count)
  }

  private static func descriptorCount() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
