import Foundation
import TestSupport

/// A folder with videos for a test, each ten minutes long, so that none ends during it.
enum FilmFolder {
  static let seconds = 600

  /// Why there can be no videos to play; nil if there can.
  static let obstacle = ["mpv", "ffmpeg"].first { installedProgram($0) == nil }.map { "\($0) is not installed" }

  /// Makes videos with a picture and a tone.
  static func make(_ names: String..., in folder: String, hertz: Int = 440) throws {
    guard let ffmpeg = installedProgram("ffmpeg"), let first = names.first else { throw TestFailure("no ffmpeg") }
    let arguments = [
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=5", "-f", "lavfi", "-i", "sine=\(hertz)", "-t",
      "\(seconds)", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "\(folder)/\(first).mp4",
    ]
    let outcome = try runBlocking(ffmpeg, arguments)
    guard outcome.status == 0 else { throw TestFailure("ffmpeg: \(outcome.errors)") }
    for name in names.dropFirst() {
      try FileManager.default.copyItem(atPath: "\(folder)/\(first).mp4", toPath: "\(folder)/\(name).mp4")
    }
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
