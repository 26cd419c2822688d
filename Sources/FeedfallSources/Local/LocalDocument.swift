import FeedfallFeeds
import FeedfallText
import Glibc
import Synchronization

/// A feed document on this machine, read piece by piece as its pages are asked for.
final class LocalDocument: Sendable {
  let name: String
  private let firstCount: Int
  private let laterCount: Int
  /// What the document is called in its own addresses; nil where it has none.
  private let file: FileAddress?
  private let open: @Sendable () throws(FeedFailure) -> any DocumentBytes
  /// The reading that the next page goes on with; absent while a page is read.
  private let session = Mutex<DocumentSession?>(nil)

  /// `open` is called for every reading from the start.
  init(
    name: String, file: FileAddress? = nil, firstCount: Int, laterCount: Int,
    open: @escaping @Sendable () throws(FeedFailure) -> any DocumentBytes
  ) {
    self.name = name
    self.file = file
    self.firstCount = max(1, firstCount)
    self.laterCount = max(1, laterCount)
    self.open = open
  }

  func page(_ cursor: FeedCursor) async -> Result<FeedPage, FeedFailure> {
    do {
      return .success(try await load(cursor))
    } catch {
      return .failure(inPlace(error))
    }
  }

  private func load(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    let place: Int
    switch cursor {
    case .start: place = 0
    case .item(let item): place = item
    case .page, .offset, .address: throw FeedFailure(.permanent, "this document has no such page")
    }
    var session = try takeSession(at: place)
    do {
      try await session.skip(to: place)
      let page = try await session.nextPage(place == 0 ? firstCount : laterCount)
      keep(session)
      return page
    } catch {
      if error == .cancelled { keep(session) }
      throw error
    }
  }

  private func takeSession(at place: Int) throws(FeedFailure) -> DocumentSession {
    let kept = session.withLock { session in
      defer { session = nil }
      return session
    }
    if let kept, place > 0, kept.position == place { return kept }
    return DocumentSession(try open(), file: file)
  }

  private func keep(_ used: DocumentSession) {
    session.withLock { $0 = used }
  }

  /// A decoder speaks of the answer of a server, which may be another one when it is asked again.
  private func inPlace(_ failure: FeedFailure) -> FeedFailure {
    let answer = "the answer "
    guard failure.reason.hasPrefix(answer) else { return failure }
    return FeedFailure(
      .permanent, "\(name) \(failure.reason.dropFirst(answer.count))", advice: "check that it is what you meant")
  }
}

extension LocalDocument {
  /// The first screen is there at once; then pages are long, since they cost nothing.
  static let firstCount = 60
  static let laterCount = 500
  private static let catalogueCount = 12

  /// The catalogue that is part of the program.
  static func catalogue(pageSize: Int?) -> LocalDocument {
    let count = pageSize ?? catalogueCount
    return LocalDocument(name: "built-in catalogue", firstCount: count, laterCount: count) {
      () throws(FeedFailure) in CatalogueBytes()
    }
  }

  /// What is kept of a server's answer.
  static func kept(_ bytes: KeptBytes) -> LocalDocument {
    LocalDocument(name: "what is kept of the feed", firstCount: firstCount, laterCount: laterCount) {
      () throws(FeedFailure) in bytes
    }
  }

  /// A file that a person names; a pipe or a device is read once and kept for the next reading.
  static func file(_ path: String, pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let name = cleanedLine(String(path.split(separator: "/").last ?? Substring(path)), limit: 48)
    switch try LocalFile.open(path) {
    case .file:
      let file = LocalFile.absolutePath(path).flatMap { FileAddress(path: $0) }
      return LocalDocument(
        name: name, file: file, firstCount: pageSize ?? firstCount, laterCount: pageSize ?? laterCount
      ) { () throws(FeedFailure) in
        switch try LocalFile.open(path) {
        case .file(let file): return file
        case .stream(let descriptor): return try Spool(input: descriptor, isOwned: true, name: name)
        }
      }
    case .stream(let descriptor): return try stream(descriptor, isOwned: true, name: name, pageSize: pageSize)
    }
  }

  /// What is piped into the program.
  static func standardInput(pageSize: Int?) throws(FeedFailure) -> LocalDocument {
    let name = "standard input"
    guard isatty(STDIN_FILENO) == 0 else {
      throw FeedFailure(.permanent, "standard input is the terminal", advice: "pipe a feed into the program")
    }
    return try stream(STDIN_FILENO, isOwned: false, name: name, pageSize: pageSize)
  }

  static func stream(
    _ descriptor: Int32, isOwned: Bool, name: String, pageSize: Int?
  ) throws(FeedFailure) -> LocalDocument {
    let spool = try Spool(input: descriptor, isOwned: isOwned, name: name)
    return LocalDocument(
      name: name, firstCount: pageSize ?? firstCount, laterCount: pageSize ?? laterCount
    ) { () throws(FeedFailure) in spool }
  }
}
