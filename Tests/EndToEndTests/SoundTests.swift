import Foundation
import TestSupport
import Testing

/// The sound of a video, recorded from the sink of a sound server.
@Suite(
  .hangLimit, .serialized, .enabled(if: Tmux.path != nil, "tmux is not installed"),
  .enabled(if: FilmFolder.obstacle == nil, "\(FilmFolder.obstacle ?? "")"),
  .enabled(
    if: installedProgram("pulseaudio") != nil && installedProgram("parec") != nil, "pulseaudio is not installed"))
struct SoundTests {
  private static let hertz = 1_000

  @Test func `a tone is heard, muted, and at a lower volume`() async throws {
    try await withFolder { folder in
      try await onThread {
        let server = try SoundServer(in: folder)
        defer { server.end() }
        let films = folder + "/films"
        try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: true)
        try FilmFolder.make("tone", in: films, hertz: Self.hertz)
        let tmux = try Tmux(
          width: 120, height: 40,
          environment: ["PULSE_SERVER": server.address, "PULSE_COOKIE": folder + "/cookie", "XDG_STATE_HOME": folder])
        defer { tmux.close() }
        try tmux.start("--images none \(films)")
        try tmux.waitUntilIdle()
        try server.wait(for: "silence before the video") { $0.level == 0 }
        try tmux.press("Space")
        try server.wait(for: "the tone") { $0.isTone(Self.hertz) }
        let loud = try server.latest().amplitude(Self.hertz)
        try tmux.press("m")
        try server.wait(for: "silence") { $0.level < loud / 1_000 }
        try tmux.press("m")
        try server.wait(for: "the tone as before") {
          $0.isTone(Self.hertz) && abs($0.amplitude(Self.hertz) / loud - 1) < 0.1
        }
        try tmux.press("-", "-", "-", "-")
        // The volume of 80 % is 0.8³ of the amplitude.
        try server.wait(for: "a quieter tone") {
          $0.isTone(Self.hertz) && abs($0.amplitude(Self.hertz) / loud - 0.512) < 0.05
        }
        try tmux.press("q", "C-c")
        try tmux.waitForShell()
      }
    }
  }
}

/// A sound server with a sink that plays into the void, and a recording of it.
private final class SoundServer {
  let address: String
  private let recording: String
  private let server = Process()
  private let recorder = Process()

  init(in folder: String) throws {
    address = "unix:\(folder)/sound"
    recording = folder + "/recording"
    _ = FileManager.default.createFile(atPath: recording, contents: nil)
    let environment = [
      "HOME": folder, "XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": "disabled:", "PATH": "/usr/bin:/bin",
    ]
    try start(
      server, "/usr/bin/pulseaudio",
      [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "-L",
        "module-null-sink sink_name=void rate=\(Sound.rate)", "-L",
        "module-native-protocol-unix socket=\(folder)/sound auth-anonymous=1",
      ], environment)
    try blockUntil("the sound server listens") { FileManager.default.fileExists(atPath: folder + "/sound") }
    recorder.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: recording))
    try start(
      recorder, "/usr/bin/parec",
      [
        "--server=\(address)", "--device=void.monitor", "--raw", "--format=float32le", "--rate=\(Sound.rate)",
        "--channels=1", "--latency-msec=20",
      ], environment)
    try wait(for: "the recording") { $0.samples.count == Sound.window }
  }

  func end() {
    recorder.end()
    server.end()
  }

  private func start(
    _ process: Process, _ path: String, _ arguments: [String], _ environment: [String: String]
  ) throws {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func wait(for description: String, _ holds: (Sound) -> Bool) throws {
    var last = Sound(samples: [])
    try blockUntil("\(description) is heard; the level is \(last.level)") {
      last = try latest()
      return last.samples.count == Sound.window && holds(last)
    }
  }

  /// The last half of a second.
  func latest() throws -> Sound {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: recording))
    defer { try? file.close() }
    let size = try file.seekToEnd() / 4 * 4
    try file.seek(toOffset: size - min(size, UInt64(Sound.window * 4)))
    return Sound(try file.read(upToCount: Sound.window * 4) ?? Data())
  }

}

/// Recorded samples from -1 to 1.
private struct Sound {
  static let rate = 48_000
  static let window = rate / 2

  var samples: [Float]

  init(samples: [Float]) { self.samples = samples }

  init(_ data: Data) {
    samples = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }

  /// The root of the mean square.
  var level: Double {
    samples.isEmpty ? 0 : (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  /// The amplitude of one frequency, by Goertzel's algorithm.
  func amplitude(_ hertz: Int) -> Double {
    let coefficient = 2 * cos(2 * Double.pi * Double(hertz) / Double(Self.rate))
    let (last, previous) = samples.reduce((0.0, 0.0)) { state, sample in
      (Double(sample) + coefficient * state.0 - state.1, state.0)
    }
    let power = last * last + previous * previous - coefficient * last * previous
    return 2 * max(0, power).squareRoot() / Double(max(1, samples.count))
  }

  /// Whether nearly all of the sound has this frequency.
  func isTone(_ hertz: Int) -> Bool {
    let amplitude = amplitude(hertz)
    return amplitude > 0.005 && abs(amplitude / 2.0.squareRoot() / level - 1) < 0.02
  }
}
