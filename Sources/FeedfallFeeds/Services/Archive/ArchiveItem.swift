import FeedfallText

extension FeedKind {
  /// The items of the Internet Archive.
  public static let archive = FeedKind("archive", hasDetails: true, fewestVideos: 10)
}

/// An item of the Internet Archive: in an answer of its scrape API, `{"items": […], "cursor": …}`, or of its search,
/// `{"response": {"numFound": …, "start": …, "docs": […]}}`, or by itself with its files, in the answer to `metadata`.
///
/// The same member may be a text, a number or a list.
struct ArchiveItem: JSONListFormat {
  static let kind = FeedKind.archive
  static let listName: String? = "docs"
  static let parentName: String? = "response"
  static let matchesInNamedLists = true

  static func matches(_ item: JSONObject) -> Bool {
    item["identifier"] != nil && item["url"] == nil && item["id"] == nil
  }

  /// Other media are ignored.
  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    guard let item = ArchiveItem(item, address: address?.web) else { return .unusable }
    return item.isVideo ? .video(item.video(isListed: true, &shared)) : .videos([])
  }

  private let facts: JSONObject
  private let id: String
  private let address: WebAddress?

  private init?(_ facts: JSONObject, address: WebAddress?) {
    guard let id = facts.texts("identifier").first, Self.isIdentifier(id) else { return nil }
    (self.facts, self.id, self.address) = (facts, id, address)
  }

  static func isIdentifier(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
  }

  private var isCollection: Bool { mediaType == "collection" }

  /// Whether the item may contain a video; true if its type is missing.
  private var isVideo: Bool { mediaType == "movies" || mediaType == nil }

  private var mediaType: String? { facts.texts("mediatype").first?.lowercased() }

  /// The videos of an item with its files: each has the copies of one original. Sounds count only without a video.
  private func videos(_ files: FileGroups, _ shared: inout SharedTexts) -> [Video] {
    var whole = video(isListed: false, &shared)
    let groups = files.playable
    guard !groups.isEmpty else {
      if files.hasPrivateFiles {
        whole.summary = [Self.privateNotice, whole.summary].compactMap(\.self).joined(separator: "\n\n")
      }
      return [whole]
    }
    return groups.map { group in
      var video = whole
      video.adopt(group.offers)
      guard groups.count > 1 else { return video }
      video.id = "\(id)/\(group.name)"
      video.title = group.title
      video.group = whole.title
      let thumbnail = files.thumbnail(of: group).flatMap { place(path(of: $0)) }
      if let thumbnail { video.covers = [Cover(url: thumbnail)] }
      return video
    }
  }

  private static let privateNotice = "Private: the Internet Archive offers its files only on its page, if at all."

  /// - Parameter isListed: whether the item is in a list, so that its files need a request.
  private func video(isListed: Bool, _ shared: inout SharedTexts) -> Video {
    let page = place("details/\(id)")
    let details = isListed ? place("metadata/\(id)") : nil
    var video = Video(
      id: id, title: line("title", limit: 500) ?? id,
      playback: details.map { .details($0, page: page) } ?? page.map(Playback.page) ?? .unknown)
    video.covers = [place("services/img/\(id)")].compactMap { $0.map { Cover(url: $0) } }
    video.pageURL = page
    video.author =
      shared.shared(facts.texts("creator").map { cleanedLine($0) }.joined(separator: ", "))
      .nonEmpty
    video.channelURL = facts.texts("creator").first.flatMap { ArchiveSite.page(ofCreator: $0) }
    let date = facts.texts("date").first.nonEmpty
    video.year = (facts.texts("year").first.nonEmpty ?? date).flatMap(Self.year)
    // The day of the upload says nothing about a work that has a date of its own, even an unknown one.
    video.published =
      date.flatMap { UnixTime(feedDate: $0) }
      ?? (video.year == nil && date == nil
        ? facts.texts("publicdate").first.flatMap { UnixTime(feedDate: $0) } : nil)
    video.views = facts.count("downloads")
    video.summary = cleanedText(facts.texts("description").joined(separator: "\n\n"), as: .html).nonEmpty
    video.licenceURL = facts.texts("licenseurl").first.flatMap { WebAddress($0) }
    return video
  }

  /// The year at the start of a date, or of the first number behind other text: `1936-05`, `circa 1936`, `[1936?]`.
  private static func year(in text: String) -> Int? {
    if let year = Int(text.prefix(4)) { return year }
    let numbers = text.split { !("0"..."9").contains($0) }
    return numbers.first { $0.utf8.count >= 4 }.flatMap { Int($0.prefix(4)) }
  }

  private func line(_ name: StaticString, limit: Int) -> String? {
    facts.texts(name).first.map { cleanedLine($0, limit: limit) }.nonEmpty
  }

  private func place(_ path: String) -> WebAddress? { WebAddress((address?.origin ?? ArchiveSite.origin) + "/" + path) }

  /// The Archive's copies in a widely supported format come before uploaded files. Nil for a file that is neither video
  /// nor audio.
  private func offer(_ file: JSONObject, named name: String) -> OfferedFile? {
    guard let url = place(path(of: name)) else { return nil }
    let format = file["format"]?.string?.lowercased() ?? ""
    var offered = OfferedFile(url, type: nil)
    guard offered.kind == .video || offered.kind == .audio else { return nil }
    offered.size = file.pictureSize()
    offered.byteCount = file.count("size")
    offered.duration = file["length"].flatMap { $0.text }.flatMap { VideoDuration(feedText: $0) }
    offered.isWidelySupported = format.contains("h.264") || format.contains("mpeg4")
    offered.rank = (format.contains("h.264") ? 0 : 2) + (file["source"]?.string == "derivative" ? 0 : 1)
    return offered
  }

  private func path(of name: String) -> String {
    let segments = name.split(separator: "/").map { PercentCoding.encodeSegment(String($0)) }
    return "download/\(id)/" + segments.joined(separator: "/")
  }
}

