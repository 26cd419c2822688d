import CFeedfall
import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// A local feed document, read piece by piece as its pages are requested.
final class LocalDocument: Sendable {
  let name: String
  private let firstCount: Int
  private let laterCount: Int
  private let address: MediaAddress?
  private let scope: FeedScope?
  private let contentType: String
  private let open: @Sendable () throws(FeedFailure) -> any DocumentBytes
  /// The reading that the next page continues; nil while a page is being read.
  private let reading = Mutex<Reading?>(nil)

  /// - Parameters:
  ///   - address: the base of relative addresses in the document. A document that is a file can name other files.
  ///   - scope: the feed within which its IDs may be unique; nil if it is unknown.
  ///   - open: called for each reading from the start.
  init(
    name: String, address: MediaAddress? = nil, scope: FeedScope? = nil, contentType: String = "", firstCount: Int,
    laterCount: Int,
    open: @escaping @Sendable () throws(FeedFailure) -> any DocumentBytes
  ) {
    (self.name, self.address, self.scope, self.contentType) = (name, address, scope, contentType)
    self.firstCount = max(1, firstCount)
    self.laterCount = max(1, laterCount)
    self.open = open
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    do { return try await load(cursor) } catch { throw named(error) }
  }

  private func load(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    let start: Int
    switch cursor {
    case .start: start = 0
    case .item(let item): start = item
    case .page, .offset, .address, .archive: throw FeedFailure(.noSuchPage)
    }
    var reading = try dequeueReading(at: start)
    do {
      try await reading.skip(to: start)
      let page = try await reading.nextPage(start == 0 ? firstCount : laterCount)
      store(reading)
      return page
    } catch {
      if error == .cancelled { store(reading) }
      throw error
    }
  }

  private func dequeueReading(at start: Int) throws(FeedFailure) -> Reading {
    let stored = reading.withLock { $0.take() }
    if let stored, start > 0, stored.position == start { return stored }
    let bytes = try open()
    let reader = FeedDocumentReader(
      address: address, contentType: contentType, scope: scope, isAtHand: !bytes.isGrowing,
      fileExists: address?.file == nil ? nil : LocalFile.exists)
    return Reading(bytes, reader)
  }

  private func store(_ used: Reading) { reading.withLock { $0 = used } }

  /// Returns a decoder's failure, which is about a server's answer, with the document's name instead.
  private func named(_ failure: FeedFailure) -> FeedFailure {
    let answer = "the answer "
    guard failure.reason.hasPrefix(answer) else { return failure }
    let isAboutAddress = failure.advice?.contains("address") ?? true
    return FeedFailure(
      .permanent, "\(name) \(failure.reason.dropFirst(answer.count))",
      advice: isAboutAddress ? "check its content" : failure.advice)
  }
}

extension LocalDocument {
  /// The first page is small, so that it is shown at once. Later ones are large, because they need no request.
  static let firstCount = 60
  static let laterCount = 500
  /// The sizes of a piece and of the largest user document, in bytes.
  static let (pieceByteCount, maximumByteCount) = (128 << 10, 1 << 30)
  private static let catalogueCount = 12

  static func catalogue(pageSize: Int?) -> LocalDocument {
    let count = pageSize ?? catalogueCount
    return LocalDocument(name: "built-in catalogue", firstCount: count, laterCount: count) {
      () throws(FeedFailure) in Catalogue()
    }
  }

  static func cached(_ bytes: CachedDocument.Bytes, scope: FeedScope?) -> LocalDocument {
    LocalDocument(
      name: "the cached feed", address: .web(bytes.answer.address), scope: scope, contentType: bytes.answer.contentType,
      firstCount: firstCount, laterCount: laterCount
    ) { () throws(FeedFailure) in bytes }
  }

  /// A pipe or a device is read once and stored for further readings.
  static func file(_ path: String, pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let parts = (PathAlias.target(of: path) ?? Array(path.utf8)).split(separator: UInt8(ascii: "/"))
    let name = cleanedLine(parts.last.map { String(decoding: $0, as: UTF8.self) } ?? path, limit: 48)
    switch try LocalFile.open(path) {
    case .file:
      let file = Files.absolutePathBytes(path).flatMap { FileAddress(path: $0) }
      return LocalDocument(
        name: name, address: file.map(MediaAddress.file), scope: file.map { FeedScope($0) },
        firstCount: pageSize ?? firstCount, laterCount: pageSize ?? laterCount
      ) { () throws(FeedFailure) in
        switch try LocalFile.open(path) {
        case .file(let file): return file
        case .stream(let descriptor): return try Spool(input: descriptor, isOwned: true, name: name)
        }
      }
    case .stream(let descriptor): return try stream(descriptor, isOwned: true, name: name, pageSize: pageSize)
    }
  }

