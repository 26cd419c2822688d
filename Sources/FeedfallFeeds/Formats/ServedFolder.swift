import FeedfallText

/// The files and folders directly in one folder of a server: those in the answer of a WebDAV server (RFC 4918, 13), or
/// those of a `DirectoryListing`.
struct ServedFolder: FeedFormat {
  static let rootNames: Set<String> = ["multistatus"]

  let kind = FeedKind.directory
  private var parts: [WebAddress] = []
  /// Nil if it is unknown. Then the folder is empty.
  private let address: WebAddress?
  /// The path, decoded: servers and users encode different characters.
  private let path: [String]
  private var pictures: [String: WebAddress] = [:]
  private var files: [File] = []
  private var index = 0
  private var seen: Set<WebAddress> = []
  /// The path of the first entry that is not in the folder.
  private var outside: String?

  private struct File {
    var address: WebAddress
    var published: UnixTime?
    var byteCount: Int?
    var name: String?
  }

  private static let maximumCount = 10_000

  /// - Parameter address: the address of the listing; its path up to the last slash is that of the folder.
  init(at address: WebAddress?) {
    self.address = address
    let segments = address?.pathSegments ?? []
    path = address?.path.hasSuffix("/") == true ? segments : Array(segments.dropLast())
  }

  var hasMore = false

  var header: FeedHeader {
    FeedHeader(title: path.last.map { cleanedLine($0, limit: 200) }.nonEmpty ?? address?.shownHost, parts: parts)
  }

  var limitNotice: String? { hasMore ? "The folder has more entries than are listed. Open a subfolder." : nil }

  /// Inserts a file or a folder by a link of a web page; the path of a folder ends with a slash. Links out of the
  /// folder are ignored.
  mutating func insert(link: String, _ facts: () -> (published: UnixTime?, byteCount: Int?)) {
    guard let address, let entry = WebAddress(resolving: link, against: address), entry.hasSameOrigin(as: address),
      entry.query == nil
    else { return }
    insert(entry, facts)
  }

  private mutating func insert(_ entry: WebAddress, _ facts: () -> (published: UnixTime?, byteCount: Int?)) {
    guard !hasMore, contains(entry), !seen.contains(entry) else { return }
    guard seen.count < Self.maximumCount else {
      hasMore = true
      return
    }
    seen.insert(entry)
    if entry.path.hasSuffix("/") {
      parts.append(entry)
    } else if MediaKind(pathOf: entry) == .picture {
      pictures[Self.stem(entry).lowercased()] = entry
    } else if [.video, .audio, .stream].contains(MediaKind(pathOf: entry)) {
      let (published, byteCount) = facts()
      files.append(File(address: entry, published: published, byteCount: byteCount))
    }
  }

  private func contains(_ entry: WebAddress) -> Bool {
    let segments = entry.pathSegments
    // Also `.`, `..` and the `._` files of macOS.
    return segments.count == path.count + 1 && segments.starts(with: path) && segments.last?.hasPrefix(".") == false
  }

  /// Inserts the file that is listed in place of a folder, because the address is that of a file.
  private mutating func insert(
    fileInPlace path: String, name: String?, isMedium: Bool, published: UnixTime?, byteCount: Int?
  ) {
    guard files.isEmpty, let address, let entry = WebAddress(path: path, onServerOf: address),
      entry.pathSegments == self.path,
      isMedium || [.video, .audio].contains(MediaKind(pathOf: entry)) || name.map(FileExtension.isMediaName) == true
    else { return }
    seen.insert(entry)
    files.append(File(address: entry, published: published, byteCount: byteCount, name: name))
  }

  /// Orders files and folders by their names, in which numbers follow their values.
  private mutating func sortByName() {
    func name(_ address: WebAddress) -> ArraySlice<UInt8> {
      Array((address.pathSegments.last ?? "").lowercased().utf8)[...]
    }
    let named = files.map { (name($0.address), $0) }
    files = named.sorted { $0.0.precedesNaturally($1.0) }.map(\.1)
    parts = parts.map { (name($0), $0) }.sorted { $0.0.precedesNaturally($1.0) }.map(\.1)
  }

  /// The failure of a listing whose entries are all outside the folder: it is the listing of another one.
  func failure(after count: Int) -> FeedFailure? {
    guard seen.isEmpty, let outside else { return nil }
    return FeedFailure(
      .permanent, "the server lists paths outside this folder, such as \(cleanedLine(outside, limit: 80))",
      advice: "use the path that the server uses for the folder, or correct the paths in its proxy")
  }

  private static func stem(_ address: WebAddress) -> String { stem(address.pathSegments.last ?? "") }

  private static func stem(_ name: String) -> String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }

  mutating func next() -> Video? {
    guard index < files.count else { return nil }
    defer { index += 1 }
    return video(files[index])
  }

  private func video(_ file: File) -> Video {
    let name = file.name.map(Self.stem) ?? Self.stem(file.address)
    var video = Video(
      id: file.address.text, title: cleanedLine(name).nonEmpty ?? Video.untitled,
      playback: .direct([MediaFile(url: file.address)]))
    let covers = [name.lowercased(), "poster", "folder", "cover"].compactMap { pictures[$0] }
    video.covers = covers.prefix(1).map { Cover(url: $0) }
    video.published = file.published
    video.byteCount = file.byteCount
    return video
  }

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.init(at: address?.web)
    var reader = XMLReader(bytes, base: nil)
    while !hasMore, let element = reader.nextElement() {
      if element.name == "response" { insert(reader.content(of: element) { $0.name == "response" }) }
    }
    sortByName()
  }

  private mutating func insert(_ response: XMLElement) {
    guard let address, var reference = response.child("href")?.text.trimmed.nonEmpty else { return }
    let properties = response.children { $0.name == "propstat" }.compactMap { $0.child("prop") }
    func text(_ name: String) -> String? { properties.firstNonNil { $0.child(name)?.text.trimmed.nonEmpty } }
    let published = text("getlastmodified").flatMap { UnixTime(feedDate: $0) }
    let byteCount = text("getcontentlength").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    if properties.contains(where: { $0.child("resourcetype")?.child("collection") != nil }) {
      // Some servers name folders without the slash at the end.
      if !reference.hasSuffix("/") { reference += "/" }
    } else {
      let type = text("getcontenttype")?.lowercased() ?? ""
      insert(
        fileInPlace: reference, name: text("displayname"),
        isMedium: type.hasPrefix("video/") || type.hasPrefix("audio/"),
        published: published, byteCount: byteCount)
    }
    guard let entry = WebAddress(path: reference, onServerOf: address) else { return }
    // The root is often the entry of the listing itself. Any other path says more.
    if outside == nil || outside == "/", !entry.pathSegments.starts(with: path) { outside = entry.path }
    insert(entry) { (published, byteCount) }
  }
}

extension XMLElement {
  /// The first child with this name in any namespace: servers choose the prefix of `DAV:` freely.
  fileprivate func child(_ name: String) -> XMLElement? { children { $0.name == name }.first }
}

extension String {
  fileprivate var trimmed: String { String(decoding: Array(utf8).trimmingBlanks(), as: UTF8.self) }
}
