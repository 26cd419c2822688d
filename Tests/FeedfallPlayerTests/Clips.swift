import FeedfallSystem
import Glibc
import TestSupport
import Testing

@testable import FeedfallPlayer

/// Short videos made by FFmpeg, once for all tests.
enum Clips {
  /// Why tests with a real mpv cannot run; nil if they can.
  static let obstacle: String? =
    ["mpv", "ffmpeg"].first { InstalledPrograms.path(of: $0) == nil }.map { "\($0) is not installed" }

  static let wide = made("wide.mp4", "-t 4 \(h264) \(aac) -movflags +faststart")
  /// Long enough not to end during a test on a busy machine.
  static let long = made("long.mp4", "-t 300 \(h264) \(aac)", rate: 5)
  static let tall = made("tall.mp4", "-t 2 \(h264) -an", size: "180x320")
  static let flash = made("flash.flv", "-t 2 \(h264) \(aac)")
  static let segment = made("segment.ts", "-t 60 \(h264) \(aac)", rate: 5)
  /// Its index is at its end.
  static let late = made("late.mp4", "-t 2 \(h264) \(aac)")
  /// Larger than what mpv keeps of a stream, with its index at its end.
  static let noise = made("noise.mp4", "-t 2 -vf noise=alls=100:allf=t \(h264) -qp 10 \(aac)")
  /// Has two sound tracks, and one subtitle from beginning to end.
  static let rich = made(
    "rich.mkv", "-t 300 \(h264) \(aac) -c:s srt", rate: 5, inputs: "-f srt -i \(subtitles)",
    maps: "-map 0 -map 1 -map 1 -map 2")

  /// Returns the path of mpv under another name, which distinguishes its process.
  static func mpv(named name: String) -> String? {
    InstalledPrograms.path(of: "mpv").map { link(named: name, to: $0) }
  }

  /// Returns the path of a host of libmpv under another name.
  static func host(named name: String) -> String { link(named: name, to: builtProgram("player-probe")) }

  private static func link(named name: String, to path: String) -> String {
    symlink(path, "\(folder)/\(name)")
    return "\(folder)/\(name)"
  }

  /// The installed forms of mpv.
  static let forms: [MPVConfiguration.Form] = MPVHost.isAvailable ? [.program, .library] : [.program]

  private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 15"
  private static let aac = "-c:a aac"

  private static let folder: String = {
    let folder = "/tmp/feedfall-clips-\(getpid())"
    mkdir(folder, 0o700)
    atexit { Clips.discard() }
    return folder
  }()

  private static let subtitles: String = {
    let path = "\(folder)/lines.srt"
    guard let file = fopen(path, "we") else { return path }
    fputs("1\n00:00:00,000 --> 00:05:00,000\nspoken text\n", file)
    fclose(file)
    return path
  }()

  private static func made(
    _ name: String, _ options: String, size: String = "320x180", rate: Int = 30, inputs: String = "", maps: String = ""
  ) -> String {
    let path = "\(folder)/\(name)"
    let command = """
      ffmpeg -v error -y -f lavfi -i testsrc2=s=\(size):r=\(rate) -f lavfi -i sine=440 \(inputs) \(maps) \(options) \
      \(path) </dev/null
      """
    guard obstacle == nil, system(command) == 0 else { return "/no/clip/could/be/made" }
    return path
  }

  private static func discard() {
    _ = system("rm -rf '\(folder)'")
  }
}

extension Trait where Self == ConditionTrait {
  static var withLibrary: Self { .enabled(if: Clips.forms.contains(.library), "libmpv is not installed") }

  static var withMPV: Self {
    .enabled(if: Clips.obstacle == nil, "\(Clips.obstacle ?? "")")
  }
}
