import CFeedfall
import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// A local feed document, whose videos are decoded as its pages are requested.
final class LocalDocument: Sendable {
  let name: String
  private let firstCount: Int
  private let laterCount: Int
  private let address: MediaAddress?
  private let scope: FeedScope?
  private let contentType: String
  private let read: @Sendable () async throws(FeedFailure) -> [UInt8]
  /// The reading that the next page continues; nil while a page is being read.
  private let reading = Mutex<Reading?>(nil)

  /// - Parameters:
  ///   - address: the base of relative addresses in the document. A document that is a file can name other files.
  ///   - scope: the feed within which its IDs may be unique; nil if it is unknown.
  ///   - read: called for each reading from the start.
  init(
    name: String, address: MediaAddress? = nil, scope: FeedScope? = nil, contentType: String = "",
    firstCount: Int = LocalDocument.firstCount, laterCount: Int = LocalDocument.laterCount,
    read: @escaping @Sendable () async throws(FeedFailure) -> [UInt8]
  ) {
    (self.name, self.address, self.scope, self.contentType) = (name, address, scope, contentType)
    self.firstCount = max(1, firstCount)
    self.laterCount = max(1, laterCount)
    self.read = read
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    let start: Int
    switch cursor {
    case .start: start = 0
    case .item(let item): start = item
    case .page, .offset, .address, .archive: throw FeedFailure(.noSuchPage)
    }
    do {
      var reading = try await dequeueReading(at: start)
      try reading.skip(to: start)
      var page = try reading.nextPage(start == 0 ? firstCount : laterCount)
      if address?.file != nil { page.videos = page.videos.map(NearbyFile.resolved) }
      self.reading.withLock { [reading] in $0 = reading }
      return page
    } catch { throw named(error) }
  }

  private func dequeueReading(at start: Int) async throws(FeedFailure) -> Reading {
    let stored = reading.withLock { $0.take() }
    if let stored, start > 0, stored.position == start { return stored }
    return Reading(
      FeedDocumentReader(
        try await read(), from: address, contentType: contentType, scope: scope,
        fileExists: address?.file == nil ? nil : LocalFile.exists))
  }

  /// Returns a decoder's failure, which is about a server's answer, with the document's name instead.
  private func named(_ failure: FeedFailure) -> FeedFailure {
    let answer = "the answer "
    guard failure.reason.hasPrefix(answer) else { return failure }
    let isAboutAddress = failure.advice?.contains("address") ?? true
    return FeedFailure(
      .permanent, "\(name) \(failure.reason.dropFirst(answer.count))",
      advice: isAboutAddress ? "check its content" : failure.advice)
  }

  /// The first page is small, so that it is shown at once. Later ones are large, because they need no request.
  static let firstCount = 60
  static let laterCount = 500
  private static let catalogueCount = 12

  static func catalogue(pageSize: Int?) -> LocalDocument {
    let count = pageSize ?? catalogueCount
    return LocalDocument(name: "built-in catalogue", firstCount: count, laterCount: count) {
      () throws(FeedFailure) in
      Array(UnsafeRawBufferPointer(start: catalogue_bytes(), count: catalogue_byte_count()))
    }
  }

  /// A pipe or a device is read once and stored for further readings.
  static func file(_ path: String, pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let parts = (PathAlias.target(of: path) ?? Array(path.utf8)).split(separator: UInt8(ascii: "/"))
    let name = cleanedLine(parts.last.map { String(decoding: $0, as: UTF8.self) } ?? path, limit: 48)
    if let pipe = try LocalFile(path).pipe(name) { return stream(pipe, name: name, pageSize: pageSize) }
    let file = Files.absolutePathBytes(path).flatMap { FileAddress(path: $0) }
    return LocalDocument(
      name: name, address: file.map(MediaAddress.file), scope: file.map { FeedScope($0) },
      firstCount: pageSize ?? firstCount, laterCount: pageSize ?? laterCount
    ) { () async throws(FeedFailure) in
      let file = try LocalFile(path)
      return if let pipe = file.pipe(name) { try await pipe.bytes() } else { try file.bytes() }
    }
  }

  static func standardInput(pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let name = "standard input"
    guard isatty(STDIN_FILENO) == 0 else { throw FeedFailure(.inputIsTerminal) }
    let folder = Files.absolutePathBytes(".").flatMap { FileAddress(path: $0 + [UInt8.slash]) }
    let pipe = PipeContent(STDIN_FILENO, owner: nil, name: name)
    return stream(pipe, name: name, address: folder.map(MediaAddress.file), pageSize: pageSize)
  }

  static func stream(
    _ pipe: PipeContent, name: String, address: MediaAddress? = nil, pageSize: Int?
  ) -> LocalDocument {
    LocalDocument(
      name: name, address: address, firstCount: pageSize ?? firstCount, laterCount: pageSize ?? laterCount,
      read: pipe.bytes)
  }

  private struct Reading: Sendable {
    private(set) var position = 0
    private var reader: FeedDocumentReader
    private var pending: [Video] = []
    private var reportedSkips = 0

    init(_ reader: FeedDocumentReader) { self.reader = reader }

    mutating func nextPage(_ count: Int) throws(FeedFailure) -> FeedPage {
      // One more video shows whether another page follows.
      try fill(upTo: count + 1)
      let videos = Array(pending.prefix(count))
      pending.removeFirst(videos.count)
      position += videos.count
      let isLast = pending.isEmpty && reader.isAtEnd
      defer { reportedSkips = reader.skippedCount }
      var page = FeedPage(
        videos: videos, next: isLast ? nil : .item(position), total: isLast ? position : reader.total,
        skippedCount: reader.skippedCount - reportedSkips, title: reader.title)
      page.summary = reader.summary
      page.cover = reader.cover
      page.notice = page.skippedCount > 0 ? reader.notice : isLast ? reader.endNotice : nil
      return page
    }

    mutating func skip(to target: Int) throws(FeedFailure) {
      while position < target {
        let page = try nextPage(min(target - position, 500))
        if page.next == nil || page.videos.isEmpty { return }
      }
    }

    private mutating func fill(upTo count: Int) throws(FeedFailure) {
      while pending.count < count, !reader.isAtEnd {
        do { pending += try reader.nextVideos(count - pending.count) } catch {
          // The videos before the fault are returned first. The next page throws the fault again.
          if pending.isEmpty { throw error }
          return
        }
      }
    }
  }
}
