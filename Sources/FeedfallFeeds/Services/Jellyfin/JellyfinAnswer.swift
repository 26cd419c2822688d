import FeedfallDocuments
import FeedfallText

/// The answers of a Jellyfin server (`UserDto`, `BaseItemDto` and `BaseItemDtoQueryResult` of its OpenAPI description).
public enum JellyfinAnswer {
  /// A user or a library.
  public struct Named: Equatable, Sendable {
    public let id: JellyfinID
    public let name: String
  }

  public struct Items: Equatable, Sendable {
    public var videos: [Video]
    /// The count of items in the answer, also of those that are no videos.
    public var count: Int
    /// The count of all items in the list.
    public var total: Int
  }

  public static func user(_ body: [UInt8]) -> Named? { JSONObject(document: body).flatMap { Named($0) } }

  public static func users(_ body: [UInt8]) -> [Named]? {
    JSONObject(document: Array(#"{"Items":"#.utf8) + body + [UInt8(ascii: "}")])?["Items"]?
      .elements(limit: .max)?.compactMap { $0.object.flatMap { Named($0) } }
  }

  /// Returns the libraries that may contain videos.
  public static func libraries(_ body: [UInt8]) -> [Named]? {
    let items = JSONObject(document: body)?["Items"]?.elements(limit: .max)?.compactMap(\.object)
    return items?.filter { !otherCollections.contains($0["CollectionType"]?.string ?? "") }.compactMap { Named($0) }
  }

  private static let otherCollections: Set<String> = ["music", "books", "photos", "livetv", "playlists", "boxsets"]

  public static func items(_ body: [UInt8], from server: JellyfinServer) -> Items? {
    guard let object = JSONObject(document: body), let items = object["Items"]?.elements(limit: .max) else {
      return nil
    }
    let videos = items.compactMap { $0.object.flatMap { JellyfinItem($0, server: server)?.video } }
    return Items(videos: videos, count: items.count, total: object.count("TotalRecordCount") ?? items.count)
  }
}

extension JellyfinAnswer.Named {
  fileprivate init?(_ object: JSONObject) {
    guard let id = object["Id"]?.string.flatMap({ JellyfinID($0) }) else { return nil }
    self.init(id: id, name: object.line("Name") ?? Video.untitled)
  }
}

/// A film, an episode or another video.
private struct JellyfinItem {
  let item: JSONObject
  let id: JellyfinID
  let server: JellyfinServer

  /// Returns nil for an item that is no video.
  init?(_ item: JSONObject, server: JellyfinServer) {
    guard let id = item["Id"]?.string.flatMap({ JellyfinID($0) }), item["IsFolder"]?.bool != true,
      ["Video", nil].contains(item["MediaType"]?.string), item["LocationType"]?.string != "Virtual"
    else { return nil }
    self.item = item
    self.id = id
    self.server = server
  }

  var video: Video {
    var video = Video(id: id.text, title: title, playback: .direct([MediaFile(url: server.stream(of: id))]))
    video.duration = seconds(item["RunTimeTicks"]).flatMap { VideoDuration(seconds: $0.rounded()) }
    video.covers = [cover].compactMap { $0 }
    video.pageURL = server.page(of: id)
    video.channel = item.line("SeriesName") ?? studio
    video.published = date("PremiereDate") ?? date("DateCreated")
    video.year = item["ProductionYear"]?.integer
    video.summary = item.paragraphs("Overview")
    if let data = item["UserData"]?.object {
      video.resumeSeconds = Int(seconds(data["PlaybackPositionTicks"]) ?? 0)
      video.resumeTime = data["LastPlayedDate"]?.string.flatMap { UnixTime(rfc3339: $0) }
    }
    return video
  }

  /// The name; of an episode with its series and numbers.
  private var title: String {
    let name = item.line("Name", limit: 500) ?? Video.untitled
    guard let series = item.line("SeriesName") else { return name }
    let numbers = [("S", item.count("ParentIndexNumber")), ("E", item.count("IndexNumber"))]
    let place = numbers.compactMap { letter, number in number.map { letter + ($0 < 10 ? "0\($0)" : "\($0)") } }.joined()
    return place.isEmpty ? "\(series): \(name)" : "\(series) \(place): \(name)"
  }

  private var studio: String? { item.objects("Studios", limit: 1).first?.line("Name") }

  private func date(_ name: StaticString) -> UnixTime? { item[name]?.string.flatMap { UnixTime(rfc3339: $0) } }

  private func seconds(_ ticks: JSONValue?) -> Double? {
    ticks?.double.map { $0 / JellyfinReport.ticksPerSecond }.flatMap { (0...1e8).contains($0) ? $0 : nil }
  }

  /// The picture of the item, or of its series.
  private var cover: Cover? {
    if let tag = item["ImageTags"]?.object?["Primary"]?.string.flatMap({ JellyfinID($0) }) {
      let width = JellyfinServer.imageWidth
      let ratio = item["PrimaryImageAspectRatio"]?.double.flatMap { (0.2...5).contains($0) ? $0 : nil }
      return Cover(
        url: server.image(of: id, tag: tag), width: ratio.map { _ in width },
        height: ratio.map { Int(Double(width) / $0) })
    }
    guard let series = item["SeriesId"]?.string.flatMap({ JellyfinID($0) }),
      let tag = item["SeriesPrimaryImageTag"]?.string.flatMap({ JellyfinID($0) })
    else { return nil }
    return Cover(url: server.image(of: series, tag: tag))
  }
}
