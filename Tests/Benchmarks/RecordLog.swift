import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// Generated logs of the user's records.
enum RecordLog {
  static func bytes(of count: Int) -> [UInt8] { (0..<count).flatMap { lines(of: $0).flatMap(\.utf8) } }

  /// Each video is watched, a third has a position and its duration, and each tenth is described.
  private static func lines(of number: Int) -> [String] {
    var video = Video(
      id: "https://www.youtube.com/watch?v=\(number)", title: "The long way down, part \(number)", playback: .unknown)
    video.pageURL = WebAddress(video.id)
    video.channel = "Channel \(number % 7)"
    let (key, time) = (VideoKey(video), 1_700_000_000_000 + number)
    var values: [UserValue] = [.watched(UnixTime(seconds: time / 1_000))]
    if number % 3 == 0 { values += [.position(number % 3_000 + 1), .duration(4_000)] }
    if number % 10 == 0 { values.append(.video(StoredVideo(video))) }
    return values.map { UserEvent(time: time, device: "a", key: key, value: $0).line }
  }
}