  static func standardInput(pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let name = "standard input"
    guard isatty(STDIN_FILENO) == 0 else { throw FeedFailure(.inputIsTerminal) }
    let folder = Files.absolutePathBytes(".").flatMap { FileAddress(path: $0 + [UInt8.slash]) }
    return try stream(
      STDIN_FILENO, isOwned: false, name: name, address: folder.map(MediaAddress.file), pageSize: pageSize)
  }

  static func stream(
    _ descriptor: Int32, isOwned: Bool, name: String, address: MediaAddress? = nil, pageSize: Int?
  ) throws(FeedFailure) -> LocalDocument {
    let spool = try Spool(input: descriptor, isOwned: isOwned, name: name)
    return LocalDocument(
      name: name, address: address, firstCount: pageSize ?? firstCount, laterCount: pageSize ?? laterCount
    ) { () throws(FeedFailure) in spool }
  }
}

extension LocalDocument {
  private struct Reading: Sendable {
    private(set) var position = 0
    private let bytes: any DocumentBytes
    private var reader: FeedDocumentReader
    private var offset = 0
    private var isComplete = false
    private var pending: [Video] = []
    private var reportedSkips = 0

    /// How long a page that has videos waits for a slow producer.
    private static let timeoutMilliseconds = 100

    init(_ bytes: any DocumentBytes, _ reader: FeedDocumentReader) {
      (self.bytes, self.reader) = (bytes, reader)
    }

    /// Has fewer videos if the rest has not arrived yet. A cancelled call loses nothing; another failure is the end.
    mutating func nextPage(_ count: Int) async throws(FeedFailure) -> FeedPage {
      // One more video shows whether another page follows, unless that would block.
      try await fill(upTo: bytes.isGrowing ? count : count + 1)
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

    mutating func skip(to target: Int) async throws(FeedFailure) {
      while position < target {
        let page = try await nextPage(min(target - position, 500))
        if page.next == nil || page.videos.isEmpty { return }
      }
    }

    private mutating func fill(upTo count: Int) async throws(FeedFailure) {
      while pending.count < count, !reader.isAtEnd {
        let more: [Video]
        do {
          more = try reader.nextVideos(count - pending.count)
        } catch {
          // The videos before the fault are returned first. The next page throws the fault again.
          if pending.isEmpty { throw error }
          return
        }
        pending += more
        guard more.isEmpty, !reader.isAtEnd else { continue }
        guard try await readOn() else { return }
      }
    }

    /// Returns false if there are no bytes at present.
    private mutating func readOn() async throws(FeedFailure) -> Bool {
      guard !isComplete else { return false }
      switch await bytes.read(
        at: offset, timeoutMilliseconds: pending.isEmpty ? nil : Self.timeoutMilliseconds)
      {
      case .bytes(let piece):
        offset += piece.count
        reader.push(piece[...])
      case .end:
        isComplete = true
        reader.finish()
      case .nothingYet: return false
      case .failed(let failure): throw failure
      }
      return true
    }
  }
}

extension LocalDocument {
  private struct Catalogue: DocumentBytes {
    var isGrowing: Bool { false }

    func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece {
      let all = UnsafeRawBufferPointer(start: catalogue_bytes(), count: catalogue_byte_count())
      guard offset < all.count else { return .end }
      return .bytes(Array(all[offset..<min(all.count, offset + LocalDocument.pieceByteCount)]))
    }
  }
}

protocol DocumentBytes: Sendable {
  /// Whether bytes may still arrive, so that reading ahead could block.
  var isGrowing: Bool { get }

  /// Waits at most `timeoutMilliseconds`; nil for no limit.
  func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece
}

enum DocumentPiece: Equatable, Sendable {
  case bytes([UInt8])
  case nothingYet
  case end
  case failed(FeedFailure)
}
