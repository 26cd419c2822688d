import FeedfallText

extension Service {
  /// The Internet Archive: an item in an answer of its scrape API, `{"items": […], "cursor": …}`, or of its search,
  /// `{"response": {"numFound": …, "start": …, "docs": […]}}`, or by itself with its files, in the answer to `metadata`.
  ///
  /// The same member may be a text, a number or a list.
  static let archive = Service(
    .archive, site: .archive, list: "docs", in: "response",
    matches: { $0["identifier"] != nil && $0["url"] == nil && $0["id"] == nil }, inNamedLists: true,
    // Other media are ignored.
    other: { item, _ in
      guard item.texts("identifier").first.map(ArchiveSite.isIdentifier) == true else { return .unusable }
      return ["movies", nil].contains(item.archiveType) ? nil : .ignored
    },
    facts: archiveFacts + [
      Fact { draft in
        if let details = draft.archive("metadata/\(draft.video.id)") {
          draft.video.playback = .details(details, page: draft.video.pageURL)
        }
      }
    ],
    answer: { object, address in
      if let facts = object["metadata"]?.object, let files = object["files"]?.elements(limit: .max) {
        return archiveItem(facts, files, from: address)
      }
      let isDark = object["is_dark"]?.bool == true
      guard isDark || object.isEmpty && address?.pathSegments.first == "metadata" else { return nil }
      let reason = isDark ? "the Internet Archive has taken the item down" : "the Internet Archive has no such item"
      return ServiceAnswer(kind: .archive, failure: FeedFailure(.permanent, reason, advice: "check the address"))
    },
    next: { address, end in
      if let cursor = end.facts["cursor"]?.string { return NextPage(tokens: [("cursor", cursor)], after: address) }
      let start = end.facts["start", ofList: true]?.integer
      return end.facts.found.flatMap {
        ArchiveSite.page(after: address, start: start, count: end.itemCount, found: $0)
      }
    })

  private static let archiveFacts: [Fact] = [
    Fact { $0.video.id = $0.item.texts("identifier").first ?? "" },
    Fact { draft in
      let (item, id) = (draft.item, draft.video.id)
      draft.video.title = item.texts("title").first.map { cleanedLine($0) }.nonEmpty ?? id
      draft.video.pageURL = draft.archive("details/\(id)")
      if let page = draft.video.pageURL { draft.video.playback = .page(page) }
      draft.video.covers = [draft.archive("services/img/\(id)")].compactMap { $0.map { Cover(url: $0) } }
      let creators = item.texts("creator")
      draft.video.author = draft.shared.shared(creators.map { cleanedLine($0) }.joined(separator: ", ")).nonEmpty
      draft.video.channelURL = creators.first.flatMap { ArchiveSite.page(ofCreator: $0) }
      let date = item.texts("date").first.nonEmpty
      draft.video.year = (item.texts("year").first.nonEmpty ?? date).flatMap(archiveYear)
      draft.video.published = date.flatMap { UnixTime(feedDate: $0) }
      // The day of the upload says nothing about a work that has a date of its own, even an unknown one.
      if draft.video.year == nil, date == nil {
        draft.video.published = item.texts("publicdate").first.flatMap { UnixTime(feedDate: $0) }
      }
      draft.video.summary = cleanedText(item.texts("description").joined(separator: "\n\n"), as: .html).nonEmpty
      draft.video.licenceURL = item.texts("licenseurl").first.flatMap { WebAddress($0) }
    },
    .views("downloads"),
  ]

  /// The year at the start of a date, or of the first number behind other text: `1936-05`, `circa 1936`, `[1936?]`.
  private static func archiveYear(in text: String) -> Int? {
    if let year = Int(text.prefix(4)) { return year }
    let numbers = text.split { !("0"..."9").contains($0) }
    return numbers.first { $0.utf8.count >= 4 }.flatMap { Int($0.prefix(4)) }
  }

