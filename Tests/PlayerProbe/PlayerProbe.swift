import FeedfallApp
import FeedfallPlayer
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// Prints its process ID, then plays the files in its arguments one after another and prints for each how many
/// descriptors are open; then waits to be killed. Loads a file again if mpv was killed. Is also the host of its own
/// mpv.
@main enum PlayerProbe {
  static func main() {
    if CommandLine.arguments.dropFirst().first == MPVHost.word { MPVHost.run(CommandLine.arguments.dropFirst(2)) }
    var options = MPVOptions()
    options.hostPath = InstalledPrograms.ownPath
    options.soundOutput = "null"
    let ready = Ready()
    let player = MPVPlayer(options) { report in
      switch report {
      case .event(let id, .ready): ready.number.store(id.number, ordering: .relaxed)
      case .unavailable: ready.mustLoad.store(true, ordering: .relaxed)
      default: break
      }
    }
    printLine("\(getpid())")
    player.perform(.configure(PlayerConfiguration(presentation: .cells(Size(width: 20, height: 6), .whole))))
    for (number, path) in CommandLine.arguments.dropFirst().enumerated() {
      guard let file = FileAddress(path: path.utf8) else { continue }
      ready.mustLoad.store(true, ordering: .relaxed)
      while ready.number.load(ordering: .relaxed) != number || player.dequeueFrame() == nil {
        if ready.mustLoad.exchange(false, ordering: .relaxed) {
          player.perform(.load(PlayRequest(id: PlayID(number), address: .file(file), title: path)))
        }
        usleep(1_000)
      }
      printLine("\(number) \(descriptorCount())")
    }
    while true { pause() }
  }

  private final class Ready: Sendable {
    let number = Atomic(-1)
    let mustLoad = Atomic(false)
  }

  private static func printLine(_ text: String) {
    let line = Array("\(text)\n".utf8)
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