extension ArchiveItem: ServiceAnswerFormat {
  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    if let facts = object["metadata"]?.object, let files = object["files"]?.elements(limit: .max) {
      return item(facts, files, from: address)
    }
    if object["is_dark"]?.bool == true { return failed("the Internet Archive has taken the item down") }
    guard object.isEmpty, address?.pathSegments.first == "metadata" else { return nil }
    return failed("the Internet Archive has no such item")
  }

  private static func failed(_ reason: String) -> ServiceAnswer {
    ServiceAnswer(kind: .archive, failure: FeedFailure(.permanent, reason, advice: "check the address"))
  }

  /// Decodes an item; the videos of a collection are found by a search.
  private static func item(_ facts: JSONObject, _ files: [JSONValue], from address: WebAddress?) -> ServiceAnswer? {
    guard let item = ArchiveItem(facts, address: address) else { return nil }
    var answer = ServiceAnswer(kind: .archive, title: facts.line("title"))
    if item.isCollection {
      answer.nextPage = ArchiveSite.search(inCollection: item.id, from: address).map(NextPage.init)
      return answer
    }
    var shared = SharedTexts()
    let groups = FileGroups(files, item.offer)
    answer.videos = item.videos(groups, &shared)
    if groups.isCut {
      answer.notice = "The item has more than \(FileGroups.maximumCount) videos. The others are left out."
    }
    if let file = ArchiveSite.file(in: address) {
      answer.videos = answer.videos.filter { $0.hasFile(named: file) }
      answer.failure = FeedFailure(
        .permanent, "the item has no video \(cleanedLine(file, limit: 80))", advice: "check the address")
    }
    return answer
  }
}

extension ArchiveItem {
  /// The playable files of an item, among up to a hundred thousand others: thumbnails, texts, checksums.
  private struct FileGroups {
    /// The copies of one original file of an item.
    struct Group {
      let name: String
      var title: String
      var offers: [OfferedFile] = []

      init(_ name: String) {
        self.name = name
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let stem = last.lastIndex(of: ".").map { String(last[..<$0]) }.nonEmpty ?? last
        title = cleanedLine(stem).nonEmpty ?? Video.untitled
      }

      var hasVideo: Bool { offers.contains { $0.kind == .video } }
    }

    private var groups: [Group] = []
    private var places: [ExactText: Int] = [:]
    private var thumbnails: [ExactText: String] = [:]
    /// Whether some playable files are restricted to certain users.
    private(set) var hasPrivateFiles = false
    private(set) var isCut = false

    static let maximumCount = 10_000

    /// - Complexity: O(n) in the bytes of the files, of which only one is decoded at a time.
    init(_ files: [JSONValue], _ offer: (JSONObject, String) -> OfferedFile?) {
      for file in files {
        guard let file = file.object, let name = file["name"]?.string else { continue }
        if file["format"]?.string == "Thumbnail" {
          let original = ExactText(original(of: file, named: name))
          if thumbnails[original] == nil { thumbnails[original] = name }
        } else if let offered = offer(file, name) {
          if file["private"]?.bool == true { hasPrivateFiles = true } else { append(offered, file, named: name) }
        }
      }
    }

    private mutating func append(_ offered: OfferedFile, _ file: JSONObject, named name: String) {
      let original = original(of: file, named: name)
      let place = places[ExactText(original)] ?? groups.count
      if place == groups.count {
        guard place < Self.maximumCount else {
          isCut = true
          return
        }
        places[ExactText(original)] = place
        groups.append(Group(original))
      }
      groups[place].offers.append(offered)
      if name == original, let title = file.line("title") { groups[place].title = title }
    }

    /// The name of the file from which a copy was made; that of the first group if the copy does not say so.
    private func original(of file: JSONObject, named name: String) -> String {
      guard file["source"]?.string == "derivative" else { return name }
      return file.texts("original").first ?? groups.first?.name ?? name
    }

    var playable: [Group] {
      let videos = groups.filter(\.hasVideo)
      return videos.isEmpty ? groups : videos
    }

    func thumbnail(of group: Group) -> String? { thumbnails[ExactText(group.name)] }
  }
}

extension Video {
  /// Whether one of the files at `/download/ID/NAME` has this name.
  fileprivate func hasFile(named name: String) -> Bool {
    guard case .direct(let files) = playback else { return false }
    return files.contains { $0.url.web?.pathSegments.dropFirst(2).joined(separator: "/") == name }
  }
}
