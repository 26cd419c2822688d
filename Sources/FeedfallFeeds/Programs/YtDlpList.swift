import FeedfallDocuments
import FeedfallText

/// What yt-dlp prints of one address with `-J --flat-playlist` (github.com/yt-dlp/yt-dlp, `extractor/common.py`): a list
/// of videos, or of such lists, as the tabs of a channel are; a single video is a list of one.
public struct YtDlpList: Equatable, Sendable {
  public var title: String?
  public var videos: [Video] = []
  /// The lists in this one; what lies deeper is left out.
  public var lists: [YtDlpList] = []
  /// Where this list can be asked for by itself.
  public var address: WebAddress?
  /// How many entries it has here, whatever they are.
  public var entryCount = 0
  /// How many entries it says it has in all.
  public var total: Int?
  /// How many entries could not be understood and were left out.
  public var skippedCount = 0
  /// Whether it can have no more entries, being a single video.
  public var isWhole = false

  /// The most entries that are read of one list.
  private static let maximumCount = 10_000
}

extension FeedDecoder {
  /// Understands what yt-dlp has printed; nil where that is no description of a video or a list.
  /// - Complexity: O(n).
  public static func decodeYtDlp(_ output: [UInt8]) -> YtDlpList? {
    JSONObject(document: output).flatMap(YtDlpList.described)
  }
}

extension YtDlpList {
  fileprivate static func described(by object: JSONObject) -> YtDlpList? {
    var shared = SharedTexts()
    if isList(object) { return YtDlpList(list: object, &shared) }
    guard let video = YtDlpVideo(object).video(&shared) else { return nil }
    var list = YtDlpList()
    list.videos = [video]
    list.entryCount = 1
    list.isWhole = true
    return list
  }

  private init(list: JSONObject, isInner: Bool = false, _ shared: inout SharedTexts) {
    title = list["title"]?.text.map { cleanedLine($0, limit: 200) }.nonEmpty
    address = (list["webpage_url"] ?? list["original_url"])?.string.flatMap { WebAddress($0) }
    total = list["playlist_count"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    for entry in list["entries"]?.elements(limit: Self.maximumCount) ?? [] {
      entryCount += 1
      // A null stands for what yt-dlp could not get.
      if let object = entry.object, take(object, isInner: isInner, &shared) { continue }
      skippedCount += 1
    }
  }

  private mutating func take(_ entry: JSONObject, isInner: Bool, _ shared: inout SharedTexts) -> Bool {
    if Self.isList(entry) {
      guard !isInner else { return false }
      lists.append(YtDlpList(list: entry, isInner: true, &shared))
    } else if let video = YtDlpVideo(entry).video(&shared) {
      videos.append(video)
    } else {
      return false
    }
    return true
  }

  private static func isList(_ object: JSONObject) -> Bool {
    let type = object["_type"]?.string
    return type == "playlist" || type == "multi_video"
  }
}
