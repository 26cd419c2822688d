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
    /// The marks of those videos whose marks the server states.
    public var marks: [MarkedVideo] = []
    /// The count of items in the answer, also of those that are no videos.
    public var count: Int
    /// The count of all items in the list. Some servers state 0 or the count in the answer (jellyfin#8069).
    public var total: Int
    /// The ID of the first item, by which a repeated answer is recognized.
    public var firstID: String?
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

  /// Whether the answer to a change of a mark (`UserItemDataDto`) states the new value.
  public static func confirms(_ body: [UInt8], _ change: MarkChange) -> Bool {
    change.mark.row.server.flatMap { JSONObject(document: body)?[$0.jellyfin]?.bool } == change.isSet
  }

  private static let otherCollections: Set<String> = ["music", "books", "photos", "livetv", "playlists", "boxsets"]

  /// - Parameter scope: that of the videos.
  public static func items(_ body: [UInt8], from server: JellyfinServer, in scope: FeedScope) -> Items? {
    guard let object = JSONObject(document: body), let items = object["Items"]?.elements(limit: .max) else {
      return nil
    }
    var (videos, marked): ([Video], [MarkedVideo]) = ([], [])
    for item in items.compactMap(\.object) {
      guard let video = video(item, on: server, in: scope) else { continue }
      videos.append(video)
      if let marks = marks(of: item) { marked.append(MarkedVideo(video, marks)) }
    }
    return Items(
      videos: videos, marks: marked, count: items.count, total: object.count("TotalRecordCount") ?? items.count,
      firstID: items.first?.object?["Id"]?.string)
  }
}

extension JellyfinAnswer.Named {
  fileprivate init?(_ object: JSONObject) {
    guard let id = object.id("Id") else { return nil }
    self.init(id: id, name: object.line("Name") ?? Video.untitled)
  }
}

extension JSONObject {
  fileprivate func id(_ name: StaticString) -> JellyfinID? { self[name]?.string.flatMap { JellyfinID($0) } }
}

extension JellyfinAnswer {
  private static func video(_ item: JSONObject, on server: JellyfinServer, in scope: FeedScope) -> Video? {
    guard let id = item.id("Id"), item["IsFolder"]?.bool != true, ["Video", nil].contains(item["MediaType"]?.string),
      item["LocationType"]?.string != "Virtual"
    else { return nil }
    var video = Video(id: id.text, title: title(of: item), playback: .unknown)
    video.scope = scope
    video.adopt(versions(of: item, id, on: server))
    video.duration = seconds(item["RunTimeTicks"]).flatMap { VideoDuration(seconds: $0.rounded()) }
    video.covers = [cover(of: item, id, on: server)].compactMap(\.self)
    video.pageURL = server.page(of: id)
    video.channel = item.line("SeriesName") ?? item.objects("Studios", limit: 1).first?.line("Name")
    video.published = item.time("PremiereDate") ?? item.time("DateCreated")
    video.year = item["ProductionYear"]?.integer
    video.summary = item.paragraphs("Overview", as: .html)
    if let data = item["UserData"]?.object {
      video.resumeSeconds = Int(seconds(data["PlaybackPositionTicks"]) ?? 0)
      video.resumeTime = data["LastPlayedDate"]?.string.flatMap { UnixTime(rfc3339: $0) }
    }
    return video
  }

  /// The marks of the user; nil if the server does not state all.
  private static func marks(of item: JSONObject) -> Set<Mark>? {
    let data = item["UserData"]?.object
    var marks: Set<Mark> = []
    for mark in Mark.exchanged {
      guard let isSet = mark.row.server.flatMap({ data?[$0.jellyfin]?.bool }) else { return nil }
      if isSet { marks.insert(mark) }
    }
    return marks
  }

  /// Among equals, the first one is the version with the ID of the item.
  private static func versions(of item: JSONObject, _ id: JellyfinID, on server: JellyfinServer) -> [OfferedFile] {
    let versions = item.objects("MediaSources").compactMap { source in source.id("Id").map { ($0, source) } }
    return (versions.isEmpty ? [(id, item)] : versions).map { version, source in
      // The server can only send a disc as a converted stream.
      let isDisc = ["Dvd", "BluRay", "Iso"].contains((source["VideoType"] ?? item["VideoType"])?.string)
      var file =
        isDisc
        ? OfferedFile(server.convertedStream(of: id, version: version), type: OfferedFile.hls)
        : OfferedFile(server.stream(of: id, version: version), type: nil)
      file.kind = .video
      file.rank = version == id ? 0 : 1
      if !isDisc { file.byteCount = source["Size"]?.integer.flatMap { $0 > 0 ? $0 : nil } }
      let picture = source.objects("MediaStreams").first { $0["Type"]?.string == "Video" }
      file.size = (picture ?? item).pictureSize("Width", "Height")
      return file
    }
  }

  /// The name; of an episode with its series and numbers.
  private static func title(of item: JSONObject) -> String {
    let name = item.line("Name", limit: 500) ?? Video.untitled
    guard let series = item.line("SeriesName") else { return name }
    let (first, last) = (item.count("IndexNumber"), item.count("IndexNumberEnd"))
    let isDouble = first.flatMap { first in last.map { $0 > first } } ?? false
    let numbers = [("S", item.count("ParentIndexNumber")), ("E", first), ("-E", isDouble ? last : nil)]
    let place = numbers.compactMap { letter, number in number.map { letter + ($0 < 10 ? "0\($0)" : "\($0)") } }
      .joined()
    return place.isEmpty ? "\(series): \(name)" : "\(series) \(place): \(name)"
  }

  private static func seconds(_ ticks: JSONValue?) -> Double? {
    ticks?.double.map { $0 / JellyfinServer.ticksPerSecond }.flatMap { (0...1e8).contains($0) ? $0 : nil }
  }

  private static func cover(of item: JSONObject, _ id: JellyfinID, on server: JellyfinServer) -> Cover? {
    if let tag = item["ImageTags"]?.object?.id("Primary") {
      let width = JellyfinServer.imageWidth
      let ratio = item["PrimaryImageAspectRatio"]?.double.flatMap { (0.2...5).contains($0) ? $0 : nil }
      return Cover(
        url: server.image(of: id, tag: tag), width: ratio.map { _ in width },
        height: ratio.map { Int(Double(width) / $0) })
    }
    guard let series = item.id("SeriesId"), let tag = item.id("SeriesPrimaryImageTag") else { return nil }
    return Cover(url: server.image(of: series, tag: tag))
  }
}
