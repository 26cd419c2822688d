import FeedfallFeeds
import FeedfallMedia
import FeedfallText
import Glibc

/// The time to store videos and to find the first ones, beside reading the same file.
enum SearchBenchmarks {
  private static let count = 200_000

  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    let folder = "/tmp/feedfall-bench-\(getpid())"
    let path = folder + "/videos.sqlite"
    defer {
      for name in [path, path + "-wal", path + "-shm"] { unlink(name) }
      rmdir(folder)
    }
    let index = VideoIndex(folder: folder, executor: globalConcurrentExecutor)
    report("store \(count) videos", ProcessorTime.milliseconds { store(in: index) }, "ms")
    var status = stat()
    stat(path, &status)
    report("file of \(count) videos", Double(status.st_size) / 1e6, "MB")
    report("read the file of \(count) videos", minimum { _ = contents(of: path) }, "ms")
    for text in ["waterfall", "water", "wa", "part 77", "waterfall channel 3 summary", "zebra"] {
      guard let words = SearchWords(text) else { continue }
      report("find the first videos with '\(text)'", minimum { _ = index.videos(with: words, limit: 50) }, "ms")
    }
    report(
      "open the file and find",
      minimum {
        let index = VideoIndex(folder: folder, executor: globalConcurrentExecutor)
        if let words = SearchWords("waterfall") { _ = index.videos(with: words, limit: 50) }
      }, "ms")
  }

  private static func store(in index: VideoIndex) {
    for start in stride(from: 0, to: count, by: 1_000) {
      index.add((start..<start + 1_000).map(video), source: "Source")
      index.close()
    }
  }

  private static func video(_ number: Int) -> Video {
    var video = Video(
      id: "https://films.example/\(number)", title: "The long way down: a waterfall in four seasons, part \(number)",
      playback: .unknown)
    video.pageURL = WebAddress(video.id)
    video.channel = "Channel \(number % 7)"
    video.summary = "A summary of video \(number) by author \(number % 977), which is about as long as many are."
    return video
  }

  private static func minimum(_ work: () -> Void) -> Double {
    (0..<7).map { _ in ProcessorTime.milliseconds(work) }.min() ?? 0
  }
}