  /// Decodes an item; the videos of a collection are found by a search.
  private static func archiveItem(
    _ facts: JSONObject, _ files: [JSONValue], from address: WebAddress?
  ) -> ServiceAnswer? {
    var draft = VideoDraft(facts, from: address.map(MediaAddress.web))
    var shared = SharedTexts()
    guard facts.texts("identifier").first.map(ArchiveSite.isIdentifier) == true,
      draft.adopt(archiveFacts, &shared)
    else { return nil }
    let video = draft.video
    var answer = ServiceAnswer(kind: .archive, title: facts.line("title"))
    if facts.archiveType == "collection" {
      answer.nextPage = ArchiveSite.search(inCollection: video.id, from: address).map { NextPage($0) }
      return answer
    }
    let groups = ArchiveFiles(files, of: draft)
    answer.videos = groups.videos(video)
    if groups.isCut {
      answer.notice = "The item has more than \(ArchiveFiles.maximumCount) videos. The others are left out."
    }
    if let file = ArchiveSite.file(in: address) {
      answer.videos = answer.videos.filter { $0.hasFile(named: file) }
      answer.failure = FeedFailure(
        .permanent, "the item has no video \(cleanedLine(file, limit: 80))", advice: "check the address")
    }
    return answer
  }
}

extension JSONObject {
  fileprivate var archiveType: String? { texts("mediatype").first?.lowercased() }
}

extension VideoDraft {
  /// An address at the Archive, or at the server of the document.
  fileprivate func archive(_ path: String) -> WebAddress? {
    WebAddress((web?.origin ?? ArchiveSite.origin) + "/" + path)
  }
}

/// The playable files of an item, among up to a hundred thousand others: thumbnails, texts, checksums.
private struct ArchiveFiles {
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
  }

  private let item: VideoDraft
  private var groups: [Group] = []
  private var places: [ExactText: Int] = [:]
  private var thumbnails: [ExactText: String] = [:]
  /// Whether some playable files are restricted to certain users.
  private var hasPrivateFiles = false
  private(set) var isCut = false

  static let maximumCount = 10_000

  /// - Complexity: O(n) in the bytes of the files, of which only one is decoded at a time.
  init(_ files: [JSONValue], of item: VideoDraft) {
    self.item = item
    for file in files {
      guard let file = file.object, let name = file["name"]?.string else { continue }
      if file["format"]?.string == "Thumbnail" {
        let original = ExactText(original(of: file, named: name))
        if thumbnails[original] == nil { thumbnails[original] = name }
      } else if let offered = offer(file, named: name) {
        if file["private"]?.bool == true { hasPrivateFiles = true } else { append(offered, file, named: name) }
      }
    }
  }

  /// The Archive's copies in a widely supported format come before uploaded files. Nil for a file that is neither video
  /// nor audio.
  private func offer(_ file: JSONObject, named name: String) -> OfferedFile? {
    guard let url = address(of: name) else { return nil }
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

  private func address(of name: String) -> WebAddress? {
    let segments = name.split(separator: "/").map { PercentCoding.encodeSegment(String($0)) }
    return item.archive("download/\(item.video.id)/" + segments.joined(separator: "/"))
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

  /// The videos of the item: each has the copies of one original. Sounds count only without a video.
  func videos(_ whole: Video) -> [Video] {
    let films = groups.filter { $0.offers.contains { $0.kind == .video } }
    let groups = films.isEmpty ? groups : films
    if groups.isEmpty, hasPrivateFiles {
      var video = whole
      let notice = "Private: the Internet Archive offers its files only on its page, if at all."
      video.summary = [notice, whole.summary].compactMap(\.self).joined(separator: "\n\n")
      return [video]
    }
    if groups.isEmpty { return [whole] }
    return groups.map { group in
      var video = whole
      video.adopt(group.offers)
      guard groups.count > 1 else { return video }
      (video.id, video.title, video.group) = ("\(whole.id)/\(group.name)", group.title, whole.title)
      if let thumbnail = thumbnails[ExactText(group.name)].flatMap(address) {
        video.covers = [Cover(url: thumbnail)]
      }
      return video
    }
  }
}

extension Video {
  /// Whether one of the files at `/download/ID/NAME` has this name.
  fileprivate func hasFile(named name: String) -> Bool {
    guard case .direct(let files) = playback else { return false }
    return files.contains { $0.url.web?.pathSegments.dropFirst(2).joined(separator: "/") == name }
  }
}
