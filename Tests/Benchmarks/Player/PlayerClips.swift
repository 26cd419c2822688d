import FeedfallSystem
import Glibc

/// Videos for the player benchmarks, made by FFmpeg: 30 frames a second, with sound.
struct PlayerClips {
  struct Clip {
    var name: String
    var path: String
    /// In cells.
    var sizes: [(width: Int, height: Int)]
    /// The goals, as ratios to mpv's own output.
    var processorGoal: Double
    var byteGoal: Double
  }

  static let seconds = 8
  static let frameCount = seconds * 30

  private let folder: String
  private let names: [String]?
  private(set) var clips: [Clip] = []

  /// Creates the clips with these names, or all; nil if mpv or FFmpeg is missing.
  init?(names: [String]? = nil) {
    guard InstalledPrograms.path(of: "mpv") != nil, InstalledPrograms.path(of: "ffmpeg") != nil else { return nil }
    folder = "/tmp/feedfall-player-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else { return nil }
    self.names = names
    add("360p", "testsrc2=s=640x360:r=30", [(80, 24)], processorGoal: 1.3, byteGoal: 0.3)
    add("720p", "testsrc2=s=1280x720:r=30", [(80, 24), (118, 36)], processorGoal: 0.75, byteGoal: 0.3)
    add("1080p", "testsrc2=s=1920x1080:r=30", [(80, 24), (118, 36)], processorGoal: 0.65, byteGoal: 0.3)
    add(
      "noise", "mandelbrot=s=1280x720:r=30,noise=alls=12:allf=t", [(80, 24), (118, 36)], processorGoal: 1, byteGoal: 1)
  }

  /// A clip in which every cell changes with each frame.
  var noise: Clip? { clips.last }

  private mutating func add(
    _ name: String, _ source: String, _ sizes: [(Int, Int)], processorGoal: Double, byteGoal: Double
  ) {
    guard names?.contains(name) != false else { return }
    let path = "\(folder)/\(name).mp4"
    let command = """
      ffmpeg -v error -y -f lavfi -i \(source) -f lavfi -i sine=440 -t \(Self.seconds) -c:v libx264 \
      -preset ultrafast -pix_fmt yuv420p -g 30 -c:a aac -movflags +faststart \(path) </dev/null
      """
    guard system(command) == 0 else { return }
    clips.append(
      Clip(name: name, path: path, sizes: sizes, processorGoal: processorGoal, byteGoal: byteGoal))
  }

  /// Creates a folder with two videos of a minute, 720p at 30 frames a second; nil if mpv or FFmpeg is missing.
  static func longClips() -> String? {
    guard InstalledPrograms.path(of: "mpv") != nil, InstalledPrograms.path(of: "ffmpeg") != nil else { return nil }
    let folder = "/tmp/feedfall-player-long-\(getpid())"
    let command = """
      mkdir -m 700 \(folder) && cd \(folder) && ffmpeg -v error -f lavfi -i testsrc2=s=1280x720:r=30 -f lavfi \
      -i sine=440 -t 60 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 30 -c:a aac -movflags +faststart a.mp4 \
      </dev/null && ln a.mp4 b.mp4
      """
    return system(command) == 0 ? folder : nil
  }

  func discard() {
    for clip in clips { unlink(clip.path) }
    rmdir(folder)
  }
}
