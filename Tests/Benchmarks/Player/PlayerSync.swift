import FeedfallApp
import FeedfallPlayer
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization
import WaterfallEngine

/// The distance between picture and sound: a video flashes and beeps at the same time, its frames are observed where
/// the main loop dequeues them, and its sound at the sink of a sound server.
enum PlayerSync {
  private static let cells = Size(width: 80, height: 24)
  private static let seconds = 12

  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    let folder = "/tmp/feedfall-sync-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else { return }
    defer { _ = system("rm -rf '\(folder)'") }
    guard let clip = clip(in: folder), let recording = BeepRecording(in: folder) else {
      let line = "feedfall-bench: picture and sound were not compared: pulseaudio or ffmpeg is missing; install both\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
      return
    }
    let flashes = flashTimes(of: clip, sink: recording.address)
    let beeps = recording.finish()
    // The first second has neither.
    let distances = zip(flashes, beeps).map { $1 - $0 }.sorted()
    guard flashes.count == beeps.count, let first = distances.first, let last = distances.last else {
      let line = "feedfall-bench: \(flashes.count) flashes were seen, \(beeps.count) beeps heard\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
      return
    }
    report("sync: sound after picture, median", distances[distances.count / 2], "ms")
    report("sync: sound and picture, longest distance (goal 60)", max(abs(first), abs(last)), "ms")
  }

  private static func clip(in folder: String) -> FileAddress? {
    let path = "\(folder)/flashes.mp4"
    let isOn = "gte(t,1)*lt(mod(t,1),0.2)"
    let command = """
      ffmpeg -v error -f lavfi -i "color=black:s=320x180:r=30,drawbox=c=white:t=fill:enable='\(isOn)'" \
      -f lavfi -i "aevalsrc='0.5*sin(2*PI*1000*t)*\(isOn)':s=48000" -t \(seconds) -c:v libx264 -preset ultrafast \
      -pix_fmt yuv420p -c:a aac \(path) </dev/null
      """
    return system(command) == 0 ? FileAddress(path: path.utf8) : nil
  }

  /// Plays the video, and returns when each flash was dequeued, in milliseconds of the steady clock.
  private static func flashTimes(of clip: FileAddress, sink: String) -> [Double] {
    setenv("PULSE_SERVER", sink, 1)
    defer { unsetenv("PULSE_SERVER") }
    let end = End()
    var options = MPVOptions()
    options.hostPath = InstalledPrograms.ownPath
    options.soundOutput = "pulse"
    let player = MPVPlayer(options) { report in
      switch report {
      case .event(_, .ended), .unavailable: end.isReached.store(true, ordering: .relaxed)
      case .event, .presentationChanged, .libraryUnusable, .screenshotSaved, .screenshotFailed, .lacksRuntime: break
      }
    }
    defer { player.shutDown() }
    player.perform(.configure(PlayerConfiguration(presentation: .cells(cells, .whole))))
    player.perform(.load(PlayRequest(id: PlayID(1), address: .file(clip), title: "Flashes")))
    var (times, wasBright): ([Double], Bool) = ([], false)
    while !end.isReached.load(ordering: .relaxed) {
      var polled = pollfd(fd: player.frameDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 100)
      guard let frame = player.dequeueFrame() else { continue }
      let isBright = frame[frame.size.width / 2, frame.size.height / 2].red > 128
      if isBright, !wasBright { times.append(steadyMilliseconds()) }
      wasBright = isBright
    }
    return times
  }

  private final class End: Sendable {
    let isReached = Atomic(false)
  }
}

/// A sound server with a sink that plays into the void, and the times of the beeps that it plays.
private final class BeepRecording {
  let address: String
  private let server: pid_t
  private let recorder: pid_t
  private let beeps = Beeps()

  private final class Beeps: Sendable {
    let times = Mutex<[Double]>([])
    let isEnded = Atomic(false)
  }

  private static let rate = 48_000
  /// The silence before a beep, in samples.
  private static let gap = rate / 4

  /// Starts a sound server and a recording; nil if PulseAudio is missing.
  init?(in folder: String) {
    address = "unix:\(folder)/sound"
    var ends: [Int32] = [-1, -1]
    guard let pulseAudio = InstalledPrograms.path(of: "pulseaudio"), let parec = InstalledPrograms.path(of: "parec"),
      pipe(&ends) == 0
    else { return nil }
    let output = ends[0]
    // The player's processes must not inherit the recording.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let environment = ["HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)", "PATH=/usr/bin:/bin"]
    server = Self.start(
      [
        pulseAudio, "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "-L",
        "module-null-sink sink_name=void rate=\(Self.rate)", "-L",
        "module-native-protocol-unix socket=\(folder)/sound auth-anonymous=1",
      ], environment, output: nil)
    let deadline = steadyMilliseconds() + 5_000
    while access("\(folder)/sound", F_OK) != 0, steadyMilliseconds() < deadline { usleep(1_000) }
    recorder = Self.start(
      [
        parec, "--server=\(address)", "--device=void.monitor", "--raw", "--format=float32le", "--rate=\(Self.rate)",
        "--channels=1", "--latency-msec=5", "--process-time-msec=5",
      ], environment, output: ends[1])
    close(ends[1])
    let isStarted = server > 0 && recorder > 0 && DetachedThread.start { [beeps] in Self.read(output, beeps) }
    guard isStarted else {
      stop()
      return nil
    }
  }

  private func stop() {
    for process in [recorder, server] where process > 0 {
      kill(process, SIGTERM)
      waitpid(process, nil, 0)
    }
  }

  /// Ends the recording; returns when each beep began, in milliseconds of the steady clock.
  func finish() -> [Double] {
    stop()
    while !beeps.isEnded.load(ordering: .acquiring) { usleep(1_000) }
    return beeps.times.withLock { $0 }
  }

  private static func start(_ command: [String], _ environment: [String], output: Int32?) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    return posix_spawn(&process, command[0], &actions, nil, &arguments, &variables) == 0 ? process : -1
  }

  /// Reads the recording until its end. The last sample of each piece was played now; earlier ones by their distance
  /// from it.
  private static func read(_ descriptor: Int32, _ beeps: Beeps) {
    defer {
      close(descriptor)
      beeps.isEnded.store(true, ordering: .releasing)
    }
    var piece = [Float](repeating: 0, count: 4_096)
    var silence = 0
    while true {
      let byteCount = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard byteCount > 0 else { return }
      let (now, count) = (steadyMilliseconds(), byteCount / 4)
      for (index, sample) in piece[..<count].enumerated() {
        guard abs(sample) > 0.05 else {
          silence += 1
          continue
        }
        if silence > gap {
          beeps.times.withLock { $0.append(now - Double(count - index) * 1_000 / Double(rate)) }
        }
        silence = 0
      }
    }
  }
}
