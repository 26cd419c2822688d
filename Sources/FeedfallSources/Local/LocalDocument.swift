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
    pageSize: Int? = nil, read: @escaping @Sendable () async throws(FeedFailure) -> [UInt8]
  ) {
    (self.name, self.address, self.scope, self.contentType) = (name, address, scope, contentType)
    firstCount = max(1, pageSize ?? Self.firstCount)
    laterCount = max(1, pageSize ?? Self.laterCount)
    self.read = read
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    let start: Int
    switch cursor {
    case .start: start = 0
    case .item(let item): start = item
    case .page, .offset, .address, .archive: throw .noSuchPage
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
    LocalDocument(name: "built-in catalogue", pageSize: pageSize ?? catalogueCount) {
      () throws(FeedFailure) in
      Array(UnsafeRawBufferPointer(start: catalogue_bytes(), count: catalogue_byte_count()))
    }
  }

  /// A pipe or a device is read once and stored for further readings.
  static func file(_ path: String, pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let parts = (PathAlias.target(of: path) ?? Array(path.utf8)).split(separator: UInt8(ascii: "/"))
    let name = cleanedLine(parts.last.map { String(decoding: $0, as: UTF8.self) } ?? path, limit: 48)
    if let pipe = try LocalFile(path).pipe(name) {
      return LocalDocument(name: name, pageSize: pageSize, read: pipe.bytes)
    }
    let file = Files.absolutePathBytes(path).flatMap { FileAddress(path: $0) }
    return LocalDocument(
      name: name, address: file.map(MediaAddress.file), scope: file.map { FeedScope($0) }, pageSize: pageSize
    ) { () async throws(FeedFailure) in
      let file = try LocalFile(path)
      return if let pipe = file.pipe(name) { try await pipe.bytes() } else { try file.bytes() }
    }
  }

  static func standardInput(pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let name = "standard input"
    guard isatty(STDIN_FILENO) == 0 else { throw .inputIsTerminal }
    let folder = Files.absolutePathBytes(".").flatMap { FileAddress(path: $0 + [UInt8.slash]) }
    let pipe = PipeContent(STDIN_FILENO, owner: nil, name: name)
    return LocalDocument(
      name: name, address: folder.map(MediaAddress.file), pageSize: pageSize, read: pipe.bytes)
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
      let header = reader.header
      var page = FeedPage(
        videos: videos, next: isLast ? nil : .item(position), total: isLast ? position : header.total,
        skippedCount: reader.skippedCount - reportedSkips, title: header.title)
      (page.summary, page.cover) = (header.summary, header.cover)
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

/// An open file, pipe or device.
final class LocalFile: Sendable {
  private let descriptor: Int32
  private let name: String
  /// A pipe or a device can be read only once.
  private let isPipe: Bool

  @Sendable static func exists(_ file: FileAddress) -> Bool { access(file.path.cString, F_OK) == 0 }

  /// Opens a file without blocking, even if it is a pipe without a writer.
  init(_ path: String) throws(FeedFailure) {
    let name = cleanedLine(path, limit: 120)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      let error = SystemError()
      let isName = !name.isEmpty && !name.contains("/") && !FileExtension.isDocumentName(name)
      throw error.number == ENOENT && isName ? .unknownName(name) : .notOpened(name, error)
    }
    do throws(FeedFailure) { isPipe = try Self.isPipe(descriptor, name) } catch {
      close(descriptor)
      throw error
    }
    (self.descriptor, self.name) = (descriptor, name)
  }

  deinit { close(descriptor) }

  private static func isPipe(_ descriptor: Int32, _ name: String) throws(FeedFailure) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .notOpened(name, SystemError()) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .notOpened(name, SystemError(EISDIR))
    case S_IFREG:
      guard status.st_size <= FeedDocumentReader.maximumByteCount else {
        throw .tooLargeFile(name)
      }
      return false
    default:
      // Reading it would take the keys from the program.
      guard isatty(descriptor) == 0 else { throw .terminal(name) }
      return true
    }
  }

  func pipe(_ name: String) -> PipeContent? { isPipe ? PipeContent(descriptor, owner: self, name: name) : nil }

  func bytes() throws(FeedFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read(
        descriptor: descriptor, limit: FeedDocumentReader.maximumByteCount, isCancelled: { Task.isCancelled })
    } catch {
      guard case .system(let error) = error else { throw .tooLargeFile(name) }
      throw .notRead(name, error)
    }
    if Task.isCancelled { throw .cancelled }
    return bytes
  }
}

/// The content of a pipe or a device, which can be read only once: it stays in memory for further readings.
final class PipeContent: Sendable {
  private let input: Int32
  private let owner: LocalFile?
  private let name: String
  private let content = Mutex(Content())

  private struct Content {
    var bytes: [UInt8] = []
    var isAtEnd = false
  }

  /// - Parameter owner: the file that closes the input.
  init(_ input: Int32, owner: LocalFile?, name: String) { (self.input, self.owner, self.name) = (input, owner, name) }

  /// Waits for the end of the input, or for more bytes than are decoded. Bytes that have arrived before the task is
  /// cancelled are not lost.
  @Sendable func bytes() async throws(FeedFailure) -> [UInt8] {
    let cancelled: WakeUp
    do { cancelled = try WakeUp() } catch { throw .notRead(name, error) }
    let result = await withTaskCancellationHandler {
      await DetachedThread.run { _ in Result { () throws(FeedFailure) in try self.read(until: cancelled) } }
    } onCancel: {
      cancelled.post()
    }
    guard let result else { throw .noThread(toRead: name) }
    return try result.get()
  }

  private func read(until cancelled: WakeUp) throws(FeedFailure) -> [UInt8] {
    var polled = [input, cancelled.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      if let bytes = content.withLock({ $0.isAtEnd ? $0.bytes : nil }) { return bytes }
      _ = poll(&polled, 2, -1)
      if polled[1].revents != 0 { throw .cancelled }
      let error = content.withLock { content in
        // Another task may have read the input meanwhile: then reading it would block.
        !content.isAtEnd && poll(&polled, 1, 0) > 0 ? readInput(&content) : nil
      }
      if let error { throw .notRead(name, error) }
    }
  }

  private func readInput(_ content: inout Content) -> SystemError? {
    var piece = [UInt8](repeating: 0, count: 128 << 10)
    let count = Glibc.read(input, &piece, piece.count)
    guard count >= 0 else {
      let error = SystemError()
      return [EAGAIN, EINTR].contains(error.number) ? nil : error
    }
    content.bytes += piece[..<count]
    content.isAtEnd = count == 0 || content.bytes.count > FeedDocumentReader.maximumByteCount
    return nil
  }
}
