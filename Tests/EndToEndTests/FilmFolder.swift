import Foundation
import Synchronization
import TestSupport

/// A folder with videos for a test, each ten minutes long, so that none ends during it.
enum FilmFolder {
  static let seconds = 600

  /// Why there can be no videos to play; nil if there can.
  static let obstacle = ["mpv", "ffmpeg"].first { installedProgram($0) == nil }.map { "\($0) is not installed" }

  /// The videos that were made for any test, by their contents.
  private static let made = Mutex<[Content: String]>([:])
  private static let folder: String = {
    let folder = "/tmp/feedfall-films-\(getpid())"
    mkdir(folder, 0o700)
    atexit { try? FileManager.default.removeItem(atPath: FilmFolder.folder) }
    return folder
  }()

  private struct Content: Hashable {
    var size: String
    var hertz: Int?
  }

  /// Makes videos with a picture and a tone; nil for no sound.
  static func make(_ names: String..., in folder: String, size: String = "160x90", hertz: Int? = 440) throws {
    let film = try made.withLock { made in
      let content = Content(size: size, hertz: hertz)
      let path = try made[content] ?? encode(content, number: made.count)
      made[content] = path
      return path
    }
    for name in names { try FileManager.default.copyItem(atPath: film, toPath: "\(folder)/\(name).mp4") }
  }

  private static func encode(_ content: Content, number: Int) throws -> String {
    let path = "\(folder)/\(number).mp4"
    // A whole number of frames of AC-3, so that the repeated part has no gaps.
    let sound = content.hertz.map { ["-f", "lavfi", "-i", "sine=\($0):r=48000", "-c:a", "ac3"] } ?? []
    try runFFmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=\(content.size):r=10"] + sound
        + ["-t", "\(seconds / 25)", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path + ".part.mp4"])
    try runFFmpeg(["-stream_loop", "24", "-i", path + ".part.mp4", "-c", "copy", path])
    return path
  }

  private static func runFFmpeg(_ arguments: [String]) throws {
    guard let ffmpeg = installedProgram("ffmpeg") else { throw TestFailure("no ffmpeg") }
    let outcome = try runBlocking(ffmpeg, ["-v", "error"] + arguments)
    guard outcome.status == 0 else { throw TestFailure("ffmpeg: \(outcome.errors)") }
  }

  /// Writes a feed of videos in its folder; returns its path.
  ///
  /// - Parameter page: the address of the page of each video.
  static func makeFeed(of names: String..., page: String? = nil, in folder: String) throws -> String {
    let page = page.map { "\"page\": \"\($0)\", " } ?? ""
    let items = names.map { name in
      "{\"title\": \"\(name)\", \"url\": \"\(name).mp4\", \(page)\"author\": \"Ann Author\", "
        + "\"cover\": \"https://films.example/\(name).jpg\"}"
    }
    let feed = "{\"title\": \"Films\", \"videos\": [\(items.joined(separator: ", "))]}"
    try feed.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
    return folder + "/feed.json"
  }
}
